//! Least squares over a few positive parameters, by the method of Levenberg and
//! Marquardt.
//!
//! Parameters are varied by their logarithms, within bounds; what is known of one
//! beforehand is a residual of its own. Derivatives are
//! differences over 15 %, wide enough for what is fitted to be simulated.
//! Nothing is drawn at random: equal residuals give an equal fit.

/// What is fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in results.
    pub name: &'static str,
    /// The unit of the values.
    pub unit: &'static str,
    /// Where the fit begins.
    pub start: f64,
    /// The least that it may be; more than zero.
    pub low: f64,
    /// The most.
    pub high: f64,
    /// The factor to which the start is known beforehand, as a standard deviation
    /// of the logarithm; none if nothing is known but the bounds.
    pub known: Option<f64>,
}

/// The result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The values, in the order of the parameters.
    pub values: Vec<f64>,
    /// Residuals there, each by its standard deviation, without those of what was
    /// known beforehand.
    pub residuals: Vec<f64>,
    /// Half of the sum of squares before the first step and after each one that
    /// was taken.
    pub costs: Vec<f64>,
    /// Covariance of the logarithms.
    covariance: Vec<Vec<f64>>,
    bounds: Vec<(f64, f64)>,
}

/// The change of a logarithm over which derivatives are taken.
const STEP: f64 = 0.15;

/// A step that takes off less than this share of the cost is the last.
const LEAST_GAIN: f64 = 1e-3;

/// Steps that are tried at most.
const MOST_STEPS: usize = 20;

/// The damping of the first step, by which logarithms that nothing depends on
/// stay where they are.
const FIRST_DAMPING: f64 = 0.1;

/// The normal distribution's 97.5 % quantile.
const Z975: f64 = 1.959_963_984_540_054;

/// Fits from the starts of `parameters`. `residuals` has those at each of the
/// points that it is given, by their standard deviations.
pub fn least_squares(
    parameters: &[Parameter],
    residuals: impl Fn(&[Vec<f64>]) -> Vec<Vec<f64>>,
) -> Fit {
    let residuals = |points: &[Vec<f64>]| with_known(parameters, points, residuals(points));
    let start: Vec<f64> = parameters.iter().map(|it| it.start.ln()).collect();
    let mut at = around(parameters, &start, residuals);
    let mut costs = vec![cost(&at.residuals)];
    let mut point = start;
    let mut damping = FIRST_DAMPING;
    for _ in 0..MOST_STEPS {
        let mut next = point.clone();
        let step = solve(at.normal(|diagonal| diagonal + damping), at.slope());
        for ((next, step), parameter) in next.iter_mut().zip(step).zip(parameters) {
            *next = (*next - step).clamp(parameter.low.ln(), parameter.high.ln());
        }
        let before = cost(&at.residuals);
        let there = residuals(&[exponentials(&next)]).pop().unwrap_or_default();
        let after = cost(&there);
        if after >= before {
            damping *= 5.0;
            if damping > 1e4 {
                break;
            }
            continue;
        }
        damping /= 5.0;
        point = next;
        at = around(parameters, &point, residuals);
        costs.push(cost(&at.residuals));
        if before - after < LEAST_GAIN * before {
            break;
        }
    }
    at.fit(parameters, &point, costs)
}

/// What a fit that ends at `values` says of them, without looking for better
/// ones.
pub fn examine(
    parameters: &[Parameter],
    values: &[f64],
    residuals: impl Fn(&[Vec<f64>]) -> Vec<Vec<f64>>,
) -> Fit {
    let residuals = |points: &[Vec<f64>]| with_known(parameters, points, residuals(points));
    let point: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    let at = around(parameters, &point, residuals);
    let costs = vec![cost(&at.residuals)];
    at.fit(parameters, &point, costs)
}

/// `residuals` at each of `points`, and behind them those of what is known
/// beforehand.
fn with_known(
    parameters: &[Parameter],
    points: &[Vec<f64>],
    mut residuals: Vec<Vec<f64>>,
) -> Vec<Vec<f64>> {
    for (point, residuals) in points.iter().zip(&mut residuals) {
        let known = parameters.iter().zip(point);
        residuals.extend(known.filter_map(|(parameter, value)| {
            Some((value / parameter.start).ln() / parameter.known?)
        }));
    }
    residuals
}

