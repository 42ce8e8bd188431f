//! Making the runs of many settings, and what they say per seed.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use netjoule_scenario::Scenario;
use netjoule_trace::Nobody;
use netjoule_units::Duration;

use super::setting::Setting;
use crate::Error;
use crate::case::{Case, named};
use crate::metrics::{Measured, Metric};
use crate::papers::sample::Sample;
use crate::replicate::{Job, Progress, run_all};

/// The ways in which the thesis runs TCP over a lossy channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Scheme {
    Unmodified,
    Simple,
    Refined,
}

/// The runs of a setting.
struct Runs {
    /// The same on every seed: nothing else is random.
    no_loss: Measured,
    /// For each scheme one per seed.
    lossy: [Vec<Measured>; Scheme::ALL.len()],
}

/// The runs of many settings.
pub(super) struct Results {
    runs: BTreeMap<Setting, Runs>,
    /// Times of single recoveries, in seconds.
    recoveries: BTreeMap<Scheme, f64>,
}

impl Scheme {
    pub(super) const ALL: [Self; 3] = [Self::Unmodified, Self::Simple, Self::Refined];

    /// Name of its variant.
    pub(super) const fn variant(self) -> &'static str {
        match self {
            Self::Unmodified => "reno",
            Self::Simple => "simple-icmp",
            Self::Refined => "refined-icmp",
        }
    }
}

/// How many runs `settings` need.
pub(super) fn total(settings: &BTreeSet<Setting>, seeds: u64) -> u64 {
    let per_setting = seeds.saturating_mul(Scheme::ALL.len() as u64).saturating_add(1);
    per_setting.saturating_mul(settings.len() as u64)
}

/// Runs `settings` on `seeds` seeds from `base_seed` on.
pub(super) fn run(
    base: &Scenario,
    settings: &BTreeSet<Setting>,
    (base_seed, seeds): (u64, u64),
    threads: Option<NonZeroUsize>,
    progress: Progress<'_>,
) -> Result<Results, Error> {
    let mut scenarios = Vec::new();
    let mut jobs = Vec::new();
    for setting in settings {
        let scenario = setting.apply(base);
        jobs.push(Job { case: scenarios.len(), seed: base_seed });
        scenarios.push(Case::NoLoss.apply(&scenario)?);
        for scheme in Scheme::ALL {
            let case = scenarios.len();
            jobs.extend((0..seeds).map(|i| Job { case, seed: base_seed.wrapping_add(i) }));
            scenarios.push(Case::Variant(named(scheme.variant())?).apply(&scenario)?);
        }
    }
    let measured = run_all(&jobs, threads, progress, |job| {
        Measured::of(&netjoule_net::run(&scenarios[job.case], job.seed, &mut Nobody))
    })?;
    // The jobs of a setting are consecutive.
    let mut measured = measured.into_iter();
    let mut runs = BTreeMap::new();
    for &setting in settings {
        let Some(no_loss) = measured.next() else { break };
        let lossy =
            Scheme::ALL.map(|_| (0..seeds).map_while(|_| measured.next()).collect::<Vec<_>>());
        runs.insert(setting, Runs { no_loss, lossy });
    }
    Ok(Results { runs, recoveries: BTreeMap::new() })
}

impl Results {
    /// Takes the time of `scheme`'s recovery, if it has recovered.
    pub(super) fn add_recovery(&mut self, scheme: Scheme, time: Option<Duration>) {
        self.recoveries.extend(time.map(|time| (scheme, time.as_secs_f64())));
    }

    /// The time of `scheme`'s recovery, in seconds: a single value.
    pub(super) fn recovery(&self, scheme: Scheme) -> Sample {
        Sample::new(vec![self.recoveries.get(&scheme).copied()])
    }

    /// A metric of every run. Empty for a setting that was not run.
    pub(super) fn metric(&self, setting: Setting, scheme: Scheme, metric: Metric) -> Sample {
        let runs = self.runs.get(&setting).map(|runs| runs.lossy[scheme as usize].as_slice());
        Sample::new(runs.unwrap_or_default().iter().map(|run| run.get(metric)).collect())
    }

    /// How much sooner `scheme` completes than Unmodified TCP over the same
    /// channel, in percent of the latter's time.
    pub(super) fn improvement(&self, setting: Setting, scheme: Scheme) -> Sample {
        let base = self.metric(setting, Scheme::Unmodified, Metric::CompletionTime);
        let own = self.metric(setting, scheme, Metric::CompletionTime);
        base.zip_with(&own, |base, own| 100.0 * (base - own) / base)
    }

    /// How much later `scheme` completes than without loss, in percent of the
    /// time without.
    pub(super) fn degradation(&self, setting: Setting, scheme: Scheme) -> Sample {
        let own = self.metric(setting, scheme, Metric::CompletionTime);
        let base =
            self.runs.get(&setting).and_then(|runs| runs.no_loss.get(Metric::CompletionTime));
        let base = Sample::new(vec![base; own.values().len()]);
        base.zip_with(&own, |base, own| 100.0 * (own - base) / base)
    }
}
