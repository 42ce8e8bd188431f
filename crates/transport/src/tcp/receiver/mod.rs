//! The receiving half: the window, reassembly, and when to acknowledge.

mod ack_policy;
mod reassembly;
mod sack_blocks;

use netjoule_units::{Duration, Instant};
use netjoule_wire::{Flags, SackBlocks, Segment, SeqNumber, SeqRange};

use super::Options;
use ack_policy::{AckPolicy, Windows};
use reassembly::Reassembly;
use sack_blocks::SackReports;

/// What the arrival of a data segment asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Acknowledge {
    /// An acknowledgment at once.
    Now,
    /// One after this span at the latest; a timer that runs already stays.
    Within(Duration),
}

/// What has become of an acceptable segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrival {
    /// When to acknowledge it.
    pub(super) acknowledge: Acknowledge,
    /// The part of its payload that is new and in the window.
    pub(super) keep: Option<SeqRange>,
    /// Whether the peer's FIN has been reached.
    pub(super) fin_reached: bool,
}

/// Receive sequence space of RFC 9293 section 3.3.1.
#[derive(Clone, Debug)]
pub(super) struct Receiver {
    rcv_nxt: SeqNumber,
    /// RCV.NXT + RCV.WND as last offered: it never moves back.
    edge: SeqNumber,
    /// The window last offered, when it was.
    offered: u32,
    /// Bytes that can be held, read or not.
    buffer: u32,
    /// How many zero bits the window field leaves out.
    shift: u8,
    sws_avoidance: bool,
    /// The largest payload that the peer sends.
    segment: u32,
    reassembly: Reassembly,
    sack: Option<SackReports>,
    ack_policy: AckPolicy,
    /// In-order bytes that the application has not read.
    unread: u32,
    /// The sequence number of the peer's FIN.
    fin: Option<SeqNumber>,
}

impl Receiver {
    /// `segment` is the largest payload that the peer may send.
    pub(super) fn new(options: &Options, segment: u32) -> Self {
        let start = SeqNumber::default();
        Self {
            rcv_nxt: start,
            edge: start,
            offered: 0,
            buffer: u32::try_from(options.receive_window.get()).unwrap_or(u32::MAX),
            shift: 0,
            sws_avoidance: options.sws_avoidance,
            segment,
            reassembly: Reassembly::default(),
            sack: None,
            ack_policy: AckPolicy::new(options),
            unread: 0,
            fin: None,
        }
    }

    /// The peer's first byte of data is `start`. If our SYN has been sent, it
    /// has offered a window.
    pub(super) fn open(&mut self, start: SeqNumber) {
        self.rcv_nxt = start;
        self.edge = start + self.offered;
    }

    /// The handshake has settled the window's shift, and whether duplicates
    /// (`Some(true)`) and what comes out of order (`Some(_)`) is reported.
    pub(super) fn settle(&mut self, shift: u8, smss: u32, sack: Option<bool>) {
        self.shift = shift;
        self.segment = smss;
        self.ack_policy.expect_segments_of(smss);
        self.sack = sack.map(SackReports::new);
    }

    /// RCV.NXT: the next sequence number expected.
    pub(super) const fn rcv_nxt(&self) -> SeqNumber {
        self.rcv_nxt
    }

    /// In-order bytes that have not been read.
    pub(super) const fn unread(&self) -> u32 {
        self.unread
    }

    /// Whether nothing is held out of order.
    pub(super) fn is_in_order(&self) -> bool {
        self.reassembly.is_empty()
    }

    /// RCV.WND: what is left of the window last offered.
    pub(super) fn rcv_wnd(&self) -> u32 {
        if self.edge.is_after(self.rcv_nxt) { self.edge - self.rcv_nxt } else { 0 }
    }

    /// The window that a segment sent now offers in units of 2^`shift`: its
    /// edge moves on only if that is worth a segment (RFC 9293 section
    /// 3.8.6.2.2), and never back.
    fn next_window(&self, shift: u8) -> u32 {
        let room = self.buffer.saturating_sub(self.unread).min(u32::from(u16::MAX) << shift);
        let left = self.rcv_wnd();
        let gain = room.saturating_sub(left);
        let window = if gain == 0 || gain < self.worthwhile() { left } else { room };
        // A field counts whole units only.
        window >> shift << shift
    }

    /// The least by which an edge moves, and the least that wakes a sender.
    fn worthwhile(&self) -> u32 {
        if self.sws_avoidance { self.segment.min(self.buffer / 2) } else { 1 }
    }

    /// Offers a window: the field of a segment that is sent now.
    #[inline(always)]
    pub(super) fn offer(&mut self, is_syn: bool) -> u16 {
        // The window of a SYN is never scaled (RFC 7323 section 2.2).
        let shift = if is_syn { 0 } else { self.shift };
        let window = self.next_window(shift);
        self.edge = self.edge.later(self.rcv_nxt + window);
        self.offered = window;
        u16::try_from(window >> shift).unwrap_or(u16::MAX)
    }

