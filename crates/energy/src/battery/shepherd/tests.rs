use super::super::{Battery, Config as Any};
use super::*;

/// Points that ns-3 reads off data sheets
/// (src/energy/model/generic-battery-model.h): Q, V_full, V_exp, q_exp, V_nom,
/// q_nom, R, i, cut-off.
const SHEETS: [(&str, [&str; 9]); 4] = [
    (
        "Panasonic CGR18650DA (Li-ion)",
        [
            "2.33 Ah", "4.17 V", "3.714 V", "1.74 Ah", "3.57 V", "2.14 Ah", "83 mohm", "466 mA",
            "3 V",
        ],
    ),
    (
        "Panasonic HHR650D (NiMH)",
        ["7 Ah", "1.39 V", "1.28 V", "1.3 Ah", "1.18 V", "6.25 Ah", "4.6 mohm", "1.3 A", "1 V"],
    ),
    (
        "CSB GP1272 (lead acid)",
        ["7.2 Ah", "12.8 V", "12.5 V", "2 Ah", "11.5 V", "4.5 Ah", "56 mohm", "0.36 A", "8 V"],
    ),
    (
        "Panasonic N-700AAC (NiCd)",
        ["0.79 Ah", "1.38 V", "1.25 V", "0.24 Ah", "1.17 V", "0.6 Ah", "16 mohm", "0.7 A", "0.8 V"],
    ),
];

fn config(sheet: &[&str; 9]) -> Config {
    Config {
        capacity: sheet[0].parse().unwrap(),
        full_voltage: sheet[1].parse().unwrap(),
        exponential_voltage: sheet[2].parse().unwrap(),
        exponential_charge: sheet[3].parse().unwrap(),
        nominal_voltage: sheet[4].parse().unwrap(),
        nominal_charge: sheet[5].parse().unwrap(),
        resistance: sheet[6].parse().unwrap(),
        typical_current: sheet[7].parse().unwrap(),
        cut_off_voltage: sheet[8].parse().unwrap(),
    }
}

fn configs() -> impl Iterator<Item = (&'static str, Config)> {
    SHEETS.iter().map(|(name, sheet)| (*name, config(sheet)))
}

fn hours(charge: Charge) -> f64 {
    charge.as_coulombs_f64() / 3_600.0
}

/// The formula by itself: the voltage at a current, not at a power.
fn voltage_at(curve: &Curve, q: f64, i: f64) -> f64 {
    curve.e0 - curve.resistance * i - curve.k * curve.capacity / (curve.capacity - q) * (q + i)
        + curve.a * libm::exp(-curve.b * q)
}

/// The constants are made so that the nominal point is met, the full one but for
/// K i, the exponential one but for what is left of the exponential (A e^-3) and
/// the fall in the K term.
#[test]
fn the_curve_passes_the_points_of_the_sheet() {
    for (name, config) in configs() {
        assert_eq!(config.wrong(), [], "{name}");
        let curve = Curve::new(&config);
        let i = config.typical_current.as_amperes_f64();
        let off = |charge: Charge, voltage: Voltage| {
            voltage_at(&curve, hours(charge), i) - voltage.as_volts_f64()
        };
        assert!(off(config.nominal_charge, config.nominal_voltage).abs() < 1e-12, "{name}");
        let full = off(Charge::ZERO, config.full_voltage);
        assert!((full + curve.k * i).abs() < 1e-12, "{name}: {full} V");
        assert!(full.abs() < 0.01 * config.full_voltage.as_volts_f64(), "{name}: {full} V");
        let exponential = off(config.exponential_charge, config.exponential_voltage);
        let relative = exponential / config.exponential_voltage.as_volts_f64();
        assert!(relative.abs() < 0.05, "{name}: {exponential} V");
    }
}

#[test]
fn under_power_the_voltage_is_that_of_the_current_it_draws() {
    for (name, config) in configs() {
        let curve = Curve::new(&config);
        for part in [0.0, 0.1, 0.5, 0.8, 0.93] {
            let q = part * curve.capacity;
            for watts in [0.01, 0.3, 1.5] {
                let voltage = curve.voltage(q, watts);
                let carried = curve.margin(q, watts) > 0.0;
                assert_eq!(voltage > curve.cut_off, carried, "{name}");
                let expected = voltage_at(&curve, q, watts / voltage);
                assert!(!carried || (voltage / expected - 1.0).abs() < 1e-12, "{name}");
            }
        }
    }
}

/// Small steps of time, each at the current that the voltage before it gives.
#[test]
fn it_lasts_as_long_as_its_curve_integrated_over_time() {
    for (name, config) in configs() {
        let curve = Curve::new(&config);
        let nominal = config.nominal_voltage.as_volts_f64();
        // In two hours, in half an hour.
        for rate in [0.5, 2.0] {
            let load = Power::from_nanowatts((rate * nominal * curve.capacity * 1e9) as u64);
            let watts = load.as_watts_f64();
            let h = 1e-5;
            let (mut q, mut expected) = (0.0, 0.0);
            while curve.voltage(q, watts) > curve.cut_off {
                let middle = q + 0.5 * h * watts / curve.voltage(q, watts);
                q += h * watts / curve.voltage(middle, watts);
                expected += h;
            }
            let battery = Battery::new(&Any::Shepherd(config.clone()));
            let lasts = battery.lasts(load).unwrap().as_secs_f64() / 3_600.0;
            assert!((lasts - expected).abs() <= 1.01 * h, "{name}: {lasts} h, not {expected} h");
        }
    }
}

#[test]
fn greater_loads_get_less_out_of_it() {
    for (name, config) in configs() {
        let battery = Battery::new(&Any::Shepherd(config));
        let given = |mw: u64| {
            let load = Power::from_milliwatts(mw);
            (load * battery.lasts(load).unwrap()).as_joules_f64()
        };
        assert!([1, 10, 100, 1_000, 4_000].is_sorted_by(|&a, &b| given(a) > given(b)), "{name}");
        let nearly_all = given(1) / battery.remaining().as_joules_f64();
        assert!((0.999..1.0).contains(&nearly_all), "{name}: {nearly_all}");
    }
}

#[test]
fn what_it_cannot_carry_ends_it_at_once() {
    let (_, config) = configs().next().unwrap();
    let mut battery = Battery::new(&Any::Shepherd(config));
    let load = Power::from_watts(200);
    assert_eq!(battery.lasts(load), Some(Duration::from_nanos(1)));
    assert_eq!(battery.draw(load, Duration::ZERO), Duration::ZERO);
    assert!(!battery.is_depleted());
    assert_eq!(battery.draw(load, Duration::from_secs(1)), Duration::from_nanos(1));
    assert!(battery.is_depleted());
}

#[test]
fn the_work_at_rest_is_the_integral_of_the_voltage() {
    for (name, config) in configs() {
        let battery = Shepherd::new(&config);
        let curve = &battery.curve;
        let n = 200_000;
        let width = battery.last / f64::from(n);
        let sum: f64 =
            (0..n).map(|i| curve.open_circuit((f64::from(i) + 0.5) * width) * width).sum();
        let closed = curve.work_at_rest(0.0, battery.last);
        assert!((closed / sum - 1.0).abs() < 1e-8, "{name}: {closed} Wh, not {sum} Wh");
    }
}
