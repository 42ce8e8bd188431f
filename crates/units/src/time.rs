//! Simulated time.

use core::fmt;
use core::ops::{Add, AddAssign, Div, Mul, Sub};

/// Nanoseconds in a second.
const NANOS_PER_SEC: u64 = 1_000_000_000;

/// A moment, in nanoseconds since the start of the run (0 to about 584 years).
///
/// It is never the machine's clock: a driver decides what zero means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(u64);

/// A span of time in nanoseconds (0 to about 584 years).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(u64);

impl Instant {
    /// The start of the run.
    pub const ZERO: Self = Self(0);
    /// A moment after every other one: "never".
    pub const NEVER: Self = Self(u64::MAX);

    /// The moment `ns` nanoseconds after the start.
    #[must_use]
    pub const fn from_nanos(ns: u64) -> Self {
        Self(ns)
    }

    /// The moment `ms` milliseconds after the start.
    #[must_use]
    pub const fn from_millis(ms: u64) -> Self {
        Self(ms * 1_000_000)
    }

    /// Nanoseconds since the start.
    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Whole milliseconds since the start, rounded down.
    #[must_use]
    pub const fn as_millis(self) -> u64 {
        self.0 / 1_000_000
    }

    /// Seconds since the start, for display and statistics only.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a display value")]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / NANOS_PER_SEC as f64
    }

    /// The span since `earlier`; zero if `earlier` is later.
    #[must_use]
    pub const fn saturating_since(self, earlier: Self) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }

    /// The last multiple of `step` that is not after this moment; the moment
    /// itself when `step` is zero.
    #[must_use]
    pub const fn floor_to(self, step: Duration) -> Self {
        if step.0 <= 1 { self } else { Self(self.0 - self.0 % step.0) }
    }
}

impl Duration {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// The longest span.
    pub const MAX: Self = Self(u64::MAX);

    /// A span of `ns` nanoseconds.
    #[must_use]
    pub const fn from_nanos(ns: u64) -> Self {
        Self(ns)
    }

    /// A span of `us` microseconds.
    #[must_use]
    pub const fn from_micros(us: u64) -> Self {
        Self(us * 1_000)
    }

    /// A span of `ms` milliseconds.
    #[must_use]
    pub const fn from_millis(ms: u64) -> Self {
        Self(ms * 1_000_000)
    }

    /// A span of `s` seconds.
    #[must_use]
    pub const fn from_secs(s: u64) -> Self {
        Self(s * NANOS_PER_SEC)
    }

    /// The span nearest to `s` seconds; negative values and NaN give zero,
    /// values too large give [`Duration::MAX`]. For random draws and results.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float-to-integer cast saturates, which is the documented behaviour"
    )]
    pub fn from_secs_f64(s: f64) -> Self {
        Self((s * NANOS_PER_SEC as f64).round() as u64)
    }

    /// Nanoseconds.
    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Seconds, for display and statistics only.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a display value")]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / NANOS_PER_SEC as f64
    }

    /// Whether this span is empty.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The longest multiple of `step` that is not longer than this span; the
    /// span itself when `step` is zero.
    #[must_use]
    pub const fn floor_to(self, step: Self) -> Self {
        if step.0 <= 1 { self } else { Self(self.0 - self.0 % step.0) }
    }

    /// The shortest multiple of `step` that is not shorter than this span; the
    /// span itself when `step` is zero.
    #[must_use]
    pub const fn ceil_to(self, step: Self) -> Self {
        if step.0 <= 1 { self } else { Self(self.0.div_ceil(step.0).saturating_mul(step.0)) }
    }

    /// `self - other`, or zero when `other` is longer.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// `self · factor`, or [`Duration::MAX`] when that does not fit.
    #[must_use]
    pub const fn saturating_mul(self, factor: u64) -> Self {
        Self(self.0.saturating_mul(factor))
    }

    /// The absolute difference of two spans.
    #[must_use]
    pub const fn abs_diff(self, other: Self) -> Self {
        Self(self.0.abs_diff(other.0))
    }
}

impl Add<Duration> for Instant {
    type Output = Self;
    /// The moment after `span`; [`Instant::NEVER`] when that does not fit, so
    /// that absurd spans in a scenario end a run at its time limit.
    fn add(self, span: Duration) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl AddAssign<Duration> for Instant {
    fn add_assign(&mut self, span: Duration) {
        *self = *self + span;
    }
}

impl Sub for Instant {
    type Output = Duration;
    /// The span since `earlier`. Time runs forward only: an `earlier` that is
    /// later is a bug of the caller, and an overflow in a debug build.
    fn sub(self, earlier: Self) -> Duration {
        debug_assert!(self.0 >= earlier.0, "time ran backwards");
        Duration(self.0 - earlier.0)
    }
}

impl Add for Duration {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Duration {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Mul<u64> for Duration {
    type Output = Self;
    fn mul(self, factor: u64) -> Self {
        Self(self.0 * factor)
    }
}

impl Div<u64> for Duration {
    type Output = Self;
    fn div(self, divisor: u64) -> Self {
        Self(self.0 / divisor)
    }
}

impl fmt::Display for Duration {
    /// The largest unit that shows the value without a fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = match self.0 {
            0 => (0, "s"),
            ns if ns % NANOS_PER_SEC == 0 => (ns / NANOS_PER_SEC, "s"),
            ns if ns % 1_000_000 == 0 => (ns / 1_000_000, "ms"),
            ns if ns % 1_000 == 0 => (ns / 1_000, "us"),
            ns => (ns, "ns"),
        };
        write!(f, "{value} {unit}")
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Duration(self.0).fmt(f)
    }
}
