//! Frames: what stations are given, and what is on the air.

use netjoule_energy::ledger::Purpose;
use netjoule_units::{Bytes, Instant};

use super::phy::{Mode, PhyKind};

/// MAC header with three addresses, and FCS (section 8.2.3), in bytes.
pub(super) const MAC_BYTES: u64 = 24 + 4;
/// The QoS control field of 802.11n's data frames, in bytes.
const QOS_BYTES: u64 = 2;
/// LLC and SNAP in front of an IP packet (RFC 1042), in bytes.
const LLC_BYTES: u64 = 8;
/// IV and ICV of WEP (section 11.2.2.2), in bytes.
const WEP_BYTES: u64 = 8;
/// The delimiter in front of each MPDU of an A-MPDU, and what MPDUs are padded
/// to (section 8.6.1), in bytes.
const DELIMITER_BYTES: u64 = 4;

/// Whom a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// One station, by its index. It acknowledges.
    Station(usize),
    /// Every station in range. Nobody acknowledges, so nothing is repeated.
    All,
}

/// A packet in the MAC's care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<F> {
    /// What is to be delivered.
    pub payload: F,
    /// Its length, without LLC and MAC headers.
    pub size: Bytes,
    /// Whom it is for.
    pub to: To,
    /// What it is for, in the account of radios.
    pub purpose: Purpose,
}

/// What becomes of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output<F> {
    /// The frame has not been decoded by the one it was for; it may come again.
    Corrupted {
        /// The station that sent it.
        from: usize,
        /// The frame.
        frame: Frame<F>,
    },
    /// The frame reached a station that it is for, for the first time and after
    /// all earlier frames of its queue.
    Delivered {
        /// The station that sent it.
        from: usize,
        /// The station that has it now.
        at: usize,
        /// The frame.
        frame: Frame<F>,
    },
    /// The frame has left the queue of its sender: acknowledged, or sent if it
    /// is for all.
    Acknowledged {
        /// The station that sent it.
        from: usize,
        /// The frame.
        frame: Frame<F>,
    },
    /// The first attempt has failed; more follow.
    Deferred {
        /// The station that sends it.
        from: usize,
        /// The frame.
        frame: Frame<F>,
    },
    /// A retry limit has been reached; the frame has left the queue.
    GivenUp {
        /// The station that sent it.
        from: usize,
        /// The frame.
        frame: Frame<F>,
        /// Attempts made, those with an RTS only included.
        attempts: u32,
        /// Whether it reached the other end and only its acknowledgments died.
        delivered: bool,
    },
}

/// The kinds of frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One packet or, aggregated, several.
    Data,
    /// An acknowledgment.
    Ack,
    /// One of each MPDU of an A-MPDU.
    BlockAck,
    /// A request to send.
    Rts,
    /// Its answer.
    Cts,
    /// What the access point, or one station of an ad hoc cell, sends in every
    /// beacon interval.
    Beacon,
    /// A station that saves power asks for what is kept for it.
    PsPoll,
    /// A station of an ad hoc cell announces what it keeps for another or all.
    Atim,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Data,
        Self::Ack,
        Self::BlockAck,
        Self::Rts,
        Self::Cts,
        Self::Beacon,
        Self::PsPoll,
        Self::Atim,
    ];

    /// The length of a frame that is always the same: of control frames
    /// (section 8.3.1; a compressed block acknowledgment in 8.3.1.9), and of an
    /// ATIM, which has an empty body (section 8.3.3.3). The others have none.
    pub(super) const fn fixed_size(self) -> Bytes {
        Bytes::new(match self {
            Self::Data | Self::Beacon => 0,
            Self::Ack | Self::Cts => 14,
            Self::Rts | Self::PsPoll => 20,
            Self::BlockAck => 32,
            Self::Atim => MAC_BYTES,
        })
    }
}

/// A frame on the air.
#[derive(Clone, Copy, Debug)]
pub struct Transmission {
    /// Its number on this medium, from 0.
    pub number: u64,
    /// The station that sends it.
    pub from: usize,
    /// Whom it is for.
    pub to: To,
    /// What it is.
    pub kind: Kind,
    /// Its first moment, preamble included.
    pub start: Instant,
    /// The moment after its last.
    pub end: Instant,
    /// Until when its Duration field makes others defer.
    pub nav: Instant,
    /// Rate and modulation.
    pub mode: Mode,
    /// The length of the PSDU.
    pub psdu: Bytes,
    /// What it is for; several packets in one frame have the purpose of the
    /// first.
    pub purpose: Purpose,
    /// A bit for each MPDU: in data its place in the queue, in a block
    /// acknowledgment whether it came.
    pub(super) mpdus: u64,
    /// Whether nothing of it reaches its receiver: the two-state channel
    /// destroys it, or noise has destroyed every MPDU.
    pub(super) lost: bool,
}

/// The length of the MPDU that carries a packet of `size`.
pub(super) fn mpdu_size(size: Bytes, phy: PhyKind, wep: bool) -> Bytes {
    let qos = if phy == PhyKind::N { QOS_BYTES } else { 0 };
    let wep = if wep { WEP_BYTES } else { 0 };
    size + Bytes::new(MAC_BYTES + qos + LLC_BYTES + wep)
}

/// The room that an MPDU of `size` takes in an A-MPDU.
pub(super) fn subframe_size(size: Bytes) -> Bytes {
    Bytes::new((DELIMITER_BYTES + size.get()).next_multiple_of(DELIMITER_BYTES))
}
