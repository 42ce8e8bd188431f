//! Quantities as people write them: `19.954688 mW`, not `19954688 nW`.

use netjoule_units::{Duration, Energy, Power, WorkTime};

/// A quantity that can be told exactly, in the largest unit that is not larger
/// than it.
pub(super) trait Quantity {
    fn told(&self) -> String;
}

/// Units, the largest first, each a thousand of the next.
fn told(value: u128, units: &[&str]) -> String {
    let mut factor = 1_000_u128.pow(units.len() as u32 - 1);
    let mut unit = 0;
    while factor > value && factor > 1 {
        factor /= 1_000;
        unit += 1;
    }
    if value == 0 {
        // Of nothing, in the unit without a prefix.
        unit = units.iter().position(|unit| unit.len() == 1).unwrap_or(0);
    }
    let (whole, part) = (value / factor, value % factor);
    let digits = factor.ilog10() as usize;
    let fraction = if part == 0 { String::new() } else { format!(".{part:0digits$}") };
    format!("{whole}{} {}", fraction.trim_end_matches('0'), units[unit])
}

impl Quantity for Power {
    fn told(&self) -> String {
        told(self.as_nanowatts().into(), &["kW", "W", "mW", "uW", "nW"])
    }
}

impl Quantity for Energy {
    fn told(&self) -> String {
        told(self.as_attojoules(), &["kJ", "J", "mJ", "uJ", "nJ", "pJ", "fJ", "aJ"])
    }
}

impl Quantity for WorkTime {
    fn told(&self) -> String {
        told(self.as_picos().into(), &["s", "ms", "us", "ns", "ps"])
    }
}

impl Quantity for Duration {
    fn told(&self) -> String {
        told(self.as_nanos().into(), &["s", "ms", "us", "ns"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_told_exactly() {
        for text in ["19.954688 mW", "0 W", "1.023 W", "1 kW", "1000 kW", "1 nW", "10.05 uW"] {
            assert_eq!(text.parse::<Power>().unwrap().told(), text);
        }
        for text in ["438.39 nJ", "133.8 kJ", "0 J", "1 aJ", "930 uJ"] {
            assert_eq!(text.parse::<Energy>().unwrap().told(), text);
        }
        for text in ["38.858 ns", "420 ns", "0 s", "4 ps"] {
            assert_eq!(text.parse::<WorkTime>().unwrap().told(), text);
        }
        for text in ["10 s", "1.5 ms", "0 s", "7 ns"] {
            assert_eq!(text.parse::<Duration>().unwrap().told(), text);
        }
    }
}
