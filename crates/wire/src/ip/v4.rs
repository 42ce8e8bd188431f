//! IPv4 (RFC 791).

use core::net::Ipv4Addr;

use super::{IpHeader, Protocol};
use crate::Ecn;
use crate::checksum::Sum;
use crate::malformed::{Malformed, Part};

/// Header without options, in bytes.
pub(super) const HEADER: usize = 20;

/// The flag that forbids fragmentation.
const DONT_FRAGMENT: u16 = 0x4000;
/// More fragments follow, or the offset of this one in the whole.
const FRAGMENT: u16 = 0x3fff;

/// The fixed part of the header, which is as it should be, and the payload.
#[inline(always)]
pub(super) fn check(packet: &[u8]) -> Result<(&[u8; HEADER], &[u8]), Malformed> {
    let (fixed, header_len) = fixed(packet, Part::Ipv4)?;
    let header = packet
        .get(..header_len)
        .ok_or(Malformed::HeaderLength { part: Part::Ipv4, len: header_len })?;
    if !Sum::of_header::<HEADER>(header).is_valid() {
        return Err(Malformed::Checksum(Part::Ipv4));
    }
    let total: usize = u16::from_be_bytes([fixed[2], fixed[3]]).into();
    let payload =
        packet.get(header_len..total).ok_or(Malformed::Length { part: Part::Ipv4, len: total })?;
    refuse_fragment(fixed)?;
    Ok((fixed, payload))
}

/// The header in the quote of an ICMP error, and what follows it, which is a
/// part of the payload only. Its checksum is not verified: it may have been
/// quoted after its hop limit was changed.
pub(crate) fn quoted(packet: &[u8]) -> Result<(IpHeader, &[u8]), Malformed> {
    let (fixed, header_len) = fixed(packet, Part::Quote)?;
    let payload = packet
        .get(header_len..)
        .ok_or(Malformed::HeaderLength { part: Part::Quote, len: header_len })?;
    refuse_fragment(fixed)?;
    Ok((header(fixed, payload), payload))
}

/// The fixed part, and the length of the whole header.
fn fixed(packet: &[u8], part: Part) -> Result<(&[u8; HEADER], usize), Malformed> {
    let fixed: &[u8; HEADER] = packet.first_chunk().ok_or(Malformed::Truncated(part))?;
    let len = usize::from(fixed[0] & 0x0f) * 4;
    if len < HEADER { Err(Malformed::HeaderLength { part, len }) } else { Ok((fixed, len)) }
}

#[inline]
const fn flags(fixed: &[u8; HEADER]) -> u16 {
    u16::from_be_bytes([fixed[6], fixed[7]])
}

#[inline]
const fn refuse_fragment(fixed: &[u8; HEADER]) -> Result<(), Malformed> {
    if flags(fixed) & FRAGMENT != 0 { Err(Malformed::Fragment(Part::Ipv4)) } else { Ok(()) }
}

#[inline]
pub(super) fn protocol(fixed: &[u8; HEADER]) -> Protocol {
    fixed[9].into()
}

#[inline]
pub(super) const fn ecn(fixed: &[u8; HEADER]) -> Ecn {
    Ecn::from_bits(fixed[1])
}

/// Source and destination.
#[inline]
pub(super) fn addresses(fixed: &[u8; HEADER]) -> [Ipv4Addr; 2] {
    let address = |at: usize| {
        let octets = [fixed[at], fixed[at + 1], fixed[at + 2], fixed[at + 3]];
        Ipv4Addr::from_bits(u32::from_be_bytes(octets))
    };
    [address(12), address(16)]
}

pub(super) fn header(fixed: &[u8; HEADER], payload: &[u8]) -> IpHeader {
    let [source, destination] = addresses(fixed);
    IpHeader {
        source: source.into(),
        destination: destination.into(),
        ecn: ecn(fixed),
        dont_fragment: flags(fixed) & DONT_FRAGMENT != 0,
        hop_limit: fixed[8],
        protocol: protocol(fixed),
        payload_len: u16::try_from(payload.len()).unwrap_or(u16::MAX),
    }
}

pub(super) fn emit(
    header: &IpHeader,
    source: Ipv4Addr,
    destination: Ipv4Addr,
    identification: u16,
    packet: &mut [u8],
) {
    #[expect(clippy::cast_possible_truncation, reason = "20")]
    let total = header.payload_len.saturating_add(HEADER as u16);
    let flags = if header.dont_fragment { DONT_FRAGMENT } else { 0 };
    let words = [
        u32::from_be_bytes([0x45, header.ecn.bits(), 0, 0]) | u32::from(total),
        u32::from(identification) << 16 | u32::from(flags),
        u32::from_be_bytes([header.hop_limit, header.protocol.into(), 0, 0]),
        source.to_bits(),
        destination.to_bits(),
    ];
    let checksum = Sum::of_words(words).finish();
    let packet: &mut [u8; HEADER] =
        packet.first_chunk_mut().expect("the packet has room for its header");
    for (to, word) in packet.as_chunks_mut().0.iter_mut().zip(words) {
        *to = word.to_be_bytes();
    }
    packet[10..12].copy_from_slice(&checksum.to_be_bytes());
}
