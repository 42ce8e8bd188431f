//! What goes wrong is told, with status 1.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread;

use libtest_mimic::Trial;

use crate::host::Place;
use crate::kernel;
use crate::program::{Program, pause};
use crate::trial;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("a refused connection", refused),
        trial("a peer that is not there", unreachable),
        trial("a peer that resets", reset),
        trial("a sender that resets", sender_resets),
        trial("addresses that do not fit", addresses),
        trial("a file that is not there", missing_file),
    ]
}

/// Runs the program and checks its status and message.
#[track_caller]
fn fails(arguments: &[&str], place: Place, status: i32, words: &[&str]) {
    let mut all: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    all.extend(place.arguments());
    let (ended, out, err) = Program::start(&all).end();
    assert_eq!(ended, status, "{arguments:?}\n{out}{err}");
    for word in words {
        assert!(err.contains(word), "{arguments:?}: no {word} in\n{err}");
    }
}

fn refused() {
    let place = Place::new();
    let target = format!("{}:1", place.kernel(false));
    let words = ["the transfer failed", "refused"];
    fails(&["send", &target, "--bytes", "1 kB"], place, 1, &words);
}

/// Nobody answers on the device's own subnet but us: the kernel has no route
/// back to the rest and says so by ICMP, or drops.
fn unreachable() {
    let place = Place::new();
    let target = format!("{}:1", place.kernel(false)).replace("10.78", "10.99");
    let arguments = ["send", &target, "--bytes", "1 kB", "--user-timeout", "2 s"];
    fails(&arguments, place, 1, &["the transfer failed"]);
}

/// A listener that closes with data unread resets the connection.
fn reset() {
    let place = Place::new();
    let listener = TcpListener::bind("0.0.0.0:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let peer = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.read_exact(&mut [0; 1000]).unwrap();
    });
    let target = SocketAddr::new(place.kernel(false), port).to_string();
    fails(&["send", &target, "--bytes", "10 MB"], place, 1, &["the transfer failed", "reset"]);
    peer.join().unwrap();
}

fn sender_resets() {
    let place = Place::new();
    let target = SocketAddr::new(place.ours(false), 5001);
    let peer = thread::spawn(move || {
        let mut stream = kernel::connect(target);
        stream.write_all(&[0; 1000]).unwrap();
        // A connection that is reset before it is accepted never was.
        pause(300);
        socket2::SockRef::from(&stream).set_linger(Some(std::time::Duration::ZERO)).unwrap();
    });
    fails(&["recv"], place, 1, &["the transfer failed", "reset"]);
    peer.join().unwrap();
}

fn addresses() {
    let place = Place::new();
    let kernel = place.kernel(false).to_string();
    let own = ["--address", &kernel];
    fails(&["recv", own[0], own[1]], place, 2, &["cannot be the kernel's address and ours"]);
    let twice = ["recv", "--address", "10.1.1.1", "--address", "10.1.1.2"];
    fails(&twice, place, 2, &["--address", "at most one"]);
    // No address of that family.
    let no_v6 = ["send", "fd99::1", "--bytes", "1 B", "--address", "10.1.1.1"];
    fails(&no_v6, place, 2, &["fd99::1"]);
}

fn missing_file() {
    let place = Place::new();
    fails(&["send", "10.0.0.1", "no such file"], place, 2, &["no such file"]);
    fails(&["recv", "--pcap", "no/such/file"], place, 2, &["no/such/file"]);
}
