//! Which attributes and events are wanted.

use core::marker::PhantomData;

use serde::{Deserialize, Serialize};

/// A value that can be traced over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attribute {
    /// Sequence numbers of segments sent by a source.
    Seqno,
    /// Acknowledgment numbers received at a source.
    Ackno,
    /// cwnd of a source, in bytes.
    Congestion,
    /// ssthresh of a source, in bytes.
    Threshold,
    /// Bytes sent and not acknowledged at a source.
    SwndSize,
    /// The state of a wireless channel: 1 is GOOD, 0 is BAD.
    WlessState,
    /// Sequence numbers of data segments as they arrive at a router.
    RouterPktArrival,
}

/// A kind of event in the event text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// A host sends a segment for the first time.
    Sent,
    /// A segment or notice reaches its host.
    Received,
    /// A packet leaves a router.
    Forwarded,
    /// A frame is lost on the air.
    Corrupted,
    /// A packet dies, with its cause.
    Dropped,
    /// A segment is sent again, with the reason.
    Retransmitted,
    /// A retransmission timer runs out.
    Timeout,
    /// A link layer sends a notice.
    Notice,
    /// A channel changes its state.
    Channel,
}

/// A set of [`Attribute`]s or of [`EventKind`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Set<K> {
    bits: u16,
    kind: PhantomData<K>,
}

/// Kinds that fit into a [`Set`].
pub trait Member: Copy {
    /// The bit that stands for it.
    fn bit(self) -> u16;
}

impl Member for Attribute {
    fn bit(self) -> u16 {
        1 << self as u16
    }
}

impl Member for EventKind {
    fn bit(self) -> u16 {
        1 << self as u16
    }
}

impl Attribute {
    /// Every attribute.
    pub const ALL: [Self; 7] = [
        Self::Seqno,
        Self::Ackno,
        Self::Congestion,
        Self::Threshold,
        Self::SwndSize,
        Self::WlessState,
        Self::RouterPktArrival,
    ];

    /// Its abbreviated name in goel1997 B.4, as in file names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seqno => "seqno",
            Self::Ackno => "ackno",
            Self::Congestion => "congestion",
            Self::Threshold => "threshold",
            Self::SwndSize => "swnd_size",
            Self::WlessState => "wless_state",
            Self::RouterPktArrival => "router_pkt_arrival",
        }
    }
}

impl EventKind {
    /// Every kind of event.
    pub const ALL: [Self; 9] = [
        Self::Sent,
        Self::Received,
        Self::Forwarded,
        Self::Corrupted,
        Self::Dropped,
        Self::Retransmitted,
        Self::Timeout,
        Self::Notice,
        Self::Channel,
    ];
}

impl<K: Member> Set<K> {
    /// The set of nothing.
    pub const EMPTY: Self = Self { bits: 0, kind: PhantomData };

    /// Whether `member` is in the set.
    #[must_use]
    pub fn contains(self, member: K) -> bool {
        self.bits & member.bit() != 0
    }

    /// Whether nothing is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }
}

impl<K: Member> FromIterator<K> for Set<K> {
    fn from_iter<I: IntoIterator<Item = K>>(members: I) -> Self {
        members
            .into_iter()
            .fold(Self::EMPTY, |set, member| Self { bits: set.bits | member.bit(), ..set })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in_and_nothing_else() {
        let set = Set::from_iter([EventKind::Sent, EventKind::Channel, EventKind::Sent]);
        assert!(set.contains(EventKind::Sent) && set.contains(EventKind::Channel));
        assert!(!set.contains(EventKind::Received));
        assert!(Set::<Attribute>::EMPTY.is_empty() && !set.is_empty());
    }
}
