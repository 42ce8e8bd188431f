//! The simulated network: what joins engines, links and the event core.
//!
//! [`run`] builds a network from a validated scenario, runs it to its end and
//! tells what has become of every connection and every packet. One run is
//! single-threaded; equal scenario and seed give an equal outcome, and an
//! observer sees a run without changing it.

mod accounts;
mod build;
mod carriage;
mod duplicate_acks;
mod endpoint;
mod energy;
mod island;
mod link_layer;
mod network;
mod node;
mod outcome;
mod parcel;
mod progress;
mod routing;
mod watch;

pub use outcome::{BatteryOutcome, ConnectionOutcome, Ledger, NodeOutcome, Outcome, Stop};

use netjoule_scenario::Scenario;
use netjoule_trace::{DropCause, Observer};
use netjoule_transport::cost::{Counts, Off};

use duplicate_acks::AckFilter;
use energy::{Bill, Processor, Uncounted};
use island::{Ends, Island};
use network::Network;
use parcel::Kind;
use watch::Watch;

/// Builds the network of `scenario` and runs it to its end. `seed` takes the
/// place of the scenario's own.
///
/// # Panics
/// If a packet is not accounted for at the end, or with `wire_fidelity` becomes
/// another on its way. That is a bug here, never one of the scenario.
pub fn run<O: Observer>(scenario: &Scenario, seed: u64, observer: &mut O) -> Outcome {
    // Nobody pays for a meter that nobody reads.
    let mut devices = scenario.nodes.iter().filter_map(|node| node.device.as_ref()).peekable();
    if devices.peek().is_none() {
        run_metered::<Off, O>(scenario, seed, observer)
    } else if devices.all(|device| device.processor.is_none()) {
        run_metered::<Uncounted, O>(scenario, seed, observer)
    } else {
        run_metered::<Counts, O>(scenario, seed, observer)
    }
}

fn run_metered<M: Bill, O: Observer>(scenario: &Scenario, seed: u64, observer: &mut O) -> Outcome {
    let (mut network, mut islands) = Network::<M>::new(scenario, seed);
    if O::RECORDS {
        network.watch = Some(Watch::new(scenario, seed));
    }
    let ends = network.run(&mut islands, observer);
    network.outcome(&islands, ends)
}

impl<M: Bill> Network<'_, M> {
    fn outcome(mut self, islands: &[Island], ends: Ends) -> Outcome {
        self.count_in_flight();
        let nodes = (0..self.scenario.nodes.len()).filter_map(|node| {
            let end = islands[self.island_of[node]].now();
            self.node_outcome(end, node)
        });
        let nodes = nodes.collect();
        let connections =
            (0..self.scenario.connections.len()).map(|index| self.connection_outcome(index));
        Outcome {
            connections: connections.collect(),
            nodes,
            stop: ends.stop,
            end: ends.end,
            events: ends.events,
            fingerprint: ends.fingerprint.value(),
        }
    }

    fn count_in_flight(&mut self) {
        for metered in self.metered.iter().flatten() {
            let parcels = metered.processor.iter().flat_map(Processor::parcels);
            for (parcel, was_sent) in parcels {
                let parcel = &self.parcels[parcel];
                if !was_sent {
                    self.accounts.sent(parcel);
                }
                self.accounts.in_flight(parcel);
            }
        }
        let Self { nodes, pipes, transmitters, airs, processing, parcels, accounts, .. } = self;
        let on_pipes = pipes.iter().flat_map(|part| part.pipe.in_flight());
        let on_links = transmitters
            .iter()
            .flat_map(|part| part.transmitter.in_flight().map(|frame| &frame.payload));
        let on_airs = airs.iter().flat_map(|part| {
            let waiting = part.air.in_flight().map(|frame| &frame.payload);
            waiting.chain(part.arrivals.iter().map(|(_, _, parcel)| parcel))
        });
        let waiting = processing.iter().flat_map(|part| part.waiting.iter().map(|(_, it)| it));
        let held =
            nodes.iter().filter_map(|node| node.ack_filter.as_ref()).flat_map(AckFilter::held);
        let all = on_pipes.chain(on_links).chain(on_airs).chain(waiting).chain(held);
        all.for_each(|&id| accounts.in_flight(&parcels[id]));
    }

    fn connection_outcome(&self, index: usize) -> ConnectionOutcome {
        let account = self.accounts.of(index);
        let ledger = |kind| {
            let ledger = account.of(kind);
            assert!(ledger.balances(), "connection {index}: {kind:?} does not balance: {ledger:?}");
            ledger
        };
        let data = ledger(Kind::Data);
        let (source, sink) = (&self.endpoints[2 * index], &self.endpoints[2 * index + 1]);
        let (settings, progress) = (&self.scenario.connections[index], &self.progress[index]);
        let stats = source.engine.stats();
        ConnectionOutcome {
            start: settings.start,
            completion_time: progress.completion_time,
            closed: progress.cause(settings.handshake),
            bytes_delivered: sink.read,
            segments_sent: stats.segments_sent,
            segments_retransmitted: stats.segments_retransmitted,
            timeouts: stats.timeouts,
            fast_retransmits: stats.fast_retransmits,
            data,
            acks: ledger(Kind::Ack),
            control: ledger(Kind::Control),
            notices: ledger(Kind::Notice),
            frames_corrupted: account.frames_corrupted,
            wireless_losses: data.dropped[DropCause::ChannelError as usize]
                + data.dropped[DropCause::RetryLimit as usize],
            least_energy_per_bit: self.least_energy_per_bit(index),
        }
    }
}
