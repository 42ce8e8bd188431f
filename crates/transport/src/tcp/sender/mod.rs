//! The sending half: carries out what the parts decide.

mod burst;
pub(super) mod scoreboard;
mod space;
mod window;

use netjoule_units::{Duration, Instant};
use netjoule_wire::{Notice, SackBlocks, SeqNumber};

use super::recovery::sack::NextSeg;
use super::recovery::{DuplicateAck, LossRecovery, NewAck, Recovery, View};
use super::rtt::RttEstimator;
use super::signals::{EcnSender, LossMeaning, Reaction, Signals};
use super::timers::{Timer, Timers};
use super::{Event, Options, Reason, Variant};
use burst::Burst;
use scoreboard::Scoreboard;
use space::SendSpace;
use window::CongestionWindow;

pub(super) use space::Piece;

/// What a sender looks like from outside, for observers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// SND.UNA: the first unacknowledged sequence number.
    pub snd_una: SeqNumber,
    /// SND.NXT: the next sequence number to send.
    pub snd_nxt: SeqNumber,
    /// cwnd in bytes.
    pub cwnd: u32,
    /// ssthresh in bytes.
    pub ssthresh: u32,
    /// `FlightSize`: bytes sent and not acknowledged.
    pub flight_size: u32,
    /// The current RTO, back-off included.
    pub rto: Duration,
}

/// What a handshake has settled for the sending half.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    /// The sequence number of the first byte of data.
    pub(super) start: SeqNumber,
    /// SMSS: payload bytes of a full segment.
    pub(super) smss: u32,
    /// The window offered with the handshake.
    pub(super) snd_wnd: u32,
    /// The sequence number of the peer's segment that offered it.
    pub(super) offered_at: SeqNumber,
    /// Whether the peer reports what arrives out of order.
    pub(super) sack: bool,
    /// Whether the path may mark packets.
    pub(super) ecn: bool,
    /// Whether a SYN had to be sent again.
    pub(super) syn_was_lost: bool,
}

/// The acknowledgment part of a segment that has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ack<'a> {
    /// SEG.SEQ.
    pub(super) seq: SeqNumber,
    /// SEG.ACK, which is acceptable.
    pub(super) ack: SeqNumber,
    /// SEG.WND in bytes.
    pub(super) window: u32,
    /// Whether it carries nothing else.
    pub(super) is_pure: bool,
    /// Its SACK blocks.
    pub(super) sack: &'a SackBlocks,
    /// The round trip that its timestamp tells.
    pub(super) round_trip: Option<Duration>,
    /// Whether it echoes a mark of congestion.
    pub(super) ece: bool,
}

/// The sending half of a connection.
#[derive(Clone, Debug)]
pub(super) struct Sender {
    dupthresh: u32,
    limited_transmit: bool,
    idle_restart: bool,
    space: SendSpace,
    window: CongestionWindow,
    recovery: Recovery,
    scoreboard: Option<Scoreboard>,
    signals: Signals,
    ecn: EcnSender,
    rtt: RttEstimator,
    burst: Burst,
    /// Duplicate ACKs in a row for `snd_una`.
    duplicate_acks: u32,
    /// Bytes beyond cwnd that the first duplicate ACKs allow (RFC 3042).
    allowance: u32,
    /// Bytes that have left by that.
    beyond_cwnd: u32,
    /// A single segment to send again, regardless of the window.
    resend: Option<(SeqNumber, Reason)>,
    /// Bytes to send regardless of the window.
    forced: Option<u32>,
    /// Whether what was too large for the path waits for an ACK of its first
    /// piece.
    tries_new_size: bool,
    /// When the last segment has left.
    last_sent: Instant,
    /// Duplicates that the peer has reported.
    dsacks: u64,
}

impl Sender {
    pub(super) fn new(variant: &Variant, options: &Options, smss: u32, iss: SeqNumber) -> Self {
        Self {
            dupthresh: options.dupthresh,
            limited_transmit: options.limited_transmit,
            idle_restart: options.idle_restart,
            space: SendSpace::new(smss, iss, options.nagle, options.sws_avoidance),
            window: CongestionWindow::new(options, smss),
            recovery: Recovery::new(variant.recovery, iss),
            scoreboard: None,
            signals: Signals::new(variant.signals),
            ecn: EcnSender::new(false, iss),
            rtt: RttEstimator::new(options),
            burst: Burst::new(options.burst_limit),
            duplicate_acks: 0,
            allowance: 0,
            beyond_cwnd: 0,
            resend: None,
            forced: None,
            tries_new_size: false,
            last_sent: Instant::NEVER,
            dsacks: 0,
        }
    }

