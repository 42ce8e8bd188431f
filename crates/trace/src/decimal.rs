//! Exact decimal numbers for files.

use core::fmt;

use netjoule_units::{Duration, Energy, Instant, Power};

/// A whole number of units, shown as a decimal of a unit 10^`digits` times as
/// large, without trailing zeros: nanoseconds become `945` or `945.000024` ms.
#[derive(Clone, Copy)]
pub(crate) struct Decimal {
    value: u128,
    digits: u8,
}

/// `now` in milliseconds, exactly.
pub(crate) fn millis(now: Instant) -> Decimal {
    Decimal { value: now.as_nanos().into(), digits: 6 }
}

/// `now` in seconds, exactly.
pub(crate) fn seconds(now: Instant) -> Decimal {
    Decimal { value: now.as_nanos().into(), digits: 9 }
}

/// `span` in milliseconds, exactly.
pub(crate) fn span_millis(span: Duration) -> Decimal {
    Decimal { value: span.as_nanos().into(), digits: 6 }
}

/// `span` in seconds, exactly.
pub(crate) fn span_seconds(span: Duration) -> Decimal {
    Decimal { value: span.as_nanos().into(), digits: 9 }
}

/// `power` in watts, exactly.
pub(crate) fn watts(power: Power) -> Decimal {
    Decimal { value: power.as_nanowatts().into(), digits: 9 }
}

/// `energy` in joules, exactly.
pub(crate) fn joules(energy: Energy) -> Decimal {
    Decimal { value: energy.as_attojoules(), digits: 18 }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = 10u128.pow(u32::from(self.digits));
        write!(f, "{}", self.value / one)?;
        let (mut rest, mut width) = (self.value % one, usize::from(self.digits));
        if rest == 0 {
            return Ok(());
        }
        while rest.is_multiple_of(10) {
            rest /= 10;
            width -= 1;
        }
        write!(f, ".{rest:0width$}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_milliseconds_are_integers_and_the_rest_is_exact() {
        let shown = |ns| millis(Instant::from_nanos(ns)).to_string();
        assert_eq!(shown(0), "0");
        assert_eq!(shown(945_000_000), "945");
        assert_eq!(shown(945_000_024), "945.000024");
        assert_eq!(shown(1_024_000), "1.024");
        assert_eq!(shown(100), "0.0001");
        assert_eq!(shown(u64::MAX), "18446744073709.551615");
        assert_eq!(seconds(Instant::from_millis(1_050)).to_string(), "1.05");
        assert_eq!(span_millis(Duration::from_micros(1_500)).to_string(), "1.5");
        assert_eq!(watts(Power::from_milliwatts(50)).to_string(), "0.05");
        let energy = Energy::from_joules(u64::MAX) + Energy::from_attojoules(1);
        assert_eq!(joules(energy).to_string(), "18446744073709551615.000000000000000001");
    }
}
