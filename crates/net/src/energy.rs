//! What nodes with a device spend: their radios, processors and platforms, and
//! the battery behind them.

mod link_radio;
mod processor;

pub(crate) use link_radio::LinkRadio;
pub(crate) use processor::{Bill, Processor, Uncounted};

use netjoule_des::PartId;
use netjoule_energy::platform::PlatformMeter;
use netjoule_energy::processor::ProcessorAccount;
use netjoule_energy::radio::RadioAccount;
use netjoule_energy::supply::Supply;
use netjoule_trace::{DropCause, Observer};
use netjoule_units::{Duration, Energy, Instant};
use netjoule_wire::Address;

use crate::network::Network;
use crate::node::{Interface, PipeMedium, PipePart};
use crate::outcome::{BatteryOutcome, NodeOutcome};

/// A node with a device.
#[derive(Debug)]
pub(crate) struct Metered {
    /// Airs that it is on, each with its station there. Their radios are the
    /// airs'.
    pub(crate) stations: Vec<(usize, usize)>,
    /// The radio for links of its own, if it has any on the air.
    pub(crate) link_radio: Option<LinkRadio>,
    pub(crate) processor: Option<Processor>,
    pub(crate) platform: PlatformMeter,
    /// The battery, and the part that looks after it.
    pub(crate) supply: Option<(PartId, Supply)>,
    pub(crate) died: Option<Instant>,
}

impl<M: Bill> Network<'_, M> {
    /// Whether `node` has no energy left.
    pub(crate) fn is_dead(&self, node: usize) -> bool {
        M::METERED && self.metered[node].as_ref().is_some_and(|it| it.died.is_some())
    }

    /// What the radios of `node` have drawn by `now`.
    fn radio_account(&mut self, now: Instant, node: usize) -> RadioAccount {
        let mut account = RadioAccount::default();
        let Some(metered) = &mut self.metered[node] else { return account };
        if let Some(radio) = &mut metered.link_radio {
            account += radio.account(now);
        }
        for &(air, station) in &metered.stations {
            if let Some(radio) = self.airs[air].air.radio_mut(station) {
                account += *radio.account(now);
            }
        }
        account
    }

    /// What `node` has drawn by `now`: its radios, and everything.
    pub(crate) fn drawn(&mut self, now: Instant, node: usize) -> [Energy; 2] {
        let radio = self.radio_account(now, node).total();
        let Some(metered) = &mut self.metered[node] else { return [Energy::ZERO; 2] };
        let processor = metered.processor.as_mut().map(|it| it.account(now).total());
        let platform = metered.platform.account(now).total();
        [radio, radio + platform + processor.unwrap_or(Energy::ZERO)]
    }

    /// Looks after the battery of `node`.
    pub(crate) fn run_supply<O: Observer>(&mut self, now: Instant, node: usize, observer: &mut O) {
        let [_, drawn] = self.drawn(now, node);
        let Some(Metered { supply: Some((id, supply)), .. }) = self.metered[node].as_deref_mut()
        else {
            return;
        };
        supply.draw(now, drawn);
        let (id, is_empty, next) = (*id, supply.is_empty(), supply.next_look());
        self.island.set_deadline(id, (!is_empty).then_some(next));
        if is_empty {
            self.switch_off(now, node, observer);
        }
    }

    /// `node` has no energy left.
    fn switch_off<O: Observer>(&mut self, now: Instant, node: usize, observer: &mut O) {
        let Some(metered) = &mut self.metered[node] else { return };
        metered.died = Some(now);
        if self.scenario.run.until_depleted {
            self.island.on_depletion();
        }
        metered.platform.switch_off(now);
        if let Some(radio) = &mut metered.link_radio {
            radio.switch_off(now);
        }
        for &(air, station) in &metered.stations {
            let part = &mut self.airs[air];
            part.air.switch_off(now, station);
            self.island.set_deadline(part.id, part.poll_timeout());
        }
        let processor = metered.processor.as_mut().map(|it| it.switch_off(now));
        for index in 0..self.processing.len() {
            if self.processing[index].node == node {
                self.island.set_deadline(self.processing[index].id, None);
                for (_, parcel) in core::mem::take(&mut self.processing[index].waiting) {
                    self.drop(now, node, parcel, DropCause::DeadNode, observer);
                }
            }
        }
        for (parcel, was_sent) in processor.unwrap_or_default() {
            if !was_sent {
                self.accounts.sent(&self.parcels[parcel]);
            }
            self.drop(now, node, parcel, DropCause::DeadNode, observer);
        }
        for transmitter in self.transmitters.iter().filter(|it| it.from == node) {
            self.island.set_deadline(transmitter.id, None);
        }
        for index in 0..self.endpoints.len() {
            let endpoint = &self.endpoints[index];
            if endpoint.node == node {
                self.island.set_deadline(endpoint.id, None);
                let connection = endpoint.connection;
                self.lose(now, connection);
            }
        }
    }

    /// The least that a bit of connection `index` takes on its way.
    pub(crate) fn least_energy_per_bit(&self, index: usize) -> Option<Energy> {
        let connection = &self.scenario.connections[index];
        let destination = Address::of_node(connection.to);
        let (mut at, mut least) = (connection.from, None);
        while at != connection.to {
            let node = &self.nodes[at];
            let (next, rate) = match node.interfaces[node.routes.toward(destination)?] {
                Interface::Pipe(index) => {
                    let PipePart { pipe, to, medium, .. } = &self.pipes[index];
                    let is_on_air = matches!(medium, PipeMedium::Air(_));
                    (*to, is_on_air.then_some(pipe.timing().rate))
                }
                Interface::Transmitter { index, path } => {
                    let part = &self.transmitters[index];
                    (part.to[path], Some(part.transmitter.timing(path).rate))
                }
                Interface::Air { index, station, to } => {
                    let part = &self.airs[index];
                    (part.nodes[to], Some(part.air.rate(station)))
                }
            };
            let device = self.scenario.nodes[at].device.as_ref();
            if let Some((device, rate)) = device.zip(rate) {
                let bit = device.radio.least_energy_per_bit(rate);
                least = Some(least.unwrap_or(Energy::ZERO) + bit);
            }
            at = next;
        }
        least
    }

    /// What became of `node` by the end of its island.
    pub(crate) fn node_outcome(&mut self, end: Instant, node: usize) -> Option<NodeOutcome> {
        let radio = self.radio_account(end, node);
        let [_, drawn] = self.drawn(end, node);
        let metered = self.metered[node].as_deref_mut()?;
        if let Some((_, supply)) = &mut metered.supply {
            supply.draw(end, drawn);
        }
        let processor = metered.processor.as_mut().map(|it| *it.account(end));
        let battery = metered.supply.as_ref().map(|(_, supply)| {
            let battery = supply.battery();
            let life = end.saturating_since(Instant::ZERO);
            let mean = battery.delivered().over(life);
            let rest = battery.lasts(mean).unwrap_or(Duration::MAX);
            let whole = Duration::from_nanos(life.as_nanos().saturating_add(rest.as_nanos()));
            let lifetime = metered.died.map_or(whole, |died| died.saturating_since(Instant::ZERO));
            BatteryOutcome {
                lifetime,
                delivered: battery.delivered(),
                remaining: battery.remaining(),
                state_of_charge: battery.state_of_charge(),
            }
        });
        Some(NodeOutcome {
            node,
            radio,
            processor: processor.unwrap_or(ProcessorAccount::default()),
            platform: *metered.platform.account(end),
            battery,
            died: metered.died,
        })
    }
}
