//! Shared media of IEEE 802.11b at 11 Mbit/s, with packets of 1,500 bytes.

use netjoule_link::dot11::Config;
use netjoule_testkit::saturation::{Cell, Flow, to_one, together};
use netjoule_units::{BitRate, Bytes};

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
