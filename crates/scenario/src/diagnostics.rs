//! What is wrong with a scenario, and where.
//!
//! A [`Report`] collects every error with its [`Site`] while a scenario is
//! read, and becomes one [`Error`] at the end.

use core::fmt;
use core::ops::Range;

use crate::render;

/// How many diagnostics an [`Error`] holds; it counts the rest.
pub const MOST_DIAGNOSTICS: usize = 50;

/// How many are remembered before they are sorted, so that hostile input cannot
/// fill the memory with them.
const MOST_REMEMBERED: usize = 1_000;

/// Characters of a key or message that are kept.
const LONGEST_MESSAGE: usize = 400;

/// Everything that is wrong with a scenario.
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    texts: Vec<Text>,
    diagnostics: Vec<Diagnostic>,
    omitted: usize,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file, or `override` for an [`Override`](crate::Override).
    pub file: String,
    /// Where in the file; `None` when the file as a whole cannot be read.
    pub position: Option<Position>,
    /// The key, as a path that an override would take; empty for a syntax
    /// error.
    pub key: String,
    /// What was found and what was expected.
    pub message: String,
    /// What may help, such as the nearest known key.
    pub help: Option<String>,
    pub(crate) site: Site,
    pub(crate) related: Option<(Site, &'static str)>,
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// A named text that diagnostics point into.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// A range of bytes in one of the texts of a [`Report`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Site {
    pub(crate) text: usize,
    start: usize,
    end: usize,
    /// The whole file, not a place in it.
    whole: bool,
}

/// The errors found so far and the texts they are in.
#[derive(Debug, Default)]
pub(crate) struct Report {
    texts: Vec<Text>,
    found: Vec<Found>,
    count: usize,
}

/// An error whose line and column are not worked out yet.
#[derive(Debug)]
pub(crate) struct Found {
    site: Site,
    key: String,
    message: String,
    help: Option<String>,
    related: Option<(Site, &'static str)>,
    is_remembered: bool,
}

impl Site {
    pub(crate) const fn new(text: usize, range: &Range<usize>) -> Self {
        Self { text, start: range.start, end: range.end, whole: false }
    }

    pub(crate) const fn whole(text: usize) -> Self {
        Self { text, start: 0, end: 0, whole: true }
    }

    /// The bytes that it covers, cut to what `text` has.
    pub(crate) fn range_in(self, text: &str) -> Range<usize> {
        let boundary = |mut at: usize| {
            at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = boundary(self.start);
        start..boundary(self.end).max(start)
    }

    pub(crate) fn position_in(self, text: &str) -> Option<Position> {
        if self.whole {
            return None;
        }
        let before = &text[..self.range_in(text).start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Some(Position {
            line: before.bytes().filter(|&byte| byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        })
    }
}

impl Found {
    /// Adds help, which is worked out only for an error that is remembered.
    pub(crate) fn help(&mut self, help: impl FnOnce() -> Option<String>) -> &mut Self {
        if self.is_remembered {
            self.help = help();
        }
        self
    }

    /// Shows a second place, with a word about it.
    pub(crate) const fn related(&mut self, site: Site, label: &'static str) -> &mut Self {
        self.related = Some((site, label));
        self
    }
}

impl Report {
    /// Takes a text in; the number is for [`Site::new`].
    pub(crate) fn add_text(&mut self, name: impl Into<String>, text: impl Into<String>) -> usize {
        self.texts.push(Text { name: presentable(&name.into()), text: text.into() });
        self.texts.len() - 1
    }

    /// Records that something is wrong at `site`.
    pub(crate) fn error(
        &mut self,
        site: Site,
        key: impl Into<String>,
        message: impl Into<String>,
    ) -> &mut Found {
        self.count += 1;
        // The last place serves those that there is no room for.
        self.found.truncate(MOST_REMEMBERED);
        let index = self.found.len();
        self.found.push(Found {
            site,
            key: presentable(&key.into()),
            message: presentable(&message.into()),
            help: None,
            related: None,
            is_remembered: index < MOST_REMEMBERED,
        });
        &mut self.found[index]
    }

    /// The errors after the first `count`, as far as they are remembered.
    pub(crate) fn found_since(&mut self, count: usize) -> impl Iterator<Item = &mut Found> {
        self.found.iter_mut().skip(count)
    }

    /// How many errors there are so far.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    pub(crate) const fn is_clean(&self) -> bool {
        self.count == 0
    }

    /// The errors in the order of their places, each once.
    pub(crate) fn into_error(mut self) -> Error {
        self.found.truncate(MOST_REMEMBERED);
        let forgotten = self.count.saturating_sub(self.found.len());
        self.found.sort_by(|a, b| (a.site, &a.message).cmp(&(b.site, &b.message)));
        self.found.dedup_by(|a, b| (a.site, &a.message) == (b.site, &b.message));
        let omitted = forgotten + self.found.len().saturating_sub(MOST_DIAGNOSTICS);
        let texts = self.texts;
        let diagnostics = self
            .found
            .into_iter()
            .take(MOST_DIAGNOSTICS)
            .filter_map(|found| {
                let Text { name, text } = texts.get(found.site.text)?;
                Some(Diagnostic {
                    file: name.clone(),
                    position: found.site.position_in(text),
                    key: found.key,
                    message: found.message,
                    help: found.help,
                    site: found.site,
                    related: found.related,
                })
            })
            .collect();
        Error(Box::new(Inner { texts, diagnostics, omitted }))
    }
}

/// `text` on one line and of bounded length, for it may quote the input.
fn presentable(text: &str) -> String {
    let shown = |c: char| if c.is_control() { '\u{FFFD}' } else { c };
    let mut short: String = text.chars().take(LONGEST_MESSAGE).map(shown).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

impl Error {
    /// The diagnostics, at most [`MOST_DIAGNOSTICS`]: those of the scenario
    /// file by line and column, then those of overrides and of files that the
    /// scenario names.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0.diagnostics
    }

    /// How many more there are.
    #[must_use]
    pub fn omitted(&self) -> usize {
        self.0.omitted
    }

    /// The full text with colours for a terminal; `Display` gives it without.
    #[must_use]
    pub fn coloured(&self) -> String {
        render::coloured(&self.0.texts, &self.0.diagnostics, self.0.omitted)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&render::plain(&self.0.texts, &self.0.diagnostics, self.0.omitted))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0.diagnostics).finish()
    }
}

impl core::error::Error for Error {}
