use proptest::prelude::*;

use super::*;

#[track_caller]
fn close(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance, "{actual}, expected {expected}");
}

#[test]
fn quantiles_of_t_are_those_of_the_tables() {
    let table = [
        (1, 12.706_2),
        (2, 4.302_65),
        (4, 2.776_45),
        (9, 2.262_16),
        (29, 2.045_23),
        (198, 1.972_02),
    ];
    for (degrees, expected) in table {
        close(t_quantile(degrees).unwrap(), expected, 1e-4);
    }
    close(t_quantile(10_000).unwrap(), 1.960_20, 1e-4);
    assert_eq!(t_quantile(0), None);
}

/// By hand: 2, 4, 4, 4, 5, 5, 7, 9 have mean 5 and squared deviations 32, so
/// sd = √(32/7) = 2.13809; t(7) = 2.36462.
#[test]
fn a_sample_worked_by_hand() {
    let summary = Summary::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
    assert_eq!(summary.n, 8);
    close(summary.mean, 5.0, 1e-12);
    close(summary.sd.unwrap(), 2.138_09, 1e-5);
    // 2.36462 · 2.13809 / √8 and · √(9/8)
    let confidence = summary.confidence95().unwrap();
    close(confidence.low, 5.0 - 1.787_49, 1e-4);
    close(confidence.high, 5.0 + 1.787_49, 1e-4);
    let prediction = summary.prediction95().unwrap();
    close(prediction.low, 5.0 - 5.362_46, 1e-4);
    close(prediction.half_width(), 5.362_46, 1e-4);
}

/// Student's sleep data (1908): the extra sleep of ten patients under two
/// drugs; the published 95 % interval of the difference is 0.70 to 2.46 h.
#[test]
fn students_own_paired_sample() {
    let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
    let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
    let pairs: Vec<_> = second.into_iter().zip(first).collect();
    let difference = paired_difference(&pairs).unwrap();
    close(difference.mean, 1.58, 1e-12);
    close(difference.sd.unwrap(), 1.229_99, 1e-5);
    let interval = difference.confidence95().unwrap();
    close(interval.low, 0.700_11, 1e-4);
    close(interval.high, 2.459_89, 1e-4);
}

#[test]
fn one_value_has_a_mean_and_no_interval() {
    let summary = Summary::of(&[3.5]).unwrap();
    assert_eq!(summary, Summary { n: 1, mean: 3.5, sd: None });
    assert_eq!(summary.confidence95(), None);
    assert_eq!(summary.prediction95(), None);
    assert_eq!(Summary::of(&[]), None);
    assert_eq!(paired_difference(&[]), None);
}

#[test]
fn ranks_hold_their_share() {
    let sample = |n: u32| (1..=n).rev().map(f64::from).collect::<Vec<_>>();
    assert_eq!(prediction95_by_rank(&sample(38)), None);
    let cases = [(39, 1.0, 39.0), (78, 1.0, 78.0), (79, 2.0, 78.0), (199, 5.0, 195.0)];
    for (n, low, high) in cases {
        assert_eq!(prediction95_by_rank(&sample(n)), Some(Interval { low, high }), "{n}");
    }
    assert_eq!(prediction95_by_rank(&[]), None);
}

proptest! {
    #[test]
    fn a_constant_sample_has_no_width(x in -1e9..1e9f64, n in 2usize..100) {
        let summary = Summary::of(&vec![x; n]).unwrap();
        let point = Some(Interval { low: x, high: x });
        prop_assert_eq!(summary.sd, Some(0.0));
        prop_assert_eq!(summary.confidence95(), point);
        prop_assert_eq!(summary.prediction95(), point);
    }

    #[test]
    fn intervals_nest_around_the_mean(sample in prop::collection::vec(-1e3..1e3f64, 2..50)) {
        let summary = Summary::of(&sample).unwrap();
        let (inner, outer) = (summary.confidence95().unwrap(), summary.prediction95().unwrap());
        prop_assert!(inner.contains(summary.mean));
        prop_assert!(outer.low <= inner.low && inner.high <= outer.high);
    }

    /// Shifting a sample shifts its mean and leaves its spread alone.
    #[test]
    fn spread_does_not_depend_on_location(
        sample in prop::collection::vec(-10.0..10.0f64, 2..50),
        shift in -1e6..1e6f64,
    ) {
        let shifted: Vec<f64> = sample.iter().map(|x| x + shift).collect();
        let (a, b) = (Summary::of(&sample).unwrap(), Summary::of(&shifted).unwrap());
        prop_assert!((b.mean - a.mean - shift).abs() < 1e-6);
        prop_assert!((b.sd.unwrap() - a.sd.unwrap()).abs() < 1e-6);
    }
}
