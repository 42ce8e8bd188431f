//! Loss recovery with SACK: what is missing is known, so the pipe is kept full
//! with it (RFC 6675 section 5).
//!
//! Only this algorithm chooses what to send: while it is active, the sender
//! asks [`Sack::next_seg`] as long as cwnd exceeds [`Sack::pipe`] by a segment
//! (step C). cwnd is ssthresh all the while, neither inflated nor deflated.
//! Before a recovery, duplicates release new data by the same pipe (step 3).

use netjoule_wire::{SeqNumber, SeqRange};

use super::{DuplicateAck, LossRecovery, NewAck, View};
use crate::tcp::sender::scoreboard::Scoreboard;

/// What to send next in a recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) enum NextSeg {
    /// This once more: rules 1 and 3 of `NextSeg`.
    Retransmit(SeqRange),
    /// A segment of new data: rule 2.
    New,
    /// This once more, though it may still be under way, so that an ACK comes
    /// back: rule 4.
    Rescue(SeqRange),
    /// Nothing.
    Nothing,
}

/// Fast recovery up to a point.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Sack {
    /// `RecoveryPoint`: data before it was outstanding when the last loss was
    /// detected.
    recovery_point: SeqNumber,
    /// `HighRxt`: the end of what has been sent again in this recovery.
    high_rxt: SeqNumber,
    /// `RescueRxt`: no rescue before this is acknowledged; `None` before the
    /// first retransmission.
    rescue_rxt: Option<SeqNumber>,
    active: bool,
}

impl Sack {
    /// Before any loss.
    #[must_use]
    pub(in crate::tcp) const fn new(iss: SeqNumber) -> Self {
        Self { recovery_point: iss, high_rxt: iss, rescue_rxt: None, active: false }
    }

    /// The `count`th duplicate ACK in a row, where a duplicate is an ACK that
    /// reports data for the first time (RFC 6675 section 2): section 5 steps 1
    /// and 2. The recovery begins with the first unacknowledged segment, be it
    /// that duplicates are many, or what they report is much.
    pub(in crate::tcp) fn on_duplicate(
        &self,
        count: u32,
        scoreboard: &Scoreboard,
        view: &View,
    ) -> DuplicateAck {
        let is_lost = || scoreboard.is_lost(view.snd_una, view.dupthresh, view.smss);
        if self.may_enter(view) && (count >= view.dupthresh || is_lost()) {
            DuplicateAck::EnterRecovery
        } else {
            DuplicateAck::Wait
        }
    }

    /// `NextSeg` of section 4, in a recovery. `can_send_new`: whether a segment of new data
    /// exists and the receiver's window has room for it.
    #[must_use]
    pub(in crate::tcp) fn next_seg(
        &self,
        scoreboard: &Scoreboard,
        view: &View,
        can_send_new: bool,
    ) -> NextSeg {
        let one_segment = |hole: SeqRange| SeqRange::new(hole.start, hole.len().min(view.smss));
        let hole = scoreboard.hole_at_or_after(self.high_rxt.later(view.snd_una));
        if let Some(hole) = hole
            && scoreboard.is_lost(hole.start, view.dupthresh, view.smss)
        {
            return NextSeg::Retransmit(one_segment(hole));
        }
        if can_send_new {
            return NextSeg::New;
        }
        if let Some(hole) = hole {
            return NextSeg::Retransmit(one_segment(hole));
        }
        if self.rescue_rxt.is_none_or(|rescue_rxt| view.snd_una.is_after(rescue_rxt)) {
            let hole = scoreboard.last_hole(view.snd_una, view.snd_max);
            return hole.map_or(NextSeg::Nothing, |hole| {
                let before = hole.len().saturating_sub(view.smss);
                NextSeg::Rescue(SeqRange { start: hole.start + before, end: hole.end })
            });
        }
        NextSeg::Nothing
    }

    /// `range` has been sent again in this recovery, by rule 1 or 3 or as its
    /// first segment.
    pub(in crate::tcp) fn on_retransmitted(&mut self, range: SeqRange) {
        self.high_rxt = self.high_rxt.later(range.end);
        // Step 4.3: no rescue before this one is acknowledged.
        self.rescue_rxt.get_or_insert(range.end);
    }

    /// A rescue has been sent: the only one in this recovery.
    pub(in crate::tcp) const fn on_rescued(&mut self) {
        self.rescue_rxt = Some(self.recovery_point);
    }

    /// Bytes in the network (`SetPipe`).
    #[must_use]
    pub(in crate::tcp) fn pipe(&self, scoreboard: &Scoreboard, view: &View) -> u32 {
        // Step 3.1: outside of a recovery nothing counts as sent again.
        let high_rxt = if self.active { self.high_rxt } else { view.snd_una };
        scoreboard.pipe(view.snd_una, view.snd_max, high_rxt, view.dupthresh, view.smss)
    }

    /// Section 5.1: what a recovery or timeout has seen outstanding says
    /// nothing about a new loss.
    fn may_enter(&self, view: &View) -> bool {
        !self.active && !view.snd_una.is_before(self.recovery_point)
    }

    /// Whether a timeout has seen something outstanding that still is.
    pub(in crate::tcp) fn is_after_timeout(&self, snd_una: SeqNumber) -> bool {
        !self.active && snd_una.is_before(self.recovery_point)
    }
}

impl LossRecovery for Sack {
    /// Without a scoreboard only the count tells.
    fn on_duplicate_ack(&mut self, count: u32, view: &View) -> DuplicateAck {
        self.on_duplicate(count, &Scoreboard::default(), view)
    }

    /// A partial ACK changes no window and sends nothing by itself: what
    /// follows is up to [`Sack::next_seg`] (step B).
    fn on_new_ack(&mut self, ack: SeqNumber, view: &View) -> NewAck {
        if !self.active {
            // As with `recover` of NewReno: it must not fall half the sequence
            // space behind.
            self.recovery_point = self.recovery_point.later(ack);
            return NewAck::Grow;
        }
        if ack.is_before(self.recovery_point) {
            return NewAck::Partial { restart_timer: true };
        }
        // Step A.
        self.active = false;
        NewAck::Leave { cwnd: view.ssthresh }
    }

    /// Section 5.1. What is sent again from here on is not chosen by
    /// [`Sack::next_seg`].
    fn on_timeout(&mut self, view: &View) {
        self.recovery_point = view.snd_max;
        self.active = false;
    }

    /// Step 4; the first retransmission is still to be reported.
    fn enter(&mut self, view: &View) {
        self.recovery_point = view.snd_max;
        self.high_rxt = view.snd_una;
        self.rescue_rxt = None;
        self.active = true;
    }

    fn is_active(&self) -> bool {
        self.active
    }
}

#[cfg(test)]
mod tests;
