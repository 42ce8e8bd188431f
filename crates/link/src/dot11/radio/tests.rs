use std::collections::BTreeMap;

use proptest::prelude::*;

use super::curves::{CCK_16, CCK_256, Spectrum};
use super::*;
use crate::dot11::phy::{CodeRate, Phy, PhyKind};

fn mode(kind: PhyKind, rate: &str) -> Mode {
    *kind.phy().mode(rate.parse().unwrap()).unwrap()
}

fn dbm(dbm: f64) -> PowerLevel {
    PowerLevel::from_dbm(dbm).unwrap()
}

fn metres(metres: u64) -> Distance {
    Distance::from_metres(metres)
}

/// The frame error rate of `psdu` bytes at `snr` decibels.
fn error(mode: &Mode, psdu: u64, snr: f64) -> f64 {
    curves::frame_error(mode, Bytes::new(psdu), libm::pow(10.0, snr / 10.0))
}

#[test]
fn a_budget_by_hand() {
    let radio = Radio::new(&Config::default());
    let received = |distance| format!("{:.2}", radio.received(distance).dbm());
    // 20 log (4π · 1 m / 12.3 cm) = 40.18 dB, then 30 dB a decade.
    assert_eq!(received(metres(1)), "-25.18");
    assert_eq!(received(metres(10)), "-55.18");
    assert_eq!(received(metres(100)), "-85.18");
    assert_eq!(received(Distance::from_millimetres(100)), "-25.18");
    // -173.98 + 73.42 + 7 = -93.55 dBm of noise.
    let cck = mode(PhyKind::B, "11 Mbit/s");
    let snr = radio.snr(cck.modulation, radio.received(metres(100)));
    assert_eq!(format!("{:.2}", snr.db()), "8.37");
}

#[test]
fn thresholds_are_the_first_level_that_counts() {
    let config = Config { carrier_sense: dbm(-90.0), sensitivity: dbm(-85.0), ..Config::default() };
    config.validate().unwrap();
    let radio = Radio::new(&config);
    assert!(radio.senses(dbm(-90.0)) && !radio.senses(dbm(-90.1)));
    assert!(radio.locks(dbm(-85.0)) && !radio.locks(dbm(-85.1)));
    let slow = mode(PhyKind::B, "1 Mbit/s");
    assert!(radio.frame_error(&slow, Bytes::new(1000), dbm(-85.0)).get() < 1e-9);
    assert!(radio.frame_error(&slow, Bytes::new(1000), dbm(-85.1)).is_one());
}

#[test]
fn the_faintest_frame_of_the_default_passes_at_the_lowest_rate() {
    let radio = Radio::new(&Config::default());
    let error = |rate| {
        let faintest = dbm(FAINTEST_DBM);
        radio.frame_error(&mode(PhyKind::B, rate), Bytes::new(1536), faintest).get()
    };
    assert!(error("1 Mbit/s") < 1e-4);
    assert!(error("2 Mbit/s") > 0.9);
}

#[test]
fn settings_out_of_range_are_named() {
    let config = Config {
        path_loss_exponent: f64::NAN,
        reference_distance: Distance::ZERO,
        noise_figure: Decibels::new(-1.0).unwrap(),
        sensitivity: dbm(-95.0),
        ..Config::default()
    };
    let names: Vec<_> = config.validate().unwrap_err().into_iter().map(|(name, _)| name).collect();
    let expected = ["path_loss_exponent", "reference_distance", "noise_figure", "sensitivity"];
    assert_eq!(names, expected);
}

#[test]
fn a_rate_without_a_curve_has_no_errors() {
    let odd = Phy::mode_of("8 Mbit/s".parse().unwrap());
    assert!(error(&odd, 1536, -10.0).abs() < f64::EPSILON);
}

