use core::net::IpAddr;

use etherparse::{TcpHeader, TcpOptionElement};
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::fixture::{self, bytes_of};
use crate::ip::{self, IpHeader, Protocol};
use crate::{Ecn, SeqRange, TcpOptions, Timestamps};

/// Ports 1024 and 80, seq 1, ack 2, window 512, these control bits, and these
/// options in a header of the length that the data offset says.
fn header(offset: u8, flags: u8, options: &[u8]) -> Vec<u8> {
    let mut bytes = vec![4, 0, 0, 80, 0, 0, 0, 1, 0, 0, 0, 2, offset << 4, flags, 2, 0, 0, 0, 0, 0];
    bytes.extend(options);
    let checksum = Sum::of(&bytes).finish();
    bytes[CHECKSUM_AT..CHECKSUM_AT + 2].copy_from_slice(&checksum.to_be_bytes());
    bytes
}

fn options_of(options: &[u8]) -> Result<TcpOptions, Malformed> {
    let offset = u8::try_from(5 + options.len() / 4).unwrap();
    let bytes = header(offset, 0x02, options);
    parse(&bytes, Sum::default()).map(|(segment, _)| segment.options)
}

#[test]
fn a_known_segment() {
    // The options of a SYN as the Linux kernel sends it.
    let options = [2, 4, 5, 180, 4, 2, 8, 10, 0, 0, 0, 7, 0, 0, 0, 0, 1, 3, 3, 7];
    let bytes = header(10, 0x02, &options);
    let (segment, payload) = parse(&bytes, Sum::default()).unwrap();
    let expected = Segment {
        source_port: 1024,
        destination_port: 80,
        seq: SeqNumber::new(1),
        ack: SeqNumber::new(2),
        flags: Flags::SYN,
        window: 512,
        options: TcpOptions {
            mss: Some(1460),
            window_scale: Some(7),
            sack_permitted: true,
            timestamps: Some(Timestamps { value: 7, echo: 0 }),
            ..TcpOptions::NONE
        },
        ..Segment::default()
    };
    assert_eq!((segment, payload), (expected, &[][..]));
    let mut written = [0; 40];
    emit(&segment, Sum::default(), Sum::default(), &mut written);
    assert_eq!(written, *bytes);
}

#[test]
fn a_damaged_segment_is_refused() {
    let mut bytes = header(5, 0x10, &[]);
    bytes[7] ^= 1;
    assert_eq!(parse(&bytes, Sum::default()), Err(Malformed::Checksum(Part::Tcp)));
    assert!(read(&bytes).is_ok());
}

#[test]
fn lengths_are_checked() {
    assert_eq!(read(&[0; 19]), Err(Malformed::Truncated(Part::Tcp)));
    for (offset, len) in [(4, 16), (6, 24), (15, 60), (0, 0)] {
        let refused = read(&header(offset, 0, &[])).unwrap_err();
        assert_eq!(refused, Malformed::HeaderLength { part: Part::Tcp, len });
    }
}

#[test]
fn unknown_options_are_skipped_and_the_end_is_the_end() {
    let timestamps = Some(Timestamps { value: 1, echo: 2 });
    // Kind 254 with two bytes, then timestamps that are not aligned.
    let odd = options_of(&[254, 4, 9, 9, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2, 0]).unwrap();
    assert_eq!(odd, TcpOptions { timestamps, ..TcpOptions::NONE });
    // Nothing after the end counts.
    let ended = options_of(&[0, 2, 4, 5, 0, 2, 4, 5]).unwrap();
    assert_eq!(ended, TcpOptions::NONE);
}

#[test]
fn an_option_without_a_possible_length_spoils_the_segment() {
    for options in [[2, 0, 5, 180], [2, 1, 5, 180], [2, 5, 5, 180], [1, 1, 1, 2], [1, 1, 99, 3]] {
        let kind = if options[0] == 1 && options[2] == 99 { 99 } else { 2 };
        assert_eq!(options_of(&options), Err(Malformed::TcpOption(kind)));
    }
}

#[test]
fn an_option_with_a_length_that_is_not_its_own_is_skipped() {
    let mss_5 = options_of(&[2, 5, 5, 180, 0, 3, 3, 6]).unwrap();
    assert_eq!(mss_5, TcpOptions { window_scale: Some(6), ..TcpOptions::NONE });
    let sack_of_7 = options_of(&[1, 1, 1, 5, 9, 0, 0, 0, 1, 0, 0, 0, 1, 1, 4, 2]).unwrap();
    assert_eq!(sack_of_7, TcpOptions { sack_permitted: true, ..TcpOptions::NONE });
    assert_eq!(options_of(&[1, 1, 5, 2]).unwrap(), TcpOptions::NONE);
    let timestamps_of_6 = options_of(&[1, 1, 8, 6, 0, 0, 0, 1]).unwrap();
    assert_eq!(timestamps_of_6, TcpOptions::NONE);
}

