//! How connections begin.

use core::net::{IpAddr, SocketAddr};

use netjoule_transport::cost::Meter;
use netjoule_transport::tcp::{Connection, Endpoint, Options, Variant};
use netjoule_units::Instant;
use netjoule_wire::ip::{IPV4_HEADER_BYTES, IPV6_HEADER_BYTES};
use netjoule_wire::{Ecn, Segment};

use super::Stack;
use crate::entry::Entry;
use crate::listener::Admission;
use crate::tuple::{Tuple, mapped};
use crate::{ConnectionId, Error, ListenerId};

impl<M: Meter> Stack<M> {
    /// Accepts connections to `local` from now on; an unspecified address
    /// stands for all of the host's, `::` for those of both families. At most
    /// `backlog` of them are in the handshake, and as many more at most wait
    /// for [`accept`](Self::accept).
    ///
    /// # Errors
    /// If `local` is not an address of the host, or in use, or `options` are
    /// not valid.
    pub fn listen(
        &mut self,
        local: SocketAddr,
        variant: &'static Variant,
        options: &Options,
        backlog: usize,
    ) -> Result<ListenerId, Error> {
        check(options)?;
        let is_own = local.ip().is_unspecified() || self.addresses.contains(&mapped(local.ip()));
        if !is_own || local.port() == 0 {
            return Err(Error::AddressNotAvailable(local));
        }
        self.listeners.add(local, variant, options, backlog)
    }

    /// Accepts no more connections. Those that were not taken by
    /// [`accept`](Self::accept) are aborted.
    pub fn stop_listening(&mut self, now: Instant, listener: ListenerId) {
        let Some((half_open, waiting)) = self.listeners.remove(listener) else { return };
        let belongs = |id: &ConnectionId| {
            self.connections.get(*id).is_some_and(|it| it.listener == Some(listener))
        };
        let half_open: Vec<_> = half_open.into_iter().filter(belongs).collect();
        for id in half_open.into_iter().chain(waiting) {
            if let Some(entry) = self.connections.get_mut(id) {
                entry.listener = None;
            }
            self.abort(now, id);
        }
    }

    /// The next connection that `listener` has for the application.
    pub fn accept(&mut self, listener: ListenerId) -> Option<ConnectionId> {
        self.listeners.get_mut(listener)?.accept()
    }

    /// Opens a connection to `remote`, from `local` (whose port may be 0: any)
    /// or from an address and port of the host's choice.
    ///
    /// # Errors
    /// If there is no suitable address or port, if the host has as many
    /// connections as it may have, or if `options` are not valid.
    pub fn connect(
        &mut self,
        now: Instant,
        local: Option<SocketAddr>,
        remote: SocketAddr,
        variant: &'static Variant,
        options: &Options,
    ) -> Result<ConnectionId, Error> {
        check(options)?;
        if remote.ip().is_unspecified() || remote.ip().is_multicast() || remote.port() == 0 {
            return Err(Error::NotAHost(remote));
        }
        let tuple = self.choose(local, remote)?;
        if !self.make_room() {
            return Err(Error::TooManyConnections);
        }
        let endpoint = self.endpoint(now, &tuple);
        let engine = Connection::connect(variant, options, &endpoint);
        let id = self.add(tuple, engine, options, &endpoint);
        self.wake();
        self.attend(id.index);
        Ok(id)
    }

    /// The addresses and ports of a new connection.
    fn choose(&self, local: Option<SocketAddr>, remote: SocketAddr) -> Result<Tuple, Error> {
        let of_family = |address: &IpAddr| address.is_ipv4() == remote.is_ipv4();
        let local = match local {
            Some(local) if of_family(&local.ip()) => local,
            Some(local) => return Err(Error::AddressNotAvailable(local)),
            None => {
                let own = self.config.addresses.iter().copied().find(of_family);
                SocketAddr::new(own.ok_or(Error::NotAHost(remote))?, 0)
            }
        };
        if !self.addresses.contains(&mapped(local.ip())) {
            return Err(Error::AddressNotAvailable(local));
        }
        let tuple = Tuple::new(local, remote);
        if local.port() == 0 {
            return self.choose_port(tuple);
        }
        if self.demux.contains(&tuple) {
            return Err(Error::AddressInUse(local));
        }
        Ok(tuple)
    }

