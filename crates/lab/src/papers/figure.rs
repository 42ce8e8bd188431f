//! A published figure beside ours.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::sample::Sample;
use super::tolerance::Expectation;
use super::verdict::{self, Verdict};
use crate::stats::Interval;

/// What a figure belongs to: parameter names, with units, and values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setting(Vec<(&'static str, Value)>);

/// A value of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A name.
    Text(&'static str),
    /// A quantity in the unit that its name says.
    Number(f64),
    /// A count or whole quantity in the unit that its name says.
    Integer(u64),
}

/// Whether a published figure was in view when a parameter was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// It was not: our figure is a prediction.
    Predicted,
    /// It was.
    Fitted,
}

/// What a text says about a quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// The figure, in the unit of the row.
    pub value: f64,
    /// Whether its sign is a finding of its own, as that of a gain is.
    pub signed: bool,
    /// Whether it was in view when parameters were chosen.
    pub role: Role,
    /// Why it contradicts its own text, if it does.
    pub contradiction: Option<String>,
}

/// One object of `reproduce --json`. Values that do not exist are null: those
/// about the published figure where the text has none and the row shows what
/// an assumption is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// The paper's key.
    pub paper: &'static str,
    /// Name of a table or of a single figure.
    pub item: String,
    /// Place in the text, or what the row is.
    pub source: String,
    /// What was varied.
    pub case: Setting,
    /// The figure in print.
    pub published: Option<f64>,
    /// The unit of every value in this row.
    pub unit: &'static str,
    /// Seeds that the values rest on.
    pub n: usize,
    /// Seeds on which a run did not complete; they are left out.
    pub incomplete: usize,
    /// Mean.
    pub mean: Option<f64>,
    /// Lower end of the mean's 95 % confidence interval.
    pub ci95_low: Option<f64>,
    /// Upper end of the mean's 95 % confidence interval.
    pub ci95_high: Option<f64>,
    /// Lower end of the 95 % prediction interval of a single run, between
    /// order statistics.
    pub pi95_low: Option<f64>,
    /// Upper end of that interval.
    pub pi95_high: Option<f64>,
    /// Lower end of the prediction interval for normally distributed runs, for
    /// comparison; it decides nothing.
    pub normal_pi95_low: Option<f64>,
    /// Upper end of that interval.
    pub normal_pi95_high: Option<f64>,
    /// Whether the published figure was in view when parameters were chosen.
    pub role: Option<Role>,
    /// Of an order in print: `more`, `less` or `the same`.
    pub order: Option<&'static str>,
    /// Our mean by the published figure, less one; only where a tolerance
    /// decides.
    pub relative_error: Option<f64>,
    /// How far our mean may be off: a share of the published figure, or for
    /// percentages and orders so many points.
    pub tolerance: Option<f64>,
    /// Whether the published figure lies in the prediction interval, or our mean
    /// within the tolerance.
    pub inside: Option<bool>,
    /// Whether our mean has the sign of the published figure, or the order in
    /// print; null where that is no finding.
    pub sign_agrees: Option<bool>,
    /// What comes of it.
    pub verdict: Option<Verdict>,
    /// Why.
    pub reason: String,
}

impl Setting {
    /// With one more parameter.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: Value) -> Self {
        self.0.push((name, value));
        self
    }

    /// The value of the parameter `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// Names and values, in the order of tables.
    pub fn iter(&self) -> impl Iterator<Item = &(&'static str, Value)> {
        self.0.iter()
    }
}

impl Serialize for Setting {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// What a figure is, apart from its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The paper's key.
    pub paper: &'static str,
    /// Name of a table or of a single figure.
    pub item: String,
    /// Place in the text, or what the row is.
    pub source: String,
    /// What was varied.
    pub case: Setting,
    /// The unit of its values.
    pub unit: &'static str,
}

impl Figure {
    /// Sets `sample` beside what the text says.
    #[must_use]
    pub fn judged(label: Label, published: &Published, sample: &Sample) -> Self {
        let judgement = verdict::judge(published, label.unit, sample);
        Self {
            published: Some(published.value),
            role: Some(published.role),
            inside: judgement.inside,
            sign_agrees: judgement.sign_agrees,
            verdict: Some(judgement.verdict),
            reason: judgement.reason,
            ..Self::measured(label, sample)
        }
    }

    /// Sets the result of a run without chance beside what the text says, to
    /// its last printed digit.
    #[must_use]
    pub fn exact(label: Label, published: &Published, sample: &Sample, last_digit: f64) -> Self {
        let judgement = verdict::judge_exact(published, label.unit, sample, last_digit);
        Self {
            published: Some(published.value),
            role: Some(published.role),
            verdict: Some(judgement.verdict),
            reason: judgement.reason,
            ..Self::measured(label, sample)
        }
    }

    /// Sets `sample` beside what is expected of it: a figure or an order in
    /// print. `grounds` are its role, and why it contradicts its own text.
    #[must_use]
    pub fn expected(
        label: Label,
        published: Option<f64>,
        expectation: Expectation,
        (role, contradiction): (Role, Option<&str>),
        sample: &Sample,
    ) -> Self {
        let judgement = expectation.judge(published, contradiction, sample);
        let ours = sample.summary().map(|summary| summary.mean);
        let is_figure = matches!(expectation, Expectation::Within(_));
        let error = ours.zip(published).filter(|_| is_figure);
        Self {
            published,
            role: Some(role),
            order: expectation.order(),
            relative_error: error.map(|(ours, published)| ours / published - 1.0),
            tolerance: expectation.tolerance(),
            inside: judgement.inside,
            sign_agrees: judgement.sign_agrees,
            verdict: Some(judgement.verdict),
            reason: judgement.reason,
            ..Self::measured(label, sample)
        }
    }

    /// `sample` where the text has no figure.
    #[must_use]
    pub fn measured(label: Label, sample: &Sample) -> Self {
        let summary = sample.summary();
        let low = |interval: Option<Interval>| interval.map(|interval| interval.low);
        let high = |interval: Option<Interval>| interval.map(|interval| interval.high);
        let confidence = summary.and_then(|summary| summary.confidence95());
        let normal = summary.and_then(|summary| summary.prediction95());
        Self {
            paper: label.paper,
            item: label.item,
            source: label.source,
            case: label.case,
            published: None,
            unit: label.unit,
            n: summary.map_or(0, |summary| summary.n),
            incomplete: sample.incomplete(),
            mean: summary.map(|summary| summary.mean),
            ci95_low: low(confidence),
            ci95_high: high(confidence),
            pi95_low: low(sample.prediction95()),
            pi95_high: high(sample.prediction95()),
            normal_pi95_low: low(normal),
            normal_pi95_high: high(normal),
            role: None,
            order: None,
            relative_error: None,
            tolerance: None,
            inside: None,
            sign_agrees: None,
            verdict: None,
            reason: "the text has no such figure".into(),
        }
    }

    /// Whether the published figure lies in the prediction interval for
    /// normally distributed runs.
    #[must_use]
    pub fn inside_normal(&self) -> Option<bool> {
        let (low, high) = self.normal_pi95_low.zip(self.normal_pi95_high)?;
        Some(Interval { low, high }.contains(self.published?))
    }
}
