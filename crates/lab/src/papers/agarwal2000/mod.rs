//! "Conserving Energy in TCP over Wireless Ad-hoc Networks", S. Agarwal, 2000:
//! how long the battery of a laptop lasts that sends without end, and how much
//! it has sent by then, for each change to the TCP of Linux 2.2.

mod calibration;
mod compression;
mod items;
mod machine;
mod published;
mod runs;
mod setting;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use calibration::Calibration;
use items::{Item, Row};
use machine::{Machine, PARAMETERS};
use netjoule_scenario::Scenario;
use netjoule_units::Duration;
use runs::{Extent, Results};
use setting::{Setting, base_scenario};

use super::figure::{Figure, Label, Value};
use super::sample::Sample;
use super::summary::{Acceptance, Judged, Summary};
use super::{Assumptions, Campaign, Effort, Paper, Reproduction, Role, Verdict};
use crate::Error;
use crate::fit::Fit;
use crate::replicate::Progress;

/// The paper.
pub const PAPER: Paper = Paper {
    key: KEY,
    title: "S. Agarwal, Conserving Energy in TCP over Wireless Ad-hoc Networks, 2000",
    scenario: SCENARIO,
    assumptions,
    campaign,
};

const KEY: &str = "agarwal2000";
const SCENARIO: &str = include_str!("../../../../../papers/agarwal2000/scenario.toml");
const ASSUMPTIONS_FILE: &str = "agarwal2000/assumptions.toml";
const ASSUMPTIONS: &str = include_str!("../../../../../papers/agarwal2000/assumptions.toml");

/// Run *i* of everything has this seed + *i*.
const BASE_SEED: u64 = 1;

/// Name of the item that has the fit.
const FIT: &str = "fit";

/// Seeds of a whole reproduction and of a quick one. An average of three runs
/// has an interval; five minutes scatter by less than a tenth of a percent.
const SEEDS: u64 = 3;

/// What a quick reproduction runs instead of whole charges.
const SAMPLE: Duration = Duration::from_secs(300);

/// What is expected of the laptop's figures, as in goel1997: 85 % of those that
/// are predicted, and that nothing in the text contradicts, within their
/// tolerance; and every order that can be told.
const ACCEPTANCE: Acceptance = Acceptance { cells_inside_share: 0.85, signs_agree_share: 1.0 };

/// Everything that a reproduction rests on.
struct Agarwal2000 {
    scenario: Scenario,
    machine: Machine,
    assumptions: Assumptions,
    items: Vec<Item>,
    extent: Extent,
    /// Whether the fit is made anew, or only examined.
    fits: bool,
}

fn assumptions() -> Result<Assumptions, Error> {
    Assumptions::parse(ASSUMPTIONS_FILE, ASSUMPTIONS)
}

fn campaign(effort: Effort) -> Result<Box<dyn Campaign>, Error> {
    let (seeds, sample) = match effort {
        Effort::Full => (SEEDS, None),
        Effort::Quick => (SEEDS, Some(SAMPLE)),
        Effort::Runs(seeds) => (seeds, None),
    };
    Ok(Box::new(Agarwal2000 {
        scenario: base_scenario()?,
        machine: Machine::of_file()?,
        assumptions: assumptions()?,
        items: items::all()?,
        extent: Extent { base_seed: BASE_SEED, seeds, sample },
        fits: effort == Effort::Full,
    }))
}

impl Campaign for Agarwal2000 {
    fn items(&self) -> Vec<String> {
        let names = self.items.iter().map(|item| item.name.clone());
        names.chain([compression::ITEM.into(), FIT.into()]).collect()
    }

    fn total_runs(&self, items: &[String]) -> u64 {
        let settings = self.settings(items).len() as u64;
        let has = |name: &str| u64::from(items.iter().any(|item| item == name));
        // However many points the fit tries, it is one run of something else.
        settings.saturating_mul(self.extent.seeds)
            + has(compression::ITEM) * compression::RUNS
            + has(FIT)
    }

