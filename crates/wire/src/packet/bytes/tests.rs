use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::fixture;
use crate::{Headers, NoticeKind, SeqNumber};

fn segment(len: u32) -> Packet {
    Packet {
        source: Address(0x0a00_0001),
        destination: Address(0x0a00_0002),
        ecn: Ecn::NotEct,
        body: Body::Tcp(Segment { len, ..Segment::default() }),
    }
}

#[test]
fn the_pattern_depends_on_the_sequence_number_alone() {
    let start = SeqNumber::new(u32::MAX - 999);
    let mut whole = [0; 3_000];
    pattern(SeqRange::new(start, 3_000), &mut whole);
    for from in [0, 1, 500, 1_000, 1_024] {
        let mut part = [0; 700];
        pattern(SeqRange::new(start + from, 700), &mut part);
        let from = from as usize;
        assert_eq!(part, whole[from..from + 700]);
    }
    assert_ne!(whole[..256], whole[256..512]);
}

#[test]
fn the_longest_packet_has_65535_bytes() {
    let mut bytes = Vec::new();
    emit(&segment(65_495), pattern, &mut bytes).unwrap();
    assert_eq!(bytes.len(), 65_535);
    assert_eq!(parse(&bytes), Ok(segment(65_495)));
    for len in [65_496, u32::MAX] {
        let refused = emit(&segment(len), pattern, &mut bytes).unwrap_err();
        assert!(matches!(refused, Malformed::Length { part: Part::Ipv4, .. }));
    }
}

#[test]
fn what_no_simulated_node_sends_is_refused() {
    let (mut offending, mut bytes) = (Vec::new(), Vec::new());
    emit(&segment(9), pattern, &mut offending).unwrap();
    icmp::emit(icmp::Error::TimeExceeded, Address(7).into(), &offending, &mut bytes).unwrap();
    assert_eq!(parse(&bytes), Err(Malformed::NotSimulated));
    icmp::emit(icmp::Error::Notice(NoticeKind::Defer), Address(7).into(), &offending, &mut bytes)
        .unwrap();
    assert!(parse(&bytes).is_ok());
}

proptest! {
    #[test]
    fn parse_reverses_emit(packet in fixture::packet()) {
        let mut bytes = vec![0xff; 7];
        emit(&packet, pattern, &mut bytes).unwrap();
        prop_assert_eq!(bytes.len() as u64, packet.size(Headers::Standard).get());
        prop_assert_eq!(parse(&bytes), Ok(packet));
    }

    #[test]
    fn a_damaged_packet_is_refused_or_the_same(
        packet in fixture::packet(),
        at: prop::sample::Index,
        damage in 1u8..,
    ) {
        let mut bytes = Vec::new();
        emit(&packet, pattern, &mut bytes).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= damage;
        prop_assert!(parse(&bytes).is_err(), "byte {}", at);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..100)) {
        let _ = parse(&bytes);
    }
}
