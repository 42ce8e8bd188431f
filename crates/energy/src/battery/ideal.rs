//! A battery that gives as much at any load: exact integers.

use netjoule_units::{Duration, Energy, Power};
use serde::{Deserialize, Serialize};

use super::config::{Checks, Wrong};
use super::{Discharge, share_left};

/// Settings of an ideal battery.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// What it gives, up to 1 GWh.
    pub capacity: Energy,
}

impl Config {
    pub(super) fn wrong(&self) -> Wrong {
        let mut checks = Checks::default();
        let holds =
            self.capacity > Energy::ZERO && self.capacity <= Energy::from_joules(3_600_000_000_000);
        checks.check(holds, "capacity", "an energy above 0, up to 1000000 kWh");
        checks.done()
    }
}

/// An ideal battery: what has been delivered is all its state.
#[derive(Clone, Debug)]
pub(super) struct Ideal {
    capacity: Energy,
}

impl Ideal {
    pub(super) fn new(config: &Config) -> Self {
        Self { capacity: config.capacity }
    }
}

impl Discharge for Ideal {
    fn draw_safely(&mut self, delivered: Energy, load: Power, span: Duration) -> bool {
        delivered.saturating_add(load * span) < self.capacity
    }

    fn draw(&mut self, _: Power, _: Duration) {}

    fn lasts(&self, delivered: Energy, load: Power) -> Option<Duration> {
        self.remaining(delivered).time_at(load)
    }

    fn state_of_charge(&self, delivered: Energy) -> f64 {
        share_left(self.capacity, delivered)
    }

    fn remaining(&self, delivered: Energy) -> Energy {
        self.capacity.saturating_sub(delivered)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Battery, Config as Any};
    use super::*;

    fn battery(capacity: &str) -> Battery {
        Battery::new(&Any::Ideal(Config { capacity: capacity.parse().unwrap() }))
    }

    #[test]
    fn it_lasts_for_energy_by_power() {
        let battery = battery("38 Wh");
        let lasts = |load: &str| battery.lasts(load.parse().unwrap());
        assert_eq!(lasts("0.95 W"), Some(Duration::from_secs(40 * 3_600)));
        assert_eq!(lasts("19 W"), Some(Duration::from_secs(2 * 3_600)));
        assert_eq!(lasts("0 W"), None);
        assert_eq!(lasts("1 nW"), None);
    }

    #[test]
    fn the_last_nanosecond_may_take_too_much() {
        let mut battery = battery("10 aJ");
        let load = Power::from_nanowatts(3);
        assert_eq!(battery.lasts(load), Some(Duration::from_nanos(4)));
        assert_eq!(battery.draw(load, Duration::from_secs(1)), Duration::from_nanos(4));
        assert!(battery.is_depleted());
        assert_eq!(battery.delivered(), Energy::from_attojoules(12));
        assert_eq!(battery.remaining(), Energy::ZERO);
        assert_eq!(battery.lasts(load), Some(Duration::ZERO));
        assert_eq!(battery.draw(load, Duration::from_secs(1)), Duration::ZERO);
    }
}
