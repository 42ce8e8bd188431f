//! Packets as the simulator carries them.

use netjoule_units::Bytes;
use netjoule_wire::{Body, Packet};

/// What a packet is to its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A data segment.
    Data,
    /// A pure acknowledgment.
    Ack,
    /// A SYN, FIN or RST without payload.
    Control,
    /// A notice of a link layer.
    Notice,
}

/// A packet with the connection whose account it is on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parcel {
    pub(crate) packet: Packet,
    /// Length of the IP packet.
    pub(crate) size: Bytes,
    /// Index of the connection in the scenario.
    pub(crate) connection: u32,
}

impl Parcel {
    pub(crate) const fn kind(&self) -> Kind {
        match &self.packet.body {
            Body::Tcp(segment) if segment.is_data() => Kind::Data,
            Body::Tcp(segment) if segment.is_control() => Kind::Control,
            Body::Tcp(_) => Kind::Ack,
            Body::Icmp(_) => Kind::Notice,
        }
    }
}
