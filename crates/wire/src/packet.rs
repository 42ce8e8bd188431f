//! Packets: IP with a TCP segment or an ICMP notice inside.

mod bytes;

use core::fmt;

use netjoule_units::Bytes;
use serde::{Deserialize, Serialize};

use crate::{Segment, SeqNumber};

pub use bytes::{emit, parse, pattern};

/// The address of a host or router: the bits of an IPv4 address. Routers look
/// at nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u32);

/// The four values that name one direction of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flow {
    /// Where its segments come from.
    pub source: Address,
    /// Where its segments go.
    pub destination: Address,
    /// The sender's port.
    pub source_port: u16,
    /// The receiver's port.
    pub destination_port: u16,
}

/// What the IP header says of congestion (RFC 3168 section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ecn {
    /// The transport does not understand ECN.
    #[default]
    NotEct,
    /// ECT(1).
    Ect1,
    /// ECT(0): a router may mark the packet in place of dropping it.
    Ect0,
    /// Congestion experienced.
    Ce,
}

/// What a link layer tells the source of a segment (goel1997 5.4.1, 5.5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoticeKind {
    /// ICMP-DEFER: the first attempt over the wireless link failed, more follow.
    Defer,
    /// ICMP-RETRANSMIT: every attempt failed, the segment is lost.
    Retransmit,
}

/// An ICMP error message of one of the two new types. Like every ICMP error
/// it quotes the IP header and the first eight bytes of the packet that caused
/// it (RFC 792): addresses, ports and sequence number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Which of the two messages.
    pub kind: NoticeKind,
    /// The flow of the quoted segment.
    pub flow: Flow,
    /// The sequence number of the quoted segment.
    pub seq: SeqNumber,
}

/// What an IP packet carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// A TCP segment.
    Tcp(Segment),
    /// A message from a link layer on the path.
    Icmp(Notice),
}

/// An IP packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Who made it.
    pub source: Address,
    /// Who shall get it.
    pub destination: Address,
    /// What its header says of congestion.
    pub ecn: Ecn,
    /// What it carries.
    pub body: Body,
}

/// Simulated hosts number the ports of their connections from this one up.
pub const FIRST_PORT: u16 = 1024;

/// Whether packets have their headers' length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Headers {
    /// IPv4 (20 bytes), TCP (20 bytes and its options) and ICMP (8 bytes and
    /// the 28 it quotes).
    #[default]
    Standard,
    /// Payload bytes alone, as in the simulator of goel1997: acknowledgments
    /// and notices have no length.
    None,
}

/// IPv4 header without options (RFC 791 section 3.1).
const IPV4_HEADER_BYTES: u64 = 20;
/// ICMP error header, and the quoted IP header with eight bytes of its payload
/// (RFC 792).
const ICMP_NOTICE_BYTES: u64 = 8 + IPV4_HEADER_BYTES + 8;

impl Address {
    /// The address of a scenario's first node, 10.0.0.1: the private addresses
    /// of RFC 1918 are enough for 2^24 nodes.
    const FIRST: u32 = 0x0a00_0001;

    /// The address of the node at `index` in a scenario.
    #[must_use]
    pub fn of_node(index: usize) -> Self {
        Self(u32::try_from(index).map_or(u32::MAX, |index| Self::FIRST.saturating_add(index)))
    }

    /// The index of the node with this address.
    #[must_use]
    pub fn node(self) -> Option<usize> {
        usize::try_from(self.0.checked_sub(Self::FIRST)?).ok()
    }
}

impl Flow {
    /// The flow of the segments that come back.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self {
            source: self.destination,
            destination: self.source,
            source_port: self.destination_port,
            destination_port: self.source_port,
        }
    }
}

impl Packet {
    /// The IP packet's length.
    #[must_use]
    pub fn size(&self, headers: Headers) -> Bytes {
        let (header, payload) = match &self.body {
            Body::Tcp(segment) => (u64::from(segment.header_len()), u64::from(segment.len)),
            Body::Icmp(_) => (ICMP_NOTICE_BYTES, 0),
        };
        Bytes::new(match headers {
            Headers::Standard => IPV4_HEADER_BYTES + header + payload,
            Headers::None => payload,
        })
    }

    /// The flow of the TCP segment inside; `None` for ICMP.
    #[must_use]
    pub const fn flow(&self) -> Option<Flow> {
        match &self.body {
            Body::Tcp(segment) => Some(Flow {
                source: self.source,
                destination: self.destination,
                source_port: segment.source_port,
                destination_port: segment.destination_port,
            }),
            Body::Icmp(_) => None,
        }
    }
}

impl fmt::Display for NoticeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Defer => "ICMP-DEFER",
            Self::Retransmit => "ICMP-RETRANSMIT",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_standards() {
        let flow = Flow {
            source: Address(1),
            destination: Address(2),
            source_port: 3,
            destination_port: 4,
        };
        let packet = |body| Packet {
            source: flow.source,
            destination: flow.destination,
            ecn: Ecn::NotEct,
            body,
        };
        let segment = |len| {
            packet(Body::Tcp(Segment {
                source_port: flow.source_port,
                destination_port: flow.destination_port,
                len,
                ..Segment::default()
            }))
        };
        let notice =
            packet(Body::Icmp(Notice { kind: NoticeKind::Defer, flow, seq: SeqNumber::new(0) }));

        assert_eq!(segment(1024).size(Headers::Standard), Bytes::new(1064));
        assert_eq!(segment(0).size(Headers::Standard), Bytes::new(40));
        assert_eq!(notice.size(Headers::Standard), Bytes::new(56));
        assert_eq!(segment(1024).size(Headers::None), Bytes::new(1024));
        assert_eq!(segment(0).size(Headers::None), Bytes::ZERO);
        assert_eq!(notice.size(Headers::None), Bytes::ZERO);
        assert_eq!(segment(0).flow(), Some(flow));
        assert_eq!(flow.reversed().reversed(), flow);
    }

    #[test]
    fn nodes_have_addresses_of_a_private_network() {
        assert_eq!(Address::of_node(0).to_string(), "10.0.0.1");
        assert_eq!(Address::of_node(300).to_string(), "10.0.1.45");
        assert_eq!(Address::of_node(300).node(), Some(300));
        assert_eq!(Address(7).node(), None);
    }
}
