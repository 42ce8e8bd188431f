//! How connections are closed, wait, and are given up (RFC 9293 sections 3.6
//! and 3.8.3 to 3.8.4, RFC 5927).

use netjoule_units::{Bytes, Instant};
use netjoule_wire::{Flags, Segment, SeqNumber};

use super::Cause;
use super::connection::Connection;
use super::state::{State, Trigger};
use super::timers::Timer;
use crate::cost::{Meter, Operation};

/// What an ICMP error says of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IcmpErrorKind {
    /// A packet was too long to go on (RFC 1191, RFC 8201).
    TooBig {
        /// What goes on, in bytes; zero from routers that do not say.
        mtu: u32,
    },
    /// The destination does not take such packets: protocol or port
    /// unreachable, or communication prohibited.
    Hard,
    /// A trouble that may pass: network or host unreachable, time exceeded.
    Soft,
}

/// An ICMP error about a segment of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IcmpError {
    /// The sequence number of the quoted segment.
    pub seq: SeqNumber,
    /// What it says.
    pub kind: IcmpErrorKind,
}

impl<M: Meter> Connection<M> {
    /// The application has written its last byte: a FIN follows it. The other
    /// direction stays open.
    pub fn shutdown(&mut self) {
        match self.state {
            State::Listen => self.finish(Cause::Aborted),
            State::SynSent | State::SynReceived | State::Established | State::CloseWait => {
                self.sender.end();
                self.follow(Trigger::Close);
            }
            _ => {}
        }
    }

    /// The application is done with both directions. If it has not read
    /// everything, the peer is told by a reset (RFC 2525 section 2.17).
    pub fn close(&mut self, now: Instant) {
        if self.unread() > Bytes::ZERO {
            self.abort();
            return;
        }
        if self.state == State::SynSent && !self.sender.space().has_data() {
            self.finish(Cause::Aborted);
            return;
        }
        self.is_deaf = true;
        self.shutdown();
        if self.state == State::FinWait2 {
            self.begin_time_wait(now);
        }
    }

    /// Ends the connection at once, with a reset.
    pub fn abort(&mut self) {
        match self.state {
            State::Closed => return,
            State::Listen | State::SynSent | State::TimeWait => {}
            _ => self.reset_peer(),
        }
        self.finish(Cause::Aborted);
    }

    /// Whether a SYN may begin a new connection in the place of this one, which
    /// is in TIME-WAIT (RFC 9293 section 3.6.1, RFC 6191 section 2): with a
    /// later timestamp, or without timestamps a later sequence number.
    #[must_use]
    pub fn yields_to(&self, now: Instant, syn: &Segment) -> bool {
        if self.state != State::TimeWait || !syn.flags.has(Flags::SYN) || syn.flags.has(Flags::ACK)
        {
            return false;
        }
        match (&self.timestamps, syn.options.timestamps) {
            (Some(state), Some(theirs)) if state.is_newer(theirs.value) => true,
            (Some(state), Some(theirs)) if state.is_old(now, theirs.value) => false,
            _ => syn.seq.is_after(self.receiver.rcv_nxt()),
        }
    }

    /// An ICMP error has come about a segment of this connection.
    pub fn handle_icmp(&mut self, now: Instant, error: &IcmpError) {
        let in_handshake = matches!(self.state, State::SynSent | State::SynReceived);
        // RFC 5927 section 4.1: only what quotes data in flight is believed.
        let is_ours = if in_handshake {
            error.seq == self.endpoint.iss
        } else {
            self.state.can_send() && self.sender.space().is_outstanding(error.seq)
        };
        if !is_ours {
            return;
        }
        match error.kind {
            IcmpErrorKind::TooBig { mtu } => {
                if self.path_mtu.on_too_big(now, error.seq, mtu).is_some() && !in_handshake {
                    self.follow_path_mtu();
                }
            }
            // RFC 5927 section 5.2: hard errors end attempts to connect only.
            IcmpErrorKind::Hard if self.state == State::SynSent => self.finish(Cause::Unreachable),
            IcmpErrorKind::Hard | IcmpErrorKind::Soft => {}
        }
    }

    /// Segments take the size that the path is thought to carry.
    pub(super) fn follow_path_mtu(&mut self) {
        self.sender.resize(self.payload_limit());
    }

    /// What was asked for during the handshake.
    pub(super) fn close_when_established(&mut self) {
        if self.sender.space().is_ending() {
            self.follow(Trigger::Close);
        }
    }

    pub(super) fn follow_fin_acknowledged(&mut self, now: Instant) {
        let before = self.state;
        self.follow(Trigger::FinAcknowledged);
        match self.state {
            State::Closed if before != State::Closed => self.finish(Cause::Finished),
            State::TimeWait if before != State::TimeWait => self.begin_time_wait(now),
            // Nobody waits for the peer's FIN but this end's memory.
            State::FinWait2 if before != State::FinWait2 && self.is_deaf => {
                self.begin_time_wait(now);
            }
            _ => {}
        }
    }

