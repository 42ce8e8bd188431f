//! Variants side by side.

use std::io::{self, Write};

use netjoule_lab::case::Case;
use netjoule_lab::compare::{Comparison, DEGRADATION, IMPROVEMENT, Row, Tally};
use netjoule_lab::metrics::Metric;

use super::{COLUMNS, results};

/// How a metric is shown.
struct Shown {
    metric: &'static str,
    label: String,
    /// What the value is multiplied by.
    scale: f64,
    decimals: usize,
    /// Whether the line is left out when it holds nothing but zeros.
    optional: bool,
}

impl Shown {
    fn new(metric: &'static str, label: impl Into<String>, scale: f64, decimals: usize) -> Self {
        Self { metric, label: label.into(), scale, decimals, optional: false }
    }

    fn optional(metric: Metric, label: &str) -> Self {
        Self { optional: true, ..Self::new(metric.name(), label, 1.0, 1) }
    }

    /// Mean ± half of the confidence interval; the mean alone without one.
    fn cell(&self, row: Option<&Row>) -> String {
        let Some(row) = row else { return "–".into() };
        let Some(mean) = row.mean else { return "none".into() };
        let value = format!("{:.*}", self.decimals, mean * self.scale);
        match row.ci95_low.zip(row.ci95_high) {
            Some((low, high)) => {
                format!("{value} ± {:.*}", self.decimals, (high - low) / 2.0 * self.scale)
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
    )
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
        Shown::optional(Metric::WiredLosses, "segments lost on cables"),
        Shown::optional(Metric::QueueLosses, "segments lost in full buffers"),
        Shown::new(IMPROVEMENT, format!("improvement over {baseline}, %"), 1.0, 1),
        Shown::new(DEGRADATION, "degradation against No loss, %", 1.0, 1),
    ];
    shown.retain(|shown| !shown.optional || any(shown.metric));
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
