//! What holds for every run, whatever the scenario.

use netjoule_net::{Ledger, Outcome, Stop, run};
use netjoule_scenario::{Connection, Scenario};
use netjoule_testkit::{BaseStation, Log, scenarios};
use netjoule_trace::Nobody;
use netjoule_transport::tcp::{Cause, Options, PathMtu, Sack};
use netjoule_units::{BitRate, Bytes, Duration};
use proptest::prelude::*;

/// Runs `scenario`, which checks the balance of every packet at its end.
fn outcome(scenario: &Scenario, seed: u64) -> Outcome {
    run(scenario, seed, &mut Nobody)
}

/// The least that SMSS can be.
fn smss(connection: &Connection) -> u64 {
    let Options { mss, timestamps, path_mtu, .. } = connection.tcp;
    let smss = mss.get() - if timestamps { 12 } else { 0 };
    // Timeouts make packets no smaller than 1024 B, headers of 52 B included.
    if path_mtu == PathMtu::Fallback { smss.min(1_024 - 52) } else { smss }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn bytes_arrive_once_and_packets_are_conserved(scenario in scenarios(), seed: u64) {
        let mut scenario = scenario;
        scenario.run.event_budget = 20_000_000;
        let outcome = outcome(&scenario, seed);
        prop_assert_ne!(outcome.stop, Stop::EventBudget, "does not come to an end");
        prop_assert_ne!(outcome.stop, Stop::Idle, "a sender has lost its timer");
        let mut is_complete = true;
        for (connection, settings) in outcome.connections.iter().zip(&scenario.connections) {
            // The sink's application reads what is next in order, and nothing twice.
            if connection.completion_time.is_some() {
                prop_assert_eq!(connection.bytes_delivered, settings.transfer);
            } else {
                is_complete = false;
                prop_assert!(connection.bytes_delivered <= settings.transfer);
                prop_assert_ne!(connection.closed, Some(Cause::Finished));
            }
            if settings.handshake && outcome.stop == Stop::Complete {
                prop_assert!(connection.closed.is_some());
            }
            let ledgers =
                [connection.data, connection.acks, connection.control, connection.notices];
            prop_assert!(ledgers.iter().all(Ledger::balances));
            prop_assert_eq!(connection.data.sent, connection.segments_sent);
            let first_time = connection.segments_sent - connection.segments_retransmitted;
            if settings.tcp.sws_avoidance && settings.tcp.path_mtu == PathMtu::Off {
                let segments = settings.transfer.get().div_ceil(smss(settings));
                // Each part that the application writes may end with a short segment.
            let parts = settings
                .pace
                .map_or(1, |pace| settings.transfer.get().div_ceil(pace.bytes.get()));
            prop_assert!(first_time <= segments + parts);
            }
        }
        // A connection may still be closing.
        prop_assert!(is_complete || outcome.stop != Stop::Complete);
        prop_assert!(!is_complete || outcome.stop != Stop::Closed);
    }

    #[test]
    fn observers_change_nothing_and_see_time_and_windows_in_bounds(
        scenario in scenarios(), seed: u64,
    ) {
        let mut log = Log::default();
        let watched = run(&scenario, seed, &mut log);
        prop_assert_eq!(&watched, &outcome(&scenario, seed));
        let sources = scenario.connections.iter().filter(|connection| connection.from == 0);
        if let Some(least_smss) = sources.map(smss).min()
            && log.least_cwnd > 0
        {
            prop_assert!(u64::from(log.least_cwnd) >= least_smss, "cwnd fell to {}", log.least_cwnd);
        }
    }
}

/// The same network with other names of its links and airs, and so other channels.
fn renamed(scenario: &Scenario) -> Scenario {
    let mut scenario = scenario.clone();
    for link in &mut scenario.links {
        link.name = format!("{}'", link.name);
    }
    for air in &mut scenario.airs {
        air.name = format!("{}'", air.name);
        air.channels.iter_mut().for_each(|it| it.name = format!("{}'", it.name));
    }
    scenario
}

