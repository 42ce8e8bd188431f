//! Peers that mean harm.

use core::net::SocketAddr;

use netjoule_stack::{Counts, Stack};
use netjoule_transport::tcp::Options;
use netjoule_units::{Duration, Instant};
use netjoule_wire::checksum::Sum;
use netjoule_wire::ip::{self, IpHeader, Protocol};
use netjoule_wire::{Ecn, Flags, Segment, SeqNumber, tcp};
use proptest::prelude::*;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::harness::{CLIENT, PORT, Pair, SERVER, Wire, address, config, text, variant};

/// The packet of `segment` with `payload`, from `source` to the server.
pub(crate) fn packet(source: [u8; 4], segment: &Segment, payload: &[u8]) -> Vec<u8> {
    let tcp_len = segment.header_len() as usize + payload.len();
    let header = IpHeader {
        source: source.into(),
        destination: address(SERVER, false),
        ecn: Ecn::NotEct,
        dont_fragment: true,
        hop_limit: 64,
        protocol: Protocol::Tcp,
        payload_len: u16::try_from(tcp_len).unwrap(),
    };
    let mut packet = vec![0; header.header_len() + segment.header_len() as usize];
    ip::emit(&header, 0, &mut packet);
    tcp::emit(segment, header.pseudo(), Sum::of(payload), &mut packet[header.header_len()..]);
    packet.extend_from_slice(payload);
    packet
}

fn syn(source_port: u16) -> Segment {
    Segment { source_port, destination_port: PORT, flags: Flags::SYN, ..Segment::default() }
}

fn server(backlog: usize) -> Stack<Counts> {
    let mut host = Stack::new(config(SERVER));
    let at = SocketAddr::new(address(SERVER, false), PORT);
    host.listen(at, variant("newreno"), &Options::current(), backlog).unwrap();
    host
}

fn drain(host: &mut Stack<Counts>, now: Instant) -> usize {
    let mut packet = Vec::new();
    (0..).take_while(|_| host.poll_transmit(now, &mut packet)).count()
}

#[test]
fn a_syn_flood_leaves_a_backlog_and_no_more() {
    let mut host = server(16);
    for number in 0..10_000u32 {
        let [_, a, b, c] = number.to_be_bytes();
        host.handle_packet(Instant::ZERO, &packet([172, a, b, c], &syn(1_000), &[]));
        drain(&mut host, Instant::ZERO);
    }
    assert_eq!(host.connections(), 16);
    assert_eq!(host.counters().handshakes_evicted, 10_000 - 16);
}

/// A client gets through a flood that is slower than it.
#[test]
fn a_connection_gets_through_a_flood() {
    let mut pair = Pair::new(Wire::GOOD, 1);
    let at = SocketAddr::new(address(SERVER, false), PORT);
    let options = Options::current();
    let listener = pair.server().listen(at, variant("newreno"), &options, 64).unwrap();
    let now = pair.now;
    pair.client().connect(now, None, at, variant("newreno"), &options).unwrap();
    let mut number = 0u32;
    pair.until("the connection", |pair| {
        let now = pair.now;
        for _ in 0..30 {
            number += 1;
            let [_, a, b, c] = number.to_be_bytes();
            pair.server().handle_packet(now, &packet([172, a, b, c], &syn(1_000), &[]));
        }
        pair.server().accept(listener).is_some()
    });
}

#[test]
fn packets_for_others_and_from_nobody_are_not_answered() {
    let mut host = server(16);
    let to_port_9 = Segment { destination_port: 9, ..syn(1) };
    for source in [[224, 0, 0, 1], [255; 4], [0; 4]] {
        host.handle_packet(Instant::ZERO, &packet(source, &syn(1), &[]));
        host.handle_packet(Instant::ZERO, &packet(source, &to_port_9, &[]));
    }
    let mut astray = packet([10, 0, 0, 7], &to_port_9, &[]);
    let (ip, _) = ip::parse(&astray).unwrap();
    ip::emit(&IpHeader { destination: [10, 0, 0, 99].into(), ..ip }, 0, &mut astray);
    host.handle_packet(Instant::ZERO, &astray);
    assert_eq!((drain(&mut host, Instant::ZERO), host.connections()), (0, 0));
    assert_eq!((host.counters().to_nowhere, host.counters().for_others), (6, 1));
    host.handle_packet(Instant::ZERO, &packet([10, 0, 0, 7], &to_port_9, &[]));
    assert_eq!(drain(&mut host, Instant::ZERO), 1);
}

