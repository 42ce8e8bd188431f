//! The discharge curve of Shepherd (1965), as Tremblay and Dessaint (2009) read it
//! off a data sheet.
//!
//! With the charge q drawn in ampere-hours and the current i in amperes the
//! voltage is
//!
//! ```text
//! V = E0 − R i − K Q/(Q−q) (q + i) + A e^(−B q)
//! ```
//!
//! and three points of the curve at a typical current give its constants:
//!
//! ```text
//! A = V_full − V_exp     B = 3/q_exp     E0 = V_full + R i − A
//! K = (E0 − V_nom − R i + A e^(−B q_nom)) (Q − q_nom) / (Q (q_nom + i))
//! ```
//!
//! A load of P watts draws the current at which V i = P: of the two solutions the
//! smaller. The battery is empty when V has fallen to the cut-off *under that
//! load*; a burst empties it sooner than what is drawn between bursts. Voltages
//! settle at once: the low-pass filter that Tremblay and Dessaint put before the i
//! of the K term is left out, and so are temperature and age.
//!
//! V depends on q only while the power is constant, and V dq is the energy P dt:
//! q is found by integrating V, in panels that are short where the curve bends.

use netjoule_units::{Charge, Current, Duration, Energy, Power, Resistance, Voltage};
use serde::{Deserialize, Serialize};

use super::Discharge;
use super::config::{Checks, Wrong};

/// Settings of a battery by its discharge curve: what a data sheet shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Where the curve would fall to nothing, up to 1000000 Ah: Q.
    pub capacity: Charge,
    /// The voltage when full, at `typical_current`; 1 mV to 1 kV.
    pub full_voltage: Voltage,
    /// The voltage at the end of the exponential zone, where the first steep fall
    /// is over; below `full_voltage`.
    pub exponential_voltage: Voltage,
    /// What has been drawn by then; 1 % of `capacity` or more.
    pub exponential_charge: Charge,
    /// The voltage at the end of the nominal zone, where the last steep fall
    /// begins; below `exponential_voltage`.
    pub nominal_voltage: Voltage,
    /// What has been drawn by then; above `exponential_charge`, up to 99.9 % of
    /// `capacity`.
    pub nominal_charge: Charge,
    /// The internal resistance, up to 1000 ohm: R.
    pub resistance: Resistance,
    /// The current at which the curve was taken.
    pub typical_current: Current,
    /// The voltage at which the battery is empty: below `nominal_voltage`, and
    /// more than half of that when full and at rest.
    pub cut_off_voltage: Voltage,
}

impl Config {
    pub(super) fn wrong(&self) -> Wrong {
        let mut checks = Checks::default();
        checks.charge(self.capacity, "capacity");
        checks.voltage(self.full_voltage, "full_voltage");
        checks.current(self.typical_current, "typical_current");
        let capacity = self.capacity.as_attocoulombs();
        let part = |charge: Charge, per_mille| {
            charge.as_attocoulombs().saturating_mul(1_000) / per_mille >= capacity
        };
        checks.check(
            self.exponential_voltage < self.full_voltage,
            "full_voltage",
            "more than `exponential_voltage`",
        );
        checks.check(
            self.nominal_voltage < self.exponential_voltage,
            "exponential_voltage",
            "more than `nominal_voltage`",
        );
        checks.check(
            part(self.exponential_charge, 10) && self.exponential_charge < self.nominal_charge,
            "exponential_charge",
            "1 % of `capacity` or more, less than `nominal_charge`",
        );
        checks.check(
            !part(self.nominal_charge, 999),
            "nominal_charge",
            "less than 99.9 % of `capacity`",
        );
        let most = Resistance::from_microohms(1_000_000_000);
        checks.check(self.resistance <= most, "resistance", "up to 1000 ohm");
        let drop = self.resistance.as_ohms_f64() * self.typical_current.as_amperes_f64();
        let at_rest = self.full_voltage.as_volts_f64() + drop;
        checks.check(
            self.cut_off_voltage < self.nominal_voltage
                && 2.0 * self.cut_off_voltage.as_volts_f64() > at_rest,
            "cut_off_voltage",
            "below `nominal_voltage`, above half of the voltage when full and at rest",
        );
        checks.done()
    }
}

