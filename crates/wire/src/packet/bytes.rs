//! Simulated packets as the bytes of real ones, and back.

use core::net::IpAddr;

use super::{Address, Body, Flow, Notice, Packet};
use crate::checksum::Sum;
use crate::icmp::QUOTED_PAYLOAD;
use crate::ip::{self, HOP_LIMIT, IPV4_HEADER_BYTES, IpHeader, Protocol};
use crate::malformed::{Malformed, Part};
use crate::{Ecn, Segment, SeqRange, icmp, tcp};

/// Replaces the contents of `bytes` with the IPv4 packet that `packet` is.
/// `payload` gives the bytes of a range of the sequence space ([`pattern`], if
/// there are none).
///
/// [`parse`] gives the same packet back if its window scale, if it has one, is
/// 14 or less.
///
/// # Errors
/// [`Malformed::Length`] if it is longer than an IPv4 packet can be.
///
/// # Panics
/// If its options take more than 40 bytes.
pub fn emit(
    packet: &Packet,
    payload: impl FnMut(SeqRange, &mut [u8]),
    bytes: &mut Vec<u8>,
) -> Result<(), Malformed> {
    match &packet.body {
        Body::Tcp(segment) => emit_segment(packet, segment, payload, bytes),
        Body::Icmp(notice) => emit_notice(packet, notice, bytes),
    }
}

fn emit_segment(
    packet: &Packet,
    segment: &Segment,
    mut payload: impl FnMut(SeqRange, &mut [u8]),
    bytes: &mut Vec<u8>,
) -> Result<(), Malformed> {
    let len = u64::from(segment.header_len()) + u64::from(segment.len);
    let header = header(packet, Protocol::Tcp, len)?;
    bytes.clear();
    bytes.resize(header.header_len() + usize::from(header.payload_len), 0);
    ip::emit(&header, 0, bytes);
    let bytes = &mut bytes[header.header_len()..];
    let data = &mut bytes[segment.header_len() as usize..];
    payload(segment.range(), data);
    let sum = Sum::of(data);
    tcp::emit(segment, header.pseudo(), sum, bytes);
    Ok(())
}

/// Of the segment that the notice is about it has what an ICMP error quotes;
/// the rest of the quoted header is that of a segment without payload.
fn emit_notice(packet: &Packet, notice: &Notice, bytes: &mut Vec<u8>) -> Result<(), Malformed> {
    let Flow { source, destination, source_port, destination_port } = notice.flow;
    let about = Segment { source_port, destination_port, seq: notice.seq, ..Segment::default() };
    let (ecn, body) = (Ecn::NotEct, Body::Tcp(about));
    let about = Packet { source, destination, ecn, body };
    let mut quote = Vec::with_capacity(64);
    emit(&about, |_, _| {}, &mut quote)?;
    quote.truncate(IPV4_HEADER_BYTES + QUOTED_PAYLOAD);
    icmp::write(icmp::Error::Notice(notice.kind), header(packet, Protocol::Icmp, 0)?, &quote, bytes)
}

fn header(packet: &Packet, protocol: Protocol, payload_len: u64) -> Result<IpHeader, Malformed> {
    let total = payload_len + IPV4_HEADER_BYTES as u64;
    let too_long =
        Malformed::Length { part: Part::Ipv4, len: usize::try_from(total).unwrap_or(usize::MAX) };
    let payload_len =
        u16::try_from(payload_len).ok().filter(|_| u16::try_from(total).is_ok()).ok_or(too_long)?;
    Ok(IpHeader {
        source: packet.source.into(),
        destination: packet.destination.into(),
        ecn: packet.ecn,
        dont_fragment: true,
        hop_limit: HOP_LIMIT,
        protocol,
        payload_len,
    })
}

/// Reads the IPv4 packet `bytes`, TCP or one of the two notices.
///
/// # Errors
/// What is wrong, or nothing that a simulation sends.
pub fn parse(bytes: &[u8]) -> Result<Packet, Malformed> {
    let (ip, payload) = ip::parse(bytes)?;
    let (source, destination) = (address(ip.source)?, address(ip.destination)?);
    let body = match ip.protocol {
        Protocol::Tcp => Body::Tcp(tcp::parse(payload, ip.pseudo())?.0),
        Protocol::Icmp => Body::Icmp(notice(&icmp::parse(payload, &ip)?)?),
        other => return Err(Malformed::Protocol(other.into())),
    };
    Ok(Packet { source, destination, ecn: ip.ecn, body })
}

fn notice(message: &icmp::Message) -> Result<Notice, Malformed> {
    let icmp::Error::Notice(kind) = message.error else { return Err(Malformed::NotSimulated) };
    let icmp::Quote { source, destination, seq } = message.quote;
    let flow = Flow {
        source: address(source.ip())?,
        destination: address(destination.ip())?,
        source_port: source.port(),
        destination_port: destination.port(),
    };
    Ok(Notice { kind, flow, seq })
}

const fn address(address: IpAddr) -> Result<Address, Malformed> {
    match address {
        IpAddr::V4(address) => Ok(Address(address.to_bits())),
        IpAddr::V6(_) => Err(Malformed::NotSimulated),
    }
}

/// Fills `bytes` with what stands for the payload of `range` where there is
/// none: for each sequence number one byte that depends on it alone, whichever
/// segment it is in.
pub fn pattern(range: SeqRange, bytes: &mut [u8]) {
    let mut seq = range.start.get();
    for byte in bytes {
        // The low byte alone would not tell one run of 256 from the next.
        *byte = (seq ^ seq >> 8).to_le_bytes()[0];
        seq = seq.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests;
