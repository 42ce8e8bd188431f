//! What an engine tells its driver, besides packets.

use core::fmt;

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
    /// SACK blocks show a hole (RFC 6675 section 5).
    SackHole,
    /// An ICMP-RETRANSMIT named it.
    Notice,
    /// It lies behind the segment whose loss made the sender go back.
    GoBackN,
    /// It asks for a window that is closed (RFC 9293 section 3.8.6.1).
    Probe,
}

/// Why there is no connection any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Both ends have closed.
    Finished,
    /// This end has aborted.
    Aborted,
    /// The peer has reset the connection.
    Reset,
    /// The peer has refused the connection.
    Refused,
    /// ICMP says that the peer cannot be reached.
    Unreachable,
    /// Nothing was acknowledged for the user timeout (RFC 9293 section 3.8.3).
    UserTimeout,
    /// Keep-alive probes had no answer (RFC 9293 section 3.8.4).
    KeepAlive,
}

/// Something that happened in an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The handshake is over.
    Connected,
    /// Data up to here is urgent (RFC 9293 section 3.8.5); it is delivered in
    /// line.
    Urgent {
        /// The byte after the urgent data.
        end: SeqNumber,
    },
    /// The peer will send nothing more: everything before its FIN has arrived.
    PeerClosed,
    /// There is no connection any more. The last event.
    Closed(Cause),
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

impl Cause {
    /// Its name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Aborted => "aborted",
            Self::Reset => "reset",
            Self::Refused => "refused",
            Self::Unreachable => "unreachable",
            Self::UserTimeout => "user_timeout",
            Self::KeepAlive => "keep_alive",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Finished => "both ends have closed",
            Self::Aborted => "aborted",
            Self::Reset => "the peer has reset the connection",
            Self::Refused => "the peer has refused the connection",
            Self::Unreachable => "the peer cannot be reached",
            Self::UserTimeout => "nothing was acknowledged for the user timeout",
            Self::KeepAlive => "the peer did not answer keep-alive probes",
        })
    }
}