/// Five points of Gauss and Legendre on −1 to 1, and their weights.
const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
    (0.906_179_845_938_664, 0.236_926_885_056_189_1),
];

/// More panels than any valid curve has.
const PANELS: usize = 2_048;
/// In less than this part of a panel, the voltage in the middle is that of all.
const SHORT: f64 = 1e-4;
/// Nearer to the cut-off than this, the time that is left is worked out.
const CAUTION_V: f64 = 1e-6;

/// A discharge curve: voltages in volts, charges in ampere-hours.
#[derive(Clone, Debug)]
struct Curve {
    capacity: f64,
    e0: f64,
    k: f64,
    a: f64,
    b: f64,
    resistance: f64,
    cut_off: f64,
}

impl Curve {
    fn new(config: &Config) -> Self {
        let hours = |charge: Charge| charge.as_coulombs_f64() / 3_600.0;
        let capacity = hours(config.capacity);
        let resistance = config.resistance.as_ohms_f64();
        let current = config.typical_current.as_amperes_f64();
        let full = config.full_voltage.as_volts_f64();
        let nominal = hours(config.nominal_charge);
        let a = full - config.exponential_voltage.as_volts_f64();
        let b = 3.0 / hours(config.exponential_charge);
        let e0 = full + resistance * current - a;
        let fallen = e0 - config.nominal_voltage.as_volts_f64() - resistance * current
            + a * libm::exp(-b * nominal);
        let k = fallen * (capacity - nominal) / (capacity * (nominal + current));
        let cut_off = config.cut_off_voltage.as_volts_f64();
        Self { capacity, e0, k, a, b, resistance, cut_off }
    }

    /// The voltage at rest after `q`.
    fn open_circuit(&self, q: f64) -> f64 {
        self.e0 - self.k * self.capacity / (self.capacity - q) * q + self.a * libm::exp(-self.b * q)
    }

    /// What a current meets after `q`, in ohms.
    fn resistance(&self, q: f64) -> f64 {
        self.resistance + self.k * self.capacity / (self.capacity - q)
    }

    /// The voltage under `watts` after `q`: the greater solution of
    /// V² − V_rest V + r P = 0.
    fn voltage(&self, q: f64, watts: f64) -> f64 {
        let at_rest = self.open_circuit(q);
        let under_root = at_rest * at_rest - 4.0 * self.resistance(q) * watts;
        0.5 * (at_rest + libm::sqrt(under_root.max(0.0)))
    }

    /// By how much the voltage would exceed the cut-off if the current were what
    /// `watts` draw there: positive as long as the battery is not empty, zero at
    /// the cut-off.
    fn margin(&self, q: f64, watts: f64) -> f64 {
        self.open_circuit(q) - self.resistance(q) * watts / self.cut_off - self.cut_off
    }

    /// How far to integrate in one go from `q` on: the fall at the end is an
    /// inverse of what is left, that at the beginning an exponential.
    fn panel(&self, q: f64) -> f64 {
        ((self.capacity - q) / 16.0).min((0.5 / self.b).max(q / 8.0))
    }

    /// The watt-hours between `q` and `q + panel` under `watts`.
    fn work(&self, q: f64, panel: f64, watts: f64) -> f64 {
        let half = 0.5 * panel;
        let at = |(x, weight): (f64, f64)| weight * self.voltage(q + half * (1.0 + x), watts);
        half * GAUSS.into_iter().map(at).sum::<f64>()
    }

    /// The charge that `watts` draw from `q` on while they do `work` watt-hours,
    /// less than those of a panel.
    fn charge_of(&self, q: f64, work: f64, watts: f64, panel: f64) -> f64 {
        let mut charge = work / self.voltage(q, watts);
        if charge < SHORT * panel {
            return work / self.voltage(q + 0.5 * charge, watts);
        }
        // Newton's method squares the error, and a panel bends by a tenth at most.
        for _ in 0..4 {
            let excess = self.work(q, charge, watts) - work;
            charge -= excess / self.voltage(q + charge, watts);
        }
        charge
    }

