//! Probabilities.

use core::fmt;

/// A probability, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Probability(f64);

impl Probability {
    /// Never.
    pub const ZERO: Self = Self(0.0);
    /// Always.
    pub const ONE: Self = Self(1.0);

    /// `value` as a probability; `None` outside 0 to 1 and for NaN.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        (0.0..=1.0).contains(&value).then_some(Self(value))
    }

    /// The value, 0 to 1.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Whether the event never happens, so that no random draw is needed.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.0 <= 0.0
    }

    /// Whether the event always happens, so that no random draw is needed.
    #[must_use]
    pub fn is_one(self) -> bool {
        self.0 >= 1.0
    }
}

impl fmt::Display for Probability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
