//! Bianchi's own numbers, closed forms, and the two models beside each other.

use super::*;

fn us(us: u64) -> Duration {
    Duration::from_micros(us)
}

fn contention(stations: u32, window: u32, stages: u32) -> Contention {
    Contention { stations, window, stages, retries: None, freezing: Freezing::Uniform }
}

/// Table I of Bianchi 2000: FHSS at 1 Mbit/s, so that bits are microseconds.
const FHSS: Exchange = Exchange {
    rts: Duration::from_micros(160 + 128),
    cts: Duration::from_micros(112 + 128),
    data: Duration::from_micros(272 + 128 + 8_184),
    ack: Duration::from_micros(112 + 128),
    sifs: Duration::from_micros(28),
    difs: Duration::from_micros(128),
    after_collision: Duration::from_micros(128),
    propagation: Duration::from_micros(1),
};

fn fhss() -> [Costs; 2] {
    let payload = Bytes::new(8_184 / 8);
    [Costs::basic(us(50), payload, &FHSS), Costs::rts_cts(us(50), payload, &FHSS)]
}

fn close(found: f64, expected: f64, relative: f64) {
    assert!((found / expected - 1.0).abs() <= relative, "{found} is not {expected}");
}

/// Table II of Bianchi 2000.
#[test]
fn occupancies_are_those_of_the_paper() {
    let [basic, rts] = fhss();
    assert_eq!([basic.success, basic.collision], [us(8_982), us(8_713)]);
    assert_eq!([rts.success, rts.collision], [us(9_568), us(417)]);
}

/// Section IV-B: with the attempt rate 1/(n K), K = sqrt(T_c / 2σ), which the
/// text gives as 9.334 and 2.042 for the two accesses, throughput is at its
/// maximum, about 0.823 and 0.837 of the channel however many stations there
/// are; no window can do better.
#[test]
fn the_maximum_of_the_paper_is_the_maximum() {
    for (costs, k, most) in [(fhss()[0], 9.334, 0.823), (fhss()[1], 2.042, 0.837)] {
        let found = (costs.collision.as_secs_f64() / 2.0 / costs.slot.as_secs_f64()).sqrt();
        close(found, k, 1e-4);
        let at = |attempt: f64| {
            let of = contention(50, 32, 0);
            let it = Equilibrium { of, attempt, conflict: of.conflict_at(attempt) };
            it.throughput_bit_per_s(&costs) / 1e6
        };
        let best = at(1.0 / (50.0 * k));
        close(best, most, 0.005);
        for factor in [0.5, 0.8, 1.25, 2.0] {
            assert!(at(factor / (50.0 * k)) < best + 1e-3, "{factor}");
        }
    }
}

/// What figures 6 and 7 show: basic access loses with every station, sooner
/// with small windows; RTS/CTS hardly does.
#[test]
fn the_curves_of_the_paper_have_their_shapes() {
    let curve = |costs: &Costs, window, stages| -> Vec<f64> {
        let at = |n| contention(n, window, stages).solve().throughput_bit_per_s(costs) / 1e6;
        [5, 10, 20, 50].map(at).to_vec()
    };
    let [basic, rts] = fhss();
    let (small, deep) = (curve(&basic, 32, 3), curve(&basic, 32, 5));
    let wide = curve(&basic, 128, 3);
    assert!(small.is_sorted_by(|a, b| a > b), "{small:?}");
    assert!(deep[3] > small[3] && wide[3] > deep[3], "{small:?} {deep:?} {wide:?}");
    assert!((0.78..0.82).contains(&deep[0]) && (0.55..0.67).contains(&small[3]), "{small:?}");
    let rts = curve(&rts, 32, 3);
    assert!(rts.iter().all(|s| (0.80..0.84).contains(s)), "{rts:?}");
}

/// One station never collides: a mean of (W - 1) / 2 empty slots, and the frame.
#[test]
fn a_single_station_is_exact() {
    for freezing in [Freezing::Uniform, Freezing::Exclusive] {
        for costs in fhss() {
            let it = Contention { freezing, ..contention(1, 32, 5) }.solve();
            assert!(it.conflict < 1e-12 && it.collisions() < 1e-12);
            let cycle = costs.success.as_secs_f64() + 15.5 * costs.slot.as_secs_f64();
            close(it.throughput_bit_per_s(&costs), 8_184.0 / cycle, 1e-9);
        }
    }
}

