//! Who hears whom, and how well: path loss by distance, thresholds, and the
//! frame error rate of every mode by its ratio of signal to noise.
//!
//! Everything is a function of distance, mode and length; nothing is drawn
//! here, and shadowing and fading are not in it (a two-state channel is a part
//! of its own). Logarithms and exponentials come from `libm`, whose results do
//! not depend on the machine.

mod curves;

use netjoule_units::{Bytes, Decibels, Distance, PowerLevel, Probability};
use serde::{Deserialize, Serialize};

use super::phy::{Mode, Modulation};

/// Settings of all radios of a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// What a transmitter feeds into its antenna.
    pub tx_power: PowerLevel,
    /// What an antenna adds, at each end.
    pub antenna_gain: Decibels,
    /// How fast power falls with distance d: as d to this power. 2 is free
    /// space, 3 to 4 are usual indoors; 1 to 10.
    pub path_loss_exponent: f64,
    /// Where the fall begins; nearer than this nothing is gained.
    pub reference_distance: Distance,
    /// The loss over that distance; without it that of free space on channel 6
    /// (2437 MHz).
    pub reference_loss: Option<Decibels>,
    /// How much noise a receiver adds to that of its antenna at 290 K.
    pub noise_figure: Decibels,
    /// The weakest signal that makes the medium busy for a station.
    pub carrier_sense: PowerLevel,
    /// The weakest frame that a receiver locks on to: `carrier_sense` or more.
    /// Above it the error curves decide.
    pub sensitivity: PowerLevel,
}

/// Where a frame at 1 Mbit/s just passes without errors at the noise figure of
/// the default: whoever is heard at the lowest rate is waited for.
const FAINTEST_DBM: f64 = -94.0;

impl Default for Config {
    fn default() -> Self {
        let dbm = |dbm| PowerLevel::from_dbm(dbm).expect("a level within its range");
        let db = |db| Decibels::new(db).expect("a ratio within its range");
        Self {
            tx_power: dbm(15.0),
            antenna_gain: Decibels::ZERO,
            path_loss_exponent: 3.0,
            reference_distance: Distance::from_metres(1),
            reference_loss: None,
            noise_figure: db(7.0),
            carrier_sense: dbm(FAINTEST_DBM),
            sensitivity: dbm(FAINTEST_DBM),
        }
    }
}

impl Config {
    /// Checks every range.
    ///
    /// # Errors
    /// Every setting that is out of range, as its name and what was expected.
    pub fn validate(&self) -> Result<(), Vec<(&'static str, String)>> {
        let mut wrong = Vec::new();
        if !(1.0..=10.0).contains(&self.path_loss_exponent) {
            wrong.push(("path_loss_exponent", "a number from 1 to 10".into()));
        }
        if self.reference_distance == Distance::ZERO {
            wrong.push(("reference_distance", "a distance above zero".into()));
        }
        if self.noise_figure < Decibels::ZERO {
            wrong.push(("noise_figure", "0 dB or more".into()));
        }
        if self.sensitivity < self.carrier_sense {
            let least = format!("`carrier_sense` ({}) or more", self.carrier_sense);
            wrong.push(("sensitivity", least));
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}

/// The radios of a cell.
#[derive(Clone, Debug)]
pub struct Radio {
    /// What arrives at the reference distance and nearer.
    nearest: PowerLevel,
    reference_m: f64,
    exponent: f64,
    noise_figure: Decibels,
    carrier_sense: PowerLevel,
    sensitivity: PowerLevel,
}

/// Thermal noise at 290 K in dBm per hertz: 10 log (kT / 1 mW).
const THERMAL_DBM_PER_HZ: f64 = -173.975_2;
/// The band over which signal and noise are compared, as 10 log of hertz: 22 MHz
/// for DSSS and CCK.
const SINGLE_CARRIER_BAND_DB: f64 = 73.424_2;
/// The same for OFDM: 20 MHz.
const OFDM_BAND_DB: f64 = 73.010_3;
/// Wavelength of 2437 MHz in metres.
const WAVELENGTH_M: f64 = 299_792_458.0 / 2.437e9;

impl Radio {
    /// Radios as `config` has them, which is valid.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let reference_m = config.reference_distance.as_metres_f64();
        let loss = config.reference_loss.unwrap_or_else(|| free_space(reference_m));
        Self {
            nearest: config.tx_power + config.antenna_gain + config.antenna_gain - loss,
            reference_m,
            exponent: config.path_loss_exponent,
            noise_figure: config.noise_figure,
            carrier_sense: config.carrier_sense,
            sensitivity: config.sensitivity,
        }
    }

    /// What arrives at `distance`: log-distance path loss (Rappaport, Wireless
    /// Communications, 4.9).
    #[must_use]
    pub fn received(&self, distance: Distance) -> PowerLevel {
        let ratio = distance.as_metres_f64() / self.reference_m;
        if ratio <= 1.0 {
            return self.nearest;
        }
        self.nearest - decibels(10.0 * self.exponent * libm::log10(ratio))
    }

    /// Whether a signal of `received` makes the medium busy.
    #[must_use]
    pub fn senses(&self, received: PowerLevel) -> bool {
        received >= self.carrier_sense
    }

    /// Whether a receiver locks on to a frame of `received`. It may still have
    /// errors.
    #[must_use]
    pub fn locks(&self, received: PowerLevel) -> bool {
        received >= self.sensitivity
    }

    /// How far `received` is above the noise in the band of `modulation`.
    #[must_use]
    pub fn snr(&self, modulation: Modulation, received: PowerLevel) -> Decibels {
        let band = match modulation {
            Modulation::Dsss | Modulation::Cck => SINGLE_CARRIER_BAND_DB,
            Modulation::ErpOfdm(_) | Modulation::HtMixed(..) => OFDM_BAND_DB,
        };
        let thermal = PowerLevel::MILLIWATT + decibels(THERMAL_DBM_PER_HZ + band);
        received - (thermal + self.noise_figure)
    }

    /// How probable it is that noise spoils a frame of `psdu` bytes that
    /// arrives at `received`. What the PHY puts in front of the PSDU is taken
    /// for safe: it is at the lowest rate. No error is known of a DSSS rate
    /// that the standard does not have.
    #[must_use]
    pub fn frame_error(&self, mode: &Mode, psdu: Bytes, received: PowerLevel) -> Probability {
        if !self.locks(received) {
            return Probability::ONE;
        }
        let snr = self.snr(mode.modulation, received).db();
        let error = curves::frame_error(mode, psdu, libm::pow(10.0, snr / 10.0));
        Probability::new(error).unwrap_or(Probability::ONE)
    }
}

/// The loss over `distance_m` metres of free space (Friis).
fn free_space(distance_m: f64) -> Decibels {
    decibels(20.0 * libm::log10(4.0 * core::f64::consts::PI * distance_m / WAVELENGTH_M))
}

/// The ratio nearest to `db` decibels.
fn decibels(db: f64) -> Decibels {
    Decibels::new(db.clamp(-1_000.0, 1_000.0)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
