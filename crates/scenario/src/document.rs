//! A scenario as tables of keys and values, each with its place.
//!
//! TOML and the brace format are both read into this form, and overrides are
//! put into it, so that defaults and checks exist only once.

use core::fmt;
use std::collections::BTreeMap;

use serde::Serialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostics::{Report, Site};

/// A table; the entries are sorted by key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// Its header, for keys that are missing.
    pub(crate) site: Site,
    pub(crate) entries: BTreeMap<String, Entry>,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key_site: Site,
    pub(crate) value: Located,
}

/// A value with its place.
#[derive(Clone, Debug)]
pub(crate) struct Located {
    pub(crate) site: Site,
    pub(crate) value: Value,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    String(String),
    Integer(i128),
    Float(f64),
    Boolean(bool),
    Array(Vec<Located>),
    Table(Table),
    /// What no scenario needs: dates, and integers of more than 127 bits.
    Other(&'static str),
}

impl Table {
    pub(crate) const fn new(site: Site) -> Self {
        Self { site, entries: BTreeMap::new() }
    }

    /// The table that says what `settings` are; its places are nowhere.
    pub(crate) fn of(settings: &impl Serialize) -> Self {
        let text = toml::to_string(settings).unwrap_or_default();
        let entries = DeTable::parse(&text).map(|root| {
            let table = table(0, Site::default(), root.get_ref());
            Value::Table(table).placed(Site::default())
        });
        match entries {
            Ok(Value::Table(table)) => table,
            _ => Self::default(),
        }
    }

    /// The entries under `keys`.
    pub(crate) fn only(&self, keys: &[&str]) -> Self {
        let entries = self.entries.iter().filter(|(key, _)| keys.contains(&key.as_str()));
        let entries = entries.map(|(key, entry)| (key.clone(), entry.clone()));
        Self { site: self.site, entries: entries.collect() }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Located> {
        self.entries.get(key).map(|entry| &entry.value)
    }

    /// The table under `key`, if there is one.
    pub(crate) fn table(&self, key: &str) -> Option<&Self> {
        match &self.get(key)?.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The tables in the array under `key`, with their indices.
    pub(crate) fn tables(&self, key: &str) -> impl Iterator<Item = (usize, &Self)> {
        let items = match self.get(key) {
            Some(Located { value: Value::Array(items), .. }) => items.as_slice(),
            _ => &[],
        };
        items.iter().enumerate().filter_map(|(index, item)| match &item.value {
            Value::Table(table) => Some((index, table)),
            _ => None,
        })
    }

    /// Where the value of `key` stands, or the table's header without one.
    pub(crate) fn site_of(&self, key: &str) -> Site {
        self.get(key).map_or(self.site, |value| value.site)
    }

    /// Whether there is nothing under `key`, or an empty array.
    pub(crate) fn lacks(&self, key: &str) -> bool {
        match self.get(key).map(|value| &value.value) {
            Some(Value::Array(items)) => items.is_empty(),
            other => other.is_none(),
        }
    }

    /// Where the items of the array under `key` stand.
    pub(crate) fn item_sites(&self, key: &str) -> Vec<Site> {
        match self.get(key) {
            Some(Located { value: Value::Array(items), .. }) => {
                items.iter().map(|item| item.site).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The string under `key`.
    pub(crate) fn string(&self, key: &str) -> Option<&str> {
        match &self.get(key)?.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Sets `key`; both its name and its value stand at `site`.
    pub(crate) fn set(&mut self, key: &str, site: Site, value: Value) {
        let value = Located { site, value };
        self.entries.insert(key.into(), Entry { key_site: site, value });
    }

    /// Adds `table` to the array under `key`.
    pub(crate) fn push(&mut self, key: &str, table: Self) {
        let site = table.site;
        let item = Located { site, value: Value::Table(table) };
        match self.entries.get_mut(key).map(|entry| &mut entry.value.value) {
            Some(Value::Array(items)) => items.push(item),
            _ => self.set(key, site, Value::Array(vec![item])),
        }
    }
}

impl fmt::Display for Value {
    /// What a diagnostic says was found.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::String(text) => write!(f, "\"{text}\""),
            Self::Integer(number) => number.fmt(f),
            Self::Float(number) => number.fmt(f),
            Self::Boolean(truth) => truth.fmt(f),
            Self::Array(_) => f.write_str("an array"),
            Self::Table(_) => f.write_str("a table"),
            Self::Other(what) => f.write_str(what),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

/// Reads TOML, or records every syntax error.
pub(crate) fn parse_toml(text_number: usize, text: &str, report: &mut Report) -> Option<Table> {
    let (root, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let site = Site::new(text_number, &error.span().unwrap_or(0..0));
        report.error(site, "", error.message());
    }
    errors.is_empty().then(|| table(text_number, Site::new(text_number, &(0..0)), root.get_ref()))
}

/// A single TOML value, as an override may give it.
pub(crate) fn parse_toml_value(text: &str) -> Option<Value> {
    let parsed = DeValue::parse(text).ok()?;
    Some(value(0, Site::default(), parsed.get_ref()))
}

fn table(text: usize, site: Site, table: &DeTable<'_>) -> Table {
    let entries = table.iter().map(|(key, value)| {
        let key_site = Site::new(text, &key.span());
        (key.get_ref().to_string(), Entry { key_site, value: located(text, value) })
    });
    Table { site, entries: entries.collect() }
}

fn located(text: usize, spanned: &Spanned<DeValue<'_>>) -> Located {
    let site = Site::new(text, &spanned.span());
    Located { site, value: value(text, site, spanned.get_ref()) }
}

fn value(text: usize, site: Site, value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(string) => Value::String(string.to_string()),
        DeValue::Integer(integer) => i128::from_str_radix(integer.as_str(), integer.radix())
            .map_or(Value::Other("an enormous integer"), Value::Integer),
        DeValue::Float(float) => {
            float.as_str().parse().map_or(Value::Other("an unreadable number"), Value::Float)
        }
        DeValue::Boolean(boolean) => Value::Boolean(*boolean),
        DeValue::Datetime(_) => Value::Other("a date or time of day"),
        DeValue::Array(items) => {
            Value::Array(items.iter().map(|item| located(text, item)).collect())
        }
        DeValue::Table(entries) => Value::Table(table(text, site, entries)),
    }
}

impl Value {
    /// The same value with `site` as the place of everything in it.
    pub(crate) fn placed(self, site: Site) -> Self {
        match self {
            Self::Array(items) => Self::Array(
                items
                    .into_iter()
                    .map(|item| Located { site, value: item.value.placed(site) })
                    .collect(),
            ),
            Self::Table(table) => {
                let entries = table.entries.into_iter().map(|(key, entry)| {
                    let value = Located { site, value: entry.value.value.placed(site) };
                    (key, Entry { key_site: site, value })
                });
                Self::Table(Table { site, entries: entries.collect() })
            }
            plain => plain,
        }
    }
}
