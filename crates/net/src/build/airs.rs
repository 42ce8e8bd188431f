//! Media that stations share.

use std::collections::{BTreeMap, VecDeque};

use netjoule_des::PartId;
use netjoule_link::dot11::{self, Role, StationSetup};
use netjoule_scenario::Air;

use super::{Builder, channel_of};
use crate::node::{AirPart, Interface};

impl Builder<'_> {
    /// Builds every air, and adds its stations' ways to each other to the
    /// interfaces of their nodes.
    pub(super) fn add_airs(&mut self, interfaces: &mut [Vec<(usize, Interface)>]) {
        let scenario = self.scenario;
        // The channels of links come first.
        let mut channels =
            scenario.channels().skip_while(|channel| channel.index < scenario.links.len());
        for (index, air) in scenario.airs.iter().enumerate() {
            let mut station_at = vec![None; scenario.nodes.len()];
            for (station, &node) in air.stations.iter().enumerate() {
                station_at[node] = Some(station);
            }
            let mut medium = self.medium(air);
            let mut delays = BTreeMap::new();
            for (own, channel) in air.channels.iter().zip(channels.by_ref()) {
                if let [Some(a), Some(b)] = channel.between.map(|node| station_at[node]) {
                    medium.set_channel(a, b, channel_of(scenario, &self.streams, &channel));
                    if own.delay != air.delay {
                        delays.insert([a.min(b), a.max(b)], own.delay);
                    }
                }
            }
            for (station, &node) in air.stations.iter().enumerate() {
                for neighbour in air.neighbours(&scenario.nodes, node) {
                    let Some(to) = station_at[neighbour] else { continue };
                    interfaces[node].push((neighbour, Interface::Air { index, station, to }));
                }
            }
            self.airs.push(AirPart {
                id: PartId(0),
                air: medium,
                nodes: air.stations.clone(),
                delay: air.delay,
                delays,
                arrivals: VecDeque::new(),
            });
        }
    }

    fn medium<F: Clone>(&self, air: &Air) -> dot11::Air<F> {
        let Air { name, random_seed, .. } = air;
        let stations = air.stations.iter().zip(&air.rates).map(|(&index, &rate)| {
            let node = &self.scenario.nodes[index];
            let stream = format!("air/{name}/{random_seed}/backoff/{}", node.name);
            StationSetup {
                position: node.position.unwrap_or_default(),
                discipline: node.queue,
                rate,
                role: match index {
                    _ if air.power_savers.contains(&index) => Role::PowerSaver,
                    // Who is always awake waits for no beacon.
                    _ if air.access_point == Some(index) && !air.power_savers.is_empty() => {
                        Role::AccessPoint
                    }
                    _ => Role::Station,
                },
                rng: self.streams.stream(&stream),
            }
        });
        let noise = self.streams.first_word(&format!("air/{name}/{random_seed}/noise"));
        dot11::Air::new(&air.dot11, stations.collect(), noise)
    }
}
