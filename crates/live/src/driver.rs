//! The loop that runs a stack in real time.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use netjoule_stack::{ConnectionId, Event, Meter, Stack};
use netjoule_units::Instant;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::TimeSpec;
use smallvec::SmallVec;

use crate::line::{Line, Tallies, Way, earliest};
use crate::tun::Device;
use crate::{Clock, Error, line};

/// Packets read, or sent, before the other things have their turn.
const BATCH: u32 = 64;

/// Rounds without sleep before the descriptors are looked at all the same.
const BUSY_ROUNDS: u32 = 4;

/// The longest packet.
const LONGEST_PACKET: usize = 65_535;

/// What uses the stack: it moves data between connections and descriptors.
pub trait Application<M: Meter> {
    /// Why it gives up.
    type Error: From<Error>;

    /// Something has happened to a connection.
    ///
    /// # Errors
    /// If the application gives up.
    fn handle_event(
        &mut self,
        now: Instant,
        stack: &mut Stack<M>,
        id: ConnectionId,
        event: Event,
    ) -> Result<(), Self::Error>;

    /// A descriptor that it waits for is ready for reading or writing.
    fn handle_ready(&mut self, token: usize, readable: bool, writable: bool);

    /// Moves data as far as it goes without waiting. It is called after every
    /// batch of packets and when descriptors or deadlines are due.
    ///
    /// # Errors
    /// If the application gives up.
    fn advance(&mut self, now: Instant, stack: &mut Stack<M>) -> Result<(), Self::Error>;

    /// Adds the descriptors that it waits for.
    fn wait_for<'a>(&'a self, descriptors: &mut Waits<'a>);

    /// When it wants to be called at the latest.
    fn poll_timeout(&self) -> Option<Instant>;

    /// Whether it has done its work.
    fn is_done(&self) -> bool;
}

/// A descriptor that an application waits for.
#[derive(Clone, Copy, Debug)]
pub struct Wait<'a> {
    /// The descriptor.
    pub descriptor: BorrowedFd<'a>,
    /// What the application calls it.
    pub token: usize,
    /// Whether it wants to read.
    pub readable: bool,
    /// Whether it wants to write.
    pub writable: bool,
}

/// Descriptors that an application waits for; a few take no allocation.
pub type Waits<'a> = SmallVec<[Wait<'a>; 8]>;

/// What the loop itself has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Times it went to sleep and was woken, by whatever it was.
    pub wake_ups: u64,
    /// Reads of the device, those that found nothing included.
    pub reads: u64,
    /// Writes to the device.
    pub writes: u64,
    /// Packets from the device.
    pub packets_in: u64,
    /// Packets from the stack.
    pub packets_out: u64,
    /// Packets that the device would not take.
    pub packets_refused: u64,
}

/// Sees every packet of the stack: those it sends before they meet the line,
/// and those it gets after.
pub trait Sniffer {
    /// A packet that the stack has sent or is about to get.
    ///
    /// # Errors
    /// If it cannot be written down.
    fn packet(&mut self, now: Instant, packet: &[u8], outbound: bool) -> io::Result<()>;

    /// The loop is about to sleep, or at its end.
    ///
    /// # Errors
    /// If what it has seen cannot be written down.
    fn flush(&mut self) -> io::Result<()>;
}

/// Runs a stack over a device.
pub struct Driver {
    device: Device,
    clock: Clock,
    line: Option<Line>,
    sniffer: Option<Box<dyn Sniffer>>,
    work: Work,
    /// The packet on its way in.
    inbound: Box<[u8]>,
    /// The packet on its way out.
    outbound: Vec<u8>,
}

impl Driver {
    /// A driver of `device` with the link models of `line` in between.
    #[must_use]
    pub fn new(device: Device, clock: Clock, line: &line::Config) -> Self {
        Self {
            device,
            clock,
            line: Line::new(line),
            sniffer: None,
            work: Work::default(),
            inbound: vec![0; LONGEST_PACKET].into(),
            outbound: Vec::with_capacity(LONGEST_PACKET),
        }
    }

