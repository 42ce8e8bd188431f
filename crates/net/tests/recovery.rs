//! What it takes to repair losses, in round trips.

use netjoule_net::{ConnectionOutcome, run};
use netjoule_scenario::{LinkLayer, Scenario};
use netjoule_testkit::{BaseStation, Log};
use netjoule_trace::{Event, Observer};
use netjoule_transport::tcp::{InitialWindow, Options};
use netjoule_units::{Bytes, Duration, Instant};
use netjoule_wire::Body;

/// A round trip of a segment in milliseconds: 1 ms at 8 Mbit/s, 8 ms at 1
/// Mbit/s, and twice 101 ms of propagation.
const ROUND_TRIP_MS: u64 = 211;

/// The network of goel1997 with a channel that loses what meets BAD, and a link
/// layer that does not repeat it.
fn scenario(variant: &'static str, switches_ms: Vec<u64>) -> Scenario {
    let setting = BaseStation { variant, window_kb: 64, switches_ms, ..BaseStation::default() };
    let mut scenario = setting.scenario();
    scenario.nodes[1].link_layer = LinkLayer::Unreliable;
    scenario.connections[0].tcp = Options {
        mss: scenario.connections[0].tcp.mss,
        receive_window: scenario.connections[0].tcp.receive_window,
        initial_ssthresh: Bytes::from_kib(16),
        initial_rto: Duration::from_secs(3),
        ..Options::default()
    };
    scenario
}

/// When each segment reaches the sink, in milliseconds.
#[derive(Default)]
struct Arrivals(Vec<u64>);

impl Observer for Arrivals {
    fn record(&mut self, now: Instant, event: &Event<'_>) {
        if let Event::Received { node: 2, packet } = event
            && let Body::Tcp(segment) = &packet.body
            && segment.is_data()
        {
            self.0.push(now.as_millis());
        }
    }
}

/// Moments of change that are BAD when `segments`, and no others, are on the
/// air, as long as the sender does not know of their loss.
fn losing(segments: &[usize]) -> Vec<u64> {
    let mut arrivals = Arrivals::default();
    run(&scenario("reno", Vec::new()), 1, &mut arrivals);
    // In the midst of the 8 ms before its propagation of 1 ms.
    segments.iter().flat_map(|&it| [arrivals.0[it] - 6, arrivals.0[it] - 4]).collect()
}

fn logged(scenario: &Scenario) -> (ConnectionOutcome, Log) {
    let mut log = Log::default();
    let mut outcome = run(scenario, 1, &mut log);
    (outcome.connections.remove(0), log)
}

/// When segments were sent again, and which.
fn repairs(log: &Log) -> Vec<(u64, u32)> {
    let again = log.sent.iter().filter(|(_, _, reason)| reason.is_some());
    again.map(|&(at, segment, _)| (at, segment)).collect()
}

#[test]
fn sack_repairs_three_losses_in_one_round_trip_and_newreno_in_three() {
    let lost = [51, 53, 55];
    let switches = losing(&lost.map(|it| it as usize));

    let (outcome, log) = logged(&scenario("newreno", switches.clone()));
    assert_eq!((outcome.segments_retransmitted, outcome.timeouts), (3, 0));
    let newreno = repairs(&log);
    assert_eq!(newreno.iter().map(|repair| repair.1).collect::<Vec<_>>(), lost);
    // Each is sent when the ACK of the one before has come.
    for pair in newreno.windows(2) {
        assert_eq!(pair[1].0 - pair[0].0, ROUND_TRIP_MS, "{newreno:?}");
    }

    let (outcome, log) = logged(&scenario("sack", switches));
    assert_eq!((outcome.segments_retransmitted, outcome.timeouts), (3, 0));
    let sack = repairs(&log);
    assert_eq!(sack.iter().map(|repair| repair.1).collect::<Vec<_>>(), lost);
    assert_eq!(sack[0], newreno[0]);
    assert!(sack[2].0 - sack[0].0 < ROUND_TRIP_MS / 2, "{sack:?}");
}

#[test]
fn limited_transmit_spares_a_small_window_its_timeout() {
    let with = |limited_transmit| {
        let mut scenario = scenario("newreno", losing(&[0]));
        let tcp = &mut scenario.connections[0].tcp;
        // Two duplicate ACKs come back for three segments.
        *tcp =
            Options { limited_transmit, initial_window: InitialWindow::Segments(3), ..tcp.clone() };
        logged(&scenario)
    };
    let (without, log) = with(false);
    assert_eq!((without.timeouts, without.fast_retransmits), (1, 0));
    assert_eq!(repairs(&log)[0], (3_000, 0));
    let (outcome, log) = with(true);
    assert_eq!((outcome.timeouts, outcome.fast_retransmits), (0, 1));
    // The third duplicate is that of the first segment that was released.
    let first_duplicate = ROUND_TRIP_MS + 8;
    assert_eq!(repairs(&log), [(first_duplicate + ROUND_TRIP_MS, 0)]);
}
