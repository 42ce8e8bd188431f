//! Devices: what each thing they do costs, and where the figure comes from.
//!
//! A device is a data file. Every value in it has a source and says whether it
//! was measured, stated by the maker, fitted or assumed. docs/devices.md describes
//! the format and those that are built in.

mod builtin;
mod parse;
mod quantity;
#[cfg(test)]
mod tests;
mod validate;
mod values;

use std::collections::BTreeMap;

use netjoule_units::{BitRate, Duration, Energy, Power, WorkTime};
use serde::{Deserialize, Serialize};

pub use builtin::{all, builtin, names};
pub use parse::{Error, Wrong};
pub use values::Value;

use crate::battery;

/// How a value came to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Somebody measured it and published it.
    Measured,
    /// The maker states it.
    Datasheet,
    /// It was chosen so that published results come out.
    Fitted,
    /// Nobody has said; the source says why it is plausible.
    Assumed,
}

impl Kind {
    /// Its name in files and lists.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Datasheet => "datasheet",
            Self::Fitted => "fitted",
            Self::Assumed => "assumed",
        }
    }
}

/// A value with its origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// How it came to be known.
    pub kind: Kind,
    /// Who says so, and where; for what was assumed, why.
    pub source: String,
}

/// A device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// The name by which scenarios call it.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// What everything but radio and processor draws.
    pub platform: Platform,
    /// Its radio.
    pub radio: Radio,
    /// Its processor; without one, processing takes no time and no energy.
    pub processor: Option<Processor>,
    /// What it draws from; without one, it never ends.
    pub battery: Option<Sourced<battery::Config>>,
}

/// What everything but radio and processor draws: boards, disks, lamps. Where a
/// publication has only the power of a whole idle device, that is here, and what
/// radio and processor draw is what comes on top.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Platform {
    /// Always.
    pub base: Sourced<Power>,
    /// On top of that while a connection with data to move ends at the device.
    pub activity: Option<Sourced<Power>>,
}

/// What a radio draws. While it sends or receives at a bit rate R that is the
/// fixed part and R times the part for each bit: see [`Radio::transmit_at`] and
/// [`Radio::receive_at`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Radio {
    /// While it sends, without the part that depends on the rate.
    pub transmit: Sourced<Power>,
    /// For each bit sent.
    pub transmit_per_bit: Option<Sourced<Energy>>,
    /// What it draws instead while it sends at slower rates, the slowest first:
    /// makers state older modulations apart.
    #[serde(default)]
    pub transmit_up_to: Vec<UpTo>,
    /// While it receives, without the part that depends on the rate.
    pub receive: Sourced<Power>,
    /// For each bit received.
    pub receive_per_bit: Option<Sourced<Energy>>,
    /// While it receives what is for others; what it receives for itself draws
    /// where this is absent.
    pub overhear: Option<Sourced<Power>>,
    /// While it waits for something to receive.
    pub listen: Sourced<Power>,
    /// While it dozes; as while it listens where this is absent.
    pub doze: Option<Sourced<Power>>,
    /// What an awakening from the doze takes on top.
    pub wake_up: Option<Sourced<Energy>>,
    /// After what it sends or receives, before it listens: the states that it
    /// goes through, in order, unless it is used again.
    #[serde(default)]
    pub tail: Vec<Tail>,
    /// What going from listening to sending or receiving takes on top.
    pub promotion: Option<Sourced<Energy>>,
}

/// A power up to a rate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpTo {
    /// The greatest rate to which it belongs.
    pub rate: BitRate,
    /// What is drawn at that rate and below.
    pub power: Sourced<Power>,
}

impl Radio {
    /// What it draws while it sends at `rate`; at most 10 kW.
    #[must_use]
    pub fn transmit_at(&self, rate: BitRate) -> Power {
        match self.transmit_up_to.iter().find(|slower| rate <= slower.rate) {
            Some(slower) => slower.power.value,
            None => {
                let per_bit = self.transmit_per_bit.as_ref();
                at_rate(self.transmit.value, per_bit.map_or(Energy::ZERO, |it| it.value), rate)
            }
        }
    }

    /// What it draws while it receives at `rate` what is for it; at most 10 kW.
    #[must_use]
    pub fn receive_at(&self, rate: BitRate) -> Power {
        let per_bit = self.receive_per_bit.as_ref();
        at_rate(self.receive.value, per_bit.map_or(Energy::ZERO, |it| it.value), rate)
    }

    /// What a bit takes that is sent at `rate` with nothing around it, to the
    /// attojoule below.
    #[must_use]
    pub fn least_energy_per_bit(&self, rate: BitRate) -> Energy {
        let second = self.transmit_at(rate) * Duration::from_secs(1);
        Energy::from_attojoules(second.as_attojoules() / u128::from(rate.bit_per_s()))
    }
}

/// No device that sends frames draws more; sums of powers stay in range.
const GREATEST_POWER: Power = Power::from_watts(10_000);

/// `fixed`, and `rate` times `per_bit`, but no more than 10 kW: nobody knows the
/// radio that goes faster.
pub(crate) fn at_rate(fixed: Power, per_bit: Energy, rate: BitRate) -> Power {
    let by_rate = per_bit.per_bit_at(rate);
    fixed.checked_add(by_rate).map_or(GREATEST_POWER, |power| power.min(GREATEST_POWER))
}

/// A state after use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tail {
    /// What it draws.
    pub power: Sourced<Power>,
    /// For how long.
    pub lasts: Sourced<Duration>,
}

/// What a processor draws, and how long things take it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Processor {
    /// While it works.
    pub active: Sourced<Power>,
    /// While it does not: states that it sinks into, the first at once.
    pub idle: Vec<IdleState>,
    /// The time of each operation, by the name of the
    /// [`Operation`](netjoule_transport::cost::Operation); those that are absent
    /// take none.
    #[serde(default)]
    pub costs: BTreeMap<String, Sourced<WorkTime>>,
    /// The time to pass on a packet of others.
    pub forward: Option<Sourced<WorkTime>>,
    /// The energy of a frame that is sent, beyond what its operations take: the
    /// cross-factor of Serrano et al. (2015).
    pub frame_out: Option<Sourced<Energy>>,
    /// The energy of a frame that is received, in the same way.
    pub frame_in: Option<Sourced<Energy>>,
}

/// A state of a processor without work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdleState {
    /// What it draws.
    pub power: Sourced<Power>,
    /// How long after the end of work it is entered.
    pub after: Sourced<Duration>,
    /// How long work waits for the awakening from it.
    pub wake_up_time: Option<Sourced<Duration>>,
    /// What that awakening takes.
    pub wake_up: Option<Sourced<Energy>>,
}
