//! Many connections at once.

use core::net::SocketAddr;

use netjoule_transport::tcp::Options;
use netjoule_units::Duration;

use crate::harness::{CLIENT, PORT, Pair, Program, SERVER, Wire, address, text, variant};

#[test]
fn two_hundred_connections_on_a_bad_wire() {
    let wire = Wire { delay: Duration::from_millis(10), lost: 2, doubled: 2, late: 5, damaged: 1 };
    let mut pair = Pair::new(wire, 9);
    let at = SocketAddr::new(address(SERVER, false), PORT);
    let options = Options::current();
    let listener = pair.server().listen(at, variant("newreno"), &options, 300).unwrap();
    let now = pair.now;
    let mut clients: Vec<Program> = (0..200)
        .map(|number| {
            let id = pair.client().connect(now, None, at, variant("newreno"), &options).unwrap();
            Program::new(id, text(1_000 + 50 * number))
        })
        .collect();
    let mut servers: Vec<Program> = Vec::new();
    pair.until("all transfers", |pair| {
        let now = pair.now;
        while let Some(id) = pair.server().accept(listener) {
            servers.push(Program::new(id, text(500)));
        }
        let mut done = servers.len() == clients.len();
        for program in &mut clients {
            done &= program.go_on(now, &mut pair.hosts[CLIENT]).unwrap();
        }
        for program in &mut servers {
            done &= program.go_on(now, &mut pair.hosts[SERVER]).unwrap();
        }
        done
    });
    for server in &servers {
        let remote = pair.hosts[SERVER].remote(server.id).unwrap();
        let client = clients
            .iter()
            .find(|it| pair.hosts[CLIENT].local(it.id) == Ok(remote))
            .expect("each server has its client");
        assert!(server.received == client.to_send && client.received == server.to_send);
    }
    let now = pair.now;
    for (host, programs) in [(CLIENT, &clients), (SERVER, &servers)] {
        for program in programs {
            pair.hosts[host].close(now, program.id);
        }
    }
    pair.pass(Duration::from_secs(300));
    assert_eq!([CLIENT, SERVER].map(|host| pair.hosts[host].connections()), [0, 0]);
}

/// Connections that have something to send take turns.
#[test]
fn nobody_starves() {
    let mut pair = Pair::new(Wire::GOOD, 1);
    let options = Options {
        initial_window: netjoule_transport::tcp::InitialWindow::Segments(10),
        ..Options::default()
    };
    let at = SocketAddr::new(address(SERVER, false), PORT);
    pair.server().listen(at, variant("reno"), &options, 8).unwrap();
    let now = pair.now;
    let ids: Vec<_> = (0..4)
        .map(|_| pair.client().connect(now, None, at, variant("reno"), &options).unwrap())
        .collect();
    pair.pass(Duration::from_secs(1));
    for id in &ids {
        pair.client().send(*id, &text(14_600)).unwrap();
    }
    pair.keeps_log = true;
    pair.drain();
    let ports: Vec<u16> = pair
        .log
        .iter()
        .map(|(_, _, packet)| u16::from_be_bytes([packet[20], packet[21]]))
        .collect();
    assert_eq!(ports.len(), 40);
    for turn in ports.chunks(4) {
        assert_eq!(turn, &ports[..4]);
    }
}

/// When the host is full, connections in TIME-WAIT give way to new ones.
#[test]
fn time_wait_gives_way() {
    let mut pair = Pair::with(Wire::GOOD, 1, |config| config.max_connections = 10);
    let options = Options::current();
    let at = SocketAddr::new(address(SERVER, false), PORT);
    let listener = pair.server().listen(at, variant("newreno"), &options, 4).unwrap();
    for _ in 0..50 {
        let now = pair.now;
        let client = pair.client().connect(now, None, at, variant("newreno"), &options).unwrap();
        pair.pass(Duration::from_millis(50));
        let now = pair.now;
        let server = pair.server().accept(listener).unwrap();
        pair.client().close(now, client);
        pair.server().close(now, server);
        pair.pass(Duration::from_millis(50));
    }
    assert_eq!(pair.client().connections(), 10);
    assert_eq!(pair.server().connections(), 10);
}
