//! The host.

use core::net::SocketAddr;

use netjoule_transport::tcp::{Options, Variant};
use netjoule_units::Instant;

use crate::{Config, ConnectionId, Error, Event, ListenerId, Meter, Off};

/// The TCP of a host.
#[derive(Clone, Debug)]
pub struct Stack<M: Meter = Off> {
    config: Config,
    meter: M,
}

/// What is known of a connection, in the spirit of Linux's `TCP_INFO`.
#[derive(Clone, Debug)]
pub struct Info {}

impl<M: Meter> Stack<M> {
    /// A host without connections.
    #[must_use]
    pub fn new(config: Config) -> Self {
        Self { config, meter: M::default() }
    }

    /// A packet has arrived.
    pub fn handle_packet(&mut self, _now: Instant, _packet: &[u8]) {}

    /// The next packet to send, if any: it takes the place of what is in
    /// `packet`.
    pub fn poll_transmit(&mut self, _now: Instant, packet: &mut Vec<u8>) -> bool {
        packet.clear();
        false
    }

    /// When to call [`handle_timeout`](Self::handle_timeout) next.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Instant> {
        None
    }

    /// The time of [`poll_timeout`](Self::poll_timeout) has come.
    pub fn handle_timeout(&mut self, _now: Instant) {}

    /// The next thing that has happened, if any.
    pub fn poll_event(&mut self) -> Option<(ConnectionId, Event)> {
        None
    }

    /// Accepts connections to `local` from now on; an unspecified address
    /// stands for all of the host's, of either family for `::`. At most
    /// `backlog` of them wait for [`accept`](Self::accept), and as many for the
    /// end of their handshake.
    ///
    /// # Errors
    /// If `local` is not an address of the host, or in use, or `options` are
    /// not valid.
    pub fn listen(
        &mut self,
        local: SocketAddr,
        _variant: &'static Variant,
        _options: &Options,
        _backlog: usize,
    ) -> Result<ListenerId, Error> {
        Err(Error::AddressNotAvailable(local))
    }

    /// The next connection that `listener` has for the application.
    pub fn accept(&mut self, _listener: ListenerId) -> Option<ConnectionId> {
        None
    }

    /// Opens a connection to `remote`, from `local` or an address and port of
    /// the host's choice.
    ///
    /// # Errors
    /// If there is no suitable address or port, if the host has as many
    /// connections as it may have, or if `options` are not valid.
    pub fn connect(
        &mut self,
        _now: Instant,
        _local: Option<SocketAddr>,
        _remote: SocketAddr,
        _variant: &'static Variant,
        _options: &Options,
    ) -> Result<ConnectionId, Error> {
        Err(Error::NoPort)
    }

    /// Writes as much of `data` as there is room for, and says how much that
    /// was.
    ///
    /// # Errors
    /// If there is no such connection, or its sending side is shut down.
    pub fn send(&mut self, _id: ConnectionId, _data: &[u8]) -> Result<usize, Error> {
        Err(Error::NoSuchConnection)
    }

    /// Lets `fill` write into the send buffer's free space in place; it says
    /// how much it wrote.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub fn send_with(
        &mut self,
        _id: ConnectionId,
        _fill: impl FnOnce(&mut [u8]) -> usize,
    ) -> Result<usize, Error> {
        Err(Error::NoSuchConnection)
    }

    /// Takes received data, as much as fits into `into`. Nothing is there when
    /// it says 0; [`at_end`](Self::at_end) says whether more can come.
    ///
    /// # Errors
    /// If there is no such connection.
    pub fn receive(&mut self, _id: ConnectionId, _into: &mut [u8]) -> Result<usize, Error> {
        Err(Error::NoSuchConnection)
    }

    /// Lets `take` read the receive buffer in place; it says how much of that
    /// is done with.
    ///
    /// # Errors
    /// If there is no such connection.
    pub fn receive_with(
        &mut self,
        _id: ConnectionId,
        _take: impl FnOnce(&[u8]) -> usize,
    ) -> Result<usize, Error> {
        Err(Error::NoSuchConnection)
    }

    /// Whether all that the peer will ever send has been received.
    #[must_use]
    pub fn at_end(&self, _id: ConnectionId) -> bool {
        true
    }

    /// Sends a FIN after what was written; receiving goes on.
    pub fn shutdown(&mut self, _now: Instant, _id: ConnectionId) {}

    /// Closes both directions in order. The stack sees to the rest: `id` means
    /// nothing from now on.
    pub fn close(&mut self, _now: Instant, _id: ConnectionId) {}

    /// Ends the connection at once with a RST. `id` means nothing from now on.
    pub fn abort(&mut self, _now: Instant, _id: ConnectionId) {}

    /// What is known of the connection.
    ///
    /// # Errors
    /// If there is no such connection.
    pub fn info(&self, _id: ConnectionId) -> Result<Info, Error> {
        Err(Error::NoSuchConnection)
    }

    /// The address of the other end.
    ///
    /// # Errors
    /// If there is no such connection.
    pub fn remote(&self, _id: ConnectionId) -> Result<SocketAddr, Error> {
        Err(Error::NoSuchConnection)
    }

    /// The address of this end.
    ///
    /// # Errors
    /// If there is no such connection.
    pub fn local(&self, _id: ConnectionId) -> Result<SocketAddr, Error> {
        Err(Error::NoSuchConnection)
    }

    /// The settings.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// What has been counted.
    #[must_use]
    pub const fn meter(&self) -> &M {
        &self.meter
    }
}
