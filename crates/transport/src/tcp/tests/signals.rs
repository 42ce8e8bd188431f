//! The steps of goel1997 5.4.1 and 5.5.2.

use netjoule_wire::NoticeKind::{Defer, Retransmit};

use super::script::{SMSS, Script};

#[test]
fn unmodified_tcp_discards_notices() {
    let mut tcp = Script::ten_in_flight("reno");
    assert_eq!(tcp.notice(500, Defer, 0), "");
    assert_eq!(tcp.notice(600, Retransmit, 0), "");
    assert_eq!(tcp.timer(), (1_000, "0t".into()));
}

#[test]
fn simple_a_defer_of_the_first_segment_postpones_its_timer_by_one_rto() {
    let mut tcp = Script::ten_in_flight("simple-icmp");
    assert_eq!(tcp.notice(500, Defer, 0), "");
    let window = tcp.window();
    // The timeout resends it alone, with the window as it is.
    assert_eq!(tcp.timer(), (1_500, "0t".into()));
    assert_eq!(tcp.window(), window);
    // Its word held for one transmission: the next timeout is a normal one.
    assert_eq!(tcp.timer(), (3_500, "0t".into()));
    assert_eq!(tcp.window(), (SMSS, 5 * SMSS));
}

#[test]
fn simple_a_defer_of_another_segment_is_only_remembered() {
    let mut tcp = Script::ten_in_flight("simple-icmp");
    assert_eq!(tcp.notice(500, Defer, 3), "");
    assert_eq!(tcp.timer(), (1_000, "0t".into()));
    assert_eq!(tcp.window().0, SMSS);
    let mut tcp = Script::ten_in_flight("simple-icmp");
    tcp.notice(500, Defer, 3);
    tcp.ack(600, 3);
    let window = tcp.window();
    assert_eq!(tcp.timer().1, "3t");
    assert_eq!(tcp.window(), window);
}

#[test]
fn simple_a_fast_retransmit_keeps_ssthresh_and_returns_to_the_old_cwnd() {
    let mut tcp = Script::ten_in_flight("simple-icmp");
    tcp.notice(50, Defer, 0);
    (0..2).for_each(|_| drop(tcp.ack(100, 0)));
    // ssthresh 9 stays; cwnd is 9 + 3, and two new segments fit.
    assert_eq!(tcp.ack(100, 0), "0f 10 11");
    assert_eq!(tcp.window(), (12 * SMSS, 9 * SMSS));
    tcp.ack(200, 10);
    assert_eq!(tcp.window(), (10 * SMSS, 9 * SMSS));
}

#[test]
fn simple_retransmit_notices_mean_nothing() {
    let mut tcp = Script::ten_in_flight("simple-icmp");
    assert_eq!(tcp.notice(500, Retransmit, 0), "");
    assert_eq!(tcp.timer(), (1_000, "0t".into()));
    assert_eq!(tcp.window().0, SMSS);
}

#[test]
fn refined_a_retransmit_notice_resends_at_once_and_duplicates_inflate() {
    let mut tcp = Script::ten_in_flight("refined-icmp");
    assert_eq!(tcp.notice(500, Retransmit, 0), "0n");
    // The first duplicate begins fast recovery; each adds one segment.
    assert_eq!(tcp.ack(510, 0), "10");
    assert_eq!(tcp.ack(511, 0), "11");
    // The third does not retransmit.
    assert_eq!(tcp.ack(512, 0), "12");
    assert_eq!(tcp.window(), (13 * SMSS, 9 * SMSS));
    assert_eq!(tcp.ack(600, 10), "13 14 15 16 17 18 19");
    assert_eq!(tcp.window(), (10 * SMSS, 9 * SMSS));
    assert_eq!(tcp.tcp.stats().fast_retransmits, 0);
}

#[test]
fn refined_a_retransmit_notice_restarts_the_timer_of_the_first_segment_only() {
    let mut tcp = Script::ten_in_flight("refined-icmp");
    tcp.notice(500, Retransmit, 0);
    assert_eq!(tcp.timer().0, 1_500);
    let mut tcp = Script::ten_in_flight("refined-icmp");
    assert_eq!(tcp.notice(500, Retransmit, 4), "4n");
    assert_eq!(tcp.timer().0, 1_000);
}

#[test]
fn refined_a_defer_postpones_and_is_not_remembered() {
    let mut tcp = Script::ten_in_flight("refined-icmp");
    tcp.notice(500, Defer, 0);
    assert_eq!(tcp.timer(), (1_500, "0t".into()));
    assert_eq!(tcp.window(), (SMSS, 5 * SMSS));
}

#[test]
fn refined_other_duplicates_are_normal() {
    let mut tcp = Script::ten_in_flight("refined-icmp");
    tcp.notice(50, Retransmit, 4);
    (0..2).for_each(|_| drop(tcp.ack(100, 0)));
    assert_eq!(tcp.ack(100, 0), "0f");
    assert_eq!(tcp.window(), (8 * SMSS, 5 * SMSS));
}

#[test]
fn refined_notices_ride_on_newreno_too() {
    let mut tcp = Script::ten_in_flight("newreno-refined-icmp");
    assert_eq!(tcp.notice(500, Retransmit, 0), "0n");
    assert_eq!(tcp.notice(510, Retransmit, 4), "4n");
    assert_eq!(tcp.ack(520, 0), "10");
    // Partial: NewReno resends 4 once more, and stays in recovery with a cwnd
    // of 11 - 4 + 1.
    assert_eq!(tcp.ack(600, 4), "4p 11");
    tcp.ack(700, 11);
    assert_eq!(tcp.window().0, 10 * SMSS);
}

#[test]
fn notices_about_what_is_not_outstanding_are_forged() {
    let mut tcp = Script::ten_in_flight("refined-icmp");
    assert_eq!(tcp.notice(500, Retransmit, 10), "");
    tcp.ack(600, 2);
    assert_eq!(tcp.notice(700, Retransmit, 1), "");
}
