//! Data rates.

use core::fmt;

use crate::{Bytes, Duration};

/// A rate in bits per second, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitRate(u64);

impl BitRate {
    /// A rate of `bit_per_s` bits per second; `None` for zero, at which
    /// nothing would ever arrive.
    #[must_use]
    pub const fn new(bit_per_s: u64) -> Option<Self> {
        if bit_per_s == 0 { None } else { Some(Self(bit_per_s)) }
    }

    /// A rate of `mbit` million bits per second.
    ///
    /// # Panics
    /// If `mbit` is zero.
    #[must_use]
    pub const fn from_mbit_per_s(mbit: u64) -> Self {
        assert!(mbit > 0, "a rate is at least one bit per second");
        Self(mbit * 1_000_000)
    }

    /// Bits per second.
    #[must_use]
    pub const fn bit_per_s(self) -> u64 {
        self.0
    }

    /// How long `amount` takes on a line of this rate, rounded up to whole
    /// nanoseconds: a bit is not there before its last part is.
    #[must_use]
    pub fn transmission_time(self, amount: Bytes) -> Duration {
        // Frames are short: stay in 64 bits where the product fits.
        let bits = amount.bits();
        if let Ok(bits) = u64::try_from(bits)
            && let Some(bit_ns) = bits.checked_mul(1_000_000_000)
        {
            return Duration::from_nanos(bit_ns.div_ceil(self.0));
        }
        let ns = (bits * 1_000_000_000).div_ceil(u128::from(self.0));
        Duration::from_nanos(u64::try_from(ns).unwrap_or(u64::MAX))
    }
}

impl fmt::Display for BitRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = match self.0 {
            r if r % 1_000_000_000 == 0 => (r / 1_000_000_000, "Gbit/s"),
            r if r % 1_000_000 == 0 => (r / 1_000_000, "Mbit/s"),
            r if r % 1_000 == 0 => (r / 1_000, "kbit/s"),
            r => (r, "bit/s"),
        };
        write!(f, "{value} {unit}")
    }
}
