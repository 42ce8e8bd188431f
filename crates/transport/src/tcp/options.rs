//! The knobs of one connection.

use netjoule_units::{Bytes, Duration};
use serde::{Deserialize, Serialize};

use super::{InitialWindow, InitialWindowFormula};

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
    /// The same and SMSS/8, as 4.3BSD Reno was shipped (RFC 2525 section 2.6
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

/// Whether a connection offers and accepts SACK (RFC 2018).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sack {
    /// If the variant's loss recovery makes use of it.
    #[default]
    Variant,
    /// Always.
    On,
    /// Never.
    Off,
}

/// Where the receiver checks timestamps for old duplicates (RFC 7323 section 5;
/// agarwal2000 4.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Paws {
    /// First of all, as the RFC has it: H1, H2, H3.
    #[default]
    BeforePrediction,
    /// Only for segments that header prediction refuses: H2, H1, H3. A
    /// duplicate from exactly one turn of the sequence space ago passes.
    AfterPrediction,
    /// Nowhere.
    Off,
}

/// Explicit congestion notification (RFC 3168).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EcnMode {
    /// Neither offered nor accepted.
    #[default]
    Off,
    /// Accepted from a peer that offers it.
    Accept,
    /// Offered and accepted.
    On,
}

/// How the size of segments follows the path (RFC 1191, RFC 8201, RFC 4821).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathMtu {
    /// Not at all: packets may be fragmented.
    #[default]
    Off,
    /// By ICMP messages, checked as RFC 5927 section 7.2 asks.
    Icmp,
    /// The same; and timeouts of full-sized segments in a row make them
    /// smaller, in case that the messages do not get through.
    Fallback,
}

/// The least that `min_rto` can be.
const LEAST_RTO: Duration = Duration::from_millis(1);

/// The longest time-to-live of a connection's memory: nothing here may last
/// longer.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);

/// Settings of one connection; each can be set in a scenario's `[tcp]` table,
/// in a connection's own, and on the command line.
///
/// Whether options of the header are in use is negotiated: both ends must have
/// asked. The defaults are plain TCP, as the texts of the 1990s had it;
/// [`Options::current`] is what hosts do today.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// The largest payload of a segment, sent or received, 1 B to 65535 B. The
    /// MSS option offers it; timestamps are taken off it (RFC 6691).
    pub mss: Bytes,
    /// How the size of segments follows the path.
    pub path_mtu: PathMtu,
    /// The receive buffer, and with it the largest window offered; at least one
    /// MSS. Without window scaling at most 65535 bytes are offered.
    pub receive_window: Bytes,
    /// Whether windows are scaled (RFC 7323 section 2), by the least shift
    /// with which the receive window fits.
    pub window_scale: bool,
    /// Whether SACK is in use.
    pub sack: Sack,
    /// Whether the receiver reports duplicates (RFC 2883).
    pub dsack: bool,
    /// Whether segments carry timestamps (RFC 7323 section 3).
    pub timestamps: bool,
    /// Where timestamps are checked for old duplicates.
    pub paws: Paws,
    /// Explicit congestion notification.
    pub ecn: EcnMode,
    /// Whether expected segments take the short path through the receiver
    /// (agarwal2000 3.4).
    pub header_prediction: bool,
    /// Whether headers are made by changing the last one (agarwal2000 3.4); in
    /// the simulator without effect, as no header is made.
    pub header_template: bool,
    /// Whether short segments wait until everything sent is acknowledged (RFC
    /// 9293 section 3.7.4).
    pub nagle: bool,
    /// Whether both ends avoid small segments and small window updates (RFC
    /// 9293 section 3.8.6.2).
    pub sws_avoidance: bool,
    /// IW: the congestion window at the start: segments of SMSS, 1 to 1000, or
    /// `rfc3390` or `rfc6928`.
    pub initial_window: InitialWindow,
    /// ssthresh at the start (RFC 5681 section 3.1: arbitrarily high).
    pub initial_ssthresh: Bytes,
    /// The window's growth in congestion avoidance.
    pub avoidance_increment: AvoidanceIncrement,
    /// L of RFC 3465: growth counts the bytes acknowledged, in slow start up
    /// to L segments per ACK. Zero counts ACKs, as before.
    pub byte_counting: u32,
    /// What a loss halves.
    pub ssthresh_base: SsthreshBase,
    /// Whether sending begins with the initial window again after a pause of
    /// more than an RTO (RFC 5681 section 4.1).
    pub idle_restart: bool,
    /// The most segments that one ACK, one write or one timeout releases; zero
    /// for no limit.
    pub burst_limit: u32,
    /// `DupThresh`: duplicate ACKs that mean a loss, from 1.
    pub dupthresh: u32,
    /// Whether the first two duplicate ACKs release a new segment each (RFC
    /// 3042).
    pub limited_transmit: bool,
    /// Acknowledge every so many full-sized segments at the latest; 1
    /// acknowledges each at once, 0 does not count.
    pub ack_every: u32,
    /// The longest an acknowledgment waits for company (RFC 1122 section
    /// 4.2.3.2: below 0.5 s). Without effect when `ack_every` is 1.
    pub ack_delay: Duration,
    /// Whether an acknowledgment is due when the window it could offer is more
    /// than twice what is left of the one last offered (Linux 2.2; agarwal2000
    /// 4.5).
    pub ack_window_update: bool,
    /// Whether the number of segments per acknowledgment follows the load: as
    /// many as arrive in a quarter of `ack_delay`, at least one and at most
    /// `ack_every` (or 65,535 if that is 0).
    pub ack_dynamic: bool,
    /// The most full-sized segments that wait for an acknowledgment, whatever
    /// the other rules say (RFC 2525 section 2.13 calls more than two a stretch
    /// ACK violation); zero for no limit.
    pub ack_stretch_limit: u32,
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
    /// Silence before the first keep-alive probe (RFC 9293 section 3.8.4);
    /// zero for none.
    pub keep_alive: Duration,
    /// Time between keep-alive probes, above zero.
    pub keep_alive_interval: Duration,
    /// Keep-alive probes without an answer that end the connection, from 1.
    pub keep_alive_probes: u32,
    /// How long data, or the handshake, may remain unacknowledged before the
    /// connection is given up (RFC 9293 section 3.8.3); zero for ever.
    pub user_timeout: Duration,
    /// MSL: TIME-WAIT lasts twice as long (RFC 9293 section 3.4.2).
    pub msl: Duration,
    /// Challenge ACKs per second at most (RFC 5961 section 7), from 1.
    pub challenge_ack_limit: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mss: Bytes::new(1460),
            path_mtu: PathMtu::Off,
            receive_window: Bytes::from_kib(64),
            window_scale: true,
            sack: Sack::Variant,
            dsack: true,
            timestamps: false,
            paws: Paws::BeforePrediction,
            ecn: EcnMode::Off,
            header_prediction: true,
            header_template: true,
            nagle: false,
            sws_avoidance: true,
            initial_window: InitialWindow::Segments(1),
            initial_ssthresh: Bytes::from_kib(64),
            avoidance_increment: AvoidanceIncrement::Standard,
            byte_counting: 0,
            ssthresh_base: SsthreshBase::FlightSize,
            idle_restart: false,
            burst_limit: 0,
            dupthresh: 3,
            limited_transmit: false,
            ack_every: 1,
            ack_delay: Duration::from_millis(200),
            ack_window_update: false,
            ack_dynamic: false,
            ack_stretch_limit: 0,
            initial_rto: Duration::from_secs(1),
            min_rto: Duration::from_secs(1),
            max_rto: Duration::from_secs(60),
            timers: TimerKind::Fine,
            timer_granularity: Duration::from_millis(1),
            backoff_end: BackoffEnd::Sample,
            keep_alive: Duration::ZERO,
            keep_alive_interval: Duration::from_secs(75),
            keep_alive_probes: 9,
            user_timeout: Duration::ZERO,
            msl: Duration::from_secs(30),
            challenge_ack_limit: 10,
        }
    }
}

