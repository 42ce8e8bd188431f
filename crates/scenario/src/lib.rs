//! Scenario files: TOML, the brace format of goel1997 (appendix B), defaults,
//! overrides and diagnostics.
//!
//! ```text
//! TOML text  ─┐
//!             ├─> tables with places ── overrides ──> checks, defaults ──> Scenario
//! brace text ─┘
//! ```
//!
//! Both formats become the same tables, so that defaults and checks exist only
//! once, and every error names the file, line, column and key it is about.
//! `SCHEMA.md` in this crate describes the keys.

mod brace;
mod build;
mod channel_file;
mod diagnostics;
mod document;
mod knobs;
pub mod model;
mod nearest;
mod overrides;
mod read;
mod render;
mod schema;
mod show;

use std::path::{Path, PathBuf};

pub use brace::IMPLIED_SETTINGS;
pub use diagnostics::{Diagnostic, Error, MOST_DIAGNOSTICS, Position};
pub use knobs::tcp_options;
pub use model::{
    Air, AirChannel, Attribute, Channel, Connection, DuplicateAcks, EventKind, Interrupts, Link,
    LinkLayer, Medium, Node, NodeKind, Notices, Pace, Run, Scenario, Trace,
};
pub use overrides::{Override, OverrideError};

use diagnostics::{Report, Site};
use document::Table;

/// The built-in scenario, `scenarios/base-station.toml`: figure 5.1 of goel1997.
pub const BASE_STATION: &str = include_str!("../../../scenarios/base-station.toml");

/// A scenario as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What diagnostics call it, such as its path.
    pub name: String,
    /// The text, at most 4 MiB.
    pub text: String,
    /// Where files that the scenario names are looked for. Without it, naming
    /// one is an error, and no file is read.
    pub directory: Option<PathBuf>,
}

impl Source {
    /// A text without a directory.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), directory: None }
    }
}

/// Reads the scenario file at `path`: the brace format if its extension is
/// `dat`, TOML otherwise.
///
/// # Errors
/// Everything that is wrong with the file, the files it names, and `overrides`.
pub fn load(path: &Path, overrides: &[Override]) -> Result<Scenario, Error> {
    let name = path.display().to_string();
    let text = channel_file::read_text(path).map_err(|error| {
        let mut report = Report::default();
        let number = report.add_text(&name, "");
        report.error(Site::whole(number), "", format!("cannot read {name}: {error}"));
        report.into_error()
    })?;
    let directory = path.parent().map(Path::to_path_buf);
    let source = Source { name, text, directory };
    if is_brace_format(path) {
        parse_brace(&source, overrides)
    } else {
        parse_toml(&source, overrides)
    }
}

/// Whether the file at `path` is in the brace format: its extension is `dat`.
#[must_use]
pub fn is_brace_format(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "dat")
}

/// Reads a TOML scenario.
///
/// # Errors
/// Everything that is wrong with the text, the files it names, and `overrides`.
/// After a syntax error only syntax errors are known.
pub fn parse_toml(source: &Source, overrides: &[Override]) -> Result<Scenario, Error> {
    parse(source, overrides, document::parse_toml)
}

/// Reads a scenario in the brace format of goel1997 B.2.
///
/// # Errors
/// Everything that is wrong with the text, the files it names, and `overrides`.
/// The checks of the whole scenario follow once every component is right.
pub fn parse_brace(source: &Source, overrides: &[Override]) -> Result<Scenario, Error> {
    parse(source, overrides, brace::parse)
}

fn parse(
    source: &Source,
    overrides: &[Override],
    read: fn(usize, &str, &mut Report) -> Option<Table>,
) -> Result<Scenario, Error> {
    let mut report = Report::default();
    // Some editors put a byte order mark in front.
    let text = source.text.strip_prefix('\u{feff}').unwrap_or(&source.text);
    let number = report.add_text(&source.name, text);
    if text.len() as u64 > channel_file::LARGEST_FILE {
        report.error(Site::whole(number), "", "the text is larger than 4 MiB");
        return Err(report.into_error());
    }
    let scenario = read(number, text, &mut report).and_then(|mut document| {
        for setting in overrides {
            setting.apply(&mut document, &mut report);
        }
        let directory = source.directory.as_deref();
        build::scenario(&document, &mut build::Context { report: &mut report, directory })
    });
    match scenario {
        Some(scenario) if report.is_clean() => Ok(scenario),
        _ => Err(report.into_error()),
    }
}

#[cfg(test)]
mod tests;
