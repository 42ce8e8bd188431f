//! Reading and writing quantities as scenario files spell them.
//!
//! A quantity is a decimal number, optional spaces, and a unit. The number is
//! read exactly: `"0.5 ns"` is an error, not zero.

use core::fmt;
use core::str::FromStr;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::{
    BitRate, Bytes, Charge, Current, Decibels, Distance, Duration, Energy, Instant, Power,
    PowerLevel, Probability, Resistance, Voltage, WorkTime,
};

/// Why a text is not the quantity that was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// The number in front of the unit cannot be read.
    #[error("`{text}` does not start with a number; write for example {example}")]
    NoNumber {
        /// The text as given.
        text: String,
        /// A valid quantity of the kind expected.
        example: &'static str,
    },
    /// There is no unit, or one of another kind.
    #[error("`{text}` has {found}; the units here are {units}")]
    BadUnit {
        /// The text as given.
        text: String,
        /// What stands where the unit should be.
        found: String,
        /// The units accepted, separated by commas.
        units: &'static str,
    },
    /// The value is negative, too large, or finer than the smallest unit.
    #[error("`{text}` is not a whole number of {smallest} that fits in {bits} bits")]
    NotRepresentable {
        /// The text as given.
        text: String,
        /// The smallest unit.
        smallest: &'static str,
        /// How wide the type is.
        bits: usize,
    },
    /// The value lies outside its range.
    #[error("`{text}` is outside {range}")]
    OutOfRange {
        /// The text as given.
        text: String,
        /// The range accepted.
        range: &'static str,
    },
}

/// The units of one kind of quantity, each as a multiple of the smallest.
struct Kind {
    units: &'static [(&'static str, u128)],
    listed: &'static str,
    smallest: &'static str,
    example: &'static str,
}

const TIME: Kind = Kind {
    units: &[
        ("ns", 1),
        ("us", 1_000),
        ("µs", 1_000),
        ("ms", 1_000_000),
        ("s", 1_000_000_000),
        ("min", 60_000_000_000),
        ("h", 3_600_000_000_000),
    ],
    listed: "ns, us, ms, s, min, h",
    smallest: "ns",
    example: "\"50 ms\"",
};

const WORK: Kind = Kind {
    units: &[
        ("ps", 1),
        ("ns", 1_000),
        ("us", 1_000_000),
        ("µs", 1_000_000),
        ("ms", 1_000_000_000),
        ("s", 1_000_000_000_000),
    ],
    listed: "ps, ns, us, ms, s",
    smallest: "ps",
    example: "\"190 us\"",
};

