//! Charge that is late: what the kinetic model and that of Rakhmatov and Vrudhula
//! have in common.
//!
//! A current I draws charge from where it is at hand, and more comes after it.
//! How much is missing there is a sum of lags u_m, each a quantity that decays by
//! itself: u_m' = I − λ m² u_m. A battery of capacity C that has given Q is empty
//! when Q + w Σ u_m = C, with the models' own w, λ and number of terms. Under a
//! constant current every lag has a closed form, so neither the length of a draw
//! nor the history before it costs anything.
//!
//! What has been drawn and the lags need not rise together: after a heavy load and
//! a rest, under a light one, the sum can come to a peak and fall again. No random
//! load has shown a peak above what had been reached before it, but that is not a
//! proof: whether a battery is empty *by* some time is a search for the first
//! crossing, not a look at the end.

use core::array;

use netjoule_units::{Duration, Energy, Power};

use super::{Discharge, share_left};

/// A peak that exceeds the capacity by less than this share of it is let pass,
/// for it may be one of rounding.
const ROUNDING: f64 = 1e-12;
/// Farther from empty than this share of the capacity, nothing is searched.
const CAUTION: f64 = 1e-9;

/// A battery with `N` lags.
#[derive(Clone, Debug)]
pub(super) struct Relaxation<const N: usize> {
    /// C times the voltage.
    capacity: Energy,
    capacity_c: f64,
    voltage_v: f64,
    /// w.
    weight: f64,
    /// λ: how fast the first lag decays.
    rate_per_s: f64,
    /// u_m in coulombs.
    lags: [f64; N],
}

/// What a relaxation is made from.
pub(super) struct Parameters {
    pub(super) capacity: netjoule_units::Charge,
    pub(super) voltage: netjoule_units::Voltage,
    pub(super) weight: f64,
    pub(super) rate_per_s: f64,
}

/// A moment of a constant load that began at zero.
#[derive(Clone, Copy)]
struct Moment {
    ns: u64,
    /// Q + w Σ u_m, in coulombs.
    sum: f64,
    /// The part of it that is in lags that rise, in coulombs.
    rising: f64,
    /// How fast that part rises, in coulombs per second: slower and slower.
    slope: f64,
}

/// 1 − (1 − a) (1 − b), without losing what is small.
fn either(a: f64, b: f64) -> f64 {
    a + b * (1.0 - a)
}

#[expect(clippy::cast_precision_loss, reason = "relative precision is all that is needed")]
fn seconds(ns: u64) -> f64 {
    ns as f64 * 1e-9
}

impl<const N: usize> Relaxation<N> {
    pub(super) fn new(parameters: &Parameters) -> Self {
        let Parameters { capacity, voltage, weight, rate_per_s } = *parameters;
        Self {
            capacity: capacity.energy_at(voltage),
            capacity_c: capacity.as_coulombs_f64(),
            voltage_v: voltage.as_volts_f64(),
            weight,
            rate_per_s,
            lags: [0.0; N],
        }
    }

    fn amperes(&self, load: Power) -> f64 {
        load.as_watts_f64() / self.voltage_v
    }

    /// How fast the lags decay.
    fn rates(&self) -> [f64; N] {
        let mut m = 0.0;
        array::from_fn(|_| {
            m += 1.0;
            self.rate_per_s * m * m
        })
    }

    /// The lags after `ns` nanoseconds of `amperes`. One exponential serves them
    /// all: with x = e^−λt that of the m-th is x^(m²), and (m+1)² − m² = 2m + 1.
    fn lags_after(&self, amperes: f64, ns: u64) -> [f64; N] {
        let first = -libm::expm1(-self.rate_per_s * seconds(ns));
        let two = either(first, first);
        let (mut gone, mut step) = (first, either(first, two));
        let mut lags = self.lags;
        for (lag, rate) in lags.iter_mut().zip(self.rates()) {
            *lag += (amperes / rate - *lag) * gone;
            gone = either(gone, step);
            step = either(step, two);
        }
        lags
    }

