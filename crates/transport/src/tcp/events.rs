//! What an engine tells its driver, besides packets.

use netjoule_units::Duration;
use netjoule_wire::SeqNumber;

/// Why a segment is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The retransmission timer ran out.
    Timeout,
    /// Duplicate ACKs reached `dupthresh`.
    FastRetransmit,
    /// A partial ACK showed the next hole (RFC 6582 section 3.2).
    PartialAck,
    /// An ICMP-RETRANSMIT named it.
    Notice,
    /// It lies behind the segment whose loss made the sender go back.
    GoBackN,
}

/// Something that happened in an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The retransmission timer ran out after `rto`.
    TimedOut {
        /// The first unacknowledged sequence number.
        snd_una: SeqNumber,
        /// The RTO that has passed, before it is doubled.
        rto: Duration,
    },
    /// Duplicate ACKs made the sender retransmit.
    FastRetransmit {
        /// The first unacknowledged sequence number.
        snd_una: SeqNumber,
    },
    /// Everything written so far has been acknowledged.
    AllAcknowledged,
}
