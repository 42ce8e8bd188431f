//! How connections begin.

use core::net::SocketAddr;

use netjoule_stack::{Error, Event};
use netjoule_transport::tcp::{self, Cause, Options, State, VARIANTS};
use netjoule_units::Duration;

use crate::harness::{CLIENT, PORT, Pair, SERVER, Wire, address, exchange, text, variant};

fn server(v6: bool) -> SocketAddr {
    SocketAddr::new(address(SERVER, v6), PORT)
}

#[test]
fn nobody_listens() {
    let mut pair = Pair::new(Wire::GOOD, 1);
    let (now, options) = (pair.now, Options::current());
    let id = pair.client().connect(now, None, server(false), &VARIANTS[0], &options).unwrap();
    pair.pass(Duration::from_millis(100));
    let refused = Event::Tcp(tcp::Event::Closed(Cause::Refused));
    assert_eq!(pair.events[CLIENT], [(id, refused)]);
    assert_eq!(pair.client().send(id, b"hello"), Err(Error::Ended(Cause::Refused)));
    assert_eq!(pair.client().receive(id, &mut [0]), Err(Error::Ended(Cause::Refused)));
    assert!(pair.client().at_end(id));
    pair.client().close(now, id);
    pair.drain();
    assert_eq!(pair.client().connections(), 0);
    assert_eq!(pair.client().info(id), Err(Error::NoSuchConnection));
    assert_eq!(pair.server().counters().resets_sent, 1);
}

#[test]
fn both_open_at_once() {
    let mut pair = Pair::new(Wire::GOOD, 1);
    let (now, options) = (pair.now, Options::current());
    let ends = [SocketAddr::new(address(CLIENT, true), PORT), server(true)];
    let ids = [CLIENT, SERVER].map(|host| {
        let (local, remote) = (ends[host], ends[1 - host]);
        pair.hosts[host].connect(now, Some(local), remote, variant("newreno"), &options).unwrap()
    });
    pair.pass(Duration::from_secs(1));
    for host in [CLIENT, SERVER] {
        assert_eq!(pair.hosts[host].info(ids[host]).unwrap().state, State::Established);
    }
    exchange(&mut pair, ids, &[text(10_000), text(20_000)]);
}

#[test]
fn a_lost_syn_and_a_lost_syn_ack_are_sent_again() {
    for host in [CLIENT, SERVER] {
        let mut pair = Pair::new(Wire::GOOD, 1);
        pair.swallow[host] = vec![0];
        let ids = pair.connected("newreno", &Options::current(), false);
        exchange(&mut pair, ids, &[text(1_000), text(1_000)]);
    }
}

/// The handshake's last ACK is lost; the first data takes its place.
#[test]
fn a_lost_last_ack_does_no_harm() {
    let mut pair = Pair::new(Wire::GOOD, 1);
    pair.swallow[CLIENT] = vec![1];
    let options = Options::current();
    let listener = pair.server().listen(server(false), &VARIANTS[0], &options, 1).unwrap();
    let now = pair.now;
    let id = pair.client().connect(now, None, server(false), &VARIANTS[0], &options).unwrap();
    assert_eq!(pair.client().send(id, b"early"), Ok(5));
    let mut accepted = None;
    pair.until("the connection", |pair| {
        accepted = pair.server().accept(listener);
        accepted.is_some()
    });
    let accepted = accepted.unwrap();
    let mut buffer = [0; 10];
    pair.until("the data", |pair| pair.server().receive(accepted, &mut buffer) == Ok(5));
    exchange(&mut pair, [id, accepted], &[text(100), text(100)]);
}

