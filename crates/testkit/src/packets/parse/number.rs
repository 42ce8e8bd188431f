//! Numbers, exactly as they are written.

use netjoule_units::Duration;
use winnow::ascii::{digit0, digit1};
use winnow::combinator::{alt, opt, preceded};
use winnow::prelude::*;

use super::super::script::ONE;

/// `12`, `0.25` or `.25` in billionths; at most nine places.
pub(super) fn billionths(input: &mut &str) -> ModalResult<i128> {
    let with_whole = (digit1, opt(preceded('.', digit0)).map(Option::unwrap_or_default));
    let without_whole = preceded('.', digit1).map(|fraction: &str| ("0", fraction));
    alt((with_whole, without_whole))
        .verify_map(|(whole, fraction): (&str, &str)| {
            let places = u32::try_from(fraction.len()).ok()?;
            let scale = 10_i128.pow(9_u32.checked_sub(places)?);
            let fraction: i128 = if places == 0 { 0 } else { fraction.parse().ok()? };
            whole.parse::<i128>().ok()?.checked_mul(ONE)?.checked_add(fraction * scale)
        })
        .parse_next(input)
}

/// A number of seconds.
pub(super) fn seconds(input: &mut &str) -> ModalResult<Duration> {
    billionths.verify_map(|ns| u64::try_from(ns).ok().map(Duration::from_nanos)).parse_next(input)
}
