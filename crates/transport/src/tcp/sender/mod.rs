//! The sending half: carries out what the parts decide.

mod space;
mod window;

use netjoule_units::{Duration, Instant};
use netjoule_wire::{Notice, SeqNumber, SeqRange};

use super::recovery::{DuplicateAck, LossRecovery, NewAck, Recovery, View};
use super::rtt::RttEstimator;
use super::signals::{LossMeaning, Reaction, Signals};
use super::timers::{Timer, Timers};
use super::{Event, Options, Reason, Variant};
use space::SendSpace;
use window::CongestionWindow;

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

/// The sending half of a connection.
#[derive(Clone, Debug)]
pub(super) struct Sender {
    smss: u32,
    dupthresh: u32,
    space: SendSpace,
    window: CongestionWindow,
    recovery: Recovery,
    signals: Signals,
    rtt: RttEstimator,
    /// Duplicate ACKs in a row for `snd_una`.
    duplicate_acks: u32,
    /// A single segment to send again, regardless of the window.
    resend: Option<(SeqNumber, Reason)>,
}

impl Sender {
    pub(super) fn new(
        variant: &Variant,
        options: &Options,
        smss: u32,
        snd_wnd: u32,
        iss: SeqNumber,
    ) -> Self {
        Self {
            smss,
            dupthresh: options.dupthresh,
            space: SendSpace::new(smss, snd_wnd, iss),
            window: CongestionWindow::new(options, smss),
            recovery: Recovery::new(variant.recovery, iss),
            signals: Signals::new(variant.signals),
            rtt: RttEstimator::new(options),
            duplicate_acks: 0,
            resend: None,
        }
    }

    pub(super) fn write(&mut self, bytes: u64) {
        self.space.write(bytes);
    }

    /// Whether there is data that has not been acknowledged, sent or not.
    pub(super) fn has_work(&self) -> bool {
        self.space.has_outstanding() || self.space.has_unsent()
    }

    pub(super) fn snd_nxt(&self) -> SeqNumber {
        self.space.snd_nxt()
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
    pub(super) fn handle_ack(
        &mut self,
        now: Instant,
        ack: SeqNumber,
        offered: u32,
        is_pure: bool,
        timers: &mut Timers,
    ) -> Option<Event> {
        if !self.space.is_acceptable(ack) {
            return None;
        }
        let same_window = self.space.offer(offered);
        if ack == self.space.snd_una() {
            // RFC 5681 section 2: what makes an ACK a duplicate.
            let duplicate = self.space.has_outstanding() && is_pure && same_window;
            return if duplicate { self.on_duplicate_ack(now, timers) } else { None };
        }
        self.on_new_ack(now, ack, timers);
        (!self.has_work()).then_some(Event::AllAcknowledged)
    }

    fn on_new_ack(&mut self, now: Instant, ack: SeqNumber, timers: &mut Timers) {
        let verdict = self.recovery.on_new_ack(ack, &self.view());
        let acked = self.space.acknowledge(ack);
        self.duplicate_acks = 0;
        self.rtt.on_ack(now, ack);
        self.signals.on_new_ack(ack);
        let mut restart_timer = true;
        match verdict {
            NewAck::Grow => self.window.grow(),
            NewAck::Leave { cwnd } => self.window.leave_recovery(cwnd),
            NewAck::Partial { restart_timer: restart } => {
                self.window.deflate(acked);
                self.retransmit(ack, Reason::PartialAck);
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
        match self.recovery.on_duplicate_ack(self.duplicate_acks, &view) {
            DuplicateAck::Wait => None,
            DuplicateAck::Inflate => {
                self.window.inflate();
                None
            }
            DuplicateAck::EnterRecovery => {
                match self.signals.on_loss(snd_una) {
                    LossMeaning::Congestion => self.reduce_ssthresh(),
                    LossMeaning::Link => self.window.keep_for_exit(),
                }
                self.recovery.enter(&view);
                self.window.enter_recovery(self.duplicate_acks);
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
        self.recovery.on_timeout(&view);
        self.duplicate_acks = 0;
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

    /// The next segment to send, if one may leave now; why, if not for the
    /// first time.
    pub(super) fn poll_transmit(
        &mut self,
        now: Instant,
        timers: &mut Timers,
    ) -> Option<(SeqRange, Option<Reason>)> {
        if let Some((seq, reason)) = self.resend.take() {
            return Some((self.space.resend(seq), Some(reason)));
        }
        let (range, is_new) = self.space.send(self.window.cwnd())?;
        if is_new {
            self.rtt.on_send(now, range.end);
        }
        // RFC 6298 section 5.1.
        if !timers.is_set(Timer::Retransmit) {
            timers.set(Timer::Retransmit, self.rtt.deadline(now));
        }
        Some((range, (!is_new).then_some(Reason::GoBackN)))
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
            smss: self.smss,
            snd_una: self.space.snd_una(),
            snd_max: self.space.snd_max(),
            ssthresh: self.window.ssthresh(),
            dupthresh: self.dupthresh,
        }
    }
}
