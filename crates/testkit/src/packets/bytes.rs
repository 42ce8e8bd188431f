//! Packets as bytes, by `etherparse`: what the stack writes is read by a
//! library that knows nothing of it.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use etherparse::{
    Icmpv4Header, Icmpv4Type, Icmpv6Header, Icmpv6Type, IpEcn, IpNumber, Ipv4Header, Ipv6Header,
    TcpHeader,
};
use netjoule_wire::{Ecn, Flags};

use super::option_bytes;
use super::script::{Body, Icmp, IcmpKind, Packet, Segment};

/// Hop limit of the peer's packets.
const HOP_LIMIT: u8 = 64;

/// The two ends of a flow: source and destination of the peer's packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ends {
    pub(super) peer: (IpAddr, u16),
    pub(super) stack: (IpAddr, u16),
}

impl Ends {
    const fn reversed(self) -> Self {
        Self { peer: self.stack, stack: self.peer }
    }
}

/// The peer's packet. Its numbers are those of the wire.
pub(super) fn write(ends: Ends, packet: &Packet, payload: &[u8]) -> Vec<u8> {
    let (source, destination) = (ends.peer.0, ends.stack.0);
    let (protocol, inner) = match &packet.body {
        Body::Tcp(segment) => {
            let mut inner = tcp(ends, segment, payload);
            if segment.corrupt {
                // The checksum's own field.
                inner[16] ^= 0x55;
            }
            (IpNumber::TCP, inner)
        }
        Body::Icmp(error) => icmp(ends, error),
    };
    ip(source, destination, packet, protocol, &inner)
}

fn ip(
    source: IpAddr,
    destination: IpAddr,
    packet: &Packet,
    protocol: IpNumber,
    payload: &[u8],
) -> Vec<u8> {
    let ecn = match packet.ecn {
        Ecn::NotEct => IpEcn::NotEct,
        Ecn::Ect0 => IpEcn::Ect0,
        Ecn::Ect1 => IpEcn::Ect1,
        Ecn::Ce => IpEcn::CongestionExperienced,
    };
    let length = u16::try_from(payload.len()).expect("a packet of a script fits into IP");
    let mut bytes = match (source, destination) {
        (IpAddr::V4(source), IpAddr::V4(destination)) => {
            let (source, destination) = (source.octets(), destination.octets());
            let mut header = Ipv4Header::new(length, HOP_LIMIT, protocol, source, destination)
                .expect("a packet of a script fits into IP");
            header.ecn = ecn;
            header.dont_fragment = packet.dont_fragment.unwrap_or(true);
            header.header_checksum = header.calc_header_checksum();
            header.to_bytes().to_vec()
        }
        (IpAddr::V6(source), IpAddr::V6(destination)) => {
            let mut header = Ipv6Header {
                payload_length: length,
                next_header: protocol,
                hop_limit: HOP_LIMIT,
                source: source.octets(),
                destination: destination.octets(),
                ..Ipv6Header::default()
            };
            header.set_ecn(ecn);
            header.to_bytes().to_vec()
        }
        _ => unreachable!("both ends have one family"),
    };
    bytes.extend_from_slice(payload);
    bytes
}

fn tcp(ends: Ends, segment: &Segment, payload: &[u8]) -> Vec<u8> {
    let flags = segment.flags;
    let mut header = TcpHeader {
        source_port: ends.peer.1,
        destination_port: ends.stack.1,
        sequence_number: segment.seq,
        acknowledgment_number: segment.ack.unwrap_or_default(),
        fin: flags.has(Flags::FIN),
        syn: flags.has(Flags::SYN),
        rst: flags.has(Flags::RST),
        psh: flags.has(Flags::PSH),
        ack: flags.has(Flags::ACK),
        urg: flags.has(Flags::URG),
        ece: flags.has(Flags::ECE),
        cwr: flags.has(Flags::CWR),
        window_size: segment.window.unwrap_or_default(),
        urgent_pointer: segment.urgent.unwrap_or_default(),
        ..TcpHeader::default()
    };
    let options = option_bytes::write(segment.options.as_deref().unwrap_or_default());
    header.set_options_raw(&options).expect("the options of a script fit into 40 bytes");
    header.checksum = checksum(ends, &header, payload);
    let mut bytes = header.to_bytes().to_vec();
    bytes.extend_from_slice(payload);
    bytes
}

