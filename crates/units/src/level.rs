//! Levels of power and their ratios, on the logarithmic scale of radio.

use core::fmt;
use core::ops::{Add, Sub};

/// Beyond this there is no radio, and below it no sum leaves the range of
/// floats.
const LIMIT: f64 = 1_000.0;

/// A ratio of two powers in decibels, finite.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Decibels(f64);

/// A power in decibels above one milliwatt (dBm), finite.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct PowerLevel(f64);

impl Decibels {
    /// Two equal powers.
    pub const ZERO: Self = Self(0.0);

    /// A ratio of `db` decibels; `None` outside -1000 to 1000 and for NaN.
    #[must_use]
    pub fn new(db: f64) -> Option<Self> {
        (-LIMIT..=LIMIT).contains(&db).then_some(Self(db))
    }

    /// Decibels.
    #[must_use]
    pub const fn db(self) -> f64 {
        self.0
    }
}

impl PowerLevel {
    /// One milliwatt: 0 dBm.
    pub const MILLIWATT: Self = Self(0.0);

    /// A power of `dbm` dBm; `None` outside -1000 to 1000 and for NaN.
    #[must_use]
    pub fn from_dbm(dbm: f64) -> Option<Self> {
        (-LIMIT..=LIMIT).contains(&dbm).then_some(Self(dbm))
    }

    /// Decibels above one milliwatt.
    #[must_use]
    pub const fn dbm(self) -> f64 {
        self.0
    }
}

impl Add for Decibels {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Decibels {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Add<Decibels> for PowerLevel {
    type Output = Self;
    /// The power after a gain.
    fn add(self, gain: Decibels) -> Self {
        Self(self.0 + gain.0)
    }
}

impl Sub<Decibels> for PowerLevel {
    type Output = Self;
    /// The power after a loss.
    fn sub(self, loss: Decibels) -> Self {
        Self(self.0 - loss.0)
    }
}

impl Sub for PowerLevel {
    type Output = Decibels;
    /// How much greater than `other` this power is.
    fn sub(self, other: Self) -> Decibels {
        Decibels(self.0 - other.0)
    }
}

impl fmt::Display for Decibels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} dB", self.0)
    }
}

impl fmt::Display for PowerLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} dBm", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_adds_up() {
        let sent = PowerLevel::from_dbm(15.0).unwrap();
        let received = sent - Decibels::new(97.0).unwrap() + Decibels::new(2.0).unwrap();
        assert_eq!(received.to_string(), "-80 dBm");
        assert_eq!((received - sent).to_string(), "-95 dB");
        assert!(received < sent);
        assert_eq!(Decibels::new(f64::NAN), None);
        assert_eq!(PowerLevel::from_dbm(f64::INFINITY), None);
    }
}
