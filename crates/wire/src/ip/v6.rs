//! IPv6 (RFC 8200).

use core::net::Ipv6Addr;

use super::{IpHeader, Protocol};
use crate::Ecn;
use crate::malformed::{Malformed, Part};

/// Header without extensions, in bytes.
pub(super) const HEADER: usize = 40;

/// Extension headers of one packet that are looked at: each kind that netjoule
/// skips may occur only once or twice (RFC 8200 section 4.1).
const MAX_EXTENSIONS: usize = 4;
const HOP_BY_HOP: u8 = 0;
const FRAGMENT: u8 = 44;
const DESTINATION_OPTIONS: u8 = 60;

/// One byte of padding in an options header (RFC 8200 section 4.2).
const PAD_1: u8 = 0;

/// The fixed part of the header, which is as it should be, and what follows it
/// and the headers after it that are skipped.
#[inline]
pub(super) fn check(packet: &[u8]) -> Result<(&[u8; HEADER], Protocol, &[u8]), Malformed> {
    let fixed = fixed(packet, Part::Ipv6)?;
    let len: usize = u16::from_be_bytes([fixed[4], fixed[5]]).into();
    let payload =
        packet.get(HEADER..HEADER + len).ok_or(Malformed::Length { part: Part::Ipv6, len })?;
    let (protocol, payload) = upper(fixed, payload)?;
    Ok((fixed, protocol, payload))
}

/// The header in the quote of an ICMP error, and what follows it, which is a
/// part of the payload only.
pub(crate) fn quoted(packet: &[u8]) -> Result<(IpHeader, &[u8]), Malformed> {
    let fixed = fixed(packet, Part::Quote)?;
    let (protocol, payload) = upper(fixed, &packet[HEADER..])?;
    Ok((header(fixed, protocol, payload), payload))
}

fn fixed(packet: &[u8], part: Part) -> Result<&[u8; HEADER], Malformed> {
    packet.first_chunk().ok_or(Malformed::Truncated(part))
}

/// What the packet carries above IP.
#[inline]
fn upper<'p>(fixed: &[u8; HEADER], payload: &'p [u8]) -> Result<(Protocol, &'p [u8]), Malformed> {
    match fixed[6].into() {
        // Nearly always there is nothing to skip.
        Protocol::Tcp => Ok((Protocol::Tcp, payload)),
        _ => after_extensions(fixed[6], payload),
    }
}

/// The traffic class lies across the first two bytes.
#[inline]
pub(super) const fn ecn(fixed: &[u8; HEADER]) -> Ecn {
    Ecn::from_bits(fixed[1] >> 4)
}

/// Source and destination.
#[inline]
pub(super) fn addresses(fixed: &[u8; HEADER]) -> [Ipv6Addr; 2] {
    let address = |at: usize| {
        let octets: [u8; 16] = core::array::from_fn(|octet| fixed[at + octet]);
        Ipv6Addr::from_bits(u128::from_be_bytes(octets))
    };
    [address(8), address(24)]
}

pub(super) fn header(fixed: &[u8; HEADER], protocol: Protocol, payload: &[u8]) -> IpHeader {
    let [source, destination] = addresses(fixed);
    IpHeader {
        source: source.into(),
        destination: destination.into(),
        ecn: ecn(fixed),
        dont_fragment: true,
        hop_limit: fixed[7],
        protocol,
        payload_len: u16::try_from(payload.len()).unwrap_or(u16::MAX),
    }
}

/// What follows the options headers.
#[inline(never)]
fn after_extensions(mut next: u8, mut bytes: &[u8]) -> Result<(Protocol, &[u8]), Malformed> {
    for extension in 0..=MAX_EXTENSIONS {
        match next {
            // Only directly after the IPv6 header (RFC 8200 section 4.1).
            HOP_BY_HOP if extension == 0 => {}
            DESTINATION_OPTIONS if extension < MAX_EXTENSIONS => {}
            FRAGMENT => return Err(Malformed::Fragment(Part::Ipv6)),
            // Routing, ESP, AH, "no next header", mobility, HIP, Shim6, and the
            // two above where they are too many.
            HOP_BY_HOP | DESTINATION_OPTIONS | 43 | 50 | 51 | 59 | 135 | 139 | 140 => break,
            protocol => return Ok((protocol.into(), bytes)),
        }
        let &[after, units, ..] = bytes else { return Err(Malformed::Truncated(Part::Ipv6)) };
        let (options, rest) = bytes
            .split_at_checked(8 * (usize::from(units) + 1))
            .ok_or(Malformed::Truncated(Part::Ipv6))?;
        check_options(&options[2..])?;
        (next, bytes) = (after, rest);
    }
    Err(Malformed::ExtensionHeader(next))
}

/// Whether a packet with these options is fit for someone who knows none of
/// them: their types say so in the two highest bits.
fn check_options(mut options: &[u8]) -> Result<(), Malformed> {
    while let &[kind, ref rest @ ..] = options {
        if kind == PAD_1 {
            options = rest;
            continue;
        }
        let after = rest.split_first().and_then(|(&len, data)| data.get(len.into()..));
        match after {
            Some(after) if kind >> 6 == 0 => options = after,
            _ => return Err(Malformed::ExtensionOption(kind)),
        }
    }
    Ok(())
}

pub(super) fn emit(header: &IpHeader, source: Ipv6Addr, destination: Ipv6Addr, packet: &mut [u8]) {
    let packet: &mut [u8; HEADER] =
        packet.first_chunk_mut().expect("the packet has room for its header");
    packet[..4].copy_from_slice(&[0x60, header.ecn.bits() << 4, 0, 0]);
    packet[4..6].copy_from_slice(&header.payload_len.to_be_bytes());
    packet[6] = header.protocol.into();
    packet[7] = header.hop_limit;
    packet[8..24].copy_from_slice(&source.octets());
    packet[24..].copy_from_slice(&destination.octets());
}
