//! What waits for the driver: connections that may have something to send,
//! those that want to be called at a time, and what has happened.

use std::collections::VecDeque;

use netjoule_deadlines::{Deadlines, PartId};
use netjoule_transport::cost::Meter;
use netjoule_transport::tcp::{self, State};
use netjoule_units::Instant;

use crate::entry::Entry;
use crate::listener::Listeners;
use crate::slab::Slab;
use crate::{ConnectionId, Event};

/// Who is to be called, when, and what to tell.
#[derive(Clone, Debug)]
pub(crate) struct Agenda {
    /// Connections that may have something to send, in the order of their turns.
    pub(crate) ready: VecDeque<u32>,
    deadlines: Deadlines,
    pub(crate) events: VecDeque<(ConnectionId, Event)>,
}

impl Agenda {
    pub(crate) fn new() -> Self {
        Self { ready: VecDeque::new(), deadlines: Deadlines::new(0), events: VecDeque::new() }
    }

    /// There are so many places for connections.
    pub(crate) fn grow(&mut self, places: usize) {
        self.deadlines.grow(places);
    }

    /// After a call of the engine: tells what has happened, and gives the
    /// connection a turn to send if it has something. Returns whether it may be
    /// over.
    #[inline(always)]
    pub(crate) fn attend<M: Meter>(
        &mut self,
        id: ConnectionId,
        entry: &mut Entry<M>,
        listeners: &mut Listeners,
    ) -> bool {
        while let Some(event) = entry.engine.poll_event() {
            self.note(id, entry, event, listeners);
        }
        entry.tell_readiness(|event| self.events.push_back((id, event)));
        if entry.is_ready {
            return false;
        }
        if entry.engine.is_quiet() {
            return self.rest(id.index, entry);
        }
        entry.is_ready = true;
        self.ready.push_back(id.index);
        false
    }

    /// A connection has nothing to send at the moment: when does it want to be
    /// called? Returns whether it may be over.
    #[inline]
    pub(crate) fn rest<M: Meter>(&mut self, index: u32, entry: &mut Entry<M>) -> bool {
        entry.is_ready = false;
        entry.deadline = entry.engine.poll_timeout().unwrap_or(Instant::NEVER);
        // The heap may know an earlier time: it learns the rest when that is the
        // first or has come.
        if entry.deadline < entry.heap_deadline {
            entry.heap_deadline = entry.deadline;
            self.deadlines.set(PartId(index), Some(entry.deadline));
        }
        matches!(entry.engine.state(), State::Closed | State::TimeWait)
    }

    /// An engine's event becomes the driver's, and the listener's.
    #[cold]
    fn note<M: Meter>(
        &mut self,
        id: ConnectionId,
        entry: &mut Entry<M>,
        event: tcp::Event,
        listeners: &mut Listeners,
    ) {
        match event {
            tcp::Event::Connected => {
                if let Some(listener) = entry.listener.take().and_then(|it| listeners.get_mut(it)) {
                    listener.succeeded(id);
                }
            }
            tcp::Event::PeerClosed => entry.application.peer_closed = true,
            tcp::Event::Closed(cause) => entry.ended = Some(cause),
            _ => {}
        }
        // Nobody knows of a connection before its handshake is over, or after it
        // was closed.
        if entry.listener.is_none() && !entry.application.is_gone {
            self.events.push_back((id, Event::Tcp(event)));
        }
    }

    /// The first moment at which a connection wants to be called.
    ///
    /// A timer that is put off is only now moved, if it is the first: an
    /// acknowledgment, which puts the retransmission off, costs a comparison.
    pub(crate) fn next<M: Meter>(&mut self, connections: &mut Slab<Entry<M>>) -> Option<Instant> {
        loop {
            let (at, part) = self.deadlines.first()?;
            let deadline = connections.at(part.0).map(|(_, entry)| {
                entry.heap_deadline = entry.deadline;
                entry.deadline
            });
            if deadline == Some(at) {
                return Some(at);
            }
            self.deadlines.set(part, deadline.filter(|at| *at != Instant::NEVER));
        }
    }

    /// A connection whose moment has come, if there is one: it is not named
    /// again before it has said anew when.
    pub(crate) fn due<M: Meter>(
        &mut self,
        now: Instant,
        connections: &mut Slab<Entry<M>>,
    ) -> Option<u32> {
        while let Some((_, part)) = self.deadlines.first().filter(|(at, _)| *at <= now) {
            self.deadlines.set(part, None);
            let Some((_, entry)) = connections.at(part.0) else { continue };
            entry.heap_deadline = Instant::NEVER;
            if entry.deadline <= now {
                return Some(part.0);
            }
            entry.heap_deadline = entry.deadline;
            let deadline = Some(entry.deadline).filter(|at| *at != Instant::NEVER);
            self.deadlines.set(part, deadline);
        }
        None
    }

    /// A connection is taken out of everything.
    pub(crate) fn forget(&mut self, index: u32, was_ready: bool) {
        self.deadlines.set(PartId(index), None);
        if was_ready {
            self.ready.retain(|ready| *ready != index);
        }
    }
}
