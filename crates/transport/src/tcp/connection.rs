//! One connection: sequencing of its two halves, nothing else.

use std::collections::VecDeque;

use netjoule_units::{Bytes, Instant};
use netjoule_wire::{Flags, Notice, Segment, SeqNumber};

use super::receiver::{Acknowledge, Receiver};
use super::sender::{Sender, Snapshot};
use super::timers::{Timer, Timers};
use super::{Event, Options, Reason, Stats, Variant};

/// A TCP connection in the established state, in both directions.
///
/// # The drive contract
///
/// The connection never reads a clock, a socket or global randomness. Its
/// driver
///
/// - **gives it** packets, signals and time: [`handle_packet`],
///   [`handle_signal`], [`handle_timeout`];
/// - **commands it** for the application: [`write`], [`read`];
/// - after each of these **takes** everything there is to take:
///   [`poll_transmit`] until it returns `None`, then [`poll_event`] until it
///   returns `None`, then sets its timer to [`poll_timeout`];
/// - calls with times that never decrease.
///
/// Calling `handle_timeout` early is harmless. The connection reasons about
/// sequence ranges; the driver owns the bytes.
///
/// [`handle_packet`]: Self::handle_packet
/// [`handle_signal`]: Self::handle_signal
/// [`handle_timeout`]: Self::handle_timeout
/// [`write`]: Self::write
/// [`read`]: Self::read
/// [`poll_transmit`]: Self::poll_transmit
/// [`poll_event`]: Self::poll_event
/// [`poll_timeout`]: Self::poll_timeout
#[derive(Clone, Debug)]
pub struct Connection {
    source_port: u16,
    destination_port: u16,
    shift: u8,
    sender: Sender,
    receiver: Receiver,
    timers: Timers,
    /// Whether an acknowledgment is due at once.
    ack_now: bool,
    events: VecDeque<Event>,
    stats: Stats,
}

/// A segment to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmission {
    /// The segment.
    pub segment: Segment,
    /// Why it is sent again; `None` for the first time.
    pub retransmission: Option<Reason>,
}

impl Connection {
    /// An established connection between two ports, whose other end has the
    /// same options: it has offered their window. Both ends start at sequence
    /// number zero, as simulated connections do.
    ///
    /// # Panics
    /// If `options` are not valid: see [`Options::validate`].
    #[must_use]
    pub fn new(
        variant: &Variant,
        options: &Options,
        source_port: u16,
        destination_port: u16,
    ) -> Self {
        let narrow = |bytes: Bytes| u32::try_from(bytes.get()).expect("validated options");
        let (mss, window) = (narrow(options.mss), narrow(options.receive_window));
        let iss = SeqNumber::new(0);
        Self {
            source_port,
            destination_port,
            shift: options.window_shift(),
            sender: Sender::new(variant, options, mss, window, iss),
            receiver: Receiver::new(options, window, iss),
            timers: Timers::new(),
            ack_now: false,
            events: VecDeque::new(),
            stats: Stats::default(),
        }
    }

    /// A segment has arrived.
    pub fn handle_packet(&mut self, now: Instant, segment: &Segment) {
        let Segment { ack, .. } = *segment;
        let window = u32::from(segment.window) << self.shift;
        let is_pure = !segment.is_data();
        let event = self.sender.handle_ack(now, ack, window, is_pure, &mut self.timers);
        if let Some(event) = event {
            self.note(event);
        }
        if segment.is_data() {
            self.handle_data(now, segment);
        }
    }

    fn handle_data(&mut self, now: Instant, segment: &Segment) {
        let (acknowledge, is_new) = self.receiver.handle_data(segment);
        self.stats.duplicates_received += u64::from(!is_new);
        match acknowledge {
            Acknowledge::Now => self.ack_now = true,
            Acknowledge::Within(span) => {
                if !self.timers.is_set(Timer::DelayedAck) {
                    let at = self.sender.deadline_after(now, span);
                    self.timers.set(Timer::DelayedAck, at);
                }
            }
        }
    }

    /// A link layer on the path has sent a notice about a segment of ours.
    pub fn handle_signal(&mut self, now: Instant, notice: &Notice) {
        self.sender.handle_notice(now, notice, &mut self.timers);
    }

    /// The time of [`poll_timeout`](Self::poll_timeout) has come.
    pub fn handle_timeout(&mut self, now: Instant) {
        if self.timers.expire(Timer::DelayedAck, now) {
            self.ack_now = true;
        }
        if self.timers.expire(Timer::Retransmit, now) {
            let event = self.sender.handle_timeout(now, &mut self.timers);
            self.note(event);
        }
    }

    /// The application has `amount` more to send.
    pub fn write(&mut self, amount: Bytes) {
        self.sender.write(amount.get());
    }

    /// The application takes all in-order data that has arrived. Returns how
    /// much that is.
    pub fn read(&mut self) -> Bytes {
        Bytes::new(self.receiver.read())
    }

    /// The next segment to send now, if any.
    pub fn poll_transmit(&mut self, now: Instant) -> Option<Transmission> {
        let (seq, len, retransmission) = match self.sender.poll_transmit(now, &mut self.timers) {
            Some((range, retransmission)) => {
                self.stats.segments_sent += 1;
                self.stats.segments_retransmitted += u64::from(retransmission.is_some());
                (range.start, range.len(), retransmission)
            }
            None if self.ack_now => {
                self.stats.acks_sent += 1;
                (self.sender.snd_nxt(), 0, None)
            }
            None => return None,
        };
        // Every segment carries the acknowledgment of now.
        self.ack_now = false;
        self.receiver.on_ack_sent();
        self.timers.stop(Timer::DelayedAck);
        let segment = Segment {
            source_port: self.source_port,
            destination_port: self.destination_port,
            seq,
            ack: self.receiver.rcv_nxt(),
            flags: Flags::ACK,
            window: u16::try_from(self.receiver.rcv_wnd() >> self.shift).unwrap_or(u16::MAX),
            len,
            ..Segment::default()
        };
        Some(Transmission { segment, retransmission })
    }

    /// When to call [`handle_timeout`](Self::handle_timeout) next.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Instant> {
        self.timers.next()
    }

    /// The next thing that has happened, if any.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// The sending half as observers see it.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.sender.snapshot()
    }

    /// What the connection has done so far.
    #[must_use]
    pub const fn stats(&self) -> &Stats {
        &self.stats
    }

    fn note(&mut self, event: Event) {
        match event {
            Event::TimedOut { .. } => self.stats.timeouts += 1,
            Event::FastRetransmit { .. } => self.stats.fast_retransmits += 1,
            Event::AllAcknowledged => {}
        }
        self.events.push_back(event);
    }
}
