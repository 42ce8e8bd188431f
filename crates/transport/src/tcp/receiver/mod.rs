//! The receiving half: reassembly, and when to acknowledge.

mod ack_policy;
mod reassembly;

use netjoule_units::Duration;
use netjoule_wire::{Segment, SeqNumber};

use super::Options;
use ack_policy::AckPolicy;
use reassembly::Reassembly;

/// What the arrival of a data segment asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Acknowledge {
    /// An acknowledgment at once.
    Now,
    /// One after this span at the latest; a timer that runs already stays.
    Within(Duration),
}

/// Receive sequence space of RFC 9293 section 3.3.1 with a fixed window.
#[derive(Clone, Debug)]
pub(super) struct Receiver {
    rcv_nxt: SeqNumber,
    rcv_wnd: u32,
    reassembly: Reassembly,
    ack_policy: AckPolicy,
    /// In-order bytes that the application has not read.
    unread: u64,
}

impl Receiver {
    pub(super) fn new(options: &Options, rcv_wnd: u32, irs: SeqNumber) -> Self {
        Self {
            rcv_nxt: irs,
            rcv_wnd,
            reassembly: Reassembly::default(),
            ack_policy: AckPolicy::new(options),
            unread: 0,
        }
    }

    /// RCV.NXT: the next sequence number expected.
    pub(super) const fn rcv_nxt(&self) -> SeqNumber {
        self.rcv_nxt
    }

    /// RCV.WND: what every segment offers.
    pub(super) const fn rcv_wnd(&self) -> u32 {
        self.rcv_wnd
    }

    /// Takes in the payload of a data segment. Returns when to acknowledge it
    /// and whether it held anything new.
    pub(super) fn handle_data(&mut self, segment: &Segment) -> (Acknowledge, bool) {
        let range = segment.range();
        let window_end = self.rcv_nxt + self.rcv_wnd;
        let is_new = range.end.is_after(self.rcv_nxt);
        // RFC 9293 section 3.10.7.4: what lies outside the window is answered
        // and dropped. The sender here keeps to the window it was offered.
        if !is_new || range.end.is_after(window_end) {
            return (Acknowledge::Now, false);
        }
        let in_order = !range.start.is_after(self.rcv_nxt);
        if in_order && self.reassembly.is_empty() {
            self.advance_to(range.end);
            return (self.ack_policy.on_in_order(segment.len), true);
        }
        // RFC 5681 section 4.2: a hole, and what fills one, is answered at once.
        let is_new = self.reassembly.insert(range) && is_new;
        if in_order {
            let end = self.reassembly.take_until(self.rcv_nxt);
            self.advance_to(end);
        }
        (Acknowledge::Now, is_new)
    }

    /// An acknowledgment has been sent.
    pub(super) fn on_ack_sent(&mut self) {
        self.ack_policy.on_ack_sent();
    }

    /// In-order bytes that have not been read; they count as read now.
    pub(super) fn read(&mut self) -> u64 {
        core::mem::take(&mut self.unread)
    }

    fn advance_to(&mut self, end: SeqNumber) {
        self.unread += u64::from(end - self.rcv_nxt);
        self.rcv_nxt = end;
    }
}
