//! A port forwarder: connections of the kernel's TCP on one side, ours on the
//! other.

mod pair;

use core::net::SocketAddr;
use std::collections::HashMap;
use std::io;
use std::net::TcpListener;
use std::os::fd::AsFd;

use netjoule_stack::{ConnectionId, Event, ListenerId, Meter, Stack};
use netjoule_transport::tcp::{self, Options, Variant};
use netjoule_units::Instant;

use crate::{Application, Error, Wait, Waits};
use pair::Pair;

/// The listening socket's name among descriptors; pairs have their index.
const LISTENER: usize = usize::MAX;

/// On which side connections come in, and where they go on the other.
#[derive(Debug)]
pub enum Side {
    /// Programs connect to a socket of the kernel's; each gets a connection of
    /// ours to `target`.
    Kernel {
        /// The socket.
        listener: TcpListener,
        /// Where our connections go.
        target: SocketAddr,
        /// How they run.
        variant: &'static Variant,
        /// Their settings.
        options: Box<Options>,
    },
    /// Our stack listens; each connection gets one of the kernel's to
    /// `target`.
    Ours {
        /// Our listening port.
        listener: ListenerId,
        /// Where the kernel's connections go.
        target: SocketAddr,
    },
}

/// What a forwarder has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Connections taken in.
    pub accepted: u64,
    /// Those that both ends have closed in order.
    pub finished: u64,
    /// Those that broke off.
    pub broken: u64,
    /// Bytes carried into our stack.
    pub bytes_in: u64,
    /// Bytes carried out of our stack.
    pub bytes_out: u64,
}

/// Joins every connection that comes in with one on the other side. The end of
/// data is passed on in each direction by itself, and so is a reset.
#[derive(Debug)]
pub struct Forwarder {
    side: Side,
    /// How many connections to take in; all without.
    most: Option<u64>,
    pairs: Vec<Option<Pair>>,
    places: HashMap<ConnectionId, usize>,
    /// Pairs for which something has changed.
    runnable: Vec<usize>,
    /// Those among them whose end is looked for again and again.
    closing: Vec<usize>,
    /// Whether connections may be waiting at the listening socket.
    incoming: bool,
    tally: Tally,
}

impl Forwarder {
    /// A forwarder that ends after `most` connections, or never.
    ///
    /// # Errors
    /// If the listening socket cannot be made non-blocking.
    pub fn new(side: Side, most: Option<u64>) -> Result<Self, Error> {
        if let Side::Kernel { listener, .. } = &side {
            listener
                .set_nonblocking(true)
                .map_err(|error| Error::new("prepare the listening socket", error))?;
        }
        Ok(Self {
            side,
            most,
            pairs: Vec::new(),
            places: HashMap::new(),
            runnable: Vec::new(),
            closing: Vec::new(),
            incoming: true,
            tally: Tally::default(),
        })
    }

    /// What it has done so far.
    #[must_use]
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    fn accepts(&self) -> bool {
        self.most.is_none_or(|most| self.tally.accepted < most)
    }

    /// Takes in what waits on the listening side.
    fn accept<M: Meter>(&mut self, now: Instant, stack: &mut Stack<M>) -> Result<(), Error> {
        while self.accepts() {
            let pair = match &self.side {
                Side::Kernel { listener, target, variant, options } => {
                    if !self.incoming {
                        return Ok(());
                    }
                    let stream = match listener.accept() {
                        Ok((stream, _)) => stream,
                        Err(error) if is_passing(&error) => {
                            self.incoming = false;
                            return Ok(());
                        }
                        Err(error) => return Err(Error::new("accept a connection", error)),
                    };
                    match stack.connect(now, None, *target, variant, options) {
                        Ok(id) => Pair::new(stream, id),
                        Err(error) => {
                            let source = io::Error::other(error);
                            return Err(Error::new(format!("connect to {target}"), source));
                        }
                    }
                }
                Side::Ours { listener, target } => {
                    let Some(id) = stack.accept(*listener) else { return Ok(()) };
                    match pair::connect(*target) {
                        Ok(stream) => Pair::new(stream, id),
                        Err(_) => {
                            self.tally.accepted += 1;
                            self.tally.broken += 1;
                            stack.abort(now, id);
                            continue;
                        }
                    }
                }
            };
            self.tally.accepted += 1;
            self.add(pair)?;
        }
        Ok(())
    }

