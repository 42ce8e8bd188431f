//! The event times that goel1997 prints, to the millisecond.

use netjoule_net::{Stop, run};
use netjoule_scenario::Medium;
use netjoule_testkit::{BaseStation, Log};
use netjoule_trace::Reason::{FastRetransmit, GoBackN, Notice, Timeout};
use netjoule_wire::NoticeKind::{Defer, Retransmit};

const KB: u32 = 1024;

fn log(setting: &BaseStation) -> Log {
    let mut log = Log::default();
    let outcome = run(&setting.scenario(), 1, &mut log);
    assert_eq!(outcome.stop, Stop::Complete);
    log
}

/// Section 5.4.3: a window of 4 KB, 170 ms, and two consecutive segments lost,
/// the first of them sent at 96651.
///
/// A round trip is 351 ms: 1 + 170 ms to the base station, 8 + 1 ms over the
/// air, and 1 + 170 ms back. The source starts four round trips before 96651.
/// In the round before, two attempts of one frame fail, so that its
/// acknowledgments arrive at 96651, 96683, 96693 and 96703, and four segments
/// (11 to 14) leave at these times.
///
/// Segment 11 reaches the base station at 96822 and dies there with nine
/// attempts of 11 ms, 12 with another nine, up to 97020. Segment 13 fails once
/// and goes through at 97031; its duplicate ACK is back at
/// 97031 + 8 + 1 + 1 + 170 = 97211, that of 14 comes 10 ms later.
fn two_losses(variant: &'static str) -> Log {
    log(&BaseStation {
        wired_delay_ms: 170,
        window_kb: 4,
        segments: 60,
        variant,
        start_ms: 96_651 - 4 * 351,
        switches_ms: vec![96_481, 96_500, 96_822, 97_022],
    })
}

/// What all variants do up to the second duplicate ACK.
fn assert_common_part(log: &Log) {
    let sent: Vec<_> = log.sent.iter().filter(|sent| (96_651..=96_703).contains(&sent.0)).collect();
    assert_eq!(
        sent,
        [&(96_651, 11, None), &(96_683, 12, None), &(96_693, 13, None), &(96_703, 14, None)]
    );
    assert_eq!(log.given_up, [(96_921, 11, 9), (97_020, 12, 9)]);
    let duplicates: Vec<_> =
        log.acks.iter().filter(|ack| ack.0 > 96_703 && ack.0 < 97_400).collect();
    assert_eq!(duplicates, [&(97_211, 11), &(97_221, 11)]);
}

#[test]
fn figure_5_3_simple_icmp_recovers_from_two_losses_in_3054_ms() {
    let log = two_losses("simple-icmp");
    assert_common_part(&log);
    // The stars of the figure, and the one of the attempt that failed for 13.
    let notices: Vec<_> = log.notices.iter().filter(|notice| notice.0 > 96_703).collect();
    assert_eq!(notices, [&(97_003, Defer, 11), &(97_102, Defer, 12), &(97_201, Defer, 13)],);
    // 97003 + RTO, and 98354 + RTO.
    assert_eq!(log.timeouts, [98_003, 99_354]);
    let sent: Vec<_> = log.sent.iter().filter(|sent| sent.0 > 96_703).take(4).collect();
    assert_eq!(
        sent,
        [
            &(98_003, 11, Some(Timeout)),
            &(98_354, 15, None),
            &(99_354, 12, Some(Timeout)),
            &(99_705, 16, None)
        ],
    );
    let acks: Vec<_> = log.acks.iter().filter(|ack| ack.0 > 97_221).take(3).collect();
    assert_eq!(acks, [&(98_354, 12), &(98_705, 12), &(99_705, 16)]);
    // Neither cwnd nor ssthresh is reduced.
    assert!(log.windows.is_sorted_by_key(|&(_, cwnd, _)| cwnd));
    assert!(log.windows.iter().all(|&(_, _, ssthresh)| ssthresh == 64 * KB));
    assert_eq!(99_705 - 96_651, 3_054);
}

