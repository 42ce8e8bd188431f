use core::net::{Ipv4Addr, Ipv6Addr};

use etherparse::{Icmpv4Header, Icmpv6Header};
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::Segment;
use crate::fixture::{self, bytes_of};

const ROUTER_V4: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 254));
const ROUTER_V6: IpAddr = IpAddr::V6(Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 1));

fn router(ip: &IpHeader) -> IpAddr {
    if ip.source.is_ipv6() { ROUTER_V6 } else { ROUTER_V4 }
}

/// What both versions of IP can say.
fn error() -> impl Strategy<Value = Error> {
    let unreachable = prop_oneof![
        Just(Unreachable::Network),
        Just(Unreachable::Host),
        Just(Unreachable::Port),
        Just(Unreachable::Prohibited),
        // Codes 5 and 6 mean something in both versions.
        (5u8..7).prop_map(Unreachable::Other),
    ];
    prop_oneof![
        unreachable.prop_map(Error::Unreachable),
        (0u32..65_536).prop_map(|mtu| Error::TooBig { mtu }),
        Just(Error::TimeExceeded),
        (0u32..256).prop_map(|pointer| Error::ParameterProblem { pointer }),
        Just(Error::Notice(NoticeKind::Defer)),
        Just(Error::Notice(NoticeKind::Retransmit)),
    ]
}

fn offending() -> impl Strategy<Value = (IpHeader, Segment)> {
    fixture::segment().prop_flat_map(|segment| {
        let len = u16::try_from(segment.header_len() + segment.len).unwrap();
        (fixture::header(Protocol::Tcp, len), Just(segment))
    })
}

/// The message in an IP packet.
fn read(packet: &[u8]) -> Result<Message, Malformed> {
    let (ip, payload) = ip::parse(packet)?;
    parse(payload, &ip)
}

/// An IPv4 packet from 10.0.0.1 to 10.0.0.2 with ports 1024 and 80 and sequence
/// number 9, and the message that `icmp` begins, about it.
fn about_a_segment(icmp: [u8; 8]) -> Vec<u8> {
    let source = Ipv4Addr::new(10, 0, 0, 1).into();
    let header = IpHeader {
        source,
        destination: Ipv4Addr::new(10, 0, 0, 2).into(),
        ecn: Ecn::NotEct,
        dont_fragment: true,
        hop_limit: 64,
        protocol: Protocol::Tcp,
        payload_len: 20,
    };
    let segment = Segment {
        source_port: 1024,
        destination_port: 80,
        seq: SeqNumber::new(9),
        ..Segment::default()
    };
    let mut message = icmp.to_vec();
    message.extend(&bytes_of(&header, &segment)[..28]);
    let checksum = Sum::of(&message).finish();
    message[2..4].copy_from_slice(&checksum.to_be_bytes());
    let header = IpHeader {
        source: ROUTER_V4,
        destination: source,
        protocol: Protocol::Icmp,
        payload_len: 36,
        ..header
    };
    let mut packet = vec![0; 20];
    ip::emit(&header, 0, &mut packet);
    packet.extend(message);
    packet
}

#[test]
fn messages_of_the_standards() {
    let error = |icmp| read(&about_a_segment(icmp)).map(|message| message.error);
    let unreachable = |code, why| {
        assert_eq!(error([3, code, 0, 0, 0, 0, 0, 0]), Ok(Error::Unreachable(why)));
    };
    unreachable(0, Unreachable::Network);
    unreachable(1, Unreachable::Host);
    unreachable(2, Unreachable::Protocol);
    unreachable(3, Unreachable::Port);
    unreachable(13, Unreachable::Prohibited);
    unreachable(5, Unreachable::Other(5));
    // RFC 1191 section 4: the MTU is in the last two bytes.
    assert_eq!(error([3, 4, 0, 0, 0, 0, 5, 0xd4]), Ok(Error::TooBig { mtu: 1492 }));
    assert_eq!(error([3, 4, 0, 0, 0, 0, 0, 0]), Ok(Error::TooBig { mtu: 0 }));
    assert_eq!(error([4, 0, 0, 0, 0, 0, 0, 0]), Ok(Error::SourceQuench));
    assert_eq!(error([11, 0, 0, 0, 0, 0, 0, 0]), Ok(Error::TimeExceeded));
    assert_eq!(error([12, 0, 0, 0, 20, 0, 0, 0]), Ok(Error::ParameterProblem { pointer: 20 }));
    assert_eq!(error([253, 0, 0, 0, 0, 0, 0, 0]), Ok(Error::Notice(NoticeKind::Defer)));
    assert_eq!(error([254, 0, 0, 0, 0, 0, 0, 0]), Ok(Error::Notice(NoticeKind::Retransmit)));
    assert_eq!(error([8, 0, 0, 0, 0, 0, 0, 0]), Err(Malformed::IcmpType(8)));

    let Quote { source, destination, seq } =
        read(&about_a_segment([11, 0, 0, 0, 0, 0, 0, 0])).unwrap().quote;
    let read = format!("{source} {destination} {seq}");
    assert_eq!(read, "10.0.0.1:1024 10.0.0.2:80 9");
}

