//! The other end of a connection, over the kernel's TCP.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::thread::{self, JoinHandle};

use netjoule_live::apps::{Digest, Pattern};
use netjoule_units::Bytes;
use socket2::{Domain, Socket, Type};

use crate::host;
use crate::program::{now, pause};

/// What the kernel's end has seen of a connection.
#[derive(Debug)]
pub(crate) struct Seen {
    /// SHA-256 of what was received, or sent.
    pub(crate) sha256: String,
    /// Bytes of it.
    pub(crate) bytes: u64,
    /// What `ss` told of the connection, if there is such a program.
    pub(crate) options: Option<Options>,
}

/// What the kernel says it has agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) timestamps: bool,
    pub(crate) sack: bool,
    pub(crate) ecn: bool,
    /// The shift of the windows it gets, and of those it offers.
    pub(crate) window_shifts: Option<(u8, u8)>,
    /// Payload bytes of the segments it sends.
    pub(crate) mss: u64,
}

/// Takes one connection at `address` and reads it to its end. The port is the
/// kernel's choice.
pub(crate) fn receive(address: std::net::IpAddr) -> (SocketAddr, JoinHandle<Seen>) {
    // The device, and with it the address, comes with the program.
    let any = if address.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
    let listener = TcpListener::bind(any).unwrap();
    let port = listener.local_addr().unwrap().port();
    let end = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut digest, mut bytes, mut options) = (Digest::default(), 0, None);
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = stream.read(&mut buffer).unwrap();
            if count == 0 {
                break;
            }
            if bytes == 0 {
                options = options_of(&stream);
            }
            digest.add(&buffer[..count]);
            bytes += count as u64;
        }
        Seen { sha256: digest.to_string(), bytes, options }
    });
    (SocketAddr::new(address, port), end)
}

/// Connects to `target`, sends `bytes` generated ones, and waits for the end of
/// the other direction.
pub(crate) fn send(target: SocketAddr, bytes: u64) -> JoinHandle<Seen> {
    thread::spawn(move || {
        let mut stream = connect(target);
        let mut pattern = Pattern::new(Bytes::new(bytes));
        let mut digest = Digest::default();
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = pattern.read(&mut buffer);
            if count == 0 {
                break;
            }
            stream.write_all(&buffer[..count]).unwrap();
            digest.add(&buffer[..count]);
        }
        let options = options_of(&stream);
        stream.shutdown(Shutdown::Write).unwrap();
        assert_eq!(stream.read(&mut buffer).unwrap(), 0, "the end is all that comes back");
        Seen { sha256: digest.to_string(), bytes, options }
    })
}

/// Connects as soon as somebody listens.
pub(crate) fn connect(target: SocketAddr) -> TcpStream {
    let start = now();
    loop {
        match try_to_connect(target) {
            Ok(stream) => return stream,
            // The device or the listener is not there yet.
            Err(error) if start.elapsed().as_secs() < 20 => {
                let passing = [
                    ErrorKind::ConnectionRefused,
                    ErrorKind::NetworkUnreachable,
                    ErrorKind::HostUnreachable,
                    ErrorKind::AddrNotAvailable,
                    ErrorKind::TimedOut,
                ];
                assert!(passing.contains(&error.kind()), "{target}: {error}");
                pause(20);
            }
            Err(error) => panic!("{target}: {error}"),
        }
    }
}

/// Connects from the device's own address: one that the kernel chose while the
/// device is being set up could be that of another test's.
fn try_to_connect(target: SocketAddr) -> io::Result<TcpStream> {
    let socket = Socket::new(Domain::for_address(target), Type::STREAM, None)?;
    if let Some(own) = host::kernel_beside(target.ip()) {
        socket.bind(&SocketAddr::new(own, 0).into())?;
    }
    socket.connect(&target.into())?;
    Ok(socket.into())
}

/// What `ss` has to say of a connection.
fn options_of(stream: &TcpStream) -> Option<Options> {
    let (local, remote) = (stream.local_addr().ok()?, stream.peer_addr().ok()?);
    let filter = format!(
        "( sport = :{} and dport = :{} and dst {} )",
        local.port(),
        remote.port(),
        host(remote)
    );
    let output = Command::new("ss").args(["-tinoH", "state", "all", &filter]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let value = |name: &str| words.iter().find_map(|word| word.strip_prefix(name));
    let shift = |text: &str| text.parse().unwrap();
    Some(Options {
        timestamps: words.contains(&"ts"),
        sack: words.contains(&"sack"),
        ecn: words.contains(&"ecn"),
        window_shifts: value("wscale:")
            .and_then(|it| it.split_once(','))
            .map(|(a, b)| (shift(a), shift(b))),
        mss: value("mss:")?.parse().unwrap(),
    })
}

/// An address as `ss` takes it.
fn host(address: SocketAddr) -> String {
    if address.is_ipv4() { address.ip().to_string() } else { format!("[{}]", address.ip()) }
}
