//! The congestion window at the start, as a number or by a formula.

use core::fmt;

use serde::de::{self, Deserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize};

/// The congestion window at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum InitialWindow {
    /// So many segments of SMSS.
    Segments(u32),
    /// By the formula of an RFC.
    Formula(InitialWindowFormula),
}

/// A formula for the initial window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InitialWindowFormula {
    /// RFC 3390: min(4·SMSS, max(2·SMSS, 4380 bytes)).
    Rfc3390,
    /// RFC 6928: min(10·SMSS, max(2·SMSS, 14600 bytes)).
    Rfc6928,
}

impl InitialWindow {
    /// What is expected of a setting.
    pub(super) const EXPECTED: &str = "1 to 1000 segments, \"rfc3390\" or \"rfc6928\"";

    /// In bytes, for segments of `smss` bytes.
    #[must_use]
    pub fn bytes(self, smss: u32) -> u32 {
        let least_most = |most: u32, bytes: u32| {
            smss.saturating_mul(most).min(smss.saturating_mul(2).max(bytes))
        };
        match self {
            Self::Segments(segments) => smss.saturating_mul(segments),
            Self::Formula(InitialWindowFormula::Rfc3390) => least_most(4, 4_380),
            Self::Formula(InitialWindowFormula::Rfc6928) => least_most(10, 14_600),
        }
    }
}

/// From a number or a name. Serde's own way to read such a type forgets what
/// was found and what was expected.
impl<'de> Deserialize<'de> for InitialWindow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberOrName)
    }
}

struct NumberOrName;

impl Visitor<'_> for NumberOrName {
    type Value = InitialWindow;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(InitialWindow::EXPECTED)
    }

    fn visit_u64<E: de::Error>(self, segments: u64) -> Result<InitialWindow, E> {
        u32::try_from(segments)
            .map(InitialWindow::Segments)
            .map_err(|_| E::invalid_value(Unexpected::Unsigned(segments), &self))
    }

    fn visit_i64<E: de::Error>(self, segments: i64) -> Result<InitialWindow, E> {
        u64::try_from(segments)
            .map_err(|_| E::invalid_value(Unexpected::Signed(segments), &self))
            .and_then(|segments| self.visit_u64(segments))
    }

    /// A number may come as text: an override in the place of a name does.
    fn visit_str<E: de::Error>(self, text: &str) -> Result<InitialWindow, E> {
        match text {
            "rfc3390" => Ok(InitialWindow::Formula(InitialWindowFormula::Rfc3390)),
            "rfc6928" => Ok(InitialWindow::Formula(InitialWindowFormula::Rfc6928)),
            _ => text
                .parse()
                .map(InitialWindow::Segments)
                .map_err(|_| E::invalid_value(Unexpected::Str(text), &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formulas_are_those_of_the_rfcs() {
        let rfc3390 = InitialWindow::Formula(InitialWindowFormula::Rfc3390);
        let rfc6928 = InitialWindow::Formula(InitialWindowFormula::Rfc6928);
        let bytes = |window: InitialWindow| [536, 1_460, 2_190, 9_000].map(|it| window.bytes(it));
        assert_eq!(bytes(rfc3390), [4 * 536, 3 * 1_460, 2 * 2_190, 2 * 9_000]);
        assert_eq!(bytes(rfc6928), [10 * 536, 14_600, 14_600, 2 * 9_000]);
        assert_eq!(InitialWindow::Segments(3).bytes(1_000), 3_000);
    }
}
