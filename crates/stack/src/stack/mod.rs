//! The host: its connections, and what waits for its driver.
//!
//! [`input`] has what becomes of packets that come, [`output`] of those that
//! leave, [`calls`] what the application asks for.

mod calls;
mod input;
mod opening;
mod output;

use core::net::Ipv6Addr;
use std::collections::VecDeque;

use netjoule_transport::cost::{Meter, Off, Operation};
use netjoule_transport::tcp::{State, Transmission};
use netjoule_units::Instant;

use crate::agenda::Agenda;
use crate::demux::Chains;
use crate::entry::Entry;
use crate::isn::Beginnings;
use crate::listener::Listeners;
use crate::replies::Replies;
use crate::slab::Slab;
use crate::tuple::mapped;
use crate::{Config, ConnectionId, Event};

/// The TCP of a host.
///
/// # The drive contract
///
/// The stack never reads a clock, a socket or global randomness. Its driver
///
/// - **gives it** packets and time: [`handle_packet`], [`handle_timeout`];
/// - **commands it** for applications: [`listen`], [`accept`], [`connect`],
///   [`send`], [`receive`], [`shutdown`], [`close`], [`abort`];
/// - after each of these, or after several, **takes** everything there is to
///   take: [`poll_transmit`] until it returns `false`, then [`poll_event`]
///   until it returns `None`, then sets its timer to [`poll_timeout`];
/// - calls with times that never decrease.
///
/// Calling `handle_timeout` early is harmless. Work is proportional to packets,
/// not to connections: those that are idle cost memory only.
///
/// The cost meter `M` takes note of operations, each connection's in its own.
///
/// [`handle_packet`]: Self::handle_packet
/// [`handle_timeout`]: Self::handle_timeout
/// [`listen`]: Self::listen
/// [`accept`]: Self::accept
/// [`connect`]: Self::connect
/// [`send`]: Self::send
/// [`receive`]: Self::receive
/// [`shutdown`]: Self::shutdown
/// [`close`]: Self::close
/// [`abort`]: Self::abort
/// [`poll_transmit`]: Self::poll_transmit
/// [`poll_event`]: Self::poll_event
/// [`poll_timeout`]: Self::poll_timeout
#[derive(Clone, Debug)]
pub struct Stack<M: Meter = Off> {
    config: Config,
    /// The addresses of `config` as those of tuples.
    addresses: Vec<Ipv6Addr>,
    beginnings: Beginnings,
    connections: Slab<Entry<M>>,
    demux: Chains,
    /// The flow of the last segment from an IPv4 host, and its connection: in
    /// front of the chains, for trains of packets.
    last_flow: (u64, u32),
    last_found: u32,
    listeners: Listeners,
    agenda: Agenda,
    replies: Replies,
    /// Connections in TIME-WAIT, the oldest first, and some that are gone.
    time_wait: VecDeque<ConnectionId>,
    /// The last one that left: the next is made in its place.
    transmission: Transmission,
    /// The identification field of the next IPv4 packet that may be fragmented.
    identification: u16,
    /// Whether the driver has taken everything.
    is_idle: bool,
    counters: Counters,
    /// For what belongs to no connection, or to one that is gone.
    meter: M,
}

/// No IPv4 packet's.
const NO_FLOW: (u64, u32) = (0, 0);

/// What a host has done, besides what its connections count themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets taken in.
    pub packets_in: u64,
    /// Packets sent.
    pub packets_out: u64,
    /// Packets dropped because something in them was wrong or not understood.
    pub malformed: u64,
    /// Packets dropped because a checksum was wrong.
    pub damaged: u64,
    /// Packets dropped because they were for others.
    pub for_others: u64,
    /// Segments that belonged to no connection.
    pub to_nowhere: u64,
    /// Resets in answer to them.
    pub resets_sent: u64,
    /// SYNs dropped because there was no room for a connection.
    pub syns_dropped: u64,
    /// Handshakes given up in favour of younger ones.
    pub handshakes_evicted: u64,
}