const DATA: Kind = Kind {
    units: &[
        ("B", 1),
        ("kB", 1_000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
    ],
    listed: "B, kB, MB, GB, KiB, MiB, GiB",
    smallest: "bytes",
    example: "\"16 KiB\"",
};

const RATE: Kind = Kind {
    units: &[("bit/s", 1), ("kbit/s", 1_000), ("Mbit/s", 1_000_000), ("Gbit/s", 1_000_000_000)],
    listed: "bit/s, kbit/s, Mbit/s, Gbit/s",
    smallest: "bit/s",
    example: "\"11 Mbit/s\"",
};

const LENGTH: Kind = Kind {
    units: &[("mm", 1), ("cm", 10), ("m", 1_000), ("km", 1_000_000)],
    listed: "mm, cm, m, km",
    smallest: "mm",
    example: "\"250 m\"",
};

const POWER: Kind = Kind {
    units: &[
        ("nW", 1),
        ("uW", 1_000),
        ("µW", 1_000),
        ("mW", 1_000_000),
        ("W", 1_000_000_000),
        ("kW", 1_000_000_000_000),
    ],
    listed: "nW, uW, mW, W, kW",
    smallest: "nW",
    example: "\"0.9 W\"",
};

const ENERGY: Kind = Kind {
    units: &[
        ("aJ", 1),
        ("fJ", 1_000),
        ("pJ", 1_000_000),
        ("nJ", 1_000_000_000),
        ("uJ", 1_000_000_000_000),
        ("µJ", 1_000_000_000_000),
        ("mJ", 1_000_000_000_000_000),
        ("J", 1_000_000_000_000_000_000),
        ("kJ", 1_000_000_000_000_000_000_000),
        ("mWh", 3_600_000_000_000_000_000),
        ("Wh", 3_600_000_000_000_000_000_000),
        ("kWh", 3_600_000_000_000_000_000_000_000),
    ],
    listed: "aJ, fJ, pJ, nJ, uJ, mJ, J, kJ, mWh, Wh, kWh",
    smallest: "aJ",
    example: "\"38 Wh\"",
};

const CHARGE: Kind = Kind {
    units: &[
        ("aC", 1),
        ("fC", 1_000),
        ("pC", 1_000_000),
        ("nC", 1_000_000_000),
        ("uC", 1_000_000_000_000),
        ("µC", 1_000_000_000_000),
        ("mC", 1_000_000_000_000_000),
        ("C", 1_000_000_000_000_000_000),
        ("mAh", 3_600_000_000_000_000_000),
        ("Ah", 3_600_000_000_000_000_000_000),
    ],
    listed: "aC, fC, pC, nC, uC, mC, C, mAh, Ah",
    smallest: "aC",
    example: "\"2500 mAh\"",
};

const CURRENT: Kind = Kind {
    units: &[("nA", 1), ("uA", 1_000), ("µA", 1_000), ("mA", 1_000_000), ("A", 1_000_000_000)],
    listed: "nA, uA, mA, A",
    smallest: "nA",
    example: "\"180 mA\"",
};

const VOLTAGE: Kind = Kind {
    units: &[("uV", 1), ("µV", 1), ("mV", 1_000), ("V", 1_000_000), ("kV", 1_000_000_000)],
    listed: "uV, mV, V, kV",
    smallest: "uV",
    example: "\"3.7 V\"",
};

const RESISTANCE: Kind = Kind {
    units: &[
        ("uohm", 1),
        ("µΩ", 1),
        ("mohm", 1_000),
        ("mΩ", 1_000),
        ("ohm", 1_000_000),
        ("Ω", 1_000_000),
    ],
    listed: "uohm, mohm, ohm",
    smallest: "uohm",
    example: "\"83 mohm\"",
};

impl Kind {
    /// The value in the smallest unit, if `T` has room for it.
    fn parse<T: TryFrom<u128>>(&self, text: &str) -> Result<T, UnitError> {
        let trimmed = text.trim();
        let end =
            trimmed.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(trimmed.len());
        let (number, unit) = trimmed.split_at(end);
        let unit = unit.trim_start();
        if !number.contains(|c: char| c.is_ascii_digit()) || number.matches('.').count() > 1 {
            return Err(UnitError::NoNumber { text: text.into(), example: self.example });
        }
        let Some(&(_, factor)) = self.units.iter().find(|(name, _)| *name == unit) else {
            let found =
                if unit.is_empty() { "no unit".into() } else { format!("the unit `{unit}`") };
            return Err(UnitError::BadUnit { text: text.into(), found, units: self.listed });
        };
        let value = scaled(number, factor).and_then(|value| T::try_from(value).ok());
        value.ok_or_else(|| UnitError::NotRepresentable {
            text: text.into(),
            smallest: self.smallest,
            bits: 8 * size_of::<T>(),
        })
    }
}

/// The decimal `number` times `factor`, if that is a whole number in range.
fn scaled(number: &str, factor: u128) -> Option<u128> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits: u128 = match format!("{whole}{fraction}") {
        empty if empty.is_empty() => 0,
        joined => joined.parse().ok()?,
    };
    let divisor = 10u128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let product = digits.checked_mul(factor)?;
    (product % divisor == 0).then_some(product / divisor)
}

impl FromStr for Duration {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        TIME.parse(text).map(Self::from_nanos)
    }
}

impl FromStr for WorkTime {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        WORK.parse(text).map(Self::from_picos)
    }
}

impl FromStr for Instant {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        TIME.parse(text).map(Self::from_nanos)
    }
}

impl FromStr for Bytes {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        DATA.parse(text).map(Self::new)
    }
}

impl FromStr for BitRate {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        Self::new(RATE.parse(text)?)
            .ok_or_else(|| UnitError::OutOfRange { text: text.into(), range: "1 bit/s and more" })
    }
}

impl FromStr for Distance {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        LENGTH.parse(text).map(Self::from_millimetres)
    }
}