/// Two networks side by side that nothing connects.
fn beside(mut scenario: Scenario, other: &Scenario) -> Scenario {
    let offset = scenario.nodes.len();
    scenario.nodes.extend(other.nodes.iter().cloned());
    scenario.links.extend(other.links.iter().cloned().map(|mut link| {
        link.between = link.between.map(|node| node + offset);
        link
    }));
    scenario.airs.extend(other.airs.iter().cloned().map(|mut air| {
        let nodes = air.stations.iter_mut().chain(&mut air.access_point);
        nodes.chain(&mut air.power_savers).for_each(|node| *node += offset);
        for channel in &mut air.channels {
            channel.between = channel.between.map(|node| node + offset);
        }
        air
    }));
    scenario.connections.extend(other.connections.iter().cloned().map(|mut connection| {
        connection.from += offset;
        connection.to += offset;
        connection
    }));
    scenario
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn islands_do_not_know_of_each_other(a in scenarios(), b in scenarios(), seed: u64) {
        let mut b = b;
        b.run = a.run.clone();
        let b = renamed(&b);
        let both = outcome(&beside(a.clone(), &b), seed);
        let alone = outcome(&a, seed);
        prop_assert_eq!(&both.connections[..a.connections.len()], &alone.connections[..]);
        prop_assert!(both.events >= alone.events);
        // Nor does it matter which of them stands first in the file.
        let turned = outcome(&beside(b.clone(), &a), seed);
        prop_assert_eq!(&turned.connections[b.connections.len()..], &alone.connections[..]);
        let mut log = Log::default();
        prop_assert_eq!(both, run(&beside(a, &b), seed, &mut log));
    }
}

/// Where frames do get through now and then, and nobody gives up.
fn patient(mut scenario: Scenario) -> Scenario {
    scenario.run.time_limit = Duration::from_secs(10 * 365 * 24 * 3600);
    for link in &mut scenario.links {
        link.rate = link.rate.max(BitRate::from_mbit_per_s(1));
    }
    for channel in scenario.channels_mut() {
        channel.mean_good = channel.mean_good.max(Duration::from_secs(1));
    }
    for connection in &mut scenario.connections {
        connection.tcp.user_timeout = Duration::ZERO;
        connection.tcp.keep_alive = Duration::ZERO;
    }
    scenario
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Whatever the options of both ends, every transfer ends.
    #[test]
    fn transfers_end(scenario in scenarios(), seed: u64) {
        let outcome = outcome(&patient(scenario), seed);
        prop_assert_eq!(outcome.stop, Stop::Complete);
    }

    /// The short path is a short cut and no other way.
    #[test]
    fn header_prediction_changes_nothing(scenario in scenarios(), seed: u64) {
        let with = |header_prediction| {
            let mut scenario = scenario.clone();
            scenario
                .connections
                .iter_mut()
                .for_each(|connection| connection.tcp.header_prediction = header_prediction);
            outcome(&scenario, seed)
        };
        prop_assert_eq!(with(true), with(false));
    }

    /// Each option of the header on or off, everything else equal.
    #[test]
    fn transfers_end_with_and_without_each_option(scenario in scenarios(), seed: u64) {
        let scenario = patient(scenario);
        for (timestamps, window_scale, sack) in [
            (false, false, Sack::Off),
            (true, false, Sack::Off),
            (false, true, Sack::Off),
            (false, false, Sack::On),
            (true, true, Sack::On),
        ] {
            let mut scenario = scenario.clone();
            for connection in &mut scenario.connections {
                let old = connection.tcp.clone();
                connection.tcp = Options { timestamps, window_scale, sack, ..old };
            }
            prop_assert_eq!(outcome(&scenario, seed).stop, Stop::Complete);
        }
    }
}

#[test]
fn fingerprints_tell_many_equal_flows_from_as_many_others() {
    let fingerprint = |segments| {
        let one = BaseStation { segments, ..BaseStation::default() }.scenario();
        let many = (1..64).fold(one.clone(), |all, _| beside(all, &one));
        outcome(&many, 1).fingerprint
    };
    assert_ne!(fingerprint(10), fingerprint(11));
    assert_ne!(fingerprint(10), 0);
}

#[test]
fn an_event_budget_stops_a_run_that_reports_what_is_under_way() {
    let mut scenario = BaseStation { segments: 1_000, ..BaseStation::default() }.scenario();
    scenario.run.event_budget = 500;
    let outcome = outcome(&scenario, 1);
    assert_eq!((outcome.stop, outcome.events), (Stop::EventBudget, 500));
    let connection = &outcome.connections[0];
    assert_eq!(connection.completion_time, None);
    assert!(connection.data.in_flight > 0);
    assert!(Bytes::ZERO < connection.bytes_delivered);
}
