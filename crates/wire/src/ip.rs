//! IPv4 and IPv6 headers.
//!
//! What netjoule has no use for is written as zero and skipped when read: the
//! differentiated services field, flow labels, options. Fragments are refused.

mod v4;
mod v6;
mod view;

use core::net::IpAddr;

use crate::checksum::Sum;
use crate::malformed::Malformed;
use crate::{Address, Ecn};

pub(crate) use v4::quoted as quoted_v4;
pub(crate) use v6::quoted as quoted_v6;
pub use view::View;

/// IPv4 header without options, in bytes (RFC 791 section 3.1).
pub const IPV4_HEADER_BYTES: usize = v4::HEADER;
/// IPv6 header without extensions, in bytes (RFC 8200 section 3).
pub const IPV6_HEADER_BYTES: usize = v6::HEADER;
/// The hop limit of packets that begin here: the IANA's recommended default.
pub const HOP_LIMIT: u8 = 64;

/// What an IP header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpHeader {
    /// Who made the packet.
    pub source: IpAddr,
    /// Who shall get it; of the same version as `source`.
    pub destination: IpAddr,
    /// What routers have to say of congestion.
    pub ecn: Ecn,
    /// Whether routers must not cut the packet (always so in IPv6).
    pub dont_fragment: bool,
    /// Hops that it may still take: TTL in IPv4.
    pub hop_limit: u8,
    /// What the payload is.
    pub protocol: Protocol,
    /// Bytes after this header, and after the options and extension headers
    /// that were skipped.
    pub payload_len: u16,
}

/// What an IP packet carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// TCP.
    Tcp,
    /// ICMP for IPv4.
    Icmp,
    /// ICMP for IPv6.
    Icmpv6,
    /// Anything else, by its number.
    Other(u8),
}

impl IpHeader {
    /// Bytes that [`emit`] writes.
    #[must_use]
    pub const fn header_len(&self) -> usize {
        if self.source.is_ipv4() { v4::HEADER } else { v6::HEADER }
    }

    /// The sum of the pseudo-header that TCP and ICMPv6 checksums cover besides
    /// their own bytes (RFC 9293 section 3.1, RFC 8200 section 8.1).
    #[must_use]
    pub fn pseudo(&self) -> Sum {
        pseudo(self.source, self.destination, self.protocol).add_u16(self.payload_len)
    }
}

/// As [`IpHeader::pseudo`], without the length.
pub(crate) fn pseudo(source: IpAddr, destination: IpAddr, protocol: Protocol) -> Sum {
    let addresses = match (source, destination) {
        (IpAddr::V4(source), IpAddr::V4(destination)) => {
            Sum::default().add_u32(source.to_bits()).add_u32(destination.to_bits())
        }
        (IpAddr::V6(source), IpAddr::V6(destination)) => {
            let (source, destination) = (source.octets(), destination.octets());
            Sum::of(&source).then(Sum::of(&destination), false)
        }
        _ => two_versions(),
    };
    addresses.add_u16(u8::from(protocol).into())
}

/// Reads the header of `packet` and returns its payload. Bytes after the packet
/// as its header measures it are padding, and left out.
///
/// # Errors
/// What is wrong, or not understood.
#[inline]
pub fn parse(packet: &[u8]) -> Result<(IpHeader, &[u8]), Malformed> {
    let view = View::new(packet)?;
    Ok((view.header(), view.payload()))
}

/// Writes `header` to the first [`IpHeader::header_len`] bytes of `packet`.
///
/// `identification` goes into IPv4 headers. It matters only where routers may
/// fragment (RFC 6864 section 4): without `dont_fragment` it must be new for
/// each packet.
///
/// # Panics
/// If `packet` is shorter, or the addresses are of two versions.
pub fn emit(header: &IpHeader, identification: u16, packet: &mut [u8]) {
    match (header.source, header.destination) {
        (IpAddr::V4(source), IpAddr::V4(destination)) => {
            v4::emit(header, source, destination, identification, packet);
        }
        (IpAddr::V6(source), IpAddr::V6(destination)) => {
            v6::emit(header, source, destination, packet);
        }
        _ => two_versions(),
    }
}

#[cold]
fn two_versions() -> ! {
    panic!("source and destination are of one IP version")
}

impl From<u8> for Protocol {
    fn from(number: u8) -> Self {
        match number {
            1 => Self::Icmp,
            6 => Self::Tcp,
            58 => Self::Icmpv6,
            other => Self::Other(other),
        }
    }
}

impl From<Protocol> for u8 {
    fn from(protocol: Protocol) -> Self {
        match protocol {
            Protocol::Icmp => 1,
            Protocol::Tcp => 6,
            Protocol::Icmpv6 => 58,
            Protocol::Other(number) => number,
        }
    }
}

impl Ecn {
    /// The two low bits of the traffic class (RFC 3168 section 5).
    #[must_use]
    pub const fn bits(self) -> u8 {
        match self {
            Self::NotEct => 0b00,
            Self::Ect1 => 0b01,
            Self::Ect0 => 0b10,
            Self::Ce => 0b11,
        }
    }

    /// From a traffic class, of which the two low bits count.
    #[must_use]
    pub const fn from_bits(traffic_class: u8) -> Self {
        match traffic_class & 0b11 {
            0b00 => Self::NotEct,
            0b01 => Self::Ect1,
            0b10 => Self::Ect0,
            _ => Self::Ce,
        }
    }
}

impl From<Address> for IpAddr {
    fn from(address: Address) -> Self {
        Self::V4(core::net::Ipv4Addr::from_bits(address.0))
    }
}

#[cfg(test)]
mod tests;
