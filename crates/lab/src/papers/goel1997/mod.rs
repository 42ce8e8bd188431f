//! "Improving the Performance of TCP over Wireless Links", S. Goel, 1997:
//! Unmodified TCP, Simple ICMP and Refined ICMP over a base station and a
//! channel of two states.

mod items;
mod plan;
mod published;
mod replay;
mod runs;
mod setting;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use items::{Entry, Item, Kind, Statistic};
use netjoule_scenario::Scenario;
use plan::Plan;
use replay::Replay;
use runs::{Results, Scheme};
use setting::{Setting, base_scenario};

use super::figure::{Figure, Label, Published, Value};
use super::sample::Sample;
use super::summary::{Acceptance, SharedChannel, Summary};
use super::{Assumptions, Campaign, Effort, Paper, Reproduction};
use crate::Error;
use crate::replicate::Progress;

/// The paper.
pub const PAPER: Paper = Paper {
    key: KEY,
    title: "S. Goel, Improving the Performance of TCP over Wireless Links, 1997",
    scenario: SCENARIO,
    assumptions,
    campaign,
};

const KEY: &str = "goel1997";
const SCENARIO: &str = include_str!("../../../../../papers/goel1997/scenario.toml");
const ASSUMPTIONS_FILE: &str = "goel1997/assumptions.toml";
const ASSUMPTIONS: &str = include_str!("../../../../../papers/goel1997/assumptions.toml");

/// The thesis prints times to the millisecond.
const LAST_DIGIT_S: f64 = 0.001;

/// Everything that a reproduction rests on.
struct Goel1997 {
    scenario: Scenario,
    assumptions: Assumptions,
    items: Vec<Item>,
    replay: Replay,
    left_out: Vec<String>,
    acceptance: Acceptance,
    base_seed: u64,
    seeds: u64,
}

fn assumptions() -> Result<Assumptions, Error> {
    Assumptions::parse(ASSUMPTIONS_FILE, ASSUMPTIONS)
}

fn campaign(effort: Effort) -> Result<Box<dyn Campaign>, Error> {
    let plan = Plan::built_in()?;
    let (items, left_out) = items::all(&plan)?;
    Ok(Box::new(Goel1997 {
        scenario: base_scenario()?,
        assumptions: assumptions()?,
        items,
        replay: plan.figures_5_3_and_5_4,
        left_out,
        acceptance: plan.acceptance,
        base_seed: plan.base_seed,
        seeds: match effort {
            Effort::Full => plan.runs.full,
            Effort::Quick => plan.runs.quick,
            Effort::Runs(runs) => runs,
        },
    }))
}

impl Campaign for Goel1997 {
    fn items(&self) -> Vec<String> {
        self.items.iter().map(|item| item.name.clone()).collect()
    }

    fn total_runs(&self, items: &[String]) -> u64 {
        runs::total(&self.settings(items), self.seeds)
            .saturating_add(self.recoveries(items).count() as u64)
    }

    fn run(
        &self,
        items: &[String],
        jobs: Option<NonZeroUsize>,
        progress: Progress<'_>,
    ) -> Result<Reproduction, Error> {
        let seeds = (self.base_seed, self.seeds);
        let mut results = runs::run(&self.scenario, &self.settings(items), seeds, jobs, progress)?;
        for (setting, scheme) in self.recoveries(items) {
            let time = self.replay.recovery_time(&self.scenario, setting, scheme)?;
            results.add_recovery(scheme, time);
            progress(1);
        }
        Ok(self.compare(items, &results))
    }
}

impl Goel1997 {
    fn selected<'a>(&'a self, items: &'a [String]) -> impl Iterator<Item = &'a Item> {
        self.items.iter().filter(|item| items.contains(&item.name))
    }

    /// What has to be run for `items`, each setting once.
    fn settings(&self, items: &[String]) -> BTreeSet<Setting> {
        self.selected(items).flat_map(|item| &item.entries).flat_map(Entry::needed).collect()
    }

    /// The single recoveries among `items`.
    fn recoveries<'a>(&'a self, items: &'a [String]) -> impl Iterator<Item = (Setting, Scheme)> {
        let entries = self.selected(items).flat_map(|item| &item.entries);
        let recoveries = entries.filter(|entry| entry.statistic == Statistic::Recovery);
        recoveries.flat_map(|entry| entry.settings.iter().map(|&setting| (setting, entry.scheme)))
    }

    fn compare(&self, items: &[String], results: &Results) -> Reproduction {
        let mut figures = Vec::new();
        let mut cells = Vec::new();
        for item in self.selected(items) {
            for entry in &item.entries {
                let sample = entry.sample(results);
                figures.push(self.figure(item, entry, &sample));
                if let (Kind::Table, Some(published)) = (item.kind, entry.published) {
                    cells.push((entry.scheme, published, sample));
                }
            }
        }
        let tables = || self.items.iter().filter(|item| item.kind == Kind::Table);
        let names: BTreeSet<&str> = tables().map(|item| item.name.as_str()).collect();
        let all_cells = tables().map(|table| table.entries.len()).sum();
        let is_cell = |figure: &Figure| names.contains(figure.item.as_str());
        let expected = (self.acceptance, all_cells);
        let summary = Summary {
            shared_channel: shared_channel(&cells),
            left_out: self.left_out.clone(),
            ..Summary::of(KEY, self.seeds, &figures, is_cell, expected)
        };
        Reproduction { figures, summary }
    }

    fn figure(&self, item: &Item, entry: &Entry, sample: &Sample) -> Figure {
        let label = Label {
            paper: KEY,
            item: item.name.clone(),
            source: item.source.clone(),
            case: Setting::common(&entry.settings)
                .with("variant", Value::Text(entry.scheme.variant())),
            unit: entry.unit,
        };
        let Some(value) = entry.published else { return Figure::measured(label, sample) };
        let published = Published {
            value,
            signed: entry.statistic == Statistic::Improvement,
            role: self.assumptions.role(&item.name),
            contradiction: self.assumptions.contradiction(&item.name).map(Into::into),
        };
        match item.kind {
            Kind::Replay => Figure::exact(label, &published, sample, LAST_DIGIT_S),
            _ => Figure::judged(label, &published, sample),
        }
    }
}

/// The cells of each scheme, and all, as one draw.
fn shared_channel(cells: &[(Scheme, f64, Sample)]) -> Vec<SharedChannel> {
    let groups = [
        (Scheme::Simple.variant(), vec![Scheme::Simple]),
        (Scheme::Refined.variant(), vec![Scheme::Refined]),
        ("both", vec![Scheme::Simple, Scheme::Refined]),
    ];
    groups
        .into_iter()
        .filter_map(|(name, schemes)| {
            let group: Vec<(f64, &Sample)> = cells
                .iter()
                .filter(|(scheme, ..)| schemes.contains(scheme))
                .map(|(_, published, sample)| (*published, sample))
                .collect();
            SharedChannel::of(name, &group)
        })
        .collect()
}

#[cfg(test)]
mod tests;
