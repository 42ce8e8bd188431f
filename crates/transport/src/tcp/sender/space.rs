//! The send sequence space (RFC 9293 section 3.3.1), and what goes into the
//! next segment.

use netjoule_wire::{SeqNumber, SeqRange};

use super::scoreboard::Scoreboard;

/// What a segment takes from the sequence space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) struct Piece {
    /// Its payload.
    pub(in crate::tcp) range: SeqRange,
    /// Whether the FIN follows it.
    pub(in crate::tcp) fin: bool,
    /// Whether it has anything that was never sent before.
    pub(in crate::tcp) is_new: bool,
    /// Whether the application's data ends with it.
    pub(in crate::tcp) push: bool,
}

/// What has been written, sent and acknowledged.
#[derive(Clone, Debug)]
pub(in crate::tcp) struct SendSpace {
    smss: u32,
    nagle: bool,
    sws_avoidance: bool,
    /// The first unacknowledged sequence number.
    snd_una: SeqNumber,
    /// The next to send: behind `snd_max` after going back.
    snd_nxt: SeqNumber,
    /// The highest ever sent, plus one.
    snd_max: SeqNumber,
    /// The window that the receiver offers, in bytes from `snd_una`.
    snd_wnd: u32,
    /// The largest it has offered.
    max_wnd: u32,
    /// SND.WL1 and SND.WL2: the segment that offered `snd_wnd`.
    offered_by: (SeqNumber, SeqNumber),
    /// Bytes written and never sent.
    unsent: u64,
    /// Whether the application has written its last byte.
    ends: bool,
    /// The sequence number of the FIN, once it has been sent.
    fin: Option<SeqNumber>,
    /// SND.UP: the end of urgent data, if there is some that may have to be
    /// announced.
    urgent: Option<SeqNumber>,
}

impl SendSpace {
    /// Nothing written yet. `nagle` and `sws_avoidance` as in
    /// [`Options`](crate::tcp::Options).
    pub(super) const fn new(smss: u32, iss: SeqNumber, nagle: bool, sws_avoidance: bool) -> Self {
        Self {
            smss,
            nagle,
            sws_avoidance,
            snd_una: iss,
            snd_nxt: iss,
            snd_max: iss,
            snd_wnd: 0,
            max_wnd: 0,
            offered_by: (iss, iss),
            unsent: 0,
            ends: false,
            fin: None,
            urgent: None,
        }
    }

    /// The handshake is over: data begins at `start`, in segments of `smss`.
    /// The receiver offers `window`, with a segment at `seq`.
    pub(super) fn open(&mut self, start: SeqNumber, smss: u32, window: u32, seq: SeqNumber) {
        self.snd_una = start;
        self.snd_nxt = start;
        self.snd_max = start;
        self.smss = smss;
        self.snd_wnd = window;
        self.max_wnd = window;
        self.offered_by = (seq, start);
    }

    pub(super) const fn set_smss(&mut self, smss: u32) {
        self.smss = smss;
    }

    pub(in crate::tcp) const fn smss(&self) -> u32 {
        self.smss
    }

    pub(in crate::tcp) const fn snd_una(&self) -> SeqNumber {
        self.snd_una
    }

    pub(in crate::tcp) const fn snd_nxt(&self) -> SeqNumber {
        self.snd_nxt
    }

    pub(in crate::tcp) const fn snd_max(&self) -> SeqNumber {
        self.snd_max
    }

    pub(in crate::tcp) const fn snd_wnd(&self) -> u32 {
        self.snd_wnd
    }

    pub(in crate::tcp) const fn max_wnd(&self) -> u32 {
        self.max_wnd
    }

    pub(in crate::tcp) const fn unsent(&self) -> u64 {
        self.unsent
    }

    pub(super) const fn write(&mut self, bytes: u64) {
        self.unsent += bytes;
    }

    /// What has been written so far ends with urgent data, if all of it can be
    /// pointed at.
    pub(super) fn mark_urgent(&mut self) {
        self.urgent = u32::try_from(self.unsent).ok().map(|unsent| self.snd_max + unsent);
    }

    /// The application has written its last byte.
    pub(super) const fn end(&mut self) {
        self.ends = true;
    }

    /// Whether a FIN has been sent and is acknowledged.
    pub(in crate::tcp) fn fin_is_acknowledged(&self) -> bool {
        self.fin.is_some_and(|fin| self.snd_una.is_after(fin))
    }

    /// The end of the data that has been sent.
    fn data_end(&self) -> SeqNumber {
        self.fin.unwrap_or(self.snd_max)
    }

    /// The first byte of data that is not acknowledged.
    pub(in crate::tcp) fn data_una(&self) -> SeqNumber {
        self.snd_una.earlier(self.data_end())
    }

    /// Whether there is data that has not been acknowledged, sent or not.
    pub(in crate::tcp) fn has_data(&self) -> bool {
        self.unsent > 0 || self.data_una() != self.data_end()
    }

    pub(in crate::tcp) fn has_outstanding(&self) -> bool {
        self.snd_una != self.snd_max
    }

