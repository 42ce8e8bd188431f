//! Networks on a shared medium: chains of stations, and cells.

use netjoule_link::arq::Discipline;
use netjoule_link::dot11::{self, Position};
use netjoule_link::two_state;
use netjoule_scenario::{
    Air, AirChannel, Connection, DuplicateAcks, Interrupts, Link, LinkLayer, Medium, Node,
    NodeKind, Notices, Run, Scenario, Trace,
};
use netjoule_transport::tcp::{Options, Variant};
use netjoule_units::{BitRate, Bytes, Distance, Duration, Instant};

use crate::BaseStation;

/// Stations in a line, each of which reaches the next: a host, routers, a host.
#[derive(Clone, Debug)]
pub struct Chain {
    /// Hops from the first to the last.
    pub hops: usize,
    /// The rate of data frames.
    pub rate: BitRate,
    /// Payload to transfer from the first to the last.
    pub transfer: Bytes,
    /// What else there is to say of the connection.
    pub tcp: Options,
}

impl Default for Chain {
    fn default() -> Self {
        Self {
            hops: 1,
            rate: BitRate::from_mbit_per_s(11),
            transfer: Bytes::from_kib(1_024),
            tcp: Options::default(),
        }
    }
}

/// 200 m from each station to the next.
const SPACING_M: u64 = 200;

impl Chain {
    /// The scenario: a range of 250 m, and of 550 m for carrier sense.
    ///
    /// # Panics
    /// Never: the variant is in the table.
    #[must_use]
    pub fn scenario(&self) -> Scenario {
        let node = |index: usize| {
            let is_end = index == 0 || index == self.hops;
            let kind = if is_end { NodeKind::Host } else { NodeKind::Router };
            let x = Distance::from_metres(SPACING_M * index as u64);
            Node {
                position: Some(Position { x, y: Distance::ZERO }),
                device: None,
                device_file: None,
                ..node(&format!("n{index}"), kind)
            }
        };
        let dot11 = dot11::Config {
            rate: self.rate,
            range: Some(Distance::from_metres(250)),
            carrier_sense_range: Some(Distance::from_metres(550)),
            ..dot11::Config::default()
        };
        Scenario {
            title: "a chain of stations".into(),
            run: Run::default(),
            trace: Trace::default(),
            nodes: (0..=self.hops).map(node).collect(),
            links: Vec::new(),
            airs: vec![Air { dot11, ..air((0..=self.hops).collect()) }],
            connections: vec![Connection {
                from: 0,
                to: self.hops,
                transfer: self.transfer,
                start: Instant::ZERO,
                pace: None,
                variant: Variant::named("reno").expect("a variant of the table"),
                handshake: false,
                tcp: self.tcp.clone(),
            }],
        }
    }
}

/// A host behind a cable that sends to several on a base station's medium.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The mean stays in GOOD and in BAD of the channel to each wireless host.
    pub stays: Vec<[Duration; 2]>,
    /// How the base station serves their connections.
    pub queue: Discipline,
    /// Payload to each.
    pub transfer: Bytes,
}

impl Cell {
    /// The scenario, by honest clocks and headers.
    #[must_use]
    pub fn scenario(&self) -> Scenario {
        let mut scenario = BaseStation { wired_delay_ms: 5, ..BaseStation::default() }.scenario();
        scenario.title = "a cell".into();
        scenario.run = Run::default();
        scenario.nodes[1].queue = self.queue;
        scenario.nodes.truncate(2);
        scenario.links.truncate(1);
        scenario.links[0].rate = BitRate::from_mbit_per_s(100);
        let to_first = scenario.connections.remove(0);
        let mut air = Air { access_point: Some(1), ..air(vec![1]) };
        for (index, &[mean_good, mean_bad]) in self.stays.iter().enumerate() {
            let host = scenario.nodes.len();
            scenario.nodes.push(node(&format!("host-{index}"), NodeKind::Host));
            air.stations.push(host);
            air.rates.push(None);
            air.channels.push(AirChannel {
                name: format!("channel-{index}"),
                between: [1, host],
                delay: Duration::ZERO,
                random_seed: 0,
                channel: two_state::Config { mean_good, mean_bad, ..two_state::Config::default() },
            });
            let mut connection = to_first.clone();
            (connection.to, connection.transfer) = (host, self.transfer);
            scenario.connections.push(connection);
        }
        scenario.airs.push(air);
        scenario
    }
}

/// `scenario` with its wireless links turned into one medium each: what was a
/// link of its own is contended for.
#[must_use]
pub fn on_air(mut scenario: Scenario, dot11: &dot11::Config) -> Scenario {
    let (wireless, wired): (Vec<_>, Vec<_>) =
        scenario.links.into_iter().partition(|link| matches!(link.medium, Medium::Wireless { .. }));
    scenario.links = wired;
    for link in wireless {
        let mut air = Air {
            name: link.name.clone(),
            dot11: dot11.clone(),
            random_seed: link.random_seed,
            ..air(link.between.to_vec())
        };
        if let Medium::Wireless { channel, .. } = link.medium.clone() {
            let Link { name, between, delay, random_seed, .. } = link;
            air.channels.push(AirChannel { name, between, delay, random_seed, channel });
        }
        scenario.airs.push(air);
    }
    scenario
}

/// An air by the defaults, without channels.
fn air(stations: Vec<usize>) -> Air {
    Air {
        name: "air".into(),
        rates: vec![None; stations.len()],
        stations,
        access_point: None,
        power_savers: Vec::new(),
        dot11: dot11::Config::default(),
        delay: Duration::ZERO,
        random_seed: 0,
        channels: Vec::new(),
    }
}

fn node(name: &str, kind: NodeKind) -> Node {
    Node {
        name: name.into(),
        kind,
        buffer: Bytes::MAX,
        processing_delay: Duration::ZERO,
        link_layer: LinkLayer::Reliable,
        queue: Discipline::RoundRobin,
        shared_transmitter: false,
        notices: Notices::Never,
        duplicate_acks: DuplicateAcks::Pass,
        position: None,
        device: None,
        device_file: None,
        battery: None,
        interrupts: Interrupts::default(),
    }
}
