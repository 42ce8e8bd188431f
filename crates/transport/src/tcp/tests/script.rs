//! A connection under test.

use netjoule_units::{Bytes, Duration, Instant};
use netjoule_wire::{Address, Ecn, Flags, Flow, Notice, NoticeKind, Segment, SeqNumber};

use crate::tcp::{Connection, InitialWindow, Options, Reason, Variant};

pub(super) const SMSS: u32 = 1_000;
const WINDOW_SEGMENTS: u32 = 20;

/// Feeds a connection by the millisecond and collects what it sends.
pub(super) struct Script {
    pub(super) tcp: Connection,
    now_ms: u64,
}

/// Options of the scripts: round numbers.
pub(super) fn options() -> Options {
    Options {
        mss: Bytes::new(u64::from(SMSS)),
        receive_window: Bytes::new(u64::from(WINDOW_SEGMENTS * SMSS)),
        initial_ssthresh: Bytes::new(u64::from(64 * SMSS)),
        initial_window: InitialWindow::Segments(1),
        initial_rto: Duration::from_secs(1),
        ..Options::default()
    }
}

impl Script {
    pub(super) fn new(variant: &str, options: &Options) -> Self {
        let variant = Variant::named(variant).expect("a variant of the table");
        Self { tcp: Connection::established(variant, options, 1, 2), now_ms: 0 }
    }

    /// A sender with cwnd at ten segments and 0 to 9 sent at time 0, in
    /// congestion avoidance.
    pub(super) fn ten_in_flight(variant: &str) -> Self {
        let options = Options {
            initial_window: InitialWindow::Segments(10),
            initial_ssthresh: Bytes::new(9_000),
            ..options()
        };
        let mut script = Self::new(variant, &options);
        assert_eq!(script.write(0, 100), "0 1 2 3 4 5 6 7 8 9");
        script
    }

    /// The application writes segments.
    pub(super) fn write(&mut self, at_ms: u64, segments: u32) -> String {
        self.tcp.write(Bytes::new(u64::from(segments * SMSS)));
        self.sent(at_ms)
    }

    /// An acknowledgment of everything before `segment` comes.
    pub(super) fn ack(&mut self, at_ms: u64, segment: u32) -> String {
        self.segment(at_ms, 0, segment * SMSS, 0)
    }

    /// The segment of the peer with this number comes.
    pub(super) fn data(&mut self, at_ms: u64, segment: u32) -> String {
        self.segment(at_ms, segment * SMSS, 0, SMSS)
    }

    /// A segment with these fields comes.
    pub(super) fn segment(&mut self, at_ms: u64, seq: u32, ack: u32, len: u32) -> String {
        let segment = Segment {
            source_port: 2,
            destination_port: 1,
            seq: SeqNumber::new(seq),
            ack: SeqNumber::new(ack),
            flags: Flags::ACK,
            window: 20_000,
            len,
            ..Segment::default()
        };
        let now = self.advance(at_ms);
        self.tcp.handle_packet(now, &segment, Ecn::NotEct);
        self.sent(at_ms)
    }

    /// A notice about `segment` comes.
    pub(super) fn notice(&mut self, at_ms: u64, kind: NoticeKind, segment: u32) -> String {
        let flow = Flow {
            source: Address(0),
            destination: Address(1),
            source_port: 1,
            destination_port: 2,
        };
        let notice = Notice { kind, flow, seq: SeqNumber::new(segment * SMSS) };
        let now = self.advance(at_ms);
        self.tcp.handle_signal(now, &notice);
        self.sent(at_ms)
    }

    /// The application reads everything. Returns how much that is.
    pub(super) fn read(&mut self) -> Bytes {
        let unread = self.tcp.unread();
        self.tcp.read(unread);
        unread
    }

    /// Time passes to the next timer. Returns it and what is sent.
    pub(super) fn timer(&mut self) -> (u64, String) {
        let now = self.tcp.poll_timeout().expect("a timer is set");
        let at_ms = now.as_millis();
        self.advance(at_ms);
        self.tcp.handle_timeout(now);
        (at_ms, self.sent(at_ms))
    }

    /// cwnd and ssthresh in bytes.
    pub(super) fn window(&self) -> (u32, u32) {
        let snapshot = self.tcp.snapshot();
        (snapshot.cwnd, snapshot.ssthresh)
    }

    fn advance(&mut self, at_ms: u64) -> Instant {
        assert!(at_ms >= self.now_ms, "scripts run forward");
        self.now_ms = at_ms;
        Instant::from_millis(at_ms)
    }

    /// What the connection has to send: data as its number, with a letter for
    /// the reason of a retransmission; pure ACKs as `ack` and the number that
    /// is expected next.
    fn sent(&mut self, at_ms: u64) -> String {
        let now = self.advance(at_ms);
        let mut sent = Vec::new();
        while let Some(out) = self.tcp.poll_transmit(now) {
            let segment = out.segment;
            sent.push(if segment.is_data() {
                let letter = match out.retransmission {
                    None => "",
                    Some(Reason::Timeout) => "t",
                    Some(Reason::FastRetransmit) => "f",
                    Some(Reason::PartialAck) => "p",
                    Some(Reason::Notice) => "n",
                    Some(Reason::GoBackN) => "g",
                    Some(Reason::SackHole) => "s",
                    Some(Reason::Probe) => "z",
                };
                format!("{}{letter}", segment.seq.get() / SMSS)
            } else {
                format!("ack {}", segment.ack.get() / SMSS)
            });
        }
        sent.join(" ")
    }
}
