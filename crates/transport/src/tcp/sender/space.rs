//! The send sequence space (RFC 9293 section 3.3.1).

use netjoule_wire::{SeqNumber, SeqRange};

/// What has been written, sent and acknowledged.
#[derive(Clone, Debug)]
pub(super) struct SendSpace {
    smss: u32,
    /// The first unacknowledged sequence number.
    snd_una: SeqNumber,
    /// The next to send: behind `snd_max` after going back.
    snd_nxt: SeqNumber,
    /// The highest ever sent, plus one.
    snd_max: SeqNumber,
    /// The window that the receiver offers, in bytes from `snd_una`.
    snd_wnd: u32,
    /// Bytes written and never sent.
    unsent: u64,
}

impl SendSpace {
    /// Nothing written yet; the receiver has offered `snd_wnd`.
    pub(super) const fn new(smss: u32, snd_wnd: u32, iss: SeqNumber) -> Self {
        Self { smss, snd_una: iss, snd_nxt: iss, snd_max: iss, snd_wnd, unsent: 0 }
    }

    pub(super) const fn snd_una(&self) -> SeqNumber {
        self.snd_una
    }

    pub(super) const fn snd_nxt(&self) -> SeqNumber {
        self.snd_nxt
    }

    pub(super) const fn snd_max(&self) -> SeqNumber {
        self.snd_max
    }

    pub(super) const fn snd_wnd(&self) -> u32 {
        self.snd_wnd
    }

    pub(super) fn write(&mut self, bytes: u64) {
        self.unsent += bytes;
    }

    pub(super) const fn has_unsent(&self) -> bool {
        self.unsent > 0
    }

    pub(super) fn has_outstanding(&self) -> bool {
        self.snd_una != self.snd_max
    }

    /// `FlightSize` of RFC 5681: bytes sent and not acknowledged.
    pub(super) fn flight_size(&self) -> u32 {
        self.snd_max - self.snd_una
    }

    /// Whether the byte at `seq` is sent and not acknowledged.
    pub(super) fn is_outstanding(&self, seq: SeqNumber) -> bool {
        seq - self.snd_una < self.flight_size()
    }

    /// SND.UNA =< SEG.ACK =< SND.MAX: neither old nor of the future.
    pub(super) fn is_acceptable(&self, ack: SeqNumber) -> bool {
        ack - self.snd_una <= self.flight_size()
    }

    /// The receiver offers `window`; whether it did before.
    pub(super) fn offer(&mut self, window: u32) -> bool {
        core::mem::replace(&mut self.snd_wnd, window) == window
    }

    /// Everything before `ack`, which is acceptable, has arrived. Returns how
    /// many bytes that adds.
    pub(super) fn acknowledge(&mut self, ack: SeqNumber) -> u32 {
        let acked = ack - self.snd_una;
        self.snd_una = ack;
        self.snd_nxt = self.snd_nxt.later(ack);
        acked
    }

    /// Goes back to the first unacknowledged byte: all that follows will be
    /// sent again as the window allows.
    pub(super) fn go_back(&mut self) {
        self.snd_nxt = self.snd_una;
    }

    /// The next segment in sequence that fits into the window of `cwnd`, and
    /// whether it has any new data. A segment is cut short only by the end of
    /// the data, not by the window (RFC 1122 section 4.2.3.4).
    pub(super) fn send(&mut self, cwnd: u32) -> Option<(SeqRange, bool)> {
        let repeatable = self.snd_max - self.snd_nxt;
        let available = u64::from(repeatable) + self.unsent;
        let len = u32::try_from(available.min(u64::from(self.smss))).unwrap_or(self.smss);
        let used = self.snd_nxt - self.snd_una;
        if len == 0 || used.saturating_add(len) > cwnd.min(self.snd_wnd) {
            return None;
        }
        let range = SeqRange::new(self.snd_nxt, len);
        self.snd_nxt = range.end;
        let new = len.saturating_sub(repeatable);
        self.unsent -= u64::from(new);
        self.snd_max += new;
        Some((range, new > 0))
    }

    /// The segment at `seq`, which is outstanding, once more. Going on from
    /// it, if `snd_nxt` stands there.
    pub(super) fn resend(&mut self, seq: SeqNumber) -> SeqRange {
        let range = SeqRange::new(seq, (self.snd_max - seq).min(self.smss));
        if self.snd_nxt == seq {
            self.snd_nxt = range.end;
        }
        range
    }
}
