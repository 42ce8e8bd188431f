//! `netjoule check`

use std::io::Write;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::input;

/// Checks a scenario without running it
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Scenario file, in TOML or in the brace format of goel1997
    scenario: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  Check a scenario after changing it:
    netjoule check base.toml";

pub(crate) fn execute(args: &Args, out: &mut impl Write) -> Result<(), Failure> {
    let scenario = input::load(&args.scenario, &[])?;
    writeln!(
        out,
        "{}: valid: {}, {}, {}",
        args.scenario.display(),
        counted(scenario.nodes.len(), "node"),
        counted(scenario.links.len(), "link"),
        counted(scenario.connections.len(), "connection"),
    )?;
    Ok(())
}

/// A number of things in words.
fn counted(n: usize, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}
