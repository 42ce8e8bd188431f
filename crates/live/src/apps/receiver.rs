//! Receives the bytes of one connection, or of one after the other.

use netjoule_stack::{ConnectionId, Event, ListenerId, Meter, Stack};
use netjoule_transport::tcp;
use netjoule_units::Instant;

use super::{Digest, Sink, Transfer};
use crate::{Application, Error, Wait, Waits};

/// The sink's name among descriptors.
const SINK: usize = 0;

/// Takes what one connection of a listener brings, and closes when the peer
/// does.
#[derive(Debug)]
pub struct Receiver {
    listener: ListenerId,
    sink: Sink,
    digest: Option<Digest>,
    transfer: Option<Transfer>,
    /// Whether there may be something to receive.
    data: bool,
    /// Whether the peer's end has been reached and ours been sent.
    at_end: bool,
    done: bool,
}

impl Receiver {
    /// Puts into `sink` what the next connection of `listener` brings, with its
    /// digest if `digest`.
    #[must_use]
    pub fn new(listener: ListenerId, sink: Sink, digest: bool) -> Self {
        Self {
            listener,
            sink,
            digest: digest.then(Digest::default),
            transfer: None,
            data: false,
            at_end: false,
            done: false,
        }
    }

    /// What has become of the bytes so far, once there is a connection.
    #[must_use]
    pub const fn transfer(&self) -> Option<&Transfer> {
        self.transfer.as_ref()
    }

    fn accept<M: Meter>(&mut self, now: Instant, stack: &mut Stack<M>) {
        let Some(id) = stack.accept(self.listener) else { return };
        let Ok(mut transfer) = Transfer::new(stack, id, self.digest.clone()) else { return };
        transfer.connected = Some(now);
        self.transfer = Some(transfer);
        self.data = true;
    }

    /// Takes what has arrived, in place.
    fn empty<M: Meter>(&mut self, now: Instant, stack: &mut Stack<M>) -> Result<(), Error> {
        let Some(transfer) = &mut self.transfer else { return Ok(()) };
        let id = transfer.id;
        while self.data && self.sink.is_ready() {
            let sink = &mut self.sink;
            let mut refused = None;
            let taken = stack.receive_with(id, |bytes| match sink.write(bytes) {
                Ok(count) => {
                    transfer.add(&bytes[..count]);
                    count
                }
                Err(error) => {
                    refused = Some(error);
                    0
                }
            });
            if let Some(error) = refused {
                stack.abort(now, id);
                return Err(Error::new("write what has been received", error));
            }
            self.data = taken.is_ok_and(|count| count > 0);
        }
        if !self.data && !self.at_end && stack.at_end(id) {
            self.at_end = true;
            transfer.complete = Some(now);
            transfer.look(stack);
            stack.shutdown(now, id);
        }
        Ok(())
    }
}

impl<M: Meter> Application<M> for Receiver {
    type Error = Error;

    fn handle_event(
        &mut self,
        _: Instant,
        stack: &mut Stack<M>,
        id: ConnectionId,
        event: Event,
    ) -> Result<(), Error> {
        let Some(transfer) = self.transfer.as_mut().filter(|transfer| transfer.id == id) else {
            return Ok(());
        };
        transfer.look(stack);
        match event {
            Event::Readable => self.data = true,
            Event::Tcp(tcp::Event::Closed(cause)) => {
                transfer.cause = Some(cause);
                self.done = true;
            }
            Event::Writable | Event::Tcp(_) => {}
        }
        Ok(())
    }

    fn handle_ready(&mut self, _: usize, _: bool, writable: bool) {
        if writable {
            self.sink.set_ready();
        }
    }

    fn advance(&mut self, now: Instant, stack: &mut Stack<M>) -> Result<(), Error> {
        if self.transfer.is_none() {
            self.accept(now, stack);
        }
        self.empty(now, stack)
    }

    fn wait_for<'a>(&'a self, descriptors: &mut Waits<'a>) {
        descriptors.extend(self.sink.descriptor().filter(|_| self.data).map(|descriptor| Wait {
            descriptor,
            token: SINK,
            readable: false,
            writable: true,
        }));
    }

    fn poll_timeout(&self) -> Option<Instant> {
        None
    }

    fn is_done(&self) -> bool {
        self.done
    }
}
