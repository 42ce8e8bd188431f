//! Power, and what it adds up to over time.

use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, Sub, SubAssign};

use crate::{BitRate, Duration, show};

/// Nanowatts in a watt.
const NANO: f64 = 1e9;
/// Attojoules in a joule.
const ATTO: f64 = 1e18;

/// A power in nanowatts, zero or more (0 to about 18 GW).
///
/// How strong a radio's signal is, on the logarithmic scale, is a
/// [`PowerLevel`](crate::PowerLevel).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Power(u64);

/// An energy in attojoules, zero or more (0 to about 3.4e20 J).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Energy(u128);

impl Power {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The greatest power.
    pub const MAX: Self = Self(u64::MAX);

    /// A power of `nw` nanowatts.
    #[must_use]
    pub const fn from_nanowatts(nw: u64) -> Self {
        Self(nw)
    }

    /// A power of `uw` microwatts.
    #[must_use]
    pub const fn from_microwatts(uw: u64) -> Self {
        Self(uw * 1_000)
    }

    /// A power of `mw` milliwatts.
    #[must_use]
    pub const fn from_milliwatts(mw: u64) -> Self {
        Self(mw * 1_000_000)
    }

    /// A power of `w` watts.
    #[must_use]
    pub const fn from_watts(w: u64) -> Self {
        Self(w * 1_000_000_000)
    }

    /// Nanowatts.
    #[must_use]
    pub const fn as_nanowatts(self) -> u64 {
        self.0
    }

    /// Watts, for formulas and display.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "exact up to 9 MW")]
    pub fn as_watts_f64(self) -> f64 {
        self.0 as f64 / NANO
    }

    /// Whether nothing is drawn.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// `self - other`, or zero when `other` is greater.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// `self + other`, if that fits.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }
}

impl Energy {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The greatest energy.
    pub const MAX: Self = Self(u128::MAX);

    /// An energy of `aj` attojoules.
    #[must_use]
    pub const fn from_attojoules(aj: u128) -> Self {
        Self(aj)
    }

    /// An energy of `j` joules.
    #[must_use]
    pub const fn from_joules(j: u64) -> Self {
        Self(j as u128 * 1_000_000_000_000_000_000)
    }

    /// The energy nearest to `j` joules; negative values and NaN give zero,
    /// values too large give [`Energy::MAX`]. For estimates: what is drawn is
    /// added up in integers.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float-to-integer cast saturates, which is the documented behaviour"
    )]
    pub fn from_joules_f64(j: f64) -> Self {
        Self((j * ATTO).round() as u128)
    }

    /// The power of spending this on every bit at `rate`, to the nanowatt below;
    /// [`Power::MAX`] if it is more.
    #[must_use]
    pub fn per_bit_at(self, rate: BitRate) -> Power {
        let nanowatts = self.0.saturating_mul(rate.bit_per_s().into()) / 1_000_000_000;
        Power(u64::try_from(nanowatts).unwrap_or(u64::MAX))
    }

    /// The mean power if it is spent over `time`, to the nanowatt below;
    /// [`Power::MAX`] if it is more, or if there is no time.
    #[must_use]
    pub fn over(self, time: Duration) -> Power {
        let nanowatts = self.0.checked_div(time.as_nanos().into());
        Power(nanowatts.and_then(|nanowatts| u64::try_from(nanowatts).ok()).unwrap_or(u64::MAX))
    }

    /// Attojoules.
    #[must_use]
    pub const fn as_attojoules(self) -> u128 {
        self.0
    }

    /// Joules, for formulas and display.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a value for display")]
    pub fn as_joules_f64(self) -> f64 {
        self.0 as f64 / ATTO
    }

    /// How long it lasts at `power`, rounded up to whole nanoseconds; `None`
    /// when that is longer than any [`Duration`].
    #[must_use]
    pub fn time_at(self, power: Power) -> Option<Duration> {
        if power.is_zero() {
            return (self.0 == 0).then_some(Duration::ZERO);
        }
        let ns = self.0.div_ceil(u128::from(power.0));
        u64::try_from(ns).ok().map(Duration::from_nanos)
    }

    /// `self + other`, if that fits.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// `self - other`, unless `other` is greater.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// `self + other`, or [`Energy::MAX`] when that does not fit.
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// `self - other`, or zero when `other` is greater.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Mul<Duration> for Power {
    type Output = Energy;
    /// What this power comes to over `span`: exact, and it always fits.
    fn mul(self, span: Duration) -> Energy {
        Energy(u128::from(self.0) * u128::from(span.as_nanos()))
    }
}

