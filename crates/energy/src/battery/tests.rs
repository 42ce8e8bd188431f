//! What holds of every model.

use netjoule_units::{Charge, Current, Resistance, Voltage};
use proptest::prelude::*;

use super::*;

/// Loads one after the other.
type Loads = Vec<(Power, Duration)>;

fn charge() -> impl Strategy<Value = Charge> {
    (50u64..20_000).prop_map(Charge::from_milliampere_hours)
}

fn voltage() -> impl Strategy<Value = Voltage> {
    (1_000u64..15_000).prop_map(Voltage::from_millivolts)
}

fn ideal() -> impl Strategy<Value = Config> {
    (100u64..300_000)
        .prop_map(|joules| Config::Ideal(ideal::Config { capacity: Energy::from_joules(joules) }))
}

fn peukert() -> impl Strategy<Value = Config> {
    (charge(), 10u64..5_000, 1.0..1.5f64, voltage()).prop_map(
        |(capacity, rated, exponent, voltage)| {
            let rated_current = Current::from_milliamperes(rated);
            Config::Peukert(peukert::Config { capacity, rated_current, exponent, voltage })
        },
    )
}

fn kibam() -> impl Strategy<Value = Config> {
    (charge(), 0.05..1.0f64, -2.0..2.0f64, voltage()).prop_map(|(capacity, c, k, voltage)| {
        let k_per_h = libm::exp10(k);
        Config::Kibam(kibam::Config { capacity, c, k_per_h, voltage })
    })
}

fn diffusion() -> impl Strategy<Value = Config> {
    (charge(), 0.05..2.0f64, voltage()).prop_map(|(alpha, beta_per_sqrt_min, voltage)| {
        Config::RakhmatovVrudhula(rakhmatov_vrudhula::Config { alpha, beta_per_sqrt_min, voltage })
    })
}

/// Curves between a flat one and a steep one, of cells and packs.
fn shepherd() -> impl Strategy<Value = Config> {
    let points = (0.02..0.7f64, 0.75..0.97f64, 0.01..0.1f64, 0.01..0.1f64);
    (charge(), voltage(), points, 0u64..20_000, 10u64..3_000).prop_map(
        |(capacity, full, (q_exp, q_nom, fall, further), resistance, current)| {
            let part = |share: f64| {
                let charge = capacity.as_attocoulombs() as f64 * share;
                Charge::from_attocoulombs(charge as u128)
            };
            let level =
                |share: f64| Voltage::from_microvolts((full.as_microvolts() as f64 * share) as u64);
            Config::Shepherd(shepherd::Config {
                capacity,
                full_voltage: full,
                exponential_voltage: level(1.0 - fall),
                exponential_charge: part(q_exp),
                nominal_voltage: level(1.0 - fall - further),
                nominal_charge: part(q_nom),
                resistance: Resistance::from_microohms(resistance),
                typical_current: Current::from_milliamperes(current),
                cut_off_voltage: level(0.75),
            })
        },
    )
}

fn any_battery() -> impl Strategy<Value = Config> {
    prop_oneof![ideal(), peukert(), kibam(), diffusion(), shepherd()]
        .prop_filter("a valid battery", |config| config.validate().is_ok())
}

fn load() -> impl Strategy<Value = Power> {
    prop_oneof![
        1 => Just(Power::ZERO),
        4 => (0u64..8_000).prop_map(Power::from_milliwatts),
        1 => (0u64..1 << 34).prop_map(Power::from_nanowatts),
    ]
}

fn span() -> impl Strategy<Value = Duration> {
    prop_oneof![
        (0u64..1 << 42).prop_map(Duration::from_nanos),
        (0u64..1 << 30).prop_map(Duration::from_nanos),
    ]
}

fn loads() -> impl Strategy<Value = Loads> {
    prop::collection::vec((load(), span()), 0..12)
}

fn after(config: &Config, loads: &Loads) -> Battery {
    let mut battery = Battery::new(config);
    for &(load, span) in loads {
        battery.draw(load, span);
    }
    battery
}

