use std::sync::atomic::{AtomicU64, Ordering};

use netjoule_transport::tcp::VARIANTS;
use netjoule_units::Duration;

use super::*;
use crate::fixture;

fn request(threads: usize) -> Request {
    Request { jobs: NonZeroUsize::new(threads), ..Request::new(fixture::lossy_scenario(), 6) }
}

fn silent(_: u64) {}

#[track_caller]
fn close(actual: Option<f64>, expected: f64) {
    assert!((actual.unwrap() - expected).abs() < 1e-9, "{actual:?}, expected {expected}");
}

#[test]
fn threads_do_not_change_a_bit() {
    let done = AtomicU64::new(0);
    let progress = |n| {
        done.fetch_add(n, Ordering::Relaxed);
    };
    let single = run(&request(1), &progress).unwrap();
    assert_eq!(done.into_inner(), request(1).total_runs().unwrap());
    let parallel = run(&request(4), &silent).unwrap();
    // Intervals exist everywhere here, so that no NaN can hide a difference.
    assert_eq!(single, parallel);
}

#[test]
fn losses_cost_time_and_only_where_there_are_any() {
    let comparison = run(&request(2), &silent).unwrap();
    assert_eq!(comparison.baseline, "reno");
    let names: Vec<_> = comparison.cases.iter().map(|tally| tally.case.name()).collect();
    assert_eq!(names, ["no-loss", "reno", "simple-icmp", "refined-icmp"]);
    assert!(comparison.cases.iter().all(|tally| tally.incomplete == 0));

    let mean = |variant, metric| comparison.row(variant, metric).unwrap().mean.unwrap();
    assert!(mean("no-loss", "wireless_losses").abs() < 1e-12);
    assert!(mean("reno", "wireless_losses") > 0.0);
    assert!(mean("reno", "icmp_messages").abs() < 1e-12);
    assert!(mean("refined-icmp", "icmp_messages") > 0.0);
    assert!(mean("reno", DEGRADATION) > 0.0);
    assert!(mean("no-loss", IMPROVEMENT) > 0.0);
    assert!(comparison.row("reno", IMPROVEMENT).is_none());
    assert!(comparison.row("no-loss", DEGRADATION).is_none());
}

#[test]
fn runs_cut_short_are_counted_and_left_out() {
    let mut request = request(2);
    request.scenario.run.time_limit = Duration::from_millis(500);
    let comparison = run(&request, &silent).unwrap();
    for tally in &comparison.cases {
        assert_eq!((tally.completed, tally.incomplete), (0, 6), "{tally:?}");
    }
    let row = comparison.row("reno", "completion_time_s").unwrap();
    assert_eq!((row.n, row.incomplete, row.mean), (0, 6, None));
}

/// Times 10, 20 and (of the case) 9, 16, with a third seed on which the case
/// did not complete: improvements of 10 and 20 %.
#[test]
fn percentages_are_of_pairs() {
    let runs = |times: [Option<f64>; 3]| times.map(Measured::taking);
    let no_loss = runs([Some(8.0); 3]);
    let baseline = runs([Some(10.0), Some(20.0), Some(5.0)]);
    let case = runs([Some(9.0), Some(16.0), None]);
    let cases = [Case::NoLoss, Case::Variant(&VARIANTS[1]), Case::Variant(&VARIANTS[4])];
    let comparison = tabulate(&cases, &[&no_loss, &baseline, &case]);

    let improvement = comparison.row("simple-icmp", IMPROVEMENT).unwrap();
    assert_eq!((improvement.n, improvement.incomplete), (2, 1));
    close(improvement.mean, 15.0);
    // t(1) = 12.7062; sd = 7.07107
    close(improvement.ci95_low.map(|low| (low * 1e3).round()), -48_531.0);
    let degradation = comparison.row("simple-icmp", DEGRADATION).unwrap();
    close(degradation.mean, 56.25);

    let time = comparison.row("simple-icmp", "completion_time_s").unwrap();
    assert_eq!((time.n, time.incomplete, time.baseline), (2, 1, Some("reno")));
    close(time.mean, 12.5);
    close(time.difference, -2.5);
    let own = comparison.row("reno", "completion_time_s").unwrap();
    assert_eq!((own.n, own.baseline, own.difference), (3, None, None));
}

#[test]
fn wrong_requests_are_refused() {
    let with = |variants: &[&str], runs| {
        let variants = variants.iter().map(|name| (*name).into()).collect();
        Request { variants, runs, ..request(1) }.cases().unwrap_err().to_string()
    };
    assert_eq!(
        with(&["vegas"], 1),
        "there is no variant `vegas`; expected one of tahoe, reno, newreno, sack, simple-icmp, \
         refined-icmp, newreno-refined-icmp",
    );
    assert_eq!(with(&["reno", "tahoe", "reno"], 1), "the variant `reno` is listed twice");
    assert_eq!(with(&["reno"], 0), "expected at least one run of each variant");
    assert_eq!(with(&[], 1), "expected at least one run of each variant");
}

#[test]
fn energies_are_compared_where_there_are_devices_and_only_there() {
    let plain = run(&request(2), &silent).unwrap();
    let of_devices = |metric: &Metric| metric.is_of_devices();
    for metric in Metric::ALL.into_iter().filter(of_devices) {
        assert!(plain.row("reno", metric.name()).is_none(), "{metric:?}");
    }
    let mut with_devices = request(2);
    for node in &mut with_devices.scenario.nodes[1..] {
        node.device = netjoule_energy::device::builtin("wavelan-p90");
    }
    let metered = run(&with_devices, &silent).unwrap();
    for metric in Metric::ALL.into_iter().filter(of_devices) {
        let row = metered.row("refined-icmp", metric.name()).unwrap();
        assert!(row.n == 6 && row.difference_ci95_high.is_some(), "{row:?}");
    }
    // A difference splits as what it is a difference of.
    let difference = |metric: Metric| metered.row("refined-icmp", metric.name())?.difference;
    let parts = netjoule_energy::cause::Cause::ALL.map(|cause| {
        metered.row("refined-icmp", &format!("energy_{}_j", cause.name())).unwrap().difference
    });
    close(difference(Metric::EnergySystem), parts.into_iter().flatten().sum());
}
