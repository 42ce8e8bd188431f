//! Time per data segment. `cargo bench -p netjoule-benches --bench time`

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use netjoule_benches::{Air, scenario, simulate};
use netjoule_testkit::Log;

/// Segments in each measured run.
const SEGMENTS: u64 = 100_000;

/// One flow, with and without the reliable link layer.
fn one_flow(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("one flow");
    group.throughput(Throughput::Elements(SEGMENTS));
    for air in [Air::Once, Air::Repeated] {
        let scenario = scenario(SEGMENTS, 1, air);
        group.bench_function(format!("{air:?}"), |bencher| {
            bencher.iter(|| simulate(&scenario));
        });
    }
    group.finish();
}

/// The same number of segments spread over many flows on links of their own:
/// the cost per segment must not grow.
fn parallel_flows(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parallel flows");
    group.throughput(Throughput::Elements(SEGMENTS)).sample_size(20);
    for flows in [1, 10, 100, 1_000] {
        let segments = SEGMENTS / u64::try_from(flows).unwrap_or(1);
        let scenario = scenario(segments, flows, Air::Once);
        group.bench_with_input(BenchmarkId::from_parameter(flows), &scenario, |bencher, it| {
            bencher.iter(|| simulate(it));
        });
    }
    group.finish();
}

/// What an observer costs, against `one flow/Repeated` without one.
fn observed(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("observed");
    group.throughput(Throughput::Elements(SEGMENTS)).sample_size(20);
    let scenario = scenario(SEGMENTS, 1, Air::Repeated);
    group.bench_function("in memory", |bencher| {
        bencher.iter(|| netjoule_net::run(&scenario, 1, &mut Log::default()));
    });
    group.finish();
}

criterion_group!(benches, one_flow, parallel_flows, observed);
criterion_main!(benches);
