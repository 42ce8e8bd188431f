//! One connection: its parts, and what its driver asks of it.
//!
//! [`arrival`](super::arrival) has what becomes of a segment that comes,
//! [`departure`](super::departure) how one is made, [`lifetime`](super::lifetime)
//! how connections begin, wait and end.

use std::collections::VecDeque;

use netjoule_units::{Bytes, Instant};
use netjoule_wire::{Ecn, Notice, Segment, SeqNumber, TcpOptions};

use super::challenge::ChallengeLimit;
use super::info::Info;
use super::negotiation::{Agreed, Offer};
use super::path_mtu::PathMtuState;
use super::receiver::Receiver;
use super::sender::{Opening, Sender, Snapshot};
use super::signals::EcnReceiver;
use super::state::{State, Trigger};
use super::timers::Timers;
use super::timestamps::TimestampState;
use super::{Cause, Event, Options, Reason, Stats, Variant};
use crate::cost::{Meter, Off, Operation};

/// Where a connection stands, and how it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// This end's port.
    pub source_port: u16,
    /// The other end's port.
    pub destination_port: u16,
    /// ISS: the sequence number of this end's SYN (RFC 9293 section 3.4.1).
    pub iss: SeqNumber,
    /// What this end's timestamp clock shows at time zero (RFC 7323 section
    /// 7.1).
    pub timestamp_offset: u32,
    /// The longest IP packet that the interface takes, in bytes.
    pub mtu: u32,
    /// The IP header's length: 20 or 40 bytes.
    pub ip_header: u32,
}

/// A TCP connection, in both directions.
///
/// # The drive contract
///
/// The connection never reads a clock, a socket or global randomness. Its
/// driver
///
/// - **gives it** packets, signals and time: [`handle_packet`],
///   [`handle_signal`], [`handle_icmp`], [`handle_timeout`];
/// - **commands it** for the application: [`write`], [`read`], [`shutdown`],
///   [`close`], [`abort`];
/// - after each of these **takes** everything there is to take:
///   [`poll_transmit`] until it returns `None`, then [`poll_event`] until it
///   returns `None`, then sets its timer to [`poll_timeout`];
/// - calls with times that never decrease.
///
/// Calling `handle_timeout` early is harmless. The connection reasons about
/// sequence ranges; the driver owns the bytes: `handle_packet` says which part
/// of a payload to keep, `poll_transmit` which range to send.
///
/// The cost meter `M` takes note of every operation; [`Off`] of none, at no
/// cost.
///
/// [`handle_packet`]: Self::handle_packet
/// [`handle_signal`]: Self::handle_signal
/// [`handle_icmp`]: Self::handle_icmp
/// [`handle_timeout`]: Self::handle_timeout
/// [`write`]: Self::write
/// [`read`]: Self::read
/// [`shutdown`]: Self::shutdown
/// [`close`]: Self::close
/// [`abort`]: Self::abort
/// [`poll_transmit`]: Self::poll_transmit
/// [`poll_event`]: Self::poll_event
/// [`poll_timeout`]: Self::poll_timeout
#[derive(Clone, Debug)]
pub struct Connection<M: Meter = Off> {
    pub(super) variant: Variant,
    pub(super) options: Options,
    pub(super) endpoint: Endpoint,
    pub(super) offer: Offer,
    pub(super) agreed: Agreed,
    pub(super) state: State,
    pub(super) handshake: Handshake,
    pub(super) sender: Sender,
    pub(super) receiver: Receiver,
    pub(super) timers: Timers,
    /// Present if every segment carries timestamps.
    pub(super) timestamps: Option<TimestampState>,
    /// `Last.ACK.sent` of RFC 7323 section 4.3.
    pub(super) last_ack_sent: SeqNumber,
    /// The window field of the last segment that offered one.
    pub(super) peer_window: u16,
    pub(super) ecn: EcnReceiver,
    pub(super) path_mtu: PathMtuState,
    pub(super) challenge: ChallengeLimit,
    pub(super) pending: Pending,
    pub(super) keep_alive: KeepAlive,
    /// Whether the application takes nothing more.
    pub(super) is_deaf: bool,
    pub(super) events: VecDeque<Event>,
    pub(super) stats: Stats,
    pub(super) meter: M,
}

/// What a handshake has to remember.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Handshake {
    /// When the first SYN left.
    pub(super) sent: Option<Instant>,
    /// How often it was sent again.
    pub(super) repeats: u32,
    /// The peer's SYN: its sequence number, flags and options.
    pub(super) peer: Option<PeerSyn>,
}

/// The peer's SYN.
#[derive(Clone, Copy, Debug)]
pub(super) struct PeerSyn {
    pub(super) seq: SeqNumber,
    pub(super) flags: netjoule_wire::Flags,
    pub(super) options: TcpOptions,
}

/// What has to be sent besides data.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pending {
    /// A reset.
    pub(super) reset: Option<Segment>,
    /// A SYN, with an ACK if the peer's has come.
    pub(super) syn: bool,
    /// An acknowledgment.
    pub(super) ack: bool,
    /// A keep-alive probe.
    pub(super) probe: bool,
}

