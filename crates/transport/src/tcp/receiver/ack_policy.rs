//! When in-order data is acknowledged (RFC 1122 section 4.2.3.2, RFC 5681
//! section 4.2, RFC 2525 section 2.13; agarwal2000 4.5).
//!
//! Linux 2.2 is `ack_every` 2 with `ack_window_update` and an `ack_delay` of
//! 500 ms; agarwal2000 changes `ack_every` to 0. Then one acknowledgment
//! leaves per half window, or by the timer.

use netjoule_units::{Duration, Instant};

use super::Acknowledge;
use crate::tcp::Options;

/// Segments of equal size in a row show the peer's full size only from here:
/// the MSS of a peer that names none (RFC 9293 section 3.7.1). Shorter ones
/// may be an application's messages.
const LEAST_GUESS: u32 = 536;

/// The most segments per acknowledgment where nothing limits them.
const MOST_SEGMENTS: u64 = 65_535;

/// The receive window at the moment of a question, in bytes from RCV.NXT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Windows {
    /// What an acknowledgment sent now would offer.
    pub(super) could_offer: u32,
    /// What is left of the window that was offered last.
    pub(super) left: u32,
}

/// Decides by count, load, window and time.
#[derive(Clone, Debug)]
pub(super) struct AckPolicy {
    /// `ack_every`: 0 does not count.
    every: u64,
    stretch_limit: u64,
    delay: Duration,
    window_update: bool,
    /// The load, if `ack_dynamic`.
    load: Option<Load>,
    /// Our MSS.
    mss: u32,
    /// The payload of the peer's full-sized segments, as far as is known.
    full_size: u32,
    /// The payload of the last segment.
    last_len: u32,
    /// Payload bytes not yet acknowledged.
    waiting: u64,
}

impl AckPolicy {
    pub(super) fn new(options: &Options) -> Self {
        let mss = u32::try_from(options.mss.get()).unwrap_or(u32::MAX);
        Self {
            every: u64::from(options.ack_every),
            stretch_limit: u64::from(options.ack_stretch_limit),
            delay: options.ack_delay,
            window_update: options.ack_window_update,
            load: options.ack_dynamic.then(|| Load::new(options.ack_delay / 4)),
            mss,
            full_size: mss,
            last_len: 0,
            waiting: 0,
        }
    }

    /// The peer's segments will have no more than `mss` bytes of payload: it
    /// has named its own MSS, and that tells of its link.
    pub(super) fn expect_segments_of(&mut self, mss: u32) {
        self.full_size = self.mss.min(mss.max(1));
    }

    /// In-order payload of `len` bytes has arrived, with nothing missing.
    #[inline(always)]
    pub(super) fn on_in_order(&mut self, now: Instant, len: u32, windows: Windows) -> Acknowledge {
        self.estimate_full_size(len);
        self.waiting += u64::from(len);
        if let Some(load) = &mut self.load {
            load.on_arrival(now, len);
        }
        if self.is_enough_by_count() || self.is_window_due(windows) {
            Acknowledge::Now
        } else {
            Acknowledge::Within(self.delay)
        }
    }

    /// The application has read. Returns whether an acknowledgment is due at
    /// once for the window's sake; what RFC 9293 section 3.8.6.2.2 asks of
    /// window updates is for the caller.
    pub(super) fn on_read(&self, windows: Windows) -> bool {
        self.waiting > 0 && self.is_window_due(windows)
    }

    /// An acknowledgment of everything has left.
    pub(super) const fn on_ack_sent(&mut self) {
        self.waiting = 0;
    }

    #[inline(always)]
    fn is_enough_by_count(&self) -> bool {
        let segments = |count: u64| count * u64::from(self.full_size);
        let by_count = match (&self.load, self.every) {
            (Some(load), 0) => load.segments(self.full_size).min(MOST_SEGMENTS),
            (Some(load), every) => load.segments(self.full_size).min(every),
            (None, every) => every,
        };
        match by_count {
            0 => {}
            // Small segments too.
            1 => return true,
            count if self.waiting >= segments(count) => return true,
            _ => {}
        }
        self.stretch_limit > 0 && self.waiting >= segments(self.stretch_limit)
    }

    fn is_window_due(&self, windows: Windows) -> bool {
        self.window_update && u64::from(windows.could_offer) > 2 * u64::from(windows.left)
    }

    /// As Linux does: the longest segment seen is full-sized, and so are two
    /// of the same length in a row, since the path may carry less than both
    /// ends would.
    fn estimate_full_size(&mut self, len: u32) {
        let repeated = len == self.last_len && len >= LEAST_GUESS;
        if len > self.full_size || repeated {
            self.full_size = len.min(self.mss);
        }
        self.last_len = len;
    }
}

/// How much arrives in a given span of time.
#[derive(Clone, Copy, Debug)]
struct Load {
    span: Duration,
    /// When the count under way began, and its bytes.
    since: Instant,
    bytes: u64,
    /// Bytes per span in the last count.
    measured: u64,
}

impl Load {
    const fn new(span: Duration) -> Self {
        Self { span, since: Instant::ZERO, bytes: 0, measured: 0 }
    }

    /// A count lasts from an arrival to the first one a span or more later,
    /// which belongs to the next.
    fn on_arrival(&mut self, now: Instant, len: u32) {
        let elapsed = now.saturating_since(self.since);
        if elapsed >= self.span {
            let bytes = u128::from(self.bytes) * u128::from(self.span.as_nanos());
            let measured = bytes / u128::from(elapsed.as_nanos().max(1));
            self.measured = u64::try_from(measured).unwrap_or(u64::MAX);
            (self.since, self.bytes) = (now, 0);
        }
        self.bytes += u64::from(len);
    }

    /// The segments of `full_size` bytes that the last count had, at least
    /// one.
    fn segments(&self, full_size: u32) -> u64 {
        (self.measured / u64::from(full_size.max(1))).max(1)
    }
}

#[cfg(test)]
mod tests;