impl Fit {
    /// The 95 % interval of each parameter, within its bounds.
    #[must_use]
    pub fn intervals(&self) -> Vec<(f64, f64)> {
        let each = self.values.iter().zip(&self.bounds).enumerate();
        each.map(|(index, (value, (low, high)))| {
            let half = Z975 * self.covariance[index][index].max(0.0).sqrt();
            ((value * (-half).exp()).max(*low), (value * half.exp()).min(*high))
        })
        .collect()
    }

    /// A positive quantity that follows from the parameters, with its interval.
    #[must_use]
    pub fn derived(&self, quantity: impl Fn(&[f64]) -> f64) -> (f64, f64, f64) {
        let value = quantity(&self.values);
        let slopes: Vec<f64> = (0..self.values.len())
            .map(|index| {
                let mut values = self.values.clone();
                values[index] *= 1e-4_f64.exp();
                (quantity(&values) / value).ln() / 1e-4
            })
            .collect();
        let variance: f64 = (0..slopes.len())
            .flat_map(|i| (0..slopes.len()).map(move |j| (i, j)))
            .map(|(i, j)| slopes[i] * self.covariance[i][j] * slopes[j])
            .sum();
        let half = Z975 * variance.max(0.0).sqrt();
        (value, value * (-half).exp(), value * half.exp())
    }
}

/// A point, its residuals and their derivatives.
struct Around {
    residuals: Vec<f64>,
    /// By parameter, then by residual.
    jacobian: Vec<Vec<f64>>,
}

fn around(
    parameters: &[Parameter],
    point: &[f64],
    residuals: impl Fn(&[Vec<f64>]) -> Vec<Vec<f64>>,
) -> Around {
    let mut points = vec![exponentials(point)];
    let mut steps = Vec::new();
    for (index, parameter) in parameters.iter().enumerate() {
        // Away from the nearer bound.
        let has_room = point[index] + STEP <= parameter.high.ln();
        let step = if has_room { STEP } else { -STEP };
        let mut beside = point.to_vec();
        beside[index] += step;
        points.push(exponentials(&beside));
        steps.push(step);
    }
    let mut all = residuals(&points).into_iter();
    let here = all.next().unwrap_or_default();
    let jacobian = all.zip(steps).map(|(there, step)| {
        there.iter().zip(&here).map(|(there, here)| (there - here) / step).collect()
    });
    Around { jacobian: jacobian.collect(), residuals: here }
}

impl Around {
    /// The transposed Jacobian times itself, its diagonal changed.
    fn normal(&self, change: impl Fn(f64) -> f64) -> Vec<Vec<f64>> {
        let mut normal: Vec<Vec<f64>> = self
            .jacobian
            .iter()
            .map(|a| self.jacobian.iter().map(|b| dot(a, b)).collect())
            .collect();
        for (index, row) in normal.iter_mut().enumerate() {
            row[index] = change(row[index]);
        }
        normal
    }

    fn slope(&self) -> Vec<f64> {
        self.jacobian.iter().map(|column| dot(column, &self.residuals)).collect()
    }

    /// With the covariance. A logarithm of which nothing is known beforehand is no
    /// less certain than its bounds make it, taken as two standard deviations to
    /// either side of it; the
    /// residuals' scatter counts where it is larger than expected.
    fn fit(self, parameters: &[Parameter], point: &[f64], costs: Vec<f64>) -> Fit {
        let known = parameters.iter().filter(|parameter| parameter.known.is_some()).count();
        let freedom = self.residuals.len().saturating_sub(parameters.len()).max(1);
        #[expect(clippy::cast_precision_loss, reason = "a few")]
        let scatter = (2.0 * cost(&self.residuals) / freedom as f64).max(1.0);
        let mut normal = self.normal(|diagonal| diagonal);
        for (index, parameter) in parameters.iter().enumerate() {
            normal[index].iter_mut().for_each(|entry| *entry /= scatter);
            if parameter.known.is_none() {
                let deviation = (parameter.high / parameter.low).ln() / 4.0;
                normal[index][index] += deviation.powi(-2);
            }
        }
        let unit = |index| (0..parameters.len()).map(|i| f64::from(u8::from(i == index))).collect();
        Fit {
            values: exponentials(point),
            covariance: (0..parameters.len()).map(|i| solve(normal.clone(), unit(i))).collect(),
            bounds: parameters.iter().map(|it| (it.low, it.high)).collect(),
            residuals: self.residuals[..self.residuals.len() - known].to_vec(),
            costs,
        }
    }
}