/// Whether the peer is there.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeepAlive {
    /// When something came from it.
    pub(super) heard: Instant,
    /// Probes since.
    pub(super) probes: u32,
}

/// A segment to send.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transmission {
    /// The segment.
    pub segment: Segment,
    /// What its IP header says of congestion.
    pub ecn: Ecn,
    /// Why it is sent again; `None` for the first time.
    pub retransmission: Option<Reason>,
}

impl<M: Meter> Connection<M> {
    /// A connection in no state yet.
    fn new(variant: &Variant, options: &Options, endpoint: &Endpoint) -> Self {
        let offer = Offer::new(variant, options, endpoint.mtu, endpoint.ip_header);
        let agreed = offer.agree_with_itself();
        Self {
            variant: *variant,
            options: options.clone(),
            endpoint: *endpoint,
            offer,
            agreed,
            state: State::Closed,
            handshake: Handshake::default(),
            sender: Sender::new(variant, options, agreed.smss, endpoint.iss),
            receiver: Receiver::new(options, agreed.smss),
            timers: Timers::new(),
            timestamps: None,
            last_ack_sent: SeqNumber::default(),
            peer_window: 0,
            ecn: EcnReceiver::default(),
            path_mtu: PathMtuState::new(options.path_mtu, endpoint.mtu, endpoint.ip_header),
            challenge: ChallengeLimit::new(options.challenge_ack_limit),
            pending: Pending::default(),
            keep_alive: KeepAlive { heard: Instant::ZERO, probes: 0 },
            is_deaf: false,
            events: VecDeque::new(),
            stats: Stats::default(),
            meter: M::default(),
        }
    }

    /// An established connection between two ports, whose other end has the
    /// same options: it agrees to everything, and has offered their window. Both
    /// ends start at sequence number zero, as simulated connections do.
    ///
    /// # Panics
    /// If `options` are not valid: see [`Options::validate`].
    #[must_use]
    pub fn established(
        variant: &Variant,
        options: &Options,
        source_port: u16,
        destination_port: u16,
    ) -> Self {
        assert!(options.validate().is_ok(), "validated options");
        let start = SeqNumber::default();
        let endpoint = Endpoint {
            source_port,
            destination_port,
            iss: start,
            timestamp_offset: 0,
            mtu: u32::MAX,
            ip_header: 20,
        };
        let mut connection = Self::new(variant, options, &endpoint);
        connection.state = State::Established;
        connection.receiver.open(start);
        connection.settle(Instant::ZERO, 0);
        // What the peer offered with its SYN, and this end with its own.
        connection.peer_window = connection.receiver.offer(false);
        let snd_wnd = u32::from(connection.peer_window) << connection.agreed.window_shifts.0;
        connection.open_sender(start, snd_wnd, start, false);
        connection
    }

    /// A connection that the driver opens: `poll_transmit` gives its SYN.
    #[must_use]
    pub fn connect(variant: &Variant, options: &Options, endpoint: &Endpoint) -> Self {
        let mut connection = Self::new(variant, options, endpoint);
        connection.follow(Trigger::ActiveOpen);
        connection.pending.syn = true;
        connection
    }

    /// A connection that waits for a peer's SYN: give it one by
    /// [`handle_packet`](Self::handle_packet).
    #[must_use]
    pub fn listen(variant: &Variant, options: &Options, endpoint: &Endpoint) -> Self {
        let mut connection = Self::new(variant, options, endpoint);
        connection.follow(Trigger::PassiveOpen);
        connection
    }

    /// Both SYNs are known: the parts work by what was agreed. The peer's
    /// timestamp clock showed `recent`.
    pub(super) fn settle(&mut self, now: Instant, recent: u32) {
        let Agreed { timestamps, smss, sack, window_shifts, ecn, .. } = self.agreed;
        let offset = self.endpoint.timestamp_offset;
        self.timestamps = timestamps.then(|| TimestampState::new(offset, recent, now));
        self.receiver.settle(window_shifts.1, smss, sack.then_some(self.options.dsack));
        self.ecn = EcnReceiver::new(ecn);
    }

    /// Data may leave from `start`, into a window of `snd_wnd` that a segment at
    /// `offered_at` has offered.
    pub(super) fn open_sender(
        &mut self,
        start: SeqNumber,
        snd_wnd: u32,
        offered_at: SeqNumber,
        syn_was_lost: bool,
    ) {
        let opening = Opening {
            start,
            smss: self.payload_limit(),
            snd_wnd,
            offered_at,
            sack: self.agreed.sack,
            ecn: self.agreed.ecn,
            syn_was_lost,
        };
        self.sender.open(&opening, &self.variant, &self.options);
    }

