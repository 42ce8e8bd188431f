//! Packets as the simulator carries them.

use core::ops::{Index, IndexMut};

use netjoule_energy::ledger::Purpose;
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
    pub(crate) kind: Kind,
    /// What it is for, in the accounts of energy.
    pub(crate) purpose: Purpose,
    /// Length of the IP packet.
    pub(crate) size: Bytes,
    /// Index of the connection in the scenario.
    pub(crate) connection: u32,
}

impl Kind {
    /// How many there are.
    pub(crate) const COUNT: usize = 4;

    /// What energy spent on it is for.
    pub(crate) const fn purpose(self, is_retransmission: bool) -> Purpose {
        match self {
            Self::Data if is_retransmission => Purpose::Retransmission,
            Self::Data => Purpose::Payload,
            Self::Ack => Purpose::Acknowledgment,
            Self::Control | Self::Notice => Purpose::Control,
        }
    }

    pub(crate) const fn of(packet: &Packet) -> Self {
        match &packet.body {
            Body::Tcp(segment) if segment.is_data() => Self::Data,
            Body::Tcp(segment) if segment.is_control() => Self::Control,
            Body::Tcp(_) => Self::Ack,
            Body::Icmp(_) => Self::Notice,
        }
    }
}

/// Names a parcel under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ParcelId(u32);

/// The parcels under way. Queues and links hold their names only: a packet has
/// a hundred bytes, and passes through several of them at every hop.
#[derive(Debug, Default)]
pub(crate) struct Parcels {
    places: Vec<Parcel>,
    free: Vec<ParcelId>,
}

impl Parcels {
    pub(crate) fn insert(&mut self, parcel: Parcel) -> ParcelId {
        if let Some(id) = self.free.pop() {
            self[id] = parcel;
            return id;
        }
        self.places.push(parcel);
        #[expect(clippy::cast_possible_truncation, reason = "memory ends before")]
        ParcelId((self.places.len() - 1) as u32)
    }

    /// The packet has come to its end; another may get its name.
    pub(crate) fn remove(&mut self, id: ParcelId) {
        self.free.push(id);
    }
}

impl Index<ParcelId> for Parcels {
    type Output = Parcel;
    fn index(&self, id: ParcelId) -> &Parcel {
        &self.places[id.0 as usize]
    }
}

impl IndexMut<ParcelId> for Parcels {
    fn index_mut(&mut self, id: ParcelId) -> &mut Parcel {
        &mut self.places[id.0 as usize]
    }
}
