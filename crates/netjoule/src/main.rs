//! The command line of netjoule.
//!
//! Results go to standard output; progress and errors go to standard error. The
//! exit status is 0 for success, 1 when a run or an acceptance failed, and 2
//! for bad input, after which nothing has been written.

mod cli;
mod commands;
mod failure;
mod input;
mod json;
mod live;
mod progress;
mod tables;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let mut out = BufWriter::new(io::stdout().lock());
    let result = commands::execute(cli.command, &mut out);
    // Results of a run that failed are shown, too, and before the error.
    let flushed = out.flush();
    match result.and_then(|()| Ok(flushed?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
