//! The published figures as statistics of runs.

use super::plan::Plan;
use super::published::{Claim, Improvement, claims, improvements};
use super::runs::{Results, Scheme};
use super::setting::{Setting, Variation};
use crate::Error;
use crate::metrics::Metric;
use crate::papers::sample::Sample;

/// Something that the paper says, or that shows what an assumption is worth.
pub(super) struct Item {
    pub(super) name: String,
    /// Place in the text, or what it is.
    pub(super) source: String,
    pub(super) entries: Vec<Entry>,
    pub(super) kind: Kind,
}

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A table of improvements; its entries are cells.
    Table,
    /// A single figure.
    Claim,
    /// A fixed sequence of events, the same on every seed.
    Replay,
    /// What the text has no figure of.
    Extra,
}

/// A figure of an item.
pub(super) struct Entry {
    /// Whose figure it is.
    pub(super) scheme: Scheme,
    /// The runs that it rests on.
    pub(super) settings: Vec<Setting>,
    pub(super) statistic: Statistic,
    pub(super) unit: &'static str,
    /// `None` where the text has none.
    pub(super) published: Option<f64>,
}

/// How a figure follows from the runs of one seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statistic {
    /// The largest improvement over Unmodified TCP; the only one if there is
    /// one setting.
    Improvement,
    /// The smallest degradation against no loss.
    LeastDegradation,
    /// The largest.
    MostDegradation,
    /// The least value of a metric.
    Fewest(Metric),
    /// The largest; the only one if there is one setting.
    Most(Metric),
    /// The time of one recovery.
    Recovery,
    /// The largest improvement less that with every assumption in use.
    ChangeOfImprovement,
}

/// Every item, and the published figures that none of them is about.
pub(super) fn all(plan: &Plan) -> Result<(Vec<Item>, Vec<String>), Error> {
    let mut items: Vec<Item> = Vec::new();
    for line in improvements()? {
        let name = format!("table_{}", line.table);
        let source = format!("table {}", line.table);
        let entries = cells(&line);
        match items.iter_mut().find(|item| item.name == name) {
            Some(item) => item.entries.extend(entries),
            None => {
                items.push(Item { name, source, entries: entries.into(), kind: Kind::Table });
            }
        }
    }
    let mut left_out = Vec::new();
    for claim in claims()? {
        match stated(&claim, plan)? {
            Some(entry) => items.push(Item {
                name: claim.id,
                source: claim.place,
                kind: match entry.statistic {
                    Statistic::Recovery => Kind::Replay,
                    _ => Kind::Claim,
                },
                entries: vec![entry],
            }),
            None => left_out.push(claim.id),
        }
    }
    items.push(lost_segments(plan));
    items.extend(Variation::OTHERS.map(|variation| varied(variation, plan)));
    Ok((items, left_out))
}

fn cells(line: &Improvement) -> [Entry; 2] {
    let setting = Setting {
        wired_delay_ms: line.wired_delay_ms,
        mean_bad_ms: line.mean_bad_ms(),
        window_kib: line.window_kb,
        variation: Variation::AsAssumed,
    };
    [(Scheme::Simple, line.simple_icmp_pct), (Scheme::Refined, line.refined_icmp_pct)].map(
        |(scheme, published)| Entry {
            scheme,
            settings: vec![setting],
            statistic: Statistic::Improvement,
            unit: "percent",
            published: Some(published),
        },
    )
}

/// The figure that `claim` states; `None` for one that is not known here.
fn stated(claim: &Claim, plan: &Plan) -> Result<Option<Entry>, Error> {
    use Scheme::{Refined, Simple, Unmodified};
    use Statistic::{Fewest, Improvement, LeastDegradation, Most, MostDegradation, Recovery};
    let long_delay = &plan.figures_5_2_and_5_7;
    let all_bars = &plan.figures_5_8_to_5_16;
    let small_window = &plan.section_5_4_3;
    let (grid, scheme, statistic) = match claim.id.as_str() {
        "max_simple_492ms" => (long_delay, Simple, Improvement),
        "max_refined_492ms" => (long_delay, Refined, Improvement),
        "refined_degradation_min" => (all_bars, Refined, LeastDegradation),
        "refined_degradation_max" => (all_bars, Refined, MostDegradation),
        "refined_degradation_5_8_min" => (&plan.figure_5_8, Refined, LeastDegradation),
        "refined_degradation_5_8_max" => (&plan.figure_5_8, Refined, MostDegradation),
        "icmp_messages_min" => (all_bars, Refined, Fewest(Metric::IcmpMessages)),
        "icmp_messages_max" => (all_bars, Refined, Most(Metric::IcmpMessages)),
        "fig_5_3_simple_recovery" => (small_window, Simple, Recovery),
        "fig_5_4_unmodified_recovery" => (small_window, Unmodified, Recovery),
        id => {
            let rest = id.strip_prefix("w4_170ms_");
            let Some((scheme, metric)) = rest.and_then(|rest| rest.split_once('_')) else {
                return Ok(None);
            };
            let scheme = match scheme {
                "unmodified" => Unmodified,
                "simple" => Simple,
                _ => return Ok(None),
            };
            let metric = match metric {
                "time" => Metric::CompletionTime,
                "losses" => Metric::WirelessLosses,
                "fast_retransmits" => Metric::FastRetransmits,
                "timeouts" => Metric::Timeouts,
                _ => return Ok(None),
            };
            (small_window, scheme, Most(metric))
        }
    };
    Ok(Some(Entry {
        scheme,
        settings: grid.settings(Variation::AsAssumed),
        statistic,
        unit: claim.unit()?,
        published: Some(claim.value),
    }))
}

