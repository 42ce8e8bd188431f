//! Lengths in space.

use core::fmt;

/// Millimetres in a metre.
const MM_PER_M: u64 = 1_000;

/// A distance in millimetres, zero or more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Distance(u64);

impl Distance {
    /// No distance at all.
    pub const ZERO: Self = Self(0);

    /// A distance of `mm` millimetres.
    #[must_use]
    pub const fn from_millimetres(mm: u64) -> Self {
        Self(mm)
    }

    /// A distance of `m` metres.
    #[must_use]
    pub const fn from_metres(m: u64) -> Self {
        Self(m * MM_PER_M)
    }

    /// Millimetres.
    #[must_use]
    pub const fn as_millimetres(self) -> u64 {
        self.0
    }

    /// Metres, for formulas and display.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "exact up to 9 million km")]
    pub fn as_metres_f64(self) -> f64 {
        self.0 as f64 / MM_PER_M as f64
    }

    /// The absolute difference of two distances.
    #[must_use]
    pub const fn abs_diff(self, other: Self) -> Self {
        Self(self.0.abs_diff(other.0))
    }

    /// The straight line across two legs at a right angle, rounded down to
    /// whole millimetres; exact integers, the same on every machine.
    #[must_use]
    pub fn across(self, other: Self) -> Self {
        let square = |leg: Self| u128::from(leg.0) * u128::from(leg.0);
        let root = square(self).saturating_add(square(other)).isqrt();
        Self(u64::try_from(root).unwrap_or(u64::MAX))
    }
}

impl fmt::Display for Distance {
    /// The largest unit that shows the value without a fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = match self.0 {
            0 => (0, "m"),
            mm if mm % 1_000_000 == 0 => (mm / 1_000_000, "km"),
            mm if mm % MM_PER_M == 0 => (mm / MM_PER_M, "m"),
            mm => (mm, "mm"),
        };
        write!(f, "{value} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_across_is_that_of_pythagoras() {
        let across = |a, b| Distance::from_metres(a).across(Distance::from_metres(b));
        assert_eq!(across(3, 4), Distance::from_metres(5));
        assert_eq!(across(1, 1), Distance::from_millimetres(1_414));
        assert_eq!(across(0, 7), Distance::from_metres(7));
        let far = Distance::from_millimetres(u64::MAX);
        assert_eq!(far.across(far), far);
    }
}