    /// `FlightSize` of RFC 5681: bytes sent and not acknowledged.
    pub(in crate::tcp) fn flight_size(&self) -> u32 {
        self.snd_max - self.snd_una
    }

    /// What the segment at SND.UNA carries.
    pub(in crate::tcp) fn first_outstanding(&self) -> SeqRange {
        SeqRange::new(self.snd_una, (self.data_end() - self.data_una()).min(self.smss))
    }

    /// Whether the application has written its last byte.
    pub(in crate::tcp) const fn is_ending(&self) -> bool {
        self.ends
    }

    /// Whether the byte at `seq` is sent and not acknowledged.
    pub(in crate::tcp) fn is_outstanding(&self, seq: SeqNumber) -> bool {
        seq - self.snd_una < self.flight_size()
    }

    /// SND.UNA =< SEG.ACK =< SND.MAX: neither old nor of the future.
    pub(in crate::tcp) fn is_acceptable(&self, ack: SeqNumber) -> bool {
        ack - self.snd_una <= self.flight_size()
    }

    /// The receiver offers `window` with a segment at `seq` that acknowledges
    /// `ack`; whether that is what it offered before (RFC 9293 section
    /// 3.10.7.4, SND.WL1 and SND.WL2).
    pub(super) fn offer(&mut self, window: u32, seq: SeqNumber, ack: SeqNumber) -> bool {
        let (wl1, wl2) = self.offered_by;
        if wl1.is_after(seq) || (wl1 == seq && wl2.is_after(ack)) {
            return true;
        }
        self.offered_by = (seq, ack);
        self.max_wnd = self.max_wnd.max(window);
        core::mem::replace(&mut self.snd_wnd, window) == window
    }

    /// Everything before `ack`, which is acceptable, has arrived. Returns how
    /// many sequence numbers that adds.
    pub(super) fn acknowledge(&mut self, ack: SeqNumber) -> u32 {
        let acked = ack - self.snd_una;
        self.snd_una = ack;
        self.snd_nxt = self.snd_nxt.later(ack);
        acked
    }

    /// Goes back to the first unacknowledged byte: all that follows will be
    /// sent again as the window allows.
    pub(super) const fn go_back(&mut self) {
        self.snd_nxt = self.snd_una;
    }

    /// Passes over what `scoreboard` knows to have arrived.
    pub(super) fn skip(&mut self, scoreboard: &Scoreboard) {
        if let Some(end) = scoreboard.sacked_end_at(self.snd_nxt) {
            self.snd_nxt = end.earlier(self.snd_max);
        }
    }

    /// The usual case of [`send`](Self::send): a full segment of new data, with
    /// more to come, if it fits into `limit` bytes from `snd_una`.
    #[inline(always)]
    pub(super) fn send_full(&mut self, limit: u32) -> Option<Piece> {
        let is_usual = self.snd_nxt == self.snd_max
            && self.unsent > u64::from(self.smss)
            && self.fin.is_none();
        let end = (self.snd_nxt - self.snd_una).saturating_add(self.smss);
        if !is_usual || end > limit.min(self.snd_wnd) {
            return None;
        }
        let range = SeqRange::new(self.snd_nxt, self.smss);
        self.snd_nxt = range.end;
        self.snd_max = range.end;
        self.unsent -= u64::from(self.smss);
        Some(Piece { range, fin: false, is_new: true, push: false })
    }

    /// The next segment in sequence that fits into `limit` bytes from
    /// `snd_una`, cut short before `stop` if that lies ahead.
    pub(super) fn send(&mut self, limit: u32, stop: Option<SeqNumber>) -> Option<Piece> {
        let used = self.snd_nxt - self.snd_una;
        let repeatable = (self.data_end() - self.snd_nxt).min(self.snd_max - self.snd_nxt);
        let available = u64::from(repeatable) + self.unsent;
        let mut len = u32::try_from(available.min(u64::from(self.smss))).unwrap_or(self.smss);
        if let Some(stop) = stop.filter(|stop| stop.is_after(self.snd_nxt)) {
            len = len.min(stop - self.snd_nxt);
        }
        if len == 0 {
            return self.fin_alone(used);
        }
        if len > limit.min(self.snd_wnd).saturating_sub(used) {
            return self.send_cut(limit, used);
        }
        if len < self.smss && self.nagle && !self.ends && self.is_held_back(repeatable, len) {
            return None;
        }
        Some(self.take(len, false))
    }

    /// What goes of a segment for which there is too little room.
    fn send_cut(&mut self, limit: u32, used: u32) -> Option<Piece> {
        let room = limit.min(self.snd_wnd).saturating_sub(used);
        let len = self.cut(limit, room)?;
        Some(self.take(len, false))
    }

    /// Whether there is nothing to send, now or later.
    pub(super) fn is_done(&self) -> bool {
        self.unsent == 0 && self.snd_nxt == self.snd_max && (!self.ends || self.fin.is_some())
    }

