//! How connections end, in every order.

use netjoule_stack::{Error, Event};
use netjoule_transport::tcp::{self, Cause, Options, State};
use netjoule_units::Duration;

use crate::harness::{CLIENT, Pair, SERVER, Wire, exchange, text};

fn open() -> (Pair, [netjoule_stack::ConnectionId; 2]) {
    let mut pair = Pair::new(Wire::GOOD, 1);
    let ids = pair.connected("newreno", &Options::current(), false);
    (pair, ids)
}

fn states(pair: &Pair, ids: [netjoule_stack::ConnectionId; 2]) -> [Result<State, Error>; 2] {
    [CLIENT, SERVER].map(|host| pair.hosts[host].info(ids[host]).map(|info| info.state))
}

fn closed(pair: &Pair, host: usize) -> Option<Cause> {
    pair.events[host].iter().find_map(|(_, event)| match event {
        Event::Tcp(tcp::Event::Closed(cause)) => Some(*cause),
        _ => None,
    })
}

#[test]
fn one_after_the_other() {
    for first in [CLIENT, SERVER] {
        let (mut pair, ids) = open();
        let second = 1 - first;
        let now = pair.now;
        pair.hosts[first].shutdown(now, ids[first]);
        assert_eq!(pair.hosts[first].send(ids[first], b"x"), Err(Error::ShutDown));
        pair.pass(Duration::from_millis(100));
        assert_eq!(states(&pair, ids)[first], Ok(State::FinWait2));
        assert_eq!(states(&pair, ids)[second], Ok(State::CloseWait));
        assert!(pair.hosts[second].at_end(ids[second]));
        // The other direction stays open.
        let now = pair.now;
        assert_eq!(pair.hosts[second].send(ids[second], b"late"), Ok(4));
        pair.hosts[second].close(now, ids[second]);
        pair.pass(Duration::from_millis(100));
        let mut buffer = [0; 10];
        assert_eq!(pair.hosts[first].receive(ids[first], &mut buffer), Ok(4));
        assert!(pair.hosts[first].at_end(ids[first]) && &buffer[..4] == b"late");
        assert_eq!(states(&pair, ids)[first], Ok(State::TimeWait));
        assert_eq!(pair.hosts[second].connections(), 0);
        pair.pass(Duration::from_secs(61));
        assert_eq!(closed(&pair, first), Some(Cause::Finished));
        let now = pair.now;
        pair.hosts[first].close(now, ids[first]);
        pair.drain();
        assert_eq!(pair.hosts[first].connections(), 0);
    }
}

#[test]
fn both_at_once() {
    let (mut pair, ids) = open();
    let now = pair.now;
    for host in [CLIENT, SERVER] {
        pair.hosts[host].close(now, ids[host]);
    }
    pair.pass(Duration::from_secs(1));
    assert_eq!([CLIENT, SERVER].map(|host| pair.hosts[host].connections()), [1, 1]);
    pair.pass(Duration::from_secs(60));
    assert_eq!([CLIENT, SERVER].map(|host| pair.hosts[host].connections()), [0, 0]);
}

/// Each of the last packets is lost in turn.
#[test]
fn a_lost_fin_or_its_ack_is_made_up_for() {
    for host in [CLIENT, SERVER] {
        for number in 1..12 {
            let mut pair = Pair::new(Wire::GOOD, 1);
            pair.swallow[host] = vec![number];
            let ids = pair.connected("newreno", &Options::current(), false);
            exchange(&mut pair, ids, &[text(3_000), text(2_000)]);
            let now = pair.now;
            for host in [CLIENT, SERVER] {
                pair.hosts[host].close(now, ids[host]);
            }
            pair.pass(Duration::from_secs(200));
            assert_eq!([CLIENT, SERVER].map(|host| pair.hosts[host].connections()), [0, 0]);
        }
    }
}

#[test]
fn an_abort_tells_the_peer() {
    let (mut pair, ids) = open();
    let now = pair.now;
    pair.client().send(ids[CLIENT], b"never acknowledged").unwrap();
    pair.client().abort(now, ids[CLIENT]);
    pair.pass(Duration::from_millis(100));
    assert_eq!(pair.client().connections(), 0);
    assert_eq!(closed(&pair, SERVER), Some(Cause::Reset));
    let mut buffer = [0; 10];
    let received = pair.server().receive(ids[SERVER], &mut buffer);
    assert_eq!(received, Err(Error::Ended(Cause::Reset)));
    assert!(pair.server().at_end(ids[SERVER]));
}

#[test]
fn unread_data_makes_a_close_an_abort() {
    let (mut pair, ids) = open();
    pair.client().send(ids[CLIENT], b"unread").unwrap();
    pair.pass(Duration::from_millis(100));
    let now = pair.now;
    pair.server().close(now, ids[SERVER]);
    pair.pass(Duration::from_millis(100));
    assert_eq!(pair.server().connections(), 0);
    assert_eq!(closed(&pair, CLIENT), Some(Cause::Reset));
}

/// The application has closed; the peer goes on sending.
#[test]
fn data_for_nobody_is_answered_by_a_reset() {
    let (mut pair, ids) = open();
    let now = pair.now;
    pair.server().close(now, ids[SERVER]);
    pair.pass(Duration::from_millis(100));
    pair.client().send(ids[CLIENT], &text(5_000)).unwrap();
    pair.pass(Duration::from_millis(100));
    assert_eq!(closed(&pair, CLIENT), Some(Cause::Reset));
    assert_eq!(pair.server().connections(), 0);
}

/// A peer that never closes does not keep a closed connection for ever.
#[test]
fn a_half_closed_connection_that_nobody_has_is_forgotten() {
    let (mut pair, ids) = open();
    let now = pair.now;
    pair.client().close(now, ids[CLIENT]);
    pair.pass(Duration::from_secs(61));
    assert_eq!(pair.client().connections(), 0);
    assert_eq!(states(&pair, ids)[SERVER], Ok(State::CloseWait));
}

#[test]
fn told_to_read_and_to_write_once_each() {
    let (mut pair, ids) = open();
    pair.events = [Vec::new(), Vec::new()];
    let data = text(200_000);
    let written = pair.client().send(ids[CLIENT], &data).unwrap();
    assert_eq!(written, 64 * 1024);
    let (client, server) = (ids[CLIENT], ids[SERVER]);
    pair.pass(Duration::from_secs(1));
    let count = |pair: &Pair, host: usize, wanted| {
        pair.events[host].iter().filter(|(_, event)| *event == wanted).count()
    };
    assert_eq!(count(&pair, CLIENT, Event::Writable), 1);
    assert_eq!(count(&pair, SERVER, Event::Readable), 1);
    let mut buffer = vec![0; 100_000];
    assert_eq!(pair.server().receive(server, &mut buffer), Ok(64 * 1024));
    let now = pair.now;
    pair.client().send(client, b"more").unwrap();
    pair.client().shutdown(now, client);
    pair.pass(Duration::from_secs(1));
    assert_eq!(count(&pair, SERVER, Event::Readable), 2);
    assert_eq!(count(&pair, CLIENT, Event::Writable), 1);
    assert_eq!(pair.server().receive(server, &mut buffer), Ok(4));
    assert!(pair.server().at_end(server));
}