    /// The handshake is over. What has been written stays.
    pub(super) fn open(&mut self, opening: &Opening, variant: &Variant, options: &Options) {
        let Opening { start, smss, snd_wnd, offered_at, sack, ecn, syn_was_lost } = *opening;
        self.space.open(start, smss, snd_wnd, offered_at);
        self.window = CongestionWindow::new(options, smss);
        self.recovery = Recovery::new(variant.recovery.with(sack), start);
        let uses_sack = sack && variant.recovery.uses_sack();
        self.scoreboard = uses_sack.then(Scoreboard::default);
        self.ecn = EcnSender::new(ecn, start);
        if syn_was_lost {
            self.window.after_lost_syn();
            self.rtt.after_lost_syn();
        }
    }

    pub(super) fn write(&mut self, bytes: u64) {
        self.burst.refill();
        self.space.write(bytes);
    }

    pub(super) fn mark_urgent(&mut self) {
        self.space.mark_urgent();
    }

    /// The application has written its last byte: a FIN follows it.
    pub(super) fn end(&mut self) {
        self.space.end();
    }

    pub(super) const fn space(&self) -> &SendSpace {
        &self.space
    }

    pub(super) const fn rtt(&self) -> &RttEstimator {
        &self.rtt
    }

    pub(super) const fn rtt_mut(&mut self) -> &mut RttEstimator {
        &mut self.rtt
    }

    pub(super) const fn ecn_mut(&mut self) -> &mut EcnSender {
        &mut self.ecn
    }

    /// SEG.UP for a segment at `seq`.
    pub(super) fn urgent_pointer(&mut self, seq: SeqNumber) -> Option<u16> {
        self.space.urgent_pointer(seq)
    }

    /// Duplicates that the peer has reported (RFC 2883).
    pub(super) const fn dsacks(&self) -> u64 {
        self.dsacks
    }

    /// Bytes that the receiver has reported beyond SND.UNA.
    pub(super) fn sacked_bytes(&self) -> u32 {
        self.scoreboard.as_ref().map_or(0, Scoreboard::sacked_bytes)
    }

    /// Bytes that SACK tells are lost.
    pub(super) fn lost_bytes(&self) -> u32 {
        let (smss, snd_una) = (self.space.smss(), self.space.snd_una());
        self.scoreboard.as_ref().map_or(0, |board| board.lost_bytes(snd_una, self.dupthresh, smss))
    }

    /// Whether a loss is being repaired, or something waits to be sent again.
    #[inline]
    pub(super) fn is_repairing(&self) -> bool {
        self.duplicate_acks > 0
            || self.recovery.is_active()
            || self.space.snd_nxt() != self.space.snd_max()
            || self.scoreboard.as_ref().is_some_and(|board| !board.is_empty())
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot {
            snd_una: self.space.snd_una(),
            snd_nxt: self.space.snd_nxt(),
            cwnd: self.window.cwnd(),
            ssthresh: self.window.ssthresh(),
            flight_size: self.space.flight_size(),
            rto: self.rtt.rto(),
        }
    }

    /// Takes in the acknowledgment part of a segment (RFC 9293 section
    /// 3.10.7.4, RFC 5681 section 3).
    #[inline(always)]
    pub(super) fn handle_ack(
        &mut self,
        now: Instant,
        it: &Ack<'_>,
        timers: &mut Timers,
    ) -> Option<Event> {
        self.burst.refill();
        self.tries_new_size = false;
        let news = self.scoreboard.as_mut().map(|board| {
            board.acknowledge(it.ack);
            board.update(it.sack, it.ack, self.space.snd_max())
        });
        self.dsacks += u64::from(news.is_some_and(|news| news.duplicate));
        let same_window = self.space.offer(it.window, it.seq, it.ack);
        if it.ece && self.ecn.on_echo(self.space.snd_una(), self.space.snd_max()) {
            self.on_congestion_notified();
        }
        if it.ack == self.space.snd_una() {
            // RFC 5681 section 2 and RFC 6675 section 2: what makes an ACK a
            // duplicate. That a closed window has refused a probe is no sign of
            // a loss.
            let duplicate = match news {
                Some(news) => news.newly_sacked > 0,
                None => {
                    self.space.has_outstanding()
                        && it.is_pure
                        && same_window
                        && !timers.is_set(Timer::Persist)
                }
            };
            let event = if duplicate { self.on_duplicate_ack(now, timers) } else { None };
            self.leave_persist(now, timers);
            return event;
        }
        let had_data = self.space.has_data();
        self.on_new_ack(now, it, timers);
        self.leave_persist(now, timers);
        (had_data && !self.space.has_data()).then_some(Event::AllAcknowledged)
    }

