//! Claims about the state of a connection.

use winnow::ascii::space0;
use winnow::combinator::{alt, delimited, opt};
use winnow::prelude::*;

use super::super::script::{Claim, ONE, Relation, Value};
use super::number::billionths;
use super::packet::expected;
use super::{list, word};

/// `cwnd == 10 * 1000, state == ESTABLISHED`.
pub(super) fn claims(input: &mut &str) -> ModalResult<Vec<Claim>> {
    list(',', claim).parse_next(input)
}

fn claim(input: &mut &str) -> ModalResult<Claim> {
    let relation = alt((
        "==".value(Relation::Equal),
        "!=".value(Relation::NotEqual),
        "<=".value(Relation::AtMost),
        ">=".value(Relation::AtLeast),
        "<".value(Relation::Less),
        ">".value(Relation::More),
    ));
    (
        word.context(expected("the name of a field")),
        delimited(space0, relation, space0).context(expected("==, !=, <, <=, > or >=")),
        value.context(expected("a number, a product or sum, or a name")),
    )
        .map(|(field, relation, value)| Claim { field: field.into(), relation, value })
        .parse_next(input)
}

fn value(input: &mut &str) -> ModalResult<Value> {
    alt((sum.map(Value::Number), word.map(|name| Value::Name(name.into())))).parse_next(input)
}

fn sum(input: &mut &str) -> ModalResult<i128> {
    let mut total = product(input)?;
    let mut sign = opt(delimited(space0, alt(('+', '-')), space0));
    while let Some(sign) = sign.parse_next(input)? {
        let next = product(input)?;
        total += if sign == '+' { next } else { -next };
    }
    Ok(total)
}

fn product(input: &mut &str) -> ModalResult<i128> {
    let mut total = billionths(input)?;
    let mut times = opt(delimited(space0, '*', space0));
    while times.parse_next(input)?.is_some() {
        total = total * billionths(input)? / ONE;
    }
    Ok(total)
}
