//! What can be asked for.

use clap::{Parser, Subcommand};

use crate::commands::{
    check, compare, convert, cost, forward, list, netns, recv, reproduce, run, send, show,
};

/// Simulates TCP over wireless links and compares its variants.
///
/// Without a command, it compares the variants of goel1997 on the built-in
/// scenario: a wired host, a base station and a wireless host.
#[derive(Debug, Parser)]
#[command(name = "netjoule", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(run::Args),
    Compare(compare::Args),
    Reproduce(reproduce::Args),
    Check(check::Args),
    Convert(convert::Args),
    Cost(cost::Args),
    Show(show::Args),
    List(list::Args),
    Send(send::Args),
    Recv(recv::Args),
    Forward(forward::Args),
    Netns(netns::Args),
}

const EXAMPLES: &str = "\
Examples:
  Write the built-in scenario to a file, to change it:
    netjoule show -o base.toml

  Run it once, and record what happened for gnuplot:
    netjoule run base.toml --trace traces

  Compare variants of TCP on it:
    netjoule compare base.toml --runs 20

Exit status: 0 success, 1 a run or an acceptance failed, 2 bad input (nothing is written then).";