/// Frame error rates of 1536 bytes from ns-3 3.44 (`NistErrorRateModel`), at two
/// ratios each. What differs: for CCK it has another approximation; for the
/// codes, the last terms of the bound.
#[test]
fn the_curves_are_those_of_ns_3() {
    let close = |kind, rate, snr, theirs: f64, tolerance: f64| {
        let ours = error(&mode(kind, rate), 1536, snr);
        assert!((ours / theirs - 1.0).abs() < tolerance, "{rate} {snr} dB: {ours} {theirs}");
    };
    use PhyKind::{B, G, N};
    close(B, "1 Mbit/s", -4.0, 0.619_215_327_8, 1e-9);
    close(B, "1 Mbit/s", -2.0, 0.005_737_648_760, 1e-9);
    close(B, "2 Mbit/s", 0.5, 0.641_689_453_6, 1e-9);
    close(B, "2 Mbit/s", 3.0, 0.002_766_660_390, 1e-9);
    close(B, "5.5 Mbit/s", 4.0, 0.141_614_689_5, 0.04);
    close(B, "5.5 Mbit/s", 6.0, 0.000_356_657_8, 0.01);
    close(B, "11 Mbit/s", 7.0, 0.144_870_629_8, 0.16);
    close(B, "11 Mbit/s", 9.0, 0.000_370_758_1, 0.16);
    close(G, "6 Mbit/s", 4.0, 0.089_387_610_04, 1e-4);
    close(G, "9 Mbit/s", 7.0, 0.063_535_687_15, 1e-5);
    close(G, "12 Mbit/s", 7.0, 0.092_608_811_70, 1e-4);
    close(G, "18 Mbit/s", 10.0, 0.065_748_098_58, 1e-5);
    close(G, "24 Mbit/s", 13.5, 0.104_208_819_6, 1e-4);
    close(G, "36 Mbit/s", 17.0, 0.029_589_026_53, 1e-5);
    close(G, "48 Mbit/s", 21.5, 0.065_627_690_14, 1e-5);
    close(G, "54 Mbit/s", 22.5, 0.144_184_466_9, 1e-5);
    close(G, "54 Mbit/s", 24.0, 0.000_996_940_400_6, 1e-6);
    close(N, "65 Mbit/s", 24.0, 0.053_971_425_25, 1e-5);
    close(N, "72.2 Mbit/s", 25.0, 0.001_797_170_815, 1e-6);
}

/// To the last bit, because runs must repeat on any machine.
#[test]
fn the_curves_are_the_same_on_every_machine() {
    let radio = Radio::new(&Config::default());
    let bits = [(PhyKind::B, "2 Mbit/s"), (PhyKind::B, "11 Mbit/s"), (PhyKind::G, "6 Mbit/s")].map(
        |(kind, rate)| {
            let received = radio.received(metres(130));
            radio.frame_error(&mode(kind, rate), Bytes::new(1500), received).get().to_bits()
        },
    );
    assert_eq!(bits, [0x3eb9_16bb_26cd_2811, 0x3fef_fbed_626e_8454, 0x3f39_4f0f_6d8b_b498]);
}

/// The least sensitivity that the standard demands, with the noise figure of 10
/// and the margin of 5 dB that it reckons with (18.3.10.2, 20.3.21.1): 10 % of
/// frames of 1000 bytes wrong. The decoder that takes hard decisions misses it
/// by less than 2 dB in the denser constellations.
#[test]
fn sensitivities_of_the_standard() {
    let noise_figure = Decibels::new(15.0).unwrap();
    let config = Config { noise_figure, sensitivity: dbm(-90.0), ..Config::default() };
    let radio = Radio::new(&config);
    let needed = |mode: &Mode| {
        let fails = |tenths: &i32| {
            let level = dbm(f64::from(*tenths) / 10.0);
            radio.frame_error(mode, Bytes::new(1000), level).get() > 0.1
        };
        f64::from((-900..-500).find(|tenths| !fails(tenths)).unwrap()) / 10.0
    };
    let demanded = [
        (PhyKind::G, "6 Mbit/s", -82.0),
        (PhyKind::G, "9 Mbit/s", -81.0),
        (PhyKind::G, "12 Mbit/s", -79.0),
        (PhyKind::G, "18 Mbit/s", -77.0),
        (PhyKind::G, "24 Mbit/s", -74.0),
        (PhyKind::G, "36 Mbit/s", -70.0),
        (PhyKind::G, "48 Mbit/s", -66.0),
        (PhyKind::G, "54 Mbit/s", -65.0),
        (PhyKind::N, "65 Mbit/s", -64.0),
        // 8 % of 1024 bytes (17.4.8.2): nearly the same; no margin is named there.
        (PhyKind::B, "11 Mbit/s", -76.0),
    ];
    for (kind, rate, demanded) in demanded {
        let difference = needed(&mode(kind, rate)) - demanded;
        assert!((-3.0..2.0).contains(&difference), "{rate}: {difference}");
    }
}

/// The codewords of clause 17.4.6.6 in quarter turns of their eight chips.
fn cck(phases: [u8; 4]) -> [u8; 8] {
    let [a, b, c, d] = phases;
    [a + b + c + d, a + c + d, a + b + d, a + d + 2, a + b + c, a + c, a + b + 2, a]
        .map(|turns| turns % 4)
}

/// How many of `words` there are at each distance from the first.
fn distances(words: &[[u8; 8]]) -> BTreeMap<u32, u32> {
    let mut found = BTreeMap::new();
    for word in &words[1..] {
        // Half the square between two chips: 0, 1 or 2.
        let apart = |(a, b): (&u8, &u8)| [0, 1, 2, 1][usize::from((4 + a - b) % 4)];
        *found.entry(word.iter().zip(&words[0]).map(apart).sum()).or_default() += 1;
    }
    found
}

