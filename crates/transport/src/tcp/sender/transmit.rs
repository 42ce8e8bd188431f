//! What leaves next: a probe or a retransmission that is due whatever the
//! windows, what the windows allow, what fills the holes that SACK tells of.

use netjoule_units::Instant;
use netjoule_wire::SeqNumber;

use super::{Piece, Sender};
use crate::tcp::Reason;
use crate::tcp::recovery::LossRecovery;
use crate::tcp::recovery::sack::NextSeg;
use crate::tcp::timers::{Timer, Timers};

impl Sender {
    /// Whether there is nothing to send, whatever the windows.
    #[inline]
    pub(in crate::tcp) fn is_quiet(&self) -> bool {
        self.space.is_done()
            && self.resend.is_none()
            && self.forced.is_none()
            && !self.recovery.is_active()
    }

    /// The next segment to send, if one may leave now; why, if not for the
    /// first time.
    #[inline(always)]
    pub(in crate::tcp) fn poll_transmit(
        &mut self,
        now: Instant,
        timers: &mut Timers,
    ) -> Option<(Piece, Option<Reason>)> {
        if self.is_quiet() {
            return None;
        }
        if (self.forced.is_some() || self.resend.is_some())
            && let Some(sent) = self.regardless_of_windows()
        {
            return Some(sent);
        }
        let waits = self.tries_new_size && self.space.snd_nxt() != self.space.snd_una();
        if waits || self.burst.is_spent() {
            return None;
        }
        if self.idle_restart
            && !self.space.has_outstanding()
            && self.space.unsent() > 0
            && now.saturating_since(self.last_sent) > self.rtt.rto()
        {
            self.window.after_idle();
        }
        let Some((piece, reason)) = self.next_piece() else {
            self.enter_persist(now, timers);
            return None;
        };
        self.burst.spend();
        self.last_sent = now;
        if piece.is_new && self.duplicate_acks > 0 {
            let used = piece.range.end - self.space.snd_una();
            self.beyond_cwnd += if used > self.window.cwnd() { piece.range.len() } else { 0 };
        }
        if piece.is_new && !piece.range.is_empty() {
            self.rtt.on_send(now, piece.range.end);
        }
        // RFC 6298 section 5.1.
        if !timers.is_set(Timer::Retransmit) {
            timers.set(Timer::Retransmit, self.rtt.deadline(now));
        }
        Some((piece, reason))
    }

    /// A probe of a closed window, or a segment that has to go again.
    #[cold]
    fn regardless_of_windows(&mut self) -> Option<(Piece, Option<Reason>)> {
        if let Some(len) = self.forced.take()
            && let Some(piece) = self.space.force(len)
        {
            return Some((piece, (!piece.is_new).then_some(Reason::Probe)));
        }
        // It may have been acknowledged since: a driver takes packets in after
        // several others have come.
        let (seq, reason) =
            self.resend.take().filter(|(seq, _)| self.space.is_outstanding(*seq))?;
        let stop = self.scoreboard.as_ref().and_then(|board| board.next_start(seq));
        let piece = self.space.resend(seq, stop);
        if let Some(sack) = self.recovery.chooser() {
            sack.on_retransmitted(piece.range);
        }
        Some((piece, Some(reason)))
    }

    /// What the windows, and the scoreboard in a recovery that has one, allow.
    #[inline(always)]
    fn next_piece(&mut self) -> Option<(Piece, Option<Reason>)> {
        let limit = match &self.scoreboard {
            None => self.window.cwnd().saturating_add(self.allowance),
            Some(board) if board.is_empty() && !self.recovery.is_active() => self.window.cwnd(),
            Some(_) => return self.next_by_scoreboard(),
        };
        if let Some(piece) = self.space.send_full(limit) {
            return Some((piece, None));
        }
        self.next_in_sequence(limit, None)
    }

    #[inline(never)]
    fn next_in_sequence(
        &mut self,
        limit: u32,
        stop: Option<SeqNumber>,
    ) -> Option<(Piece, Option<Reason>)> {
        let piece = self.space.send(limit, stop)?;
        Some((piece, (!piece.is_new).then_some(Reason::GoBackN)))
    }

    /// What fills holes, and what goes on behind them.
    #[cold]
    fn next_by_scoreboard(&mut self) -> Option<(Piece, Option<Reason>)> {
        if self.recovery.is_active() {
            return self.next_in_recovery();
        }
        let (cwnd, board) = (self.window.cwnd(), self.scoreboard.as_ref()?);
        self.space.skip(board);
        let snd_nxt = self.space.snd_nxt();
        // What is reported has left the network: after a timeout (RFC 6675
        // section 5.1), and before a recovery if duplicates may release new
        // data (section 5 step 3).
        let is_repairing =
            snd_nxt != self.space.snd_max() || self.recovery.is_after_timeout(self.space.snd_una());
        let counts = is_repairing || self.limited_transmit;
        let left = if counts { board.sacked_before(snd_nxt) } else { 0 };
        let stop = board.next_start(snd_nxt);
        self.next_in_sequence(cwnd.saturating_add(left), stop)
    }

    /// RFC 6675 section 5, step C.
    fn next_in_recovery(&mut self) -> Option<(Piece, Option<Reason>)> {
        let view = self.view();
        let (board, sack) = self.scoreboard.as_ref().zip(self.recovery.chooser())?;
        let room = self.window.cwnd().saturating_sub(sack.pipe(board, &view));
        if room < view.smss {
            return None;
        }
        let range = match sack.next_seg(board, &view, self.space.can_send_new(room)) {
            NextSeg::Retransmit(range) => {
                sack.on_retransmitted(range);
                range
            }
            NextSeg::Rescue(range) => {
                sack.on_rescued();
                range
            }
            NextSeg::New => {
                let limit = self.space.flight_size().saturating_add(room);
                return self.next_in_sequence(limit, None);
            }
            NextSeg::Nothing => return None,
        };
        self.rtt.on_retransmit();
        let piece = self.space.resend(range.start, Some(range.end));
        Some((piece, Some(Reason::SackHole)))
    }

    /// Starts the persist timer if something waits for a larger window, and
    /// nothing outstanding will bring the ACK that offers one (RFC 9293 section
    /// 3.8.6.1).
    fn enter_persist(&mut self, now: Instant, timers: &mut Timers) {
        if !self.space.has_outstanding()
            && !timers.is_set(Timer::Persist)
            && self.space.waits_for_window()
        {
            timers.set(Timer::Persist, self.rtt.deadline(now));
        }
    }

    /// Stops the persist timer once the window is large enough.
    pub(super) fn leave_persist(&mut self, now: Instant, timers: &mut Timers) {
        if timers.is_set(Timer::Persist) && !self.space.waits_for_window() {
            timers.stop(Timer::Persist);
            self.rtt.end_backoff();
            if self.space.has_outstanding() {
                // A probe's byte that the closed window refused goes again.
                self.space.go_back();
                timers.set(Timer::Retransmit, self.rtt.deadline(now));
            }
        }
    }

    /// The persist timer ran out: sends into the window as it is, a byte at
    /// least, and waits longer for the next time.
    pub(in crate::tcp) fn handle_persist(&mut self, now: Instant, timers: &mut Timers) {
        self.space.go_back();
        self.forced = Some(self.space.snd_wnd().max(1));
        self.burst.refill();
        self.rtt.on_timeout();
        timers.set(Timer::Persist, self.rtt.deadline(now));
    }
}
