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

pub(super) fn parse(packet: &[u8]) -> Result<(IpHeader, &[u8]), Malformed> {
    let (fixed, header_len) = fixed(packet, Part::Ipv4)?;
    let header = packet
        .get(..header_len)
        .ok_or(Malformed::HeaderLength { part: Part::Ipv4, len: header_len })?;
    // Nearly all headers have no options: their length is known when this is
    // compiled.
    let sum = if header_len == HEADER { Sum::of(fixed) } else { Sum::of(header) };
    if !sum.is_valid() {
        return Err(Malformed::Checksum(Part::Ipv4));
    }
    let total: usize = u16::from_be_bytes([fixed[2], fixed[3]]).into();
    let payload =
        packet.get(header_len..total).ok_or(Malformed::Length { part: Part::Ipv4, len: total })?;
    let header = read(fixed, payload)?;
    Ok((header, payload))
}

/// The header in the quote of an ICMP error, and what follows it, which is a
/// part of the payload only. Its checksum is not verified: it may have been
/// quoted after its hop limit was changed.
pub(crate) fn quoted(packet: &[u8]) -> Result<(IpHeader, &[u8]), Malformed> {
    let (fixed, header_len) = fixed(packet, Part::Quote)?;
    let payload = packet
        .get(header_len..)
        .ok_or(Malformed::HeaderLength { part: Part::Quote, len: header_len })?;
    let header = read(fixed, payload)?;
    Ok((header, payload))
}

/// The fixed part, and the length of the whole header.
fn fixed(packet: &[u8], part: Part) -> Result<(&[u8; HEADER], usize), Malformed> {
    let fixed: &[u8; HEADER] = packet.first_chunk().ok_or(Malformed::Truncated(part))?;
    let len = usize::from(fixed[0] & 0x0f) * 4;
    if len < HEADER { Err(Malformed::HeaderLength { part, len }) } else { Ok((fixed, len)) }
}

fn read(fixed: &[u8; HEADER], payload: &[u8]) -> Result<IpHeader, Malformed> {
    let flags = u16::from_be_bytes([fixed[6], fixed[7]]);
    if flags & FRAGMENT != 0 {
        return Err(Malformed::Fragment(Part::Ipv4));
    }
    Ok(IpHeader {
        source: Ipv4Addr::new(fixed[12], fixed[13], fixed[14], fixed[15]).into(),
        destination: Ipv4Addr::new(fixed[16], fixed[17], fixed[18], fixed[19]).into(),
        ecn: Ecn::from_bits(fixed[1]),
        dont_fragment: flags & DONT_FRAGMENT != 0,
        hop_limit: fixed[8],
        protocol: Protocol::from(fixed[9]),
        payload_len: u16::try_from(payload.len()).unwrap_or(u16::MAX),
    })
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
