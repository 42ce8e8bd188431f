//! The fit: what the laptop is, by nine published figures.

use std::num::NonZeroUsize;

use netjoule_net::Outcome;
use netjoule_scenario::Scenario;
use netjoule_trace::Nobody;
use netjoule_units::Duration;

use super::items::{BYTES_TOLERANCE, LIFETIME_TOLERANCE};
use super::machine::{Machine, PARAMETERS};
use super::published::{claims, table};
use super::runs::{Measured, Metric, sampled};
use super::setting::Setting;
use crate::Error;
use crate::fit::{self, Fit};
use crate::replicate::{Job, run_all};

/// What is fitted, to what.
pub(super) struct Calibration<'a> {
    base: &'a Scenario,
    seed: u64,
    threads: Option<NonZeroUsize>,
    targets: Vec<Target>,
}

/// A published figure in the fit.
struct Target {
    setting: Setting,
    metric: Metric,
    published: f64,
}

/// The standard deviations of a published lifetime and of bytes, as shares: half
/// of what they are held against.
const LIFETIME_DEVIATION: f64 = LIFETIME_TOLERANCE / 2.0;
const BYTES_DEVIATION: f64 = BYTES_TOLERANCE / 2.0;

/// A point of the fit: one period of the intermittent interferer.
const SAMPLE: Duration = Duration::from_secs(300);

impl<'a> Calibration<'a> {
    /// What the residuals are of, in their order.
    pub(super) const NAMES: [&'static str; 9] = [
        "residual-sending-lifetime",
        "residual-continuous-lifetime",
        "residual-continuous-bytes",
        "residual-continuous-sack-lifetime",
        "residual-continuous-sack-bytes",
        "residual-intermittent-lifetime",
        "residual-intermittent-bytes",
        "residual-intermittent-sack-lifetime",
        "residual-intermittent-sack-bytes",
    ];

    /// On the sending lifetime and the half of table 5.1 without RTS.
    pub(super) fn new(
        base: &'a Scenario,
        seed: u64,
        threads: Option<NonZeroUsize>,
    ) -> Result<Self, Error> {
        let mut targets = Vec::new();
        for claim in claims()?.iter().filter(|claim| claim.id == "sending_lifetime") {
            let setting = Setting::UNMODIFIED;
            let published = claim.value.unwrap_or(f64::NAN);
            targets.push(Target { setting, metric: Metric::Lifetime, published });
        }
        for cell in table()? {
            let setting = cell.setting();
            if !setting.rts {
                let lifetime = (Metric::Lifetime, cell.lifetime_min);
                targets.extend(
                    [lifetime, (Metric::Bytes, cell.bytes)].map(|(metric, published)| Target {
                        setting,
                        metric,
                        published,
                    }),
                );
            }
        }
        Ok(Self { base, seed, threads, targets })
    }

    /// Fits from the starts of the parameters.
    pub(super) fn fit(&self) -> Result<Fit, Error> {
        self.check()?;
        Ok(fit::least_squares(&PARAMETERS, |points| self.residuals(points).unwrap_or_default()))
    }

    /// What there is to say of `machine` as a result of the fit.
    pub(super) fn examine(&self, machine: &Machine) -> Result<Fit, Error> {
        self.check()?;
        Ok(fit::examine(&PARAMETERS, &machine.values(), |points| {
            self.residuals(points).unwrap_or_default()
        }))
    }

    /// Finds what is wrong with files or threads before the fit does.
    fn check(&self) -> Result<(), Error> {
        self.residuals(&[]).map(drop)?;
        let machine = Machine::of_file()?;
        let device = machine.device()?;
        self.targets.iter().try_for_each(|target| {
            target.setting.apply(self.base, &device, machine.interferer()).map(drop)
        })
    }

    /// At each of `points`: logarithms of ours by the published ones, by the
    /// standard deviation.
    fn residuals(&self, points: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, Error> {
        let mut settings: Vec<Setting> = self.targets.iter().map(|it| it.setting).collect();
        settings.dedup();
        let mut scenarios = Vec::new();
        for point in points {
            let machine = Machine::of(point);
            let device = machine.device()?;
            for setting in &settings {
                let scenario = setting.apply(self.base, &device, machine.interferer())?;
                scenarios.push((*setting, sampled(scenario, SAMPLE)));
            }
        }
        let jobs: Vec<Job> =
            (0..scenarios.len()).map(|case| Job { case, seed: self.seed }).collect();
        let measured = run_all(&jobs, self.threads, &|_| {}, |job| {
            let (setting, scenario) = &scenarios[job.case];
            let outcome: Outcome = netjoule_net::run(scenario, job.seed, &mut Nobody);
            Measured::of(*setting, &outcome)
        })?;
        let of_points = measured.chunks(settings.len().max(1));
        Ok(of_points
            .map(|measured| {
                let residual = |target: &Target| {
                    let at = settings.iter().position(|it| *it == target.setting);
                    let ours = at.and_then(|at| measured[at].get(target.metric));
                    let deviation = match target.metric {
                        Metric::Lifetime => LIFETIME_DEVIATION,
                        _ => BYTES_DEVIATION,
                    };
                    (ours.unwrap_or(f64::NAN) / target.published).ln() / deviation
                };
                self.targets.iter().map(residual).collect()
            })
            .collect())
    }
}
