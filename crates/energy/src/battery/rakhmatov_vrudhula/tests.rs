use netjoule_units::{Duration, Power};

use super::super::{Battery, Config as Any};
use super::*;

/// A load in milliamperes, and the minute at which it begins.
type Load = (f64, f64);

/// A battery of 1 V, so that watts are amperes; `alpha` in mA·min.
fn battery(alpha: u64, beta_per_sqrt_min: f64) -> Battery {
    let alpha = Charge::from_attocoulombs(u128::from(alpha) * 60_000_000_000_000_000);
    let voltage = Voltage::from_millivolts(1_000);
    Battery::new(&Any::RakhmatovVrudhula(Config { alpha, beta_per_sqrt_min, voltage }))
}

fn milliamperes(current: f64) -> Power {
    Power::from_nanowatts((current * 1e6).round() as u64)
}

fn minutes(span: Duration) -> f64 {
    span.as_secs_f64() / 60.0
}

/// How long `battery` lives under `loads`, the last of which does not end.
fn lifetime(mut battery: Battery, loads: &[Load]) -> f64 {
    let mut lived = 0.0;
    for (i, &(current, begins)) in loads.iter().enumerate() {
        let span = match loads.get(i + 1) {
            Some((_, ends)) => Duration::from_secs_f64((ends - begins) * 60.0),
            None => Duration::MAX,
        };
        lived += minutes(battery.draw(milliamperes(current), span));
        if battery.is_depleted() {
            break;
        }
    }
    lived
}

/// σ in mA·min by the sum over the whole history, as the authors have it.
fn sigma(beta: f64, loads: &[Load], t: f64) -> f64 {
    let mut sigma = 0.0;
    for (i, &(current, begins)) in loads.iter().enumerate() {
        let ends = loads.get(i + 1).map_or(t, |next| next.1.min(t));
        if begins >= t {
            break;
        }
        let mut effect = ends - begins;
        for m in 1..=10 {
            let rate = beta * beta * f64::from(m * m);
            let decayed = libm::exp(-rate * (t - ends)) - libm::exp(-rate * (t - begins));
            effect += 2.0 * decayed / rate;
        }
        sigma += current * effect;
    }
    sigma
}

/// What is known of two batteries, from the tests of ns-3
/// (src/energy/examples/rv-battery-model-test.cc), which quote Rakhmatov,
/// Vrudhula and Wallach (ISLPED 2002).
const ITSY: (u64, f64) = (35_220, 0.637);
const DUALFOIL: (u64, f64) = (40_027, 0.276);

/// One load, a rest, the same load: C1 to C9 there, with the lifetimes of both
/// batteries.
const INTERRUPTED: [(f64, f64, f64, f64, f64); 9] = [
    (628.0, 19.5, 26.0, 55.0, 36.2),
    (494.7, 31.0, 41.3, 73.9, 55.8),
    (425.6, 41.0, 54.6, 88.8, 71.8),
    (292.3, 74.6, 99.5, 137.8, 124.9),
    (222.7, 105.7, 140.9, 185.8, 176.7),
    (628.0, 19.5, 29.9, 58.9, 41.0),
    (628.0, 19.5, 22.1, 51.1, 30.8),
    (628.0, 23.4, 29.9, 55.0, 37.4),
    (628.0, 15.6, 22.1, 55.0, 35.2),
];

/// Currents one after the other, with the minute at which the last begins, and
/// the lifetimes: C10 to C12 and C15 to C17 there.
fn varied() -> Vec<(Vec<Load>, f64, f64)> {
    let steps = |currents: &[f64], begins: &[f64]| -> Vec<Load> {
        currents.iter().copied().zip(begins.iter().copied()).collect()
    };
    let quarters = [0.0, 50.0, 100.0, 150.0, 200.0, 250.0];
    vec![
        (
            steps(
                &[300.0, 628.0, 494.7, 252.3, 234.1, 137.9, 113.9, 265.6],
                &[0.0, 0.5, 5.5, 10.5, 35.5, 60.5, 85.5, 110.5],
            ),
            144.3,
            132.6,
        ),
        (
            steps(
                &[300.0, 113.9, 137.9, 234.1, 252.3, 494.7, 628.0, 265.6],
                &[0.0, 0.5, 25.5, 50.5, 75.5, 100.5, 105.5, 110.5],
            ),
            144.3,
            107.4,
        ),
        (
            steps(
                &[300.0, 113.9, 137.9, 234.1, 252.3, 494.7, 0.0, 300.0, 628.0, 265.6],
                &[0.0, 0.5, 25.5, 50.5, 75.5, 100.5, 105.5, 130.5, 131.0, 136.0],
            ),
            169.3,
            155.4,
        ),
        (steps(&[222.7, 204.5, 108.3, 84.3, 222.7], &quarters), 211.4, 209.2),
        (steps(&[84.3, 108.3, 204.5, 222.7], &quarters), 211.4, 200.7),
        (steps(&[84.3, 108.3, 204.5, 0.0, 222.7], &quarters), 261.4, 251.2),
    ]
}