    fn add(&mut self, pair: Pair) -> Result<(), Error> {
        let prepared: io::Result<()> = pair.prepare();
        prepared.map_err(|error| Error::new("prepare a connection", error))?;
        let free = self.pairs.iter().position(Option::is_none);
        let place = free.unwrap_or_else(|| {
            self.pairs.push(None);
            self.pairs.len() - 1
        });
        self.places.insert(pair.id(), place);
        self.pairs[place] = Some(pair);
        self.runnable.push(place);
        Ok(())
    }

    /// Moves data of one pair, and forgets it when it is over.
    fn run<M: Meter>(&mut self, now: Instant, stack: &mut Stack<M>, place: usize) {
        let Some(pair) = self.pairs.get_mut(place).and_then(Option::as_mut) else { return };
        let (carried, state) = pair.advance(now, stack);
        self.tally.bytes_in += carried.inward;
        self.tally.bytes_out += carried.outward;
        let ended = match state {
            pair::State::Open => return,
            pair::State::Closing => {
                self.closing.push(place);
                return;
            }
            pair::State::Finished => &mut self.tally.finished,
            pair::State::Broken => &mut self.tally.broken,
        };
        *ended += 1;
        self.places.remove(&pair.id());
        self.pairs[place] = None;
    }
}

impl<M: Meter> Application<M> for Forwarder {
    type Error = Error;

    fn handle_event(
        &mut self,
        _: Instant,
        _: &mut Stack<M>,
        id: ConnectionId,
        event: Event,
    ) -> Result<(), Error> {
        let Some(&place) = self.places.get(&id) else { return Ok(()) };
        let Some(pair) = &mut self.pairs[place] else { return Ok(()) };
        match event {
            Event::Readable => pair.set_data(),
            Event::Writable => pair.set_room(),
            Event::Tcp(tcp::Event::Closed(cause)) => pair.set_closed(cause),
            Event::Tcp(_) => return Ok(()),
        }
        self.runnable.push(place);
        Ok(())
    }

    fn handle_ready(&mut self, token: usize, readable: bool, writable: bool) {
        if token == LISTENER {
            self.incoming = true;
        } else if let Some(pair) = self.pairs.get_mut(token).and_then(Option::as_mut) {
            pair.set_ready(readable, writable);
            self.runnable.push(token);
        }
    }

    fn advance(&mut self, now: Instant, stack: &mut Stack<M>) -> Result<(), Error> {
        self.accept(now, stack)?;
        let mut runnable = core::mem::take(&mut self.runnable);
        for &place in &runnable {
            self.run(now, stack, place);
        }
        runnable.clear();
        runnable.append(&mut self.closing);
        self.runnable = runnable;
        Ok(())
    }

    fn wait_for<'a>(&'a self, descriptors: &mut Waits<'a>) {
        if let Side::Kernel { listener, .. } = &self.side
            && self.accepts()
        {
            let descriptor = listener.as_fd();
            descriptors.push(Wait { descriptor, token: LISTENER, readable: true, writable: false });
        }
        let pairs = self.pairs.iter().enumerate();
        descriptors.extend(pairs.filter_map(|(place, pair)| pair.as_ref()?.wait(place)));
    }

    fn poll_timeout(&self) -> Option<Instant> {
        None
    }

    fn is_done(&self) -> bool {
        !self.accepts() && self.places.is_empty()
    }
}

/// Whether the next connection may well be accepted.
fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, Interrupted, WouldBlock};
    matches!(error.kind(), ConnectionAborted | Interrupted | WouldBlock)
}
