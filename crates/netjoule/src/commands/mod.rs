//! One file for each command: its arguments, its help and what it does.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod cost;
pub(crate) mod forward;
pub(crate) mod list;
pub(crate) mod netns;
pub(crate) mod recv;
pub(crate) mod reproduce;
pub(crate) mod run;
pub(crate) mod send;
pub(crate) mod show;

use std::io::Write;

use crate::cli::Command;
use crate::failure::Failure;

/// Does what `command` asks for and writes its results to `out`.
pub(crate) fn execute(command: Option<Command>, out: &mut impl Write) -> Result<(), Failure> {
    match command {
        None => compare::tour(out),
        Some(Command::Run(args)) => run::execute(&args, out),
        Some(Command::Compare(args)) => compare::execute(args, out),
        Some(Command::Reproduce(args)) => reproduce::execute(&args, out),
        Some(Command::Check(args)) => check::execute(&args, out),
        Some(Command::Convert(args)) => convert::execute(&args, out),
        Some(Command::Cost(args)) => cost::execute(&args, out),
        Some(Command::Show(args)) => show::execute(&args, out),
        Some(Command::List(args)) => list::execute(&args, out),
        Some(Command::Send(args)) => send::execute(&args, out),
        Some(Command::Recv(args)) => recv::execute(&args, out),
        Some(Command::Forward(args)) => forward::execute(&args, out),
        Some(Command::Netns(args)) => netns::execute(&args),
    }
}
