//! NewReno: partial ACKs keep fast recovery going (RFC 6582).

use netjoule_wire::SeqNumber;

use super::{DuplicateAck, LossRecovery, NewAck, View};

/// Fast recovery up to a point.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct NewReno {
    /// `recover` of section 3.1: data before it was outstanding when the last
    /// loss was detected.
    recover: SeqNumber,
    active: bool,
    /// Whether a partial ACK has been seen in this recovery.
    partial_seen: bool,
}

impl NewReno {
    /// Before any loss.
    #[must_use]
    pub(super) const fn new(iss: SeqNumber) -> Self {
        Self { recover: iss, active: false, partial_seen: false }
    }
}

impl LossRecovery for NewReno {
    fn on_duplicate_ack(&mut self, count: u32, view: &View) -> DuplicateAck {
        if self.active {
            return DuplicateAck::Inflate;
        }
        // Section 3.2 step 2: duplicates of data from before the last recovery
        // or timeout say nothing about a new loss.
        let is_new_loss = !view.snd_una.is_before(self.recover);
        if count == view.dupthresh && is_new_loss {
            DuplicateAck::EnterRecovery
        } else {
            DuplicateAck::Wait
        }
    }

    fn on_new_ack(&mut self, ack: SeqNumber, view: &View) -> NewAck {
        if !self.active {
            // `recover` must not fall half the sequence space behind, or it
            // would seem to lie ahead.
            self.recover = self.recover.later(ack);
            return NewAck::Grow;
        }
        if ack.is_before(self.recover) {
            // Section 3.2 step 3, partial; the timer starts anew for the first
            // one only (section 4, "Impatient").
            let restart_timer = !core::mem::replace(&mut self.partial_seen, true);
            return NewAck::Partial { restart_timer };
        }
        self.active = false;
        // Section 3.2 step 3, full, choice 1: no burst after the recovery.
        let flight_size = view.snd_max - ack;
        let cwnd = view.ssthresh.min(flight_size.max(view.smss) + view.smss);
        NewAck::Leave { cwnd }
    }

    fn on_timeout(&mut self, view: &View) {
        // Section 4, "Retransmission timeouts".
        self.recover = view.snd_max;
        self.active = false;
    }

    fn enter(&mut self, view: &View) {
        self.recover = view.snd_max;
        self.active = true;
        self.partial_seen = false;
    }

    fn is_active(&self) -> bool {
        self.active
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_after_more_than_half_the_sequence_space_is_a_new_one() {
        let view = |snd_una: SeqNumber| View {
            smss: 1_000,
            snd_una,
            snd_max: snd_una + 10_000,
            ssthresh: 5_000,
            dupthresh: 3,
        };
        let mut recovery = NewReno::new(SeqNumber::new(0));
        let mut snd_una = SeqNumber::new(0);
        for _ in 0..3 {
            let ack = snd_una + (1 << 30);
            assert_eq!(recovery.on_new_ack(ack, &view(snd_una)), NewAck::Grow);
            snd_una = ack;
        }
        assert_eq!(recovery.on_duplicate_ack(3, &view(snd_una)), DuplicateAck::EnterRecovery);
    }
}
