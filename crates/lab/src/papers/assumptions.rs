//! What a paper's text does not say, and what it says twice.

use serde::Deserialize;

use super::figure::Role;
use crate::Error;

/// A parameter or rule that the text does not give.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assumption {
    /// What it is about.
    pub name: String,
    /// What is assumed.
    pub value: String,
    /// How it was chosen.
    pub chosen: String,
    /// The published items that were looked at to choose it.
    pub fitted_on: Vec<String>,
}

/// Published items that another part of the text excludes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contradiction {
    /// The items.
    pub items: Vec<String>,
    /// What excludes them.
    pub reason: String,
}

/// A paper's `assumptions.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assumptions {
    /// The assumptions, in the file's order.
    #[serde(rename = "assumption")]
    pub assumptions: Vec<Assumption>,
    /// The contradictions, in the file's order.
    #[serde(rename = "contradiction", default)]
    pub contradictions: Vec<Contradiction>,
}

impl Assumptions {
    /// Reads the text of `file`.
    ///
    /// # Errors
    /// [`Error::PaperFile`] if it is not such a file.
    pub fn parse(file: &'static str, text: &str) -> Result<Self, Error> {
        toml::from_str(text).map_err(|error| Error::PaperFile { file, reason: error.to_string() })
    }

    /// Whether a parameter was chosen with `item` in view.
    #[must_use]
    pub fn role(&self, item: &str) -> Role {
        let names = self.assumptions.iter().flat_map(|assumption| &assumption.fitted_on);
        if names.into_iter().any(|name| name == item) { Role::Fitted } else { Role::Predicted }
    }

    /// Why `item` contradicts its own text, if it does.
    #[must_use]
    pub fn contradiction(&self, item: &str) -> Option<&str> {
        self.contradictions
            .iter()
            .find(|contradiction| contradiction.items.iter().any(|name| name == item))
            .map(|contradiction| contradiction.reason.as_str())
    }
}
