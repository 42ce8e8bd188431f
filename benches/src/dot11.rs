//! Shared media of IEEE 802.11b at 11 Mbit/s, with packets of 1,500 bytes.

use std::sync::Arc;

use netjoule_energy::device::Device;
use netjoule_link::dot11::Config;
use netjoule_scenario::Scenario;
use netjoule_testkit::saturation::{Cell, Flow, to_one, together};
use netjoule_testkit::{Chain, laptop, on_battery, working_laptop};
use netjoule_units::{BitRate, Bytes, Duration, Energy};

/// The settings that the programs of `benches/peers` have: link ACKs at 11
/// Mbit/s, because ns-3 has them so.
fn config() -> Config {
    Config { control_rate: Some(BitRate::from_mbit_per_s(11)), ..Config::default() }
}

/// One station sends all it can to another.
#[must_use]
pub fn pair() -> Cell {
    Cell::new(&config(), together(2, 1), to_one(1))
}

/// `stations` that all send all they can to their neighbours.
#[must_use]
pub fn saturated(stations: usize) -> Cell {
    let flow = |from| Flow { from, to: (from + 1) % stations, size: Bytes::new(1_500) };
    Cell::new(&config(), together(stations, 1), (0..stations).map(flow).collect())
}

/// Two stations that send all they can to each other, and `idle` others that
/// hear them.
#[must_use]
pub fn idle_beside(idle: usize) -> Cell {
    let flow = |from| Flow { from, to: 1 - from, size: Bytes::new(1_500) };
    Cell::new(&config(), together(2 + idle, 1), vec![flow(0), flow(1)])
}

/// What is metered of two stations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metered {
    /// Nothing.
    Nothing,
    /// What their radios draw.
    Radios,
    /// The same, from batteries.
    Batteries,
    /// The same with processors that take 190 µs for a segment, 300 µs for an
    /// ACK.
    Processors,
}

impl Metered {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Nothing, Self::Radios, Self::Batteries, Self::Processors];

    fn device(self) -> Option<Arc<Device>> {
        let costs = [("data_out", 190), ("data_in", 190), ("ack_in", 300), ("ack_out", 300)];
        // More than the run takes.
        let capacity = Energy::from_joules(1_000_000_000);
        match self {
            Self::Nothing => None,
            Self::Radios => Some(Arc::new(laptop())),
            Self::Batteries => Some(on_battery(&laptop(), capacity)),
            Self::Processors => Some(on_battery(&working_laptop(&costs), capacity)),
        }
    }
}

/// A TCP flow over one hop, with an ACK for every second segment, that goes on
/// for `time`.
#[must_use]
pub fn laptops(metered: Metered, time: Duration) -> Scenario {
    let mut chain = Chain { transfer: Bytes::new(1 << 50), ..Chain::default() };
    (chain.tcp.mss, chain.tcp.ack_every) = (Bytes::new(1_460), 2);
    let mut scenario = chain.scenario();
    scenario.run.time_limit = time;
    scenario.nodes.iter_mut().for_each(|node| node.device = metered.device());
    scenario
}
