//! Progress of long work, for people who watch.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressStyle};
use netjoule_units::Bytes;

/// A bar on standard error, or nothing when that is not a terminal.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Starts to show how many of `runs` runs are done.
    pub(crate) fn of_runs(runs: u64) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} runs, {eta} left");
            let bar = ProgressBar::new(runs);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Self { bar }
    }

    /// Starts to show how many of `length` bytes are there, if that is known.
    pub(crate) fn of_bytes(length: Option<Bytes>) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let (bar, template) = match length {
                Some(length) => (
                    ProgressBar::new(length.get()),
                    "{bar:30} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left",
                ),
                None => (ProgressBar::no_length(), "{spinner} {bytes}, {bytes_per_sec}"),
            };
            let style = ProgressStyle::with_template(template);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Self { bar }
    }

    /// Shows that `bytes` are there.
    pub(crate) fn set_bytes(&self, bytes: Bytes) {
        if let Some(bar) = &self.bar {
            bar.set_position(bytes.get());
        }
    }

    /// Counts `runs` more runs.
    pub(crate) fn advance(&self, runs: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(runs);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