    /// Whether a segment lies in the window (RFC 9293 section 3.10.7.4, table
    /// 6).
    pub(super) fn is_acceptable(&self, segment: &Segment) -> bool {
        let (window, len) = (self.rcv_wnd(), segment.seq_len());
        let is_in = |seq: SeqNumber| seq - self.rcv_nxt < window;
        match (len, window) {
            (0, 0) => segment.seq == self.rcv_nxt,
            (0, _) => is_in(segment.seq),
            (_, 0) => false,
            (len, _) => is_in(segment.seq) || is_in(segment.seq + (len - 1)),
        }
    }

    /// Whether a data segment is just what is expected next.
    pub(super) fn expects(&self, segment: &Segment) -> bool {
        segment.seq == self.rcv_nxt
            && self.reassembly.is_empty()
            && segment.len <= self.rcv_wnd()
            && self.fin.is_none()
    }

    /// Takes in a data segment that [`expects`](Self::expects) holds for.
    #[inline(always)]
    pub(super) fn handle_expected(&mut self, now: Instant, segment: &Segment) -> Acknowledge {
        self.segment = self.segment.max(segment.len);
        self.advance_to(segment.seq + segment.len);
        self.on_in_order(now, segment.len)
    }

    /// Takes in payload and FIN of any segment.
    pub(super) fn handle_data(&mut self, now: Instant, segment: &Segment) -> Arrival {
        let range = segment.range();
        if segment.flags.has(Flags::FIN) && self.fin.is_none() && !range.end.is_after(self.edge) {
            self.fin = Some(range.end);
        }
        let mut arrival = Arrival { acknowledge: Acknowledge::Now, keep: None, fin_reached: false };
        if segment.is_data() {
            self.take_in(now, segment, &mut arrival);
        }
        if self.fin == Some(self.rcv_nxt) && segment.seq_len() > 0 {
            self.rcv_nxt += 1;
            self.edge = self.edge.later(self.rcv_nxt);
            // A FIN is acknowledged at once (agarwal2000 4.5).
            arrival = Arrival { acknowledge: Acknowledge::Now, fin_reached: true, ..arrival };
        }
        arrival
    }

    fn take_in(&mut self, now: Instant, segment: &Segment, arrival: &mut Arrival) {
        let range = segment.range();
        self.segment = self.segment.max(segment.len);
        let last = self.fin.map_or(self.edge, |fin| fin.earlier(self.edge));
        let fresh =
            SeqRange { start: range.start.later(self.rcv_nxt), end: range.end.earlier(last) };
        self.report(SeqRange { end: range.end.earlier(last), ..range });
        if !fresh.end.is_after(fresh.start) {
            return;
        }
        let in_order = fresh.start == self.rcv_nxt;
        if in_order && self.reassembly.is_empty() {
            self.advance_to(fresh.end);
            arrival.keep = Some(fresh);
            if range.start == fresh.start {
                arrival.acknowledge = self.on_in_order(now, fresh.len());
            }
            return;
        }
        // RFC 5681 section 4.2: a hole, and what fills one, is answered at once.
        if self.reassembly.insert(fresh) {
            arrival.keep = Some(fresh);
        }
        if in_order {
            let end = self.reassembly.take_until(self.rcv_nxt);
            self.advance_to(end);
        }
    }

    /// A data segment has come of which `range` lies before the window's edge.
    pub(super) fn report(&mut self, range: SeqRange) {
        if let Some(sack) = &mut self.sack
            && range.end.is_after(range.start)
        {
            sack.on_segment(range, self.rcv_nxt, &self.reassembly);
        }
    }

    /// Whether there is something to report in SACK blocks.
    pub(super) fn has_report(&self) -> bool {
        self.sack.as_ref().is_some_and(|sack| sack.has_duplicate() || !self.reassembly.is_empty())
    }

    #[inline(always)]
    fn on_in_order(&mut self, now: Instant, len: u32) -> Acknowledge {
        let windows = self.windows();
        self.ack_policy.on_in_order(now, len, windows)
    }

    /// What a segment sent now reports in at most `room` blocks.
    pub(super) fn sack_blocks(&mut self, room: usize) -> SackBlocks {
        match &mut self.sack {
            Some(sack) => sack.fill(&self.reassembly, room),
            None => SackBlocks::NONE,
        }
    }

    /// An acknowledgment has been sent.
    pub(super) fn on_ack_sent(&mut self) {
        self.ack_policy.on_ack_sent();
    }

    /// The application has read `bytes`. Returns whether the peer should hear
    /// at once: of a window that was nearly closed because nobody read, or by
    /// the acknowledgment policy.
    pub(super) fn read(&mut self, bytes: u32) -> bool {
        self.unread = self.unread.saturating_sub(bytes);
        let worthwhile = self.worthwhile();
        let was_limited = self.offered.saturating_add(worthwhile) <= self.buffer;
        let (left, next) = (self.rcv_wnd(), self.next_window(self.shift));
        let reopens = was_limited
            && next >= left.saturating_mul(2)
            && next.saturating_sub(left) >= worthwhile;
        reopens || self.ack_policy.on_read(self.windows())
    }

    fn windows(&self) -> Windows {
        Windows { could_offer: self.buffer.saturating_sub(self.unread), left: self.rcv_wnd() }
    }

    fn advance_to(&mut self, end: SeqNumber) {
        self.unread += end - self.rcv_nxt;
        self.rcv_nxt = end;
    }
}
