//! `netjoule show`

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use netjoule_trace::PendingFile;

use crate::failure::Failure;
use crate::input::ScenarioArgs;

/// Shows a scenario with every default filled in
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    scenario: ScenarioArgs,

    /// File to write; standard output if there is none
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  The built-in scenario, and where each value can be set:
    netjoule show

  A copy of it with another window:
    netjoule show --set \"tcp.receive_window=8 KiB\" -o small-window.toml";

pub(crate) fn execute(args: &Args, out: &mut impl Write) -> Result<(), Failure> {
    write(&args.scenario.load()?.to_toml(), args.output.as_deref(), out)
}

/// Writes a scenario's text to the file at `path`, or else to `out`.
pub(super) fn write(text: &str, path: Option<&Path>, out: &mut impl Write) -> Result<(), Failure> {
    match path {
        Some(path) => write_file(text, path)
            .map_err(|error| Failure::Input(format!("cannot write {}: {error}", path.display()))),
        None => Ok(out.write_all(text.as_bytes())?),
    }
}

/// A file appears when it is complete; a device or a pipe is written to.
fn write_file(text: &str, path: &Path) -> io::Result<()> {
    if path.exists() && !path.is_file() {
        return fs::write(path, text);
    }
    let mut file = PendingFile::at(path)?;
    file.write_all(text.as_bytes())?;
    file.commit()
}
