//! Networks other than the thesis's own three nodes.

use netjoule_link::arq::Discipline;
use netjoule_net::{ConnectionOutcome, Stop, run};
use netjoule_scenario::{Medium, NodeKind, Scenario};
use netjoule_testkit::{BaseStation, Log};
use netjoule_trace::{DropCause, Nobody, Reason};
use netjoule_units::{Bytes, Duration};
use netjoule_wire::NoticeKind::{Defer, Retransmit};

fn connections(scenario: &Scenario) -> Vec<ConnectionOutcome> {
    let outcome = run(scenario, 1, &mut Nobody);
    assert_eq!(outcome.stop, Stop::Complete);
    outcome.connections
}

/// Another wireless host behind the base station, on a link of its own, with
/// a connection from the same source.
fn add_host(scenario: &mut Scenario) {
    let index = scenario.nodes.len();
    let mut host = scenario.nodes[2].clone();
    host.name = format!("{}", 211 + index);
    scenario.nodes.push(host);
    let mut link = scenario.links[1].clone();
    link.name = format!("{}", 100 + index);
    link.between = [1, index];
    scenario.links.push(link);
    let mut connection = scenario.connections[0].clone();
    connection.to = index;
    scenario.connections.push(connection);
}

fn set_mean_bad(scenario: &mut Scenario, link: usize, mean_bad: Duration) {
    if let Medium::Wireless { channel, .. } = &mut scenario.links[link].medium {
        channel.mean_bad = mean_bad;
    }
}

/// The head-of-line blocking of goel1997 4.2 (8), after Bhagwat et al. 1996:
/// one transmitter serves a host on a good channel and three on bad ones.
#[test]
fn fifo_degrades_throughput_and_fairness() {
    let (fair, fifo) = (shared_cell(Discipline::RoundRobin), shared_cell(Discipline::Fifo));
    // A frame on a bad channel takes all its attempts at once: it dies more
    // often, and everybody behind it waits.
    assert!(fifo.seconds > 1.05 * fair.seconds, "{fair:?} {fifo:?}");
    assert!(fifo.jain_index < 0.9 * fair.jain_index, "{fair:?} {fifo:?}");
}

/// Means over several channels.
#[derive(Debug, Default)]
struct SharedCell {
    /// Until all four transfers are complete.
    seconds: f64,
    /// Fairness of their goodputs: 1 if equal, 1/4 if only one gets anything.
    jain_index: f64,
}

fn shared_cell(discipline: Discipline) -> SharedCell {
    let setting = BaseStation { segments: 1_000, window_kb: 32, ..BaseStation::default() };
    let mut scenario = setting.scenario();
    scenario.nodes[1].shared_transmitter = true;
    scenario.nodes[1].queue = discipline;
    for link in 2..5 {
        add_host(&mut scenario);
        if let Medium::Wireless { channel, .. } = &mut scenario.links[link].medium {
            channel.mean_good = Duration::from_secs(1);
            channel.mean_bad = Duration::from_secs(1);
        }
    }
    let mut mean = SharedCell::default();
    for seed in 0..20 {
        let outcome = run(&scenario, seed, &mut Nobody);
        assert_eq!(outcome.stop, Stop::Complete);
        let rates: Vec<f64> =
            outcome.connections.iter().map(|it| it.goodput_bit_per_s(outcome.end)).collect();
        let (sum, squares): (f64, f64) =
            rates.iter().fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
        mean.seconds += outcome.end.as_secs_f64() / 20.0;
        mean.jain_index += sum * sum / (rates.len() as f64 * squares) / 20.0;
    }
    mean
}

#[test]
fn each_host_has_its_own_channel_and_transmitter() {
    let setting = BaseStation { segments: 500, window_kb: 16, ..BaseStation::default() };
    let alone = connections(&setting.scenario()).remove(0);
    let mut scenario = setting.scenario();
    add_host(&mut scenario);
    set_mean_bad(&mut scenario, 2, Duration::from_secs(1));
    let both = connections(&scenario);
    // 8 Mbit/s carries both without a queue worth mentioning.
    let late = both[0].completion_time.unwrap().saturating_sub(alone.completion_time.unwrap());
    assert!(late < Duration::from_millis(100), "{late}");
    assert_eq!(both[0].frames_corrupted, 0);
    assert!(both[1].frames_corrupted > 0);
}

/// The link layer that fails is the source's own: its notices cross no network
/// (goel1997 5.5.4, "symmetric").
#[test]
fn a_wireless_source_hears_its_own_link_layer() {
    let mut scenario = BaseStation {
        variant: "refined-icmp",
        switches_ms: vec![0, 100],
        ..BaseStation::default()
    }
    .scenario();
    scenario.connections[0].from = 2;
    scenario.connections[0].to = 0;
    // The log follows node 0: let that be the wireless host.
    scenario.nodes.swap(0, 2);
    scenario.links[0].between = [2, 1];
    scenario.links[1].between = [1, 0];
    scenario.connections[0].from = 0;
    scenario.connections[0].to = 2;
    let mut log = Log::default();
    let outcome = run(&scenario, 1, &mut log);
    assert_eq!(log.notices, [(11, Defer, 0), (99, Retransmit, 0), (110, Defer, 0)]);
    assert_eq!(log.sent[..2], [(0, 0, None), (99, 0, Some(Reason::Notice))]);
    assert_eq!(log.timeouts, []);
    let notices = outcome.connections[0].notices;
    assert_eq!((notices.sent, notices.delivered), (3, 3));
}

