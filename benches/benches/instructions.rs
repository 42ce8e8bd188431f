//! Instructions per 10,000 data segments, and of two laptops with their energy;
//! repeatable on a noisy machine.
//!
//! Needs valgrind and the runner of the same version:
//! `cargo install gungraun-runner --version 0.20.0`, then
//! `cargo bench -p netjoule-benches --bench instructions`.

#![expect(missing_docs, reason = "the macros of the harness make public items")]

use gungraun::{library_benchmark, library_benchmark_group, main};
use netjoule_benches::dot11::{Metered, laptops};
use netjoule_benches::{Air, scenario, simulate};
use netjoule_net::Outcome;
use netjoule_scenario::Scenario;
use netjoule_units::Duration;

/// Segments in each counted run.
const SEGMENTS: u64 = 10_000;

#[library_benchmark]
#[bench::once(scenario(SEGMENTS, 1, Air::Once))]
#[bench::repeated(scenario(SEGMENTS, 1, Air::Repeated))]
#[bench::hundred_flows(scenario(SEGMENTS / 100, 100, Air::Once))]
fn ten_thousand_segments(scenario: Scenario) -> Outcome {
    simulate(&scenario)
}

// Ten simulated seconds, some 4,500 segments and half as many ACKs.
#[library_benchmark]
#[bench::nothing(laptops(Metered::Nothing, Duration::from_secs(10)))]
#[bench::radios(laptops(Metered::Radios, Duration::from_secs(10)))]
#[bench::batteries(laptops(Metered::Batteries, Duration::from_secs(10)))]
#[bench::processors(laptops(Metered::Processors, Duration::from_secs(10)))]
fn two_laptops(scenario: Scenario) -> Outcome {
    simulate(&scenario)
}

library_benchmark_group!(name = simulator, benchmarks = [ten_thousand_segments, two_laptops]);
main!(library_benchmark_groups = simulator);
