//! ICMP errors: what the network tells the sender of a segment (RFC 792,
//! RFC 4443).
//!
//! Every error quotes the packet that it is about: its IP header and at least
//! the first eight bytes of its segment, which hold ports and sequence number.
//! Messages that are not errors, and errors about other things than TCP, are
//! refused: netjoule has no use for them.
//!
//! The two messages of goel1997, ICMP-DEFER and ICMP-RETRANSMIT, have no
//! assigned types. On the wire they take those that are reserved for
//! experiments: 253 and 254 in ICMP for IPv4 (RFC 4727), 100 and 101 in ICMPv6
//! (RFC 4443 section 2.1). Their code and the four bytes after the checksum are
//! zero. Whoever does not know them ignores them.

mod numbers;

use core::net::{IpAddr, SocketAddr};

use crate::checksum::Sum;
use crate::ip::{self, IpHeader, Protocol};
use crate::malformed::{Malformed, Part};
use crate::{Ecn, NoticeKind, SeqNumber};

/// Bytes before the quote.
pub const HEADER_BYTES: usize = 8;
/// Bytes of the quoted packet's payload that hold ports and sequence number.
pub(crate) const QUOTED_PAYLOAD: usize = 8;
/// ICMPv6 errors quote what fits into the smallest MTU (RFC 4443 section 2.4).
const IPV6_MIN_MTU: usize = 1280;

/// An ICMP error about a TCP segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// What is wrong.
    pub error: Error,
    /// The segment that it is about.
    pub quote: Quote,
}

/// What is wrong with a segment that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// It cannot reach its destination.
    Unreachable(Unreachable),
    /// It is too long for a link on its path, and must not be fragmented.
    TooBig {
        /// The longest packet that the link takes, in bytes. 0 from old
        /// routers that do not say (RFC 1191 section 5).
        mtu: u32,
    },
    /// Its hop limit was used up, or its fragments did not come in time.
    TimeExceeded,
    /// Somebody could not understand its header.
    ParameterProblem {
        /// Where in the packet, in bytes from its beginning.
        pointer: u32,
    },
    /// A plea to send less, of which nobody shall take notice any more
    /// (RFC 6633).
    SourceQuench,
    /// A message of a link layer on the path.
    Notice(NoticeKind),
}

/// Why a destination cannot be reached. For TCP some causes are hard errors
/// and some soft (RFC 1122 section 4.2.3.9); what follows from that is the
/// engine's business (RFC 5461, RFC 5927).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unreachable {
    /// No route to its network.
    Network,
    /// No answer from the host.
    Host,
    /// The host does not speak TCP.
    Protocol,
    /// Nobody listens at the port.
    Port,
    /// Somebody does not allow it.
    Prohibited,
    /// Another reason, by its code.
    Other(u8),
}

impl Unreachable {
    /// Whether it is a hard error: the destination itself says that nobody is
    /// there (RFC 1122 section 4.2.3.9; RFC 5461 section 2.1).
    #[must_use]
    pub const fn is_hard(self) -> bool {
        matches!(self, Self::Protocol | Self::Port)
    }
}

/// The segment that an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quote {
    /// Its source.
    pub source: SocketAddr,
    /// Its destination.
    pub destination: SocketAddr,
    /// Its sequence number.
    pub seq: SeqNumber,
}

/// Reads the message that `bytes`, the payload of an IP packet with the header
/// `ip`, are.
///
/// # Errors
/// What is wrong, or not an error about a TCP segment.
pub fn parse(bytes: &[u8], ip: &IpHeader) -> Result<Message, Malformed> {
    let (header, quote): (&[u8; HEADER_BYTES], _) =
        bytes.split_first_chunk().ok_or(Malformed::Truncated(Part::Icmp))?;
    let is_v6 = match (ip.protocol, ip.source) {
        (Protocol::Icmp, IpAddr::V4(_)) => false,
        (Protocol::Icmpv6, IpAddr::V6(_)) => true,
        (other, _) => return Err(Malformed::Protocol(other.into())),
    };
    let pseudo = pseudo_of(ip);
    if !pseudo.then(Sum::of(bytes), false).is_valid() {
        return Err(Malformed::Checksum(Part::Icmp));
    }
    let [kind, code, _, _, a, b, c, d] = *header;
    let rest = u32::from_be_bytes([a, b, c, d]);
    let error = if is_v6 {
        numbers::error_of_v6(kind, code, rest)
    } else {
        numbers::error_of_v4(kind, code, rest)
    };
    Ok(Message { error: error.ok_or(Malformed::IcmpType(kind))?, quote: quote_of(quote, is_v6)? })
}