    /// Whether Nagle's algorithm keeps a short segment with new data back: until
    /// everything sent is acknowledged.
    fn is_held_back(&self, repeatable: u32, len: u32) -> bool {
        len > repeatable && self.snd_nxt != self.snd_una
    }

    /// How much of a segment to send that has only `room`: nothing, so that
    /// segments are cut short by the end of the data only, unless the receiver
    /// has never offered much more (RFC 9293 section 3.8.6.2.1), or nobody
    /// minds silly windows.
    fn cut(&self, limit: u32, room: u32) -> Option<u32> {
        let by_receiver = self.snd_wnd < limit;
        let worthwhile = !self.sws_avoidance || room >= self.max_wnd.div_ceil(2);
        (room > 0 && by_receiver && worthwhile).then_some(room)
    }

    /// Whether there is something to send that the receiver's window keeps
    /// back.
    pub(super) fn waits_for_window(&self) -> bool {
        let repeatable = self.snd_max - self.snd_nxt;
        let fin = u64::from(self.ends && self.fin.is_none());
        let available = u64::from(repeatable) + self.unsent + fin;
        let room = self.snd_wnd.saturating_sub(self.snd_nxt - self.snd_una);
        available > 0
            && u64::from(room) < available.min(u64::from(self.smss))
            && (room == 0 || self.cut(u32::MAX, room).is_none())
    }

    /// Whether there is new data that the receiver's window lets through, with
    /// `room` in the network.
    pub(super) fn can_send_new(&self, room: u32) -> bool {
        let len = u32::try_from(self.unsent.min(u64::from(self.smss))).unwrap_or(self.smss);
        let in_window = self.snd_wnd.saturating_sub(self.snd_max - self.snd_una);
        len > 0 && len <= room && len <= in_window
    }

    /// `len` bytes at `snd_nxt`, however small the window.
    pub(super) fn force(&mut self, len: u32) -> Option<Piece> {
        let repeatable = self.data_end() - self.snd_nxt.earlier(self.data_end());
        let available = u64::from(repeatable) + self.unsent;
        let len = u32::try_from(available.min(u64::from(len.min(self.smss)))).unwrap_or(len);
        let fin_is_due = self.ends && self.fin.is_none_or(|fin| fin == self.snd_nxt);
        (len > 0 || fin_is_due).then(|| self.take(len, true))
    }

    /// The FIN without data, if it is its turn. It waits for an open window
    /// like a byte of data.
    fn fin_alone(&mut self, used: u32) -> Option<Piece> {
        let due = self.ends && self.unsent == 0 && self.fin.is_none_or(|fin| fin == self.snd_nxt);
        (due && used < self.snd_wnd).then(|| self.take(0, false))
    }

    fn take(&mut self, len: u32, forced: bool) -> Piece {
        let range = SeqRange::new(self.snd_nxt, len);
        let repeatable = self.data_end() - self.snd_nxt;
        let new = len.saturating_sub(repeatable);
        self.unsent -= u64::from(new);
        let is_last = self.ends && self.unsent == 0;
        let first_fin = is_last && self.fin.is_none();
        let data_end = self.data_end() + new;
        let fits = forced || range.end - self.snd_una < self.snd_wnd;
        let fin = is_last && range.end == data_end && fits;
        self.snd_nxt = range.end + u32::from(fin);
        if fin {
            self.fin = Some(range.end);
        }
        self.snd_max = self.snd_max.later(self.snd_nxt);
        let push = self.pushes(range);
        Piece { range, fin, is_new: new > 0 || (fin && first_fin), push }
    }

    /// The segment at `seq`, which is outstanding, once more, cut short before
    /// `stop`. Going on from it, if `snd_nxt` stands there.
    pub(super) fn resend(&mut self, seq: SeqNumber, stop: Option<SeqNumber>) -> Piece {
        let end = stop.map_or(self.data_end(), |stop| stop.earlier(self.data_end()));
        let len = if seq.is_before(end) { (end - seq).min(self.smss) } else { 0 };
        let range = SeqRange::new(seq, len);
        let fin = self.fin == Some(range.end);
        if self.snd_nxt == seq {
            self.snd_nxt = range.end + u32::from(fin);
        }
        Piece { range, fin, is_new: false, push: self.pushes(range) }
    }

    /// Whether a segment with `range` has the end of what was written (RFC 9293
    /// section 3.9.1.2), sent for the first time or again.
    fn pushes(&self, range: SeqRange) -> bool {
        self.unsent == 0 && range.end == self.data_end()
    }

    /// SEG.UP for a segment at `seq`, as long as urgent data is not all
    /// acknowledged (RFC 6093 section 3.1).
    pub(super) fn urgent_pointer(&mut self, seq: SeqNumber) -> Option<u16> {
        let up = self.urgent?;
        if !up.is_after(self.snd_una) {
            self.urgent = None;
            return None;
        }
        // Far ahead it is announced as soon as 16 bits can point at it.
        (up.is_after(seq)).then(|| up - seq).and_then(|offset| u16::try_from(offset).ok())
    }
}
