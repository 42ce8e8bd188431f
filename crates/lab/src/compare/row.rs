//! A line of a comparison.

use serde::Serialize;

use crate::case::Case;
use crate::metrics::{Measured, Metric};
use crate::stats::{Summary, paired_difference};

/// A case and a metric, as an object of `compare --json`. Values that do not
/// exist are null: intervals of a single run, or a mean of none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Name of the case: that of a variant, or `no-loss`.
    pub variant: &'static str,
    /// Name of the metric.
    pub metric: &'static str,
    /// The unit of every value in this row.
    pub unit: &'static str,
    /// Runs, or pairs of runs, that the values rest on.
    pub n: usize,
    /// Runs, or pairs of runs, that did not complete and are left out.
    pub incomplete: usize,
    /// Mean.
    pub mean: Option<f64>,
    /// Lower end of the mean's 95 % confidence interval.
    pub ci95_low: Option<f64>,
    /// Upper end of the mean's 95 % confidence interval.
    pub ci95_high: Option<f64>,
    /// Lower end of the 95 % prediction interval of a single run, for normally
    /// distributed runs.
    pub pi95_low: Option<f64>,
    /// Upper end of that interval.
    pub pi95_high: Option<f64>,
    /// What the difference is against; null for the baseline itself and for
    /// rows that are comparisons already.
    pub baseline: Option<&'static str>,
    /// Mean over the seeds of this case's value less the baseline's.
    pub difference: Option<f64>,
    /// Lower end of its 95 % confidence interval.
    pub difference_ci95_low: Option<f64>,
    /// Upper end of its 95 % confidence interval.
    pub difference_ci95_high: Option<f64>,
}

impl Row {
    pub(super) fn of_metric(
        case: Case,
        metric: Metric,
        runs: &[Measured],
        baseline: Option<(&'static str, &[Measured])>,
    ) -> Self {
        let values: Vec<f64> = runs.iter().filter_map(|run| run.get(metric)).collect();
        let row = Self::of_sample(case, metric.name(), metric.unit(), &values, runs.len());
        let Some((name, baseline)) = baseline else { return row };
        let difference = paired_difference(&pairs(metric, runs, baseline));
        let interval = difference.and_then(|difference| difference.confidence95());
        Self {
            baseline: Some(name),
            difference: difference.map(|difference| difference.mean),
            difference_ci95_low: interval.map(|interval| interval.low),
            difference_ci95_high: interval.map(|interval| interval.high),
            ..row
        }
    }

    /// Completion times against those of `base`, as `change(base, own)` in
    /// percent of the former.
    pub(super) fn of_percentage(
        case: Case,
        name: &'static str,
        base: &[Measured],
        runs: &[Measured],
        change: impl Fn(f64, f64) -> f64,
    ) -> Self {
        let percentages: Vec<f64> = pairs(Metric::CompletionTime, base, runs)
            .into_iter()
            // A transfer of nothing takes no time, and nothing is a percentage of that.
            .filter(|(base, _)| *base > 0.0)
            .map(|(base, own)| 100.0 * change(base, own) / base)
            .collect();
        Self::of_sample(case, name, "percent", &percentages, runs.len())
    }

    fn of_sample(
        case: Case,
        metric: &'static str,
        unit: &'static str,
        sample: &[f64],
        runs: usize,
    ) -> Self {
        let summary = Summary::of(sample);
        let confidence = summary.and_then(|summary| summary.confidence95());
        let prediction = summary.and_then(|summary| summary.prediction95());
        Self {
            variant: case.name(),
            metric,
            unit,
            n: sample.len(),
            incomplete: runs - sample.len(),
            mean: summary.map(|summary| summary.mean),
            ci95_low: confidence.map(|interval| interval.low),
            ci95_high: confidence.map(|interval| interval.high),
            pi95_low: prediction.map(|interval| interval.low),
            pi95_high: prediction.map(|interval| interval.high),
            baseline: None,
            difference: None,
            difference_ci95_low: None,
            difference_ci95_high: None,
        }
    }
}

/// The values of two cases on the same seeds; seeds on which either did not
/// complete are left out.
fn pairs(metric: Metric, first: &[Measured], second: &[Measured]) -> Vec<(f64, f64)> {
    first.iter().zip(second).filter_map(|(a, b)| a.get(metric).zip(b.get(metric))).collect()
}
