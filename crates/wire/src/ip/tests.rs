use core::net::{IpAddr, Ipv4Addr};

use etherparse::{IpNumber, Ipv4Header, Ipv6Header};
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::Part;
use crate::fixture;

/// The header of a UDP packet that is an example in many texts: its checksum is
/// 0xb861.
const EXAMPLE: [u8; 20] = [
    0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11, 0xb8, 0x61, 0xc0, 0xa8, 0x00, 0x01,
    0xc0, 0xa8, 0x00, 0xc7,
];

/// The example with its payload.
fn example() -> Vec<u8> {
    let mut packet = vec![0; 0x73];
    packet[..20].copy_from_slice(&EXAMPLE);
    packet
}

/// An IPv6 packet with `extensions` between its header and 20 bytes of TCP.
fn extended(first: u8, extensions: &[u8]) -> Vec<u8> {
    let address = IpAddr::V6(core::net::Ipv6Addr::LOCALHOST);
    let header = IpHeader {
        source: address,
        destination: address,
        ecn: Ecn::Ce,
        dont_fragment: true,
        hop_limit: 1,
        protocol: first.into(),
        payload_len: u16::try_from(extensions.len()).unwrap() + 20,
    };
    let mut packet = vec![0; IPV6_HEADER_BYTES];
    emit(&header, 0, &mut packet);
    packet.extend(extensions);
    packet.extend([7; 20]);
    packet
}

#[test]
fn a_known_ipv4_header() {
    let packet = example();
    let (header, payload) = parse(&packet).unwrap();
    let expected = IpHeader {
        source: Ipv4Addr::new(192, 168, 0, 1).into(),
        destination: Ipv4Addr::new(192, 168, 0, 199).into(),
        ecn: Ecn::NotEct,
        dont_fragment: true,
        hop_limit: 64,
        protocol: Protocol::Other(17),
        payload_len: 0x73 - 20,
    };
    assert_eq!((header, payload.len()), (expected, 0x73 - 20));
    let mut bytes = [0xff; 20];
    emit(&header, 0, &mut bytes);
    assert_eq!(bytes, EXAMPLE);
}

#[test]
fn what_is_wrong_is_named() {
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut packet = example();
        change(&mut packet);
        // The checksum is right except where it is the point.
        if packet.len() >= 20 && packet[10] != 0 {
            packet[10..12].fill(0);
            let checksum = Sum::of(&packet[..20]).finish();
            packet[10..12].copy_from_slice(&checksum.to_be_bytes());
        }
        parse(&packet).unwrap_err().to_string()
    };
    assert_eq!(refused(&|it| it.clear()), "IP header: the bytes end inside it");
    assert_eq!(refused(&|it| it.truncate(19)), "IPv4 header: the bytes end inside it");
    assert_eq!(refused(&|it| it[0] = 0x55), "IP version: expected 4 or 6, found 5");
    assert_eq!(
        refused(&|it| it[0] = 0x44),
        "IPv4 header length: 16 bytes are too few or more than there are"
    );
    let short = "IPv4 packet length: 115 bytes are too few or too many";
    assert_eq!(refused(&|it| it.truncate(0x72)), short);
    assert_eq!(refused(&|it| it[3] = 19), "IPv4 packet length: 19 bytes are too few or too many");
    assert_eq!(refused(&|it| it[10] = 0), "IPv4 checksum: does not match");
    let fragment = "IPv4 fragment: fragments are not put together";
    assert_eq!(refused(&|it| it[6] = 0x20), fragment);
    assert_eq!(refused(&|it| it[7] = 1), fragment);
}

#[test]
fn padding_and_options_are_left_out() {
    let mut packet = example();
    packet.extend([0xee; 7]);
    assert_eq!(parse(&packet).unwrap().1.len(), 0x73 - 20);
    // One word of options: router alert.
    packet.truncate(0x73);
    packet.splice(20..20, [0x94, 4, 0, 0]);
    packet[0] = 0x46;
    packet[3] += 4;
    packet[10..12].fill(0);
    let checksum = Sum::of(&packet[..24]).finish();
    packet[10..12].copy_from_slice(&checksum.to_be_bytes());
    let (header, payload) = parse(&packet).unwrap();
    assert_eq!((header.payload_len, payload), (0x73 - 20, &packet[24..]));
}

