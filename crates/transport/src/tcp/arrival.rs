//! What becomes of a segment that has come (RFC 9293 section 3.10.7).

use netjoule_units::Instant;
use netjoule_wire::{Ecn, Flags, Segment, SeqRange};

use super::connection::{Connection, PeerSyn};
use super::fast_path::{Expected, Prediction};
use super::receiver::Acknowledge;
use super::sender::Ack;
use super::state::{State, Trigger};
use super::timers::Timer;
use super::{Cause, Event, PathMtu, Paws};
use crate::cost::{Meter, Operation};

impl<M: Meter> Connection<M> {
    /// A segment has come, in a packet with the mark `ecn`. Returns the part of
    /// its payload that the driver shall keep: new, and in the window.
    pub fn handle_packet(&mut self, now: Instant, segment: &Segment, ecn: Ecn) -> Option<SeqRange> {
        self.stats.segments_received += 1;
        self.note_arrival(segment);
        self.keep_alive.heard = now;
        self.keep_alive.probes = 0;
        self.metered(|it| match it.state {
            State::Closed => {
                it.refuse(segment);
                None
            }
            State::Listen => {
                it.arrive_in_listen(now, segment);
                None
            }
            State::SynSent => it.arrive_in_syn_sent(now, segment, ecn),
            State::Established if it.options.header_prediction => {
                match it.predicted(now, segment) {
                    Some(expected) if ecn != Ecn::Ce => {
                        it.take_expected(now, segment, expected, ecn)
                    }
                    _ => it.arrive(now, segment, ecn),
                }
            }
            _ => it.arrive(now, segment, ecn),
        })
    }

    /// Whether `segment` may take the short path: steps H1 and H2 of
    /// agarwal2000 4.4, in the order that [`Paws`] names.
    #[inline(always)]
    fn predicted(&mut self, now: Instant, segment: &Segment) -> Option<Expected> {
        let has_timestamps = segment.options.timestamps.is_some();
        if has_timestamps != self.timestamps.is_some()
            || (self.options.paws == Paws::BeforePrediction && self.is_old_duplicate(now, segment))
        {
            return None;
        }
        let space = self.sender.space();
        let prediction = Prediction {
            rcv_nxt: self.receiver.rcv_nxt(),
            window: self.peer_window,
            snd_una: space.snd_una(),
            snd_max: space.snd_max(),
        };
        let expected = prediction.holds(segment)?;
        let fits = match expected {
            Expected::Data => self.receiver.expects(segment),
            Expected::Ack => !self.sender.is_repairing() && self.receiver.is_in_order(),
        };
        fits.then_some(expected)
    }

    /// The short path.
    #[inline(always)]
    fn take_expected(
        &mut self,
        now: Instant,
        segment: &Segment,
        expected: Expected,
        ecn: Ecn,
    ) -> Option<SeqRange> {
        self.meter.note(Operation::FastPath, 1);
        self.record_timestamp(now, segment);
        match expected {
            Expected::Ack => {
                self.take_ack(now, segment);
                None
            }
            Expected::Data => {
                self.ecn.on_data(ecn, segment.flags);
                let acknowledge = self.receiver.handle_expected(now, segment);
                self.acknowledge(now, acknowledge);
                Some(segment.range())
            }
        }
    }

    /// Sections 3.10.7.2: a SYN begins a connection.
    fn arrive_in_listen(&mut self, now: Instant, segment: &Segment) {
        if segment.flags.has(Flags::RST) {
            return;
        }
        if segment.flags.has(Flags::ACK) {
            self.refuse(segment);
        } else if segment.flags.has(Flags::SYN) {
            self.hear_syn(now, segment);
            self.follow(Trigger::Syn);
            self.pending.syn = true;
        }
    }

