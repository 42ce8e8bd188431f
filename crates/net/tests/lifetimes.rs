//! How connections begin and end: handshakes, closing, failures.

use netjoule_net::{ConnectionOutcome, Ledger, Outcome, Stop, run};
use netjoule_scenario::{Pace, Scenario};
use netjoule_testkit::{BaseStation, MS};
use netjoule_trace::{Event, Nobody, Observer};
use netjoule_transport::tcp::Cause;
use netjoule_units::{Bytes, Duration, Instant};
use netjoule_wire::{Body, Flags, Headers, Packet, Segment};

/// The thesis's network, with a handshake.
fn with_handshake(setting: &BaseStation) -> Scenario {
    let mut scenario = setting.scenario();
    scenario.connections[0].handshake = true;
    scenario
}

fn outcome(scenario: &Scenario) -> (Outcome, ConnectionOutcome) {
    let outcome = run(scenario, 1, &mut Nobody);
    let connection = outcome.connections[0].clone();
    (outcome, connection)
}

/// From the start to the end of the transfer.
fn time(scenario: &Scenario) -> Duration {
    outcome(scenario).1.completion_time.expect("the transfer is complete")
}

#[test]
fn a_handshake_takes_one_round_trip() {
    for segments in [1, 7, 500] {
        let setting = BaseStation { segments, start_ms: 17, ..BaseStation::default() };
        let later = time(&with_handshake(&setting)).saturating_sub(time(&setting.scenario()));
        assert_eq!(later, MS * 202, "{segments} segments");
    }
}

#[test]
fn a_handshake_with_honest_headers_takes_what_its_bytes_take() {
    let honest = |mut scenario: Scenario| {
        scenario.run.clock_step = Duration::from_nanos(1);
        scenario.run.headers = Headers::Standard;
        scenario
    };
    let setting = BaseStation { segments: 1, ..BaseStation::default() };
    let later =
        time(&honest(with_handshake(&setting))).saturating_sub(time(&honest(setting.scenario())));
    // 40 B of headers, MSS and window scale, at 8 Mbit/s and at 1 Mbit/s, there
    // and back.
    assert_eq!(later, MS * 202 + Duration::from_micros(2 * (48 + 384)));
}

#[test]
fn both_ends_close_and_nobody_waits_longer_than_asked() {
    let setting = BaseStation { segments: 10, ..BaseStation::default() };
    let mut scenario = with_handshake(&setting);
    let (run, connection) = outcome(&scenario);
    assert_eq!((run.stop, connection.closed), (Stop::Complete, Some(Cause::Finished)));
    // SYN, SYN-ACK, and the sink's FIN, which acknowledges the last byte; the
    // source's FIN is with that byte.
    let all = |sent| Ledger { sent, delivered: sent, ..Ledger::default() };
    assert_eq!(connection.control, all(3));
    assert_eq!(connection.data, all(10));
    // Of nine segments and the sink's FIN; that of the SYN-ACK is with data.
    assert_eq!(connection.acks, all(10));
    // The last ACK has to reach the sink.
    let completion = Instant::ZERO + connection.completion_time.unwrap();
    assert_eq!(run.end, completion + MS * 101);

    scenario.run.time_wait = true;
    let (waiting, same) = outcome(&scenario);
    assert_eq!(same, connection);
    assert_eq!(waiting.end, completion + Duration::from_secs(60));

    let (_, without) = outcome(&setting.scenario());
    assert_eq!((without.closed, without.control), (None, Ledger::default()));
}

#[test]
fn a_syn_is_sent_until_one_arrives() {
    // BAD for long enough that all attempts fail.
    let setting =
        BaseStation { segments: 10, switches_ms: vec![0, 3_200], ..BaseStation::default() };
    let (run, connection) = outcome(&with_handshake(&setting));
    assert_eq!((run.stop, connection.timeouts), (Stop::Complete, 2));
    // The RTO is 3 s, then 6 s.
    let without_losses = BaseStation { switches_ms: Vec::new(), ..setting };
    let late =
        connection.completion_time.unwrap().saturating_sub(time(&with_handshake(&without_losses)));
    assert_eq!(late, Duration::from_secs(9));
    assert_eq!(connection.control.sent, 3 + 2);
}

#[test]
fn silence_ends_a_connection_after_the_user_timeout() {
    let forever = vec![500];
    for handshake in [false, true] {
        let setting = BaseStation { switches_ms: forever.clone(), ..BaseStation::default() };
        let mut scenario = setting.scenario();
        scenario.connections[0].handshake = handshake;
        scenario.connections[0].tcp.user_timeout = Duration::from_secs(30);
        let (run, connection) = outcome(&scenario);
        assert_eq!(run.stop, Stop::Closed);
        assert_eq!(connection.closed, Some(Cause::UserTimeout));
        assert_eq!(connection.completion_time, None);
        assert!(connection.bytes_delivered > Bytes::ZERO);
        // What was acknowledged last is no older than a round trip or two.
        let since = run.end - Instant::from_millis(500);
        assert!((MS * 29_500..MS * 31_000).contains(&since), "{since}");
    }
}

