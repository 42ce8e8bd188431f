//! The diffusion model of Rakhmatov and Vrudhula (2001).
//!
//! Charge diffuses towards the electrode in one dimension. A battery is empty
//! when its apparent loss of charge
//!
//! ```text
//! σ(t) = ∫ I dτ + 2 Σ ∫ I(τ) e^(−β² m² (t−τ)) dτ,   m = 1, 2, …
//! ```
//!
//! reaches α. As in the authors' own evaluations the sum has ten terms. The usual
//! form adds up the history of the load anew at every change; but each term is a
//! quantity of its own, u_m' = I − β² m² u_m, and ten of them are all the state
//! that there is.

use netjoule_units::{Charge, Voltage};
use serde::{Deserialize, Serialize};

use super::config::{Checks, Wrong};
use super::relaxation::{Parameters, Relaxation};

/// Terms of the sum.
const TERMS: usize = 10;

/// Settings of a battery by Rakhmatov and Vrudhula.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// What an infinitely slow discharge gives, up to 1000000 Ah. 1 mA·min is
    /// 60 mC.
    pub alpha: Charge,
    /// How fast charge diffuses, in 1/√min, 0.001 to 1000: the greater, the more
    /// nearly ideal.
    pub beta_per_sqrt_min: f64,
    /// The nominal voltage, by which power becomes current; 1 mV to 1 kV.
    pub voltage: Voltage,
}

impl Config {
    pub(super) fn wrong(&self) -> Wrong {
        let mut checks = Checks::default();
        checks.charge(self.alpha, "alpha");
        checks.voltage(self.voltage, "voltage");
        let holds = (0.001..=1_000.0).contains(&self.beta_per_sqrt_min);
        checks.check(holds, "beta_per_sqrt_min", "0.001 to 1000 per square root of a minute");
        checks.done()
    }
}

/// A battery by Rakhmatov and Vrudhula: each term of the sum is a lag.
pub(super) type RakhmatovVrudhula = Relaxation<TERMS>;

/// A full battery as `config` has it.
pub(super) fn new(config: &Config) -> RakhmatovVrudhula {
    Relaxation::new(&Parameters {
        capacity: config.alpha,
        voltage: config.voltage,
        weight: 2.0,
        rate_per_s: config.beta_per_sqrt_min * config.beta_per_sqrt_min / 60.0,
    })
}

#[cfg(test)]
mod tests;
