//! The sending half: carries out what the parts decide.

mod burst;
pub(super) mod scoreboard;
mod space;
mod transmit;
mod window;

use netjoule_units::{Duration, Instant};
use netjoule_wire::{Notice, SackBlocks, SeqNumber};

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
