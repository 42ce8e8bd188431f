//! Simulated time per second on a shared medium of IEEE 802.11b, without TCP.
//! `cargo bench -p netjoule-benches --bench dot11`
//!
//! An element of the throughput is a simulated millisecond: 1 Kelem/s is real
//! time, 1 Melem/s a thousand times as fast.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use netjoule_benches::dot11::{idle_beside, pair, saturated};
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

criterion_group!(benches, two_nodes, saturated_stations, idle_stations);
criterion_main!(benches);
