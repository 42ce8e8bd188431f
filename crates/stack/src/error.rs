//! What a call can be refused for.

use core::net::SocketAddr;

use netjoule_transport::tcp::Cause;

/// Why a call had no effect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The connection has ended and been forgotten.
    #[error("no such connection")]
    NoSuchConnection,
    /// The listener does not exist.
    #[error("no such listener")]
    NoSuchListener,
    /// A local address that is not one of the host's, or of the other family.
    #[error("{0} is not an address of this host for this purpose")]
    AddressNotAvailable(SocketAddr),
    /// Another listener or connection has it.
    #[error("{0} is in use")]
    AddressInUse(SocketAddr),
    /// Every ephemeral port is in use.
    #[error("every ephemeral port is in use")]
    NoPort,
    /// There are `Config::max_connections`.
    #[error("the host has as many connections as it may have")]
    TooManyConnections,
    /// An address that belongs to no single host: unspecified or multicast.
    #[error("{0} is not the address of a host")]
    NotAHost(SocketAddr),
    /// The connection is over.
    #[error("{0}")]
    Ended(Cause),
    /// The application has said that it sends no more.
    #[error("the connection's sending side is shut down")]
    ShutDown,
    /// The options are out of range: which, and what is expected.
    #[error("option `{key}`: expected {expected}")]
    Options {
        /// The option.
        key: &'static str,
        /// What was expected.
        expected: String,
    },
}
