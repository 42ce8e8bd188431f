//! What a published figure and our runs say about each other.
//!
//! A published figure was a single run, so it is held against the 95 %
//! prediction interval of a single run. One kind of interval serves every
//! figure of every paper: the one between order statistics
//! ([`crate::stats::prediction95_by_rank`]). Gains over few losses, and the
//! largest of several gains, are skewed, and t-based intervals would be wrong
//! for the very figures that are hard to reproduce.

use serde::Serialize;

use super::figure::Published;
use super::sample::Sample;

/// What comes of a published figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It lies in our prediction interval.
    Holds,
    /// It does not.
    Differs,
    /// Our runs cannot tell: they scatter too much, or there are too few.
    NotResolvable,
    /// It does not, and another part of the same text excludes it.
    Contradictory,
}

/// A verdict with its grounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Whether the figure lies in the prediction interval.
    pub inside: Option<bool>,
    /// Whether our mean has its sign.
    pub sign_agrees: Option<bool>,
    /// What comes of it.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
}

/// An interval of percentages that reaches further than this many points to
/// either side would hold gains and losses alike.
const WIDEST_HALF_WIDTH_POINTS: f64 = 25.0;

/// Published gains up to this many points are too close to zero for their sign
/// to be a finding.
const SMALLEST_SIGNED_POINTS: f64 = 5.0;

/// Holds `published` against `sample`, both in `unit`.
#[must_use]
pub fn judge(published: &Published, unit: &str, sample: &Sample) -> Judgement {
    let sign_agrees = sample
        .summary()
        .filter(|_| published.signed && published.value.abs() > SMALLEST_SIGNED_POINTS)
        .map(|summary| summary.mean.is_sign_positive() == published.value.is_sign_positive());
    let Some(interval) = sample.prediction95() else {
        let (runs, incomplete) = (sample.values().len(), sample.incomplete());
        let reason = if incomplete > 0 {
            format!("{incomplete} of {runs} seeds have a run that did not complete")
        } else {
            format!("{runs} runs are too few for a prediction interval, which needs 39")
        };
        return Judgement { inside: None, sign_agrees, verdict: Verdict::NotResolvable, reason };
    };
    let inside = interval.contains(published.value);
    let (verdict, reason) = if inside {
        let half_width = interval.half_width();
        if unit == "percent" && half_width > WIDEST_HALF_WIDTH_POINTS {
            let reason =
                format!("inside, but single runs scatter by {half_width:.0} points to either side");
            (Verdict::NotResolvable, reason)
        } else {
            (Verdict::Holds, "inside the prediction interval of a single run".into())
        }
    } else if let Some(reason) = &published.contradiction {
        (Verdict::Contradictory, reason.clone())
    } else {
        let (distance, side) = if published.value < interval.low {
            (interval.low - published.value, "below")
        } else {
            (published.value - interval.high, "above")
        };
        let unit = if unit == "percent" { "points" } else { unit };
        let reason = format!("{distance:.2} {unit} {side} the prediction interval of a single run");
        (Verdict::Differs, reason)
    };
    Judgement { inside: Some(inside), sign_agrees, verdict, reason }
}

/// Holds `published` against the result of a run without chance, which is the
/// only value of `sample`: it holds if they are equal to the last printed
/// digit. There is no interval to be inside of.
#[must_use]
pub fn judge_exact(
    published: &Published,
    unit: &str,
    sample: &Sample,
    last_digit: f64,
) -> Judgement {
    let value = sample.summary().map(|summary| summary.mean);
    let (verdict, reason) = match value.map(|value| value - published.value) {
        None => (Verdict::Differs, "what it measures did not happen".into()),
        Some(difference) if difference.abs() < last_digit / 2.0 => {
            (Verdict::Holds, "a sequence of events without chance, equal to the last digit".into())
        }
        Some(difference) => (
            Verdict::Differs,
            format!(
                "a sequence of events without chance, and ours differs by {difference:+} {unit}"
            ),
        ),
    };
    Judgement { inside: None, sign_agrees: None, verdict, reason }
}

#[cfg(test)]
mod tests {
    use super::super::figure::Role;
    use super::*;

    fn published(value: f64) -> Published {
        Published { value, signed: true, role: Role::Predicted, contradiction: None }
    }

