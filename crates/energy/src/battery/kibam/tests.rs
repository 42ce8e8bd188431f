use netjoule_units::{Duration, Power};

use super::super::{Battery, Config as Any};
use super::*;

/// A battery of 1 V, so that watts are amperes.
fn battery(ampere_hours: u64, c: f64, k_per_h: f64) -> Battery {
    let capacity = Charge::from_milliampere_hours(1_000 * ampere_hours);
    let voltage = Voltage::from_millivolts(1_000);
    Battery::new(&Any::Kibam(Config { capacity, c, k_per_h, voltage }))
}

fn amperes(current: f64) -> Power {
    Power::from_nanowatts((current * 1e9) as u64)
}

fn hours(span: Duration) -> f64 {
    span.as_secs_f64() / 3_600.0
}

/// The two wells in ampere-hours, by their differential equations and nothing
/// else, in steps of Runge and Kutta.
struct Wells {
    y: [f64; 2],
    c: f64,
    k: f64,
}

impl Wells {
    fn full(capacity: f64, c: f64, k: f64) -> Self {
        Self { y: [c * capacity, (1.0 - c) * capacity], c, k }
    }

    fn slope(&self, y: [f64; 2], current: f64) -> [f64; 2] {
        let conductance = self.k * self.c * (1.0 - self.c);
        let flow = conductance * (y[1] / (1.0 - self.c) - y[0] / self.c);
        [flow - current, -flow]
    }

    fn step(&mut self, current: f64, h: f64) {
        let ahead = |y: [f64; 2], d: [f64; 2], h: f64| [y[0] + h * d[0], y[1] + h * d[1]];
        let d1 = self.slope(self.y, current);
        let d2 = self.slope(ahead(self.y, d1, h / 2.0), current);
        let d3 = self.slope(ahead(self.y, d2, h / 2.0), current);
        let d4 = self.slope(ahead(self.y, d3, h), current);
        for i in 0..2 {
            self.y[i] += h / 6.0 * (d1[i] + 2.0 * d2[i] + 2.0 * d3[i] + d4[i]);
        }
    }

    /// Hours until the first well is empty.
    fn lasts(&mut self, current: f64, h: f64) -> f64 {
        let mut hours = 0.0;
        loop {
            let before = self.y[0];
            self.step(current, h);
            if self.y[0] <= 0.0 {
                return hours + h * before / (before - self.y[0]);
            }
            hours += h;
        }
    }
}

#[test]
fn it_follows_its_differential_equations() {
    for (c, k) in [(0.625, 0.69), (0.166, 0.122), (0.3, 12.0), (0.9, 0.01)] {
        let mut battery = battery(4, c, k);
        let mut wells = Wells::full(4.0, c, k);
        for (current, minutes) in [(0.2, 30), (1.5, 6), (0.0, 45), (0.05, 60), (0.8, 12)] {
            battery.draw(amperes(current), Duration::from_secs(60 * minutes));
            for _ in 0..200 {
                wells.step(current, minutes as f64 / 60.0 / 200.0);
            }
        }
        assert!(!battery.is_depleted());
        let drawn = 0.1 + 0.15 + 0.05 + 0.16;
        assert!((battery.state_of_charge() - (1.0 - drawn / 4.0)).abs() < 1e-12);
        for current in [0.1, 0.5, 2.0] {
            let lasts = hours(battery.lasts(amperes(current)).unwrap());
            let mut rest = Wells { y: wells.y, c, k };
            let expected = rest.lasts(current, 1e-4);
            assert!((lasts / expected - 1.0).abs() < 1e-6, "{lasts} h, not {expected} h");
        }
    }
}

/// The first well after t at I, from the closed form of Manwell and McGowan.
#[test]
fn it_is_empty_where_the_closed_form_is_zero() {
    let (capacity, c, k, current) = (10.0, 0.4, 0.8, 2.5);
    let t = hours(battery(10, c, k).lasts(amperes(current)).unwrap());
    let decay = libm::exp(-k * t);
    let first = c * capacity * decay + (capacity * k * c - current) * (1.0 - decay) / k
        - current * c * (k * t - 1.0 + decay) / k;
    assert!(first.abs() < 1e-9, "{first} Ah after {t} h");
}

#[test]
fn slow_discharges_give_all_and_fast_ones_the_first_well() {
    let battery = battery(10, 0.4, 0.8);
    let given = |current: f64| current * hours(battery.lasts(amperes(current)).unwrap());
    assert!((given(1e-5) - 10.0).abs() < 1e-4, "{} Ah", given(1e-5));
    assert!((given(1e5) - 4.0).abs() < 1e-3, "{} Ah", given(1e5));
    let currents = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0];
    assert!(currents.is_sorted_by(|&slow, &fast| given(slow) > given(fast)));
}

#[test]
fn a_rest_brings_charge_back_up_to_the_level_of_both_wells() {
    let mut battery = battery(10, 0.4, 0.8);
    let heavy = amperes(8.0);
    let before = battery.lasts(heavy).unwrap();
    battery.draw(heavy, before / 10 * 9);
    let mut lasts = battery.lasts(heavy).unwrap();
    let charge = battery.state_of_charge();
    for _ in 0..8 {
        assert_eq!(
            battery.draw(Power::ZERO, Duration::from_secs(3_600)),
            Duration::from_secs(3_600)
        );
        let rested = battery.lasts(heavy).unwrap();
        assert!(rested > lasts, "{rested} after {lasts}");
        lasts = rested;
    }
    assert!((battery.state_of_charge() - charge).abs() < 1e-15);
    battery.draw(Power::ZERO, Duration::from_secs(3_600_000));
    // Level wells of a smaller battery: what is left of ten ampere-hours.
    let mut level = Wells::full(10.0 * charge, 0.4, 0.8);
    let expected = level.lasts(8.0, 1e-5);
    let rested = hours(battery.lasts(heavy).unwrap());
    assert!((rested / expected - 1.0).abs() < 1e-6, "{rested} h, not {expected} h");
}

#[test]
fn one_well_is_an_ideal_battery() {
    let battery = battery(10, 1.0, 0.8);
    for current in [1, 20, 400] {
        let lasts = battery.lasts(Power::from_watts(current)).unwrap();
        let expected = Duration::from_secs(36_000) / current;
        assert!(lasts.abs_diff(expected) <= Duration::from_nanos(100), "{lasts}");
    }
}