    /// The moment after `ns` nanoseconds of `load`, at which the lags are `lags`.
    fn moment(&self, delivered: Energy, load: Power, ns: u64, lags: &[f64; N]) -> Moment {
        let delivered = delivered.saturating_add(load * Duration::from_nanos(ns));
        let amperes = self.amperes(load);
        let mut moment =
            Moment { ns, sum: delivered.as_joules_f64() / self.voltage_v, rising: 0.0, slope: 0.0 };
        for ((lag, before), rate) in lags.iter().zip(&self.lags).zip(self.rates()) {
            let missing = self.weight * lag;
            moment.sum += missing;
            if *before < amperes / rate {
                moment.rising += missing;
                moment.slope += self.weight * (amperes - rate * lag);
            }
        }
        moment
    }

    /// The first nanosecond after `from`, at which the battery is not empty, and
    /// up to `to`, by whose end it is. Halves are searched only where they can
    /// hold a crossing, so that there are few of them at each of the 64 depths.
    fn first_empty(&self, delivered: Energy, load: Power, from: Moment, to: Moment) -> Option<u64> {
        let empty = to.sum >= self.capacity_c;
        if !empty && peak(from, to) < self.capacity_c * (1.0 + ROUNDING) {
            return None;
        }
        if to.ns - from.ns <= 1 {
            return empty.then_some(to.ns);
        }
        let ns = from.ns + (to.ns - from.ns) / 2;
        let lags = self.lags_after(self.amperes(load), ns);
        let middle = self.moment(delivered, load, ns, &lags);
        let first = self.first_empty(delivered, load, from, middle);
        if first.is_some() || middle.sum >= self.capacity_c {
            return first;
        }
        self.first_empty(delivered, load, middle, to)
    }
}

/// No less than the sum can be between two moments of the same load.
///
/// What falls is convex and stays below its chord, with what is drawn, which is a
/// line. What rises is concave and stays below its tangents at both ends. Their
/// sum is greatest at an end, or where the tangents meet.
fn peak(from: Moment, to: Moment) -> f64 {
    let span = seconds(to.ns - from.ns);
    let chord = ((to.sum - to.rising) - (from.sum - from.rising)) / span;
    if chord + from.slope <= 0.0 {
        return from.sum;
    }
    if chord + to.slope >= 0.0 {
        return to.sum;
    }
    let meet = (to.rising - from.rising - to.slope * span) / (from.slope - to.slope);
    from.sum + (chord + from.slope) * meet.clamp(0.0, span)
}

impl<const N: usize> Discharge for Relaxation<N> {
    fn draw_safely(&mut self, delivered: Energy, load: Power, span: Duration) -> bool {
        let lags = self.lags_after(self.amperes(load), span.as_nanos());
        let from = self.moment(delivered, load, 0, &self.lags);
        let to = self.moment(delivered, load, span.as_nanos(), &lags);
        let safe = peak(from, to).max(to.sum) < self.capacity_c * (1.0 - CAUTION);
        if safe {
            self.lags = lags;
        }
        safe
    }

    fn draw(&mut self, load: Power, span: Duration) {
        self.lags = self.lags_after(self.amperes(load), span.as_nanos());
    }

    fn lasts(&self, delivered: Energy, load: Power) -> Option<Duration> {
        let from = self.moment(delivered, load, 0, &self.lags);
        let lags = self.lags_after(self.amperes(load), u64::MAX);
        let to = self.moment(delivered, load, u64::MAX, &lags);
        self.first_empty(delivered, load, from, to).map(Duration::from_nanos)
    }

    fn state_of_charge(&self, delivered: Energy) -> f64 {
        share_left(self.capacity, delivered)
    }

    fn remaining(&self, delivered: Energy) -> Energy {
        self.capacity.saturating_sub(delivered)
    }
}