const NS: Duration = Duration::from_nanos(1);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// What has been delivered is the sum of power times time, and charge only
    /// falls.
    #[test]
    fn nothing_is_lost(config in any_battery(), loads in loads()) {
        let mut battery = Battery::new(&config);
        let (mut sum, mut charge) = (Energy::ZERO, battery.state_of_charge());
        prop_assert!((charge - 1.0).abs() < 1e-12);
        for (load, span) in loads {
            let remaining = battery.remaining();
            let supplied = battery.draw(load, span);
            prop_assert!(supplied == span || battery.is_depleted());
            sum += load * supplied;
            prop_assert_eq!(battery.delivered(), sum);
            prop_assert!(battery.state_of_charge() <= charge);
            prop_assert!(battery.remaining() <= remaining);
            charge = battery.state_of_charge();
        }
        if battery.is_depleted() {
            prop_assert_eq!(battery.lasts(Power::ZERO), Some(Duration::ZERO));
        }
    }

    /// Drawing exactly what a battery lasts empties it; one nanosecond less does
    /// not.
    #[test]
    fn it_lasts_as_long_as_it_says(config in any_battery(), loads in loads(), load in load()) {
        let battery = after(&config, &loads);
        if battery.is_depleted() {
            return Ok(());
        }
        let Some(lasts) = battery.lasts(load) else {
            let mut forever = battery;
            prop_assert_eq!(forever.draw(load, Duration::MAX), Duration::MAX);
            prop_assert!(!forever.is_depleted());
            return Ok(());
        };
        prop_assert!(lasts >= NS);
        for (span, empty) in
            [(lasts.saturating_sub(NS), false), (lasts, true), (Duration::MAX, true)]
        {
            let mut drawn = battery.clone();
            prop_assert_eq!(drawn.draw(load, span), span.min(lasts));
            prop_assert_eq!(drawn.is_depleted(), empty);
        }
    }

    /// A load in many pieces does what it does in one: exactly for an ideal
    /// battery and by Peukert's law, otherwise within a billionth of what is
    /// left, or a microsecond.
    #[test]
    fn pieces_make_a_whole(
        config in any_battery(),
        loads in loads(),
        (load, span, cuts) in (load(), span(), prop::collection::vec(0.0..1.0f64, 1..40)),
        next in load(),
    ) {
        let mut whole = after(&config, &loads);
        if whole.is_depleted() {
            return Ok(());
        }
        let mut pieces = whole.clone();
        whole.draw(load, span);
        let total = span.as_nanos() as f64;
        let mut cuts: Vec<u64> = cuts.iter().map(|cut| (cut * total) as u64).collect();
        cuts.push(span.as_nanos());
        cuts.sort_unstable();
        let mut before = 0;
        for cut in cuts {
            pieces.draw(load, Duration::from_nanos(cut - before));
            before = cut;
        }
        let exact = matches!(config, Config::Ideal(_) | Config::Peukert(_));
        let near = |one: Duration, other: Duration| {
            let tolerance = (one.as_secs_f64() * 1e-9).max(1e-6);
            one == other || !exact && one.abs_diff(other).as_secs_f64() <= tolerance
        };
        if whole.is_depleted() || pieces.is_depleted() {
            let lived = |battery: &Battery| battery.delivered().time_at(load).unwrap();
            prop_assert!(near(lived(&whole), lived(&pieces)));
        } else {
            prop_assert_eq!(whole.delivered(), pieces.delivered());
            prop_assert!((whole.state_of_charge() - pieces.state_of_charge()).abs() < 1e-12);
            let [one, other] = [&whole, &pieces].map(|battery| battery.lasts(next));
            prop_assert!(
                near(one.unwrap_or(Duration::MAX), other.unwrap_or(Duration::MAX)),
                "{one:?} {other:?}"
            );
        }
    }

    /// Under loads that never exceed one, a battery lasts at least as long as
    /// under that one.
    #[test]
    fn the_greatest_load_is_the_shortest_life(config in any_battery(), loads in loads()) {
        let most = loads.iter().map(|&(load, _)| load).max().unwrap_or(Power::ZERO);
        let least = Battery::new(&config).lasts(most).unwrap_or(Duration::MAX);
        let mut battery = Battery::new(&config);
        let mut lived = 0.0;
        for &(load, span) in loads.iter().cycle().take(20 * loads.len()) {
            lived += battery.draw(load, span).as_secs_f64();
            if battery.is_depleted() {
                break;
            }
        }
        let least = least.as_secs_f64();
        prop_assert!(!battery.is_depleted() || lived >= least * (1.0 - 1e-9) - 1e-6);
    }
}

/// Millions of short draws do not drift: an hour of two alternating loads, each
/// for a quarter of a millisecond.
#[test]
fn short_draws_do_not_drift() {
    let text = |text: &str| toml::from_str::<Config>(text).unwrap();
    for config in [
        text("model = 'kibam'\ncapacity = '2 Ah'\nc = 0.6\nk_per_h = 0.7\nvoltage = '3.7 V'"),
        text(
            "model = 'rakhmatov_vrudhula'\nalpha = '35.22 Ah'\nbeta_per_sqrt_min = 0.637\n\
             voltage = '3.7 V'",
        ),
        text(
            "model = 'shepherd'\ncapacity = '2.33 Ah'\nfull_voltage = '4.17 V'\n\
             exponential_voltage = '3.714 V'\nexponential_charge = '1.74 Ah'\n\
             nominal_voltage = '3.57 V'\nnominal_charge = '2.14 Ah'\nresistance = '0 ohm'\n\
             typical_current = '466 mA'\ncut_off_voltage = '3 V'",
        ),
    ] {
        let load = Power::from_milliwatts(900);
        let mut short = Battery::new(&config);
        for _ in 0..14_400_000 {
            short.draw(load, Duration::from_micros(250));
        }
        let mut long = Battery::new(&config);
        long.draw(load, Duration::from_secs(3_600));
        assert_eq!(short.delivered(), long.delivered());
        let [short, long] = [short, long].map(|b| b.lasts(load).unwrap().as_secs_f64());
        assert!((short / long - 1.0).abs() < 1e-10, "{short} s, not {long} s: {config:?}");
    }
}
