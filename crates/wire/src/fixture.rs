//! Headers and packets for tests.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::ip::{IpHeader, Protocol};
use crate::{
    Address, Body, Ecn, Flags, Flow, Notice, NoticeKind, Packet, Segment, SeqNumber, SeqRange,
    TcpOptions, Timestamps,
};

pub(crate) fn ecn() -> impl Strategy<Value = Ecn> {
    (0u8..4).prop_map(Ecn::from_bits)
}

fn addresses() -> impl Strategy<Value = (IpAddr, IpAddr)> {
    let v4 = any::<(u32, u32)>()
        .prop_map(|(a, b)| (Ipv4Addr::from_bits(a).into(), Ipv4Addr::from_bits(b).into()));
    let v6 = any::<(u128, u128)>()
        .prop_map(|(a, b)| (Ipv6Addr::from_bits(a).into(), Ipv6Addr::from_bits(b).into()));
    prop_oneof![v4, v6]
}

/// Headers of both versions of packets with a payload of `len` bytes.
pub(crate) fn header(protocol: Protocol, len: u16) -> impl Strategy<Value = IpHeader> {
    (addresses(), ecn(), any::<bool>(), any::<u8>()).prop_map(
        move |((source, destination), ecn, dont_fragment, hop_limit)| IpHeader {
            source,
            destination,
            ecn,
            dont_fragment: dont_fragment || source.is_ipv6(),
            hop_limit,
            protocol,
            payload_len: len,
        },
    )
}

fn options() -> impl Strategy<Value = TcpOptions> {
    let block = any::<(u32, u32)>().prop_map(|(start, end)| SeqRange {
        start: SeqNumber::new(start),
        end: SeqNumber::new(end),
    });
    let timestamps = any::<(u32, u32)>().prop_map(|(value, echo)| Timestamps { value, echo });
    let options = (
        option::of(any::<u16>()),
        option::of(0u8..=14),
        any::<bool>(),
        option::of(timestamps),
        vec(block, 0..=4),
    );
    options.prop_map(|(mss, window_scale, sack_permitted, timestamps, sack)| {
        let sack = sack.into_iter().collect();
        let mut options = TcpOptions { mss, window_scale, sack_permitted, timestamps, sack };
        while options.wire_len() > 40 {
            options.sack.truncate(options.sack.len() - 1);
        }
        options
    })
}

/// Segments with up to 2,000 bytes of payload.
pub(crate) fn segment() -> impl Strategy<Value = Segment> {
    let fields = any::<(u16, u16, u32, u32, u8, u16, u16)>();
    (fields, options(), 0u32..2_000).prop_map(|(fields, options, len)| {
        let (source_port, destination_port, seq, ack, flags, window, urgent) = fields;
        Segment {
            source_port,
            destination_port,
            seq: SeqNumber::new(seq),
            ack: SeqNumber::new(ack),
            flags: Flags::from_bits(flags),
            window,
            urgent,
            options,
            len,
        }
    })
}

/// Segments as they are when a connection is established, with timestamps or
/// not.
pub(crate) fn ordinary_segment() -> impl Strategy<Value = Segment> {
    (segment(), any::<bool>()).prop_map(|(segment, timestamps)| {
        let timestamps = timestamps.then(|| segment.options.timestamps.unwrap_or_default());
        Segment {
            flags: segment.flags.without(Flags::SYN | Flags::URG),
            urgent: 0,
            options: TcpOptions { timestamps, ..TcpOptions::NONE },
            ..segment
        }
    })
}

/// Simulated packets.
pub(crate) fn packet() -> impl Strategy<Value = Packet> {
    let address = || any::<u32>().prop_map(Address);
    let flow =
        (address(), address(), any::<(u16, u16)>()).prop_map(|(source, destination, ports)| {
            let (source_port, destination_port) = ports;
            Flow { source, destination, source_port, destination_port }
        });
    let notice = (flow, any::<u32>(), any::<bool>()).prop_map(|(flow, seq, defer)| {
        let kind = if defer { NoticeKind::Defer } else { NoticeKind::Retransmit };
        Body::Icmp(Notice { kind, flow, seq: SeqNumber::new(seq) })
    });
    let body = prop_oneof![3 => segment().prop_map(Body::Tcp), 1 => notice];
    (address(), address(), ecn(), body).prop_map(|(source, destination, ecn, body)| Packet {
        source,
        destination,
        ecn,
        body,
    })
}

/// The bytes of an IP packet with `header` and `segment` in it, whose payload
/// counts up.
pub(crate) fn bytes_of(header: &IpHeader, segment: &Segment) -> Vec<u8> {
    let header_len = segment.header_len() as usize;
    let payload: Vec<u8> = (0..segment.len).map(|at| at.to_le_bytes()[0]).collect();
    let mut bytes = vec![0; header.header_len() + header_len];
    crate::ip::emit(header, 0, &mut bytes);
    let sum = crate::checksum::Sum::of(&payload);
    crate::tcp::emit(segment, header.pseudo(), sum, &mut bytes[header.header_len()..]);
    bytes.extend(payload);
    bytes
}
