//! Goodput of two hosts in one thread, netjoule's and smoltcp's.
//! `cargo bench -p netjoule-benches --bench pair`

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use netjoule_benches::pair::{MSS, ours, smoltcp};

/// Bytes of one measured transfer.
const BYTES: usize = SEGMENTS * MSS;
/// Full segments of it.
const SEGMENTS: usize = 5_000;

/// Other connections, which do nothing.
const IDLE: [usize; 3] = [0, 100, 1_000];

fn bulk(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("bulk");
    group.throughput(Throughput::Bytes(BYTES as u64)).sample_size(30);
    for idle in IDLE {
        let mut pair = ours(idle);
        group.bench_function(BenchmarkId::new("netjoule", idle), |bencher| {
            bencher.iter(|| pair.transfer(SEGMENTS as u64));
        });
        let mut pair = smoltcp::Pair::new(idle);
        group.bench_function(BenchmarkId::new("smoltcp", idle), |bencher| {
            bencher.iter(|| pair.transfer(BYTES));
        });
    }
    group.finish();
}

criterion_group!(benches, bulk);
criterion_main!(benches);