impl Add for Power {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Power {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Power {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl SubAssign for Power {
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl Sum for Power {
    fn sum<I: Iterator<Item = Self>>(powers: I) -> Self {
        powers.fold(Self::ZERO, Add::add)
    }
}

impl Add for Energy {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Energy {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Energy {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl SubAssign for Energy {
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl Sum for Energy {
    fn sum<I: Iterator<Item = Self>>(energies: I) -> Self {
        energies.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Power {
    /// The largest unit that shows the value without a fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1_000_000_000, "W"), (1_000_000, "mW"), (1_000, "uW"), (1, "nW")];
        show::whole(f, self.0.into(), "W", &units)
    }
}

impl fmt::Display for Energy {
    /// The largest unit up to the watt-hour that shows the value without a
    /// fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [
            (3_600_000_000_000_000_000_000, "Wh"),
            (1_000_000_000_000_000_000, "J"),
            (1_000_000_000_000_000, "mJ"),
            (1_000_000_000_000, "uJ"),
            (1_000_000_000, "nJ"),
            (1_000_000, "pJ"),
            (1_000, "fJ"),
            (1, "aJ"),
        ];
        show::whole(f, self.0, "J", &units)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nanowatts_and_nanoseconds_make_attojoules() {
        let second = Power::from_milliwatts(900) * Duration::from_secs(1);
        assert_eq!(second, "0.9 J".parse().unwrap());
        let least = Power::from_nanowatts(1) * Duration::from_nanos(1);
        assert_eq!(least, Energy::from_attojoules(1));
        let most = Power::MAX * Duration::MAX;
        assert_eq!(most.time_at(Power::MAX), Some(Duration::MAX));
        assert_eq!(most.checked_add(most), None);
        assert_eq!(most.saturating_add(most), Energy::MAX);
    }

    #[test]
    fn a_charge_lasts_for_energy_by_power() {
        let battery: Energy = "38 Wh".parse().unwrap();
        let lasts = |power: &str| battery.time_at(power.parse().unwrap());
        assert_eq!(lasts("19 W"), Some(Duration::from_secs(7_200)));
        assert_eq!(lasts("0 W"), None);
        assert_eq!(Energy::ZERO.time_at(Power::ZERO), Some(Duration::ZERO));
        assert_eq!(
            Energy::from_attojoules(7).time_at(Power::from_nanowatts(2)),
            Some(Duration::from_nanos(4))
        );
    }

    #[test]
    fn what_is_read_from_a_float_saturates() {
        assert_eq!(Energy::from_joules_f64(1.5), "1.5 J".parse().unwrap());
        assert_eq!(Energy::from_joules_f64(-1.0), Energy::ZERO);
        assert_eq!(Energy::from_joules_f64(f64::NAN), Energy::ZERO);
        assert_eq!(Energy::from_joules_f64(1e300), Energy::MAX);
    }

    proptest! {
        #[test]
        fn spans_add_up(nw in any::<u64>(), parts in prop::collection::vec(0u64..1 << 50, 0..9)) {
            let power = Power::from_nanowatts(nw);
            let apart: Energy = parts.iter().map(|&ns| power * Duration::from_nanos(ns)).sum();
            prop_assert_eq!(apart, power * Duration::from_nanos(parts.iter().sum()));
        }

        #[test]
        fn the_time_is_the_least_that_is_enough(aj in any::<u128>(), nw in 1u64..) {
            let (energy, power) = (Energy::from_attojoules(aj), Power::from_nanowatts(nw));
            if let Some(time) = energy.time_at(power) {
                prop_assert!(power * time >= energy);
                let less = time.saturating_sub(Duration::from_nanos(1));
                prop_assert!(time == less || power * less < energy);
            } else {
                prop_assert!(power * Duration::MAX < energy);
            }
        }
    }
}
