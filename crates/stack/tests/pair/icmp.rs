//! What ICMP has to say.

use core::net::SocketAddr;

use netjoule_stack::Event;
use netjoule_transport::tcp::{self, Cause, Options};
use netjoule_units::Duration;
use netjoule_wire::icmp::{self, Error, Unreachable};

use crate::harness::{CLIENT, PORT, Pair, SERVER, Wire, address, exchange, text, variant};

/// Gives the client `error` about the packet with `number` in the log.
fn tell(pair: &mut Pair, error: Error, number: usize) {
    let (_, from, offending) = pair.log[number].clone();
    let v6 = offending[0] >> 4 == 6;
    let mut message = Vec::new();
    icmp::emit(error, address(SERVER, v6), &offending, &mut message).unwrap();
    let now = pair.now;
    pair.hosts[from].handle_packet(now, &message);
}

#[test]
fn a_refusal_ends_an_attempt_and_nothing_else() {
    let error = Error::Unreachable(Unreachable::Port);
    for v6 in [false, true] {
        let mut pair = Pair::new(Wire::GOOD, 1);
        pair.keeps_log = true;
        let (now, options) = (pair.now, Options::current());
        let at = SocketAddr::new(address(SERVER, v6), PORT);
        let id = pair.client().connect(now, None, at, variant("reno"), &options).unwrap();
        pair.drain();
        tell(&mut pair, Error::Unreachable(Unreachable::Host), 0);
        tell(&mut pair, error, 0);
        pair.drain();
        let unreachable = Event::Tcp(tcp::Event::Closed(Cause::Unreachable));
        assert_eq!(pair.events[CLIENT], [(id, unreachable)]);

        let mut pair = Pair::new(Wire::GOOD, 1);
        let ids = pair.connected("newreno", &Options::current(), v6);
        pair.keeps_log = true;
        pair.client().send(ids[CLIENT], b"hello").unwrap();
        pair.drain();
        tell(&mut pair, error, 0);
        pair.pass(Duration::from_millis(100));
        let mut buffer = [0; 10];
        assert_eq!(pair.server().receive(ids[SERVER], &mut buffer), Ok(5));
        exchange(&mut pair, ids, &[text(1_000), text(1_000)]);
    }
}

/// A link on the path takes 1000 bytes: what was sent goes again, smaller.
#[test]
fn a_path_takes_less() {
    for v6 in [false, true] {
        let mut pair = Pair::new(Wire::GOOD, 1);
        pair.keeps_log = true;
        let ids = pair.connected("newreno", &Options::current(), v6);
        let mtu = if v6 { 1_280 } else { 1_000 };
        // The link drops all that is longer.
        pair.largest = mtu as usize;
        let data = text(50_000);
        assert_eq!(pair.client().send(ids[CLIENT], &data), Ok(50_000));
        pair.drain();
        let too_big = pair.log.iter().position(|(_, _, it)| it.len() > mtu as usize).unwrap();
        // Somebody who guesses is not believed (RFC 5927 section 7.2).
        let mut forged = pair.log[too_big].clone();
        let seq_at = if v6 { 44 } else { 24 };
        forged.2[seq_at] ^= 0x80;
        pair.log.push(forged);
        let last = pair.log.len() - 1;
        tell(&mut pair, Error::TooBig { mtu: 600 }, last);
        assert_eq!(pair.client().info(ids[CLIENT]).unwrap().path_mtu, 1_500);
        tell(&mut pair, Error::TooBig { mtu }, too_big);
        assert_eq!(pair.client().info(ids[CLIENT]).unwrap().path_mtu, mtu);
        let server = ids[SERVER];
        let mut received = Vec::new();
        pair.until("all of it", |pair| {
            let mut buffer = [0; 60_000];
            let taken = pair.server().receive(server, &mut buffer).unwrap();
            received.extend_from_slice(&buffer[..taken]);
            received.len() == data.len()
        });
        assert!(received == data);
        assert!(pair.now < netjoule_units::Instant::ZERO + Duration::from_secs(3));
    }
}
