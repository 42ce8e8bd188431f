use netjoule_net::{ConnectionOutcome, Ledger, Stop};
use netjoule_units::{Bytes, Duration, Instant};

use super::*;

fn connection(start_s: u64, completion_s: Option<u64>) -> ConnectionOutcome {
    let ledger = |sent, dropped| Ledger { sent, dropped, ..Ledger::default() };
    ConnectionOutcome {
        start: Instant::ZERO + Duration::from_secs(start_s),
        completion_time: completion_s.map(Duration::from_secs),
        closed: None,
        bytes_delivered: Bytes::new(1_000),
        segments_sent: 70,
        segments_retransmitted: 7,
        timeouts: 2,
        fast_retransmits: 3,
        data: ledger(70, [1, 2, 3, 4, 0, 0]),
        acks: ledger(16, [0; 6]),
        control: ledger(4, [0; 6]),
        notices: ledger(10, [0; 6]),
        frames_corrupted: 50,
        wireless_losses: 5,
        least_energy_per_bit: None,
    }
}

fn outcome(connections: Vec<ConnectionOutcome>) -> Outcome {
    Outcome {
        nodes: Vec::new(),
        connections,
        stop: Stop::Complete,
        end: Instant::ZERO + Duration::from_secs(100),
        events: 0,
        fingerprint: 0,
    }
}

#[test]
fn connections_are_summed_and_the_last_completion_counts() {
    let run = Measured::of(&outcome(vec![connection(2, Some(10)), connection(5, Some(4))]));
    let expected = [10.0, 2_800.0, 140.0, 14.0, 4.0, 6.0, 20.0, 10.0, 10.0, 2.0, 8.0];
    for (metric, expected) in Metric::ALL.into_iter().zip(expected) {
        let value = run.get(metric).unwrap();
        assert!((value - expected).abs() < 1e-9, "{metric:?}: {value}, expected {expected}");
    }
}

#[test]
fn a_run_cut_short_has_no_values() {
    let run = Measured::of(&outcome(vec![connection(0, Some(10)), connection(0, None)]));
    assert!(!run.is_complete());
    assert!(Metric::ALL.into_iter().all(|metric| run.get(metric).is_none()));
    assert!(!Measured::of(&outcome(vec![])).is_complete());
}

#[test]
fn metrics_stand_at_their_own_place() {
    for (index, metric) in Metric::ALL.into_iter().enumerate() {
        assert_eq!(metric as usize, index, "{metric:?}");
    }
}

#[test]
fn causes_of_death_stand_at_their_own_place() {
    for (index, cause) in DropCause::ALL.into_iter().enumerate() {
        assert_eq!(cause as usize, index, "{cause:?}");
    }
}