    /// Section 3.10.7.3.
    fn arrive_in_syn_sent(
        &mut self,
        now: Instant,
        segment: &Segment,
        ecn: Ecn,
    ) -> Option<SeqRange> {
        let flags = segment.flags;
        let is_ours = flags.has(Flags::ACK) && segment.ack == self.endpoint.iss + 1;
        if flags.has(Flags::ACK) && !is_ours {
            if !flags.has(Flags::RST) {
                self.refuse(segment);
            }
            return None;
        }
        if flags.has(Flags::RST) {
            if is_ours {
                self.finish(Cause::Refused);
            }
            return None;
        }
        if !flags.has(Flags::SYN) {
            return None;
        }
        self.hear_syn(now, segment);
        if is_ours {
            self.follow(Trigger::SynAck);
            self.become_established(now, segment);
            self.pending.ack = true;
            // Data may follow a SYN at once.
            return self.take_data(now, segment, ecn);
        }
        // Both have sent a SYN (section 3.5, figure 7).
        self.follow(Trigger::Syn);
        self.pending.syn = true;
        None
    }

    /// The peer's SYN settles what it can.
    fn hear_syn(&mut self, now: Instant, segment: &Segment) {
        let Segment { seq, flags, options, .. } = *segment;
        self.handshake.peer = Some(PeerSyn { seq, flags, options });
        self.agreed = self.offer.agree(segment);
        self.receiver.open(seq + 1);
        self.settle(now, options.timestamps.map_or(0, |timestamps| timestamps.value));
    }

    /// Our SYN is acknowledged by `segment`, whose window counts unless it has a
    /// SYN itself.
    fn become_established(&mut self, now: Instant, segment: &Segment) {
        let repeats = self.handshake.repeats;
        self.timers.stop(Timer::Retransmit);
        self.timers.stop(Timer::User);
        self.sender.rtt_mut().end_backoff();
        // RFC 6298 section 3: not with a SYN that was sent again.
        if let Some(sent) = self.handshake.sent.filter(|_| repeats == 0) {
            self.sender.rtt_mut().sample(now, sent);
        }
        let shift = if segment.flags.has(Flags::SYN) { 0 } else { self.agreed.window_shifts.0 };
        let snd_wnd = u32::from(segment.window) << shift;
        self.peer_window = segment.window;
        self.open_sender(self.endpoint.iss + 1, snd_wnd, segment.seq, repeats > 0);
        self.begin_keep_alive(now);
        self.note(Event::Connected);
        self.close_when_established();
    }

    /// Section 3.10.7.4, all steps in its order.
    #[inline(never)]
    fn arrive(&mut self, now: Instant, segment: &Segment, ecn: Ecn) -> Option<SeqRange> {
        self.meter.note(Operation::SlowPath, 1);
        let flags = segment.flags;
        if !flags.has(Flags::RST) && !self.has_good_timestamp(now, segment) {
            return None;
        }
        if !self.receiver.is_acceptable(segment) {
            self.answer_unacceptable(now, segment);
            return None;
        }
        if flags.has(Flags::RST) {
            self.hear_reset(now, segment);
            return None;
        }
        if flags.has(Flags::SYN) {
            // RFC 5961 section 4.2.
            self.send_challenge(now);
            return None;
        }
        if !flags.has(Flags::ACK) || !self.hear_ack(now, segment) {
            return None;
        }
        self.record_timestamp(now, segment);
        if flags.has(Flags::URG) && self.state.can_receive() {
            let end = segment.seq + u32::from(segment.urgent);
            if end.is_after(self.receiver.rcv_nxt()) {
                self.note(Event::Urgent { end });
            }
        }
        self.take_data(now, segment, ecn)
    }

