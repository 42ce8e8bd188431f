//! Simulated time per second on a shared medium of IEEE 802.11b, without TCP but
//! for the last group.
//! `cargo bench -p netjoule-benches --bench dot11`
//!
//! An element of the throughput is a simulated millisecond: 1 Kelem/s is real
//! time, 1 Melem/s a thousand times as fast.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use netjoule_benches::dot11::{Metered, idle_beside, laptops, pair, saturated};
use netjoule_benches::simulate;
use netjoule_testkit::saturation::Cell;
use netjoule_units::Duration;

fn bench(criterion: &mut Criterion, name: &str, cases: &[(usize, Cell)], ms: u64) {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(ms)).sample_size(20);
    for (case, cell) in cases {
        group.bench_with_input(BenchmarkId::from_parameter(case), cell, |bencher, cell| {
            // Goes on where the last iteration stopped.
            let mut cell = cell.clone();
            bencher.iter(|| cell.run(Duration::from_millis(ms)));
        });
    }
    group.finish();
}

/// One station sends all it can to another.
fn two_nodes(criterion: &mut Criterion) {
    bench(criterion, "two nodes", &[(2, pair())], 10_000);
}

/// All send all they can, and all hear each other.
fn saturated_stations(criterion: &mut Criterion) {
    let cases = [10, 20, 50].map(|stations| (stations, saturated(stations)));
    bench(criterion, "saturated stations", &cases, 1_000);
}

/// Two stations that send, and others that hear them and have nothing to say:
/// these must cost nothing.
fn idle_stations(criterion: &mut Criterion) {
    let cases = [0, 1_000].map(|idle| (idle, idle_beside(idle)));
    bench(criterion, "idle stations", &cases, 10_000);
}

/// Two laptops with TCP, and what metering their energy adds.
fn metered(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("two laptops, TCP");
    group.throughput(Throughput::Elements(10_000)).sample_size(20);
    for metered in Metered::ALL {
        let scenario = laptops(metered, Duration::from_secs(10));
        group.bench_with_input(
            BenchmarkId::from_parameter(format!("{metered:?}")),
            &scenario,
            |bencher, scenario| bencher.iter(|| simulate(scenario)),
        );
    }
    group.finish();
}

criterion_group!(benches, two_nodes, saturated_stations, idle_stations, metered);
criterion_main!(benches);