    /// 39 values from `low` to `high`, which are then the prediction interval.
    fn spread(low: f64, high: f64) -> Sample {
        let step = (high - low) / 38.0;
        Sample::new((0..39).map(|i| Some(low + step * f64::from(i))).collect())
    }

    fn short(published: &Published, sample: &Sample) -> (Verdict, Option<bool>, Option<bool>) {
        let judgement = judge(published, "percent", sample);
        (judgement.verdict, judgement.inside, judgement.sign_agrees)
    }

    #[test]
    fn a_figure_is_inside_or_not() {
        let sample = spread(6.0, 10.0);
        let cases = [
            (8.0, Verdict::Holds, true, "inside the prediction interval of a single run"),
            (6.0, Verdict::Holds, true, "inside the prediction interval of a single run"),
            (
                5.5,
                Verdict::Differs,
                false,
                "0.50 points below the prediction interval of a single run",
            ),
            (
                12.0,
                Verdict::Differs,
                false,
                "2.00 points above the prediction interval of a single run",
            ),
        ];
        for (value, verdict, inside, reason) in cases {
            let judgement = judge(&published(value), "percent", &sample);
            assert_eq!(judgement.verdict, verdict, "{value}");
            assert_eq!(judgement.inside, Some(inside), "{value}");
            assert_eq!(judgement.reason, reason, "{value}");
        }
        let judgement = judge(&published(12.0), "s", &sample);
        assert_eq!(judgement.reason, "2.00 s above the prediction interval of a single run");
    }

    #[test]
    fn a_wide_interval_resolves_nothing_but_still_excludes() {
        let sample = spread(-70.0, 0.0);
        assert_eq!(
            short(&published(-50.0), &sample),
            (Verdict::NotResolvable, Some(true), Some(true))
        );
        assert_eq!(short(&published(20.0), &sample), (Verdict::Differs, Some(false), Some(false)));
        // Only percentages have a common scale.
        assert_eq!(judge(&published(-50.0), "s", &sample).verdict, Verdict::Holds);
    }

    #[test]
    fn a_contradiction_explains_a_difference_and_nothing_else() {
        let contradictory = |value| Published {
            contradiction: Some("section 2 excludes it".into()),
            ..published(value)
        };
        let sample = spread(6.0, 10.0);
        let judgement = judge(&contradictory(20.0), "percent", &sample);
        assert_eq!(judgement.verdict, Verdict::Contradictory);
        assert_eq!(judgement.reason, "section 2 excludes it");
        assert_eq!(judge(&contradictory(8.0), "percent", &sample).verdict, Verdict::Holds);
    }

    #[test]
    fn signs_count_where_they_are_findings() {
        let sample = spread(-1.0, 9.0);
        assert_eq!(short(&published(6.0), &sample).2, Some(true));
        assert_eq!(short(&published(-6.0), &sample).2, Some(false));
        assert_eq!(short(&published(-5.0), &sample).2, None);
        let unsigned = Published { signed: false, ..published(6.0) };
        assert_eq!(short(&unsigned, &sample).2, None);
    }

    #[test]
    fn without_chance_the_last_digit_decides() {
        let verdict = |value| judge_exact(&published(3.054), "s", &Sample::new(vec![value]), 0.001);
        assert_eq!(verdict(Some(3.0541)).verdict, Verdict::Holds);
        assert_eq!(verdict(Some(3.055)).verdict, Verdict::Differs);
        assert_eq!(verdict(None).reason, "what it measures did not happen");
    }

    #[test]
    fn too_few_or_unfinished_runs_resolve_nothing() {
        let few = Sample::new(vec![Some(8.0); 38]);
        let judgement = judge(&published(8.0), "percent", &few);
        assert_eq!((judgement.verdict, judgement.inside), (Verdict::NotResolvable, None));
        assert_eq!(
            judgement.reason,
            "38 runs are too few for a prediction interval, which needs 39"
        );

        let mut values = vec![Some(8.0); 50];
        values[3] = None;
        let judgement = judge(&published(8.0), "percent", &Sample::new(values));
        assert_eq!((judgement.verdict, judgement.inside), (Verdict::NotResolvable, None));
        assert_eq!(judgement.reason, "1 of 50 seeds have a run that did not complete");
    }
}