impl FromStr for Power {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        POWER.parse(text).map(Self::from_nanowatts)
    }
}

impl FromStr for Energy {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        ENERGY.parse(text).map(Self::from_attojoules)
    }
}

impl FromStr for Charge {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        CHARGE.parse(text).map(Self::from_attocoulombs)
    }
}

impl FromStr for Current {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        CURRENT.parse(text).map(Self::from_nanoamperes)
    }
}

impl FromStr for Voltage {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        VOLTAGE.parse(text).map(Self::from_microvolts)
    }
}

impl FromStr for Resistance {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        RESISTANCE.parse(text).map(Self::from_microohms)
    }
}

/// The number in front of `unit`, with a sign or without.
fn level(text: &str, unit: &'static str, example: &'static str) -> Result<f64, UnitError> {
    let trimmed = text.trim();
    let signs = trimmed.len() - trimmed.trim_start_matches(['+', '-']).len();
    let digits = trimmed[signs..].find(|c: char| !(c.is_ascii_digit() || c == '.'));
    let (number, found) = trimmed.split_at(digits.map_or(trimmed.len(), |end| signs + end));
    let value = number.parse().map_err(|_| UnitError::NoNumber { text: text.into(), example })?;
    match found.trim_start() {
        found if found == unit => Ok(value),
        "" => Err(UnitError::BadUnit { text: text.into(), found: "no unit".into(), units: unit }),
        other => {
            let found = format!("the unit `{other}`");
            Err(UnitError::BadUnit { text: text.into(), found, units: unit })
        }
    }
}

impl FromStr for Decibels {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        Self::new(level(text, "dB", "\"10 dB\"")?)
            .ok_or_else(|| UnitError::OutOfRange { text: text.into(), range: "-1000 to 1000 dB" })
    }
}

impl FromStr for PowerLevel {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        Self::from_dbm(level(text, "dBm", "\"15 dBm\"")?)
            .ok_or_else(|| UnitError::OutOfRange { text: text.into(), range: "-1000 to 1000 dBm" })
    }
}

impl FromStr for Probability {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        let value: f64 = text
            .trim()
            .parse()
            .map_err(|_| UnitError::NoNumber { text: text.into(), example: "0.01" })?;
        Self::new(value).ok_or_else(|| UnitError::OutOfRange { text: text.into(), range: "0 to 1" })
    }
}

/// Reads a quantity from a string and says, for anything else, what it wanted.
struct Text<T> {
    expecting: &'static str,
    kind: core::marker::PhantomData<T>,
}

impl<T: FromStr<Err = UnitError>> Visitor<'_> for Text<T> {
    type Value = T;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expecting)
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// Quantities are strings with a unit in files, both ways.
macro_rules! as_text {
    ($($kind:ty: $expecting:literal),+ $(,)?) => {$(
        impl Serialize for $kind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $kind {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Text::<Self> {
                    expecting: $expecting,
                    kind: core::marker::PhantomData,
                })
            }
        }
    )+};
}

as_text! {
    Duration: "a time with its unit, for example \"50 ms\"",
    WorkTime: "the time of some work with its unit, for example \"190 us\"",
    Instant: "a time with its unit, for example \"1.5 s\"",
    Bytes: "an amount of data with its unit, for example \"16 KiB\"",
    BitRate: "a rate with its unit, for example \"11 Mbit/s\"",
    Distance: "a length with its unit, for example \"250 m\"",
    Decibels: "a ratio in dB, for example \"10 dB\"",
    PowerLevel: "a power in dBm, for example \"15 dBm\"",
    Power: "a power with its unit, for example \"0.9 W\"",
    Energy: "an energy with its unit, for example \"38 Wh\"",
    Charge: "a charge with its unit, for example \"2500 mAh\"",
    Current: "a current with its unit, for example \"180 mA\"",
    Voltage: "a voltage with its unit, for example \"3.7 V\"",
    Resistance: "a resistance with its unit, for example \"83 mohm\"",
}

impl Serialize for Probability {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.get())
    }
}

impl<'de> Deserialize<'de> for Probability {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        Self::new(value)
            .ok_or_else(|| de::Error::custom(format!("the probability {value} is outside 0 to 1")))
    }
}

#[cfg(test)]
mod tests;
