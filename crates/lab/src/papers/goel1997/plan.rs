//! `plan.toml`: what is varied, and how often everything runs.

use serde::Deserialize;

use super::replay::Replay;
use super::setting::{Setting, Variation};
use crate::Error;
use crate::papers::summary::Acceptance;

const FILE: &str = "goel1997/plan.toml";
const TEXT: &str = include_str!("../../../../../papers/goel1997/plan.toml");

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plan {
    /// Run *i*, from 0, of everything has this seed + *i*.
    pub(super) base_seed: u64,
    /// How often.
    pub(super) runs: Runs,
    /// What is expected of tables 5.4 to 5.12.
    pub(super) acceptance: Acceptance,
    /// Figures 5.8 to 5.16.
    pub(super) figures_5_8_to_5_16: Grid,
    /// Figure 5.8 alone.
    pub(super) figure_5_8: Grid,
    /// Figures 5.2 and 5.7.
    pub(super) figures_5_2_and_5_7: Grid,
    /// The run of section 5.4.3.
    pub(super) section_5_4_3: Grid,
    /// The recoveries of that section, with its setting.
    pub(super) figures_5_3_and_5_4: Replay,
    /// Where assumptions are varied.
    pub(super) variations: Grid,
}

/// Numbers of seeds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Runs {
    pub(super) full: u64,
    pub(super) quick: u64,
}

/// Every combination of these.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Grid {
    wired_delay_ms: Vec<u64>,
    mean_bad_ms: Vec<u64>,
    window_kib: Vec<u64>,
}

impl Plan {
    /// Reads the built-in file.
    pub(super) fn built_in() -> Result<Self, Error> {
        toml::from_str(TEXT)
            .map_err(|error| Error::PaperFile { file: FILE, reason: error.to_string() })
    }
}

impl Grid {
    /// The combinations, in the order of the figures.
    pub(super) fn settings(&self, variation: Variation) -> Vec<Setting> {
        let mut settings = Vec::new();
        for &wired_delay_ms in &self.wired_delay_ms {
            for &mean_bad_ms in &self.mean_bad_ms {
                for &window_kib in &self.window_kib {
                    settings.push(Setting { wired_delay_ms, mean_bad_ms, window_kib, variation });
                }
            }
        }
        settings
    }
}
