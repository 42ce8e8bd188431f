//! Tokens of the brace format.

use core::ops::Range;

use winnow::ascii::{line_ending, space1};
use winnow::combinator::{alt, repeat};
use winnow::prelude::*;
use winnow::stream::LocatingSlice;
use winnow::token::{any, take_till, take_while};

/// A token and its bytes in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) range: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'t> {
    /// A name, number or anything else without spaces.
    Word(&'t str),
    Equals,
    Open,
    Close,
    Semicolon,
    Newline,
    /// A space or a comment.
    Nothing,
}

/// The tokens of `text` without spaces and comments. Every text has some.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let token = alt((
        space1.value(Kind::Nothing),
        ('#', take_till(0.., '\n')).value(Kind::Nothing),
        line_ending.value(Kind::Newline),
        '='.value(Kind::Equals),
        '{'.value(Kind::Open),
        '}'.value(Kind::Close),
        ';'.value(Kind::Semicolon),
        take_while(1.., |c: char| !(c.is_whitespace() || "={};#".contains(c))).map(Kind::Word),
        // A lone carriage return and other spaces.
        any.value(Kind::Nothing),
    ))
    .with_span()
    .map(|(kind, range)| Token { kind, range });
    let all: ModalResult<Vec<Token<'_>>> =
        repeat(0.., token).parse_next(&mut LocatingSlice::new(text));
    let mut tokens = all.unwrap_or_default();
    tokens.retain(|token| token.kind != Kind::Nothing);
    tokens
}
