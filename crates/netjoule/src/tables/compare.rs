//! Variants side by side.

use std::io::{self, Write};

use netjoule_lab::case::Case;
use netjoule_lab::compare::{Comparison, DEGRADATION, IMPROVEMENT, Row, Tally};
use netjoule_lab::metrics::Metric;

use super::{COLUMNS, joule_decimals, results};

/// How a metric is shown.
struct Shown {
    metric: &'static str,
    label: String,
    /// What the value is multiplied by.
    scale: f64,
    decimals: usize,
    /// Whether the line is left out when it holds nothing but zeros.
    optional: bool,
    /// Whether it shows how much less the value is than the baseline's.
    is_saving: bool,
}

impl Shown {
    fn new(metric: &'static str, label: impl Into<String>, scale: f64, decimals: usize) -> Self {
        let label = label.into();
        Self { metric, label, scale, decimals, optional: false, is_saving: false }
    }

    fn optional(metric: Metric, label: impl Into<String>, scale: f64, decimals: usize) -> Self {
        Self { optional: true, ..Self::new(metric.name(), label, scale, decimals) }
    }

    /// What a variant saves against the baseline, run by run.
    fn saving(metric: Metric, label: String, decimals: usize) -> Self {
        Self { is_saving: true, ..Self::optional(metric, label, -1.0, decimals) }
    }

    /// Mean ± half of the confidence interval; the mean alone without one.
    fn cell(&self, row: Option<&Row>) -> String {
        let Some(row) = row else { return "–".into() };
        if self.is_saving && row.baseline.is_none() {
            return "–".into();
        }
        let (mean, ends) = if self.is_saving {
            (row.difference, row.difference_ci95_low.zip(row.difference_ci95_high))
        } else {
            (row.mean, row.ci95_low.zip(row.ci95_high))
        };
        let Some(mean) = mean else { return "none".into() };
        // Nothing saved is not less than nothing.
        let value = format!("{:.*}", self.decimals, mean * self.scale + 0.0);
        match ends {
            Some((low, high)) => {
                let half = (high - low) / 2.0 * self.scale.abs();
                format!("{value} ± {half:.*}", self.decimals)
            }
            None => value,
        }
    }
}

/// Writes a column for each case: means with their 95 % confidence intervals.
pub(crate) fn compare(out: &mut impl Write, comparison: &Comparison) -> io::Result<()> {
    let shown = shown(comparison);
    for cases in comparison.cases.chunks(COLUMNS) {
        let mut header = vec![String::new()];
        header.extend(cases.iter().map(|tally| title(tally.case)));
        let mut rows = vec![tallies("runs", cases, |tally| tally.completed)];
        if cases.iter().any(|tally| tally.incomplete > 0) {
            rows.push(tallies("runs not completed, left out", cases, |tally| tally.incomplete));
        }
        rows.extend(shown.iter().map(|shown| {
            let mut cells = vec![shown.label.clone()];
            let row = |tally: &Tally| comparison.row(tally.case.name(), shown.metric);
            cells.extend(cases.iter().map(|tally| shown.cell(row(tally))));
            cells
        }));
        writeln!(out, "{}\n", results(header, rows))?;
    }
    writeln!(
        out,
        "Means with 95 % confidence intervals. Improvement and degradation compare completion \
         times\npairwise, over the same channels."
    )?;
    if comparison.rows.iter().any(|row| row.metric == Metric::EnergySystem.name()) {
        writeln!(
            out,
            "Energies are those of all nodes with a device; what is saved is compared pairwise \
             as well."
        )?;
    }
    Ok(())
}