    /// Where `watts` bring the voltage down to the cut-off, from `q` on.
    fn end(&self, q: f64, watts: f64) -> f64 {
        let (mut low, mut high) = (q, self.capacity);
        for _ in 0..64 {
            let middle = 0.5 * (low + high);
            *(if self.margin(middle, watts) > 0.0 { &mut low } else { &mut high }) = middle;
        }
        low
    }

    /// The watt-hours between `from` and `to` at rest: the integral of the
    /// voltage in closed form.
    fn work_at_rest(&self, from: f64, to: f64) -> f64 {
        let until = |q: f64| {
            let capacity = self.capacity;
            self.e0 * q + self.k * capacity * (q + capacity * libm::log1p(-q / capacity))
                - self.a / self.b * libm::expm1(-self.b * q)
        };
        until(to) - until(from)
    }
}

/// A battery by its discharge curve.
#[derive(Clone, Debug)]
pub(super) struct Shepherd {
    curve: Curve,
    drawn: Drawn,
    /// Where a vanishing load ends.
    last: f64,
}

/// The charge drawn, in ampere-hours, with what a single float would lose of many
/// short draws (Kahan's summation).
#[derive(Clone, Copy, Debug, Default)]
struct Drawn {
    q: f64,
    lost: f64,
}

impl Drawn {
    fn add(&mut self, charge: f64) {
        let charge = charge + self.lost;
        let sum = self.q + charge;
        self.lost = charge - (sum - self.q);
        self.q = sum;
    }
}

impl Shepherd {
    pub(super) fn new(config: &Config) -> Self {
        let curve = Curve::new(config);
        let last = curve.end(0.0, 0.0);
        Self { curve, drawn: Drawn::default(), last }
    }

    /// What has been drawn after `span` of `load`, or when the cut-off was
    /// passed.
    fn drawn_after(&self, load: Power, span: Duration) -> Drawn {
        let watts = load.as_watts_f64();
        let mut work = (load * span).as_joules_f64() / 3_600.0;
        let mut drawn = self.drawn;
        for _ in 0..PANELS {
            if self.curve.margin(drawn.q, watts) <= 0.0 {
                break;
            }
            let panel = self.curve.panel(drawn.q);
            // A panel does less than its beginning promises: most draws need no
            // integral to see that they end in it.
            if work > SHORT * panel * self.curve.cut_off {
                let whole = self.curve.work(drawn.q, panel, watts);
                if whole <= work {
                    work -= whole;
                    drawn.add(panel);
                    continue;
                }
            }
            drawn.add(self.curve.charge_of(drawn.q, work, watts, panel));
            break;
        }
        drawn
    }
}

impl Discharge for Shepherd {
    fn draw_safely(&mut self, _: Energy, load: Power, span: Duration) -> bool {
        if load.is_zero() {
            return true;
        }
        let drawn = self.drawn_after(load, span);
        let safe = self.curve.margin(drawn.q, load.as_watts_f64()) > CAUTION_V;
        if safe {
            self.drawn = drawn;
        }
        safe
    }

    fn draw(&mut self, load: Power, span: Duration) {
        self.drawn = self.drawn_after(load, span);
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "2^64 is exact, and what is cast is below it and not negative"
    )]
    fn lasts(&self, _: Energy, load: Power) -> Option<Duration> {
        if load.is_zero() {
            return None;
        }
        let watts = load.as_watts_f64();
        let mut q = self.drawn.q;
        let end = self.curve.end(q, watts);
        let mut work = 0.0;
        for _ in 0..PANELS {
            let panel = self.curve.panel(q).min(end - q);
            work += self.curve.work(q, panel, watts);
            q += panel;
            if q >= end {
                break;
            }
        }
        let ns = libm::ceil(work * 3_600.0 / watts * 1e9).max(1.0);
        (ns < u64::MAX as f64).then(|| Duration::from_nanos(ns as u64))
    }

    fn state_of_charge(&self, _: Energy) -> f64 {
        1.0 - self.drawn.q / self.curve.capacity
    }

    fn remaining(&self, _: Energy) -> Energy {
        let from = self.drawn.q.min(self.last);
        Energy::from_joules_f64(self.curve.work_at_rest(from, self.last) * 3_600.0)
    }
}

#[cfg(test)]
mod tests;
