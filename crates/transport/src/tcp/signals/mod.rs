//! What the network says besides loss, and what the sender makes of it.
//!
//! A policy answers a notice, and the detection of a loss, with a reaction; the
//! sender carries it out. Any recovery can carry any policy.

mod ecn;
mod icmp_defer;
mod icmp_retransmit;

use netjoule_wire::{NoticeKind, SeqNumber};

pub(super) use ecn::{EcnReceiver, EcnSender};
use icmp_defer::IcmpDefer;
use icmp_retransmit::IcmpRetransmit;

/// Names a way to listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Discards every notice, as hosts that do not know them do.
    None,
    /// Simple ICMP: DEFER (goel1997 5.4.1).
    IcmpDefer,
    /// Refined ICMP: DEFER and RETRANSMIT (goel1997 5.5.2).
    IcmpRetransmit,
}

/// What to do about a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Nothing.
    Ignore,
    /// Start the retransmission timer anew.
    PostponeTimer,
    /// Send the segment that the notice names again, now.
    Resend,
}

/// What the loss of a segment means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossMeaning {
    /// The network is full: slow down.
    Congestion,
    /// A link failed: the sending rate is as good as before.
    Link,
}

impl Kind {
    /// Whether this way to listen makes use of `notice`.
    #[must_use]
    pub const fn hears(self, notice: NoticeKind) -> bool {
        match (self, notice) {
            (Self::IcmpDefer, NoticeKind::Defer) | (Self::IcmpRetransmit, _) => true,
            (Self::None, _) | (Self::IcmpDefer, NoticeKind::Retransmit) => false,
        }
    }
}

/// One of the policies.
#[derive(Clone, Debug)]
pub(super) enum Signals {
    None,
    IcmpDefer(IcmpDefer),
    IcmpRetransmit(IcmpRetransmit),
}

impl Signals {
    pub(super) fn new(kind: Kind) -> Self {
        match kind {
            Kind::None => Self::None,
            Kind::IcmpDefer => Self::IcmpDefer(IcmpDefer::default()),
            Kind::IcmpRetransmit => Self::IcmpRetransmit(IcmpRetransmit::default()),
        }
    }

    /// A notice about the outstanding segment at `seq` has come.
    pub(super) fn on_notice(
        &mut self,
        kind: NoticeKind,
        seq: SeqNumber,
        snd_una: SeqNumber,
    ) -> Reaction {
        match self {
            Self::None => Reaction::Ignore,
            Self::IcmpDefer(policy) => policy.on_notice(kind, seq, snd_una),
            Self::IcmpRetransmit(policy) => policy.on_notice(kind, seq, snd_una),
        }
    }

    /// The sender takes the segment at `snd_una` for lost, because of its timer
    /// or of duplicate ACKs.
    pub(super) fn on_loss(&mut self, snd_una: SeqNumber) -> LossMeaning {
        match self {
            Self::IcmpDefer(policy) => policy.on_loss(snd_una),
            Self::None | Self::IcmpRetransmit(_) => LossMeaning::Congestion,
        }
    }

    /// Whether duplicate ACKs for `snd_una` are the echo of a loss that has
    /// been repaired already; asked with each of them.
    pub(super) fn explains_duplicate(&mut self, snd_una: SeqNumber) -> bool {
        match self {
            Self::IcmpRetransmit(policy) => policy.explains_duplicate(snd_una),
            Self::None | Self::IcmpDefer(_) => false,
        }
    }

    /// Everything before `snd_una` is acknowledged.
    pub(super) fn on_new_ack(&mut self, snd_una: SeqNumber) {
        match self {
            Self::None => {}
            Self::IcmpDefer(policy) => policy.on_new_ack(snd_una),
            Self::IcmpRetransmit(policy) => policy.on_new_ack(snd_una),
        }
    }
}

/// The outstanding segments that a notice has named: few at any time.
#[derive(Clone, Debug, Default)]
struct Named(Vec<SeqNumber>);

impl Named {
    fn insert(&mut self, seq: SeqNumber) {
        if !self.0.contains(&seq) {
            self.0.push(seq);
        }
    }

    /// Takes `seq` out; whether it was there.
    fn take(&mut self, seq: SeqNumber) -> bool {
        let index = self.0.iter().position(|&named| named == seq);
        index.map(|index| self.0.swap_remove(index)).is_some()
    }

    fn forget_before(&mut self, snd_una: SeqNumber) {
        if !self.0.is_empty() {
            self.0.retain(|seq| !seq.is_before(snd_una));
        }
    }
}
