//! The Simple ICMP scheme (goel1997 5.4.1).

use netjoule_wire::{NoticeKind, SeqNumber};

use super::{LossMeaning, Named, Reaction};

/// Remembers which segments have been deferred since they were last sent.
#[derive(Clone, Debug, Default)]
pub(in crate::tcp) struct IcmpDefer {
    deferred: Named,
}

impl IcmpDefer {
    /// Stores that the segment was deferred, and postpones its timer if it is
    /// the one that has it: the first.
    pub(super) fn on_notice(
        &mut self,
        kind: NoticeKind,
        seq: SeqNumber,
        snd_una: SeqNumber,
    ) -> Reaction {
        if kind != NoticeKind::Defer {
            return Reaction::Ignore;
        }
        self.deferred.insert(seq);
        if seq == snd_una { Reaction::PostponeTimer } else { Reaction::Ignore }
    }

    /// A deferred segment that is lost was lost on the wireless link. What is
    /// known holds for one transmission, so it is forgotten.
    pub(super) fn on_loss(&mut self, snd_una: SeqNumber) -> LossMeaning {
        if self.deferred.take(snd_una) { LossMeaning::Link } else { LossMeaning::Congestion }
    }

    pub(super) fn on_new_ack(&mut self, snd_una: SeqNumber) {
        self.deferred.forget_before(snd_una);
    }
}
