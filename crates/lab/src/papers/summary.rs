//! What a paper's figures come to together.

use serde::Serialize;

use super::figure::{Figure, Role};
use super::sample::Sample;
use super::verdict::Verdict;
use crate::stats::Summary as Moments;

/// The last object of `reproduce --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Always true; tells this object from the figures.
    pub summary: bool,
    /// The paper's key.
    pub paper: &'static str,
    /// Seeds per figure.
    pub runs: u64,
    /// Published figures compared.
    pub figures: usize,
    /// Those that were in view when parameters were chosen.
    pub fitted: usize,
    /// Figures with the verdict `holds`.
    pub holds: usize,
    /// Figures with the verdict `differs`.
    pub differs: usize,
    /// Figures with the verdict `not_resolvable`.
    pub not_resolvable: usize,
    /// Figures with the verdict `contradictory`.
    pub contradictory: usize,
    /// Cells of tables among the figures.
    pub cells: usize,
    /// Cells inside their prediction interval. By chance one in twenty is not,
    /// even if everything is right.
    pub cells_inside: usize,
    /// Cells inside the prediction interval for normally distributed runs, for
    /// comparison.
    pub cells_inside_normal: usize,
    /// Cells whose sign is a finding.
    pub cells_signed: usize,
    /// Those of them of whose sign our mean is.
    pub cells_sign_agrees: usize,
    /// The cells as one draw of one channel, for groups of them.
    pub shared_channel: Vec<SharedChannel>,
    /// Published figures that nothing here reproduces yet.
    pub left_out: Vec<String>,
}

/// Cells that may all come from one channel, and so lie above or below their
/// means together: the average deviation, as one draw from its distribution
/// over seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SharedChannel {
    /// Which cells.
    pub cells: String,
    /// How many.
    pub count: usize,
    /// Average over the cells of published value less our mean, in points.
    pub deviation_points: f64,
    /// Lower end of the 95 % prediction interval of a single seed's average
    /// deviation; null with too few seeds.
    pub pi95_low: Option<f64>,
    /// Upper end of that interval.
    pub pi95_high: Option<f64>,
    /// Whether the published deviation lies in it.
    pub inside: Option<bool>,
}

impl SharedChannel {
    /// Holds the published values of `cells`, each with our values on every
    /// seed, as one draw against every seed's; `None`
    /// without cells.
    #[must_use]
    pub fn of(name: &str, cells: &[(f64, &Sample)]) -> Option<Self> {
        let mut published = Vec::new();
        let mut ours = Vec::new();
        for (value, sample) in cells {
            let mean = sample.summary()?.mean;
            published.push(value - mean);
            let deviations = sample.values().iter().map(|value| value.map(|value| value - mean));
            ours.push(Sample::new(deviations.collect()));
        }
        let deviation = Moments::of(&published)?.mean;
        #[expect(clippy::cast_precision_loss, reason = "a paper has fewer than 2^53 cells")]
        let count = cells.len() as f64;
        let interval =
            Sample::fold(ours.into_iter(), |a, b| a + b)?.map(|sum| sum / count).prediction95();
        Some(Self {
            cells: name.into(),
            count: cells.len(),
            deviation_points: deviation,
            pi95_low: interval.map(|interval| interval.low),
            pi95_high: interval.map(|interval| interval.high),
            inside: interval.map(|interval| interval.contains(deviation)),
        })
    }
}

impl Summary {
    /// Counts `figures`, of which `cells` are cells of tables.
    #[must_use]
    pub fn of(
        paper: &'static str,
        runs: u64,
        figures: &[Figure],
        is_cell: impl Fn(&Figure) -> bool,
    ) -> Self {
        let published = || figures.iter().filter(|figure| figure.published.is_some());
        let cells = || published().filter(|figure| is_cell(figure));
        let with = |verdict| published().filter(|figure| figure.verdict == Some(verdict)).count();
        Self {
            summary: true,
            paper,
            runs,
            figures: published().count(),
            fitted: published().filter(|figure| figure.role == Some(Role::Fitted)).count(),
            holds: with(Verdict::Holds),
            differs: with(Verdict::Differs),
            not_resolvable: with(Verdict::NotResolvable),
            contradictory: with(Verdict::Contradictory),
            cells: cells().count(),
            cells_inside: cells().filter(|figure| figure.inside == Some(true)).count(),
            cells_inside_normal: cells()
                .filter(|figure| figure.inside_normal() == Some(true))
                .count(),
            cells_signed: cells().filter(|figure| figure.sign_agrees.is_some()).count(),
            cells_sign_agrees: cells().filter(|figure| figure.sign_agrees == Some(true)).count(),
            shared_channel: Vec::new(),
            left_out: Vec::new(),
        }
    }
}