/// B(8): without doubling, the attempt rate is 2 / (W + 1) for any number.
#[test]
fn a_constant_window_has_a_constant_attempt_rate() {
    for n in [1, 2, 10, 50, 200] {
        let it = contention(n, 64, 0).solve();
        close(it.attempt, 2.0 / 65.0, 1e-12);
        close(1.0 - it.conflict, (63.0f64 / 65.0).powf(f64::from(n - 1)), 1e-9);
    }
}

/// B(7), and Wu's (2002) two cases, as they are printed.
#[test]
fn sums_are_the_closed_forms() {
    for p in [0.0, 0.05, 0.3, 0.49, 0.6, 0.95] {
        for (window, stages) in [(32u32, 3u32), (32, 5), (16, 6), (128, 0)] {
            let (w, m) = (f64::from(window), f64::from(stages));
            let of = contention(5, window, stages);
            let two = 1.0 - 2.0 * p;
            let bianchi = 2.0 * two / (two * (w + 1.0) + p * w * (1.0 - (2.0 * p).powf(m)));
            close(of.attempt_at(p), bianchi, 1e-9);
            for retries in [0, 2, 3, 6, 20] {
                let r = f64::from(retries);
                let ends = 1.0 - p.powf(r + 1.0);
                let doubled = 1.0 - (2.0 * p).powf(m.min(r) + 1.0);
                let beyond = if retries > stages {
                    w * 2f64.powf(m) * p.powf(m + 1.0) * two * (1.0 - p.powf(r - m))
                } else {
                    0.0
                };
                let start = 2.0 * two * (1.0 - p) / (w * doubled * (1.0 - p) + two * ends + beyond);
                let of = Contention { retries: Some(retries), ..of };
                close(of.attempt_at(p), start * ends / (1.0 - p), 1e-9);
            }
        }
    }
}

/// A limit that is never reached changes nothing; a low one makes stations
/// bolder.
#[test]
fn retry_limits_raise_the_attempt_rate() {
    let rate = |retries| Contention { retries, ..contention(20, 32, 5) }.solve().attempt;
    close(rate(Some(1_000)), rate(None), 1e-9);
    assert!(rate(Some(3)) > rate(Some(6)) && rate(Some(6)) > rate(None));
}

/// The refined model against the counters themselves, with timeout and EIFS
/// ending together as it assumes: 2 % from five stations on. With fewer, the
/// mean field's assumption that a collision says nothing about the other
/// station is what is wrong, by up to 5 % of the collision probability.
#[test]
fn the_mean_field_is_that_of_the_counters() {
    // 802.11b at 11 Mbit/s, 1,500 bytes.
    let it = Exchange {
        data: us(1_309),
        ack: us(248),
        sifs: us(10),
        difs: us(50),
        after_collision: us(364),
        ..Exchange::default()
    };
    let costs = Costs::basic(us(20), Bytes::new(1_500), &it);
    for n in [1u32, 2, 3, 5, 10, 20, 50] {
        let freezing = Freezing::Exclusive;
        let mean = Contention { freezing, ..contention(n, 32, 5) }.solve();
        let countdown = Countdown {
            stations: n as usize,
            window: 32,
            stages: 5,
            slot: us(20),
            success: costs.success,
            collision: costs.collision,
            timeout: costs.collision,
        };
        let tally = countdown.play(100_000, 7);
        close(tally.successes_per_s() * 12_000.0, mean.throughput_bit_per_s(&costs), 0.006);
        let (found, expected) = (tally.collisions(), mean.collisions());
        if n == 1 {
            assert_eq!(tally.collided, 0);
        } else {
            close(found, expected, if n < 5 { 0.05 } else { 0.02 });
        }
    }
}

/// A tagged pair whose every step is known: windows of two, no doubling.
#[test]
fn two_counters_of_two_values_are_a_coin() {
    // Both draw 0 or 1. Equal draws collide; else the one with 0 sends, draws
    // anew and finds the other at 1 (its slot is still to come): with 0 it
    // sends again, with 1 they collide. So an attempt with both counters fresh
    // collides with 1/2 and leads there again; one with the other at 1 does so
    // with 1/2, too. Busy periods that are collisions: 1/2; attempts: 2 of 3.
    let countdown = Countdown {
        stations: 2,
        window: 2,
        stages: 0,
        slot: us(20),
        success: us(1_000),
        collision: us(1_000),
        timeout: us(1_000),
    };
    let tally = countdown.play(100_000, 1);
    close(tally.collisions(), 2.0 / 3.0, 0.01);
    assert_eq!(tally, countdown.play(100_000, 1));
}
