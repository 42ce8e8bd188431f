//! Settings from outside the file, as `--set key=value` gives them.

use core::str::FromStr;

use crate::diagnostics::{Report, Site};
use crate::document::{Located, Table, Value, parse_toml_value};
use crate::nearest;
use crate::read::keys_of;
use crate::schema;

/// One setting that replaces or adds to what the file says.
///
/// The key is a path of names with dots: `title`, `run.seed`, `trace.csv`,
/// `tcp.receive_window`; nodes, links and airs go by their names, connections
/// and what has no name by their index from 0, and `*` stands for all of them:
/// `node.bs.queue`, `link.air.channel.mean_bad`, `link.*.delay`,
/// `air.cell.channel.0.mean_bad`, `connection.0.variant`.
///
/// The value is TOML (`7`, `true`, `["seqno"]`, `"8 KiB"`); what is not TOML,
/// and whatever replaces a string and is no table, is taken as a string
/// (`8 KiB`, `fifo`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    text: String,
    /// Where the `=` is.
    equals: usize,
}

/// An override that has no `=` or an empty part in its path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an override; write for example run.seed=7")]
pub struct OverrideError(String);

impl FromStr for Override {
    type Err = OverrideError;

    fn from_str(text: &str) -> Result<Self, OverrideError> {
        let wrong = || OverrideError(text.into());
        let equals = text.find('=').ok_or_else(wrong)?;
        if text[..equals].split('.').any(|part| part.trim().is_empty()) {
            return Err(wrong());
        }
        Ok(Self { text: text.into(), equals })
    }
}

impl Override {
    /// Puts the setting into `document`, or records why it does not fit.
    pub(crate) fn apply(&self, document: &mut Table, report: &mut Report) {
        let number = report.add_text("override", self.text.as_str());
        let value = &self.text[self.equals + 1..];
        let setting = Setting {
            key: self.text[..self.equals].trim(),
            value: value.trim(),
            key_site: Site::new(number, &(0..self.equals)),
            value_site: Site::new(number, &(self.equals + 1..self.text.len())),
        };
        let parts: Vec<&str> = setting.key.split('.').map(str::trim).collect();
        let tables = keys_of::<schema::Document>();
        match parts.as_slice() {
            [first, ..] if !tables.contains(first) => {
                let message = format!("nothing is called `{first}`");
                report
                    .error(setting.key_site, setting.key, message)
                    .help(|| nearest::help(first, tables.iter().copied()));
            }
            [kind @ ("node" | "link" | "air" | "connection"), which, rest @ ..]
                if !rest.is_empty() =>
            {
                setting.set_in_each(document, kind, which, rest, report);
            }
            [kind @ ("node" | "link" | "air" | "connection"), ..] => {
                let message = format!("write for example {kind}.*.key=value");
                report.error(setting.key_site, setting.key, message);
            }
            path => setting.set(document, path, report),
        }
    }
}

/// An override, taken apart.
struct Setting<'t> {
    key: &'t str,
    value: &'t str,
    key_site: Site,
    value_site: Site,
}

impl Setting<'_> {
    /// Sets `rest` in those items of the array `kind` that `which` selects.
    fn set_in_each(
        &self,
        table: &mut Table,
        kind: &str,
        which: &str,
        rest: &[&str],
        report: &mut Report,
    ) {
        let items = match table.entries.get_mut(kind).map(|entry| &mut entry.value.value) {
            Some(Value::Array(items)) => items.as_mut_slice(),
            _ => &mut [],
        };
        let (mut names, mut found) = (Vec::new(), false);
        for (index, item) in items.iter_mut().enumerate() {
            let Value::Table(table) = &mut item.value else { continue };
            let name = table.string("name").map_or_else(|| index.to_string(), Into::into);
            if which == "*" || which == name {
                found = true;
                self.set(table, rest, report);
            }
            names.push(name);
        }
        if !found {
            let message = format!("there is no {kind} `{which}`");
            report
                .error(self.key_site, self.key, message)
                .help(|| nearest::help(which, names.iter().map(String::as_str)));
        }
    }

    /// Sets the value at `path` in `table`, with the tables on the way there.
    /// Of an array of tables, the next part of the path selects some.
    fn set(&self, table: &mut Table, path: &[&str], report: &mut Report) {
        let Some((part, way)) = path.split_first() else { return };
        let value = table.get(part).map(|located| &located.value);
        match (way, value) {
            ([], _) => return self.set_value(table, part),
            ([which, rest @ ..], Some(Value::Array(items)))
                if !rest.is_empty()
                    && items.iter().any(|it| matches!(it.value, Value::Table(_))) =>
            {
                return self.set_in_each(table, part, which, rest, report);
            }
            (_, None) => table.set(part, self.key_site, Value::Table(Table::new(self.key_site))),
            _ => {}
        }
        match table.entries.get_mut(*part).map(|entry| &mut entry.value.value) {
            Some(Value::Table(next)) => self.set(next, way, report),
            _ => {
                report.error(self.key_site, self.key, format!("`{part}` is not a table"));
            }
        }
    }

    /// Sets the value of `last` in `table`.
    fn set_value(&self, table: &mut Table, last: &str) {
        let replaces_string =
            matches!(table.get(last), Some(Located { value: Value::String(_), .. }));
        let value = match parse_toml_value(self.value) {
            Some(string @ Value::String(_)) => string,
            // A string that looks like a number stays one; nothing else looks like a table.
            Some(value) if !replaces_string || matches!(value, Value::Table(_)) => {
                value.placed(self.value_site)
            }
            _ => self.value.into(),
        };
        table.set(last, self.value_site, value);
        if let Some(entry) = table.entries.get_mut(last) {
            entry.key_site = self.key_site;
        }
    }
}
