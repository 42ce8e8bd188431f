//! The application's calls.

use core::net::SocketAddr;

use netjoule_stack::{ConnectionId, Error, ListenerId};
use netjoule_transport::tcp::Cause;

use super::flow::Flow;
use super::player::{PEER_PORT, Player, STACK_PORT, stream};
use super::script::{Call, Outcome};

/// What a descriptor stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Descriptor {
    Listener(ListenerId),
    Connection {
        id: ConnectionId,
        /// Bytes written so far.
        written: u32,
        /// Bytes read so far.
        read: u32,
    },
}

impl Player {
    /// Makes a call. The descriptor that `accept` gives is the one that the
    /// script expects.
    pub(super) fn call(&mut self, call: Call, expected: &Outcome) -> Result<Outcome, String> {
        let result = match call {
            Call::Listen { fd, backlog } => self.listen(fd, backlog),
            Call::Accept { fd } => return self.accept(fd, expected),
            Call::Connect { fd } => self.connect(fd),
            Call::Write { fd, amount } => self.write(fd, amount),
            Call::Read { fd, fill, amount } => return self.read(fd, fill, amount),
            Call::Shutdown { fd } => {
                let (id, ..) = self.connection(fd)?;
                self.stack.shutdown(self.now, id);
                Ok(0)
            }
            Call::Close { fd } => {
                match self.descriptors.remove(&fd) {
                    Some(Descriptor::Connection { id, .. }) => self.stack.close(self.now, id),
                    _ => return Err(format!("{fd} is not a connection")),
                }
                Ok(0)
            }
            Call::Abort { fd } => {
                let (id, ..) = self.connection(fd)?;
                self.stack.abort(self.now, id);
                self.descriptors.remove(&fd);
                Ok(0)
            }
        };
        Ok(result.map_or_else(|error| refused(&error), Outcome::Value))
    }

    fn listen(&mut self, fd: u32, backlog: u32) -> Result<u32, Error> {
        let listener = self.stack.listen(
            SocketAddr::new(self.address, STACK_PORT),
            self.settings.variant,
            &self.settings.options,
            usize::try_from(backlog).unwrap_or(usize::MAX),
        )?;
        self.descriptors.insert(fd, Descriptor::Listener(listener));
        Ok(0)
    }

    fn accept(&mut self, fd: u32, expected: &Outcome) -> Result<Outcome, String> {
        let Some(Descriptor::Listener(listener)) = self.descriptors.get(&fd) else {
            return Err(format!("{fd} does not listen"));
        };
        let Some(id) = self.stack.accept(*listener) else {
            return Ok(Outcome::Error("EAGAIN".into()));
        };
        let Outcome::Value(new) = *expected else {
            return Ok(Outcome::Error("a connection".into()));
        };
        self.descriptors.insert(new, Descriptor::Connection { id, written: 0, read: 0 });
        self.latest = Some(new);
        Ok(Outcome::Value(new))
    }

    fn connect(&mut self, fd: u32) -> Result<u32, Error> {
        let id = self.stack.connect(
            self.now,
            None,
            SocketAddr::new(self.peer, PEER_PORT),
            self.settings.variant,
            &self.settings.options,
        )?;
        let port = self.stack.local(id)?.port();
        self.flows.insert(0, Flow::new(port, self.settings.stack.peer_isn));
        self.descriptors.insert(fd, Descriptor::Connection { id, written: 0, read: 0 });
        self.latest = Some(fd);
        Ok(0)
    }

    fn write(&mut self, fd: u32, amount: u32) -> Result<u32, Error> {
        let Some(Descriptor::Connection { id, written, .. }) = self.descriptors.get_mut(&fd) else {
            return Err(Error::NoSuchConnection);
        };
        let count = self.stack.send(*id, &stream(*written, amount))?;
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        *written += count;
        Ok(count)
    }

    fn read(&mut self, fd: u32, fill: Option<u8>, amount: u32) -> Result<Outcome, String> {
        let (id, _, read) = self.connection(fd)?;
        let mut into = vec![0; usize::try_from(amount).unwrap_or_default()];
        let count = match self.stack.receive(id, &mut into) {
            Err(error) => return Ok(refused(&error)),
            Ok(0) if self.stack.at_end(id) => 0,
            Ok(0) => return Ok(Outcome::Error("EAGAIN".into())),
            Ok(count) => u32::try_from(count).unwrap_or(u32::MAX),
        };
        if let Some(Descriptor::Connection { read, .. }) = self.descriptors.get_mut(&fd) {
            *read += count;
        }
        into.truncate(usize::try_from(count).unwrap_or_default());
        let right = fill.map_or_else(|| stream(read, count), |fill| vec![fill; into.len()]);
        if into != right {
            let at = into.iter().zip(&right).position(|(found, expected)| found != expected);
            return Err(format!("byte {} is another", at.unwrap_or_default()));
        }
        Ok(Outcome::Value(count))
    }

    fn connection(&self, fd: u32) -> Result<(ConnectionId, u32, u32), String> {
        match self.descriptors.get(&fd) {
            Some(Descriptor::Connection { id, written, read }) => Ok((*id, *written, *read)),
            _ => Err(format!("{fd} is not a connection")),
        }
    }
}

/// A call without effect, by the name that systems have for the reason.
fn refused(error: &Error) -> Outcome {
    let name = match error {
        Error::NoSuchConnection | Error::NoSuchListener => "EBADF",
        Error::AddressNotAvailable(_) | Error::NotAHost(_) => "EADDRNOTAVAIL",
        Error::AddressInUse(_) => "EADDRINUSE",
        Error::NoPort => "EAGAIN",
        Error::TooManyConnections => "ENOBUFS",
        Error::ShutDown => "EPIPE",
        Error::Options { .. } => "EINVAL",
        Error::Ended(cause) => match cause {
            Cause::Finished | Cause::Aborted => "ENOTCONN",
            Cause::Reset => "ECONNRESET",
            Cause::Refused => "ECONNREFUSED",
            Cause::Unreachable => "EHOSTUNREACH",
            Cause::UserTimeout | Cause::KeepAlive => "ETIMEDOUT",
        },
    };
    Outcome::Error(name.into())
}
