//! Captures of simulated runs, as tshark sees them.

use std::path::Path;

use netjoule_net::{ConnectionOutcome, run};
use netjoule_scenario::Scenario;
use netjoule_testkit::{BAD_PACKETS, BaseStation, tshark};
use netjoule_trace::{LinkNames, Names, Pcap, Vantage};
use netjoule_transport::tcp::{Cause, Options, VARIANTS};
use netjoule_units::Bytes;

/// A transfer over a channel that is BAD three times: long enough for lost
/// frames, notices and timeouts.
fn scenario(variant: &'static str) -> Scenario {
    let switches_ms = vec![900, 1_300, 2_200, 5_000, 7_000, 7_040];
    BaseStation { variant, switches_ms, window_kb: 32, ..BaseStation::default() }.scenario()
}

fn names(scenario: &Scenario) -> Names {
    let links = scenario.links.iter().map(|link| LinkNames {
        name: link.name.clone(),
        between: link.between,
        wireless: false,
    });
    Names {
        nodes: scenario.nodes.iter().map(|node| node.name.clone()).collect(),
        links: links.collect(),
    }
}

/// Runs `scenario` and leaves its capture in `path`.
fn capture(scenario: &Scenario, vantage: Vantage, path: &Path) -> ConnectionOutcome {
    let mut pcap = Pcap::create(&names(scenario), vantage, path).unwrap();
    let mut outcome = run(scenario, 1, &mut pcap);
    pcap.finish().unwrap().commit().unwrap();
    outcome.connections.swap_remove(0)
}

/// What tshark has to complain about: packets that it cannot read, and holes
/// and ACKs that the capture does not explain. `None` without tshark.
fn complaints(path: &Path) -> Option<Vec<String>> {
    let unseen = "tcp.analysis.lost_segment || tcp.analysis.ack_lost_segment";
    tshark(path, &format!("{BAD_PACKETS} || {unseen}"))
}

/// How many packets tshark has read and found whole.
fn whole(path: &Path) -> Option<u64> {
    let good = "tcp.checksum.status == \"Good\" || icmp.checksum.status == \"Good\"";
    Some(tshark(path, good)?.len() as u64)
}

#[test]
#[expect(clippy::print_stdout, reason = "a skipped test says why")]
fn tshark_has_no_complaint() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("run.pcapng");
    for variant in &VARIANTS {
        let outcome = capture(&scenario(variant.name), Vantage::Senders, &path);
        let Some(complaints) = complaints(&path) else {
            println!("skipped: tshark is not installed");
            return;
        };
        assert!(complaints.is_empty(), "{}: {complaints:?}", variant.name);
        let sent = outcome.data.sent + outcome.acks.sent + outcome.notices.sent;
        assert_eq!(whole(&path), Some(sent), "{}", variant.name);
        assert!(outcome.segments_retransmitted > 0, "{}", variant.name);
    }
}

/// Whole connections, from SYN to FIN, with the options of today or none.
#[test]
#[expect(clippy::print_stdout, reason = "a skipped test says why")]
fn tshark_follows_connections_from_beginning_to_end() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("run.pcapng");
    let current = Options { receive_window: Bytes::from_kib(256), ..Options::current() };
    for variant in ["reno", "sack", "refined-icmp"] {
        for options in [Options::default(), current.clone()] {
            let mut scenario = scenario(variant);
            scenario.connections[0].handshake = true;
            scenario.connections[0].tcp = Options { mss: Bytes::from_kib(1), ..options };
            let outcome = capture(&scenario, Vantage::Senders, &path);
            let Some(complaints) = complaints(&path) else {
                println!("skipped: tshark is not installed");
                return;
            };
            assert_eq!(complaints, [""; 0], "{variant}");
            let all = [outcome.data, outcome.acks, outcome.control, outcome.notices];
            assert_eq!(whole(&path), Some(all.iter().map(|ledger| ledger.sent).sum()), "{variant}");
            let opens_and_closes = "tcp.flags.syn == 1 || tcp.flags.fin == 1";
            let resets = "tcp.flags.reset == 1";
            let seen = tshark(&path, &format!("{opens_and_closes} || {resets}")).unwrap();
            assert!(seen.len() >= 4 && !seen.iter().any(|line| line.contains("RST")), "{seen:?}");
            assert_eq!(outcome.closed, Some(Cause::Finished), "{variant}");
        }
    }
}

#[test]
fn what_a_host_sees_is_what_it_sends_and_gets() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("run.pcapng");
    let outcome = capture(&scenario("refined-icmp"), Vantage::Node(0), &path);
    let Some(complaints) = complaints(&path) else { return };
    assert!(complaints.is_empty(), "{complaints:?}");
    let seen = outcome.data.sent + outcome.acks.delivered + outcome.notices.delivered;
    assert_eq!(whole(&path), Some(seen));
    assert!(outcome.notices.delivered > 0);
}

#[test]
fn equal_runs_have_equal_captures() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| {
        let path = directory.path().join(name);
        capture(&scenario("refined-icmp"), Vantage::Senders, &path);
        std::fs::read(path).unwrap()
    };
    assert!(file("a") == file("b"));
}