/// The lines of the table.
fn shown(comparison: &Comparison) -> Vec<Shown> {
    let baseline = comparison
        .cases
        .iter()
        .find(|tally| tally.case.name() == comparison.baseline)
        .map_or(comparison.baseline, |tally| tally.case.title());
    // The column's own title has the explanation that may follow.
    let baseline = baseline.split_once(" (").map_or(baseline, |(short, _)| short);
    let any = |metric: &str| {
        comparison.rows.iter().any(|row| row.metric == metric && row.mean.is_some_and(|m| m > 0.0))
    };
    let mut shown = vec![
        Shown::new(Metric::CompletionTime.name(), "completion time, s", 1.0, 2),
        Shown::new(Metric::Goodput.name(), "goodput, kbit/s", 1e-3, 1),
        Shown::new(Metric::SegmentsRetransmitted.name(), "segments retransmitted", 1.0, 1),
        Shown::new(Metric::Timeouts.name(), "timeouts", 1.0, 1),
        Shown::new(Metric::FastRetransmits.name(), "fast retransmits", 1.0, 1),
        Shown::new(Metric::IcmpMessages.name(), "ICMP messages", 1.0, 1),
        Shown::new(Metric::IcmpShare.name(), "ICMP share of packets, %", 1.0, 2),
        Shown::new(Metric::WirelessLosses.name(), "segments lost on the air", 1.0, 1),
        Shown::optional(Metric::WiredLosses, "segments lost on cables", 1.0, 1),
        Shown::optional(Metric::QueueLosses, "segments lost in full buffers", 1.0, 1),
        Shown::new(IMPROVEMENT, format!("improvement over {baseline}, %"), 1.0, 1),
        Shown::new(DEGRADATION, "degradation against No loss, %", 1.0, 1),
    ];
    shown.extend(energies(comparison, baseline));
    shown.retain(|shown| !shown.optional || any(shown.metric));
    shown
}

/// The lines about energy, which only nodes with devices have.
fn energies(comparison: &Comparison, baseline: &str) -> Vec<Shown> {
    let most = |metric: Metric| {
        let rows = comparison.rows.iter().filter(|row| row.metric == metric.name());
        rows.filter_map(|row| row.mean).fold(0.0, f64::max)
    };
    let decimals = joule_decimals(most(Metric::EnergySystem));
    let bit_decimals = if most(Metric::EnergyAwakePerBit) < 1.0 { 4 } else { 3 };
    let joules = |metric, label: &str| Shown::optional(metric, label, 1.0, decimals);
    let saved = |(metric, label): (_, &str)| Shown::saving(metric, label.into(), decimals);
    let mut shown = vec![
        Shown::optional(Metric::EnergyAwakePerBit, "E_A, µJ per bit", 1.0, bit_decimals),
        Shown::optional(Metric::EnergyIdealizedPerBit, "E_I, µJ per bit", 1.0, bit_decimals),
        Shown::optional(Metric::TimesLimit, "E_A, times the limit L0", 1.0, 3),
        joules(Metric::EnergySystem, "energy in all, J"),
        joules(Metric::EnergyAirtime, "energy: airtime, J"),
        joules(Metric::EnergyRetransmission, "energy: retransmission, J"),
        joules(Metric::EnergyOverhearing, "energy: overhearing, J"),
        joules(Metric::EnergyIdle, "energy: idle, J"),
        joules(Metric::EnergyProcessing, "energy: processing, J"),
        joules(Metric::EnergyPlatform, "energy: platform, J"),
        Shown::saving(Metric::EnergySystem, format!("saved over {baseline}, J"), decimals),
    ];
    let causes = [
        (Metric::EnergyAirtime, "saved: airtime, J"),
        (Metric::EnergyRetransmission, "saved: retransmission, J"),
        (Metric::EnergyOverhearing, "saved: overhearing, J"),
        (Metric::EnergyIdle, "saved: idle, J"),
        (Metric::EnergyProcessing, "saved: processing, J"),
        (Metric::EnergyPlatform, "saved: platform, J"),
    ];
    shown.extend(causes.map(saved));
    shown.extend([
        Shown::optional(Metric::Lifetime, "first empty battery, min", 1.0 / 60.0, 1),
        Shown::optional(Metric::BytesPerCharge, "bytes until then, MB", 1e-6, 1),
        Shown::optional(Metric::WakeUpsPerMb, "wake-ups per MB", 1.0, 1),
    ]);
    shown
}

fn tallies(label: &str, cases: &[Tally], count: impl Fn(&Tally) -> usize) -> Vec<String> {
    let mut cells = vec![label.to_owned()];
    cells.extend(cases.iter().map(|tally| count(tally).to_string()));
    cells
}

/// A case's title, on two lines if it is that of a combination or has an
/// explanation.
fn title(case: Case) -> String {
    case.title().replace(" + ", "\n+ ").replace(" (", "\n(")
}
