//! Instructions per 10,000 data segments, both ends together.
//! `cargo bench -p netjoule-benches --bench pair_instructions`
//!
//! Valgrind counts every byte that `rep movsb` copies as one instruction. So
//! the C library is told to copy with vectors, which it counts as they are.

#![expect(missing_docs, reason = "the macros of the harness make public items")]

use gungraun::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use netjoule_benches::pair::{MSS, ours, smoltcp};
use netjoule_lab::cost::Pair;

/// Payload of each counted transfer: 10,000 full segments.
const BYTES: usize = SEGMENTS * MSS;
/// Full segments of it.
const SEGMENTS: usize = 10_000;

fn warm(idle: usize) -> Pair {
    let mut pair = ours(idle);
    pair.transfer(SEGMENTS as u64);
    pair
}

fn theirs(idle: usize) -> smoltcp::Pair {
    let mut pair = smoltcp::Pair::new(idle);
    pair.transfer(BYTES);
    pair
}

#[library_benchmark]
#[bench::alone(warm(0))]
#[bench::among_a_thousand(warm(1_000))]
fn netjoule_bulk(mut pair: Pair) -> Pair {
    pair.transfer(SEGMENTS as u64);
    pair
}

#[library_benchmark]
#[bench::alone(theirs(0))]
#[bench::among_a_hundred(theirs(100))]
fn smoltcp_bulk(mut pair: smoltcp::Pair) -> smoltcp::Pair {
    pair.transfer(BYTES);
    pair
}

library_benchmark_group!(name = hosts, benchmarks = [netjoule_bulk, smoltcp_bulk]);
main!(
    config = LibraryBenchmarkConfig::default()
        .env("GLIBC_TUNABLES", "glibc.cpu.x86_rep_movsb_threshold=100000000");
    library_benchmark_groups = hosts
);