/// Host, base station, wireless link, base station, host.
fn wireless_in_the_middle(variant: &'static str) -> Scenario {
    let setting = BaseStation { segments: 3_000, variant, ..BaseStation::default() };
    let mut scenario = setting.scenario();
    let mut host = scenario.nodes[2].clone();
    host.name = "214".into();
    scenario.nodes.push(host);
    scenario.nodes[2].kind = NodeKind::BaseStation;
    let mut wired = scenario.links[0].clone();
    wired.name = "103".into();
    wired.between = [2, 3];
    scenario.links.push(wired);
    scenario.connections[0].to = 3;
    set_mean_bad(&mut scenario, 1, Duration::from_millis(300));
    scenario
}

#[test]
fn a_wireless_link_in_the_middle_is_served_too() {
    let unmodified = connections(&wireless_in_the_middle("reno")).remove(0);
    let refined = connections(&wireless_in_the_middle("refined-icmp")).remove(0);
    assert!(refined.notices.delivered > 0 && unmodified.notices.sent == 0);
    assert!(refined.completion_time < unmodified.completion_time);
    assert!(refined.timeouts < unmodified.timeouts);
}

#[test]
fn two_wireless_links_on_a_path_both_count() {
    let mut scenario = wireless_in_the_middle("reno");
    scenario.links[2].medium = scenario.links[1].medium.clone();
    let both = connections(&scenario).remove(0);
    let one = connections(&wireless_in_the_middle("reno")).remove(0);
    assert!(both.wireless_losses > one.wireless_losses);
    assert!(both.completion_time > one.completion_time);
}

#[test]
fn connections_run_in_both_directions_at_once() {
    let mut scenario = BaseStation { segments: 500, ..BaseStation::default() }.scenario();
    let mut back = scenario.connections[0].clone();
    (back.from, back.to) = (back.to, back.from);
    scenario.connections.push(back);
    let connections = connections(&scenario);
    for connection in &connections {
        assert_eq!(connection.bytes_delivered, Bytes::from_kib(500));
    }
}

#[test]
fn a_small_buffer_drops_what_does_not_fit() {
    let mut scenario =
        BaseStation { segments: 500, window_kb: 64, ..BaseStation::default() }.scenario();
    scenario.nodes[1].buffer = Bytes::from_kib(8);
    let connection = connections(&scenario).remove(0);
    let overflow = connection.data.dropped[DropCause::QueueOverflow as usize];
    assert!(overflow > 0);
    assert_eq!(connection.wireless_losses, 0);
    assert_eq!(connection.data.dropped_in_all(), overflow);
}

#[test]
fn a_processing_delay_is_paid_by_every_packet() {
    let rtt_of_one = |processing_ms| {
        let mut scenario = BaseStation { segments: 1, ..BaseStation::default() }.scenario();
        scenario.nodes[1].processing_delay = Duration::from_millis(processing_ms);
        connections(&scenario)[0].completion_time.unwrap()
    };
    assert_eq!(rtt_of_one(0), Duration::from_millis(211));
    assert_eq!(rtt_of_one(7), Duration::from_millis(211 + 2 * 7));
}

#[test]
fn without_retries_defer_and_retransmit_leave_together() {
    let setting = BaseStation {
        variant: "refined-icmp",
        switches_ms: vec![101, 105],
        ..BaseStation::default()
    };
    let mut scenario = setting.scenario();
    if let Medium::Wireless { arq, .. } = &mut scenario.links[1].medium {
        arq.retries = 0;
    }
    let mut log = Log::default();
    run(&scenario, 1, &mut log);
    // One attempt from 101 to 112, and 100 ms back.
    assert_eq!(log.notices, [(212, Defer, 0), (212, Retransmit, 0)]);
}

#[test]
fn notices_to_those_who_do_not_listen_are_discarded() {
    let with_notices = |notices| {
        let mut scenario = BaseStation { segments: 3_000, ..BaseStation::default() }.scenario();
        scenario.nodes[1].notices = notices;
        set_mean_bad(&mut scenario, 1, Duration::from_millis(300));
        connections(&scenario).remove(0)
    };
    let silent = with_notices(netjoule_scenario::Notices::Never);
    let unheard = with_notices(netjoule_scenario::Notices::Always);
    assert!(unheard.notices.delivered > 0);
    // Without headers they have no length, so nothing else changes.
    assert_eq!(unheard.completion_time, silent.completion_time);
    assert_eq!(unheard.data, silent.data);
}
