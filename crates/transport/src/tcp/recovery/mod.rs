//! Loss recovery: what duplicate, partial and full acknowledgments mean.
//!
//! An algorithm answers each acknowledgment with a verdict and keeps nothing
//! but its own state; the sender carries the verdict out. To add one: a file
//! with a [`LossRecovery`], a line in [`Kind`] and `Recovery`, and a row in
//! the variant table.

mod newreno;
mod reno;
pub(super) mod sack;
mod tahoe;

use netjoule_wire::SeqNumber;

use newreno::NewReno;
use reno::Reno;
use sack::Sack;
use tahoe::Tahoe;

use super::sender::scoreboard::Scoreboard;

/// Names a recovery algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Fast retransmit, then slow start (Jacobson 1988).
    Tahoe,
    /// Fast recovery until the first new ACK (RFC 5681 section 3.2 without the
    /// refinement of RFC 6582, as in 4.3BSD Reno).
    Reno,
    /// Fast recovery until everything outstanding at its start is
    /// acknowledged (RFC 6582).
    NewReno,
    /// Fast recovery that knows what is missing (RFC 6675); NewReno with a peer
    /// that does not tell.
    Sack,
}

impl Kind {
    /// Whether it makes use of SACK.
    #[must_use]
    pub const fn uses_sack(self) -> bool {
        matches!(self, Self::Sack)
    }

    /// What it comes down to with a peer that reports what arrives out of order
    /// if `sack`.
    pub(super) const fn with(self, sack: bool) -> Self {
        match self {
            Self::Sack if !sack => Self::NewReno,
            other => other,
        }
    }
}

/// What an algorithm may see of the sender.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// SMSS in bytes.
    pub smss: u32,
    /// The first unacknowledged sequence number, before the ACK at hand.
    pub snd_una: SeqNumber,
    /// The highest sequence number sent, plus one.
    pub snd_max: SeqNumber,
    /// ssthresh in bytes.
    pub ssthresh: u32,
    /// `DupThresh`.
    pub dupthresh: u32,
}

/// What a duplicate ACK means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuplicateAck {
    /// Nothing yet.
    Wait,
    /// The first unacknowledged segment is lost: fast retransmit and fast
    /// recovery begin.
    EnterRecovery,
    /// The same, but slow start begins.
    EnterSlowStart,
    /// A segment has left the network: cwnd grows by one SMSS (RFC 5681
    /// section 3.2 step 4).
    Inflate,
}

/// What an ACK of new data means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewAck {
    /// No recovery is under way: cwnd grows by the window policy.
    Grow,
    /// Another segment is lost: it is sent again, and recovery goes on.
    Partial {
        /// Whether the retransmission timer starts anew.
        restart_timer: bool,
    },
    /// Recovery is over, with this cwnd unless a signal has another.
    Leave {
        /// cwnd in bytes.
        cwnd: u32,
    },
}

/// One algorithm.
pub trait LossRecovery {
    /// The `count`th duplicate ACK in a row.
    fn on_duplicate_ack(&mut self, count: u32, view: &View) -> DuplicateAck;
    /// An ACK of everything before `ack`, which is after `view.snd_una`.
    fn on_new_ack(&mut self, ack: SeqNumber, view: &View) -> NewAck;
    /// The retransmission timer ran out.
    fn on_timeout(&mut self, view: &View);
    /// Fast recovery begins, be it by own verdict or by a signal.
    fn enter(&mut self, view: &View);
    /// Whether fast recovery is under way.
    fn is_active(&self) -> bool;
}

/// Any of the algorithms.
#[derive(Clone, Copy, Debug)]
pub(super) enum Recovery {
    Tahoe(Tahoe),
    Reno(Reno),
    NewReno(NewReno),
    Sack(Sack),
}

impl Recovery {
    pub(super) fn new(kind: Kind, iss: SeqNumber) -> Self {
        match kind {
            Kind::Tahoe => Self::Tahoe(Tahoe),
            Kind::Reno => Self::Reno(Reno::default()),
            Kind::NewReno => Self::NewReno(NewReno::new(iss)),
            Kind::Sack => Self::Sack(Sack::new(iss)),
        }
    }

    /// The algorithm that chooses what to send, while its recovery is under
    /// way.
    pub(super) const fn chooser(&mut self) -> Option<&mut Sack> {
        match self {
            Self::Sack(sack) => Some(sack),
            Self::Tahoe(_) | Self::Reno(_) | Self::NewReno(_) => None,
        }
    }

    /// Whether what was outstanding at a timeout, and reported by SACK since or
    /// before, lies beyond `snd_una`.
    pub(super) fn is_after_timeout(&self, snd_una: SeqNumber) -> bool {
        matches!(self, Self::Sack(sack) if sack.is_after_timeout(snd_una))
    }

    /// The `count`th duplicate ACK in a row, with what SACK has told.
    pub(super) fn on_duplicate(
        &mut self,
        count: u32,
        scoreboard: Option<&Scoreboard>,
        view: &View,
    ) -> DuplicateAck {
        match (self, scoreboard) {
            (Self::Sack(sack), Some(scoreboard)) => sack.on_duplicate(count, scoreboard, view),
            (other, _) => other.on_duplicate_ack(count, view),
        }
    }
}

/// Hands a call on to the algorithm in use.
macro_rules! delegate {
    ($self:ident, $algorithm:ident => $call:expr) => {
        match $self {
            Recovery::Tahoe($algorithm) => $call,
            Recovery::Reno($algorithm) => $call,
            Recovery::NewReno($algorithm) => $call,
            Recovery::Sack($algorithm) => $call,
        }
    };
}

impl LossRecovery for Recovery {
    fn on_duplicate_ack(&mut self, count: u32, view: &View) -> DuplicateAck {
        delegate!(self, it => it.on_duplicate_ack(count, view))
    }
    fn on_new_ack(&mut self, ack: SeqNumber, view: &View) -> NewAck {
        delegate!(self, it => it.on_new_ack(ack, view))
    }
    fn on_timeout(&mut self, view: &View) {
        delegate!(self, it => it.on_timeout(view));
    }
    fn enter(&mut self, view: &View) {
        delegate!(self, it => it.enter(view));
    }
    fn is_active(&self) -> bool {
        delegate!(self, it => it.is_active())
    }
}
