//! A connection whose peer, network and application do anything at any time.

use netjoule_transport::cost::Counts;
use netjoule_transport::tcp::{
    BackoffEnd, Connection, EcnMode, Endpoint, Event, IcmpError, IcmpErrorKind, InitialWindow,
    Options, PathMtu, Paws, Sack, State, VARIANTS,
};
use netjoule_units::{Bytes, Duration, Instant};
use netjoule_wire::{
    Address, Ecn, Flags, Flow, Notice, NoticeKind, SackBlocks, Segment, SeqNumber, SeqRange,
    TcpOptions, Timestamps,
};

use super::script::Script;

/// The most segments that one event can release: a window of the least
/// segments, and what goes with it.
const MOST_SEGMENTS: usize = 70_000;

/// Plays the peer, network and application that `bytes` spell out.
///
/// # Panics
/// If the connection breaks a promise: it sends what was never written, keeps
/// more than its window, goes on after it is closed, waits without a timer, or
/// never stops sending.
pub fn play(bytes: &[u8]) {
    let mut script = Script::new(bytes);
    let mut play = Play::new(&mut script);
    while !script.is_over() {
        play.step(&mut script);
    }
}

struct Play {
    tcp: Connection<Counts>,
    now: Instant,
    window: u64,
    written: u64,
    read: u64,
    /// Everything that the connection was told to keep.
    kept: u64,
    is_shut: bool,
    closed: bool,
    /// The first byte of data that the connection sends.
    start: Option<SeqNumber>,
    /// The last acknowledgment and window edge it has sent.
    acked: Option<SeqNumber>,
}

impl Play {
    fn new(script: &mut Script<'_>) -> Self {
        let variant = &VARIANTS[usize::from(script.byte()) % VARIANTS.len()];
        let options = options(script);
        let endpoint = Endpoint {
            source_port: 1,
            destination_port: 2,
            iss: SeqNumber::new(script.u32()),
            timestamp_offset: script.u32(),
            mtu: 576 + u32::from(script.u16()),
            ip_header: if script.flag() { 40 } else { 20 },
        };
        let tcp = match script.byte() % 3 {
            0 => Connection::connect(variant, &options, &endpoint),
            1 => Connection::listen(variant, &options, &endpoint),
            _ => Connection::established(variant, &options, 1, 2),
        };
        let start =
            if tcp.state() == State::Established { SeqNumber::new(0) } else { endpoint.iss + 1 };
        Self {
            tcp,
            now: Instant::ZERO,
            window: options.receive_window.get(),
            written: 0,
            read: 0,
            kept: 0,
            is_shut: false,
            closed: false,
            start: Some(start),
            acked: None,
        }
    }

    fn step(&mut self, script: &mut Script<'_>) {
        match script.byte() % 16 {
            0..=6 => self.segment(script),
            7 => self.now += Duration::from_micros(u64::from(script.u16())),
            8 => self.now += Duration::from_millis(u64::from(script.u32() >> 8)),
            9 => {
                if let Some(at) = self.tcp.poll_timeout() {
                    self.now = self.now.max(at);
                    self.tcp.handle_timeout(self.now);
                }
            }
            10 if !self.is_shut => {
                let amount = u64::from(script.offset() % 200_000);
                self.written += amount;
                if script.flag() {
                    self.tcp.write_urgent(Bytes::new(amount));
                } else {
                    self.tcp.write(Bytes::new(amount));
                }
            }
            11 => {
                let amount = Bytes::new(u64::from(script.offset()));
                self.read += amount.min(self.tcp.unread()).get();
                self.tcp.read(amount);
            }
            12 => self.icmp(script),
            13 => self.notice(script),
            14 => match script.byte() % 8 {
                0 => {
                    self.is_shut = true;
                    self.tcp.shutdown();
                }
                1 => {
                    self.is_shut = true;
                    self.tcp.close(self.now);
                }
                2 => {
                    self.is_shut = true;
                    self.tcp.abort();
                }
                _ => self.tcp.handle_timeout(self.now),
            },
            _ => self.tcp.handle_timeout(self.now),
        }
        self.drain();
    }

    /// A segment whose numbers are near to what would fit.
    fn segment(&mut self, script: &mut Script<'_>) {
        let snapshot = self.tcp.snapshot();
        let seq = self.tcp.rcv_nxt() + script.offset();
        let ack = if script.flag() { snapshot.snd_nxt } else { snapshot.snd_una };
        let flags = match script.byte() {
            usual @ 0..128 => {
                [Flags::ACK, Flags::ACK | Flags::PSH, Flags::ACK | Flags::FIN, Flags::SYN]
                    [usize::from(usual % 4)]
            }
            other => Flags::from_bits(other.wrapping_mul(37)),
        };
        let len = script.offset() % 65_536;
        let mut options = TcpOptions::NONE;
        let kinds = script.byte();
        if kinds & 1 != 0 {
            let value = script.offset();
            options.timestamps = Some(Timestamps { value, echo: script.offset() });
        }
        if kinds & 2 != 0 {
            options.sack = (0..script.byte() % 5)
                .map(|_| {
                    let start = snapshot.snd_una + script.offset();
                    SeqRange { start, end: start + script.offset() }
                })
                .collect::<SackBlocks>();
        }
        if flags.has(Flags::SYN) {
            options.mss = (kinds & 4 != 0).then(|| script.u16());
            options.window_scale = (kinds & 8 != 0).then(|| script.byte());
            options.sack_permitted = kinds & 16 != 0;
        }
        let segment = Segment {
            source_port: 2,
            destination_port: 1,
            seq,
            ack: ack + script.offset(),
            flags,
            window: script.u16(),
            urgent: script.u16(),
            options,
            len,
        };
        let ecn = [Ecn::NotEct, Ecn::Ect0, Ecn::Ect1, Ecn::Ce][usize::from(script.byte() % 4)];
        if let Some(kept) = self.tcp.handle_packet(self.now, &segment, ecn) {
            let payload = segment.range();
            assert!(!kept.is_empty(), "nothing to keep of {segment:?}");
            assert!(kept.start - payload.start <= payload.len(), "{kept:?} of {payload:?}");
            assert!(kept.end - payload.start <= payload.len(), "{kept:?} of {payload:?}");
            self.kept += u64::from(kept.len());
        }
    }

