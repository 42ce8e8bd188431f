//! A connection of the kernel's joined with one of ours.

use core::net::SocketAddr;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::fd::AsFd;

use netjoule_stack::{ConnectionId, Meter, Stack};
use netjoule_transport::tcp::{self, Cause};
use netjoule_units::Instant;
use socket2::{Domain, SockRef, Socket, Type};

use crate::Wait;

/// A pair of connections.
#[derive(Debug)]
pub(super) struct Pair {
    stream: TcpStream,
    id: ConnectionId,
    /// Whether the kernel's connection may have something to read.
    readable: bool,
    /// Whether it may take something.
    writable: bool,
    /// Whether our connection may take something.
    room: bool,
    /// Whether it may have something to read.
    data: bool,
    /// Whether the end of the kernel's data has been passed on.
    ended_inward: bool,
    /// Whether the end of ours has been.
    ended_outward: bool,
    /// How our connection has ended.
    closed: Option<Cause>,
}

/// Bytes moved.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Carried {
    /// Into our stack.
    pub(super) inward: u64,
    /// Out of it.
    pub(super) outward: u64,
}

/// How a pair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// There may be more to do.
    Open,
    /// Both ends have been passed on, but the peer may not know all yet.
    Closing,
    /// Nothing is left to do.
    Finished,
    /// One side broke off, and so the other was reset.
    Broken,
}

/// One side has broken off.
struct Broken;

/// Begins to connect to `target` without waiting.
pub(super) fn connect(target: SocketAddr) -> io::Result<TcpStream> {
    let socket = Socket::new(Domain::for_address(target), Type::STREAM, None)?;
    socket.set_nonblocking(true)?;
    match socket.connect(&target.into()) {
        Err(error) if !is_in_progress(&error) => Err(error),
        _ => Ok(socket.into()),
    }
}

fn is_in_progress(error: &io::Error) -> bool {
    use nix::errno::Errno;
    error.raw_os_error() == Some(Errno::EINPROGRESS as i32)
}

impl Pair {
    pub(super) const fn new(stream: TcpStream, id: ConnectionId) -> Self {
        Self {
            stream,
            id,
            readable: true,
            // A connection that is not open yet becomes writable when it is.
            writable: false,
            room: true,
            data: true,
            ended_inward: false,
            ended_outward: false,
            closed: None,
        }
    }

    /// Makes the kernel's connection fit for this.
    pub(super) fn prepare(&self) -> io::Result<()> {
        self.stream.set_nonblocking(true)?;
        self.stream.set_nodelay(true)
    }

    pub(super) const fn id(&self) -> ConnectionId {
        self.id
    }

    /// Our connection has something to read.
    pub(super) const fn set_data(&mut self) {
        self.data = true;
    }

    /// Our connection can be written to.
    pub(super) const fn set_room(&mut self) {
        self.room = true;
    }

    /// Our connection is no more.
    pub(super) const fn set_closed(&mut self, cause: Cause) {
        self.closed = Some(cause);
    }

    /// The kernel's connection is ready.
    pub(super) const fn set_ready(&mut self, readable: bool, writable: bool) {
        self.readable |= readable;
        self.writable |= writable;
    }

    /// What it waits for on the kernel's side, if anything.
    pub(super) fn wait(&self, token: usize) -> Option<Wait<'_>> {
        let readable = self.room && !self.readable && !self.ended_inward;
        let writable = self.data && !self.writable && !self.ended_outward;
        let descriptor = self.stream.as_fd();
        (readable || writable).then_some(Wait { descriptor, token, readable, writable })
    }

    /// Moves data both ways as far as it goes.
    pub(super) fn advance<M: Meter>(
        &mut self,
        now: Instant,
        stack: &mut Stack<M>,
    ) -> (Carried, State) {
        let mut carried = Carried::default();
        let moved = self
            .carry_outward(stack, &mut carried)
            .and_then(|()| self.carry_inward(now, stack, &mut carried));
        let gone = self.closed.is_some_and(|cause| cause != Cause::Finished);
        if moved.is_err() || gone {
            stack.abort(now, self.id);
            // Closing a socket that does not linger resets its connection.
            SockRef::from(&self.stream).set_linger(Some(core::time::Duration::ZERO)).ok();
            return (carried, State::Broken);
        }
        if !(self.ended_inward && self.ended_outward) {
            return (carried, State::Open);
        }
        let is_over = |state| matches!(state, tcp::State::TimeWait | tcp::State::Closed);
        if stack.info(self.id).is_ok_and(|info| !is_over(info.state)) {
            return (carried, State::Closing);
        }
        stack.close(now, self.id);
        (carried, State::Finished)
    }

    /// From the kernel's connection to ours.
    fn carry_inward<M: Meter>(
        &mut self,
        now: Instant,
        stack: &mut Stack<M>,
        carried: &mut Carried,
    ) -> Result<(), Broken> {
        while self.readable && self.room && !self.ended_inward {
            let stream = &mut self.stream;
            let mut read = None;
            let sent = stack.send_with(self.id, |space| {
                let result = stream.read(space);
                let count = *result.as_ref().unwrap_or(&0);
                read = Some(result);
                count
            });
            match read {
                None if sent.is_ok() => self.room = false,
                None => return Err(Broken),
                Some(Ok(0)) => {
                    self.ended_inward = true;
                    stack.shutdown(now, self.id);
                }
                Some(Ok(count)) => carried.inward += count as u64,
                Some(Err(error)) => self.readable = still_ready(&error)?,
            }
        }
        Ok(())
    }

    /// From our connection to the kernel's.
    fn carry_outward<M: Meter>(
        &mut self,
        stack: &mut Stack<M>,
        carried: &mut Carried,
    ) -> Result<(), Broken> {
        while self.data && self.writable {
            let stream = &mut self.stream;
            let mut written = None;
            let taken = stack.receive_with(self.id, |bytes| {
                if bytes.is_empty() {
                    return 0;
                }
                let result = stream.write(bytes);
                let count = *result.as_ref().unwrap_or(&0);
                written = Some(result);
                count
            });
            match written {
                None if taken.is_ok() => self.data = false,
                None => return Err(Broken),
                Some(Ok(count)) => carried.outward += count as u64,
                Some(Err(error)) => self.writable = still_ready(&error)?,
            }
        }
        if !self.data && !self.ended_outward && stack.at_end(self.id) {
            self.ended_outward = true;
            // A connection that is gone shows on the next read.
            self.stream.shutdown(std::net::Shutdown::Write).ok();
        }
        Ok(())
    }
}

/// Whether to try again at once after `error`, or to wait.
fn still_ready(error: &io::Error) -> Result<bool, Broken> {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::NotConnected => Ok(false),
        io::ErrorKind::Interrupted => Ok(true),
        _ => Err(Broken),
    }
}
