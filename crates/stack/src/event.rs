//! What a stack tells its driver, besides packets.

use netjoule_transport::tcp;

/// Something that happened to a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// There is something to receive, or the end of the data: told once, and
    /// again after a read that took everything.
    Readable,
    /// There is room again in the send buffer after a write found too little.
    Writable,
    /// The connection's engine says so.
    Tcp(tcp::Event),
}