    fn icmp(&mut self, script: &mut Script<'_>) {
        let kind = match script.byte() % 3 {
            0 => IcmpErrorKind::TooBig { mtu: script.offset() },
            1 => IcmpErrorKind::Hard,
            _ => IcmpErrorKind::Soft,
        };
        let seq = self.tcp.snapshot().snd_una + script.offset();
        self.tcp.handle_icmp(self.now, &IcmpError { seq, kind });
    }

    fn notice(&mut self, script: &mut Script<'_>) {
        let kind = if script.flag() { NoticeKind::Defer } else { NoticeKind::Retransmit };
        let flow = Flow {
            source: Address(1),
            destination: Address(2),
            source_port: 1,
            destination_port: 2,
        };
        let seq = self.tcp.snapshot().snd_una + script.offset();
        self.tcp.handle_signal(self.now, &Notice { kind, flow, seq });
    }

    /// Takes all there is, and checks what was promised.
    fn drain(&mut self) {
        let mut segments = 0;
        while let Some(out) = self.tcp.poll_transmit(self.now) {
            segments += 1;
            assert!(segments <= MOST_SEGMENTS, "sends without end");
            self.check_sent(&out.segment);
        }
        while let Some(event) = self.tcp.poll_event() {
            assert!(!self.closed, "{event:?} after the last event");
            self.closed = matches!(event, Event::Closed(_));
        }
        assert_eq!(self.closed, self.tcp.state() == State::Closed);
        let unread = self.tcp.unread().get();
        assert!(unread <= self.window, "{unread} B unread of {}", self.window);
        if self.closed {
            assert_eq!(self.tcp.poll_timeout(), None, "a timer after the end");
            return;
        }
        let snapshot = self.tcp.snapshot();
        let waits = snapshot.flight_size > 0 && self.tcp.state().can_send();
        assert!(!waits || self.tcp.poll_timeout().is_some(), "waits without a timer: {snapshot:?}");
    }

    fn check_sent(&mut self, segment: &Segment) {
        if segment.flags.has(Flags::ACK) && !segment.flags.has(Flags::RST) {
            // RCV.NXT never moves back.
            let acked = self.acked.get_or_insert(segment.ack);
            assert!(!segment.ack.is_before(*acked), "acknowledges {} after {acked}", segment.ack);
            *acked = segment.ack;
        }
        if segment.is_data() {
            let start = self.start.expect("data leaves after the handshake");
            let end = u64::from(segment.range().end - start);
            assert!(
                end <= self.written || self.written > u64::from(u32::MAX >> 1),
                "sends byte {end} of {}",
                self.written
            );
        }
    }
}

fn options(script: &mut Script<'_>) -> Options {
    let mss = 1 + u64::from(script.u16() % 9_000);
    let bits = script.u32();
    let bit = |index: u32| bits >> index & 1 == 1;
    let base = if bit(0) { Options::current() } else { Options::default() };
    Options {
        mss: Bytes::new(mss),
        receive_window: Bytes::new(mss + u64::from(script.u16()) * 16),
        window_scale: bit(1),
        sack: if bit(2) { Sack::On } else { Sack::Variant },
        dsack: bit(3),
        timestamps: bit(4),
        paws: [Paws::BeforePrediction, Paws::AfterPrediction, Paws::Off]
            [usize::from(script.byte() % 3)],
        ecn: if bit(5) { EcnMode::On } else { EcnMode::Accept },
        header_prediction: bit(6),
        nagle: bit(7),
        sws_avoidance: bit(8),
        limited_transmit: bit(9),
        idle_restart: bit(13),
        ack_window_update: bit(10),
        ack_dynamic: bit(11),
        backoff_end: if bit(12) { BackoffEnd::Sample } else { BackoffEnd::NewAck },
        path_mtu: [PathMtu::Off, PathMtu::Icmp, PathMtu::Fallback][usize::from(script.byte() % 3)],
        initial_window: InitialWindow::Segments(1 + u32::from(script.byte())),
        byte_counting: u32::from(script.byte() % 4),
        burst_limit: u32::from(script.byte() % 4),
        dupthresh: 1 + u32::from(script.byte() % 5),
        ack_every: u32::from(script.byte() % 4),
        ack_stretch_limit: u32::from(script.byte() % 3),
        keep_alive: Duration::from_secs(u64::from(script.byte() % 3) * 10),
        user_timeout: Duration::from_secs(u64::from(script.byte() % 3) * 30),
        initial_ssthresh: Bytes::new(mss * 64),
        ..base
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn no_peer_breaks_a_connection(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
            play(&bytes);
        }
    }
}
