//! Peukert's law: the greater the current, the less charge there is.
//!
//! At its rated current I_r a battery of charge C lasts for C/I_r; at a current I
//! for (C/I_r) (I_r/I)^k (Peukert 1897, in the form that has the hour rating in
//! it). A load that changes uses up the reciprocal of that in every unit of
//! time, as a fraction of the whole: the law itself is about constant currents
//! only. There is no recovery, and below its rated current a battery gives more
//! than its rated charge, without bound, for that is what the law says.

use netjoule_units::{Charge, Current, Duration, Energy, Power, Voltage};
use serde::{Deserialize, Serialize};

use super::Discharge;
use super::config::{Checks, Wrong};

/// Settings of a battery by Peukert's law.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// What it gives at `rated_current`, up to 1000000 Ah.
    pub capacity: Charge,
    /// The current at which `capacity` was measured: a capacity of 100 Ah "at
    /// 20 h" is one at 5 A.
    pub rated_current: Current,
    /// Peukert's exponent k, 1 to 2; 1 is an ideal battery.
    pub exponent: f64,
    /// The nominal voltage, by which power becomes current; 1 mV to 1 kV.
    pub voltage: Voltage,
}

impl Config {
    pub(super) fn wrong(&self) -> Wrong {
        let mut checks = Checks::default();
        checks.charge(self.capacity, "capacity");
        checks.voltage(self.voltage, "voltage");
        checks.current(self.rated_current, "rated_current");
        checks.check((1.0..=2.0).contains(&self.exponent), "exponent", "a number from 1 to 2");
        checks.done()
    }
}

/// All that there is to use up. Fractions of it are integers, so that a load
/// uses up as much in one piece as in many.
const WHOLE: u128 = 1 << 120;

/// A battery by Peukert's law.
#[derive(Clone, Debug)]
pub(super) struct Peukert {
    exponent: f64,
    /// The load in watts that draws the rated current.
    rated_w: f64,
    /// How much of the whole that load uses up in a nanosecond.
    rated_use_per_ns: f64,
    /// What the whole is worth at the rated current.
    capacity: Energy,
    used: u128,
}

impl Peukert {
    #[expect(clippy::cast_precision_loss, reason = "a power of two is exact")]
    pub(super) fn new(config: &Config) -> Self {
        let amperes = config.rated_current.as_amperes_f64();
        let lasts_ns = config.capacity.as_coulombs_f64() / amperes * 1e9;
        Self {
            exponent: config.exponent,
            rated_w: amperes * config.voltage.as_volts_f64(),
            rated_use_per_ns: WHOLE as f64 / lasts_ns,
            capacity: config.capacity.energy_at(config.voltage),
            used: 0,
        }
    }

    /// How much of the whole `load` uses up in a nanosecond.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative, and a load that is too great uses up the whole at once"
    )]
    fn use_per_ns(&self, load: Power) -> u128 {
        let heavier = libm::pow(load.as_watts_f64() / self.rated_w, self.exponent);
        ((self.rated_use_per_ns * heavier) as u128).min(WHOLE)
    }

    fn used_after(&self, load: Power, span: Duration) -> u128 {
        let more = self.use_per_ns(load).saturating_mul(span.as_nanos().into());
        self.used.saturating_add(more)
    }

    #[expect(clippy::cast_precision_loss, reason = "a ratio, for display and estimates")]
    fn share_left(&self) -> f64 {
        WHOLE.saturating_sub(self.used) as f64 / WHOLE as f64
    }
}

impl Discharge for Peukert {
    fn draw_safely(&mut self, _: Energy, load: Power, span: Duration) -> bool {
        let used = self.used_after(load, span);
        let safe = used < WHOLE;
        if safe {
            self.used = used;
        }
        safe
    }

    fn draw(&mut self, load: Power, span: Duration) {
        self.used = self.used_after(load, span);
    }

    fn lasts(&self, _: Energy, load: Power) -> Option<Duration> {
        let ns = match self.use_per_ns(load) {
            0 => return None,
            used => WHOLE.saturating_sub(self.used).div_ceil(used),
        };
        u64::try_from(ns).ok().map(Duration::from_nanos)
    }

    fn state_of_charge(&self, _: Energy) -> f64 {
        self.share_left()
    }

    fn remaining(&self, _: Energy) -> Energy {
        Energy::from_joules_f64(self.capacity.as_joules_f64() * self.share_left())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Battery, Config as Any};
    use super::*;

    fn battery(exponent: f64) -> Battery {
        Battery::new(&Any::Peukert(Config {
            capacity: "100 Ah".parse().unwrap(),
            rated_current: "5 A".parse().unwrap(),
            exponent,
            voltage: "12 V".parse().unwrap(),
        }))
    }

    fn hours(battery: &Battery, amperes: u64) -> f64 {
        battery.lasts(Power::from_watts(12 * amperes)).unwrap().as_secs_f64() / 3_600.0
    }

    /// t = H (C / (I H))^k with H = 20 h.
    #[test]
    fn it_follows_the_closed_form() {
        for (exponent, amperes) in [(1.0, 20), (1.1, 10), (1.3, 5), (1.3, 10), (1.3, 50), (1.6, 1)]
        {
            let expected = 20.0 * libm::pow(5.0 / amperes as f64, exponent);
            let lasts = hours(&battery(exponent), amperes);
            assert!((lasts / expected - 1.0).abs() < 1e-12, "{lasts} h, not {expected} h");
        }
    }

    #[test]
    fn twice_the_current_lasts_for_one_in_two_to_the_exponent() {
        let battery = battery(1.25);
        for amperes in [1, 2, 5, 17, 80] {
            let ratio = hours(&battery, amperes) / hours(&battery, 2 * amperes);
            assert!((ratio - libm::pow(2.0, 1.25)).abs() < 1e-11, "{ratio}");
        }
    }

    #[test]
    fn half_the_time_at_each_of_two_currents_is_the_whole() {
        let mut battery = battery(1.3);
        let (light, heavy) = (Power::from_watts(24), Power::from_watts(240));
        let halves = [light, heavy].map(|load| battery.lasts(load).unwrap() / 2);
        assert_eq!(battery.draw(light, halves[0]), halves[0]);
        assert!((battery.state_of_charge() - 0.5).abs() < 1e-12);
        let left = battery.lasts(heavy).unwrap();
        assert!(left.abs_diff(halves[1]) <= Duration::from_nanos(2));
    }

    #[test]
    fn extreme_loads_end_at_once_or_never() {
        let battery = battery(1.3);
        assert_eq!(battery.lasts(Power::ZERO), None);
        assert_eq!(battery.lasts(Power::from_nanowatts(1)), None);
        assert!(battery.lasts(Power::MAX).unwrap() < Duration::from_secs(1));
    }
}