#[test]
fn a_peer_that_never_answers_is_given_up() {
    let setting = BaseStation { switches_ms: vec![0], start_ms: 5, ..BaseStation::default() };
    let mut scenario = with_handshake(&setting);
    scenario.connections[0].tcp.user_timeout = Duration::from_secs(40);
    let (run, connection) = outcome(&scenario);
    assert_eq!((run.stop, connection.closed), (Stop::Closed, Some(Cause::UserTimeout)));
    assert_eq!(run.end, Instant::from_millis(40_005));
    // At 0, 3, 9 and 21 s.
    assert_eq!((connection.control.sent, connection.data.sent), (4, 0));
}

/// A connection that fails ends nothing but itself.
#[test]
fn one_fails_and_the_other_completes() {
    let setting = BaseStation { switches_ms: vec![2_000], ..BaseStation::default() };
    let mut scenario = setting.scenario();
    let mut host = scenario.nodes[2].clone();
    host.name = "214".into();
    scenario.nodes.push(host);
    let mut link = scenario.links[0].clone();
    link.name = "103".into();
    link.between = [1, 3];
    scenario.links.push(link);
    let mut long = scenario.connections[0].clone();
    long.to = 3;
    long.transfer = Bytes::from_kib(5_000);
    scenario.connections.push(long);
    scenario.connections[0].transfer = Bytes::from_kib(5_000);
    scenario.connections[0].tcp.user_timeout = Duration::from_secs(10);
    let run = run(&scenario, 1, &mut Nobody);
    let causes: Vec<_> = run.connections.iter().map(|it| it.closed).collect();
    assert_eq!(causes, [Some(Cause::UserTimeout), None]);
    assert_eq!(run.stop, Stop::Closed);
    assert_eq!(run.connections[1].bytes_delivered, Bytes::from_kib(5_000));
}

/// Every SYN that was sent.
#[derive(Default)]
struct Syns(Vec<Segment>);

impl Observer for Syns {
    fn record(&mut self, _: Instant, event: &Event<'_>) {
        if let Event::Sent { packet: Packet { body: Body::Tcp(segment), .. }, .. } = event
            && segment.flags.has(Flags::SYN)
        {
            self.0.push(*segment);
        }
    }
}

/// Sequence number and timestamp of every SYN.
fn beginnings(scenario: &Scenario, seed: u64) -> Vec<(u32, u32)> {
    let mut syns = Syns::default();
    run(scenario, seed, &mut syns);
    let timestamp = |segment: &Segment| segment.options.timestamps.expect("timestamps").value;
    syns.0.iter().map(|segment| (segment.seq.get(), timestamp(segment))).collect()
}

#[test]
fn where_numbers_begin_depends_on_the_seed_and_the_ends() {
    let mut scenario = with_handshake(&BaseStation::default());
    scenario.connections[0].tcp.timestamps = true;
    scenario.connections.push(scenario.connections[0].clone());
    let mut all = beginnings(&scenario, 1);
    assert_eq!(all.len(), 4);
    assert_eq!(beginnings(&scenario, 1), all);
    all.extend(beginnings(&scenario, 2));
    // Adding a connection leaves the others' alone.
    scenario.connections.pop();
    let alone = beginnings(&scenario, 1);
    assert!(alone.iter().all(|it| all[..4].contains(it)));
    let (mut numbers, mut clocks): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    for values in [&mut numbers, &mut clocks] {
        values.sort_unstable();
        values.dedup();
        assert_eq!(values.len(), 8);
    }
}

#[test]
fn an_application_that_takes_its_time_is_waited_for() {
    for handshake in [false, true] {
        let mut scenario = BaseStation { segments: 10, ..BaseStation::default() }.scenario();
        scenario.connections[0].handshake = handshake;
        let at_once = time(&scenario);
        // Four segments at a time: at 0 s, at 10 s, and the last two at 20 s.
        let every = Duration::from_secs(10);
        scenario.connections[0].pace = Some(Pace { bytes: Bytes::from_kib(4), every });
        let (run, connection) = outcome(&scenario);
        assert_eq!(run.stop, Stop::Complete);
        assert_eq!(connection.bytes_delivered, Bytes::from_kib(10));
        let paced = connection.completion_time.unwrap();
        assert!(paced > every * 2 && paced < every * 2 + at_once, "{paced}, {at_once}");
    }
}
