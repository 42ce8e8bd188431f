//! Every byte arrives, whatever the wire does.

use netjoule_stack::Operation;
use netjoule_transport::tcp::{Options, State, VARIANTS};
use netjoule_units::{Bytes, Duration};
use proptest::prelude::*;

use crate::harness::{CLIENT, Pair, SERVER, Wire, exchange, exchange_by, text};

const BAD: Wire =
    Wire { delay: Duration::from_millis(10), lost: 3, doubled: 3, late: 5, damaged: 3 };

#[test]
fn both_directions_on_a_good_wire() {
    for v6 in [false, true] {
        for options in [Options::default(), Options::current()] {
            let mut pair = Pair::new(Wire::GOOD, 1);
            let ids = pair.connected("newreno", &options, v6);
            exchange(&mut pair, ids, &[text(300_000), text(100_001)]);
            let info = pair.client().info(ids[CLIENT]).unwrap();
            assert_eq!(info.stats.segments_retransmitted, 0);
            let headers = if v6 { 60 } else { 40 } + if options.timestamps { 12 } else { 0 };
            assert_eq!(info.mss, 1_500 - headers);
        }
    }
}

#[test]
fn a_wire_that_loses_doubles_delays_and_damages() {
    for (variant, options) in [
        ("tahoe", Options::default()),
        ("reno", Options::default()),
        ("newreno", Options::current()),
        ("newreno", Options { ack_every: 2, ..Options::default() }),
    ] {
        let mut pair = Pair::new(BAD, 7);
        let ids = pair.connected(variant, &options, false);
        exchange(&mut pair, ids, &[text(400_000), text(50_000)]);
        let damaged: u64 = pair.hosts.iter().map(|host| host.counters().damaged).sum();
        assert!(damaged > 0, "some packets are damaged");
    }
}

/// The same packets at the same times.
#[test]
fn a_transfer_repeats_to_the_byte() {
    let run = || {
        let mut pair = Pair::new(BAD, 3);
        pair.keeps_log = true;
        let ids = pair.connected("newreno", &Options::current(), false);
        exchange(&mut pair, ids, &[text(200_000), text(10_000)]);
        (pair.now, pair.log, pair.events)
    };
    assert!(run() == run());
}

/// The application fills the send buffer in place and reads the receive buffer
/// in place: between there and the device each byte is copied once.
#[test]
fn one_copy_between_user_and_device() {
    for in_place in [true, false] {
        let mut pair = Pair::new(Wire::GOOD, 1);
        let ids = pair.connected("newreno", &Options::current(), false);
        exchange_by(&mut pair, ids, &[text(1_000_000), Vec::new()], in_place);
        let copies = if in_place { 1 } else { 2 };
        for host in [CLIENT, SERVER] {
            let counts = pair.hosts[host].meter_of(ids[host]).unwrap();
            assert_eq!(counts.of(Operation::BytesCopied), copies * 1_000_000);
        }
        let sender = pair.hosts[CLIENT].meter_of(ids[CLIENT]).unwrap();
        let scratch = sender.of(Operation::HeaderFromScratch);
        assert!(sender.of(Operation::HeaderFromTemplate) > 600 && scratch <= 3, "{scratch}");
        let receiver = pair.hosts[SERVER].meter_of(ids[SERVER]).unwrap();
        let hits = receiver.of(Operation::LookupHit);
        assert!(hits > 690 && receiver.of(Operation::LookupMiss) <= 1, "{hits}");
    }
}

#[test]
fn header_template_is_a_knob_without_a_trace_on_the_wire() {
    let log = |header_template| {
        let mut pair = Pair::new(BAD, 5);
        pair.keeps_log = true;
        let options = Options { header_template, ..Options::current() };
        let ids = pair.connected("newreno", &options, true);
        exchange(&mut pair, ids, &[text(100_000), text(10_000)]);
        let sender = pair.hosts[CLIENT].meter_of(ids[CLIENT]).unwrap();
        assert_eq!(sender.of(Operation::HeaderFromTemplate) > 0, header_template);
        pair.log
    };
    assert!(log(true) == log(false));
}

/// Whichever end's sequence numbers are ahead of the other's.
#[test]
fn every_window_that_is_offered_counts() {
    for seed in 1..9 {
        let mut pair = Pair::with(Wire::GOOD, 1, |config| config.secret[7] = seed);
        let ids = pair.connected("newreno", &Options::current(), false);
        exchange(&mut pair, ids, &[text(20_000), text(20_000)]);
        for host in [CLIENT, SERVER] {
            assert!(pair.hosts[host].info(ids[host]).unwrap().snd_wnd > 1_000_000);
        }
    }
}

#[test]
fn a_window_smaller_than_the_send_buffer_closes_and_opens() {
    let options = Options { receive_window: Bytes::new(3_000), ..Options::current() };
    let mut pair = Pair::new(Wire::GOOD, 1);
    let ids = pair.connected("newreno", &options, false);
    let data = text(30_000);
    assert_eq!(pair.client().send(ids[CLIENT], &data).unwrap(), 30_000);
    pair.pass(Duration::from_secs(30));
    let info = pair.server().info(ids[SERVER]).unwrap();
    assert_eq!((info.unread, info.state), (3_000, State::Established));
    let mut received = Vec::new();
    let server = ids[SERVER];
    pair.until("all of it", |pair| {
        let mut buffer = [0; 1_000];
        let taken = pair.server().receive(server, &mut buffer).unwrap();
        received.extend_from_slice(&buffer[..taken]);
        received.len() == data.len()
    });
    assert!(received == data);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Any wire, any knobs, any amounts.
    #[test]
    fn every_byte_arrives(
        seed: u64,
        (lost, doubled, late, damaged) in (0u32..12, 0u32..10, 0u32..20, 0u32..8),
        (client, server) in (0usize..60_000, 0usize..20_000),
        variant in prop::sample::select(&VARIANTS[..]),
        (mss, window) in (1u64..3_000, 1u64..70_000),
        (timestamps, window_scale, nagle, sws, template, prediction) in
            any::<(bool, bool, bool, bool, bool, bool)>(),
        sack in prop::sample::select(&[
            netjoule_transport::tcp::Sack::On,
            netjoule_transport::tcp::Sack::Off,
        ][..]),
        (ack_every, v6, in_place) in (0u32..4, any::<bool>(), any::<bool>()),
    ) {
        let options = Options {
            mss: Bytes::new(mss.max(100)),
            receive_window: Bytes::new(window.max(mss).max(100)),
            timestamps,
            window_scale,
            nagle,
            sws_avoidance: sws,
            header_template: template,
            header_prediction: prediction,
            sack,
            ack_every,
            max_rto: Duration::from_secs(10),
            user_timeout: Duration::ZERO,
            ..Options::current()
        };
        let wire = Wire { delay: Duration::from_millis(5), lost, doubled, late, damaged };
        let mut pair = Pair::new(wire, seed);
        let ids = pair.connected(variant.name, &options, v6);
        exchange_by(&mut pair, ids, &[text(client), text(server)], in_place);
    }
}
