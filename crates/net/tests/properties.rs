//! What holds for every run, whatever the scenario.

use netjoule_net::{Outcome, Stop, run};
use netjoule_scenario::{Medium, Scenario};
use netjoule_testkit::{BaseStation, Log, scenarios};
use netjoule_trace::Nobody;
use netjoule_units::{BitRate, Bytes, Duration};
use proptest::prelude::*;

/// Runs `scenario`, which checks the balance of every packet at its end.
fn outcome(scenario: &Scenario, seed: u64) -> Outcome {
    run(scenario, seed, &mut Nobody)
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
        for (connection, settings) in outcome.connections.iter().zip(&scenario.connections) {
            // The sink's application reads what is next in order, and nothing twice.
            if connection.completion_time.is_some() {
                prop_assert_eq!(connection.bytes_delivered, settings.transfer);
            } else {
                prop_assert_eq!(outcome.stop, Stop::TimeLimit);
                prop_assert!(connection.bytes_delivered <= settings.transfer);
            }
            prop_assert!(connection.data.balances());
            prop_assert!(connection.acks.balances());
            prop_assert!(connection.notices.balances());
            prop_assert_eq!(connection.data.sent, connection.segments_sent);
            let first_time = connection.segments_sent - connection.segments_retransmitted;
            let smss = settings.tcp.mss.get();
            prop_assert!(first_time <= settings.transfer.get().div_ceil(smss) + 1);
        }
    }

    #[test]
    fn observers_change_nothing_and_see_time_and_windows_in_bounds(
        scenario in scenarios(), seed: u64,
    ) {
        let mut log = Log::default();
        let watched = run(&scenario, seed, &mut log);
        prop_assert_eq!(&watched, &outcome(&scenario, seed));
        let sources = scenario.connections.iter().filter(|connection| connection.from == 0);
        if let Some(least_smss) = sources.map(|connection| connection.tcp.mss.get()).min()
            && log.least_cwnd > 0
        {
            prop_assert!(u64::from(log.least_cwnd) >= least_smss, "cwnd fell to {}", log.least_cwnd);
        }
    }
}

/// The same network with other names of its links, and so other channels.
fn renamed(scenario: &Scenario) -> Scenario {
    let mut scenario = scenario.clone();
    for link in &mut scenario.links {
        link.name = format!("{}'", link.name);
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Where frames do get through now and then, every transfer ends.
    #[test]
    fn transfers_end(scenario in scenarios(), seed: u64) {
        let mut scenario = scenario;
        scenario.run.time_limit = Duration::from_secs(10 * 365 * 24 * 3600);
        for link in &mut scenario.links {
            link.rate = link.rate.max(BitRate::from_mbit_per_s(1));
            if let Medium::Wireless { channel, .. } = &mut link.medium {
                channel.mean_good = channel.mean_good.max(Duration::from_secs(1));
            }
        }
        prop_assert_eq!(outcome(&scenario, seed).stop, Stop::Complete);
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
