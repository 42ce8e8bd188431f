//! Writing integers with the unit that suits them.

use core::fmt;

/// Writes `value` in the first of `units`, largest first, that shows it without
/// a fraction; `none` is the unit of zero. The last factor is 1.
pub(crate) fn whole(
    f: &mut fmt::Formatter<'_>,
    value: u128,
    none: &str,
    units: &[(u128, &str)],
) -> fmt::Result {
    let fits = |&&(factor, _): &&(u128, &str)| value != 0 && value.is_multiple_of(factor);
    match units.iter().find(fits) {
        Some((factor, unit)) => write!(f, "{} {unit}", value / factor),
        None => write!(f, "{value} {none}"),
    }
}
