//! Reads a [`Table`] into a struct and records everything that is wrong with
//! it, not only the first thing.
//!
//! A struct whose fields all have defaults accepts a table of any single one
//! of its keys. So each key is tried alone; those that fail are recorded and
//! left out, and what is left makes the struct.

use core::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{
    self, DeserializeOwned, Deserializer, Expected, IntoDeserializer, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;

use crate::diagnostics::{Report, Site};
use crate::document::{Entry, Located, Table, Value};
use crate::nearest;

/// What `table` says about a `T`; `path` is its path in diagnostics. Wrong
/// values are recorded and replaced by their defaults.
pub(crate) fn read<T: DeserializeOwned + Default>(
    table: &Table,
    path: &str,
    report: &mut Report,
) -> T {
    let good = clean::<T>(table, path, &[], report);
    assemble(&good, path, report)
}

/// The entries of `table` that are right for a `T`, whose fields all have
/// defaults. The others are recorded, except those under a key of `extra`:
/// they are known to the caller alone, and left out.
pub(crate) fn clean<'t, T: DeserializeOwned>(
    table: &'t Table,
    path: &str,
    extra: &[&str],
    report: &mut Report,
) -> Vec<(&'t String, &'t Entry)> {
    let known = keys_of::<T>();
    let mut good = Vec::new();
    for (key, entry) in &table.entries {
        if extra.contains(&key.as_str()) {
            continue;
        }
        if !known.contains(&key.as_str()) {
            report
                .error(entry.key_site, join(path, key), "there is no such key")
                .help(|| nearest::help(key, known.iter().chain(extra).copied()));
            continue;
        }
        match from_entries::<T>(&[(key, entry)]) {
            Ok(_) => good.push((key, entry)),
            Err(wrong) => {
                let site = wrong.site.unwrap_or(entry.value.site);
                report.error(site, join(path, key), wrong.message).help(|| wrong.help);
            }
        }
    }
    good
}

/// A `T` of entries that [`clean`] has let through.
pub(crate) fn assemble<T: DeserializeOwned + Default>(
    entries: &[(&String, &Entry)],
    path: &str,
    report: &mut Report,
) -> T {
    from_entries(entries).unwrap_or_else(|wrong| {
        let site = wrong.site.unwrap_or_default();
        report.error(site, path, wrong.message).help(|| wrong.help);
        T::default()
    })
}

/// What `table` says about a `T`, all of whose fields are required. What is
/// missing, unknown or wrong is recorded, except under a key of `extra`: these
/// are known to the caller alone.
pub(crate) fn read_required<T: DeserializeOwned>(
    table: &Table,
    path: &str,
    extra: &[&str],
    report: &mut Report,
) -> Option<T> {
    let known = keys_of::<T>();
    let errors = report.count();
    for key in known.iter().filter(|key| table.get(key).is_none()) {
        report.error(table.site, join(path, key), "is missing");
    }
    let mut entries = Vec::new();
    for (key, entry) in &table.entries {
        if known.contains(&key.as_str()) {
            entries.push((key, entry));
        } else if !extra.contains(&key.as_str()) {
            report
                .error(entry.key_site, join(path, key), "there is no such key")
                .help(|| nearest::help(key, known.iter().chain(extra).copied()));
        }
    }
    if report.count() > errors {
        return None;
    }
    let wrong = match from_entries::<T>(&entries) {
        Ok(read) => return Some(read),
        Err(wrong) => wrong,
    };
    let site = wrong.site.unwrap_or(table.site);
    let at = entries.iter().find(|(_, entry)| entry.value.site == site);
    let key = at.map_or_else(|| path.into(), |(key, _)| join(path, key));
    report.error(site, key, wrong.message).help(|| wrong.help);
    None
}

/// `path.key`
pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.into() } else { format!("{path}.{key}") }
}

fn from_entries<T: DeserializeOwned>(entries: &[(&String, &Entry)]) -> Result<T, Wrong> {
    let pairs = entries.iter().map(|(key, entry)| (key.as_str(), &entry.value));
    T::deserialize(MapDeserializer::new(pairs))
}