impl<M: Meter> Stack<M> {
    /// A host without connections.
    #[must_use]
    pub fn new(config: Config) -> Self {
        Self {
            addresses: config.addresses.iter().copied().map(mapped).collect(),
            beginnings: Beginnings::new(&config.secret),
            connections: Slab::new(),
            demux: match config.lookup_chains {
                Some(chains) => Chains::fixed(&config.secret, chains),
                None => Chains::new(&config.secret),
            },
            last_flow: NO_FLOW,
            last_found: 0,
            listeners: Listeners::default(),
            agenda: Agenda::new(),
            replies: Replies::default(),
            time_wait: VecDeque::new(),
            transmission: Transmission::default(),
            identification: 0,
            is_idle: true,
            counters: Counters::default(),
            meter: M::default(),
            config,
        }
    }

    /// When to call [`handle_timeout`](Self::handle_timeout) next.
    pub fn poll_timeout(&mut self) -> Option<Instant> {
        self.agenda.next(&mut self.connections)
    }

    /// The time of [`poll_timeout`](Self::poll_timeout) has come.
    pub fn handle_timeout(&mut self, now: Instant) {
        while let Some(index) = self.agenda.due(now, &mut self.connections) {
            self.wake();
            if let Some((_, entry)) = self.connections.at(index) {
                entry.engine.handle_timeout(now);
            }
            self.attend(index);
        }
    }

    /// The next thing that has happened, if any.
    pub fn poll_event(&mut self) -> Option<(ConnectionId, Event)> {
        self.agenda.events.pop_front()
    }

    /// The settings.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// What the host has done so far.
    #[must_use]
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// How many connections there are, those in TIME-WAIT included.
    #[must_use]
    pub const fn connections(&self) -> usize {
        self.connections.len()
    }

    /// What has been counted for the host as a whole. Each connection has its
    /// own meter: [`meter_of`](Self::meter_of).
    #[must_use]
    pub const fn meter(&self) -> &M {
        &self.meter
    }

    /// Something happens after the driver had taken everything.
    #[inline]
    fn wake(&mut self) {
        if M::ON && self.is_idle {
            self.is_idle = false;
            self.meter.note(Operation::WakeUp, 1);
        }
    }

    /// After a call of an engine: see [`Agenda::attend`].
    fn attend(&mut self, index: u32) {
        if let Some((id, entry)) = self.connections.at(index)
            && self.agenda.attend(id, entry, &mut self.listeners)
        {
            self.retire(index);
        }
    }

    /// A connection that is over is forgotten if nobody asks for it any more;
    /// one in TIME-WAIT needs no buffer.
    #[cold]
    fn retire(&mut self, index: u32) {
        let Some((id, entry)) = self.connections.at(index) else { return };
        if entry.engine.state() == State::Closed {
            if entry.application.is_gone || entry.listener.is_some() {
                self.forget(id);
            }
        } else if !entry.waits_in_time_wait {
            entry.waits_in_time_wait = true;
            entry.send.clear();
            self.remember_time_wait(id);
        }
    }

    /// Takes a connection out of everything.
    fn forget(&mut self, id: ConnectionId) {
        let Some(entry) = self.connections.remove(id) else { return };
        self.demux.remove(&entry.tuple, id.index);
        self.last_flow = NO_FLOW;
        self.agenda.forget(id.index, entry.is_ready);
        if let Some(listener) = entry.listener.and_then(|it| self.listeners.get_mut(it)) {
            listener.failed();
        }
    }

    /// Lines up for being the first to go when there is no room.
    fn remember_time_wait(&mut self, id: ConnectionId) {
        if self.time_wait.len() >= self.config.max_connections {
            let connections = &self.connections;
            self.time_wait.retain(|id| connections.get(*id).is_some());
        }
        self.time_wait.push_back(id);
    }

    /// Whether there is room for one more connection. One in TIME-WAIT gives
    /// way: what it guards against is unlikely, and a host that takes no
    /// connections is of no use.
    fn make_room(&mut self) -> bool {
        while self.connections.len() >= self.config.max_connections {
            let Some(oldest) = self.time_wait.pop_front() else { return false };
            let waits = self
                .connections
                .get(oldest)
                .is_some_and(|it| it.application.is_gone && it.engine.state() == State::TimeWait);
            if waits {
                self.forget(oldest);
            }
        }
        true
    }
}