    /// Shows every packet to `sniffer`.
    pub fn sniff(&mut self, sniffer: Box<dyn Sniffer>) {
        self.sniffer = Some(sniffer);
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    /// What the loop has done so far.
    #[must_use]
    pub const fn work(&self) -> &Work {
        &self.work
    }

    /// What became of packets on the line, if there is one.
    #[must_use]
    pub fn tallies(&self) -> Option<Tallies> {
        self.line.as_ref().map(Line::tallies)
    }

    /// The device.
    #[must_use]
    pub const fn device(&self) -> &Device {
        &self.device
    }

    /// Reads, handles, drains and sleeps until `application` has done its work.
    /// Each time round, `watch` sees how far that is.
    ///
    /// # Errors
    /// If the device fails, or the application gives up.
    pub fn run<M: Meter, A: Application<M>>(
        &mut self,
        stack: &mut Stack<M>,
        application: &mut A,
        mut watch: impl FnMut(&A),
    ) -> Result<(), A::Error> {
        let mut busy_rounds = 0;
        loop {
            let read = self.read(stack)?;
            self.carry(stack)?;
            let now = self.clock.now();
            if stack.poll_timeout().is_some_and(|due| due <= now) {
                stack.handle_timeout(now);
            }
            while let Some((id, event)) = stack.poll_event() {
                application.handle_event(now, stack, id, event)?;
            }
            application.advance(now, stack)?;
            watch(application);
            let drained = self.drain(stack)?;
            if application.is_done() && drained {
                return Ok(self.flush()?);
            }
            // The device may have more, and so may the stack.
            if read == 0 && drained {
                self.flush()?;
                let due = earliest(stack.poll_timeout(), application.poll_timeout());
                let due = earliest(due, self.line.as_ref().and_then(Line::poll_timeout));
                self.look(application, due)?;
                self.work.wake_ups += 1;
                busy_rounds = 0;
            } else if busy_rounds == BUSY_ROUNDS {
                self.look(application, Some(Instant::ZERO))?;
                busy_rounds = 0;
            } else {
                busy_rounds += 1;
            }
        }
    }

    /// Reads a batch of packets and says how many there were.
    fn read<M: Meter>(&mut self, stack: &mut Stack<M>) -> Result<u32, Error> {
        for count in 0..BATCH {
            self.work.reads += 1;
            let length = match self.device.receive(&mut self.inbound) {
                Ok(Some(length)) => length,
                Ok(None) => return Ok(count),
                Err(error) => return Err(self.failed("read from", error)),
            };
            self.work.packets_in += 1;
            let now = self.clock.now();
            match &mut self.line {
                Some(line) => line.offer(now, Way::In, &self.inbound[..length]),
                None => {
                    sniff(&mut self.sniffer, now, &self.inbound[..length], false)?;
                    stack.handle_packet(now, &self.inbound[..length]);
                    // An acknowledgment is due after so many segments, not
                    // after so many batches.
                    self.drain(stack)?;
                }
            }
        }
        Ok(BATCH)
    }

    /// Hands on what has come through the line.
    fn carry<M: Meter>(&mut self, stack: &mut Stack<M>) -> Result<(), Error> {
        loop {
            let now = self.clock.now();
            let Some((way, packet)) = self.line.as_mut().and_then(|line| line.poll(now)) else {
                return Ok(());
            };
            match way {
                Way::Out => self.write(&packet)?,
                Way::In => {
                    sniff(&mut self.sniffer, now, &packet, false)?;
                    stack.handle_packet(now, &packet);
                }
            }
            if let Some(line) = &mut self.line {
                line.recycle(packet);
            }
            if way == Way::In {
                self.drain(stack)?;
            }
        }
    }

    /// Sends what the stack has to send, a batch at most; whether that was all.
    fn drain<M: Meter>(&mut self, stack: &mut Stack<M>) -> Result<bool, Error> {
        for _ in 0..BATCH {
            let now = self.clock.now();
            let mut packet = core::mem::take(&mut self.outbound);
            let more = stack.poll_transmit(now, &mut packet);
            if more {
                self.work.packets_out += 1;
                sniff(&mut self.sniffer, now, &packet, true)?;
                match &mut self.line {
                    Some(line) => line.offer(now, Way::Out, &packet),
                    None => self.write(&packet)?,
                }
            }
            self.outbound = packet;
            if !more {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn write(&mut self, packet: &[u8]) -> Result<(), Error> {
        self.work.writes += 1;
        match self.device.send(packet) {
            Ok(true) => Ok(()),
            Ok(false) => {
                self.work.packets_refused += 1;
                Ok(())
            }
            Err(error) => Err(self.failed("write to", error)),
        }
    }

    fn flush(&mut self) -> Result<(), Error> {
        let Some(sniffer) = &mut self.sniffer else { return Ok(()) };
        sniffer.flush().map_err(unwritten)
    }

    fn failed(&self, what: &str, error: io::Error) -> Error {
        Error::new(format!("{what} the device {}", self.device.name()), error)
    }

    /// Waits until `due`, or until the device or a descriptor of the application
    /// is ready, and tells the application. With zero it only looks at the
    /// application's.
    fn look<M: Meter, A: Application<M>>(
        &self,
        application: &mut A,
        due: Option<Instant>,
    ) -> Result<(), Error> {
        let mut waits = Waits::new();
        application.wait_for(&mut waits);
        if waits.is_empty() && due == Some(Instant::ZERO) {
            return Ok(());
        }
        let ready =
            self.wait(&waits, due).map_err(|error| Error::new("wait for packets", error))?;
        drop(waits);
        for (token, events) in ready {
            // An error shows when it is tried.
            let trouble = events.intersects(PollFlags::POLLERR | PollFlags::POLLHUP);
            let readable = trouble || events.contains(PollFlags::POLLIN);
            let writable = trouble || events.contains(PollFlags::POLLOUT);
            application.handle_ready(token, readable, writable);
        }
        Ok(())
    }

    /// Waits for packets and `waits` until `due`, and says which of `waits`
    /// are ready for what.
    fn wait(&self, waits: &Waits<'_>, due: Option<Instant>) -> Result<Ready, Errno> {
        let mut polled = SmallVec::<[PollFd<'_>; 9]>::new();
        polled.push(PollFd::new(self.device.as_fd(), PollFlags::POLLIN));
        polled.extend(waits.iter().map(|wait| {
            let mut events = PollFlags::empty();
            events.set(PollFlags::POLLIN, wait.readable);
            events.set(PollFlags::POLLOUT, wait.writable);
            PollFd::new(wait.descriptor, events)
        }));
        let left = due.map(|due| due.saturating_since(self.clock.now()).as_nanos());
        let timeout = left.map(|ns| TimeSpec::from(core::time::Duration::from_nanos(ns)));
        match ppoll(&mut polled, timeout, None) {
            Ok(_) => {}
            Err(Errno::EINTR) => return Ok(Ready::new()),
            Err(error) => return Err(error),
        }
        let events =
            polled[1..].iter().map(|polled| polled.revents().unwrap_or(PollFlags::empty()));
        let tokens = waits.iter().map(|wait| wait.token);
        Ok(tokens.zip(events).filter(|(_, events)| !events.is_empty()).collect())
    }
}

/// The descriptors that are ready, by the application's names.
type Ready = SmallVec<[(usize, PollFlags); 8]>;

fn sniff(
    sniffer: &mut Option<Box<dyn Sniffer>>,
    now: Instant,
    packet: &[u8],
    outbound: bool,
) -> Result<(), Error> {
    let Some(sniffer) = sniffer else { return Ok(()) };
    sniffer.packet(now, packet, outbound).map_err(unwritten)
}

fn unwritten(error: io::Error) -> Error {
    Error::new("write the capture", error)
}
