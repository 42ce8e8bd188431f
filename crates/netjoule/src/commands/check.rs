//! `netjoule check`

use std::io::Write;
use std::path::PathBuf;

use netjoule_scenario::Scenario;

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
    let Scenario { nodes, links, airs, connections, .. } = input::load(&args.scenario, &[])?;
    let mut parts = vec![counted(nodes.len(), "node"), counted(links.len(), "link")];
    if !airs.is_empty() {
        parts.push(counted(airs.len(), "air"));
    }
    parts.push(counted(connections.len(), "connection"));
    writeln!(out, "{}: valid: {}", args.scenario.display(), parts.join(", "))?;
    Ok(())
}

/// A number of things in words.
fn counted(n: usize, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}
