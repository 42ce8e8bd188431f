//! `netjoule netns`

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

use netjoule_live::netns;

use crate::failure::Failure;

/// Runs a command in a network of its own, where it may make devices
///
/// It gets a new user and network namespace, with the loopback device up and forwarding on. Where
/// the kernel allows users to do that, no privileges are needed. Everything that is started from
/// there shares that network; it goes with its last process.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The command and its arguments; the user's shell without one
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

const EXAMPLES: &str = "\
Examples:
  A shell in which `netjoule send`, `recv` and `forward` work:
    netjoule netns

  A transfer from our TCP to itself, over two devices and the kernel's forwarding between them:
    netjoule netns -- sh -c \"netjoule recv & sleep 0.2; netjoule send 10.77.0.2 --bytes 10MB; wait\"";

pub(crate) fn execute(args: &Args) -> Result<(), Failure> {
    netns::enter()?;
    let shell = [shell()];
    let words = if args.command.is_empty() { &shell[..] } else { &args.command };
    let Some((program, arguments)) = words.split_first() else { return Ok(()) };
    let error = Command::new(program).args(arguments).exec();
    Err(Failure::Input(format!("cannot run {}: {error}", program.display())))
}

#[expect(clippy::disallowed_methods, reason = "the command line may ask its environment")]
fn shell() -> OsString {
    std::env::var_os("SHELL").unwrap_or_else(|| "/bin/sh".into())
}