    /// Step 1 where it does not hold: an acknowledgment tells the peer where
    /// this end is.
    fn answer_unacceptable(&mut self, now: Instant, segment: &Segment) {
        let flags = segment.flags;
        if flags.has(Flags::RST) {
            return;
        }
        let repeats_syn = flags.has(Flags::SYN)
            && self.state == State::SynReceived
            && self.handshake.peer.is_some_and(|peer| peer.seq == segment.seq);
        if repeats_syn && flags.has(Flags::ACK) {
            // Both sides have opened at once, and this is the peer's answer
            // (section 3.5, figure 7). Ours tells it the same, so that nothing
            // is left to say unless that is still to leave.
            if self.hear_ack_of_syn(now, segment) {
                self.pending.ack = core::mem::take(&mut self.pending.syn);
            }
        } else if repeats_syn {
            // Ours was lost.
            self.pending.syn = true;
        } else if segment.seq_len() > 0 {
            self.stats.duplicates_received += u64::from(segment.is_data());
            if segment.is_data() {
                self.receiver.report(segment.range());
            }
            self.pending.ack = true;
            if flags.has(Flags::FIN) && self.state == State::TimeWait {
                self.begin_time_wait(now);
            }
        } else {
            // Two ends that each find the other's ACK unacceptable must not go
            // on for ever.
            self.send_challenge(now);
        }
        // A closed window lets acknowledgments through.
        let probes_window = self.receiver.rcv_wnd() == 0 && segment.seq == self.receiver.rcv_nxt();
        if probes_window && flags.has(Flags::ACK) && !flags.has(Flags::SYN) {
            self.hear_ack(now, segment);
        }
    }

    /// Step 2, with RFC 5961 section 3.2: only the very next sequence number
    /// resets.
    fn hear_reset(&mut self, now: Instant, segment: &Segment) {
        if segment.seq != self.receiver.rcv_nxt() {
            self.send_challenge(now);
        } else if self.state == State::SynReceived {
            self.finish(Cause::Refused);
        } else if matches!(self.state, State::TimeWait | State::Closing | State::LastAck) {
            self.finish(Cause::Finished);
        } else {
            self.finish(Cause::Reset);
        }
    }

    /// Step 5. Returns whether the segment may go on.
    fn hear_ack(&mut self, now: Instant, segment: &Segment) -> bool {
        if self.state == State::SynReceived && !self.hear_ack_of_syn(now, segment) {
            return false;
        }
        let space = self.sender.space();
        if !space.is_acceptable(segment.ack) {
            // RFC 5961 section 5.2: old ones within the largest window are
            // duplicates that were overtaken; all others are suspect.
            let behind = space.snd_una() - segment.ack;
            let is_overtaken = behind <= space.max_wnd();
            if !is_overtaken {
                self.send_challenge(now);
            }
            return is_overtaken;
        }
        self.take_ack(now, segment);
        if self.sender.space().fin_is_acknowledged() {
            self.follow_fin_acknowledged(now);
        }
        self.state != State::Closed
    }

    /// Whether `segment`, come in SYN-RECEIVED, acknowledges our SYN: then the
    /// connection is open.
    fn hear_ack_of_syn(&mut self, now: Instant, segment: &Segment) -> bool {
        if segment.ack != self.endpoint.iss + 1 {
            self.refuse(segment);
            return false;
        }
        self.follow(Trigger::SynAcknowledged);
        self.become_established(now, segment);
        true
    }

    /// Hands the acknowledgment of an acceptable segment to the sending half.
    #[inline]
    fn take_ack(&mut self, now: Instant, segment: &Segment) {
        let Segment { seq, ack, flags, len, .. } = *segment;
        let echo = segment.options.timestamps.map(|timestamps| timestamps.echo);
        let round_trip = match (&self.timestamps, echo) {
            (Some(timestamps), Some(echo)) => timestamps.round_trip(now, echo),
            _ => None,
        };
        self.peer_window = segment.window;
        let snd_una = self.sender.space().snd_una();
        let it = Ack {
            seq,
            ack,
            window: u32::from(segment.window) << self.agreed.window_shifts.0,
            is_pure: len == 0 && !flags.has_any(Flags::SYN | Flags::FIN),
            sack: &segment.options.sack,
            round_trip,
            ece: flags.has(Flags::ECE),
        };
        if let Some(event) = self.sender.handle_ack(now, &it, &mut self.timers) {
            self.note(event);
        }
        self.stats.dsacks_received = self.sender.dsacks();
        if ack != snd_una {
            if self.options.path_mtu != PathMtu::Off {
                self.path_mtu.on_new_ack(ack);
            }
            self.watch_user_timeout(now);
        } else if self.timers.is_set(Timer::Persist) {
            // A closed window is no reason to give up as long as it is offered.
            self.watch_user_timeout(now);
        }
    }

