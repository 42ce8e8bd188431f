//! Programs that know nothing of us, through our TCP.

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};

use libtest_mimic::Trial;
use netjoule_live::apps::Pattern;
use netjoule_units::Bytes;
use serde_json::Value;
use tempfile::TempDir;

use crate::host::{Place, has, wait_for_listener};
use crate::kernel;
use crate::program::{Program, now, pause};
use crate::trial;

const LENGTH: usize = 3_000_000;

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (name, reverse) in [("through", false), ("into", true)] {
        trials
            .push(trial(format!("half-closes pass {name} our TCP"), move || half_closes(reverse)));
        trials.push(trial(format!("many connections {name} our TCP"), move || many(reverse)));
        trials.push(trial(format!("resets pass {name} our TCP"), move || resets(reverse)));
        trials.push(trial(format!("curl {name} our TCP"), move || curl(reverse)));
        trials.push(trial(format!("iperf3 {name} our TCP"), move || iperf3(reverse)));
        trials.push(trial(format!("nc {name} our TCP"), move || nc(reverse)));
    }
    trials
}

/// A forwarder, and where a client has to go to reach the server behind it.
struct Forwarded {
    program: Program,
    entry: SocketAddr,
}

/// Starts a forwarder to the kernel's `port`.
fn forward(reverse: bool, port: u16, connections: usize) -> Forwarded {
    let place = Place::new();
    let (entry, target) = if reverse {
        (SocketAddr::new(place.ours(false), 80), SocketAddr::from(([127, 0, 0, 1], port)))
    } else {
        (free_address(), SocketAddr::new(place.kernel(false), port))
    };
    let mut arguments: Vec<String> = vec!["forward".into(), entry.to_string(), target.to_string()];
    arguments.extend(["--connections".into(), connections.to_string()]);
    arguments.extend(place.arguments());
    if reverse {
        arguments.push("--reverse".into());
    }
    Forwarded { program: Program::start(&arguments), entry }
}

impl Forwarded {
    /// Waits for its end, and checks what it says.
    #[track_caller]
    fn expect(self, words: &str) {
        let (status, out, err) = self.program.end();
        assert_eq!(status, 0, "{out}{err}");
        assert!(out.contains(words), "no {words} in\n{out}{err}");
    }
}

/// An address of the kernel's that nobody listens at.
fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

fn content() -> Vec<u8> {
    let mut bytes = vec![0; LENGTH];
    Pattern::new(Bytes::new(LENGTH as u64)).read(&mut bytes);
    bytes
}

/// A server that reads all of a connection before it sends it back, for so many
/// connections.
fn echo(connections: usize) -> (u16, JoinHandle<()>) {
    let listener = TcpListener::bind("0.0.0.0:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = thread::spawn(move || {
        for _ in 0..connections {
            let (mut stream, _) = listener.accept().unwrap();
            let mut all = Vec::new();
            stream.read_to_end(&mut all).unwrap();
            stream.write_all(&all).unwrap();
        }
    });
    (port, server)
}

fn exchange(entry: SocketAddr) {
    let sent = content();
    let mut stream = kernel::connect(entry);
    stream.write_all(&sent).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let mut received = Vec::new();
    stream.read_to_end(&mut received).unwrap();
    assert!(received == sent, "{} of {} bytes came back", received.len(), sent.len());
}

fn half_closes(reverse: bool) {
    let (port, server) = echo(1);
    let forwarded = forward(reverse, port, 1);
    exchange(forwarded.entry);
    server.join().unwrap();
    let words =
        format!("1 finished, 0 broken off; {LENGTH} bytes into our TCP, {LENGTH} out of it");
    forwarded.expect(&words);
}

fn many(reverse: bool) {
    const MANY: usize = 20;
    let (port, server) = echo(MANY);
    let forwarded = forward(reverse, port, MANY);
    let clients: Vec<_> = (0..MANY)
        .map(|_| {
            let entry = forwarded.entry;
            thread::spawn(move || exchange(entry))
        })
        .collect();
    clients.into_iter().for_each(|client| client.join().unwrap());
    server.join().unwrap();
    forwarded.expect("20 finished, 0 broken off");
}

