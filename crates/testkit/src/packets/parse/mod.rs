//! Reads scripts. The grammar is in `tests/packets/README.md`.

mod call;
mod claim;
mod number;
mod packet;

use winnow::ascii::space0;
use winnow::combinator::{alt, cut_err, fail, opt, preceded, repeat, terminated};
use winnow::error::{StrContext, StrContextValue};
use winnow::prelude::*;

use super::script::{Line, Script, Statement, When};
use super::settings::Settings;
use number::seconds;

/// What is wrong in a line of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    /// Its number, from 1.
    pub(super) line: usize,
    /// What was expected.
    pub(super) message: String,
}

/// Reads a script, or says all that is wrong in it.
pub(super) fn script(text: &str) -> Result<Script, Vec<Wrong>> {
    let mut wrong = Vec::new();
    let mut lines = Vec::new();
    let mut header = String::new();
    let mut first_setting = 1;
    for (index, full) in text.lines().enumerate() {
        let number = index + 1;
        let text = full.split("//").next().unwrap_or_default().trim();
        if let Some(setting) = text.strip_prefix("--") {
            if header.is_empty() {
                first_setting = number;
            }
            header.push_str(setting);
            header.push('\n');
        } else if !text.is_empty() {
            match line.parse(text) {
                Ok((when, statement)) => {
                    lines.push(Line { number, text: text.into(), when, statement });
                }
                Err(error) => {
                    let (_, rest) = text.split_at(error.offset());
                    let place = if rest.is_empty() { "the end of the line" } else { rest };
                    let message =
                        format!("at `{place}`: {}", error.inner().to_string().replace('\n', ", "));
                    wrong.push(Wrong { line: number, message });
                }
            }
        }
    }
    match Settings::read(&header) {
        Ok(settings) if wrong.is_empty() => return Ok(Script { settings, lines }),
        Ok(_) => {}
        Err(message) => wrong.push(Wrong { line: first_setting, message }),
    }
    Err(wrong)
}

/// A moment and what happens then.
fn line(input: &mut &str) -> ModalResult<(When, Statement)> {
    (terminated(opt(when), space0), statement)
        .map(|(when, what)| (when.unwrap_or(NOW), what))
        .parse_next(input)
}

/// A line without a time goes with the one before.
const NOW: When = When::After(netjoule_units::Duration::ZERO, netjoule_units::Duration::ZERO);

/// `+0.1`, `+0.1~+0.3`, `2.5`, `2.5~2.6` or `*`.
fn when(input: &mut &str) -> ModalResult<When> {
    use netjoule_units::Instant;
    let after = (preceded('+', seconds), opt(preceded("~+", seconds)))
        .map(|(from, to)| When::After(from, to.unwrap_or(from)));
    let at = (seconds, opt(preceded('~', seconds)))
        .map(|(from, to)| When::At(Instant::ZERO + from, Instant::ZERO + to.unwrap_or(from)));
    alt(('*'.value(When::Any), after, at)).parse_next(input)
}

fn statement(input: &mut &str) -> ModalResult<Statement> {
    alt((
        preceded('<', cut_err(packet::packet)).map(Statement::Inbound),
        preceded('>', cut_err(packet::packet)).map(Statement::Outbound),
        "silence".value(Statement::Silence),
        preceded(("assert", space0), cut_err(claim::claims)).map(Statement::Assert),
        call::call.map(|(call, outcome)| Statement::Call(call, outcome)),
        fail.context(StrContext::Expected(StrContextValue::Description(
            "`<`, `>`, `assert`, `silence` or a call",
        ))),
    ))
    .parse_next(input)
}

/// What stands between words.
fn spaced<'i, T>(
    inner: impl ModalParser<&'i str, T, winnow::error::ContextError>,
) -> impl ModalParser<&'i str, T, winnow::error::ContextError> {
    preceded(space0, inner)
}

/// A word of letters, digits and underscores.
fn word<'i>(input: &mut &'i str) -> ModalResult<&'i str> {
    winnow::token::take_while(1.., |c: char| c.is_ascii_alphanumeric() || c == '_')
        .parse_next(input)
}

/// One or more, with `separator` and spaces between.
fn list<'i, T>(
    separator: char,
    mut inner: impl ModalParser<&'i str, T, winnow::error::ContextError>,
) -> impl ModalParser<&'i str, Vec<T>, winnow::error::ContextError> {
    move |input: &mut &'i str| {
        let mut all = vec![inner.parse_next(input)?];
        let more: Vec<T> =
            repeat(0.., preceded((space0, separator, space0), inner.by_ref())).parse_next(input)?;
        all.extend(more);
        Ok(all)
    }
}

#[cfg(test)]
mod tests;
