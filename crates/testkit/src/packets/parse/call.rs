//! Calls of the application.

use winnow::ascii::{dec_uint, space0, space1};
use winnow::combinator::{alt, cut_err, delimited, preceded};
use winnow::prelude::*;

use super::super::script::{Call, Outcome};
use super::packet::{expected, fill};
use super::word;

/// A call and what it returns.
pub(super) fn call(input: &mut &str) -> ModalResult<(Call, Outcome)> {
    let call = alt((
        named("listen", (dec_uint, next(dec_uint)))
            .map(|(fd, backlog)| Call::Listen { fd, backlog }),
        named("accept", dec_uint).map(|fd| Call::Accept { fd }),
        named("connect", dec_uint).map(|fd| Call::Connect { fd }),
        named("write", (dec_uint, next("..."), next(dec_uint)))
            .map(|(fd, _, amount)| Call::Write { fd, amount }),
        named("read", (dec_uint, next(buffer), next(dec_uint)))
            .map(|(fd, fill, amount)| Call::Read { fd, fill, amount }),
        named("shutdown", (dec_uint, next("SHUT_WR"))).map(|(fd, _)| Call::Shutdown { fd }),
        named("close", dec_uint).map(|fd| Call::Close { fd }),
        named("abort", dec_uint).map(|fd| Call::Abort { fd }),
    ));
    let error = preceded(("-1", space1), word).map(|name| Outcome::Error(name.into()));
    let outcome = alt((error, dec_uint.map(Outcome::Value)));
    let outcome = preceded((space0, '=', space0), outcome)
        .context(expected("`= ` and a number or `-1` with the name of an error"));
    (call, cut_err(outcome)).parse_next(input)
}

/// `name(arguments)`.
fn named<'i, T>(
    name: &'static str,
    arguments: impl ModalParser<&'i str, T, winnow::error::ContextError>,
) -> impl ModalParser<&'i str, T, winnow::error::ContextError> {
    preceded(
        name,
        cut_err(delimited('(', arguments, ')').context(expected("the call's arguments"))),
    )
}

/// An argument after the first.
fn next<'i, T>(
    argument: impl ModalParser<&'i str, T, winnow::error::ContextError>,
) -> impl ModalParser<&'i str, T, winnow::error::ContextError> {
    preceded((space0, ',', space0), argument)
}

/// `...` for the stream's own bytes, or a letter.
fn buffer(input: &mut &str) -> ModalResult<Option<u8>> {
    alt(("...".value(None), fill.map(Some))).parse_next(input)
}
