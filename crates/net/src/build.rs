//! Builds a network from a scenario.
//!
//! The order in which parts get their ids decides the order of simultaneous
//! events: packets come off links before transmitters go on, before airs do,
//! before routers' processors, before the processors of devices, before the timers of
//! endpoints, before batteries. An ACK that arrives at the moment of a timeout
//! forestalls it.

mod airs;
mod ends;
mod meters;

use std::collections::VecDeque;

use netjoule_des::{Limits, PartId, Streams};
use netjoule_link::buffer::Buffer;
use netjoule_link::two_state::Channel;
use netjoule_link::{Timing, arq, pipe};
use netjoule_scenario::{self as scenario, LinkLayer, Medium, NodeKind, Scenario};
use netjoule_transport::tcp::Transmission;
use netjoule_units::Duration;

use crate::accounts::Accounts;
use crate::carriage::Carriage;
use crate::duplicate_acks::AckFilter;
use crate::energy::{Bill, Metered};
use crate::island::{Island, Part};
use crate::network::Network;
use crate::node::{
    AirPart, EndpointPart, Interface, Node, PipeMedium, PipePart, ProcessingPart, TransmitterPart,
};
use crate::parcel::Parcels;
use crate::progress::Progress;
use crate::routing;

/// Gathers the parts of a network.
struct Builder<'a> {
    scenario: &'a Scenario,
    streams: Streams,
    pipes: Vec<PipePart>,
    transmitters: Vec<TransmitterPart>,
    channels: Vec<Channel>,
    airs: Vec<AirPart>,
    /// Indices of the links at each node.
    links_of: Vec<Vec<usize>>,
    /// Index of each link's channel.
    channel_of: Vec<Option<usize>>,
    /// Index of each node's island.
    island_of: Vec<usize>,
    /// The parts of each island.
    parts: Vec<Vec<Part>>,
}

impl<'a, M: Bill> Network<'a, M> {
    /// The network of `scenario` at time zero with its islands, with random
    /// streams from `seed`.
    pub(crate) fn new(scenario: &'a Scenario, seed: u64) -> (Self, Vec<Island>) {
        let (island_of, islands) = routing::islands(scenario);
        let mut links_of = vec![Vec::new(); scenario.nodes.len()];
        for (index, link) in scenario.links.iter().enumerate() {
            link.between.into_iter().for_each(|node| links_of[node].push(index));
        }
        let builder = Builder {
            scenario,
            links_of,
            streams: Streams::new(seed),
            pipes: Vec::new(),
            transmitters: Vec::new(),
            channels: Vec::new(),
            airs: Vec::new(),
            channel_of: vec![None; scenario.links.len()],
            island_of,
            parts: vec![Vec::new(); islands],
        };
        builder.build()
    }
}

impl<'a> Builder<'a> {
    fn build<M: Bill>(mut self) -> (Network<'a, M>, Vec<Island>) {
        let scenario = self.scenario;
        // The channels behind those of links belong to airs.
        let links = scenario.links.len();
        for channel in scenario.channels().take_while(|channel| channel.index < links) {
            self.channel_of[channel.index] = Some(self.channels.len());
            self.channels.push(channel_of(scenario, &self.streams, &channel));
        }
        let mut interfaces: Vec<Vec<(usize, Interface)>> =
            (0..scenario.nodes.len()).map(|node| self.interfaces_of(node)).collect();
        self.add_airs(&mut interfaces);
        // Ids are given kind by kind, in the order documented above.
        for index in 0..self.pipes.len() {
            self.pipes[index].id = self.add_part(self.pipes[index].from, Part::Pipe(index));
        }
        for index in 0..self.transmitters.len() {
            let from = self.transmitters[index].from;
            self.transmitters[index].id = self.add_part(from, Part::Transmitter(index));
        }
        for index in 0..self.airs.len() {
            self.airs[index].id = self.add_part(self.airs[index].nodes[0], Part::Air(index));
        }
        let mut processing = Vec::new();
        let mut nodes = self.nodes(interfaces);
        for (index, node) in nodes.iter_mut().enumerate() {
            let delay = scenario.nodes[index].processing_delay;
            if !delay.is_zero() {
                node.processing = Some(processing.len());
                let id = self.add_part(index, Part::Processing(processing.len()));
                let waiting = VecDeque::new();
                processing.push(ProcessingPart { id, node: index, delay, waiting });
            }
        }
        let processors = self.processors();
        let endpoints = self.endpoints(&mut nodes);
        let metered = self.metered(processors);
        let islands = self.islands(&endpoints, &metered);
        let limits = Limits { time: Duration::ZERO, events: 0 };
        let network = Network {
            scenario,
            carriage: Carriage::new(scenario.run.wire_fidelity),
            island: Island::new(Vec::new(), 0, limits),
            island_of: self.island_of,
            nodes,
            pipes: self.pipes,
            transmitters: self.transmitters,
            channels: self.channels,
            airs: self.airs,
            processing,
            metered,
            parcels: Parcels::default(),
            accounts: Accounts::new(scenario.connections.len()),
            progress: vec![Progress::default(); scenario.connections.len()],
            endpoints,
            transmission: Transmission::default(),
            watch: None,
        };
        (network, islands)
    }

