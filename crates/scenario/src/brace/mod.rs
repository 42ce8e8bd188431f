//! The brace format of `datafile.dat` (goel1997 B.2 and B.3).
//!
//! A file is a list of components, each a name and attributes in braces, one
//! attribute a line:
//!
//! ```text
//! # comment
//! wired_sink_node
//! {
//!     node_id = 213;
//! }
//! ```

mod components;
mod lexer;
mod lower;
mod parser;
mod shared;

use crate::diagnostics::Report;
use crate::document::{self, Table};

/// What every file in the brace format implies, as TOML: `[run]` and `[tcp]` of
/// the scenario, `channel` and `arq` of each wireless link under `[wireless]`,
/// and what links that share a medium have in common under `[shared]`. TOML scenarios that are to be compared with goel1997 say the
/// same.
pub const IMPLIED_SETTINGS: &str = include_str!("implied.toml");

/// Reads the text of the given number, or records everything wrong in it.
pub(crate) fn parse(number: usize, text: &str, report: &mut Report) -> Option<Table> {
    let components = parser::parse(number, text, report);
    let implied_number = report.add_text("implied settings", IMPLIED_SETTINGS);
    let implied = document::parse_toml(implied_number, IMPLIED_SETTINGS, report)?;
    let document = lower::lower(number, &components, implied, report);
    report.is_clean().then_some(document)
}

#[cfg(test)]
mod tests;
