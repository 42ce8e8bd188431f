//! IP packets read where they lie.

use core::net::{Ipv4Addr, Ipv6Addr};

use super::{IpHeader, Protocol, v4, v6};
use crate::Ecn;
use crate::checksum::Sum;
use crate::malformed::{Malformed, Part};

/// An IP packet whose header is as it should be. What is not asked for is not
/// read: a receiver looks up a connection and adds up a pseudo-header without
/// making an [`IpHeader`].
#[derive(Clone, Copy, Debug)]
pub struct View<'p> {
    fixed: Fixed<'p>,
    protocol: Protocol,
    payload: &'p [u8],
}

/// A header's fixed part.
#[derive(Clone, Copy, Debug)]
enum Fixed<'p> {
    V4(&'p [u8; v4::HEADER]),
    V6(&'p [u8; v6::HEADER]),
}

impl<'p> View<'p> {
    /// Looks at the header of `packet`. Bytes after the packet as its header
    /// measures it are padding, and left out.
    ///
    /// # Errors
    /// What is wrong, or not understood.
    #[inline(always)]
    pub fn new(packet: &'p [u8]) -> Result<Self, Malformed> {
        match packet.first().map(|first| first >> 4) {
            Some(4) => {
                let (fixed, payload) = v4::check(packet)?;
                Ok(Self { fixed: Fixed::V4(fixed), protocol: v4::protocol(fixed), payload })
            }
            Some(6) => {
                let (fixed, protocol, payload) = v6::check(packet)?;
                Ok(Self { fixed: Fixed::V6(fixed), protocol, payload })
            }
            Some(version) => Err(Malformed::Version(version)),
            None => Err(Malformed::Truncated(Part::Ip)),
        }
    }

    /// What the payload is.
    #[inline]
    #[must_use]
    pub const fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// What the packet carries.
    #[inline]
    #[must_use]
    pub const fn payload(&self) -> &'p [u8] {
        self.payload
    }

    /// What routers have to say of congestion.
    #[inline]
    #[must_use]
    pub const fn ecn(&self) -> Ecn {
        match self.fixed {
            Fixed::V4(fixed) => v4::ecn(fixed),
            Fixed::V6(fixed) => v6::ecn(fixed),
        }
    }

    /// Source and destination; IPv4's as those of IPv6 that stand for them (RFC
    /// 4291 section 2.5.5.2).
    #[inline]
    #[must_use]
    pub fn addresses(&self) -> [Ipv6Addr; 2] {
        match self.fixed {
            Fixed::V4(fixed) => {
                let mapped = |address: Ipv4Addr| {
                    Ipv6Addr::from_bits(0xffff << 32 | u128::from(address.to_bits()))
                };
                v4::addresses(fixed).map(mapped)
            }
            Fixed::V6(fixed) => v6::addresses(fixed),
        }
    }

    /// The addresses of an IPv4 packet, and the first four bytes of its payload,
    /// as they lie there: what tells two flows of packets apart without a closer
    /// look. Zero means nothing.
    #[inline]
    #[must_use]
    pub fn flow_bits(&self) -> (u64, u32) {
        match (self.fixed, self.payload.first_chunk()) {
            (Fixed::V4(&[.., a, b, c, d, e, f, g, h]), Some(&ports)) => {
                (u64::from_ne_bytes([a, b, c, d, e, f, g, h]), u32::from_ne_bytes(ports))
            }
            _ => (0, 0),
        }
    }

    /// Whether the addresses of an IPv6 packet are those that stand for IPv4's:
    /// such packets are not sent (RFC 4038 section 4.2).
    #[inline]
    #[must_use]
    pub fn is_disguised(&self) -> bool {
        match self.fixed {
            Fixed::V4(_) => false,
            Fixed::V6(fixed) => {
                v6::addresses(fixed).into_iter().any(|it| it.to_ipv4_mapped().is_some())
            }
        }
    }

    /// The sum of the pseudo-header: see [`IpHeader::pseudo`].
    #[inline]
    #[must_use]
    pub fn pseudo(&self) -> Sum {
        let addresses = match self.fixed {
            Fixed::V4(fixed) => Sum::of(&fixed[12..]),
            Fixed::V6(fixed) => Sum::of(&fixed[8..]),
        };
        let len = u16::try_from(self.payload.len()).unwrap_or(u16::MAX);
        addresses.add_u32(u32::from(u8::from(self.protocol)) + u32::from(len))
    }

    /// All that the header says.
    #[must_use]
    pub fn header(&self) -> IpHeader {
        match self.fixed {
            Fixed::V4(fixed) => v4::header(fixed, self.payload),
            Fixed::V6(fixed) => v6::header(fixed, self.protocol, self.payload),
        }
    }
}
