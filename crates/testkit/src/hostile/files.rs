//! Scenario files of any text.

use netjoule_scenario::{Source, parse_brace, parse_toml};

/// Reads `text` as a scenario in the TOML format.
///
/// # Panics
/// If the parser does.
pub fn toml(text: &str) {
    drop(parse_toml(&Source::new("fuzz.toml", text), &[]));
}

/// Reads `text` as a scenario in the brace format.
///
/// # Panics
/// If the parser does.
pub fn brace(text: &str) {
    drop(parse_brace(&Source::new("fuzz.dat", text), &[]));
}
