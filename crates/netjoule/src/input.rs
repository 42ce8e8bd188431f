//! Scenarios from the command line.

use std::path::{Path, PathBuf};

use netjoule_scenario::{BASE_STATION, Override, Scenario, Source};

use crate::failure::Failure;

/// A scenario and changes to it.
#[derive(Debug, clap::Args)]
pub(crate) struct ScenarioArgs {
    /// Scenario file, in TOML or in the brace format of goel1997; the built-in base station if
    /// there is none
    scenario: Option<PathBuf>,

    /// Puts VALUE in place of what the scenario has at KEY, such as tcp.mss, link.NAME.delay or
    /// connection.0.variant; can be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<Override>,
}

impl ScenarioArgs {
    /// The built-in scenario as it is.
    pub(crate) const fn built_in() -> Self {
        Self { scenario: None, overrides: Vec::new() }
    }

    pub(crate) fn load(&self) -> Result<Scenario, Failure> {
        match &self.scenario {
            Some(path) => load(path, &self.overrides),
            None => {
                let source = Source::new("base station", BASE_STATION);
                Ok(netjoule_scenario::parse_toml(&source, &self.overrides)?)
            }
        }
    }
}

/// The scenario in the file at `path`.
pub(crate) fn load(path: &Path, overrides: &[Override]) -> Result<Scenario, Failure> {
    Ok(netjoule_scenario::load(path, overrides)?)
}
