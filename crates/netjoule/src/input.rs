//! Scenarios from the command line.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
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

/// Numbers of runs that can be asked for.
pub(crate) const RUN_COUNTS: RangeInclusive<u64> = 1..=1_000_000;

/// How much is done at the same time.
#[derive(Debug, clap::Args)]
pub(crate) struct JobArgs {
    /// Runs at the same time, up to 1024; one per processor unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl JobArgs {
    /// The number of threads, if one is given.
    pub(crate) fn threads(&self) -> Option<NonZeroUsize> {
        self.jobs.and_then(|jobs| NonZeroUsize::new(jobs.into()))
    }
}

impl ScenarioArgs {
    /// The built-in scenario as it is.
    pub(crate) const fn built_in() -> Self {
        Self { scenario: None, overrides: Vec::new() }
    }

    pub(crate) fn load(&self) -> Result<Scenario, Failure> {
        self.load_with(&[])
    }

    /// With `more` settings after those that are given.
    pub(crate) fn load_with(&self, more: &[Override]) -> Result<Scenario, Failure> {
        let overrides = [&self.overrides, more].concat();
        match &self.scenario {
            Some(path) => load(path, &overrides),
            None => {
                let source = Source::new("base station", BASE_STATION);
                Ok(netjoule_scenario::parse_toml(&source, &overrides)?)
            }
        }
    }
}

/// The scenario in the file at `path`.
pub(crate) fn load(path: &Path, overrides: &[Override]) -> Result<Scenario, Failure> {
    Ok(netjoule_scenario::load(path, overrides)?)
}
