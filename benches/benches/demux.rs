//! Time per lookup of a connection, and how often the one-entry caches have
//! it. `cargo bench -p netjoule-benches --bench demux`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use netjoule_benches::lookup::{
    Fixed, Flat, Growing, PACKETS, Standard, Table, Traffic, find_all, packets, tuples,
};
use netjoule_stack::Tuple;

/// As many connections as a host can have. The flat table is given up where a
/// lookup takes more than 10 µs.
const CONNECTIONS: [usize; 6] = [1, 10, 100, 1_000, 10_000, 100_000];
const FLAT_AT_MOST: usize = 10_000;

fn lookups(criterion: &mut Criterion) {
    for traffic in [Traffic::Uniform, Traffic::Trains] {
        for connections in CONNECTIONS {
            let tuples = tuples(connections);
            let packets = packets(&tuples, traffic);
            let mut group = criterion.benchmark_group(format!("{traffic:?}/{connections}"));
            group.throughput(Throughput::Elements(PACKETS as u64)).sample_size(10);
            let case = &mut |name: &str, run: &mut dyn FnMut() -> u32| {
                let rate = f64::from(run()) / PACKETS as f64 * 100.0;
                group.bench_function(format!("{name}, {rate:.1} % hits"), |bencher| {
                    bencher.iter(&mut *run);
                });
            };
            measure::<Growing>(case, &tuples, &packets);
            measure::<Fixed>(case, &tuples, &packets);
            measure::<Standard>(case, &tuples, &packets);
            if connections <= FLAT_AT_MOST {
                measure::<Flat>(case, &tuples, &packets);
            }
            group.finish();
        }
    }
}

type Case<'a> = &'a mut dyn FnMut(&str, &mut dyn FnMut() -> u32);

fn measure<T: Table>(case: Case<'_>, tuples: &[Tuple], packets: &[Tuple]) {
    let mut table = T::with(tuples);
    // Once before, so that the caches are warm.
    find_all(&mut table, packets);
    case(T::NAME, &mut || find_all(&mut table, packets));
}

criterion_group!(benches, lookups);
criterion_main!(benches);