#[test]
fn figure_5_4_unmodified_tcp_recovers_from_two_losses_in_1754_ms() {
    let log = two_losses("reno");
    assert_common_part(&log);
    assert_eq!(log.notices, []);
    // 96703 + RTO.
    assert_eq!(log.timeouts, [97_703]);
    let sent: Vec<_> = log.sent.iter().filter(|sent| sent.0 > 96_703).take(4).collect();
    assert_eq!(
        sent,
        [
            &(97_703, 11, Some(Timeout)),
            &(98_054, 12, Some(GoBackN)),
            &(98_054, 13, Some(GoBackN)),
            &(98_405, 15, None)
        ],
    );
    let acks: Vec<_> = log.acks.iter().filter(|ack| ack.0 > 97_221).take(3).collect();
    // 12 fills the hole; 13 was there already and makes a duplicate.
    assert_eq!(acks, [&(98_054, 12), &(98_405, 15), &(98_415, 15)]);
    assert_eq!(98_405 - 96_651, 1_754);
}

#[test]
fn figure_5_5_unmodified_tcp_halves_ssthresh_and_starts_slowly() {
    let log = two_losses("reno");
    let after: Vec<_> = log.windows.iter().filter(|window| window.0 > 97_000).take(4).collect();
    // 3 KB is beyond ssthresh: from there it grows by KB·KB/cwnd.
    assert_eq!(
        after,
        [
            &(97_703, KB, 2 * KB),
            &(98_054, 2 * KB, 2 * KB),
            &(98_405, 3 * KB, 2 * KB),
            &(98_756, 3 * KB + KB / 3, 2 * KB)
        ]
    );
}

#[test]
fn refined_icmp_recovers_from_the_same_two_losses_in_890_ms() {
    let log = two_losses("refined-icmp");
    assert_common_part(&log);
    // RETRANSMIT leaves the base station when the ninth attempt has failed.
    assert!(log.notices.contains(&(97_091, Retransmit, 11)));
    assert!(log.notices.contains(&(97_190, Retransmit, 12)));
    assert_eq!((log.timeouts.len(), log.fast_retransmits.len()), (0, 0));
    let sent: Vec<_> = log.sent.iter().filter(|sent| sent.0 > 96_703).take(3).collect();
    assert_eq!(
        sent,
        [&(97_091, 11, Some(Notice)), &(97_190, 12, Some(Notice)), &(97_442, 15, None)]
    );
    assert!(log.acks.contains(&(97_442, 12)) && log.acks.contains(&(97_541, 15)));
    // Two duplicate ACKs inflate the window; the next new ACK puts it back.
    let after: Vec<_> = log.windows.iter().filter(|window| window.0 > 97_000).take(4).collect();
    let before = 12 * KB;
    assert_eq!(
        after,
        [
            &(97_211, before + KB, 64 * KB),
            &(97_221, before + 2 * KB, 64 * KB),
            &(97_442, before, 64 * KB),
            &(97_541, before + KB, 64 * KB)
        ],
    );
}

/// The sample event trace: 100 ms, the sixteenth segment lost with all its
/// attempts. It leaves at 844, four round trips of 211 ms after the start.
#[test]
fn appendix_b_nine_attempts_and_a_fast_retransmit_at_1174() {
    let log = log(&BaseStation {
        wired_delay_ms: 100,
        window_kb: 16,
        switches_ms: vec![945, 1_044],
        ..BaseStation::default()
    });
    // <SRC, DST, SEQ, ACK, Type> counts frames: 15 to 23, all with byte 15360.
    let expected: Vec<_> = (0..9).map(|n| (945 + 11 * n, 15 + n, 15)).collect();
    assert_eq!(log.corrupted, expected);
    assert_eq!(log.corrupted.last(), Some(&(1_033, 23, 15)));
    assert_eq!(log.given_up, [(1_044, 15, 9)]);
    let duplicates: Vec<_> = log.acks.iter().filter(|ack| ack.1 == 15).take(4).collect();
    assert_eq!(duplicates, [&(914, 15), &(1_154, 15), &(1_164, 15), &(1_174, 15)]);
    assert_eq!(log.fast_retransmits, [1_174]);
    assert!(log.sent.contains(&(1_174, 15, Some(FastRetransmit))));
}

