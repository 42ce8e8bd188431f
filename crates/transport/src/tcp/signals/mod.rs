//! What the network says besides loss.

/// Names a way to listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Discards every notice.
    None,
    /// Simple ICMP.
    IcmpDefer,
    /// Refined ICMP.
    IcmpRetransmit,
}