/// A server that closes with data unread.
fn resets(reverse: bool) {
    let listener = TcpListener::bind("0.0.0.0:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.read_exact(&mut [0; 1000]).unwrap();
    });
    let forwarded = forward(reverse, port, 1);
    let mut stream = kernel::connect(forwarded.entry);
    // Sooner or later the reset comes back.
    let broken = (0..10_000).find_map(|_| stream.write_all(&[0; 10_000]).err());
    assert!(broken.is_some(), "no reset after 100 MB");
    server.join().unwrap();
    forwarded.expect("0 finished, 1 broken off");
}

/// A server that ends with the test.
struct Server(Child);

impl Server {
    fn start(directory: &Path, words: &[&str]) -> Self {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).current_dir(directory);
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// A directory with `file` in it.
fn workplace() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("file"), content()).unwrap();
    directory
}

/// What a client program writes.
#[track_caller]
fn client(directory: &Path, words: &[&str]) -> Vec<u8> {
    let output = Command::new(words[0]).args(&words[1..]).current_dir(directory).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn curl(reverse: bool) {
    if !(has("curl") && has("python3")) {
        return;
    }
    let directory = workplace();
    let port = free_address().port();
    let words = ["python3", "-m", "http.server", "--bind", "0.0.0.0", &port.to_string()];
    let _server = Server::start(directory.path(), &words);
    wait_for_listener(port);
    let forwarded = forward(reverse, port, 1_000);
    drop(kernel::connect(forwarded.entry));
    let url = format!("http://{}/file", forwarded.entry);
    for _ in 0..3 {
        let fetched = client(directory.path(), &["curl", "-sS", "--max-time", "30", &url]);
        assert!(fetched == content(), "{} of {LENGTH} bytes", fetched.len());
    }
}

fn iperf3(reverse: bool) {
    if !has("iperf3") {
        return;
    }
    let directory = workplace();
    let port = free_address().port();
    let _server = Server::start(directory.path(), &["iperf3", "-s", "-p", &port.to_string()]);
    wait_for_listener(port);
    let forwarded = forward(reverse, port, 1_000);
    let (host, port) = (forwarded.entry.ip().to_string(), forwarded.entry.port().to_string());
    for more in [&["-n", "20M"][..], &["-n", "20M", "-R"], &["-n", "20M", "-P", "3"]] {
        let mut words = vec!["iperf3", "-J", "-c", &host, "-p", &port];
        words.extend(more);
        let start = now();
        // Until the forwarder listens, and between two tests, it is refused.
        let report = loop {
            let output = Command::new(words[0]).args(&words[1..]).output().unwrap();
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            if report["error"].is_null() {
                break report;
            }
            assert!(start.elapsed().as_secs() < 10, "{more:?}: {}", report["error"]);
            pause(50);
        };
        // The client ends when it has sent all; what is on its way then does
        // not count.
        let received = report["end"]["sum_received"]["bytes"].as_u64();
        assert!(received.is_some_and(|bytes| bytes > 1_000_000), "{more:?}: {:#}", report["end"]);
    }
}

fn nc(reverse: bool) {
    if !has("nc") {
        return;
    }
    let directory = workplace();
    let port = free_address().port();
    let server = format!("exec nc -l {port} > copy");
    let mut server = Server::start(directory.path(), &["sh", "-c", &server]);
    wait_for_listener(port);
    let forwarded = forward(reverse, port, 1);
    let (host, port) = (forwarded.entry.ip(), forwarded.entry.port());
    // Until the forwarder listens, there is nobody to connect to.
    let script = format!("until nc -N {host} {port} < file; do sleep 0.05; done");
    client(directory.path(), &["timeout", "30", "sh", "-c", &script]);
    assert!(server.0.wait().unwrap().success());
    assert!(fs::read(directory.path().join("copy")).unwrap() == content());
    forwarded.expect("1 finished");
}