#[test]
fn only_errors_about_tcp_are_read() {
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut packet = about_a_segment([11, 0, 0, 0, 0, 0, 0, 0]);
        change(&mut packet);
        let (ip, message) = ip::parse(&packet).unwrap();
        let mut message = message.to_vec();
        message[2..4].fill(0);
        let checksum = Sum::of(&message).finish();
        message[2..4].copy_from_slice(&checksum.to_be_bytes());
        parse(&message, &ip).unwrap_err()
    };
    // In the quoted header: protocol UDP, a fragment, options past the end.
    assert_eq!(refused(&|it| it[28 + 9] = 17), Malformed::Protocol(17));
    assert_eq!(refused(&|it| it[28 + 7] = 1), Malformed::Fragment(Part::Ipv4));
    let past = Malformed::HeaderLength { part: Part::Quote, len: 60 };
    assert_eq!(refused(&|it| it[28] = 0x4f), past);
    assert_eq!(refused(&|it| it[28] = 0x46), Malformed::Truncated(Part::Quote));

    let mut damaged = about_a_segment([11, 0, 0, 0, 0, 0, 0, 0]);
    damaged[40] ^= 1;
    assert_eq!(read(&damaged), Err(Malformed::Checksum(Part::Icmp)));
    let (ip, message) = ip::parse(&damaged).unwrap();
    assert_eq!(parse(&message[..7], &ip), Err(Malformed::Truncated(Part::Icmp)));
    let other = IpHeader { protocol: Protocol::Icmpv6, ..ip };
    assert_eq!(parse(message, &other), Err(Malformed::Protocol(58)));
}

#[test]
fn nobody_sends_a_source_quench() {
    let (about, mut packet) = (about_a_segment([0; 8]), Vec::new());
    let refused = emit(Error::SourceQuench, ROUTER_V4, &about, &mut packet);
    assert_eq!(refused, Err(Malformed::IcmpType(4)));
    assert!(packet.is_empty());
}

#[test]
fn hard_errors_come_from_the_destination() {
    let hard = [Unreachable::Protocol, Unreachable::Port];
    let soft = [Unreachable::Network, Unreachable::Host, Unreachable::Prohibited];
    assert!(hard.iter().all(|why| why.is_hard()) && !soft.iter().any(|why| why.is_hard()));
}

proptest! {
    #[test]
    fn parse_reverses_emit(error in error(), (ip, segment) in offending()) {
        let (offending, mut packet) = (bytes_of(&ip, &segment), Vec::new());
        emit(error, router(&ip), &offending, &mut packet).unwrap();
        let expected = Quote {
            source: SocketAddr::new(ip.source, segment.source_port),
            destination: SocketAddr::new(ip.destination, segment.destination_port),
            seq: segment.seq,
        };
        prop_assert_eq!(read(&packet), Ok(Message { error, quote: expected }));
        let (outer, _) = ip::parse(&packet).unwrap();
        prop_assert_eq!((outer.source, outer.destination), (router(&ip), ip.source));
        let limit = if ip.source.is_ipv6() { 1_280 } else { 56 };
        prop_assert!(packet.len() <= limit);
    }

    #[test]
    fn etherparse_reads_what_is_written(error in error(), (ip, segment) in offending()) {
        let (offending, mut packet) = (bytes_of(&ip, &segment), Vec::new());
        emit(error, router(&ip), &offending, &mut packet).unwrap();
        let (outer, message) = ip::parse(&packet).unwrap();
        let (kind, checksum, expected) = if let IpAddr::V6(source) = outer.source {
            let IpAddr::V6(destination) = outer.destination else { unreachable!() };
            let (theirs, payload) = Icmpv6Header::from_slice(message).unwrap();
            let (source, destination) = (source.octets(), destination.octets());
            let expected = theirs.icmp_type.calc_checksum(source, destination, payload).unwrap();
            (format!("{:?}", theirs.icmp_type), theirs.checksum, expected)
        } else {
            let (theirs, payload) = Icmpv4Header::from_slice(message).unwrap();
            let expected = theirs.icmp_type.calc_checksum(payload);
            (format!("{:?}", theirs.icmp_type), theirs.checksum, expected)
        };
        prop_assert_eq!(checksum, expected);
        let known = match error {
            Error::Unreachable(_) => "DestinationUnreachable",
            Error::TooBig { .. } if outer.source.is_ipv4() => "FragmentationNeeded",
            Error::TooBig { .. } => "PacketTooBig",
            Error::TimeExceeded => "TimeExceeded",
            Error::ParameterProblem { .. } => "ParameterProblem",
            _ => "Unknown",
        };
        prop_assert!(kind.contains(known), "{} is {}", kind, known);
    }

    #[test]
    fn any_bytes_are_read_or_refused(
        bytes in vec(any::<u8>(), 0..100),
        header in fixture::header(Protocol::Icmp, 0),
    ) {
        let protocol = if header.source.is_ipv6() { Protocol::Icmpv6 } else { Protocol::Icmp };
        let payload_len = u16::try_from(bytes.len()).unwrap();
        let ip = IpHeader { protocol, payload_len, ..header };
        let _ = (parse(&bytes, &ip), quote_of(&bytes, true), quote_of(&bytes, false));
        let mut packet = Vec::new();
        let _ = emit(Error::TimeExceeded, router(&ip), &bytes, &mut packet);
    }
}