fn checksum(ends: Ends, header: &TcpHeader, payload: &[u8]) -> u16 {
    let sum = match (ends.peer.0, ends.stack.0) {
        (IpAddr::V4(source), IpAddr::V4(destination)) => {
            header.calc_checksum_ipv4_raw(source.octets(), destination.octets(), payload)
        }
        (IpAddr::V6(source), IpAddr::V6(destination)) => {
            header.calc_checksum_ipv6_raw(source.octets(), destination.octets(), payload)
        }
        _ => unreachable!("both ends have one family"),
    };
    sum.expect("a packet of a script fits into IP")
}

/// An ICMP error: it quotes the IP header and the TCP header of a segment that
/// the stack has sent (RFC 792, RFC 4443 section 2.4).
fn icmp(ends: Ends, error: &Icmp) -> (IpNumber, Vec<u8>) {
    let quoted = Segment {
        flags: Flags::ACK,
        seq: error.seq,
        len: error.len,
        ack: Some(0),
        window: None,
        urgent: None,
        options: None,
        fill: None,
        corrupt: false,
    };
    let quoted = Packet { flow: 0, ecn: Ecn::NotEct, dont_fragment: None, body: Body::Tcp(quoted) };
    let payload = vec![0; usize::try_from(error.len).unwrap_or_default()];
    let mut quote = write(ends.reversed(), &quoted, &payload);
    let (type_u8, code_u8, number) = icmp_code(ends.stack.0, error.kind);
    let bytes5to8 = number.to_be_bytes();
    match (ends.peer.0, ends.stack.0) {
        (IpAddr::V4(_), _) => {
            quote.truncate(20 + 8);
            let kind = Icmpv4Type::Unknown { type_u8, code_u8, bytes5to8 };
            let header = Icmpv4Header::with_checksum(kind, &quote);
            (IpNumber::ICMP, [header.to_bytes().as_slice(), &quote].concat())
        }
        (IpAddr::V6(source), IpAddr::V6(destination)) => {
            quote.truncate(1_280 - 40 - 8);
            let kind = Icmpv6Type::Unknown { type_u8, code_u8, bytes5to8 };
            let header =
                Icmpv6Header::with_checksum(kind, source.octets(), destination.octets(), &quote)
                    .expect("a packet of a script fits into IP");
            (IpNumber::IPV6_ICMP, [header.to_bytes().as_slice(), &quote].concat())
        }
        _ => unreachable!("both ends have one family"),
    }
}

/// Type, code and the four bytes after the checksum.
fn icmp_code(address: IpAddr, kind: IcmpKind) -> (u8, u8, u32) {
    let is_v4 = address.is_ipv4();
    let (of_v4, of_v6) = match kind {
        IcmpKind::NetUnreachable => ((3, 0), (1, 0)),
        IcmpKind::HostUnreachable => ((3, 1), (1, 3)),
        // RFC 4443 section 3.4: unrecognised next header.
        IcmpKind::ProtocolUnreachable => ((3, 2), (4, 1)),
        IcmpKind::PortUnreachable => ((3, 3), (1, 4)),
        IcmpKind::AdminProhibited => ((3, 13), (1, 1)),
        IcmpKind::FragNeeded(mtu) => {
            let (kind, code) = if is_v4 { (3, 4) } else { (2, 0) };
            return (kind, code, u32::from(mtu));
        }
        IcmpKind::TtlExceeded => ((11, 0), (3, 0)),
        IcmpKind::SourceQuench => ((4, 0), (4, 0)),
        IcmpKind::Defer => ((253, 0), (100, 0)),
        IcmpKind::Retransmit => ((254, 0), (101, 0)),
    };
    let (kind, code) = if is_v4 { of_v4 } else { of_v6 };
    (kind, code, 0)
}