    /// RFC 6056 section 3.3.3: from a place that depends on the destination on,
    /// the first port that is free.
    fn choose_port(&self, tuple: Tuple) -> Result<Tuple, Error> {
        let ports = &self.config.ephemeral_ports;
        let count = u32::from(ports.end.saturating_sub(ports.start));
        let offset = self.beginnings.port(&tuple);
        (0..count)
            .map(|step| {
                let step = (offset % count + step) % count;
                let step = u16::try_from(step).expect("fewer steps than ports");
                tuple.with_local_port(ports.start + step)
            })
            .find(|tuple| !self.demux.contains(tuple) && self.listeners.at(tuple.local()).is_none())
            .ok_or(Error::NoPort)
    }

    fn endpoint(&self, now: Instant, tuple: &Tuple) -> Endpoint {
        let ip_header =
            if tuple.remote().is_ipv4() { IPV4_HEADER_BYTES } else { IPV6_HEADER_BYTES };
        Endpoint {
            source_port: tuple.local_port(),
            destination_port: tuple.remote().port(),
            iss: self.beginnings.sequence(now, tuple),
            timestamp_offset: self.beginnings.timestamp(tuple),
            mtu: self.config.mtu,
            ip_header: u32::try_from(ip_header).expect("20 or 40"),
        }
    }

    fn add(
        &mut self,
        tuple: Tuple,
        engine: Connection<M>,
        options: &Options,
        endpoint: &Endpoint,
    ) -> ConnectionId {
        let bound = usize::try_from(self.config.send_buffer.get()).unwrap_or(usize::MAX);
        let start = endpoint.iss + 1;
        let id = self.connections.insert(Entry::new(tuple, engine, options, start, bound));
        self.agenda.grow(self.connections.places());
        self.demux.insert(tuple, id.index);
        id
    }

    /// `syn` opens a connection at a listener, if there is room.
    pub(super) fn begin(&mut self, now: Instant, ecn: Ecn, tuple: Tuple, syn: &Segment) {
        let Some(listener_id) = self.listeners.at(tuple.local()) else { return };
        let connections = &self.connections;
        let is_half_open =
            |id| connections.get(id).is_some_and(|it| it.listener == Some(listener_id));
        let admission = self.listeners.get_mut(listener_id).map(|it| it.admit(is_half_open));
        match admission {
            Some(Admission::Granted) => {}
            Some(Admission::InPlaceOf(oldest)) => {
                self.counters.handshakes_evicted += 1;
                self.forget(oldest);
            }
            Some(Admission::Refused) | None => {
                self.counters.syns_dropped += 1;
                return;
            }
        }
        if !self.make_room() {
            self.counters.syns_dropped += 1;
            return;
        }
        let endpoint = self.endpoint(now, &tuple);
        let Some(listener) = self.listeners.get_mut(listener_id) else { return };
        let (variant, options) = (listener.variant, listener.options.clone());
        let engine = Connection::listen(variant, &options, &endpoint);
        let id = self.add(tuple, engine, &options, &endpoint);
        if let Some(listener) = self.listeners.get_mut(listener_id) {
            listener.began(id);
        }
        if let Some(entry) = self.connections.get_mut(id) {
            entry.listener = Some(listener_id);
            entry.open(now, syn, ecn);
        }
        self.attend(id.index);
    }
}

/// The first of the options that is out of range.
fn check(options: &Options) -> Result<(), Error> {
    options.validate().map_err(|wrong| {
        let (key, expected) = wrong.into_iter().next().unwrap_or_default();
        Error::Options { key, expected }
    })
}
