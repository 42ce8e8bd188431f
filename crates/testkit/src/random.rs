//! Random small scenarios.

mod options;

use netjoule_link::arq;
use netjoule_link::dot11::{self, phy::PhyKind};
use netjoule_scenario::{Connection, DuplicateAcks, LinkLayer, Medium, Notices, Pace, Scenario};
use netjoule_transport::tcp::{Options, VARIANTS};
use netjoule_units::{BitRate, Bytes, Duration, Instant, Probability};
use netjoule_wire::Headers;
use proptest::prelude::*;

use crate::{BaseStation, MS, on_air};

/// The network of figure 5.1 with anything about it changed: rates, delays,
/// losses of both links, link layers, buffers, every option, honest or whole
/// milliseconds, one or two connections in either direction, with a handshake
/// or without; in place of the wireless link, now and then, a medium that the base
/// station and its host share by any of the PHYs.
pub fn scenarios() -> impl Strategy<Value = Scenario> {
    let wired = (1u64..10_000, 0u64..200, 0.0..0.05);
    let wireless = (1u64..10_000, 0u64..20, 1u64..5_000, 0u64..300, 0u32..10, 0.0..0.1);
    let node = (any::<[bool; 3]>(), 4_000u64..100_000, 0u64..20, 0usize..3);
    let transfer = (0..VARIANTS.len(), 1u64..200_000, 0u64..5_000, any::<[bool; 3]>());
    let connections = proptest::collection::vec((transfer, options::options()), 1..3);
    let air = proptest::option::of((0usize..3, 0usize..20, 1u32..9, any::<[bool; 4]>()));
    (wired, wireless, node, connections, air, any::<[bool; 2]>()).prop_map(
        |(wired, wireless, node, connections, air, [honest, time_wait])| {
            let mut scenario = BaseStation::default().scenario();
            if honest {
                scenario.run.clock_step = Duration::from_nanos(1);
                scenario.run.headers = Headers::Standard;
            }
            scenario.run.time_wait = time_wait;
            // A connection that cannot get anything through is not a failure.
            scenario.run.time_limit = Duration::from_secs(3_600);
            change_wired(&mut scenario, wired);
            change_wireless(&mut scenario, wireless);
            change_node(&mut scenario, node);
            let base = scenario.connections.remove(0);
            scenario.connections =
                connections.into_iter().map(|settings| connection_of(&base, settings)).collect();
            match air {
                Some(settings) => share(scenario, settings),
                None => scenario,
            }
        },
    )
}

/// Rate in kbit/s, delay in milliseconds, loss probability.
fn change_wired(scenario: &mut Scenario, (kbit, delay_ms, loss): (u64, u64, f64)) {
    let link = &mut scenario.links[0];
    link.rate = kbit_per_s(kbit);
    link.delay = MS * delay_ms;
    link.medium = Medium::Wired { loss: probability(loss) };
}

/// Rate in kbit/s, delay, mean GOOD and mean BAD in milliseconds, retries,
/// loss probability in GOOD.
fn change_wireless(
    scenario: &mut Scenario,
    (kbit, delay_ms, good_ms, bad_ms, retries, loss): (u64, u64, u64, u64, u32, f64),
) {
    let link = &mut scenario.links[1];
    link.rate = kbit_per_s(kbit);
    link.delay = MS * delay_ms;
    if let Medium::Wireless { channel, arq } = &mut link.medium {
        channel.mean_good = MS * good_ms;
        channel.mean_bad = MS * bad_ms;
        channel.loss_good = probability(loss);
        arq.retries = retries;
    }
}

/// Whether the base station's link layer does not repeat, serves first come
/// first, and sends notices to all; its buffer in bytes; its processing delay
/// in milliseconds; what every node does with duplicate ACKs.
fn change_node(
    scenario: &mut Scenario,
    ([unreliable, fifo, always], buffer, processing_ms, duplicate_acks): (
        [bool; 3],
        u64,
        u64,
        usize,
    ),
) {
    let policies = [DuplicateAcks::Pass, DuplicateAcks::Suppress, DuplicateAcks::Hold];
    for node in &mut scenario.nodes {
        node.duplicate_acks = policies[duplicate_acks];
    }
    let node = &mut scenario.nodes[1];
    if unreliable {
        node.link_layer = LinkLayer::Unreliable;
    }
    if fifo {
        node.queue = arq::Discipline::Fifo;
    }
    if always {
        node.notices = Notices::Always;
    }
    node.buffer = Bytes::new(buffer);
    node.processing_delay = MS * processing_ms;
}

/// Index of the PHY and of its rate; attempts, of short frames and of long ones;
/// whether all frames are long, are aggregated where they can be, have WEP, and
/// whether the host dozes.
fn share(
    mut scenario: Scenario,
    (phy, rate, attempts, [protected, aggregated, wep, dozes]): (usize, usize, u32, [bool; 4]),
) -> Scenario {
    let kind = [PhyKind::B, PhyKind::G, PhyKind::N][phy];
    let modes = kind.phy().modes;
    let config = dot11::Config {
        phy: kind,
        rate: modes[rate % modes.len()].rate,
        rts_threshold: Bytes::new(if protected { 0 } else { 65_535 }),
        short_retry_limit: attempts,
        long_retry_limit: attempts,
        aggregation: if aggregated && kind == PhyKind::N { 64 } else { 1 },
        wep,
        ..dot11::Config::default()
    };
    for connection in &mut scenario.connections {
        let tcp = &mut connection.tcp;
        tcp.mss = tcp.mss.min(Bytes::new(2_256));
    }
    let mut scenario = on_air(scenario, &config);
    for air in scenario.airs.iter_mut().filter(|_| dozes) {
        // With an access point, or among themselves.
        if wep {
            air.access_point = Some(air.stations[0]);
        } else {
            air.dot11.power_save.atim_window = Duration::from_millis(10);
        }
        air.power_savers = air.stations[1..].to_vec();
    }
    scenario
}

/// Index of the variant, bytes to transfer, start in milliseconds, and whether
/// the wireless host is the source, there is a handshake, and the application
/// takes its time; its options.
fn connection_of(
    base: &Connection,
    ((variant, transfer, start_ms, [reversed, handshake, paced]), tcp): (
        (usize, u64, u64, [bool; 3]),
        Options,
    ),
) -> Connection {
    let (from, to) = if reversed { (base.to, base.from) } else { (base.from, base.to) };
    Connection {
        from,
        to,
        transfer: Bytes::new(transfer),
        start: Instant::from_millis(start_ms),
        pace: paced.then_some(Pace { bytes: Bytes::new(30_000), every: MS * 700 }),
        variant: &VARIANTS[variant],
        handshake,
        tcp,
    }
}

fn kbit_per_s(kbit: u64) -> BitRate {
    BitRate::new(kbit * 1_000).expect("generated above zero")
}

fn probability(p: f64) -> Probability {
    Probability::new(p).expect("generated below one")
}
