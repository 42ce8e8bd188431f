//! The published figures, as copied from the text.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::setting::{Interference, Setting};
use crate::Error;

const TABLE_FILE: &str = "agarwal2000/published/table51.csv";
const TABLE: &str = include_str!("../../../../../papers/agarwal2000/published/table51.csv");
const CLAIMS_FILE: &str = "agarwal2000/published/claims.csv";
const CLAIMS: &str = include_str!("../../../../../papers/agarwal2000/published/claims.csv");

/// A line of table 5.1.
#[derive(Debug, Deserialize)]
pub(super) struct Cell {
    rts: Switch,
    sack: Switch,
    interfering: Interfering,
    pub(super) lifetime_min: f64,
    pub(super) bytes: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Switch {
    On,
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Interfering {
    Continuous,
    Intermittent,
}

impl Cell {
    /// What was run for it: "all the modifications made to TCP and \[...\] an MTU of
    /// 1500 bytes".
    pub(super) fn setting(&self) -> Setting {
        Setting {
            rts: self.rts == Switch::On,
            sack: self.sack == Switch::On,
            interference: match self.interfering {
                Interfering::Continuous => Interference::Continuous,
                Interfering::Intermittent => Interference::Intermittent,
            },
            ..Setting::MODIFIED
        }
    }

    /// Bytes by lifetime, in Mbit/s.
    pub(super) fn goodput_mbit_per_s(&self) -> f64 {
        self.bytes * 8.0 / (self.lifetime_min * 60.0) / 1e6
    }
}

/// A figure or an order stated in the text.
#[derive(Debug, Deserialize)]
pub(super) struct Claim {
    pub(super) id: String,
    /// Place in the text.
    #[serde(rename = "where")]
    pub(super) place: String,
    /// None for an order.
    pub(super) value: Option<f64>,
}

/// Table 5.1, in its order.
pub(super) fn table() -> Result<Vec<Cell>, Error> {
    read(TABLE_FILE, TABLE)
}

/// Every figure and order stated in the text, in its order.
pub(super) fn claims() -> Result<Vec<Claim>, Error> {
    read(CLAIMS_FILE, CLAIMS)
}

fn read<T: DeserializeOwned>(file: &'static str, text: &str) -> Result<Vec<T>, Error> {
    csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .map_err(|error| Error::PaperFile { file, reason: error.to_string() })
}
