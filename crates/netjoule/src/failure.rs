//! Why the program does not succeed.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// Why the program does not succeed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A scenario that is wrong; the text tells file, line and key.
    #[error("{0}")]
    Scenario(#[from] netjoule_scenario::Error),
    /// An experiment that cannot be made.
    #[error("{0}")]
    Experiment(#[from] netjoule_lab::Error),
    /// The machine would not do something for a live command.
    #[error("{0}")]
    Live(#[from] netjoule_live::Error),
    /// Other input that is wrong.
    #[error("{0}")]
    Input(String),
    /// A run or an acceptance failed.
    #[error("{0}")]
    Unsuccessful(String),
    /// Results cannot be written.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// Tells what happened on standard error.
    pub(crate) fn report(&self) -> ExitCode {
        if self.is_broken_pipe() {
            // Whoever read the results has seen enough of them.
            return ExitCode::SUCCESS;
        }
        let mut stderr = io::stderr().lock();
        let told = match self {
            Self::Scenario(error) if colours_wanted(&stderr) => {
                writeln!(stderr, "{}", error.coloured())
            }
            Self::Scenario(error) => writeln!(stderr, "{error}"),
            other => writeln!(stderr, "error: {other}"),
        };
        // With nobody to tell, the exit status has to do.
        told.ok();
        ExitCode::from(self.status())
    }

    fn status(&self) -> u8 {
        use netjoule_lab::Error;
        match self {
            Self::Unsuccessful(_)
            | Self::Live(_)
            | Self::Output(_)
            | Self::Experiment(Error::PaperFile { .. } | Error::Threads(_)) => 1,
            Self::Scenario(_) | Self::Input(_) | Self::Experiment(_) => 2,
        }
    }

    fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Colours are for terminals, unless the user declines (no-color.org).
#[expect(clippy::disallowed_methods, reason = "the command line may ask its environment")]
fn colours_wanted(stderr: &impl IsTerminal) -> bool {
    stderr.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