#[test]
fn a_window_scale_above_14_is_14() {
    assert_eq!(options_of(&[1, 3, 3, 15]).unwrap().window_scale, Some(14));
    assert_eq!(options_of(&[1, 3, 3, 255]).unwrap().window_scale, Some(14));
}

fn packet() -> impl Strategy<Value = (IpHeader, Segment)> {
    fixture::segment().prop_flat_map(|segment| {
        let len = u16::try_from(segment.header_len() + segment.len).unwrap();
        (fixture::header(Protocol::Tcp, len), Just(segment))
    })
}

/// What etherparse finds in the options.
fn elements(header: &TcpHeader) -> TcpOptions {
    let mut options = TcpOptions::NONE;
    for element in header.options_iterator() {
        match element.unwrap() {
            TcpOptionElement::Noop => {}
            TcpOptionElement::MaximumSegmentSize(mss) => options.mss = Some(mss),
            TcpOptionElement::WindowScale(shift) => options.window_scale = Some(shift),
            TcpOptionElement::SelectiveAcknowledgementPermitted => options.sack_permitted = true,
            TcpOptionElement::Timestamp(value, echo) => {
                options.timestamps = Some(Timestamps { value, echo });
            }
            TcpOptionElement::SelectiveAcknowledgement(first, others) => {
                for (start, end) in [Some(first)].into_iter().chain(others).flatten() {
                    let (start, end) = (SeqNumber::new(start), SeqNumber::new(end));
                    options.sack.push(SeqRange { start, end });
                }
            }
        }
    }
    options
}

