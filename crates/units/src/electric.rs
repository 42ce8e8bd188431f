//! What a battery is described by: charge, current, voltage, resistance.

use core::fmt;
use core::ops::{Add, AddAssign, Mul, Sub};

use crate::{Duration, Energy, show};

/// A charge in attocoulombs, zero or more (0 to about 9e16 Ah).
///
/// The unit is that of nanoamperes times nanoseconds: a current over a span of
/// time is an exact charge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Charge(u128);

/// A current in nanoamperes, zero or more (0 to about 18 GA).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Current(u64);

/// A voltage in microvolts, zero or more (0 to about 18 TV).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Voltage(u64);

/// A resistance in microohms, zero or more (0 to about 18 Tohm).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Resistance(u64);

impl Charge {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// A charge of `ac` attocoulombs.
    #[must_use]
    pub const fn from_attocoulombs(ac: u128) -> Self {
        Self(ac)
    }

    /// A charge of `mah` milliampere-hours: 3.6 coulombs each.
    #[must_use]
    pub const fn from_milliampere_hours(mah: u64) -> Self {
        Self(mah as u128 * 3_600_000_000_000_000_000)
    }

    /// Attocoulombs.
    #[must_use]
    pub const fn as_attocoulombs(self) -> u128 {
        self.0
    }

    /// Coulombs, for formulas and display.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a value for formulas")]
    pub fn as_coulombs_f64(self) -> f64 {
        self.0 as f64 / 1e18
    }

    /// What this charge carries at a constant `voltage`, rounded down to whole
    /// attojoules; [`Energy::MAX`] when that does not fit.
    #[must_use]
    pub fn energy_at(self, voltage: Voltage) -> Energy {
        match self.0.checked_mul(u128::from(voltage.0)) {
            Some(scaled) => Energy::from_attojoules(scaled / 1_000_000),
            None => Energy::MAX,
        }
    }
}

impl Current {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// A current of `na` nanoamperes.
    #[must_use]
    pub const fn from_nanoamperes(na: u64) -> Self {
        Self(na)
    }

    /// A current of `ma` milliamperes.
    #[must_use]
    pub const fn from_milliamperes(ma: u64) -> Self {
        Self(ma * 1_000_000)
    }

    /// Nanoamperes.
    #[must_use]
    pub const fn as_nanoamperes(self) -> u64 {
        self.0
    }

    /// Amperes, for formulas and display.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "exact up to 9 MA")]
    pub fn as_amperes_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

impl Voltage {
    /// None.
    pub const ZERO: Self = Self(0);

    /// A voltage of `uv` microvolts.
    #[must_use]
    pub const fn from_microvolts(uv: u64) -> Self {
        Self(uv)
    }

    /// A voltage of `mv` millivolts.
    #[must_use]
    pub const fn from_millivolts(mv: u64) -> Self {
        Self(mv * 1_000)
    }

    /// Microvolts.
    #[must_use]
    pub const fn as_microvolts(self) -> u64 {
        self.0
    }

    /// Volts, for formulas and display.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "exact up to 9 GV")]
    pub fn as_volts_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

impl Resistance {
    /// None.
    pub const ZERO: Self = Self(0);

    /// A resistance of `uohm` microohms.
    #[must_use]
    pub const fn from_microohms(uohm: u64) -> Self {
        Self(uohm)
    }

    /// Microohms.
    #[must_use]
    pub const fn as_microohms(self) -> u64 {
        self.0
    }

    /// Ohms, for formulas and display.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "exact up to 9 Gohm")]
    pub fn as_ohms_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

impl Mul<Duration> for Current {
    type Output = Charge;
    /// What flows in `span`: exact, and it always fits.
    fn mul(self, span: Duration) -> Charge {
        Charge(u128::from(self.0) * u128::from(span.as_nanos()))
    }
}

impl Add for Charge {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Charge {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Charge {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl fmt::Display for Charge {
    /// The largest unit, ampere-hours before coulombs, that shows the value
    /// without a fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [
            (3_600_000_000_000_000_000_000, "Ah"),
            (3_600_000_000_000_000_000, "mAh"),
            (1_000_000_000_000_000_000, "C"),
            (1_000_000_000_000_000, "mC"),
            (1_000_000_000_000, "uC"),
            (1_000_000_000, "nC"),
            (1_000_000, "pC"),
            (1_000, "fC"),
            (1, "aC"),
        ];
        show::whole(f, self.0, "C", &units)
    }
}

impl fmt::Display for Current {
    /// The largest unit that shows the value without a fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1_000_000_000, "A"), (1_000_000, "mA"), (1_000, "uA"), (1, "nA")];
        show::whole(f, self.0.into(), "A", &units)
    }
}

impl fmt::Display for Voltage {
    /// The largest unit that shows the value without a fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1_000_000, "V"), (1_000, "mV"), (1, "uV")];
        show::whole(f, self.0.into(), "V", &units)
    }
}

impl fmt::Display for Resistance {
    /// The largest unit that shows the value without a fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1_000_000, "ohm"), (1_000, "mohm"), (1, "uohm")];
        show::whole(f, self.0.into(), "ohm", &units)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn currents_over_time_are_exact_charges() {
        let hour = Duration::from_secs(3_600);
        let charge = Current::from_milliamperes(180) * hour;
        assert_eq!(charge, Charge::from_milliampere_hours(180));
        assert_eq!(
            Current::from_nanoamperes(1) * Duration::from_nanos(1),
            Charge::from_attocoulombs(1)
        );
        assert_eq!(charge + charge - charge, charge);
    }

    #[test]
    fn a_charge_at_a_voltage_is_an_energy() {
        let cell = Charge::from_milliampere_hours(2_500);
        assert_eq!(cell.energy_at(Voltage::from_millivolts(3_700)), "9.25 Wh".parse().unwrap());
        let least = Charge::from_attocoulombs(1).energy_at(Voltage::from_microvolts(1));
        assert_eq!(least, Energy::ZERO);
        let most = Charge::from_attocoulombs(u128::MAX);
        assert_eq!(most.energy_at(Voltage::from_microvolts(2)), Energy::MAX);
    }
}