#[test]
fn options_headers_of_ipv6_are_skipped() {
    // Hop-by-hop: router alert and padding; destination options: 14 bytes of
    // padding and one of one byte.
    let hop = [60, 0, 5, 2, 0, 0, 1, 0];
    let mut options = [0; 16];
    options[..4].copy_from_slice(&[6, 1, 1, 11]);
    let packet = extended(0, &[&hop[..], &options].concat());
    let (header, payload) = parse(&packet).unwrap();
    assert_eq!((header.protocol, header.ecn, payload), (Protocol::Tcp, Ecn::Ce, &[7; 20][..]));
    assert_eq!(header.payload_len, 20);
}

#[test]
fn other_extensions_of_ipv6_are_refused() {
    let refused = |first, extensions: &[u8]| parse(&extended(first, extensions)).unwrap_err();
    let pad = |next| [next, 0, 1, 4, 0, 0, 0, 0];
    assert_eq!(refused(44, &[6, 0, 0, 0, 0, 0, 0, 1]), Malformed::Fragment(Part::Ipv6));
    assert_eq!(refused(43, &pad(6)), Malformed::ExtensionHeader(43));
    assert_eq!(refused(59, &[]), Malformed::ExtensionHeader(59));
    // Hop-by-hop options anywhere but in the first place.
    let late = [pad(0), pad(6)].concat();
    assert_eq!(refused(60, &late), Malformed::ExtensionHeader(0));
    let many: Vec<u8> = [60, 60, 60, 60, 6].into_iter().flat_map(pad).collect();
    assert_eq!(refused(60, &many), Malformed::ExtensionHeader(60));
    // A jumbogram's length: whoever does not know it shall discard the packet.
    assert_eq!(refused(0, &[6, 0, 0xc2, 4, 0, 1, 0, 0]), Malformed::ExtensionOption(0xc2));
    // An option past the end of its header.
    assert_eq!(refused(0, &[6, 0, 1, 5, 0, 0, 0, 0]), Malformed::ExtensionOption(1));
    // A header past the end of the packet.
    assert_eq!(refused(0, &[6, 9, 1, 4, 0, 0, 0, 0]), Malformed::Truncated(Part::Ipv6));
    let mut short = extended(6, &[]);
    short.truncate(59);
    assert_eq!(parse(&short).unwrap_err(), Malformed::Length { part: Part::Ipv6, len: 20 });
}

fn any_header() -> impl Strategy<Value = IpHeader> {
    (any::<u8>(), 0u16..1_500).prop_flat_map(|(protocol, len)| {
        let protocol = match protocol {
            0 | 43 | 44 | 50 | 51 | 59 | 60 | 135 | 139 | 140 => 6,
            other => other,
        };
        fixture::header(protocol.into(), len)
    })
}

