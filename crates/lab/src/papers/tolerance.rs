//! Figures that are held against a tolerance, and orders.
//!
//! Where runs of a model hardly scatter and those of the text do, an interval of
//! our runs says nothing about a published figure. What counts there is how far
//! the figures of one text for one thing lie apart.

use super::sample::Sample;
use super::verdict::{Judgement, Verdict};

/// What is said of a quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expectation {
    /// It is the published figure, to this share of it.
    Within(f64),
    /// It is the published figure, to so much in its own unit.
    Apart(f64),
    /// It is more than zero.
    More,
    /// It is less than zero.
    Less,
    /// It is zero, to so much in its own unit.
    Zero(f64),
    /// It is the published change, to so many points; one that is no larger
    /// cannot be told from none.
    Change(f64),
}

/// A difference of less than so many percent is none: nobody who rounds two
/// hours to minutes sees a tenth of it.
const LEAST_DIFFERENCE: f64 = 0.1;

impl Expectation {
    /// What an order is called, beside published figures.
    #[must_use]
    pub const fn order(self) -> Option<&'static str> {
        match self {
            Self::More => Some("more"),
            Self::Less => Some("less"),
            Self::Zero(_) => Some("the same"),
            _ => None,
        }
    }

    /// The tolerance: a share of the published figure, or an amount.
    #[must_use]
    pub const fn tolerance(self) -> Option<f64> {
        match self {
            Self::Within(by) | Self::Apart(by) | Self::Zero(by) | Self::Change(by) => Some(by),
            Self::More | Self::Less => None,
        }
    }

    /// Holds `published`, if it is a figure, against `sample`. What contradicts
    /// its own text is not held against us.
    #[must_use]
    pub fn judge(
        self,
        published: Option<f64>,
        contradiction: Option<&str>,
        sample: &Sample,
    ) -> Judgement {
        let Some(summary) = sample.summary() else {
            return judgement(Verdict::NotResolvable, "no run has such a figure".into());
        };
        let ours = summary.mean;
        let half = summary.confidence95().map_or(0.0, |interval| interval.half_width());
        match self {
            Self::Within(_) | Self::Apart(_) => {
                let published = published.unwrap_or(f64::NAN);
                let (off, limit, unit) = match self {
                    Self::Within(share) => (100.0 * (ours / published - 1.0), 100.0 * share, " %"),
                    Self::Apart(by) => (ours - published, by, ""),
                    _ => unreachable!("the two above"),
                };
                let holds = off.abs() <= limit;
                let side = if holds { "within" } else { "beyond" };
                let reason = format!("ours is {off:+.1}{unit} off, {side} {limit:.0}{unit}");
                let inside = Some(holds);
                Judgement { inside, ..settled(holds, reason, contradiction) }
            }
            Self::More | Self::Less | Self::Zero(_) => {
                let nothing = ours.abs() < LEAST_DIFFERENCE || half > ours.abs();
                let holds = match self {
                    Self::Zero(most) => ours.abs() + half <= most,
                    Self::More => ours > 0.0,
                    _ => ours < 0.0,
                };
                let reason = format!("ours is {ours:+.2} \u{b1} {half:.2}");
                if nothing && self.tolerance().is_none() {
                    return judgement(
                        Verdict::NotResolvable,
                        format!("{reason}: nothing that could be seen"),
                    );
                }
                let sign_agrees = Some(holds);
                Judgement { sign_agrees, ..settled(holds, reason, contradiction) }
            }
            Self::Change(points) => {
                let published = published.unwrap_or(f64::NAN);
                let holds = (ours - published).abs() <= points;
                let reason = format!("ours is {ours:+.1} beside {published:+.1}");
                if holds && published.abs() <= points {
                    let reason = format!("{reason}, and {points:.0} points are no change");
                    return judgement(Verdict::NotResolvable, reason);
                }
                Judgement { inside: Some(holds), ..settled(holds, reason, contradiction) }
            }
        }
    }
}

fn judgement(verdict: Verdict, reason: String) -> Judgement {
    Judgement { inside: None, sign_agrees: None, verdict, reason }
}

fn settled(holds: bool, reason: String, contradiction: Option<&str>) -> Judgement {
    match contradiction {
        _ if holds => judgement(Verdict::Holds, reason),
        Some(why) => judgement(Verdict::Contradictory, format!("{reason}; {why}")),
        None => judgement(Verdict::Differs, reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(expectation: Expectation, published: Option<f64>, values: &[f64]) -> Verdict {
        let sample = Sample::new(values.iter().map(|value| Some(*value)).collect());
        expectation.judge(published, None, &sample).verdict
    }

    #[test]
    fn figures_are_held_against_their_tolerance() {
        let within = |ours| verdict(Expectation::Within(0.09), Some(110.0), &[ours]);
        assert_eq!(within(119.0), Verdict::Holds);
        assert_eq!(within(101.0), Verdict::Holds);
        assert_eq!(within(120.0), Verdict::Differs);
        let apart = |ours| verdict(Expectation::Apart(9.0), Some(29.0), &[ours]);
        assert_eq!((apart(37.9), apart(19.0)), (Verdict::Holds, Verdict::Differs));
        let sample = Sample::new(vec![Some(150.0)]);
        let judgement = Expectation::Within(0.09).judge(Some(110.0), Some("see 5.7"), &sample);
        assert_eq!(judgement.verdict, Verdict::Contradictory);
        assert_eq!(judgement.reason, "ours is +36.4 % off, beyond 9 %; see 5.7");
    }

    #[test]
    fn a_small_change_is_none() {
        let change = |published, ours| verdict(Expectation::Change(7.0), Some(published), &[ours]);
        assert_eq!(change(-9.0, -4.0), Verdict::Holds);
        assert_eq!(change(-9.0, -1.0), Verdict::Differs);
        assert_eq!(change(3.6, -0.4), Verdict::NotResolvable);
        assert_eq!(change(3.6, -4.0), Verdict::Differs);
    }

    #[test]
    fn orders_need_a_difference_that_can_be_seen() {
        let more = |values: &[f64]| verdict(Expectation::More, None, values);
        assert_eq!(more(&[1.2, 1.3, 1.25]), Verdict::Holds);
        assert_eq!(more(&[-1.2, -1.3, -1.25]), Verdict::Differs);
        assert_eq!(more(&[0.05]), Verdict::NotResolvable);
        assert_eq!(more(&[3.0, -2.0, 1.0]), Verdict::NotResolvable);
        assert_eq!(verdict(Expectation::Less, None, &[-2.0]), Verdict::Holds);
        let same = |values: &[f64]| verdict(Expectation::Zero(1.0), None, values);
        assert_eq!((same(&[0.0, 0.01]), same(&[1.5])), (Verdict::Holds, Verdict::Differs));
    }
}
