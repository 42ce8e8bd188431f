//! What the machine may refuse.

use std::io;

/// Something that the system would not do.
#[derive(Debug, thiserror::Error)]
#[error("cannot {what}: {source}{}", in_brackets(.hint))]
pub struct Error {
    /// What was tried, after "cannot".
    pub what: String,
    /// What the system said.
    pub source: io::Error,
    /// What may help.
    pub hint: Option<&'static str>,
}

fn in_brackets(hint: &Option<&str>) -> String {
    hint.map_or_else(String::new, |hint| format!(" ({hint})"))
}

impl Error {
    pub(crate) fn new(what: impl Into<String>, source: impl Into<io::Error>) -> Self {
        Self { what: what.into(), source: source.into(), hint: None }
    }

    /// The same with a hint for those who are not allowed to.
    pub(crate) fn if_denied(mut self, hint: &'static str) -> Self {
        if self.source.kind() == io::ErrorKind::PermissionDenied {
            self.hint = Some(hint);
        }
        self
    }
}