    #[inline(always)]
    fn on_new_ack(&mut self, now: Instant, it: &Ack<'_>, timers: &mut Timers) {
        let ack = it.ack;
        let verdict = self.recovery.on_new_ack(ack, &self.view());
        let acked = self.space.acknowledge(ack);
        self.ecn.on_new_ack(ack);
        self.duplicate_acks = 0;
        self.allowance = 0;
        self.beyond_cwnd = 0;
        self.rtt.on_ack(now, ack, it.round_trip);
        self.signals.on_new_ack(ack);
        let mut restart_timer = true;
        match verdict {
            // RFC 3168 section 6.1.2: an echo is no reason to grow.
            NewAck::Grow if it.ece && self.ecn.is_enabled() => {}
            NewAck::Grow => self.window.grow(acked),
            NewAck::Leave { cwnd } => self.window.leave_recovery(cwnd),
            NewAck::Partial { restart_timer: restart } => {
                // With a scoreboard, what follows is chosen as it is sent.
                if self.scoreboard.is_none() {
                    self.window.deflate(acked);
                    self.retransmit(ack, Reason::PartialAck);
                }
                restart_timer = restart;
            }
        }
        // RFC 6298 sections 5.2 and 5.3.
        if !self.space.has_outstanding() {
            timers.stop(Timer::Retransmit);
        } else if restart_timer {
            timers.set(Timer::Retransmit, self.rtt.deadline(now));
        }
    }

    /// A mark of congestion, once for each window (RFC 3168 section 6.1.2).
    fn on_congestion_notified(&mut self) {
        if !self.recovery.is_active() {
            self.reduce_ssthresh();
            self.window.after_mark();
        }
    }

    fn on_duplicate_ack(&mut self, now: Instant, timers: &mut Timers) -> Option<Event> {
        self.duplicate_acks += 1;
        let (view, snd_una) = (self.view(), self.space.snd_una());
        if self.signals.explains_duplicate(snd_una) {
            if !self.recovery.is_active() {
                self.window.keep_for_exit();
                self.recovery.enter(&view);
            }
            self.window.inflate();
            return None;
        }
        match self.recovery.on_duplicate(self.duplicate_acks, self.scoreboard.as_ref(), &view) {
            DuplicateAck::Wait => {
                if self.limited_transmit && !self.recovery.is_active() {
                    // RFC 3042 section 2: a segment for each of the first two.
                    self.allowance = self.duplicate_acks.min(2) * self.space.smss();
                }
                None
            }
            DuplicateAck::Inflate => {
                self.window.inflate();
                None
            }
            DuplicateAck::EnterRecovery => {
                match self.signals.on_loss(snd_una) {
                    LossMeaning::Congestion => {
                        // RFC 5681 section 3.2 step 2.
                        let flight_size = self.space.flight_size() - self.beyond_cwnd;
                        self.window.reduce_ssthresh(self.space.snd_wnd(), flight_size);
                    }
                    LossMeaning::Link => self.window.keep_for_exit(),
                }
                self.recovery.enter(&view);
                self.ecn.on_reduction(view.snd_max);
                // With a scoreboard, what has left the network is known.
                let inflation = if self.scoreboard.is_some() { 0 } else { self.duplicate_acks };
                self.window.enter_recovery(inflation);
                self.fast_retransmit(now, timers)
            }
            DuplicateAck::EnterSlowStart => {
                if self.signals.on_loss(snd_una) == LossMeaning::Congestion {
                    self.reduce_ssthresh();
                    self.window.collapse();
                    self.space.go_back();
                }
                self.fast_retransmit(now, timers)
            }
        }
    }