/// The cells of one table and the largest improvements at a long delay, with
/// one assumption replaced.
fn varied(variation: Variation, plan: &Plan) -> Item {
    let cells = plan.variations.settings(variation).into_iter().map(|setting| vec![setting]);
    let maximum = plan.figures_5_2_and_5_7.settings(variation);
    let entries = cells.chain([maximum]).flat_map(|settings| {
        [Scheme::Simple, Scheme::Refined].map(|scheme| Entry {
            scheme,
            settings: settings.clone(),
            statistic: Statistic::ChangeOfImprovement,
            unit: "percent",
            published: None,
        })
    });
    Item {
        name: variation.item().into(),
        source: format!("change of improvement: {}", variation.title()),
        entries: entries.collect(),
        kind: Kind::Extra,
    }
}

/// How many of Refined ICMP's messages can be ICMP-RETRANSMITs: one for each
/// segment that the link layer gives up.
fn lost_segments(plan: &Plan) -> Item {
    let statistics =
        [Statistic::Fewest(Metric::WirelessLosses), Statistic::Most(Metric::WirelessLosses)];
    let entries = statistics.map(|statistic| Entry {
        scheme: Scheme::Refined,
        settings: plan.figures_5_8_to_5_16.settings(Variation::AsAssumed),
        statistic,
        unit: Metric::WirelessLosses.unit(),
        published: None,
    });
    Item {
        name: "refined_losses".into(),
        source: "fewest and most segments given up on the air over figures 5.8-5.16".into(),
        entries: entries.into(),
        kind: Kind::Extra,
    }
}

impl Setting {
    /// The same with every assumption in use.
    const fn as_assumed(self) -> Self {
        Self { variation: Variation::AsAssumed, ..self }
    }
}

impl Entry {
    /// Every setting that has to be run on every seed for it.
    pub(super) fn needed(&self) -> Vec<Setting> {
        let settings = self.settings.iter().copied();
        match self.statistic {
            Statistic::Recovery => Vec::new(),
            Statistic::ChangeOfImprovement => {
                settings.flat_map(|setting| [setting, setting.as_assumed()]).collect()
            }
            _ => settings.collect(),
        }
    }

    /// Its value on every seed. A largest or smallest of several runs is taken
    /// on one seed at a time: the thesis, too, took it from one campaign.
    pub(super) fn sample(&self, results: &Results) -> Sample {
        let scheme = self.scheme;
        let improvement = |setting| results.improvement(setting, scheme);
        let degradation = |setting| results.degradation(setting, scheme);
        match self.statistic {
            Statistic::Improvement => self.extreme(improvement, f64::max),
            Statistic::LeastDegradation => self.extreme(degradation, f64::min),
            Statistic::MostDegradation => self.extreme(degradation, f64::max),
            Statistic::Fewest(metric) => {
                self.extreme(|setting| results.metric(setting, scheme, metric), f64::min)
            }
            Statistic::Most(metric) => {
                self.extreme(|setting| results.metric(setting, scheme, metric), f64::max)
            }
            Statistic::Recovery => results.recovery(scheme),
            Statistic::ChangeOfImprovement => {
                let assumed = |setting: Setting| improvement(setting.as_assumed());
                self.extreme(improvement, f64::max)
                    .zip_with(&self.extreme(assumed, f64::max), |varied, assumed| varied - assumed)
            }
        }
    }

    /// The extreme over the settings of what `value` gives, seed by seed.
    fn extreme(&self, value: impl Fn(Setting) -> Sample, pick: fn(f64, f64) -> f64) -> Sample {
        Sample::fold(self.settings.iter().map(|&setting| value(setting)), pick)
            .unwrap_or_else(|| Sample::new(Vec::new()))
    }
}