/// A packet of the stack, with the numbers of the wire and without its flow;
/// its ends, and its payload.
///
/// # Errors
/// What is malformed in it.
pub(super) fn read(bytes: &[u8]) -> Result<(Packet, Ends, &[u8]), String> {
    let said = |error: &dyn core::fmt::Display| error.to_string();
    let (addresses, ecn, dont_fragment, protocol, rest) = match bytes.first().map(|b| b >> 4) {
        Some(6) => {
            let (header, rest) = Ipv6Header::from_slice(bytes).map_err(|error| said(&error))?;
            if usize::from(header.payload_length) != rest.len() {
                return Err(format!("payload length {} of {}", header.payload_length, rest.len()));
            }
            let (source, destination) =
                (Ipv6Addr::from(header.source), Ipv6Addr::from(header.destination));
            let addresses: (IpAddr, IpAddr) = (source.into(), destination.into());
            (addresses, header.ecn(), true, header.next_header, rest)
        }
        _ => {
            let (header, rest) = Ipv4Header::from_slice(bytes).map_err(|error| said(&error))?;
            if usize::from(header.total_len) != bytes.len() {
                return Err(format!("total length {} of {}", header.total_len, bytes.len()));
            }
            if header.header_checksum != header.calc_header_checksum() {
                return Err("the IP header's checksum is wrong".into());
            }
            let (source, destination) =
                (Ipv4Addr::from(header.source), Ipv4Addr::from(header.destination));
            let addresses: (IpAddr, IpAddr) = (source.into(), destination.into());
            (addresses, header.ecn, header.dont_fragment, header.protocol, rest)
        }
    };
    if protocol != IpNumber::TCP {
        return Err(format!("protocol {} is not TCP", protocol.0));
    }
    let (header, payload) = TcpHeader::from_slice(rest).map_err(|error| said(&error))?;
    let ends = Ends {
        stack: (addresses.0, header.source_port),
        peer: (addresses.1, header.destination_port),
    };
    if header.checksum != checksum(ends.reversed(), &header, payload) {
        return Err("the TCP checksum is wrong".into());
    }
    let ecn = match ecn {
        IpEcn::NotEct => Ecn::NotEct,
        IpEcn::Ect0 => Ecn::Ect0,
        IpEcn::Ect1 => Ecn::Ect1,
        IpEcn::CongestionExperienced => Ecn::Ce,
    };
    let segment = read_segment(&header, payload.len())?;
    let body = Body::Tcp(segment);
    Ok((Packet { flow: 0, ecn, dont_fragment: Some(dont_fragment), body }, ends, payload))
}

fn read_segment(header: &TcpHeader, len: usize) -> Result<Segment, String> {
    let flags = [
        (header.fin, Flags::FIN),
        (header.syn, Flags::SYN),
        (header.rst, Flags::RST),
        (header.psh, Flags::PSH),
        (header.ack, Flags::ACK),
        (header.urg, Flags::URG),
        (header.ece, Flags::ECE),
        (header.cwr, Flags::CWR),
    ]
    .iter()
    .filter(|(set, _)| *set)
    .fold(Flags::NONE, |all, (_, flag)| all | *flag);
    Ok(Segment {
        flags,
        seq: header.sequence_number,
        len: u32::try_from(len).map_err(|error| error.to_string())?,
        ack: header.ack.then_some(header.acknowledgment_number),
        window: Some(header.window_size),
        urgent: header.urg.then_some(header.urgent_pointer),
        options: Some(option_bytes::read(header.options.as_slice())?),
        fill: None,
        corrupt: false,
    })
}

#[cfg(test)]
mod tests;
