//! An observer that remembers what tests ask about.

use netjoule_trace::{Event, Observer, Reason};
use netjoule_units::Instant;
use netjoule_wire::{Body, NoticeKind};

/// What happened and when, in milliseconds (cut), with segments counted from 0
/// in units of 1 KB.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// Segments sent by source 0: time, segment, reason if sent again.
    pub sent: Vec<(u64, u32, Option<Reason>)>,
    /// Acknowledgments that reached node 0: time, next segment expected.
    pub acks: Vec<(u64, u32)>,
    /// Notices that reached node 0: time, which, segment.
    pub notices: Vec<(u64, NoticeKind, u32)>,
    /// Frames lost on the air: time, number of the transmission, segment.
    pub corrupted: Vec<(u64, u64, u32)>,
    /// Frames given up: time, segment, attempts.
    pub given_up: Vec<(u64, u32, u32)>,
    /// Retransmission timers of node 0 that ran out.
    pub timeouts: Vec<u64>,
    /// Fast retransmits of node 0.
    pub fast_retransmits: Vec<u64>,
    /// Window of node 0 as it changes: time, cwnd and ssthresh in bytes.
    pub windows: Vec<(u64, u32, u32)>,
    /// Times of all events, in nanoseconds, to see that they never decrease.
    pub last_ns: u64,
    /// The smallest cwnd ever seen, in bytes; zero if none was.
    pub least_cwnd: u32,
}

impl Observer for Log {
    fn record(&mut self, now: Instant, event: &Event<'_>) {
        assert!(now.as_nanos() >= self.last_ns, "observers see time run forward");
        self.last_ns = now.as_nanos();
        let ms = now.as_millis();
        match event {
            Event::Sent { node: 0, packet, retransmission } => {
                if let Body::Tcp(segment) = &packet.body
                    && segment.is_data()
                {
                    self.sent.push((ms, segment.seq.get() / 1024, *retransmission));
                }
            }
            Event::Received { node: 0, packet } => match &packet.body {
                Body::Tcp(segment) => self.acks.push((ms, segment.ack.get() / 1024)),
                Body::Icmp(notice) => {
                    self.notices.push((ms, notice.kind, notice.seq.get() / 1024));
                }
            },
            Event::Corrupted { frame } => {
                if let Body::Tcp(segment) = &frame.packet.body {
                    self.corrupted.push((ms, frame.transmission, segment.seq.get() / 1024));
                }
            }
            Event::GivenUp { frame, attempts } => {
                if let Body::Tcp(segment) = &frame.packet.body {
                    self.given_up.push((ms, segment.seq.get() / 1024, *attempts));
                }
            }
            Event::TimedOut { node: 0, .. } => self.timeouts.push(ms),
            Event::FastRetransmit { node: 0, .. } => self.fast_retransmits.push(ms),
            Event::Source { node: 0, state, .. } => {
                if self.least_cwnd == 0 || state.cwnd < self.least_cwnd {
                    self.least_cwnd = state.cwnd;
                }
                let last = self.windows.last().map(|&(_, cwnd, ssthresh)| (cwnd, ssthresh));
                if last != Some((state.cwnd, state.ssthresh)) {
                    self.windows.push((ms, state.cwnd, state.ssthresh));
                }
            }
            _ => {}
        }
    }
}