    /// Everything is forgotten after twice the MSL. A FIN-WAIT-2 that the
    /// application has left is given as much time.
    pub(super) fn begin_time_wait(&mut self, now: Instant) {
        if self.state == State::TimeWait {
            self.timers.stop(Timer::Retransmit);
            self.timers.stop(Timer::Persist);
            self.timers.stop(Timer::KeepAlive);
            self.timers.stop(Timer::User);
        }
        self.timers.set(Timer::TimeWait, now + self.options.msl.saturating_mul(2));
    }

    pub(super) fn begin_keep_alive(&mut self, now: Instant) {
        if !self.options.keep_alive.is_zero() {
            self.keep_alive.heard = now;
            self.timers.set(Timer::KeepAlive, now + self.options.keep_alive);
        }
    }

    /// Something has left that must be acknowledged in time.
    #[inline]
    pub(super) fn begin_user_timeout(&mut self, now: Instant) {
        if !self.options.user_timeout.is_zero() && !self.timers.is_set(Timer::User) {
            self.timers.set(Timer::User, now + self.options.user_timeout);
        }
    }

    /// Something has been acknowledged.
    #[inline]
    pub(super) fn watch_user_timeout(&mut self, now: Instant) {
        if self.timers.is_set(Timer::User) {
            self.timers.stop(Timer::User);
            if self.sender.space().has_outstanding() {
                self.begin_user_timeout(now);
            }
        }
    }

    pub(super) fn lifetime_timeouts(&mut self, now: Instant) {
        if self.timers.expire(Timer::KeepAlive, now) {
            self.meter.note(Operation::TimerExpiry, 1);
            self.ask_if_there(now);
        }
        if self.timers.expire(Timer::User, now) {
            self.meter.note(Operation::TimerExpiry, 1);
            if self.state.is_synchronized() {
                self.reset_peer();
            }
            self.finish(Cause::UserTimeout);
        }
        if self.timers.expire(Timer::TimeWait, now) {
            self.meter.note(Operation::TimerExpiry, 1);
            self.finish(Cause::Finished);
        }
    }

    fn ask_if_there(&mut self, now: Instant) {
        let options = &self.options;
        let due = self.keep_alive.heard + options.keep_alive;
        if self.keep_alive.probes == 0 && due > now {
            // Something has come since the timer was set.
            self.timers.set(Timer::KeepAlive, due);
            return;
        }
        if self.sender.space().has_outstanding() {
            // That asks already, for as long as the user timeout allows.
            self.keep_alive.probes = 0;
            self.timers.set(Timer::KeepAlive, now + options.keep_alive_interval);
            return;
        }
        if self.keep_alive.probes >= options.keep_alive_probes {
            self.reset_peer();
            self.finish(Cause::KeepAlive);
            return;
        }
        self.timers.set(Timer::KeepAlive, now + options.keep_alive_interval);
        self.keep_alive.probes += 1;
        self.pending.probe = true;
    }

    /// An acknowledgment that lets an honest peer correct itself (RFC 5961).
    pub(super) fn send_challenge(&mut self, now: Instant) {
        if self.challenge.allows(now) {
            self.stats.challenge_acks += 1;
            self.pending.ack = true;
        }
    }

    /// Answers a segment that belongs to no connection (RFC 9293 section
    /// 3.5.2).
    pub(super) fn refuse(&mut self, segment: &Segment) {
        self.pending.reset = reset_for(segment);
    }

    /// Tells the peer that the connection is gone.
    pub(super) fn reset_peer(&mut self) {
        self.pending.reset = Some(Segment {
            source_port: self.endpoint.source_port,
            destination_port: self.endpoint.destination_port,
            seq: self.sender.space().snd_max(),
            ack: self.receiver.rcv_nxt(),
            flags: Flags::RST | Flags::ACK,
            ..Segment::default()
        });
    }
}

/// The reset that answers `segment`, which belongs to no connection (RFC 9293
/// section 3.10.7.1); `None` if it is a reset itself.
#[must_use]
pub fn reset_for(segment: &Segment) -> Option<Segment> {
    if segment.flags.has(Flags::RST) {
        return None;
    }
    let reply = Segment {
        source_port: segment.destination_port,
        destination_port: segment.source_port,
        flags: Flags::RST,
        ..Segment::default()
    };
    Some(if segment.flags.has(Flags::ACK) {
        Segment { seq: segment.ack, ..reply }
    } else {
        let ack = segment.seq + segment.seq_len();
        Segment { ack, flags: Flags::RST | Flags::ACK, ..reply }
    })
}