impl Options {
    /// What hosts do today: RFC 6928's window, SACK, timestamps, ECN, limited
    /// transmit, byte counting, Nagle, an acknowledgment for every second
    /// segment or after 40 ms, an RTO of 200 ms and more, path MTU discovery by
    /// ICMP. Without [`PathMtu::Fallback`], as most systems are set up: where
    /// packets are lost for other reasons it makes them smaller for nothing.
    #[must_use]
    pub fn current() -> Self {
        Self {
            path_mtu: PathMtu::Icmp,
            receive_window: Bytes::from_kib(1024),
            sack: Sack::On,
            timestamps: true,
            ecn: EcnMode::On,
            nagle: true,
            initial_window: InitialWindow::Formula(InitialWindowFormula::Rfc6928),
            initial_ssthresh: Bytes::from_kib(1024 * 1024),
            byte_counting: 2,
            limited_transmit: true,
            idle_restart: true,
            ack_every: 2,
            ack_delay: Duration::from_millis(40),
            min_rto: Duration::from_millis(200),
            user_timeout: Duration::from_secs(15 * 60),
            ..Self::default()
        }
    }

    /// The shift with which the receive window fits into 16 bits (RFC 7323
    /// section 2.3: at most 14); zero without window scaling.
    #[must_use]
    pub fn window_shift(&self) -> u8 {
        let fits = |shift: &u8| self.receive_window.get() >> shift <= u64::from(u16::MAX);
        if self.window_scale { (0..=14).find(fits).unwrap_or(14) } else { 0 }
    }

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
        expect((1..=65_535).contains(&mss), "mss", "1 B to 65535 B".into());
        // A window of 2^30 and more cannot be offered (RFC 7323 section 2.3).
        expect(
            (mss..1 << 30).contains(&window),
            "receive_window",
            format!("at least the mss ({}) and less than 1 GiB", self.mss),
        );
        if let InitialWindow::Segments(segments) = self.initial_window {
            expect(
                (1..=1_000).contains(&segments),
                "initial_window",
                InitialWindow::EXPECTED.into(),
            );
        }
        expect(self.initial_ssthresh >= self.mss, "initial_ssthresh", "at least the mss".into());
        expect(self.byte_counting <= 100, "byte_counting", "0 to 100 segments".into());
        expect(self.dupthresh >= 1, "dupthresh", "at least 1".into());
        expect(
            self.ack_every == 1 || !self.ack_delay.is_zero(),
            "ack_delay",
            "a time above zero unless ack_every is 1".into(),
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
        expect(
            !self.keep_alive_interval.is_zero(),
            "keep_alive_interval",
            "a time above zero".into(),
        );
        expect(self.keep_alive_probes >= 1, "keep_alive_probes", "at least 1".into());
        expect(self.challenge_ack_limit >= 1, "challenge_ack_limit", "at least 1".into());
        for (key, time) in [
            ("keep_alive", self.keep_alive),
            ("keep_alive_interval", self.keep_alive_interval),
            ("user_timeout", self.user_timeout),
            ("msl", self.msl),
        ] {
            expect(time <= LONGEST, key, format!("at most {LONGEST}"));
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}
