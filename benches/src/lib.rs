//! The scenario that the benchmarks run: the one on which ns-2 spends 0.73 µs
//! of processor time per data segment (see `benches/peers`).

pub mod dot11;
pub mod lookup;
pub mod pair;

use netjoule_net::{Outcome, run};
use netjoule_scenario::{LinkLayer, Medium, Scenario};
use netjoule_testkit::BaseStation;
use netjoule_trace::Nobody;
use netjoule_units::Duration;

/// How the wireless link's senders work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Air {
    /// Every frame once, as in the other simulators.
    Once,
    /// The thesis's link layer: link acknowledgments and up to eight retries.
    Repeated,
}

/// 100 ms of wired delay, mean BAD 0.3 s, a window of 32 KB, Reno: `flows` of
/// them, each of `segments` and on links of its own.
#[must_use]
pub fn scenario(segments: u64, flows: usize, air: Air) -> Scenario {
    let one = BaseStation { window_kb: 32, segments, ..BaseStation::default() }.scenario();
    let mut scenario = one.clone();
    for offset in (1..flows).map(|flow| flow * one.nodes.len()) {
        scenario.nodes.extend(one.nodes.iter().cloned());
        scenario.links.extend(one.links.iter().cloned().map(|mut link| {
            link.between = link.between.map(|node| node + offset);
            link.name = format!("{}+{offset}", link.name);
            link
        }));
        scenario.connections.extend(one.connections.iter().cloned().map(|mut connection| {
            connection.from += offset;
            connection.to += offset;
            connection
        }));
    }
    for link in &mut scenario.links {
        if let Medium::Wireless { channel, .. } = &mut link.medium {
            channel.mean_bad = Duration::from_millis(300);
        }
    }
    if air == Air::Once {
        scenario.nodes.iter_mut().for_each(|node| node.link_layer = LinkLayer::Unreliable);
    }
    scenario.run.time_limit = Duration::from_secs(1 << 32);
    scenario
}

/// Runs `scenario` with nobody watching.
#[must_use]
pub fn simulate(scenario: &Scenario) -> Outcome {
    run(scenario, 1, &mut Nobody)
}