    fn run(
        &self,
        items: &[String],
        jobs: Option<NonZeroUsize>,
        progress: Progress<'_>,
    ) -> Result<Reproduction, Error> {
        let device = self.machine.device()?;
        let machine = (&device, self.machine.interferer());
        let settings = self.settings(items);
        let results = runs::run(&self.scenario, &settings, machine, self.extent, jobs, progress)?;
        let mut figures: Vec<Figure> = self
            .selected(items)
            .flat_map(|item| item.rows.iter().map(|row| self.figure(item, row, &results)))
            .collect();
        if items.iter().any(|item| item == compression::ITEM) {
            figures.extend(compression::figures(&self.scenario, BASE_SEED, "6")?);
            progress(compression::RUNS);
        }
        if items.iter().any(|item| item == FIT) {
            let calibration = Calibration::new(&self.scenario, BASE_SEED, jobs)?;
            let fit =
                if self.fits { calibration.fit()? } else { calibration.examine(&self.machine)? };
            figures.extend(self.fit_figures(&fit));
            progress(1);
        }
        let is_whole = items.len() == self.items().len();
        let is_cell = |figure: &Figure| {
            let is_judged = figure.inside.is_some() || figure.sign_agrees.is_some();
            let is_excluded = figure.verdict == Some(Verdict::Contradictory);
            // 802.11b without a processor is no model of the laptop.
            let is_of_laptop = figure.item != items::GOODPUTS;
            is_judged && !is_excluded && is_of_laptop && figure.role == Some(Role::Predicted)
        };
        let cells = figures.iter().filter(|it| is_cell(it) && it.inside.is_some()).count();
        let expected = (ACCEPTANCE, if is_whole { cells } else { usize::MAX });
        let summary = Summary {
            judged: Judged::ByTolerance,
            ..Summary::of(KEY, self.extent.seeds, &figures, is_cell, expected)
        };
        Ok(Reproduction { figures, summary })
    }
}

impl Agarwal2000 {
    fn selected<'a>(&'a self, items: &'a [String]) -> impl Iterator<Item = &'a Item> {
        self.items.iter().filter(|item| items.contains(&item.name))
    }

    /// What has to be run for `items`, each setting once.
    fn settings(&self, items: &[String]) -> BTreeSet<Setting> {
        let rows = self.selected(items).flat_map(|item| &item.rows);
        rows.flat_map(|row| row.statistic.settings()).collect()
    }

    fn figure(&self, item: &Item, row: &Row, results: &Results) -> Figure {
        let label = Label {
            paper: KEY,
            item: item.name.clone(),
            source: item.place.clone(),
            case: row.case.clone(),
            unit: row.unit,
        };
        let sample = row.statistic.sample(results);
        let Some(expectation) = row.expectation else {
            return Figure { published: row.published, ..Figure::measured(label, &sample) };
        };
        let contradiction = row.excluded.or(self.assumptions.contradiction(&item.name));
        let grounds = (self.assumptions.role(&item.name), contradiction);
        Figure::expected(label, row.published, expectation, grounds, &sample)
    }

    /// The parameters with their intervals, where they began, and what follows
    /// from them.
    fn fit_figures(&self, fit: &Fit) -> Vec<Figure> {
        let text = |name| super::Setting::default().with("of", Value::Text(name));
        let label = |case, unit| Label {
            paper: KEY,
            item: FIT.into(),
            source: "parameters with their 95 % intervals; starts and bounds".into(),
            case,
            unit,
        };
        let single = |case, unit, value| {
            Figure::measured(label(case, unit), &Sample::new(vec![Some(value)]))
        };
        let with_interval = |case, unit, (value, low, high): (f64, f64, f64)| Figure {
            ci95_low: Some(low),
            ci95_high: Some(high),
            ..single(case, unit, value)
        };
        let mut figures = Vec::new();
        for ((parameter, value), (low, high)) in
            PARAMETERS.iter().zip(&fit.values).zip(fit.intervals())
        {
            let case = text(parameter.name)
                .with("start", Value::Number(parameter.start))
                .with("low", Value::Number(parameter.low))
                .with("high", Value::Number(parameter.high));
            figures.push(with_interval(case, parameter.unit, (*value, low, high)));
        }
        let figure = |name, unit, derived| with_interval(text(name), unit, derived);
        let segment = fit.derived(|values| Machine::of(values).segment_work_ms(1448.0));
        figures.push(figure("segment-of-1448-B", "ms of idle power", segment));
        let ack = fit.derived(|values| Machine::of(values).ack_work_ms());
        figures.push(figure("acknowledgment", "ms of idle power", ack));
        for (name, cost) in [("objective-at-start", 0), ("objective", fit.costs.len() - 1)] {
            figures.push(single(text(name), "half squares", fit.costs[cost]));
        }
        for (name, residual) in Calibration::NAMES.into_iter().zip(&fit.residuals) {
            figures.push(single(text(name), "deviations", *residual));
        }
        figures
    }
}

#[cfg(test)]
mod tests;
