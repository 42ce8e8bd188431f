//! The published figures, as copied from the text.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::Error;

const IMPROVEMENT_FILE: &str = "goel1997/published/improvement.csv";
const IMPROVEMENT: &str = include_str!("../../../../../papers/goel1997/published/improvement.csv");
const CLAIMS_FILE: &str = "goel1997/published/claims.csv";
const CLAIMS: &str = include_str!("../../../../../papers/goel1997/published/claims.csv");

/// A line of tables 5.4 to 5.12: two cells.
#[derive(Debug, Deserialize)]
pub(super) struct Improvement {
    /// Number of the table, as "5.4".
    pub(super) table: String,
    pub(super) wired_delay_ms: u64,
    mean_bad_s: f64,
    pub(super) window_kb: u64,
    pub(super) simple_icmp_pct: f64,
    pub(super) refined_icmp_pct: f64,
}

/// A figure stated in the text.
#[derive(Debug, Deserialize)]
pub(super) struct Claim {
    pub(super) id: String,
    /// Place in the text.
    #[serde(rename = "where")]
    pub(super) place: String,
    pub(super) value: f64,
    unit: String,
}

/// Every cell of the tables, in their order.
pub(super) fn improvements() -> Result<Vec<Improvement>, Error> {
    read(IMPROVEMENT_FILE, IMPROVEMENT)
}

/// Every figure stated in the text, in its order.
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

impl Improvement {
    /// Mean stay in BAD, in milliseconds.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the casts saturate, and the table has tenths of seconds"
    )]
    pub(super) fn mean_bad_ms(&self) -> u64 {
        (self.mean_bad_s * 1_000.0).round() as u64
    }
}

impl Claim {
    /// The unit of its value.
    pub(super) fn unit(&self) -> Result<&'static str, Error> {
        ["percent", "messages", "packets", "count", "s"]
            .into_iter()
            .find(|unit| *unit == self.unit)
            .ok_or_else(|| Error::PaperFile {
                file: CLAIMS_FILE,
                reason: format!("`{}` has the unknown unit `{}`", self.id, self.unit),
            })
    }
}