    /// The islands. Their first deadlines are the starts of connections, the
    /// first beacons and the first looks at batteries.
    fn islands<M: Bill>(
        &mut self,
        endpoints: &[EndpointPart<M>],
        metered: &[Option<Box<Metered>>],
    ) -> Vec<Island> {
        let run = &self.scenario.run;
        let limits = Limits { time: run.time_limit, events: run.event_budget };
        let mut connections = vec![0; self.parts.len()];
        for connection in &self.scenario.connections {
            connections[self.island_of[connection.from]] += 1;
        }
        let mut islands: Vec<Island> = core::mem::take(&mut self.parts)
            .into_iter()
            .zip(connections)
            .map(|(parts, connections)| Island::new(parts, connections, limits))
            .collect();
        // Sources come first in each pair of endpoints.
        for (source, connection) in endpoints.iter().step_by(2).zip(&self.scenario.connections) {
            islands[self.island_of[source.node]].set_deadline(source.id, Some(connection.start));
        }
        for part in &self.airs {
            islands[self.island_of[part.nodes[0]]].set_deadline(part.id, part.poll_timeout());
        }
        for (node, metered) in metered.iter().enumerate() {
            if let Some((id, supply)) = metered.as_ref().and_then(|it| it.supply.as_ref()) {
                islands[self.island_of[node]].set_deadline(*id, Some(supply.next_look()));
            }
        }
        islands
    }

    /// Adds a part at `node` to its island.
    fn add_part(&mut self, node: usize, part: Part) -> PartId {
        let parts = &mut self.parts[self.island_of[node]];
        let id = PartId(u32::try_from(parts.len()).unwrap_or(u32::MAX));
        parts.push(part);
        id
    }

    /// The ways out of `node`, with the neighbour at the end of each.
    fn interfaces_of(&mut self, node: usize) -> Vec<(usize, Interface)> {
        let scenario = self.scenario;
        let settings = &scenario.nodes[node];
        let mut interfaces = Vec::new();
        // The one transmitter of a node that has just one.
        let mut shared: Option<usize> = None;
        for index in core::mem::take(&mut self.links_of[node]) {
            let link = &scenario.links[index];
            let end = usize::from(link.between[1] == node);
            let to = link.between[1 - end];
            let timing =
                Timing { rate: link.rate, delay: link.delay, step: scenario.run.clock_step };
            let interface = match (&link.medium, self.channel_of[index]) {
                (Medium::Wireless { arq, .. }, Some(channel))
                    if settings.link_layer == LinkLayer::Reliable =>
                {
                    let path = arq::Path { channel, timing, config: arq.clone() };
                    let index = shared.unwrap_or_else(|| self.add_transmitter(node));
                    if settings.shared_transmitter {
                        shared = Some(index);
                    }
                    self.add_path(index, path, to)
                }
                (Medium::Wireless { .. }, Some(channel)) => {
                    self.add_pipe(timing, node, to, PipeMedium::Air(channel))
                }
                (Medium::Wireless { .. }, None) => continue,
                (Medium::Wired { loss }, _) => {
                    let name = format!("link/{}/{}/loss/{end}", link.name, link.random_seed);
                    let losses = pipe::Losses::new(*loss, self.streams.stream(&name));
                    self.add_pipe(timing, node, to, PipeMedium::Wired(losses))
                }
            };
            interfaces.push((to, interface));
        }
        interfaces
    }

    fn add_pipe(
        &mut self,
        timing: Timing,
        from: usize,
        to: usize,
        medium: PipeMedium,
    ) -> Interface {
        let (id, pipe) = (PartId(0), pipe::Pipe::new(timing));
        self.pipes.push(PipePart { id, pipe, from, to, medium });
        Interface::Pipe(self.pipes.len() - 1)
    }

    fn add_transmitter(&mut self, node: usize) -> usize {
        let discipline = self.scenario.nodes[node].queue;
        self.transmitters.push(TransmitterPart {
            id: PartId(0),
            transmitter: arq::Transmitter::new(discipline),
            from: node,
            to: Vec::new(),
        });
        self.transmitters.len() - 1
    }

    fn add_path(&mut self, index: usize, path: arq::Path, to: usize) -> Interface {
        let part = &mut self.transmitters[index];
        part.to.push(to);
        Interface::Transmitter { index, path: part.transmitter.add_path(path) }
    }

    fn nodes(&self, interfaces: Vec<Vec<(usize, Interface)>>) -> Vec<Node> {
        let mut destinations: Vec<usize> =
            self.scenario.connections.iter().flat_map(|c| [c.from, c.to]).collect();
        destinations.sort_unstable();
        destinations.dedup();
        let neighbours: Vec<Vec<usize>> = interfaces
            .iter()
            .map(|ways| ways.iter().map(|(neighbour, _)| *neighbour).collect())
            .collect();
        let forwards: Vec<bool> =
            self.scenario.nodes.iter().map(|node| node.kind != NodeKind::Host).collect();
        let routes = routing::routes(&neighbours, &forwards, &destinations);
        self.scenario
            .nodes
            .iter()
            .zip(interfaces)
            .zip(routes)
            .map(|((node, ways), routes)| Node {
                kind: node.kind,
                notices: node.notices,
                ack_filter: AckFilter::new(node.duplicate_acks),
                buffer: Buffer::new(node.buffer),
                routes,
                interfaces: ways.into_iter().map(|(_, interface)| interface).collect(),
                processing: None,
                endpoints: Vec::new(),
            })
            .collect()
    }
}

/// A channel from its beginning. Its random streams are those of its name, be
/// it that of a link or one between stations: what was on a link of its own
/// meets the same on an air.
pub(crate) fn channel_of(
    scenario: &Scenario,
    streams: &Streams,
    channel: &scenario::Channel<'_>,
) -> Channel {
    let scenario::Channel { name, random_seed, config, .. } = channel;
    let stream = |what: &str| streams.stream(&format!("link/{name}/{random_seed}/{what}"));
    // A clock of one nanosecond is no coarser than time itself.
    let step = scenario.run.clock_step.max(Duration::from_nanos(1));
    Channel::new(config, step, stream("stays"), stream("losses"))
}
