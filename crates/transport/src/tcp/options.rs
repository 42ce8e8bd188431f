//! The knobs of one connection.

use netjoule_units::{Bytes, Duration};
use serde::{Deserialize, Serialize};

/// How a connection keeps time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimerKind {
    /// Timers run out at their own moment; the granularity only rounds the
    /// RTO, and bounds its variance term from below (RFC 6298 section 2).
    #[default]
    Fine,
    /// Time is counted in ticks of the granularity, as BSD's slow timeout
    /// does: round trips are measured in whole ticks, and a timer runs out at
    /// a tick.
    Ticking,
}

/// What the window grows by per ACK in congestion avoidance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AvoidanceIncrement {
    /// SMSS·SMSS/cwnd (RFC 5681 equation 3; goel1997 2.2 says "1/cwnd").
    #[default]
    Standard,
    /// The same and SMSS/8, as 4.3BSD Reno was shipped (RFC 2525 section 2.8
    /// calls the extra term a bug).
    Bsd43,
}

/// What a loss halves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SsthreshBase {
    /// `FlightSize`, the data sent and not acknowledged (RFC 5681 equation 4).
    #[default]
    FlightSize,
    /// The smaller of cwnd and the offered window, in whole segments, as in
    /// 4.3BSD (goel1997 2.3.1).
    Window,
}

/// When a backed-off RTO returns to its computed value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BackoffEnd {
    /// With the next round-trip sample, which Karn's rule takes from segments
    /// never retransmitted only (RFC 6298 section 5).
    #[default]
    Sample,
    /// With any acknowledgment of new data, as figure 5.3 of goel1997 shows.
    NewAck,
}

/// The least that `min_rto` can be.
const LEAST_RTO: Duration = Duration::from_millis(1);

/// Settings of one connection; each can be set in a scenario's `[tcp]` table
/// and in a connection's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// SMSS: payload bytes of a full-sized segment, 1 B to 64 KiB.
    pub mss: Bytes,
    /// What the receiver advertises, all the time; at least one SMSS.
    pub receive_window: Bytes,
    /// IW: the congestion window at the start, in segments of SMSS, from 1.
    pub initial_window: u32,
    /// ssthresh at the start (RFC 5681 section 3.1: arbitrarily high).
    pub initial_ssthresh: Bytes,
    /// `DupThresh`: duplicate ACKs that mean a loss, from 1.
    pub dupthresh: u32,
    /// Acknowledge every so many full-sized segments at the latest; 1
    /// acknowledges each at once.
    pub ack_every: u32,
    /// The longest an acknowledgment waits for company (RFC 1122 section
    /// 4.2.3.2: below 0.5 s). Without effect when `ack_every` is 1.
    pub ack_delay: Duration,
    /// The RTO before the first measurement (RFC 6298 section 2.1).
    pub initial_rto: Duration,
    /// The least RTO (RFC 6298 section 2.4), from 1 ms.
    pub min_rto: Duration,
    /// The largest RTO, backed off or not (RFC 6298 section 2.5).
    pub max_rto: Duration,
    /// Fine or ticking timers.
    pub timers: TimerKind,
    /// G: the granularity of the timers.
    pub timer_granularity: Duration,
    /// When a backed-off RTO returns to its computed value.
    pub backoff_end: BackoffEnd,
    /// The window's growth in congestion avoidance.
    pub avoidance_increment: AvoidanceIncrement,
    /// What a loss halves.
    pub ssthresh_base: SsthreshBase,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mss: Bytes::new(1460),
            receive_window: Bytes::from_kib(64),
            initial_window: 1,
            initial_ssthresh: Bytes::from_kib(64),
            dupthresh: 3,
            ack_every: 1,
            ack_delay: Duration::from_millis(200),
            initial_rto: Duration::from_secs(1),
            min_rto: Duration::from_secs(1),
            max_rto: Duration::from_secs(60),
            timers: TimerKind::Fine,
            timer_granularity: Duration::from_millis(1),
            backoff_end: BackoffEnd::Sample,
            avoidance_increment: AvoidanceIncrement::Standard,
            ssthresh_base: SsthreshBase::FlightSize,
        }
    }
}

impl Options {
    /// Checks every range.
    ///
    /// # Errors
    /// Every setting that is out of range, as its name and what was expected.
    pub fn validate(&self) -> Result<(), Vec<(&'static str, String)>> {
        let mut wrong = Vec::new();
        let mut expect = |holds: bool, key: &'static str, expected: String| {
            if !holds {
                wrong.push((key, expected));
            }
        };
        let (mss, window) = (self.mss.get(), self.receive_window.get());
        expect((1..=65_536).contains(&mss), "mss", "1 B to 64 KiB".into());
        // A window of 2^30 and more cannot be offered (RFC 7323 section 2.3).
        expect(
            (mss..1 << 30).contains(&window),
            "receive_window",
            format!("at least the mss ({}) and less than 1 GiB", self.mss),
        );
        expect(
            (1..=1_000).contains(&self.initial_window),
            "initial_window",
            "1 to 1000 segments".into(),
        );
        expect(self.initial_ssthresh >= self.mss, "initial_ssthresh", "at least the mss".into());
        expect(self.dupthresh >= 1, "dupthresh", "at least 1".into());
        expect(self.ack_every >= 1, "ack_every", "at least 1".into());
        expect(
            self.ack_every == 1 || !self.ack_delay.is_zero(),
            "ack_delay",
            "a time above zero when ack_every is above 1".into(),
        );
        // Below, a sender would repeat itself faster than any link carries.
        expect(self.min_rto >= LEAST_RTO, "min_rto", format!("at least {LEAST_RTO}"));
        expect(self.max_rto >= self.min_rto, "max_rto", "at least min_rto".into());
        expect(
            self.initial_rto >= self.min_rto && self.initial_rto <= self.max_rto,
            "initial_rto",
            "between min_rto and max_rto".into(),
        );
        expect(!self.timer_granularity.is_zero(), "timer_granularity", "a time above zero".into());
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}