/// The keys of the struct `T`, which serde passes to every deserializer.
pub(crate) fn keys_of<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut keys: &'static [&'static str] = &[];
    // It always fails: there is no value, only the question.
    let _ = T::deserialize(KeysOnly(&mut keys));
    keys
}

struct KeysOnly<'k>(&'k mut &'static [&'static str]);

impl<'de> Deserializer<'de> for KeysOnly<'_> {
    type Error = Wrong;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Wrong> {
        Err(de::Error::custom("only the keys were asked for"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        option unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier
        ignored_any
    }
}

/// Why a value is not what was expected, and the innermost place it is known for.
#[derive(Debug)]
pub(crate) struct Wrong {
    message: String,
    help: Option<String>,
    site: Option<Site>,
}

impl Wrong {
    fn expected(found: &impl fmt::Display, expected: &dyn Expected) -> Self {
        let expected = expected.to_string();
        let expected = match expected.as_str() {
            "u64" | "usize" => "a whole number, 0 to 18446744073709551615",
            "u32" => "a whole number, 0 to 4294967295",
            "f64" => "a number",
            "a boolean" => "true or false",
            "a sequence" => "an array",
            "a map" => "a table",
            other => other,
        };
        de::Error::custom(format_args!("found {found}, expected {expected}"))
    }

    fn at(mut self, site: Site) -> Self {
        self.site.get_or_insert(site);
        self
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for Wrong {}

impl de::Error for Wrong {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), help: None, site: None }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        match found {
            Unexpected::Map => Self::expected(&"a table", expected),
            Unexpected::Seq => Self::expected(&"an array", expected),
            Unexpected::Str(text) => Self::expected(&Value::from(text), expected),
            Unexpected::Signed(number) => Self::expected(&number, expected),
            Unexpected::Unsigned(number) => Self::expected(&number, expected),
            Unexpected::Float(number) => Self::expected(&number, expected),
            Unexpected::Bool(truth) => Self::expected(&truth, expected),
            other => Self::expected(&other, expected),
        }
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::expected(&format_args!("{length} elements"), expected)
    }

    fn unknown_variant(found: &str, expected: &'static [&'static str]) -> Self {
        let message = format!("found \"{found}\", expected one of {}", nearest::list(expected));
        let help = nearest::did_you_mean(found, expected.iter().copied());
        Self { message, help, site: None }
    }
}

impl<'de> IntoDeserializer<'de, Wrong> for &'de Located {
    type Deserializer = Self;
    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for &'de Located {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let result = match &self.value {
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Integer(number) => {
                if let Ok(number) = u64::try_from(*number) {
                    visitor.visit_u64(number)
                } else if let Ok(number) = i64::try_from(*number) {
                    visitor.visit_i64(number)
                } else {
                    Err(Wrong::expected(&self.value, &visitor))
                }
            }
            Value::Float(number) => visitor.visit_f64(*number),
            Value::Boolean(truth) => visitor.visit_bool(*truth),
            Value::Array(items) => visitor.visit_seq(SeqDeserializer::new(items.iter())),
            Value::Table(table) => visitor.visit_map(MapDeserializer::new(
                table.entries.iter().map(|(key, entry)| (key.as_str(), &entry.value)),
            )),
            Value::Other(_) => Err(Wrong::expected(&self.value, &visitor)),
        };
        result.map_err(|wrong| wrong.at(self.site))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        let Value::String(text) = &self.value else {
            let words = format!("one of {}", nearest::list(variants));
            return Err(Wrong::expected(&self.value, &words.as_str()).at(self.site));
        };
        let variant: StrDeserializer<'_, Wrong> = text.as_str().into_deserializer();
        visitor.visit_enum(variant).map_err(|wrong| wrong.at(self.site))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct newtype_struct seq tuple tuple_struct struct map identifier ignored_any
    }
}