proptest! {
    #[test]
    fn parse_reverses_emit(header in any_header(), identification: u16, padding in 0usize..9) {
        let whole = header.header_len() + usize::from(header.payload_len);
        let mut packet = vec![0xab; whole + padding];
        emit(&header, identification, &mut packet);
        let (parsed, payload) = parse(&packet).unwrap();
        prop_assert_eq!(parsed, header);
        prop_assert_eq!(payload, &packet[header.header_len()..whole]);
    }

    #[test]
    fn etherparse_reads_what_is_written(header in any_header(), identification: u16) {
        let mut packet = vec![0; header.header_len()];
        emit(&header, identification, &mut packet);
        match (header.source, header.destination) {
            (IpAddr::V4(source), IpAddr::V4(destination)) => {
                let (theirs, _) = Ipv4Header::from_slice(&packet).unwrap();
                prop_assert_eq!(theirs.header_checksum, theirs.calc_header_checksum());
                prop_assert_eq!(theirs.source, source.octets());
                prop_assert_eq!(theirs.destination, destination.octets());
                prop_assert_eq!(theirs.ecn.value(), header.ecn.bits());
                prop_assert_eq!(theirs.dont_fragment, header.dont_fragment);
                prop_assert!(!theirs.is_fragmenting_payload());
                prop_assert_eq!(theirs.time_to_live, header.hop_limit);
                prop_assert_eq!(theirs.protocol.0, u8::from(header.protocol));
                prop_assert_eq!(theirs.payload_len().unwrap(), header.payload_len);
                prop_assert_eq!(theirs.identification, identification);
            }
            (IpAddr::V6(source), IpAddr::V6(destination)) => {
                let (theirs, _) = Ipv6Header::from_slice(&packet).unwrap();
                prop_assert_eq!(theirs.source, source.octets());
                prop_assert_eq!(theirs.destination, destination.octets());
                prop_assert_eq!(theirs.ecn().value(), header.ecn.bits());
                prop_assert_eq!(theirs.hop_limit, header.hop_limit);
                prop_assert_eq!(theirs.next_header.0, u8::from(header.protocol));
                prop_assert_eq!(theirs.payload_length, header.payload_len);
            }
            _ => unreachable!(),
        }
    }

    #[test]
    fn what_etherparse_writes_is_read(
        header in fixture::header(Protocol::Tcp, 40),
        traffic_class: u8,
        options in vec(any::<[u8; 4]>(), 0..10),
    ) {
        let (class, label) = (traffic_class, u32::from(traffic_class) * 99);
        let mut packet = match (header.source, header.destination) {
            (IpAddr::V4(source), IpAddr::V4(destination)) => {
                let (source, destination) = (source.octets(), destination.octets());
                let ttl = header.hop_limit;
                let mut theirs =
                    Ipv4Header::new(40, ttl, IpNumber::TCP, source, destination).unwrap();
                theirs.dscp = (class >> 2).try_into().unwrap();
                theirs.ecn = (class & 3).try_into().unwrap();
                theirs.dont_fragment = header.dont_fragment;
                theirs.options = options.concat()[..].try_into().unwrap();
                theirs.set_payload_len(40).unwrap();
                theirs.header_checksum = theirs.calc_header_checksum();
                theirs.to_bytes().to_vec()
            }
            (IpAddr::V6(source), IpAddr::V6(destination)) => Ipv6Header {
                traffic_class: class,
                flow_label: label.try_into().unwrap(),
                payload_length: 40,
                next_header: IpNumber::TCP,
                hop_limit: header.hop_limit,
                source: source.octets(),
                destination: destination.octets(),
            }.to_bytes().to_vec(),
            _ => unreachable!(),
        };
        packet.extend([9; 40]);
        let (ours, payload) = parse(&packet).unwrap();
        prop_assert_eq!(ours, IpHeader { ecn: Ecn::from_bits(class), ..header });
        prop_assert_eq!(payload, &[9; 40]);
    }

    #[test]
    fn any_bytes_are_read_or_refused(mut bytes in vec(any::<u8>(), 0..200), version: bool) {
        let _ = parse(&bytes);
        if let Some(first) = bytes.first_mut() {
            *first = if version { 0x45 } else { 0x60 };
        }
        let _ = parse(&bytes);
        let _ = (quoted_v4(&bytes), quoted_v6(&bytes));
    }

    #[test]
    fn any_extensions_are_read_or_refused(first: u8, extensions in vec(any::<u8>(), 0..64)) {
        let _ = parse(&extended(first, &extensions));
        let _ = parse(&extended(60, &extensions));
    }
}

#[test]
fn a_view_tells_what_the_header_says() {
    let families: [[IpAddr; 2]; 3] = [
        ["10.0.0.1".parse().unwrap(), "192.0.2.7".parse().unwrap()],
        ["fd00::1".parse().unwrap(), "2001:db8::7".parse().unwrap()],
        ["fd00::1".parse().unwrap(), "::ffff:10.0.0.1".parse().unwrap()],
    ];
    for (case, [source, destination]) in families.into_iter().enumerate() {
        let header = IpHeader {
            source,
            destination,
            ecn: Ecn::Ect0,
            dont_fragment: true,
            hop_limit: 64,
            protocol: Protocol::Tcp,
            payload_len: 24,
        };
        let mut packet = vec![0x55; header.header_len() + 24];
        emit(&header, 7, &mut packet);
        let view = View::new(&packet).unwrap();
        assert_eq!(
            (view.header(), view.protocol(), view.ecn()),
            (header, Protocol::Tcp, Ecn::Ect0)
        );
        assert_eq!(view.pseudo().finish(), header.pseudo().finish());
        let canonical = [source, destination].map(|it| it.to_canonical());
        assert_eq!(view.addresses().map(|it| it.to_canonical()), canonical);
        assert_eq!(view.payload(), [0x55; 24]);
        assert_eq!((view.is_disguised(), view.flow_bits() == (0, 0)), (case == 2, case > 0));
    }
}
