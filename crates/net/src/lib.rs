//! The simulated network.

mod outcome;

pub use outcome::{ConnectionOutcome, Ledger, Outcome, Stop};

/// Builds the network of `scenario` and runs it to its end with `seed`.
pub fn run<O: netjoule_trace::Observer>(
    scenario: &netjoule_scenario::Scenario,
    seed: u64,
    observer: &mut O,
) -> Outcome {
    let _ = (scenario, seed, observer);
    panic!("not built yet")
}
