//! Means, intervals and paired differences.
//!
//! Two kinds of 95 % prediction interval of a single run live here. The one
//! around the mean ([`Summary::prediction95`]) takes the runs for normally
//! distributed and works from two runs on; it serves comparisons, where runs
//! may be few. The one between order statistics ([`prediction95_by_rank`])
//! assumes nothing about the distribution but needs 39 runs; it judges
//! published figures, whose distributions are skewed.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The share of cases in which an interval holds what it is for.
const LEVEL: f64 = 0.95;

/// A closed interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// What a sample comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Size of the sample, from 1.
    pub n: usize,
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation with n − 1 in its denominator; `None` for a single
    /// value, which says nothing about spread.
    pub sd: Option<f64>,
}

impl Interval {
    /// Whether `value` lies between the ends or on one.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Half the distance between the ends.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    fn around(mean: f64, half_width: f64) -> Self {
        Self { low: mean - half_width, high: mean + half_width }
    }
}

impl Summary {
    /// Summarises `sample`, whose values are finite; `None` if it is empty.
    #[must_use]
    pub fn of(sample: &[f64]) -> Option<Self> {
        let (&first, rest) = sample.split_first()?;
        // Deviations from the first value: a constant sample has exactly its
        // value for mean, and exactly no spread.
        let n = count(sample.len());
        let mean = first + rest.iter().map(|x| x - first).sum::<f64>() / n;
        let squares: f64 = sample.iter().map(|x| (x - mean).powi(2)).sum();
        let sd = (!rest.is_empty()).then(|| (squares / (n - 1.0)).sqrt());
        Some(Self { n: sample.len(), mean, sd })
    }

    /// The 95 % confidence interval of the mean, mean ± t·sd/√n with n − 1
    /// degrees of freedom. `None` for a single value; without width for a
    /// constant sample.
    #[must_use]
    pub fn confidence95(&self) -> Option<Interval> {
        self.around_mean((1.0 / count(self.n)).sqrt())
    }

    /// The 95 % prediction interval of one further run,
    /// mean ± t·sd·√(1 + 1/n), for runs that are normally distributed. `None`
    /// for a single value; without width for a constant sample.
    #[must_use]
    pub fn prediction95(&self) -> Option<Interval> {
        self.around_mean((1.0 + 1.0 / count(self.n)).sqrt())
    }

    fn around_mean(&self, factor: f64) -> Option<Interval> {
        let t = t_quantile(self.n.checked_sub(1)?)?;
        Some(Interval::around(self.mean, t * self.sd? * factor))
    }
}

/// Summarises the differences `a − b` of pairs; `None` without pairs. Runs on
/// one seed share their channel, so that these differences vary less than the
/// runs do.
#[must_use]
pub fn paired_difference(pairs: &[(f64, f64)]) -> Option<Summary> {
    let differences: Vec<f64> = pairs.iter().map(|(a, b)| a - b).collect();
    Summary::of(&differences)
}

/// The 95 % prediction interval of one further run between two order
/// statistics: the (k)th smallest and the (k)th largest of n values hold it
/// with probability 1 − 2k/(n + 1), whatever its distribution, as long as it is
/// continuous; k is the largest that makes this 95 % or more. It is 95 %
/// exactly for n = 39, 79, 119 and so on; `None` below 39.
#[must_use]
pub fn prediction95_by_rank(sample: &[f64]) -> Option<Interval> {
    let rank = (sample.len() + 1) / 40;
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    Some(Interval {
        low: *sorted.get(rank.checked_sub(1)?)?,
        high: *sorted.get(sorted.len() - rank)?,
    })
}

/// The t that |T| does not exceed in 95 % of cases; `None` without degrees of
/// freedom.
fn t_quantile(degrees_of_freedom: usize) -> Option<f64> {
    let t = StudentsT::new(0.0, 1.0, count(degrees_of_freedom)).ok()?;
    Some(t.inverse_cdf(f64::midpoint(1.0, LEVEL)))
}

#[expect(clippy::cast_precision_loss, reason = "samples have fewer than 2^53 values")]
fn count(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests;
