//! What the application asks for.

use core::net::SocketAddr;

use netjoule_transport::cost::{Meter, Operation};
use netjoule_transport::tcp::Info;
use netjoule_units::{Bytes, Instant};

use super::Stack;
use crate::entry::Entry;
use crate::{ConnectionId, Error};

impl<M: Meter> Stack<M> {
    /// Writes as much of `data` as there is room for, and says how much that
    /// was. [`Event::Writable`](crate::Event::Writable) tells when there is room
    /// again.
    ///
    /// # Errors
    /// If there is no such connection, or it is over, or its sending side is
    /// shut down.
    pub fn send(&mut self, id: ConnectionId, data: &[u8]) -> Result<usize, Error> {
        let entry = self.writable(id)?;
        let written = entry.send.append(data);
        entry.engine.meter_mut().note(Operation::BytesCopied, written as u64);
        entry.application.wants_room = written < data.len();
        self.written(id, written);
        Ok(written)
    }

    /// Lets `fill` write into the send buffer in place: into the free bytes
    /// that lie in one piece. It says how much it wrote. It is not called when
    /// there is no room.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub fn send_with(
        &mut self,
        id: ConnectionId,
        fill: impl FnOnce(&mut [u8]) -> usize,
    ) -> Result<usize, Error> {
        let entry = self.writable(id)?;
        entry.application.wants_room = entry.send.room() == 0;
        let written = entry.send.append_with(fill);
        self.written(id, written);
        Ok(written)
    }

    fn writable(&mut self, id: ConnectionId) -> Result<&mut Entry<M>, Error> {
        let entry = self.entry(id)?;
        match entry.ended {
            Some(cause) => Err(Error::Ended(cause)),
            None if entry.application.has_shut_down => Err(Error::ShutDown),
            None => Ok(entry),
        }
    }

    fn written(&mut self, id: ConnectionId, amount: usize) {
        if let Some(entry) = self.connections.get_mut(id)
            && amount > 0
        {
            entry.engine.write(Bytes::new(amount as u64));
            self.wake();
            self.attend(id.index);
        }
    }

    /// Takes received data, as much as fits into `into`. When it says 0, there
    /// is nothing now; [`at_end`](Self::at_end) says whether more can come, and
    /// [`Event::Readable`](crate::Event::Readable) when.
    ///
    /// # Errors
    /// If there is no such connection, or if it has ended otherwise than by the
    /// peer's FIN and everything before that has been taken.
    pub fn receive(&mut self, id: ConnectionId, into: &mut [u8]) -> Result<usize, Error> {
        let entry = self.entry(id)?;
        let (first, second) = entry.unread(into.len());
        let taken = first.len() + second.len();
        into[..first.len()].copy_from_slice(first);
        into[first.len()..taken].copy_from_slice(second);
        entry.engine.meter_mut().note(Operation::BytesCopied, taken as u64);
        self.taken(id, taken)
    }

    /// Lets `take` read the receive buffer in place: the unread bytes that lie
    /// in one piece. It says how many of them it is done with. It is not called
    /// when there are none.
    ///
    /// # Errors
    /// As [`receive`](Self::receive).
    pub fn receive_with(
        &mut self,
        id: ConnectionId,
        take: impl FnOnce(&[u8]) -> usize,
    ) -> Result<usize, Error> {
        let (first, _) = self.entry(id)?.unread(usize::MAX);
        let taken = if first.is_empty() { 0 } else { take(first).min(first.len()) };
        self.taken(id, taken)
    }

    fn taken(&mut self, id: ConnectionId, amount: usize) -> Result<usize, Error> {
        let entry = self.entry(id)?;
        if amount > 0 {
            entry.taken(amount);
            self.wake();
            self.attend(id.index);
        } else if let Some(cause) = entry.ended
            && !entry.application.peer_closed
        {
            return Err(Error::Ended(cause));
        }
        Ok(amount)
    }

    /// Whether all that the peer will ever send has been received.
    #[must_use]
    pub fn at_end(&self, id: ConnectionId) -> bool {
        self.connections.get(id).is_none_or(|entry| {
            (entry.application.peer_closed || entry.ended.is_some())
                && entry.engine.unread() == Bytes::ZERO
        })
    }

    /// Sends a FIN after what was written; receiving goes on.
    pub fn shutdown(&mut self, _now: Instant, id: ConnectionId) {
        if let Ok(entry) = self.entry(id) {
            entry.application.has_shut_down = true;
            entry.engine.shutdown();
            self.wake();
            self.attend(id.index);
        }
    }

    /// Closes both directions in order. The stack sees to the rest: `id` means
    /// nothing from now on. If there is unread data, the connection is aborted
    /// instead (RFC 2525 section 2.17).
    pub fn close(&mut self, now: Instant, id: ConnectionId) {
        if let Ok(entry) = self.entry(id) {
            entry.engine.close(now);
            self.leave(id);
        }
    }

    /// Ends the connection at once with a RST. `id` means nothing from now on.
    pub fn abort(&mut self, _now: Instant, id: ConnectionId) {
        if let Ok(entry) = self.entry(id) {
            entry.engine.abort();
            self.leave(id);
        }
    }

    /// The application is gone.
    fn leave(&mut self, id: ConnectionId) {
        if let Ok(entry) = self.entry(id) {
            entry.application.is_gone = true;
            entry.receive = None;
            self.wake();
            self.attend(id.index);
        }
    }

    /// What is known of the connection.
    ///
    /// # Errors
    /// If there is no such connection.
    pub fn info(&self, id: ConnectionId) -> Result<Info, Error> {
        self.known(id).map(|entry| entry.engine.info())
    }

    /// What the connection's meter has counted.
    ///
    /// # Errors
    /// If there is no such connection.
    pub fn meter_of(&self, id: ConnectionId) -> Result<&M, Error> {
        self.known(id).map(|entry| entry.engine.meter())
    }

    /// The address of the other end.
    ///
    /// # Errors
    /// If there is no such connection.
    pub fn remote(&self, id: ConnectionId) -> Result<SocketAddr, Error> {
        self.known(id).map(|entry| entry.tuple.remote())
    }

    /// The address of this end.
    ///
    /// # Errors
    /// If there is no such connection.
    pub fn local(&self, id: ConnectionId) -> Result<SocketAddr, Error> {
        self.known(id).map(|entry| entry.tuple.local())
    }

    fn known(&self, id: ConnectionId) -> Result<&Entry<M>, Error> {
        let entry = self.connections.get(id);
        entry.filter(|it| !it.application.is_gone).ok_or(Error::NoSuchConnection)
    }

    fn entry(&mut self, id: ConnectionId) -> Result<&mut Entry<M>, Error> {
        let entry = self.connections.get_mut(id);
        entry.filter(|it| !it.application.is_gone).ok_or(Error::NoSuchConnection)
    }
}
