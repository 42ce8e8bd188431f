//! Energies of a run, and what they are set against: the payload that it moved.

use netjoule_energy::cause::{Cause, Split};
use netjoule_energy::processor::ProcessorAccount;
use netjoule_net::{NodeOutcome, Outcome};
use netjoule_scenario::Scenario;
use netjoule_units::{Duration, Energy};

use crate::metrics::Metric;

/// Bytes in a megabyte.
const MEGABYTE: f64 = 1e6;

/// The payload that all connections of a run have delivered, and the least that
/// it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Yardstick {
    bytes: u64,
    /// L0 of every bit; connections that meet no metered radio have none.
    least: Energy,
}

impl Yardstick {
    /// That of a run.
    #[must_use]
    pub fn of(outcome: &Outcome) -> Self {
        let connections = outcome.connections.iter();
        let least = connections.clone().map(|connection| {
            let bit = connection.least_energy_per_bit.unwrap_or(Energy::ZERO);
            let bits = u128::from(connection.bytes_delivered.get()) * 8;
            Energy::from_attojoules(bit.as_attojoules().saturating_mul(bits))
        });
        Self { bytes: connections.map(|it| it.bytes_delivered.get()).sum(), least: least.sum() }
    }

    /// `energy` over all bits, in microjoules; `None` if there are none.
    #[must_use]
    pub fn uj_per_bit(&self, energy: Energy) -> Option<f64> {
        let bits = exact(self.bytes) * 8.0;
        (bits > 0.0).then(|| energy.as_joules_f64() * 1e6 / bits)
    }

    /// `energy` as a multiple of the least that these bits take; `None` if that
    /// is nothing.
    #[must_use]
    pub fn times_limit(&self, energy: Energy) -> Option<f64> {
        let least = self.least.as_joules_f64();
        (least > 0.0).then(|| energy.as_joules_f64() / least)
    }

    /// `count` over all megabytes; `None` if there are none.
    #[must_use]
    pub fn per_megabyte(&self, count: u64) -> Option<f64> {
        (self.bytes > 0).then(|| exact(count) * MEGABYTE / exact(self.bytes))
    }
}

/// How long the charge of `node` lasts, if it has a battery that is ever empty.
#[must_use]
pub fn lifetime(node: &NodeOutcome) -> Option<Duration> {
    let lifetime = node.battery?.lifetime;
    (lifetime < Duration::MAX).then_some(lifetime)
}

/// `bytes` were moved while `node` was on: as many as that makes for its charge.
#[must_use]
pub fn bytes_per_charge(node: &NodeOutcome, bytes: u64) -> Option<f64> {
    let (lifetime, was_on) = (lifetime(node)?.as_secs_f64(), node.was_on().as_secs_f64());
    (was_on > 0.0).then(|| exact(bytes) * lifetime / was_on)
}

/// The bytes of connections that end at `node`, at either end.
#[must_use]
pub fn bytes_at(scenario: &Scenario, outcome: &Outcome, node: usize) -> u64 {
    let connections = scenario.connections.iter().zip(&outcome.connections);
    let own = connections.filter(|(it, _)| it.from == node || it.to == node);
    own.map(|(_, of)| of.bytes_delivered.get()).sum()
}

/// Whether `node` has a processor that is metered.
#[must_use]
pub fn has_processor(node: &NodeOutcome) -> bool {
    node.processor != ProcessorAccount::default()
}

/// What all metered nodes of a run have spent together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energies {
    /// E_A: radios and processors.
    pub awake: Energy,
    /// E_I: E_A without waiting.
    pub idealized: Energy,
    /// All of it, platforms included, by cause.
    pub split: Split,
    /// What it is set against.
    pub yardstick: Yardstick,
    /// Of the battery that is empty first.
    lifetime: Option<Duration>,
    bytes_per_charge: Option<f64>,
    /// How often processors were woken, if there are any.
    wake_ups: Option<u64>,
}

impl Energies {
    /// Those of a run; `None` if no node is metered.
    #[must_use]
    pub fn of(outcome: &Outcome) -> Option<Self> {
        let nodes = &outcome.nodes;
        let mut split = Split::default();
        nodes.iter().for_each(|node| split += node.split());
        let yardstick = Yardstick::of(outcome);
        let first =
            nodes.iter().filter(|node| lifetime(node).is_some()).min_by_key(|it| lifetime(it));
        let processors = nodes.iter().filter(|node| has_processor(node));
        let wake_ups = processors.map(|node| node.processor.wake_up_count);
        (!nodes.is_empty()).then(|| Self {
            awake: nodes.iter().map(NodeOutcome::awake).sum(),
            idealized: nodes.iter().map(NodeOutcome::idealized).sum(),
            split,
            yardstick,
            lifetime: first.and_then(lifetime),
            bytes_per_charge: first.and_then(|node| bytes_per_charge(node, yardstick.bytes)),
            wake_ups: wake_ups.reduce(|sum, count| sum + count),
        })
    }

    /// The value of `metric`, if it is one of energy and exists.
    pub(crate) fn get(&self, metric: Metric) -> Option<f64> {
        let joules = |cause| Some(self.split.by(cause).as_joules_f64());
        match metric {
            Metric::EnergyAwakePerBit => self.yardstick.uj_per_bit(self.awake),
            Metric::EnergyIdealizedPerBit => self.yardstick.uj_per_bit(self.idealized),
            Metric::TimesLimit => self.yardstick.times_limit(self.awake),
            Metric::EnergySystem => Some(self.split.total().as_joules_f64()),
            Metric::EnergyAirtime => joules(Cause::Airtime),
            Metric::EnergyRetransmission => joules(Cause::Retransmission),
            Metric::EnergyOverhearing => joules(Cause::Overhearing),
            Metric::EnergyIdle => joules(Cause::Idle),
            Metric::EnergyProcessing => joules(Cause::Processing),
            Metric::EnergyPlatform => joules(Cause::Platform),
            Metric::Lifetime => self.lifetime.map(Duration::as_secs_f64),
            Metric::BytesPerCharge => self.bytes_per_charge,
            Metric::WakeUpsPerMb => self.yardstick.per_megabyte(self.wake_ups?),
            _ => None,
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of one run are far below 2^53")]
const fn exact(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests;