proptest! {
    #[test]
    fn parse_reverses_emit((header, segment) in packet()) {
        let bytes = bytes_of(&header, &segment);
        let (ip, payload) = ip::parse(&bytes).unwrap();
        let (parsed, data) = parse(payload, ip.pseudo()).unwrap();
        prop_assert_eq!(parsed, segment);
        prop_assert_eq!(data.len(), segment.len as usize);
        // Sum by sum, as a receiver does that copies the payload.
        let (again, head, data) = read(payload).unwrap();
        let sum = header.pseudo().then(Sum::of(head), false).then(Sum::of(data), false);
        prop_assert!(again == segment && sum.is_valid());
    }

    #[test]
    fn etherparse_reads_what_is_written((header, segment) in packet()) {
        let bytes = bytes_of(&header, &segment);
        let (theirs, payload) = TcpHeader::from_slice(&bytes[header.header_len()..]).unwrap();
        let checksum = match (header.source, header.destination) {
            (IpAddr::V4(source), IpAddr::V4(destination)) => {
                theirs.calc_checksum_ipv4_raw(source.octets(), destination.octets(), payload)
            }
            (IpAddr::V6(source), IpAddr::V6(destination)) => {
                theirs.calc_checksum_ipv6_raw(source.octets(), destination.octets(), payload)
            }
            _ => unreachable!(),
        };
        prop_assert_eq!(theirs.checksum, checksum.unwrap());
        prop_assert_eq!(theirs.source_port, segment.source_port);
        prop_assert_eq!(theirs.destination_port, segment.destination_port);
        prop_assert_eq!(theirs.sequence_number, segment.seq.get());
        prop_assert_eq!(theirs.acknowledgment_number, segment.ack.get());
        prop_assert_eq!(theirs.window_size, segment.window);
        prop_assert_eq!(theirs.urgent_pointer, segment.urgent);
        let bits = [
            theirs.fin, theirs.syn, theirs.rst, theirs.psh, theirs.ack, theirs.urg, theirs.ece, theirs.cwr,
        ];
        let flags = bits.iter().rev().fold(0, |flags, &bit| flags << 1 | u8::from(bit));
        prop_assert_eq!(Flags::from_bits(flags), segment.flags);
        prop_assert_eq!(elements(&theirs), segment.options);
        prop_assert_eq!(payload.len(), segment.len as usize);
    }

    #[test]
    fn what_etherparse_writes_is_read(
        (header, segment) in packet(),
        order in Just([0usize, 1, 2, 3, 4, 5]).prop_shuffle(),
    ) {
        let TcpOptions { mss, window_scale, sack_permitted, timestamps, sack } = segment.options;
        let blocks: Vec<_> =
            sack.as_slice().iter().map(|block| (block.start.get(), block.end.get())).collect();
        let rest = core::array::from_fn(|at| blocks.get(at + 1).copied());
        let all = [
            mss.map(TcpOptionElement::MaximumSegmentSize),
            window_scale.map(TcpOptionElement::WindowScale),
            sack_permitted.then_some(TcpOptionElement::SelectiveAcknowledgementPermitted),
            timestamps.map(|it| TcpOptionElement::Timestamp(it.value, it.echo)),
            blocks.first().map(|&first| TcpOptionElement::SelectiveAcknowledgement(first, rest)),
            Some(TcpOptionElement::Noop),
        ];
        let options: Vec<_> = order.iter().filter_map(|&at| all[at].clone()).collect();
        let mut theirs = TcpHeader::new(
            segment.source_port,
            segment.destination_port,
            segment.seq.get(),
            segment.window,
        );
        // etherparse pads to words only at the end: all of them may not fit.
        prop_assume!(theirs.set_options(&options).is_ok());
        theirs.acknowledgment_number = segment.ack.get();
        theirs.ack = true;
        let payload = [3; 5];
        theirs.checksum = match (header.source, header.destination) {
            (IpAddr::V4(source), IpAddr::V4(destination)) => {
                theirs.calc_checksum_ipv4_raw(source.octets(), destination.octets(), &payload)
            }
            (IpAddr::V6(source), IpAddr::V6(destination)) => {
                theirs.calc_checksum_ipv6_raw(source.octets(), destination.octets(), &payload)
            }
            _ => unreachable!(),
        }.unwrap();
        let mut bytes = theirs.to_bytes().to_vec();
        bytes.extend(payload);
        let len = u16::try_from(bytes.len()).unwrap();
        let pseudo = IpHeader { payload_len: len, ..header }.pseudo();
        let (ours, data) = parse(&bytes, pseudo).unwrap();
        let expected = Segment { flags: Flags::ACK, len: 5, urgent: 0, ..segment };
        prop_assert_eq!((ours, data), (expected, &payload[..]));
    }

    #[test]
    fn a_template_writes_the_same_bytes(
        segment in fixture::ordinary_segment(),
        header in fixture::header(Protocol::Tcp, 0),
        ecn in fixture::ecn(),
        identification: u16,
    ) {
        let payload_len = u16::try_from(segment.header_len() + segment.len).unwrap();
        let header = IpHeader { ecn, payload_len, ..header };
        let mut expected = bytes_of(&header, &segment);
        ip::emit(&header, identification, &mut expected);

        // Made from another packet of the connection.
        let first = IpHeader { ecn: Ecn::Ce, payload_len: 999, ..header };
        let has_timestamps = segment.options.timestamps.is_some();
        let (source_port, destination_port) = (segment.source_port, segment.destination_port);
        let template = Template::new(&first, source_port, destination_port, has_timestamps);
        prop_assert!(template.suits(&segment));
        let mut bytes = expected.clone();
        bytes[..template.header_len()].fill(0xff);
        let payload = Sum::of(&bytes[template.header_len()..]);
        template.fill(&segment, ecn, identification, payload, &mut bytes);
        prop_assert_eq!(bytes, expected);
    }

    #[test]
    fn a_template_is_for_ordinary_segments(segment in fixture::segment(), timestamps: bool) {
        let header = IpHeader {
            source: IpAddr::from([10, 0, 0, 1]),
            destination: IpAddr::from([10, 0, 0, 2]),
            ecn: Ecn::NotEct,
            dont_fragment: true,
            hop_limit: 64,
            protocol: Protocol::Tcp,
            payload_len: 0,
        };
        let template =
            Template::new(&header, segment.source_port, segment.destination_port, timestamps);
        let ordinary = segment.options == TcpOptions {
            timestamps: segment.options.timestamps.filter(|_| timestamps),
            ..TcpOptions::NONE
        } && segment.options.timestamps.is_some() == timestamps
            && !segment.flags.has_any(Flags::SYN | Flags::URG);
        prop_assert_eq!(template.suits(&segment), ordinary);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..100), offset in 0u8..16) {
        let _ = (read(&bytes), parse(&bytes, Sum::default()));
        let mut bytes = bytes;
        if let Some(byte) = bytes.get_mut(12) {
            *byte = offset << 4;
        }
        let _ = read(&bytes);
    }

    #[test]
    fn any_options_are_read_or_refused(words in vec(any::<[u8; 4]>(), 0..=10)) {
        let _ = options_of(&words.concat());
    }
}
