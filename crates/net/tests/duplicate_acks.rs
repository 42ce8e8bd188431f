//! Link layers that know TCP.

use netjoule_net::{ConnectionOutcome, Outcome, Stop, run};
use netjoule_scenario::{DuplicateAcks, Medium, Scenario};
use netjoule_testkit::BaseStation;
use netjoule_trace::{DropCause, Event, Nobody, Observer};
use netjoule_units::{Duration, Instant, Probability};
use netjoule_wire::{Body, SeqNumber};

/// A link layer that repeats frames through fades of a second, and a source that
/// loses patience after 300 ms: what both send again makes duplicate ACKs.
fn impatient(policy: DuplicateAcks, retries: u32) -> Scenario {
    let setting = BaseStation { segments: 10_000, window_kb: 16, ..BaseStation::default() };
    let mut scenario = setting.scenario();
    scenario.nodes[1].duplicate_acks = policy;
    scenario.connections[0].tcp.min_rto = Duration::from_millis(300);
    if let Medium::Wireless { channel, arq } = &mut scenario.links[1].medium {
        channel.mean_bad = Duration::from_secs(1);
        arq.retries = retries;
    }
    scenario
}

fn outcome(policy: DuplicateAcks, retries: u32, seed: u64) -> Outcome {
    let outcome = run(&impatient(policy, retries), seed, &mut Nobody);
    assert_eq!(outcome.stop, Stop::Complete);
    outcome
}

fn suppressed(connection: &ConnectionOutcome) -> u64 {
    connection.acks.dropped[DropCause::DuplicateAck as usize]
}

#[test]
fn the_source_hears_fewer_duplicates_and_repeats_less() {
    let total = |policy| {
        let outcomes: Vec<_> = (1..=5).map(|seed| outcome(policy, 1_000, seed)).collect();
        let sum = |of: fn(&ConnectionOutcome) -> u64| {
            outcomes.iter().map(|it| of(&it.connections[0])).sum::<u64>()
        };
        [sum(suppressed), sum(|it| it.fast_retransmits), sum(|it| it.segments_retransmitted)]
    };
    let pass = total(DuplicateAcks::Pass);
    let suppress = total(DuplicateAcks::Suppress);
    assert_eq!(pass[0], 0);
    assert!(suppress[0] > 500, "{suppress:?}");
    assert!(suppress[1] < pass[1] && suppress[2] < pass[2], "{pass:?} {suppress:?}");
}

/// Whether a link layer drops a duplicate at once or when the segment is
/// acknowledged is all the same to the ends, as long as none is given up.
#[test]
fn to_hold_is_to_suppress_where_nothing_is_given_up() {
    for seed in 1..=3 {
        let [suppress, hold] = [DuplicateAcks::Suppress, DuplicateAcks::Hold]
            .map(|policy| outcome(policy, 100_000, seed));
        assert_eq!(suppress.connections[0].wireless_losses, 0);
        assert_eq!(suppress, hold);
    }
}

/// A duplicate ACK that waited goes on when the segment is given up.
#[test]
fn what_is_held_goes_on_when_the_segment_is_given_up() {
    let [suppress, hold] = [DuplicateAcks::Suppress, DuplicateAcks::Hold].map(|policy| {
        let mut scenario = impatient(policy, 1);
        if let Medium::Wireless { channel, .. } = &mut scenario.links[1].medium {
            channel.loss_good = Probability::new(0.3).unwrap();
        }
        let outcomes = (1..=5).map(|seed| run(&scenario, seed, &mut Nobody).connections.remove(0));
        outcomes.map(|it| suppressed(&it)).sum::<u64>()
    });
    assert!(0 < hold && hold < suppress, "{suppress} {hold}");
}

/// What each suppressed ACK asked for arrives, or is given up, later on.
#[derive(Default)]
struct Promises {
    made: u64,
    open: Vec<SeqNumber>,
}

impl Observer for Promises {
    fn record(&mut self, _: Instant, event: &Event<'_>) {
        let (Event::Dropped { packet, .. }
        | Event::Received { packet, .. }
        | Event::GivenUp { frame: netjoule_trace::FrameInfo { packet, .. }, .. }) = event
        else {
            return;
        };
        let Body::Tcp(segment) = &packet.body else { return };
        match event {
            Event::Dropped { cause: DropCause::DuplicateAck, .. } => {
                self.made += 1;
                self.open.push(segment.ack);
            }
            Event::Received { .. } | Event::GivenUp { .. } if segment.is_data() => {
                let range = segment.range();
                self.open.retain(|seq| seq.is_before(range.start) || !seq.is_before(range.end));
            }
            _ => {}
        }
    }
}

#[test]
fn what_a_suppressed_ack_asks_for_is_under_way() {
    for seed in 1..=3 {
        let mut promises = Promises::default();
        run(&impatient(DuplicateAcks::Suppress, 4), seed, &mut promises);
        assert!(promises.made > 20, "{}", promises.made);
        assert_eq!(promises.open, []);
    }
}