/// ICMPv6 has a pseudo-header in its checksum, ICMP for IPv4 has none.
fn pseudo_of(ip: &IpHeader) -> Sum {
    if ip.source.is_ipv6() { ip.pseudo() } else { Sum::default() }
}

/// Reads a quoted packet.
fn quote_of(packet: &[u8], is_v6: bool) -> Result<Quote, Malformed> {
    let (ip, segment) = if is_v6 { ip::quoted_v6(packet) } else { ip::quoted_v4(packet) }?;
    if ip.protocol != Protocol::Tcp {
        return Err(Malformed::Protocol(ip.protocol.into()));
    }
    let &[a, b, c, d, e, f, g, h] =
        segment.first_chunk::<QUOTED_PAYLOAD>().ok_or(Malformed::Truncated(Part::Quote))?;
    Ok(Quote {
        source: SocketAddr::new(ip.source, u16::from_be_bytes([a, b])),
        destination: SocketAddr::new(ip.destination, u16::from_be_bytes([c, d])),
        seq: SeqNumber::new(u32::from_be_bytes([e, f, g, h])),
    })
}

/// Replaces the contents of `packet` with the IP packet in which `from` tells
/// the source of `offending`, an IP packet, of an error. In IPv4 it quotes the
/// IP header and eight bytes (RFC 792), in IPv6 as much as the smallest MTU
/// allows (RFC 4443 section 2.4).
///
/// # Errors
/// What is wrong with the header of `offending`; a source quench, which nobody
/// shall send any more (RFC 6633 section 3).
///
/// # Panics
/// If `from` is not of the IP version of `offending`.
pub fn emit(
    error: Error,
    from: IpAddr,
    offending: &[u8],
    packet: &mut Vec<u8>,
) -> Result<(), Malformed> {
    let (about, protocol, quoted) = if from.is_ipv6() {
        let (about, _) = ip::quoted_v6(offending)?;
        let room = IPV6_MIN_MTU - ip::IPV6_HEADER_BYTES - HEADER_BYTES;
        (about, Protocol::Icmpv6, room)
    } else {
        let (about, payload) = ip::quoted_v4(offending)?;
        (about, Protocol::Icmp, offending.len() - payload.len() + QUOTED_PAYLOAD)
    };
    let header = IpHeader {
        source: from,
        destination: about.source,
        ecn: Ecn::NotEct,
        dont_fragment: true,
        hop_limit: ip::HOP_LIMIT,
        protocol,
        payload_len: 0,
    };
    write(error, header, &offending[..quoted.min(offending.len())], packet)
}

/// Replaces the contents of `packet` with an error about a packet of which
/// `quote` is the beginning, under the IP header `header` with its length.
pub(crate) fn write(
    error: Error,
    mut header: IpHeader,
    quote: &[u8],
    packet: &mut Vec<u8>,
) -> Result<(), Malformed> {
    let is_v6 = header.protocol == Protocol::Icmpv6;
    let numbers = if is_v6 { numbers::of_error_v6(error) } else { numbers::of_error_v4(error) };
    let (kind, code, rest) = numbers.ok_or(Malformed::IcmpType(numbers::v4::SOURCE_QUENCH))?;
    let len = HEADER_BYTES + quote.len();
    header.payload_len =
        u16::try_from(len).map_err(|_| Malformed::Length { part: Part::Icmp, len })?;
    packet.clear();
    packet.resize(header.header_len(), 0);
    ip::emit(&header, 0, packet);
    packet.extend([kind, code, 0, 0]);
    packet.extend(rest.to_be_bytes());
    packet.extend(quote);
    let message = &mut packet[header.header_len()..];
    let checksum = pseudo_of(&header).then(Sum::of(message), false).finish();
    message[2..4].copy_from_slice(&checksum.to_be_bytes());
    Ok(())
}

#[cfg(test)]
mod tests;
