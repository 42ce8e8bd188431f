//! One value per seed.

use crate::stats::{Interval, Summary, prediction95_by_rank};

/// The values of a statistic in the order of seeds; `None` on a seed on which
/// a run that it needs did not complete.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample(Vec<Option<f64>>);

impl Sample {
    /// A sample of these values.
    #[must_use]
    pub fn new(values: Vec<Option<f64>>) -> Self {
        Self(values)
    }

    /// The value on each seed.
    #[must_use]
    pub fn values(&self) -> &[Option<f64>] {
        &self.0
    }

    /// Seeds without a value.
    #[must_use]
    pub fn incomplete(&self) -> usize {
        self.0.iter().filter(|value| value.is_none()).count()
    }

    /// Changes every value.
    #[must_use]
    pub fn map(&self, change: impl Fn(f64) -> f64) -> Self {
        Self(self.0.iter().map(|value| value.map(&change)).collect())
    }

    /// Combines two samples seed by seed.
    #[must_use]
    pub fn zip_with(&self, other: &Self, combine: impl Fn(f64, f64) -> f64) -> Self {
        let pairs = self.0.iter().zip(&other.0);
        Self(pairs.map(|(a, b)| a.zip(*b).map(|(a, b)| combine(a, b))).collect())
    }

    /// Folds samples into one, seed by seed; `None` without samples.
    #[must_use]
    pub fn fold(samples: impl Iterator<Item = Self>, combine: fn(f64, f64) -> f64) -> Option<Self> {
        samples.reduce(|all, next| all.zip_with(&next, combine))
    }

    /// Mean and spread of the values there are.
    #[must_use]
    pub fn summary(&self) -> Option<Summary> {
        Summary::of(&self.present())
    }

    /// The 95 % prediction interval of a single run, between order statistics;
    /// `None` with fewer than 39 values, and with a seed that lacks one: the
    /// long runs are those that do not complete, and without them the interval
    /// would be too narrow.
    #[must_use]
    pub fn prediction95(&self) -> Option<Interval> {
        if self.incomplete() > 0 {
            return None;
        }
        prediction95_by_rank(&self.present())
    }

    fn present(&self) -> Vec<f64> {
        self.0.iter().copied().flatten().collect()
    }
}