/// With eight attempts in place of nine, as "after 8 attempts" can be read,
/// the last frame of the trace would carry the next segment.
#[test]
fn appendix_b_does_not_fit_eight_attempts() {
    let mut scenario =
        BaseStation { switches_ms: vec![945, 1_044], ..BaseStation::default() }.scenario();
    if let Medium::Wireless { arq, .. } = &mut scenario.links[1].medium {
        arq.retries = 7;
    }
    let mut log = Log::default();
    run(&scenario, 1, &mut log);
    assert_eq!(log.given_up, [(1_033, 15, 8)]);
    assert_eq!(log.corrupted.last(), Some(&(1_033, 23, 16)));
}

/// Figures 2.1 and 2.2: 4 KB, two of four segments lost, and the reaction to
/// the timeout: slow start, two segments after the first new ACK, the second
/// of them a duplicate.
#[test]
fn figure_2_1_a_timeout_goes_back_and_starts_slowly() {
    let log = log(&BaseStation {
        window_kb: 4,
        // Segments 3 and 4 leave at 422 and die at 523, with 99 ms each.
        switches_ms: vec![523, 523 + 2 * 99],
        ..BaseStation::default()
    });
    assert_eq!(log.given_up, [(622, 3, 9), (721, 4, 9)]);
    let [timeout] = log.timeouts[..] else { panic!("one timeout: {:?}", log.timeouts) };
    let after: Vec<_> = log.sent.iter().filter(|sent| sent.0 >= timeout).take(3).collect();
    let next = timeout + 211;
    assert_eq!(
        after,
        [&(timeout, 3, Some(Timeout)), &(next, 4, Some(GoBackN)), &(next, 5, Some(GoBackN))]
    );
    let acks: Vec<_> = log.acks.iter().filter(|ack| ack.0 >= timeout).take(3).collect();
    assert_eq!(acks, [&(next, 4), &(next + 211, 7), &(next + 221, 7)]);
    let windows: Vec<_> = log.windows.iter().filter(|window| window.0 >= timeout).take(2).collect();
    assert_eq!(windows, [&(timeout, KB, 2 * KB), &(next, 2 * KB, 2 * KB)]);
}

/// Figures 2.3 and 2.4: 32 KB, one segment lost, fast retransmit at the third
/// duplicate ACK, three new segments sent during fast recovery.
#[test]
fn figure_2_3_fast_retransmit_and_fast_recovery() {
    let log = log(&BaseStation {
        window_kb: 32,
        // Segment 7 leaves at 633 with seven behind it, and dies at 734.
        switches_ms: vec![734, 734 + 99],
        ..BaseStation::default()
    });
    assert_eq!(log.given_up, [(833, 7, 9)]);
    let [at] = log.fast_retransmits[..] else { panic!("{:?}", log.fast_retransmits) };
    assert_eq!(log.timeouts, []);
    let entry = log.windows.iter().find(|window| window.0 == at).unwrap();
    // Eight segments outstanding: ssthresh 4, cwnd 4 + 3.
    assert_eq!(entry, &(at, 7 * KB, 4 * KB));
    // Four more duplicates open the window to 11: three new segments.
    let sent: Vec<_> = log.sent.iter().filter(|sent| sent.0 >= at).take(4).collect();
    assert_eq!(
        sent,
        [
            &(at, 7, Some(FastRetransmit)),
            &(at + 20, 15, None),
            &(at + 30, 16, None),
            &(at + 40, 17, None)
        ]
    );
    let left = log.windows.iter().find(|window| window.0 > at + 40).unwrap();
    assert_eq!((left.1, left.2), (4 * KB, 4 * KB));
}
