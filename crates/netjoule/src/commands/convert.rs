//! `netjoule convert`

use std::io::Write;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::input;

/// Converts an input file of goel1997 (datafile.dat) to TOML
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Input file in the brace format of goel1997, appendix B
    datafile: PathBuf,

    /// File to write; standard output if there is none
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  Convert an input file, and run the result:
    netjoule convert datafile.dat -o datafile.toml
    netjoule run datafile.toml";

pub(crate) fn execute(args: &Args, out: &mut impl Write) -> Result<(), Failure> {
    if !netjoule_scenario::is_brace_format(&args.datafile) {
        return Err(Failure::Input(format!(
            "{}: its name does not end in .dat; only files in the brace format of goel1997 are \
             converted, others are TOML already",
            args.datafile.display()
        )));
    }
    let text = input::load(&args.datafile, &[])?.to_toml();
    super::show::write(&text, args.output.as_deref(), out)
}
