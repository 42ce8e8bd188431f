//! What a paper's figures come to together.

use serde::{Deserialize, Serialize};

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
    /// What decides about figures.
    pub judged: Judged,
    /// Published figures and orders compared.
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
    /// Cells of tables among the figures; where a tolerance decides, predictions
    /// that nothing in the text contradicts.
    pub cells: usize,
    /// Cells that have a prediction interval to be inside of.
    pub cells_judged: usize,
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
    /// What is expected of the cells.
    pub acceptance: Acceptance,
    /// Whether they are as expected; null unless every cell of the paper was
    /// judged, which needs all items and enough complete runs.
    pub accepted: Option<bool>,
    /// The cells as one draw of one channel, for groups of them.
    pub shared_channel: Vec<SharedChannel>,
    /// Published figures that nothing here reproduces yet.
    pub left_out: Vec<String>,
}

/// What decides whether a published figure holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Judged {
    /// The 95 % prediction interval of a single run of ours.
    ByPredictionInterval,
    /// A tolerance, from how far the text's own figures lie apart.
    ByTolerance,
}

/// What a faithful model is expected to reach over the cells of a paper.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acceptance {
    /// The least share of cells inside their prediction interval.
    pub cells_inside_share: f64,
    /// The least share of cells with our mean's sign, among those whose sign is
    /// a finding.
    pub signs_agree_share: f64,
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

impl Acceptance {
    /// Whether the cells that `summary` counts are as expected; `None` unless
    /// all `cells` of the paper were judged.
    #[must_use]
    pub fn holds(&self, summary: &Summary, cells: usize) -> Option<bool> {
        (summary.cells_judged == cells).then(|| {
            reaches(summary.cells_inside, summary.cells_judged, self.cells_inside_share)
                && reaches(summary.cells_sign_agrees, summary.cells_signed, self.signs_agree_share)
        })
    }
}

/// Whether `count` is at least `share` of `all`.
#[expect(clippy::cast_precision_loss, reason = "a paper has fewer than 2^53 cells")]
fn reaches(count: usize, all: usize, share: f64) -> bool {
    count as f64 >= share * all as f64
}

impl Summary {
    /// Counts `figures`, those of which that `is_cell` picks are cells of
    /// tables, and holds them against `acceptance` if all the cells of
    /// the paper, so many, were judged.
    #[must_use]
    pub fn of(
        paper: &'static str,
        runs: u64,
        figures: &[Figure],
        is_cell: impl Fn(&Figure) -> bool,
        (acceptance, all_cells): (Acceptance, usize),
    ) -> Self {
        let published = || figures.iter().filter(|figure| figure.verdict.is_some());
        let cells = || published().filter(|figure| is_cell(figure));
        let with = |verdict| published().filter(|figure| figure.verdict == Some(verdict)).count();
        let mut summary = Self {
            summary: true,
            paper,
            runs,
            judged: Judged::ByPredictionInterval,
            figures: published().count(),
            fitted: published().filter(|figure| figure.role == Some(Role::Fitted)).count(),
            holds: with(Verdict::Holds),
            differs: with(Verdict::Differs),
            not_resolvable: with(Verdict::NotResolvable),
            contradictory: with(Verdict::Contradictory),
            cells: cells().count(),
            cells_judged: cells().filter(|figure| figure.inside.is_some()).count(),
            cells_inside: cells().filter(|figure| figure.inside == Some(true)).count(),
            cells_inside_normal: cells()
                .filter(|figure| figure.inside_normal() == Some(true))
                .count(),
            cells_signed: cells().filter(|figure| figure.sign_agrees.is_some()).count(),
            cells_sign_agrees: cells().filter(|figure| figure.sign_agrees == Some(true)).count(),
            acceptance,
            accepted: None,
            shared_channel: Vec::new(),
            left_out: Vec::new(),
        };
        summary.accepted = acceptance.holds(&summary, all_cells);
        summary
    }
}
