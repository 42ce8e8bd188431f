//! Files of a channel's changes of state: `trace.dat` of goel1997 B.3.1, and
//! the BAD periods that its "patch" had compiled in.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use netjoule_units::Instant;

use crate::diagnostics::{Report, Site};

/// Larger files are refused.
pub(crate) const LARGEST_FILE: u64 = 4 << 20;

/// Reads the lines of a file, the text of the given number, into the moments
/// of change from GOOD at the start. The key is for diagnostics.
type Parser = fn(usize, &str, &str, &mut Report) -> Vec<Instant>;

/// A kind of file.
#[derive(Clone, Copy)]
pub(crate) struct Format {
    parse: Parser,
    /// What its lines are, for help.
    lines: &'static str,
}

/// See [`trace`].
pub(crate) const TRACE: Format = Format {
    parse: trace,
    lines: "each line is a time in ms and the state from then on, 1 (GOOD) or 0 (BAD): `945 0`",
};

/// See [`bad_periods`].
pub(crate) const BAD_PERIODS: Format = Format {
    parse: bad_periods,
    lines: "each line is the start and the end of a BAD period in ms: `945 1044`",
};

/// Reads the file at `path`, which a scenario names at `site` under `key`. Every
/// error comes with what the lines should be.
pub(crate) fn load(
    path: &Path,
    site: Site,
    key: &str,
    format: Format,
    report: &mut Report,
) -> Vec<Instant> {
    let errors = report.count();
    let switches = match read_text(path) {
        Ok(text) => {
            let number = report.add_text(path.display().to_string(), text.as_str());
            (format.parse)(number, key, &text, report)
        }
        Err(error) => {
            let message = format!("cannot read {}: {error}", path.display());
            report.error(site, key, message);
            Vec::new()
        }
    };
    for found in report.found_since(errors) {
        found.help(|| Some(format.lines.into()));
    }
    switches
}

/// The text of a file of bounded size.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(io::Error::other("it is larger than 4 MiB"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count();
        io::Error::other(format!("line {} is not UTF-8", line + 1))
    })
}

/// Lines of a time in milliseconds and the state from then on, 1 for GOOD and
/// 0 for BAD. The state before the first line is GOOD; a first line may say so.
pub(crate) fn trace(number: usize, key: &str, text: &str, report: &mut Report) -> Vec<Instant> {
    let mut switches = Vec::new();
    let (mut good, mut last) = (true, None);
    for [time, state] in rows(number, key, "a time in ms and a state, 1 or 0", text, report) {
        let Some(at) = moment(time, last, key, report) else { continue };
        let is_good = match state.1 {
            "1" => true,
            "0" => false,
            other => {
                let message = format!("found `{other}`, expected 1 (GOOD) or 0 (BAD)");
                report.error(state.0, key, message);
                continue;
            }
        };
        let first = last.replace(at).is_none();
        if is_good != good {
            switches.push(at);
            good = is_good;
        } else if !(first && at == Instant::ZERO) {
            let message = format!("found {}, which is the state before this line", state.1);
            report.error(state.0, key, message);
        }
    }
    switches
}

/// Lines of the milliseconds at which a BAD period begins and ends.
pub(crate) fn bad_periods(
    number: usize,
    key: &str,
    text: &str,
    report: &mut Report,
) -> Vec<Instant> {
    let mut switches: Vec<Instant> = Vec::new();
    for [from, to] in rows(number, key, "the start and end of a BAD period in ms", text, report) {
        let last = switches.last().copied();
        let Some(start) = moment(from, last, key, report) else { continue };
        let Some(end) = moment(to, Some(start), key, report) else { continue };
        if start == end {
            report.error(to.0, key, "the period ends as it begins");
        }
        switches.extend([start, end]);
    }
    switches
}

type Word<'t> = (Site, &'t str);

/// The lines of two words; `#` starts a comment, and empty lines do not count.
fn rows<'t>(
    number: usize,
    key: &str,
    expected: &str,
    text: &'t str,
    report: &mut Report,
) -> Vec<[Word<'t>; 2]> {
    let mut rows = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.split('#').next().unwrap_or_default();
        let words: Vec<Word<'_>> = content
            .split_ascii_whitespace()
            .take(3)
            .map(|word| {
                // A word is a part of the line, so its place is their distance.
                let at = start + (word.as_ptr().addr() - line.as_ptr().addr());
                (Site::new(number, &(at..at + word.len())), word)
            })
            .collect();
        match <[Word<'_>; 2]>::try_from(words) {
            Ok(row) => rows.push(row),
            Err(words) if words.is_empty() => {}
            Err(words) => {
                let site = Site::new(number, &(start..start + content.trim_end().len()));
                let count = if words.len() == 1 { "one word" } else { "more than two words" };
                report.error(site, key, format!("found {count}, expected {expected}"));
            }
        }
        start += line.len();
    }
    rows
}

/// The moment that a number of milliseconds stands for, not before `last`.
fn moment(
    (site, word): Word<'_>,
    last: Option<Instant>,
    key: &str,
    report: &mut Report,
) -> Option<Instant> {
    match format!("{word} ms").parse::<Instant>() {
        Ok(at) if last.is_some_and(|last| at < last) => {
            let message = format!("found {word}, expected no time before the one in front of it");
            report.error(site, key, message);
            None
        }
        Ok(at) => Some(at),
        Err(_) => {
            let message = format!("found `{word}`, expected a time in milliseconds");
            report.error(site, key, message);
            None
        }
    }
}

#[cfg(test)]
#[path = "channel_file_tests.rs"]
mod tests;