    /// Bytes of IP and TCP headers of every data segment.
    pub(super) fn header_len(&self) -> u32 {
        let timestamps = if self.agreed.timestamps { 12 } else { 0 };
        self.endpoint.ip_header + netjoule_wire::TCP_HEADER_BYTES + timestamps
    }

    /// SMSS: what both the peer and the path take.
    pub(super) fn payload_limit(&self) -> u32 {
        let path = self.path_mtu.size().saturating_sub(self.header_len());
        self.agreed.smss.min(path).max(1)
    }

    /// A link layer on the path has sent a notice about a segment of ours.
    pub fn handle_signal(&mut self, now: Instant, notice: &Notice) {
        if self.state.can_send() {
            self.sender.handle_notice(now, notice, &mut self.timers);
        }
    }

    /// The application has `amount` more to send.
    ///
    /// # Panics
    /// In debug builds, after [`shutdown`](Self::shutdown).
    pub fn write(&mut self, amount: Bytes) {
        self.sender.write(amount.get());
    }

    /// The application has `amount` more to send, and asks the peer to hurry:
    /// what was written up to here is urgent (RFC 6093 recommends not to).
    pub fn write_urgent(&mut self, amount: Bytes) {
        self.write(amount);
        self.sender.mark_urgent();
    }

    /// In-order data that has arrived and was not read.
    #[must_use]
    pub fn unread(&self) -> Bytes {
        Bytes::new(u64::from(self.receiver.unread()))
    }

    /// What the application has written and was never sent.
    #[must_use]
    pub fn unsent(&self) -> Bytes {
        Bytes::new(self.sender.space().unsent())
    }

    /// The application takes `amount` of the in-order data, or all there is.
    pub fn read(&mut self, amount: Bytes) {
        let amount = amount.min(self.unread());
        let bytes = u32::try_from(amount.get()).unwrap_or(u32::MAX);
        if self.receiver.read(bytes) && self.state.can_receive() {
            self.pending.ack = true;
        }
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

    /// The state.
    #[must_use]
    pub const fn state(&self) -> State {
        self.state
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

    /// What the cost meter has counted.
    #[must_use]
    pub const fn meter(&self) -> &M {
        &self.meter
    }

    /// The cost meter, for what the driver does for this connection.
    pub const fn meter_mut(&mut self) -> &mut M {
        &mut self.meter
    }

    /// The first byte of data that the peer has not acknowledged: the driver
    /// may forget what lies before.
    #[must_use]
    pub fn data_una(&self) -> SeqNumber {
        self.sender.space().data_una()
    }

    /// RCV.NXT: the next sequence number expected.
    #[must_use]
    pub const fn rcv_nxt(&self) -> SeqNumber {
        self.receiver.rcv_nxt()
    }

    /// Whether packets say that they must not be fragmented (RFC 1191 section
    /// 6).
    #[must_use]
    pub fn dont_fragment(&self) -> bool {
        self.path_mtu.dont_fragment()
    }

    /// What the connection looks like now.
    #[must_use]
    pub fn info(&self) -> Info {
        let (sender, space, rtt) = (self.sender.snapshot(), self.sender.space(), self.sender.rtt());
        let smoothed = rtt.smoothed();
        Info {
            state: self.state,
            agreed: self.agreed,
            mss: space.smss(),
            path_mtu: self.path_mtu.size(),
            cwnd: sender.cwnd,
            ssthresh: sender.ssthresh,
            srtt: smoothed.map(|(srtt, _)| srtt),
            rttvar: smoothed.map(|(_, rttvar)| rttvar),
            rto: sender.rto,
            backoff: rtt.backoff(),
            unsent: Bytes::new(space.unsent()),
            unacked: sender.flight_size,
            sacked: self.sender.sacked_bytes(),
            lost: self.sender.lost_bytes(),
            snd_wnd: space.snd_wnd(),
            rcv_wnd: self.receiver.rcv_wnd(),
            unread: self.receiver.unread(),
            stats: self.stats,
        }
    }

    /// Changes the state, and the meter takes note of timers that the call
    /// around it moved.
    pub(super) fn follow(&mut self, trigger: Trigger) {
        if let Some(next) = self.state.after(trigger) {
            self.state = next;
        }
    }

    pub(super) fn note(&mut self, event: Event) {
        match event {
            Event::TimedOut { .. } => self.stats.timeouts += 1,
            Event::FastRetransmit { .. } => self.stats.fast_retransmits += 1,
            _ => {}
        }
        self.events.push_back(event);
    }

    /// Everything is over.
    pub(super) fn finish(&mut self, cause: Cause) {
        self.state = State::Closed;
        self.timers.stop_all();
        self.pending = Pending { reset: self.pending.reset, ..Pending::default() };
        self.note(Event::Closed(cause));
    }

    /// Runs `work` and counts the timers that it moves.
    #[inline(always)]
    pub(super) fn metered<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        if !M::ON {
            return work(self);
        }
        let before = self.timers;
        let result = work(self);
        let changes = self.timers.changes_since(&before);
        self.meter.note(Operation::TimerChange, changes);
        result
    }
}