#[test]
fn distances_of_cck_codewords() {
    let expected = |spectrum: &[(f64, f64)]| -> BTreeMap<u32, u32> {
        spectrum.iter().map(|(distance, count)| (*distance as u32, *count as u32)).collect()
    };
    let all = (0..=255u8).map(|n| cck([n % 4, n / 4 % 4, n / 16 % 4, n / 64]));
    assert_eq!(distances(&all.collect::<Vec<_>>()), expected(&CCK_256));
    let few = (0..16u8).map(|n| cck([n % 4, 2 * (n / 4 % 2) + 1, 0, 2 * (n / 8)]));
    assert_eq!(distances(&few.collect::<Vec<_>>()), expected(&CCK_16));
}

/// Walks all paths of the code that leave the right one and come back, by
/// weight: how many bits are wrong on them.
fn wrong_bits(code: CodeRate, heaviest: usize) -> Vec<u64> {
    // Which of the two outputs for each data bit are sent (18.3.5.6).
    let sent: &[(bool, bool)] = match code {
        CodeRate::Half => &[(true, true)],
        CodeRate::TwoThirds => &[(true, true), (true, false)],
        CodeRate::ThreeQuarters => &[(true, true), (true, false), (false, true)],
        CodeRate::FiveSixths => {
            &[(true, true), (true, false), (false, true), (true, false), (false, true)]
        }
    };
    let mut found = vec![0; heaviest + 1];
    for phase in 0..sent.len() {
        // By state and weight: paths, and wrong bits on all of them.
        let mut paths = vec![vec![(0u64, 0u64); heaviest + 1]; 64];
        let mut first = true;
        for (a, b) in sent.iter().cycle().skip(phase) {
            let mut next = vec![vec![(0, 0); heaviest + 1]; 64];
            let mut advance = |state: usize, bit: usize, weight: usize, (n, wrong): (u64, u64)| {
                let register = bit << 6 | state;
                let output = |taps: usize| (register & taps).count_ones() as usize % 2;
                let weight =
                    weight + usize::from(*a) * output(0o133) + usize::from(*b) * output(0o171);
                if n > 0 && weight <= heaviest {
                    let wrong = wrong + n * bit as u64;
                    match register >> 1 {
                        0 => found[weight] += wrong,
                        state => {
                            let entry: &mut (u64, u64) = &mut next[state][weight];
                            *entry = (entry.0 + n, entry.1 + wrong);
                        }
                    }
                }
            };
            if first {
                advance(0, 1, 0, (1, 0));
                first = false;
            } else {
                for (state, weights) in paths.iter().enumerate() {
                    for (weight, &path) in weights.iter().enumerate() {
                        advance(state, 0, weight, path);
                        advance(state, 1, weight, path);
                    }
                }
            }
            paths = next;
            if paths.iter().flatten().all(|(n, _)| *n == 0) {
                break;
            }
        }
    }
    found
}

#[test]
fn weights_of_the_convolutional_code() {
    use CodeRate::{FiveSixths, Half, ThreeQuarters, TwoThirds};
    for code in [Half, TwoThirds, ThreeQuarters, FiveSixths] {
        let spectrum = Spectrum::of(code);
        let heaviest = (spectrum.least + 9 * spectrum.step) as usize;
        let found = wrong_bits(code, heaviest);
        let listed = found[spectrum.least as usize..].iter().step_by(spectrum.step as usize);
        assert!(
            spectrum.wrong_bits.iter().map(|bits| *bits as u64).eq(listed.copied()),
            "{code:?}"
        );
        assert_eq!(found.iter().sum::<u64>(), spectrum.wrong_bits.iter().sum::<f64>() as u64);
    }
}

fn any_mode() -> impl Strategy<Value = Mode> {
    let all = PhyKind::ALL.into_iter().flat_map(|kind| kind.phy().modes).copied();
    prop::sample::select(all.collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn errors_grow_with_distance_and_length(
        mode in any_mode(), near in 0..400_000u64, more in 10..100_000u64,
        short in 1..4_000u64, longer in 1..4_000u64,
    ) {
        let radio = Radio::new(&Config::default());
        let error = |mm, bytes| {
            let received = radio.received(Distance::from_millimetres(mm));
            radio.frame_error(&mode, Bytes::new(bytes), received)
        };
        prop_assert!(error(near, short) <= error(near + more, short));
        prop_assert!(error(near, short) <= error(near, short + longer));
    }

    #[test]
    fn no_settings_leave_the_range_of_numbers(
        exponent in 1.0..10.0f64, level in -1000.0..1000.0f64, distance in any::<u64>(),
        mode in any_mode(), bytes in 1..65_535u64,
    ) {
        let config = Config {
            tx_power: dbm(level), path_loss_exponent: exponent,
            carrier_sense: dbm(-1000.0), sensitivity: dbm(-1000.0), ..Config::default()
        };
        let radio = Radio::new(&config);
        let received = radio.received(Distance::from_millimetres(distance));
        prop_assert!(received.dbm().is_finite());
        let error = radio.frame_error(&mode, Bytes::new(bytes), received);
        prop_assert!(error.get().is_finite());
    }
}
