//! How a segment is made.

use netjoule_units::Instant;
use netjoule_wire::{Ecn, Flags, SackBlocks, Segment, SeqNumber};

use super::connection::{Connection, Pending, Transmission};
use super::sender::Piece;
use super::state::State;
use super::timers::Timer;
use super::{Event, PathMtu, Reason};
use crate::cost::{Meter, Operation};

impl<M: Meter> Connection<M> {
    /// The next segment to send now, if any.
    pub fn poll_transmit(&mut self, now: Instant) -> Option<Transmission> {
        let mut transmission = Transmission::default();
        self.poll_transmit_into(now, &mut transmission).then_some(transmission)
    }

    /// As [`poll_transmit`](Self::poll_transmit), into `transmission`, which can
    /// be the last one: a segment is large, and where it is made it stays.
    /// Returns whether there is one.
    #[inline(always)]
    pub fn poll_transmit_into(&mut self, now: Instant, transmission: &mut Transmission) -> bool {
        self.metered(
            #[inline(always)]
            |it| {
                let any = it.next_transmission(now, transmission);
                if any {
                    it.note_departure(transmission);
                }
                any
            },
        )
    }

    /// Whether [`poll_transmit`](Self::poll_transmit) has nothing to give: the
    /// driver may spare itself the call.
    #[inline]
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        let Pending { reset, syn, ack, probe } = &self.pending;
        !(*ack || *syn || *probe) && reset.is_none() && self.sender.is_quiet()
    }

    #[inline(always)]
    fn next_transmission(&mut self, now: Instant, it: &mut Transmission) -> bool {
        if let Some(segment) = self.pending.reset.take() {
            *it = Transmission { segment, ecn: Ecn::NotEct, retransmission: None };
            return true;
        }
        if core::mem::take(&mut self.pending.syn) {
            *it = self.syn(now);
            return true;
        }
        if self.options.path_mtu != PathMtu::Off && self.path_mtu.poll(now).is_some() {
            self.follow_path_mtu();
        }
        if self.state.can_send()
            && let Some((piece, reason)) = self.sender.poll_transmit(now, &mut self.timers)
        {
            self.data(now, piece, reason, it);
            return true;
        }
        if !(self.state.is_synchronized() || self.state == State::SynReceived) {
            return false;
        }
        let seq = if self.pending.ack {
            self.sender.space().snd_max()
        } else if core::mem::take(&mut self.pending.probe) {
            // A byte that the peer has had makes it answer (RFC 9293 section
            // 3.8.4).
            self.sender.space().snd_una() - 1
        } else {
            return false;
        };
        self.stats.acks_sent += 1;
        self.segment(now, seq, Flags::ACK, 0, &mut it.segment);
        it.ecn = Ecn::NotEct;
        it.retransmission = None;
        true
    }

    /// Our SYN; a SYN-ACK if the peer's has come.
    #[cold]
    fn syn(&mut self, now: Instant) -> Transmission {
        let peer = self.handshake.peer;
        let peer_options = peer.as_ref().map(|peer| &peer.options);
        let mut options = self.offer.syn_options(peer_options);
        if self.offer.has_timestamps(peer_options) {
            let state = super::timestamps::TimestampState::new(
                self.endpoint.timestamp_offset,
                peer_options.and_then(|options| options.timestamps).map_or(0, |it| it.value),
                now,
            );
            options.timestamps = Some(state.option(now));
        }
        // A SYN that is sent again does not ask for ECN: a path that loses
        // those that do is not met twice (RFC 3168 section 6.1.1.1).
        let ecn = if self.handshake.repeats > 0 && peer.is_none() {
            Flags::NONE
        } else {
            self.offer.ecn_flags(peer.map(|peer| peer.flags))
        };
        let ack = if peer.is_some() { Flags::ACK } else { Flags::NONE };
        let segment = Segment {
            source_port: self.endpoint.source_port,
            destination_port: self.endpoint.destination_port,
            seq: self.endpoint.iss,
            ack: if peer.is_some() { self.receiver.rcv_nxt() } else { SeqNumber::default() },
            flags: Flags::SYN | ack | ecn,
            window: self.receiver.offer(true),
            urgent: 0,
            options,
            len: 0,
        };
        self.last_ack_sent = segment.ack;
        let is_first = self.handshake.sent.is_none();
        self.handshake.sent.get_or_insert(now);
        if !self.timers.is_set(Timer::Retransmit) {
            let at = self.sender.rtt().deadline(now);
            self.timers.set(Timer::Retransmit, at);
        }
        self.begin_user_timeout(now);
        let retransmission = (!is_first && self.handshake.repeats > 0).then_some(Reason::Timeout);
        Transmission { segment, ecn: Ecn::NotEct, retransmission }
    }

    #[inline(always)]
    fn data(&mut self, now: Instant, piece: Piece, reason: Option<Reason>, it: &mut Transmission) {
        let Piece { range, fin, is_new, push } = piece;
        let len = range.len();
        let mut flags = Flags::ACK;
        if fin {
            flags |= Flags::FIN;
        }
        if push && len > 0 {
            flags |= Flags::PSH;
        }
        it.ecn = Ecn::NotEct;
        it.retransmission = reason;
        if is_new && len > 0 && reason.is_none() {
            let (mark, cwr) = self.sender.ecn_mut().mark_new_data();
            it.ecn = mark;
            flags |= cwr;
        }
        let segment = &mut it.segment;
        self.segment(now, range.start, flags, len, segment);
        if let Some(urgent) = self.sender.urgent_pointer(range.start) {
            segment.flags |= Flags::URG;
            segment.urgent = urgent;
        }
        if len > 0 {
            self.stats.segments_sent += 1;
            self.stats.segments_retransmitted += u64::from(reason.is_some());
        } else {
            self.stats.acks_sent += 1;
        }
        if self.options.path_mtu != PathMtu::Off {
            self.path_mtu.on_sent(range, len + self.header_len());
        }
        self.begin_user_timeout(now);
    }

    /// A segment of the established state. Every one carries the
    /// acknowledgment, and offers the window, of now.
    #[inline(always)]
    fn segment(
        &mut self,
        now: Instant,
        seq: SeqNumber,
        flags: Flags,
        len: u32,
        segment: &mut Segment,
    ) {
        self.pending.ack = false;
        self.timers.stop(Timer::DelayedAck);
        let ack = self.receiver.rcv_nxt();
        self.last_ack_sent = ack;
        segment.source_port = self.endpoint.source_port;
        segment.destination_port = self.endpoint.destination_port;
        segment.seq = seq;
        segment.ack = ack;
        segment.flags = flags | self.ecn.flags();
        segment.urgent = 0;
        segment.len = len;
        // Field by field: most have none but timestamps, as the one before.
        let options = &mut segment.options;
        options.mss = None;
        options.window_scale = None;
        options.sack_permitted = false;
        options.timestamps = self.timestamps.as_ref().map(|state| state.option(now));
        if self.receiver.has_report() {
            options.sack = self.sack_blocks(len);
        } else {
            options.sack.truncate(0);
        }
        segment.window = self.receiver.offer(false);
        self.receiver.on_ack_sent();
    }

    /// As many blocks as fit into the options, and with `len` bytes of payload
    /// into the path (RFC 2018 section 3).
    #[cold]
    fn sack_blocks(&mut self, len: u32) -> SackBlocks {
        let in_options = if self.timestamps.is_some() { 3 } else { SackBlocks::MAX };
        let in_packet = self.sender.space().smss().saturating_sub(len).saturating_sub(4) / 8;
        let room = if len == 0 { in_options } else { in_options.min(in_packet as usize) };
        self.receiver.sack_blocks(room)
    }

    /// The time of [`poll_timeout`](Self::poll_timeout) has come.
    pub fn handle_timeout(&mut self, now: Instant) {
        self.metered(|it| {
            if it.timers.expire(Timer::DelayedAck, now) {
                it.meter.note(Operation::TimerExpiry, 1);
                it.pending.ack = true;
            }
            if it.timers.expire(Timer::Retransmit, now) {
                it.meter.note(Operation::TimerExpiry, 1);
                it.retransmission_timed_out(now);
            }
            if it.timers.expire(Timer::Persist, now) {
                it.meter.note(Operation::TimerExpiry, 1);
                it.sender.handle_persist(now, &mut it.timers);
                it.begin_user_timeout(now);
            }
            it.lifetime_timeouts(now);
        });
    }

    fn retransmission_timed_out(&mut self, now: Instant) {
        if matches!(self.state, State::SynSent | State::SynReceived) {
            self.handshake.repeats += 1;
            self.stats.timeouts += 1;
            let rto = self.sender.rtt().rto();
            self.events.push_back(Event::TimedOut { snd_una: self.endpoint.iss, rto });
            self.sender.rtt_mut().on_timeout();
            self.pending.syn = true;
            return;
        }
        // First, so that what goes again, and the window, have the new size.
        let lost = self.sender.space().first_outstanding();
        if self.path_mtu.on_timeout(now, lost, lost.len() + self.header_len()).is_some() {
            self.follow_path_mtu();
        }
        let event = self.sender.handle_timeout(now, &mut self.timers);
        self.note(event);
    }

    #[inline]
    fn note_departure(&mut self, transmission: &Transmission) {
        let segment = &transmission.segment;
        let kind = if segment.is_data() {
            Operation::DataOut
        } else if segment.flags.has_any(Flags::SYN | Flags::FIN | Flags::RST) {
            Operation::ControlOut
        } else {
            Operation::AckOut
        };
        self.meter.note(kind, 1);
        self.meter
            .note(Operation::Retransmission, u64::from(transmission.retransmission.is_some()));
        self.meter.note(Operation::OptionBytesOut, u64::from(segment.options.wire_len()));
        self.meter.note(Operation::SackBlockOut, segment.options.sack.len() as u64);
    }
}