    /// Steps 7 and 8: payload and FIN.
    fn take_data(&mut self, now: Instant, segment: &Segment, ecn: Ecn) -> Option<SeqRange> {
        if segment.seq_len() == 0 || self.state == State::Closed {
            return None;
        }
        if !self.state.can_receive() {
            // After the peer's FIN only duplicates can come.
            self.pending.ack = true;
            return None;
        }
        if segment.is_data() {
            if self.is_deaf && segment.range().end.is_after(self.receiver.rcv_nxt()) {
                // Nobody will read it: the peer should know (RFC 2525 section
                // 2.17).
                self.reset_peer();
                self.finish(Cause::Aborted);
                return None;
            }
            self.ecn.on_data(ecn, segment.flags);
            self.stats.marks_received += u64::from(ecn == Ecn::Ce);
        }
        let arrival = self.receiver.handle_data(now, segment);
        let is_repeated = segment.is_data() && arrival.keep.is_none();
        self.stats.duplicates_received += u64::from(is_repeated);
        if arrival.fin_reached {
            self.follow(Trigger::Fin);
            self.note(Event::PeerClosed);
            if self.state == State::TimeWait {
                self.begin_time_wait(now);
            }
        }
        if segment.is_data() || segment.flags.has(Flags::FIN) {
            self.acknowledge(now, arrival.acknowledge);
        }
        arrival.keep
    }

    #[inline]
    fn acknowledge(&mut self, now: Instant, acknowledge: Acknowledge) {
        match acknowledge {
            Acknowledge::Now => self.pending.ack = true,
            Acknowledge::Within(span) => {
                if !self.timers.is_set(Timer::DelayedAck) {
                    let at = self.sender.deadline_after(now, span);
                    self.timers.set(Timer::DelayedAck, at);
                }
            }
        }
    }

    /// RFC 7323 section 5.3, R1: answers and refuses old duplicates, and (section
    /// 3.2) passes over segments without the timestamp that was agreed on.
    fn has_good_timestamp(&mut self, now: Instant, segment: &Segment) -> bool {
        if self.timestamps.is_none() || segment.flags.has(Flags::SYN) {
            return true;
        }
        if segment.options.timestamps.is_none() {
            return false;
        }
        if self.options.paws == Paws::Off || !self.is_old_duplicate(now, segment) {
            return true;
        }
        self.stats.paws_rejected += 1;
        self.pending.ack = true;
        false
    }

    #[inline]
    fn is_old_duplicate(&mut self, now: Instant, segment: &Segment) -> bool {
        let (Some(state), Some(timestamps)) = (&self.timestamps, segment.options.timestamps) else {
            return false;
        };
        self.meter.note(Operation::PawsCheck, 1);
        state.is_old(now, timestamps.value)
    }

    /// RFC 7323 section 4.3: what to echo.
    #[inline]
    fn record_timestamp(&mut self, now: Instant, segment: &Segment) {
        if let (Some(state), Some(timestamps)) = (&mut self.timestamps, segment.options.timestamps)
            && !segment.seq.is_after(self.last_ack_sent)
        {
            state.update(now, timestamps.value);
        }
    }

    #[inline]
    fn note_arrival(&mut self, segment: &Segment) {
        let kind = if segment.is_data() {
            Operation::DataIn
        } else if segment.flags.has_any(Flags::SYN | Flags::FIN | Flags::RST) {
            Operation::ControlIn
        } else {
            Operation::AckIn
        };
        self.meter.note(kind, 1);
        self.meter.note(Operation::OptionBytesIn, u64::from(segment.options.wire_len()));
        self.meter.note(Operation::SackBlockIn, segment.options.sack.len() as u64);
    }
}
