//! Variants of TCP side by side on one scenario, over the same channels.

mod row;

use std::num::NonZeroUsize;

use netjoule_scenario::Scenario;
use netjoule_trace::Nobody;

use crate::Error;
use crate::case::{Case, DEFAULT_VARIANTS, named};
use crate::metrics::{Measured, Metric};
use crate::replicate::{Progress, every_run, run_all};

pub use row::Row;

/// What to compare.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where.
    pub scenario: Scenario,
    /// Names of variants, the first of which is the baseline; at least one.
    pub variants: Vec<String>,
    /// Runs of each case, from 1. A single run has no intervals.
    pub runs: u64,
    /// Run *i*, from 0, of every case has this seed + *i*.
    pub base_seed: u64,
    /// Worker threads; `None` for one per processor.
    pub jobs: Option<NonZeroUsize>,
}

/// What became of the runs of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The case.
    pub case: Case,
    /// Runs in which every transfer completed.
    pub completed: usize,
    /// The others, which are in no row.
    pub incomplete: usize,
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Name of the variant that the others are measured against.
    pub baseline: &'static str,
    /// The cases: No loss, then the variants in the order of the request.
    pub cases: Vec<Tally>,
    /// One for each case and metric that any run has, case by case.
    pub rows: Vec<Row>,
}

/// Name of the rows that say how much sooner a case completes than the
/// baseline, in percent of the baseline's time, run by run.
pub const IMPROVEMENT: &str = "improvement_percent";

/// Name of the rows that say how much later a case completes than without
/// loss, in percent of the time without loss, run by run.
pub const DEGRADATION: &str = "degradation_percent";

impl Request {
    /// The default comparison: Unmodified, Simple ICMP and Refined ICMP.
    #[must_use]
    pub fn new(scenario: Scenario, runs: u64) -> Self {
        Self {
            base_seed: scenario.run.seed,
            scenario,
            variants: DEFAULT_VARIANTS.map(String::from).to_vec(),
            runs,
            jobs: None,
        }
    }

    /// The cases to run: No loss, then the variants.
    ///
    /// # Errors
    /// [`Error::UnknownVariant`], [`Error::RepeatedVariant`], or
    /// [`Error::NoRuns`] without runs or variants.
    pub fn cases(&self) -> Result<Vec<Case>, Error> {
        if self.runs == 0 || self.variants.is_empty() {
            return Err(Error::NoRuns);
        }
        let mut cases = vec![Case::NoLoss];
        for name in &self.variants {
            let case = Case::Variant(named(name)?);
            if cases.contains(&case) {
                return Err(Error::RepeatedVariant { name: name.clone() });
            }
            cases.push(case);
        }
        Ok(cases)
    }

    /// How many runs the progress callback will have counted at the end.
    ///
    /// # Errors
    /// Those of [`Request::cases`].
    pub fn total_runs(&self) -> Result<u64, Error> {
        Ok(self.runs.saturating_mul(self.cases()?.len() as u64))
    }
}

impl Comparison {
    /// The row of a case and a metric, by their names.
    #[must_use]
    pub fn row(&self, variant: &str, metric: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.variant == variant && row.metric == metric)
    }
}

/// Runs the comparison. The result depends on the request alone, not on the
/// number of threads.
///
/// # Errors
/// Those of [`Request::cases`], and [`Error::Threads`].
pub fn run(request: &Request, progress: Progress<'_>) -> Result<Comparison, Error> {
    let cases = request.cases()?;
    let scenarios =
        cases.iter().map(|case| case.apply(&request.scenario)).collect::<Result<Vec<_>, _>>()?;
    let jobs = every_run(cases.len(), request.runs, request.base_seed);
    let measured = run_all(&jobs, request.jobs, progress, |job| {
        Measured::of(&netjoule_net::run(&scenarios[job.case], job.seed, &mut Nobody))
    })?;
    let samples: Vec<&[Measured]> = measured.chunks(jobs.len() / cases.len()).collect();
    Ok(tabulate(&cases, &samples))
}

/// Makes the rows from the runs of each case, in the order of seeds. The first
/// case is the reference without loss, the second the baseline.
fn tabulate(cases: &[Case], samples: &[&[Measured]]) -> Comparison {
    let (no_loss, baseline) = (samples[0], samples[1]);
    let baseline_name = cases[1].name();
    // What no run has is in no row.
    let has =
        |metric: &Metric| samples.iter().copied().flatten().any(|it| it.get(*metric).is_some());
    let metrics = Metric::ALL.into_iter().filter(|metric| !metric.is_of_devices() || has(metric));
    let metrics: Vec<_> = metrics.collect();
    let mut rows = Vec::new();
    let mut tallies = Vec::new();
    for (index, (&case, &runs)) in cases.iter().zip(samples).enumerate() {
        let against_baseline = (index != 1).then_some((baseline_name, baseline));
        let of = |metric: &Metric| Row::of_metric(case, *metric, runs, against_baseline);
        rows.extend(metrics.iter().map(of));
        if index != 1 {
            rows.push(Row::of_percentage(case, IMPROVEMENT, baseline, runs, |base, own| {
                base - own
            }));
        }
        if index != 0 {
            rows.push(Row::of_percentage(case, DEGRADATION, no_loss, runs, |base, own| own - base));
        }
        let completed = runs.iter().filter(|run| run.is_complete()).count();
        tallies.push(Tally { case, completed, incomplete: runs.len() - completed });
    }
    Comparison { baseline: baseline_name, cases: tallies, rows }
}

#[cfg(test)]
mod tests;
