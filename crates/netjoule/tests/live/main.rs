//! Our TCP on real packets: against the kernel's, against itself, and under
//! programs that know nothing of it.
//!
//! The whole process moves into a network namespace of its own before it has
//! threads, so that no privileges are needed where the kernel allows that. Where
//! it does not, or where there is no TUN device, nothing is tested, and the
//! reason is printed.

mod examples;
mod failures;
mod forwarding;
mod host;
mod kernel;
mod large;
mod pairwise;
mod program;
mod transfers;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    if let Err(reason) = host::prepare() {
        host::say(&format!("live tests are skipped: {reason}"));
        return ExitCode::SUCCESS;
    }
    let trials: Vec<Trial> = [
        transfers::trials(),
        pairwise::trials(),
        forwarding::trials(),
        failures::trials(),
        examples::trials(),
        large::trials(),
    ]
    .into_iter()
    .flatten()
    .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A test that fails by panicking.
fn trial(name: impl Into<String>, test: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        test();
        Ok(())
    })
}