#[test]
fn calls_that_cannot_be() {
    let mut pair = Pair::with(Wire::GOOD, 1, |config| {
        config.ephemeral_ports = 50_000..50_002;
        config.max_connections = 3;
    });
    let (now, options) = (pair.now, Options::default());
    let at = server(false);
    let connect = |pair: &mut Pair, local: Option<&str>, remote: SocketAddr| {
        let local = local.map(|it| it.parse().unwrap());
        pair.client().connect(now, local, remote, &VARIANTS[0], &options)
    };
    let elsewhere: SocketAddr = "10.9.9.9:1".parse().unwrap();
    for (local, remote, error) in [
        (Some("10.9.9.9:1"), at, Error::AddressNotAvailable(elsewhere)),
        (None, "0.0.0.0:80".parse().unwrap(), Error::NotAHost("0.0.0.0:80".parse().unwrap())),
        (None, "10.0.0.2:0".parse().unwrap(), Error::NotAHost("10.0.0.2:0".parse().unwrap())),
        (
            Some("10.0.0.1:1"),
            server(true),
            Error::AddressNotAvailable("10.0.0.1:1".parse().unwrap()),
        ),
    ] {
        assert_eq!(connect(&mut pair, local, remote), Err(error));
    }
    let first = connect(&mut pair, None, at).unwrap();
    let second = connect(&mut pair, None, at).unwrap();
    assert_ne!(pair.client().local(first), pair.client().local(second));
    assert_eq!(pair.client().remote(first), Ok(at));
    assert_eq!(connect(&mut pair, None, at), Err(Error::NoPort));
    let local = pair.client().local(first).unwrap();
    assert_eq!(connect(&mut pair, Some(&local.to_string()), at), Err(Error::AddressInUse(local)));
    connect(&mut pair, Some("10.0.0.1:7"), at).unwrap();
    assert_eq!(connect(&mut pair, Some("10.0.0.1:8"), at), Err(Error::TooManyConnections));

    let wrong = Options { dupthresh: 0, ..Options::default() };
    assert!(matches!(
        pair.server().listen(at, &VARIANTS[0], &wrong, 1),
        Err(Error::Options { key: "dupthresh", .. })
    ));
    assert_eq!(
        pair.server().listen(elsewhere, &VARIANTS[0], &options, 1),
        Err(Error::AddressNotAvailable(elsewhere))
    );
    pair.server().listen(at, &VARIANTS[0], &options, 1).unwrap();
    assert_eq!(pair.server().listen(at, &VARIANTS[0], &options, 1), Err(Error::AddressInUse(at)));
}

/// The next connection between the same ends begins above the last one's
/// sequence numbers, even in the middle of its TIME-WAIT.
#[test]
fn a_syn_may_end_time_wait() {
    for options in [Options::default(), Options::current()] {
        let mut pair = Pair::new(Wire::GOOD, 1);
        let local = SocketAddr::new(address(CLIENT, false), 5_000);
        let listener = pair.server().listen(server(false), variant("reno"), &options, 4).unwrap();
        for round in 0..3 {
            let now = pair.now;
            let client = pair
                .client()
                .connect(now, Some(local), server(false), variant("reno"), &options)
                .unwrap();
            let mut accepted = None;
            pair.until("the connection", |pair| {
                accepted = pair.server().accept(listener);
                accepted.is_some()
            });
            let ids = [client, accepted.unwrap()];
            // The server closes first: it has the TIME-WAIT.
            let now = pair.now;
            pair.server().close(now, ids[SERVER]);
            pair.pass(Duration::from_millis(100));
            let now = pair.now;
            pair.client().close(now, ids[CLIENT]);
            pair.pass(Duration::from_millis(100 + round));
            assert_eq!(pair.client().connections(), 0);
            assert_eq!(pair.server().connections(), 1);
        }
        pair.pass(Duration::from_secs(61));
        assert_eq!(pair.server().connections(), 0);
    }
}

#[test]
fn who_stops_listening_aborts_what_waits() {
    let mut pair = Pair::new(Wire::GOOD, 1);
    let (now, options) = (pair.now, Options::default());
    let listener = pair.server().listen(server(false), &VARIANTS[0], &options, 4).unwrap();
    for _ in 0..2 {
        pair.client().connect(now, None, server(false), &VARIANTS[0], &options).unwrap();
    }
    pair.pass(Duration::from_millis(100));
    let taken = pair.server().accept(listener).unwrap();
    pair.client().connect(now, None, server(false), &VARIANTS[0], &options).unwrap();
    pair.pass(Duration::from_millis(15));
    assert_eq!(pair.server().connections(), 3);
    let now = pair.now;
    pair.server().stop_listening(now, listener);
    pair.pass(Duration::from_millis(100));
    assert_eq!(pair.server().connections(), 1);
    assert_eq!(pair.server().info(taken).unwrap().state, State::Established);
    let resets = pair.events[CLIENT].iter().filter(|(_, event)| {
        matches!(event, Event::Tcp(tcp::Event::Closed(Cause::Reset | Cause::Refused)))
    });
    assert_eq!(resets.count(), 2);
}
