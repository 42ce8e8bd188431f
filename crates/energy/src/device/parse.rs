//! Device files: from text to a device, or to what is wrong with it and where.

use core::fmt;
use core::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Device;

/// One thing that is wrong with a device file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The key with the tables around it, such as `radio.tail.0.lasts`; empty
    /// where the text cannot be read as a device at all.
    pub key: String,
    /// What was found and what was expected.
    pub message: String,
    /// The bytes of the text that this is about.
    pub span: Range<usize>,
    /// The line on which they begin, from 1.
    pub line: usize,
}

/// Everything that is wrong with a device file. After an error of syntax or of
/// type no more is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(pub Vec<Wrong>);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Wrong { key, message, line, .. }) in self.0.iter().enumerate() {
            let newline = if index == 0 { "" } else { "\n" };
            let colon = if key.is_empty() { "" } else { ": " };
            write!(f, "{newline}line {line}: {key}{colon}{message}")?;
        }
        Ok(())
    }
}

impl core::error::Error for Error {}

impl Device {
    /// Reads a device file.
    ///
    /// # Errors
    /// What is wrong with it: syntax, keys and quantities first, and once these
    /// are right, what [`validate`](Self::validate) refuses.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let device: Self = toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            Error(vec![wrong(text, String::new(), error.message().into(), span)])
        })?;
        let Err(found) = device.validate() else { return Ok(device) };
        let root = DeTable::parse(text);
        let placed = found.into_iter().map(|(key, message)| {
            let span = root.as_ref().map_or(0..0, |root| place(root.get_ref(), &key));
            wrong(text, key, message, span)
        });
        Err(Error(placed.collect()))
    }
}

fn wrong(text: &str, key: String, message: String, span: Range<usize>) -> Wrong {
    let before = text.as_bytes().iter().take(span.start);
    let line = before.filter(|&&byte| byte == b'\n').count() + 1;
    Wrong { key, message, span, line }
}

/// Where what `key` names stands, or else the innermost table around it.
fn place(root: &DeTable<'_>, key: &str) -> Range<usize> {
    let mut span = 0..0;
    let mut parts = key.split('.');
    let mut found = parts.next().and_then(|part| entry(root, part));
    while let Some(value) = found {
        span = value.span();
        found = parts.next().and_then(|part| match value.get_ref() {
            DeValue::Table(table) => entry(table, part),
            DeValue::Array(items) => items.get(part.parse::<usize>().ok()?),
            _ => None,
        });
    }
    span
}

fn entry<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<&'t Spanned<DeValue<'i>>> {
    table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
}