    fn fast_retransmit(&mut self, now: Instant, timers: &mut Timers) -> Option<Event> {
        let snd_una = self.space.snd_una();
        self.allowance = 0;
        self.retransmit(snd_una, Reason::FastRetransmit);
        timers.set(Timer::Retransmit, self.rtt.deadline(now));
        Some(Event::FastRetransmit { snd_una })
    }

    /// The retransmission timer ran out (RFC 6298 sections 5.4 to 5.6).
    pub(super) fn handle_timeout(&mut self, now: Instant, timers: &mut Timers) -> Event {
        let snd_una = self.space.snd_una();
        let event = Event::TimedOut { snd_una, rto: self.rtt.rto() };
        let view = self.view();
        match self.signals.on_loss(snd_una) {
            LossMeaning::Congestion => {
                self.reduce_ssthresh();
                self.window.collapse();
                self.space.go_back();
            }
            LossMeaning::Link => self.window.abandon_recovery(self.recovery.is_active()),
        }
        if let Some(board) = &mut self.scoreboard
            && board.is_sacked(snd_una)
        {
            // What was reported has been dropped since (RFC 2018 section 8).
            board.clear();
        }
        self.recovery.on_timeout(&view);
        self.ecn.on_reduction(view.snd_max);
        self.duplicate_acks = 0;
        self.allowance = 0;
        self.beyond_cwnd = 0;
        self.burst.refill();
        self.tries_new_size = false;
        self.retransmit(snd_una, Reason::Timeout);
        self.rtt.on_timeout();
        timers.set(Timer::Retransmit, self.rtt.deadline(now));
        event
    }

    /// A link layer on the path has said something about one of our segments.
    pub(super) fn handle_notice(&mut self, now: Instant, notice: &Notice, timers: &mut Timers) {
        // As RFC 5927 section 4.1 asks: only what quotes outstanding data.
        if !self.space.is_outstanding(notice.seq) {
            return;
        }
        let snd_una = self.space.snd_una();
        match self.signals.on_notice(notice.kind, notice.seq, snd_una) {
            Reaction::Ignore => {}
            Reaction::PostponeTimer => timers.set(Timer::Retransmit, self.rtt.deadline(now)),
            Reaction::Resend => {
                self.retransmit(notice.seq, Reason::Notice);
                if notice.seq == snd_una {
                    timers.set(Timer::Retransmit, self.rtt.deadline(now));
                }
            }
        }
    }

    /// The path carries segments of `smss` only: everything outstanding goes
    /// again, which is no sign of congestion; one segment, and the rest when an
    /// ACK shows that it is small enough (RFC 1191 section 6.4).
    pub(super) fn resize(&mut self, smss: u32) {
        let shrinks = smss < self.space.smss();
        self.space.set_smss(smss);
        self.window.set_smss(smss);
        if shrinks && self.space.has_outstanding() {
            self.space.go_back();
            self.rtt.on_retransmit();
            self.tries_new_size = true;
        }
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
    fn leave_persist(&mut self, now: Instant, timers: &mut Timers) {
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
    pub(super) fn handle_persist(&mut self, now: Instant, timers: &mut Timers) {
        self.space.go_back();
        self.forced = Some(self.space.snd_wnd().max(1));
        self.burst.refill();
        self.rtt.on_timeout();
        timers.set(Timer::Persist, self.rtt.deadline(now));
    }

    /// Whether there is nothing to send, whatever the windows.
    #[inline]
    pub(super) fn is_quiet(&self) -> bool {
        self.space.is_done()
            && self.resend.is_none()
            && self.forced.is_none()
            && !self.recovery.is_active()
    }

    /// The next segment to send, if one may leave now; why, if not for the
    /// first time.
    #[inline(always)]
    pub(super) fn poll_transmit(
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

    /// When a timer for `span` runs out, by this connection's clock.
    pub(super) fn deadline_after(&self, now: Instant, span: Duration) -> Instant {
        self.rtt.deadline_after(now, span)
    }

    fn retransmit(&mut self, seq: SeqNumber, reason: Reason) {
        self.rtt.on_retransmit();
        self.resend = Some((seq, reason));
    }

    fn reduce_ssthresh(&mut self) {
        self.window.reduce_ssthresh(self.space.snd_wnd(), self.space.flight_size());
    }

    fn view(&self) -> View {
        View {
            smss: self.space.smss(),
            snd_una: self.space.snd_una(),
            snd_max: self.space.snd_max(),
            ssthresh: self.window.ssthresh(),
            dupthresh: self.dupthresh,
        }
    }
}