/// Tiny and overlapping segments all over the window and beyond: memory stays
/// within the window, and nothing is delivered that is not in order.
#[test]
fn out_of_order_data_is_bounded_by_the_window() {
    let mut pair = Pair::new(Wire::GOOD, 1);
    let ids = pair.connected("newreno", &Options::default(), false);
    pair.keeps_log = true;
    pair.client().send(ids[CLIENT], b"a").unwrap();
    pair.pass(Duration::from_millis(50));
    let (_, _, first) = pair.log[0].clone();
    let (_, bytes) = ip::parse(&first).unwrap();
    let (sample, _, _) = tcp::read(bytes).unwrap();
    let mut random = Pcg64::seed_from_u64(1);
    let source = [10, 0, 0, 1];
    let now = pair.now;
    for _ in 0..20_000 {
        let offset = random.random_range(2..200_000u32);
        let payload = text(random.random_range(1..40));
        let segment = Segment { seq: sample.seq + offset, len: payload.len() as u32, ..sample };
        pair.server().handle_packet(now, &packet(source, &segment, &payload));
        let mut reply = Vec::new();
        while pair.server().poll_transmit(now, &mut reply) {}
    }
    let info = pair.server().info(ids[SERVER]).unwrap();
    assert_eq!(info.unread, 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Any bytes at all, and damaged packets of a real exchange, at any time.
    #[test]
    fn no_packet_makes_a_host_stumble(
        seed: u64,
        packets in prop::collection::vec(
            (prop::collection::vec(any::<u8>(), 0..120), any::<u32>()), 1..60,
        ),
    ) {
        let mut random = Pcg64::seed_from_u64(seed);
        let mut pair = Pair::new(Wire::GOOD, seed);
        pair.keeps_log = true;
        let ids = pair.connected("newreno", &Options::current(), seed % 2 == 0);
        pair.client().send(ids[CLIENT], &text(20_000)).unwrap();
        for (bytes, choice) in packets {
            pair.step();
            let now = pair.now;
            pair.server().handle_packet(now, &bytes);
            let index = choice as usize % pair.log.len();
            let (_, from, mut again) = pair.log[index].clone();
            // A damaged copy whose checksums are right all the same.
            let at = random.random_range(0..again.len());
            again[at] = random.next_u32() as u8;
            repair(&mut again);
            pair.hosts[1 - from].handle_packet(now, &again);
        }
        pair.pass(Duration::from_secs(10));
    }

    /// Segments of any kind, near the right sequence numbers.
    #[test]
    fn no_segment_makes_a_connection_stumble(
        segments in prop::collection::vec(
            (any::<u8>(), -3_000i32..70_000, -3_000i32..30_000, 0usize..2_000, any::<(u16, u16)>()),
            1..80,
        ),
        timestamps in any::<bool>(),
    ) {
        let mut pair = Pair::new(Wire::GOOD, 1);
        pair.keeps_log = true;
        let options = Options { timestamps, ..Options::current() };
        let ids = pair.connected("newreno", &options, false);
        pair.client().send(ids[CLIENT], b"a").unwrap();
        pair.server().send(ids[SERVER], &text(20_000)).unwrap();
        pair.pass(Duration::from_millis(30));
        let (_, _, sample) =
            pair.log.iter().rev().find(|(_, from, _)| *from == CLIENT).cloned().unwrap();
        let (_, bytes) = ip::parse(&sample).unwrap();
        let (sample, _, _) = tcp::read(bytes).unwrap();
        let moved = |seq: SeqNumber, by: i32| SeqNumber::new(seq.get().wrapping_add_signed(by));
        for (flags, seq, ack, len, (window, urgent)) in segments {
            let payload = text(len);
            let segment = Segment {
                seq: moved(sample.seq, seq),
                ack: moved(sample.ack, ack),
                flags: Flags::from_bits(flags),
                window,
                urgent,
                len: len as u32,
                ..sample
            };
            let now = pair.now;
            pair.server().handle_packet(now, &packet([10, 0, 0, 1], &segment, &payload));
            pair.step();
        }
        pair.pass(Duration::from_secs(1));
    }
}

/// Makes the checksums of a packet right, if it is one of TCP.
fn repair(packet: &mut [u8]) {
    let v6 = packet[0] >> 4 == 6;
    let ip_len = if v6 { 40 } else { 20 };
    if !v6 {
        packet[10..12].fill(0);
        let checksum = Sum::of(&packet[..20]).finish();
        packet[10..12].copy_from_slice(&checksum.to_be_bytes());
    }
    let Ok((ip, _)) = ip::parse(packet) else { return };
    let end = ip_len + usize::from(ip.payload_len);
    if ip.protocol != Protocol::Tcp || usize::from(ip.payload_len) < 20 || end > packet.len() {
        return;
    }
    packet[ip_len + 16..ip_len + 18].fill(0);
    let checksum = ip.pseudo().then(Sum::of(&packet[ip_len..end]), false).finish();
    packet[ip_len + 16..ip_len + 18].copy_from_slice(&checksum.to_be_bytes());
}
