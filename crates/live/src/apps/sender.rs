//! Sends one source's bytes over one connection.

use core::net::SocketAddr;

use netjoule_stack::{ConnectionId, Event, Meter, Stack};
use netjoule_transport::tcp::{self, Options, State, Variant};
use netjoule_units::{Duration, Instant};

use super::{Digest, Source, Transfer};
use crate::{Application, Error, Wait, Waits};

/// The source's name among descriptors.
const SOURCE: usize = 0;

/// How long a sender waits for the other end to close, too, once everything has
/// been acknowledged.
const PATIENCE: Duration = Duration::from_secs(3);

/// Sends one source's bytes over one connection, closes it, and waits for the
/// peer to close.
#[derive(Debug)]
pub struct Sender {
    source: Source,
    /// Whether there may be room in the send buffer.
    room: bool,
    /// Whether the source has been read to its end.
    at_end: bool,
    /// When to stop waiting for the last packets.
    leave: Option<Instant>,
    /// How long to answer a peer that has not got the last acknowledgment.
    linger: Duration,
    transfer: Transfer,
    done: bool,
}

/// Where a sender's connection goes, and how it runs.
#[derive(Clone, Copy, Debug)]
pub struct Destination<'a> {
    /// The other end.
    pub address: SocketAddr,
    /// The variant of TCP.
    pub variant: &'static Variant,
    /// Its settings.
    pub options: &'a Options,
    /// Whether to take the content's digest.
    pub digest: bool,
}

impl Sender {
    /// Sends what `source` has over a new connection to `to`. At the end it
    /// stays in TIME-WAIT for `linger`, in case that the last acknowledgment is
    /// lost.
    ///
    /// # Errors
    /// If there can be no such connection.
    pub fn connect<M: Meter>(
        now: Instant,
        stack: &mut Stack<M>,
        to: &Destination<'_>,
        source: Source,
        linger: Duration,
    ) -> Result<Self, netjoule_stack::Error> {
        let id = stack.connect(now, None, to.address, to.variant, to.options)?;
        let digest = to.digest.then(Digest::default);
        let transfer = Transfer::new(stack, id, digest)?;
        Ok(Self { source, room: true, at_end: false, leave: None, linger, transfer, done: false })
    }

    /// What has become of the bytes so far.
    #[must_use]
    pub const fn transfer(&self) -> &Transfer {
        &self.transfer
    }

    /// Reads the source into the send buffer, in place.
    fn fill<M: Meter>(&mut self, now: Instant, stack: &mut Stack<M>) -> Result<(), Error> {
        while self.room && !self.at_end && self.source.is_ready() {
            let (source, transfer) = (&mut self.source, &mut self.transfer);
            // Nothing is asked for when there is no room.
            let mut read = None;
            let filled = stack.send_with(transfer.id, |space| match source.read(space) {
                Ok(count) => {
                    transfer.add(&space[..count]);
                    read = Some(Ok(count));
                    count
                }
                Err(error) => {
                    read = Some(Err(error));
                    0
                }
            });
            match read {
                // A connection that is gone has said so by an event.
                None => self.room = false,
                Some(Ok(0)) => {
                    self.at_end = true;
                    stack.shutdown(now, self.transfer.id);
                }
                Some(Ok(_)) => self.room = filled.is_ok(),
                Some(Err(error)) => return Err(Error::new("read what is to be sent", error)),
            }
        }
        Ok(())
    }

    /// Once everything is sent: waits for the peer, but not for ever.
    fn finish<M: Meter>(&mut self, now: Instant, stack: &Stack<M>) {
        self.transfer.look(stack);
        let Some(info) = self.transfer.info else { return };
        let patience = match info.state {
            State::TimeWait => self.linger,
            State::FinWait2 => PATIENCE,
            _ => return,
        };
        self.transfer.complete.get_or_insert(now);
        // A peer that closes while we wait ends the long wait.
        let leave = now + patience;
        self.leave = Some(self.leave.map_or(leave, |set| set.min(leave)));
        self.done = self.leave.is_some_and(|leave| leave <= now);
    }
}

impl<M: Meter> Application<M> for Sender {
    type Error = Error;

    fn handle_event(
        &mut self,
        now: Instant,
        stack: &mut Stack<M>,
        id: ConnectionId,
        event: Event,
    ) -> Result<(), Error> {
        if id != self.transfer.id {
            return Ok(());
        }
        self.transfer.look(stack);
        match event {
            Event::Writable => self.room = true,
            // What the peer sends is of no interest, but it may close after it.
            Event::Readable => while stack.receive_with(id, <[u8]>::len).is_ok_and(|n| n > 0) {},
            Event::Tcp(tcp::Event::Connected) => self.transfer.connected = Some(now),
            Event::Tcp(tcp::Event::AllAcknowledged) if self.at_end => {
                self.transfer.complete.get_or_insert(now);
            }
            Event::Tcp(tcp::Event::Closed(cause)) => {
                self.transfer.cause = Some(cause);
                self.done = true;
            }
            Event::Tcp(_) => {}
        }
        Ok(())
    }

    fn handle_ready(&mut self, _: usize, readable: bool, _: bool) {
        if readable {
            self.source.set_ready();
        }
    }

    fn advance(&mut self, now: Instant, stack: &mut Stack<M>) -> Result<(), Error> {
        self.fill(now, stack)?;
        if self.at_end && !self.done {
            self.finish(now, stack);
        }
        Ok(())
    }

    fn wait_for<'a>(&'a self, descriptors: &mut Waits<'a>) {
        let wanted = self.room && !self.at_end;
        descriptors.extend(self.source.descriptor().filter(|_| wanted).map(|descriptor| Wait {
            descriptor,
            token: SOURCE,
            readable: true,
            writable: false,
        }));
    }

    fn poll_timeout(&self) -> Option<Instant> {
        self.leave
    }

    fn is_done(&self) -> bool {
        self.done
    }
}
