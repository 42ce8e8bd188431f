//! Why bytes are refused.

use thiserror::Error;

/// What of a packet could not be understood. Each message names the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum Malformed {
    /// The bytes end inside a header.
    #[error("{0} header: the bytes end inside it")]
    Truncated(Part),
    /// Neither IPv4 nor IPv6.
    #[error("IP version: expected 4 or 6, found {0}")]
    Version(u8),
    /// The length that a header gives for itself, in bytes, does not hold its
    /// fixed part or more than there is.
    #[error("{part} header length: {len} bytes are too few or more than there are")]
    HeaderLength {
        /// Whose header.
        part: Part,
        /// Bytes.
        len: usize,
    },
    /// The length of a packet, in bytes, is not one that this packet can have.
    #[error("{part} packet length: {len} bytes are too few or too many")]
    Length {
        /// Of which protocol.
        part: Part,
        /// Bytes.
        len: usize,
    },
    /// The bytes do not add up.
    #[error("{0} checksum: does not match")]
    Checksum(Part),
    /// A part of a packet. netjoule sends packets whole and asks others to.
    #[error("{0} fragment: fragments are not put together")]
    Fragment(Part),
    /// An IPv6 extension header other than hop-by-hop and destination options,
    /// or too many of those.
    #[error("IPv6 next header: {0} is not understood there")]
    ExtensionHeader(u8),
    /// An option in an IPv6 extension header whose type says that a packet
    /// with it is to be discarded by those who do not know it (RFC 8200
    /// section 4.2), or that runs past its header.
    #[error("IPv6 option: type {0} is not understood")]
    ExtensionOption(u8),
    /// A TCP option runs past the header, or has a length of 0 or 1.
    #[error("TCP option: kind {0} has an impossible length")]
    TcpOption(u8),
    /// An ICMP message that does not report an error of a packet sent.
    #[error("ICMP type: {0} reports no error")]
    IcmpType(u8),
    /// Something that netjoule does not speak.
    #[error("protocol: expected TCP or ICMP, found {0}")]
    Protocol(u8),
    /// What no simulated node sends: IPv6, or an ICMP error other than the two
    /// notices.
    #[error("simulated packet: expected IPv4 with TCP or a notice")]
    NotSimulated,
}

/// What a [`Malformed`] field belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// IP, before its version is known.
    Ip,
    /// IPv4 (RFC 791).
    Ipv4,
    /// IPv6 (RFC 8200).
    Ipv6,
    /// TCP (RFC 9293).
    Tcp,
    /// ICMP (RFC 792, RFC 4443).
    Icmp,
    /// The packet that an ICMP error quotes.
    Quote,
}

impl core::fmt::Display for Part {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Ip => "IP",
            Self::Ipv4 => "IPv4",
            Self::Ipv6 => "IPv6",
            Self::Tcp => "TCP",
            Self::Icmp => "ICMP",
            Self::Quote => "quoted",
        })
    }
}
