//! The Refined ICMP scheme (goel1997 5.5.2).

use netjoule_wire::{NoticeKind, SeqNumber};

use super::{Named, Reaction};

/// Remembers which segments have been resent because a notice named them.
#[derive(Clone, Debug, Default)]
pub(in crate::tcp) struct IcmpRetransmit {
    resent: Named,
}

impl IcmpRetransmit {
    /// Steps 1 and 2: DEFER postpones the timer of the first segment and is
    /// not remembered; RETRANSMIT resends the segment and is.
    pub(super) fn on_notice(
        &mut self,
        kind: NoticeKind,
        seq: SeqNumber,
        snd_una: SeqNumber,
    ) -> Reaction {
        match kind {
            NoticeKind::Retransmit => {
                self.resent.insert(seq);
                Reaction::Resend
            }
            NoticeKind::Defer if seq == snd_una => Reaction::PostponeTimer,
            NoticeKind::Defer => Reaction::Ignore,
        }
    }

    /// Step 3: the first duplicate ACK after the resending begins fast
    /// recovery, and what was remembered is forgotten.
    pub(super) fn explains_duplicate(&mut self, snd_una: SeqNumber) -> bool {
        self.resent.take(snd_una)
    }

    pub(super) fn on_new_ack(&mut self, snd_una: SeqNumber) {
        self.resent.forget_before(snd_una);
    }
}
