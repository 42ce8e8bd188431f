//! The kinetic battery model (KiBaM) of Manwell and McGowan (1993).
//!
//! Charge is in two wells. The load draws on the first, which holds the share c
//! of it; the second feeds the first by a valve, in proportion to the difference
//! of their heights h1 = y1/c and h2 = y2/(1−c):
//!
//! ```text
//! y1' = −I + k c (1−c) (h2 − h1)        y2' = −k c (1−c) (h2 − h1)
//! ```
//!
//! The battery is empty when y1 is. A greater current leaves more behind in the
//! second well, and at rest the first one fills again.
//!
//! With u = c (h2 − h1) that is u' = I − k u and y1 = c (C − Q) − (1−c) u: one lag
//! of the relaxation, at the rate k and with the weight (1−c)/c.

use netjoule_units::{Charge, Voltage};
use serde::{Deserialize, Serialize};

use super::config::{Checks, Wrong};
use super::relaxation::{Parameters, Relaxation};

/// Settings of a kinetic battery.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// What both wells hold, which an infinitely slow discharge gives; up to
    /// 1000000 Ah.
    pub capacity: Charge,
    /// The share of the first well, 0.001 to 1; 1 is an ideal battery.
    pub c: f64,
    /// The rate at which a difference of the heights decays, per hour, 0.000001
    /// to 1000000: k of Manwell and McGowan. Others write k for k c (1−c) and k'
    /// for this one.
    pub k_per_h: f64,
    /// The nominal voltage, by which power becomes current; 1 mV to 1 kV.
    pub voltage: Voltage,
}

impl Config {
    pub(super) fn wrong(&self) -> Wrong {
        let mut checks = Checks::default();
        checks.charge(self.capacity, "capacity");
        checks.voltage(self.voltage, "voltage");
        checks.check((0.001..=1.0).contains(&self.c), "c", "a share from 0.001 to 1");
        let rates = 1e-6..=1e6;
        checks.check(rates.contains(&self.k_per_h), "k_per_h", "0.000001 to 1000000 per hour");
        checks.done()
    }
}

/// A kinetic battery: the difference of the heights is its only lag.
pub(super) type Kibam = Relaxation<1>;

/// A full battery as `config` has it.
pub(super) fn new(config: &Config) -> Kibam {
    Relaxation::new(&Parameters {
        capacity: config.capacity,
        voltage: config.voltage,
        weight: (1.0 - config.c) / config.c,
        rate_per_s: config.k_per_h / 3_600.0,
    })
}

#[cfg(test)]
mod tests;
