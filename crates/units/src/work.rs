//! The time that work takes a processor.

use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul};

use crate::{Duration, show};

/// Picoseconds in a nanosecond.
const PICOS: u64 = 1_000;

/// How long a processor works, in picoseconds (0 to about 213 days): a byte is
/// copied in less than a nanosecond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkTime(u64);

impl WorkTime {
    /// None.
    pub const ZERO: Self = Self(0);

    /// `ps` picoseconds.
    #[must_use]
    pub const fn from_picos(ps: u64) -> Self {
        Self(ps)
    }

    /// `us` microseconds.
    #[must_use]
    pub const fn from_micros(us: u64) -> Self {
        Self(us * 1_000 * PICOS)
    }

    /// Picoseconds.
    #[must_use]
    pub const fn as_picos(self) -> u64 {
        self.0
    }

    /// Whole nanoseconds, begun ones counted.
    #[must_use]
    pub const fn rounded_up(self) -> Duration {
        Duration::from_nanos(self.0.div_ceil(PICOS))
    }
}

impl Add for WorkTime {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for WorkTime {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<u64> for WorkTime {
    type Output = Self;
    fn mul(self, times: u64) -> Self {
        Self(self.0 * times)
    }
}

impl Sum for WorkTime {
    fn sum<I: Iterator<Item = Self>>(times: I) -> Self {
        times.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for WorkTime {
    /// The largest unit that shows the value without a fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [
            (1_000_000_000_000, "s"),
            (1_000_000_000, "ms"),
            (1_000_000, "us"),
            (1_000, "ns"),
            (1, "ps"),
        ];
        show::whole(f, self.0.into(), "s", &units)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_may_take_less_than_a_nanosecond() {
        let byte: WorkTime = "0.4 ns".parse().unwrap();
        assert_eq!((byte * 1_460).rounded_up(), Duration::from_nanos(584));
        assert_eq!((byte * 3).rounded_up(), Duration::from_nanos(2));
        assert_eq!((byte.to_string(), WorkTime::ZERO.to_string()), ("400 ps".into(), "0 s".into()));
        assert_eq!("190 us".parse(), Ok(WorkTime::from_micros(190)));
        assert!("0.1 ps".parse::<WorkTime>().is_err());
    }
}