fn exponentials(point: &[f64]) -> Vec<f64> {
    point.iter().map(|it| it.exp()).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Half of the sum of squares.
fn cost(residuals: &[f64]) -> f64 {
    dot(residuals, residuals) / 2.0
}

/// Solves a symmetric positive definite system by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for pivot in 0..n {
        let above = matrix[pivot].clone();
        for row in pivot + 1..n {
            let factor = matrix[row][pivot] / above[pivot];
            for (entry, above) in matrix[row].iter_mut().zip(&above) {
                *entry -= factor * above;
            }
            right[row] -= factor * right[pivot];
        }
    }
    for pivot in (0..n).rev() {
        let known: f64 = (pivot + 1..n).map(|column| matrix[pivot][column] * right[column]).sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(start: f64) -> Parameter {
        Parameter { name: "a", unit: "m", start, low: 0.01, high: 100.0, known: None }
    }

    fn each(residuals: fn(&[f64]) -> Vec<f64>) -> impl Fn(&[Vec<f64>]) -> Vec<Vec<f64>> {
        move |points| points.iter().map(|point| residuals(point)).collect()
    }

    #[test]
    fn a_law_is_found_with_its_interval() {
        // y = a x^b at x = 1, 2, 4, 8, each to 2 %.
        let law = |p: &[f64]| {
            [1.0, 2.0, 4.0, 8.0_f64]
                .map(|x| (p[0] * x.powf(p[1]) / (3.0 * x.powf(0.5))).ln() / 0.02)
                .to_vec()
        };
        let fit = least_squares(&[parameter(1.0), parameter(1.0)], each(law));
        assert!((fit.values[0] - 3.0).abs() < 0.01, "{fit:?}");
        assert!((fit.values[1] - 0.5).abs() < 0.01, "{fit:?}");
        assert!(fit.costs.is_sorted_by(|a, b| a > b), "{fit:?}");
        // Of a straight line through four points.
        let spread = 0.02 * (0.25 + 1.5_f64.powi(2) / 5.0_f64).sqrt();
        let (low, high) = fit.intervals()[0];
        assert!(((high / low).ln() / (2.0 * Z975 * spread) - 1.0).abs() < 0.02, "{low} {high}");
    }

    #[test]
    fn what_nothing_depends_on_stays_and_has_no_interval() {
        let only_the_product = |p: &[f64]| vec![(p[0] * p[1] / 6.0).ln() / 0.01];
        let fit = least_squares(&[parameter(1.0), parameter(1.0)], each(only_the_product));
        let (product, low, high) = fit.derived(|p| p[0] * p[1]);
        assert!((product - 6.0).abs() < 0.01 && (low / 6.0 - 0.98).abs() < 0.01, "{low} {high}");
        // Each by itself is anything.
        assert!((fit.values[0] / fit.values[1] - 1.0).abs() < 1e-6);
        let (low, high) = fit.intervals()[0];
        assert!(high / low > 100.0, "{low} {high}");
    }

    #[test]
    fn what_is_known_counts_as_much_as_it_is_worth() {
        // Two measurements of one thing: 4 to 10 %, and beforehand 1 to 20 %.
        let known = Parameter { known: Some(0.2), ..parameter(1.0) };
        let fit = least_squares(&[known], each(|p| vec![(p[0] / 4.0).ln() / 0.1]));
        let expected = 4.0_f64.ln() * 100.0 / (100.0 + 25.0);
        assert!((fit.values[0].ln() - expected).abs() < 1e-3, "{fit:?}");
        assert_eq!(fit.residuals.len(), 1);
    }

    #[test]
    fn bounds_hold() {
        let far = |p: &[f64]| vec![(p[0] / 1e6).ln()];
        let fit = least_squares(&[parameter(1.0)], each(far));
        assert!((fit.values[0] - 100.0).abs() < 1e-6, "{fit:?}");
        let same = examine(&[parameter(1.0)], &fit.values, each(far));
        assert_eq!(same.intervals(), fit.intervals());
    }
}
