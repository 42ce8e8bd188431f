//! Windows, losses and timers of a sender.

use netjoule_units::Bytes;

use super::script::{SMSS, Script, options};
use crate::tcp::{Event, InitialWindow, Options};

#[test]
fn slow_start_doubles_each_round_until_the_window_of_the_receiver() {
    let mut tcp = Script::new("reno", &options());
    assert_eq!(tcp.write(0, 100), "0");
    assert_eq!(tcp.ack(100, 1), "1 2");
    assert_eq!(tcp.ack(200, 2), "3 4");
    assert_eq!(tcp.ack(201, 3), "5 6");
    // An ACK of two segments opens the window by two, cwnd by one.
    assert_eq!(tcp.ack(300, 5), "7 8 9");
    assert_eq!(tcp.window().0, 5 * SMSS);
}

#[test]
fn the_window_of_the_receiver_limits_what_is_in_flight() {
    let mut tcp =
        Script::new("reno", &Options { initial_window: InitialWindow::Segments(100), ..options() });
    assert_eq!(tcp.write(0, 100).split(' ').count(), 20);
    assert_eq!(tcp.ack(200, 2), "20 21");
}

#[test]
fn the_last_segment_is_as_short_as_the_data() {
    let mut tcp = Script::new("reno", &options());
    tcp.tcp.write(Bytes::new(1_500));
    assert_eq!(tcp.write(0, 0), "0");
    assert_eq!(tcp.ack(100, 1), "1");
    assert_eq!(tcp.tcp.snapshot().flight_size, 500);
    assert_eq!(tcp.segment(200, 0, 1_500, 0), "");
    assert_eq!(tcp.tcp.poll_event(), Some(Event::AllAcknowledged));
    assert_eq!(tcp.tcp.poll_timeout(), None);
}

#[test]
fn reno_repairs_one_loss_and_leaves_with_half_the_flight() {
    let mut tcp = Script::ten_in_flight("reno");
    for _ in 0..2 {
        assert_eq!(tcp.ack(100, 0), "");
    }
    assert_eq!(tcp.ack(100, 0), "0f");
    assert_eq!(tcp.window(), (8 * SMSS, 5 * SMSS));
    // Each duplicate inflates by one: room for new data from the third on.
    assert_eq!(tcp.ack(101, 0), "");
    assert_eq!(tcp.ack(101, 0), "");
    assert_eq!(tcp.ack(101, 0), "10");
    assert_eq!(tcp.ack(200, 10), "11 12 13 14");
    assert_eq!(tcp.window(), (5 * SMSS, 5 * SMSS));
}

#[test]
fn reno_stops_at_a_second_loss_until_its_timer() {
    let mut tcp = Script::ten_in_flight("reno");
    (0..3).for_each(|_| drop(tcp.ack(100, 0)));
    // A partial ACK ends Reno's recovery; nothing tells it of segment 4.
    assert_eq!(tcp.ack(200, 4), "");
    assert_eq!(tcp.window().0, 5 * SMSS);
    // 200 ms + RTO of 1 s: the retransmission gave no sample.
    assert_eq!(tcp.timer(), (1_200, "4t".into()));
    assert_eq!(tcp.window().0, SMSS);
    assert_eq!(tcp.ack(1_300, 5), "5g 6g");
}

#[test]
fn newreno_repairs_two_losses_in_one_recovery() {
    let mut tcp = Script::ten_in_flight("newreno");
    (0..2).for_each(|_| drop(tcp.ack(100, 0)));
    assert_eq!(tcp.ack(100, 0), "0f");
    assert_eq!(tcp.window(), (8 * SMSS, 5 * SMSS));
    // Partial: 4 is next. cwnd 8 - 4 + 1, six in flight.
    assert_eq!(tcp.ack(200, 4), "4p");
    assert_eq!(tcp.window().0, 5 * SMSS);
    // Full: everything up to 10 was outstanding at the start.
    let sent = tcp.ack(300, 10);
    assert_eq!(tcp.window(), (2 * SMSS, 5 * SMSS));
    assert_eq!(sent, "10 11");
}

#[test]
fn newreno_does_not_answer_duplicates_of_an_old_recovery() {
    let mut tcp = Script::ten_in_flight("newreno");
    assert_eq!(tcp.timer(), (1_000, "0t".into()));
    // Three duplicates caused by going back are no new loss: `recover` is 10.
    for at in 1_100..1_106 {
        assert_eq!(tcp.ack(at, 0), "");
    }
}

#[test]
fn reno_does_answer_them() {
    let mut tcp = Script::ten_in_flight("reno");
    assert_eq!(tcp.timer(), (1_000, "0t".into()));
    (0..2).for_each(|_| drop(tcp.ack(1_100, 0)));
    // Ten segments are still unacknowledged: ssthresh 5, cwnd 8, and going
    // back goes on.
    assert_eq!(tcp.ack(1_100, 0), "0f 1g 2g 3g 4g 5g 6g 7g");
}

#[test]
fn tahoe_starts_slowly_after_a_fast_retransmit() {
    let mut tcp = Script::ten_in_flight("tahoe");
    (0..2).for_each(|_| drop(tcp.ack(100, 0)));
    assert_eq!(tcp.ack(100, 0), "0f");
    assert_eq!(tcp.window(), (SMSS, 5 * SMSS));
    // No fast recovery: further duplicates do nothing.
    assert_eq!(tcp.ack(101, 0), "");
    assert_eq!(tcp.ack(200, 10), "10 11");
}

#[test]
fn timeouts_double_and_any_new_ack_restarts_the_timer() {
    let mut tcp = Script::ten_in_flight("reno");
    assert_eq!(tcp.timer(), (1_000, "0t".into()));
    assert_eq!(tcp.timer(), (3_000, "0t".into()));
    assert_eq!(tcp.timer(), (7_000, "0t".into()));
    assert_eq!(tcp.ack(7_100, 1), "1g 2g");
    // Still backed off: no sample has come.
    assert_eq!(tcp.timer().0, 7_100 + 8_000);
}

#[test]
fn what_is_not_outstanding_is_not_acknowledged() {
    let mut tcp = Script::ten_in_flight("reno");
    let before = tcp.tcp.snapshot();
    // RFC 5961 section 5.2: of the future, and answered.
    assert_eq!(tcp.ack(100, 11), "ack 0");
    assert_eq!(tcp.segment(100, 0, 0u32.wrapping_sub(SMSS), 0), "");
    assert_eq!(tcp.tcp.snapshot(), before);
}

#[test]
fn an_ack_with_data_or_another_window_is_no_duplicate() {
    let mut tcp = Script::ten_in_flight("reno");
    tcp.ack(99, 0);
    for (index, at) in (100..110).enumerate() {
        let sent = tcp.data(at, u32::try_from(index).unwrap());
        assert!(!sent.contains('f'), "{sent}");
    }
}
