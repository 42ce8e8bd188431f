//! Acknowledgments of a receiver.

use netjoule_units::{Bytes, Duration};

use super::script::{Script, options};
use crate::tcp::Options;

fn delayed(ack_every: u32) -> Script {
    let ack_delay = Duration::from_millis(200);
    Script::new("reno", &Options { ack_every, ack_delay, ..options() })
}

#[test]
fn every_segment_is_acknowledged_at_once() {
    let mut tcp = Script::new("reno", &options());
    assert_eq!(tcp.data(0, 0), "ack 1");
    assert_eq!(tcp.data(0, 1), "ack 2");
    assert_eq!(tcp.read(), Bytes::new(2_000));
    assert_eq!(tcp.read(), Bytes::ZERO);
}

#[test]
fn a_hole_makes_duplicates_and_its_filling_one_ack_of_all() {
    let mut tcp = Script::new("reno", &options());
    assert_eq!(tcp.data(0, 0), "ack 1");
    assert_eq!(tcp.data(1, 2), "ack 1");
    assert_eq!(tcp.data(2, 4), "ack 1");
    assert_eq!(tcp.data(3, 3), "ack 1");
    assert_eq!(tcp.read(), Bytes::new(1_000));
    assert_eq!(tcp.data(4, 1), "ack 5");
    assert_eq!(tcp.read(), Bytes::new(4_000));
}

#[test]
fn delayed_acks_wait_for_the_nth_segment_or_the_timer() {
    let mut tcp = delayed(2);
    assert_eq!(tcp.data(0, 0), "");
    assert_eq!(tcp.data(50, 1), "ack 2");
    assert_eq!(tcp.data(100, 2), "");
    assert_eq!(tcp.timer(), (300, "ack 3".into()));
    assert_eq!(tcp.tcp.poll_timeout(), None);
    let mut tcp = delayed(4);
    assert_eq!((tcp.data(0, 0), tcp.data(0, 1)), (String::new(), String::new()));
    assert_eq!((tcp.data(150, 2), tcp.timer()), (String::new(), (200, "ack 3".into())));
}

#[test]
fn what_is_out_of_order_is_never_delayed() {
    let mut tcp = delayed(2);
    assert_eq!(tcp.data(0, 0), "");
    assert_eq!(tcp.data(10, 2), "ack 1");
    assert_eq!(tcp.data(20, 1), "ack 3");
    // An old segment is answered at once too: its ACK may have been lost.
    assert_eq!(tcp.data(30, 1), "ack 3");
    assert_eq!(tcp.tcp.stats().duplicates_received, 1);
}

#[test]
fn what_lies_beyond_the_window_is_refused() {
    let mut tcp = Script::new("reno", &options());
    assert_eq!(tcp.data(0, 20), "ack 0");
    assert_eq!(tcp.data(0, 19), "ack 0");
    (0..19).for_each(|segment| drop(tcp.data(1, segment)));
    assert_eq!(tcp.read(), Bytes::new(20_000));
}