/// The same currents over and over: C13, C20 and C21 there.
fn repeated() -> Vec<(Vec<Load>, f64, f64)> {
    let repeat = |first: f64, period: f64, times: usize, steps: &[Load]| -> Vec<Load> {
        let periods = (0..times).map(|i| first + period * i as f64);
        let steps = |start: f64| steps.iter().map(move |&(current, at)| (current, start + at));
        periods.flat_map(steps).collect()
    };
    let falling =
        [(628.0, 0.0), (494.7, 1.0), (252.3, 2.0), (234.1, 7.0), (137.9, 12.0), (113.9, 17.0)];
    let mut c13 = vec![(300.0, 0.0)];
    c13.extend(repeat(0.5, 22.5, 5, &falling));
    c13.push((265.6, 110.5));
    let c20 = repeat(0.0, 2.0, 50, &[(494.7, 0.0), (628.0, 1.0)]);
    let c21 = repeat(0.0, 3.0, 50, &[(494.7, 0.0), (628.0, 1.0), (57.6, 2.0)]);
    vec![(c13, 144.3, 131.7), (c20, 55.3, 33.2), (c21, 79.6, 55.9)]
}

fn published() -> Vec<(Vec<Load>, f64, f64)> {
    let interrupted = |&(current, rests, resumes, itsy, dualfoil)| {
        (vec![(current, 0.0), (0.0, rests), (current, resumes)], itsy, dualfoil)
    };
    INTERRUPTED.iter().map(interrupted).chain(varied()).chain(repeated()).collect()
}

#[test]
fn the_itsy_lives_as_long_as_published() {
    for (loads, itsy, _) in published() {
        let lived = lifetime(battery(ITSY.0, ITSY.1), &loads);
        assert!((lived - itsy).abs() <= 0.1, "{lived} min, not {itsy} min: {loads:?}");
    }
}

/// Within what ns-3 itself allows, two minutes, though the parameters that it
/// gives come to within one only: those of the paper may differ.
#[test]
fn the_simulated_cell_lives_nearly_as_long_as_published() {
    for (loads, _, dualfoil) in published() {
        let lived = lifetime(battery(DUALFOIL.0, DUALFOIL.1), &loads);
        assert!((lived - dualfoil).abs() <= 0.8, "{lived} min, not {dualfoil} min: {loads:?}");
    }
}

/// ns-3 looks once a second; its lifetimes are those rounded up.
#[test]
fn constant_loads_live_as_long_as_in_ns3() {
    for (current, seconds) in
        [(640.0, 2_844), (320.0, 6_146), (128.0, 16_052), (64.0, 32_561), (32.0, 65_580)]
    {
        let lived = battery(ITSY.0, ITSY.1).lasts(milliamperes(current)).unwrap();
        assert_eq!(lived.ceil_to(Duration::from_secs(1)), Duration::from_secs(seconds));
    }
}

#[test]
fn ten_lags_are_the_sum_over_the_history() {
    for (alpha, beta) in [ITSY, DUALFOIL, (40_000, 0.05), (20_000, 3.0)] {
        let loads = (0..60).map(|i| (f64::from(i * 7_919 % 613), 0.7 * f64::from(i)));
        let loads: Vec<Load> = loads.collect();
        let lived = lifetime(battery(alpha, beta), &loads);
        let reached = sigma(beta, &loads, lived);
        assert!((reached / alpha as f64 - 1.0).abs() < 1e-9, "{reached} after {lived} min");
        let earlier = (0..10_000).map(|i| sigma(beta, &loads, lived * f64::from(i) / 1e4));
        assert!(earlier.fold(0.0, f64::max) < alpha as f64);
    }
}

#[test]
fn it_recovers_at_rest() {
    let mut battery = battery(ITSY.0, ITSY.1);
    let load = milliamperes(640.0);
    battery.draw(load, Duration::from_secs(2_700));
    let mut lasts = battery.lasts(load).unwrap();
    for _ in 0..5 {
        battery.draw(Power::ZERO, Duration::from_secs(60));
        let rested = battery.lasts(load).unwrap();
        assert!(rested > lasts, "{rested} after {lasts}");
        lasts = rested;
    }
}

#[test]
fn slow_discharges_give_alpha() {
    let given = 0.01 * minutes(battery(ITSY.0, ITSY.1).lasts(milliamperes(0.01)).unwrap());
    assert!((given / 35_220.0 - 1.0).abs() < 1e-5, "{given} mA min");
}
