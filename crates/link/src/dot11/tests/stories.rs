//! Mechanisms one by one.

use super::*;

#[test]
fn one_exchange() {
    let mut story = Story::new(&Config::default(), vec![at(0, any()), at(10, any())]);
    story.offer(0, 0, To::Station(1), 1);
    let told = ["0..992 data 0>1", "1 delivered at 1", "1002..1250 ack 1>0", "1 done"];
    assert_eq!(story.told(), told);
}

#[test]
fn the_next_frame_waits_for_difs_and_a_backoff() {
    let mut story = Story::new(&Config::default(), vec![at(0, drawing(&[3])), at(10, any())]);
    story.offer(0, 0, To::Station(1), 1);
    story.offer(0, 0, To::Station(1), 2);
    // 1250 + 50 + 3 slots
    assert_eq!(story.told()[4], "1360..2352 data 0>1");
}

#[test]
fn whoever_finds_the_medium_idle_for_difs_sends_at_once() {
    let mut story =
        Story::new(&Config::default(), vec![at(0, any()), at(10, any()), at(20, any())]);
    story.offer(0, 0, To::Station(1), 1);
    story.offer(1_300, 2, To::Station(1), 2);
    assert_eq!(story.told()[4], "1300..2292 data 2>1");
}

#[test]
fn whoever_comes_during_difs_waits_for_its_end_only() {
    let mut story =
        Story::new(&Config::default(), vec![at(0, any()), at(10, any()), at(20, any())]);
    story.offer(0, 0, To::Station(1), 1);
    story.offer(1_270, 2, To::Station(1), 2);
    assert_eq!(story.told()[4], "1300..2292 data 2>1");
}

/// The transmitter's status is part of carrier sense (section 9.3.2.1): the
/// medium is busy for a station that sends an ACK.
#[test]
fn a_packet_passed_on_at_once_waits_for_a_backoff_behind_the_ack() {
    let stations = vec![at(0, any()), at(10, drawing(&[3])), at(20, any())];
    let mut story = Story::new(&Config::default(), stations);
    story.offer(0, 0, To::Station(1), 1);
    story.offer(992, 1, To::Station(2), 2);
    let expected = [
        "0..992 data 0>1",
        "1 delivered at 1",
        "1002..1250 ack 1>0",
        "1 done",
        // 1250 + 50 + 3 slots, though nothing was on the air at 992
        "1360..2352 data 1>2",
    ];
    assert_eq!(story.told()[..5], expected);
}

/// Station 0 sends to 1; meanwhile 2 and 3 get something to send.
fn contenders(second: Pcg64, third: Pcg64) -> Story {
    let stations = vec![at(0, any()), at(10, any()), at(20, second), at(30, third)];
    let mut story = Story::new(&Config::default(), stations);
    story.offer(0, 0, To::Station(1), 1);
    story.offer(100, 2, To::Station(1), 2);
    story.offer(100, 3, To::Station(1), 3);
    story
}

#[test]
fn two_stations_collide() {
    let told = contenders(drawing(&[3, 4]), drawing(&[3, 9])).told();
    let expected = [
        // 1250 + 50 + 3 slots, both
        "1360..2352 data 2>1",
        "1360..2352 data 3>1",
        "2 corrupted",
        "3 corrupted",
        // ACK time-outs at 2352 + 10 + 20 + 192
        "2 deferred",
        "3 deferred",
        // 2574 + 4 slots; 3 has waited for as many and has 5 left
        "2654..3646 data 2>1",
        "2 delivered at 1",
        "3656..3904 ack 1>2",
        "2 done",
        // 3904 + 50 + 5 slots
        "4054..5046 data 3>1",
    ];
    assert_eq!(told[4..15], expected);
}

#[test]
fn a_backoff_is_frozen_and_resumed() {
    let told = contenders(drawing(&[2]), drawing(&[5])).told();
    let expected = [
        // 1250 + 50 + 2 slots
        "1340..2332 data 2>1",
        "2 delivered at 1",
        "2342..2590 ack 1>2",
        "2 done",
        // 2590 + 50 + the 3 slots that are left
        "2700..3692 data 3>1",
    ];
    assert_eq!(told[4..9], expected);
}

#[test]
fn a_station_needs_a_slot_to_notice_a_frame() {
    for (offered, begins) in [(19, 19), (20, 1_300)] {
        let stations = vec![at(0, any()), at(10, any()), at(20, drawing(&[0]))];
        let mut story = Story::new(&Config::default(), stations);
        story.offer(0, 0, To::Station(1), 1);
        story.offer(offered, 2, To::Station(1), 2);
        let line = format!("{begins}..{} data 2>1", begins + 992);
        assert!(story.told().contains(&line), "{offered}");
    }
}

/// Three stations in a row, of which the ends do not hear each other.
fn row(rts_threshold: u64, last: Pcg64) -> Story {
    let config = Config {
        range: Some(Distance::from_metres(250)),
        rts_threshold: Bytes::new(rts_threshold),
        ..Config::default()
    };
    Story::new(&config, vec![at(0, any()), at(200, any()), at(400, last)])
}

#[test]
fn a_cts_silences_those_who_do_not_hear_the_rts() {
    let mut story = row(0, drawing(&[1]));
    story.offer(0, 0, To::Station(1), 1);
    story.offer(1_000, 2, To::Station(1), 2);
    let expected = [
        // 192 + 80 at 2 Mbit/s
        "0..272 rts 0>1",
        "282..530 cts 1>0",
        "540..1532 data 0>1",
        "1 delivered at 1",
        "1542..1790 ack 1>0",
        "1 done",
        // The NAV ends with the ACK; 1790 + 50 + a slot
        "1860..2132 rts 2>1",
    ];
    assert_eq!(story.told()[..7], expected);
}

#[test]
fn hidden_stations_destroy_each_others_frames() {
    let mut story = row(2_347, any());
    story.offer(0, 0, To::Station(1), 1);
    story.offer(500, 2, To::Station(1), 2);
    let expected = ["0..992 data 0>1", "500..1492 data 2>1", "1 corrupted"];
    assert_eq!(story.told()[..3], expected);
}

#[test]
fn a_frame_that_cannot_be_decoded_is_followed_by_eifs() {
    let mut story = row(2_347, any());
    // Frames to all are sent at 1 Mbit/s: 192 + 8800.
    story.offer(0, 0, To::All, 1);
    story.offer(500, 2, To::All, 2);
    story.offer(9_500, 1, To::All, 3);
    let expected = [
        "0..8992 data 0>all",
        "500..9492 data 2>all",
        "1 done",
        "2 done",
        // 9492 + 10 + an ACK at 1 Mbit/s (192 + 112) + 50
        "9856..18848 data 1>all",
    ];
    assert_eq!(story.told()[..5], expected);
}

#[test]
fn an_unanswered_frame_is_given_up_at_the_retry_limit() {
    // The first failure makes the window 63.
    let stations = vec![at(0, drawing_from(63, &[1, 2, 3])), at(1_000, any())];
    let config = Config {
        range: Some(Distance::from_metres(250)),
        short_retry_limit: 4,
        ..Config::default()
    };
    let mut story = Story::new(&config, stations);
    story.offer(0, 0, To::Station(1), 1);
    let expected = [
        "0..992 data 0>1",
        "1 corrupted",
        "1 deferred",
        // 992 + 10 + 20 + 192, DIFS being over, + a slot
        "1234..2226 data 0>1",
        "1 corrupted",
        // 2226 + 222 + 2 slots
        "2488..3480 data 0>1",
        "1 corrupted",
        "3762..4754 data 0>1",
        "1 corrupted",
        "1 given up after 4",
    ];
    assert_eq!(story.told(), expected);
}

#[test]
fn a_repeated_frame_is_acknowledged_and_dropped() {
    let mut story = Story::new(&Config::default(), vec![at(0, any()), at(10, any())]);
    // BAD while the first ACK is on the air only.
    let switches = vec![us(1_000), us(1_100)];
    let config = two_state::Config { switches, ..two_state::Config::default() };
    let channel = Channel::new(&config, Duration::from_nanos(1), any(), any());
    story.air.set_channel(1, 0, channel);
    story.offer(0, 0, To::Station(1), 1);
    let told = story.told();
    let whats: Vec<&str> =
        told.iter().map(|line| line.split_once(' ').map_or("", |(_, what)| what)).collect();
    let expected =
        ["data 0>1", "delivered at 1", "ack 1>0", "deferred", "data 0>1", "ack 1>0", "done"];
    assert_eq!(whats, expected);
    // The time-out of an ACK that begins to come in waits for its end.
    assert_eq!(told[2], "1002..1250 ack 1>0");
}

#[test]
fn a_frame_to_all_is_sent_once() {
    let stations = vec![at(0, any()), at(200, any()), at(400, any())];
    let config = Config { range: Some(Distance::from_metres(250)), ..Config::default() };
    let mut story = Story::new(&config, stations);
    story.offer(0, 1, To::All, 1);
    let expected = ["0..8992 data 1>all", "1 delivered at 0", "1 delivered at 2", "1 done"];
    assert_eq!(story.told(), expected);
}

#[test]
fn the_rate_of_answers_is_a_setting() {
    let config = Config { control_rate: Some(BitRate::from_mbit_per_s(11)), ..Config::default() };
    let mut story = Story::new(&config, vec![at(0, any()), at(10, any())]);
    story.offer(0, 0, To::Station(1), 1);
    assert!(story.told()[2].starts_with("1002..1204.18"));
}

#[test]
fn the_stronger_of_two_frames_is_captured() {
    let config = Config { capture: "10 dB".parse().ok(), ..Config::default() };
    // 2 stands 10 m from 1, and 3 stands 100 m from it: 30 dB at the third power.
    let stations =
        vec![at(150, any()), at(100, any()), at(90, drawing(&[3])), at(0, drawing(&[3]))];
    let mut story = Story::new(&config, stations);
    story.offer(0, 0, To::Station(1), 1);
    story.offer(100, 2, To::Station(1), 2);
    story.offer(100, 3, To::Station(1), 3);
    let expected = [
        "1360..2352 data 2>1",
        "1360..2352 data 3>1",
        "2 delivered at 1",
        "3 corrupted",
        // It has begun before 3 gave up waiting for one, so 3 waits for its end.
        "2362..2610 ack 1>2",
        "3 deferred",
        "2 done",
    ];
    assert_eq!(story.told()[4..11], expected);
}

#[test]
fn an_exposed_station_waits_for_an_exchange_that_it_would_not_disturb() {
    let config = Config { range: Some(Distance::from_metres(250)), ..Config::default() };
    let stations = vec![at(0, any()), at(200, any()), at(400, drawing(&[2])), at(600, any())];
    let mut story = Story::new(&config, stations);
    story.offer(0, 1, To::Station(0), 1);
    story.offer(100, 2, To::Station(3), 2);
    // It does not hear the ACK, but the frame has set its NAV to the end of it:
    // 1250 + 50 + 2 slots.
    assert!(story.told().contains(&"1340..2332 data 2>3".to_owned()));
}

#[test]
fn packets_are_aggregated_and_acknowledged_in_one_block() {
    let config = Config {
        phy: phy::PhyKind::N,
        rate: BitRate::from_mbit_per_s(65),
        aggregation: 8,
        ..Config::default()
    };
    let mut story = Story::new(&config, vec![at(0, drawing_from(15, &[2])), at(10, any())]);
    for payload in 1..=3 {
        story.offer(0, 0, To::Station(1), payload);
    }
    let expected = [
        // 1102 bytes are 34 symbols of 260 bits: 36 + 136 + 6
        "0..178 data 0>1",
        "1 delivered at 1",
        // 14 bytes are 2 symbols of 96 bits: 20 + 8 + 6
        "188..222 ack 1>0",
        "1 done",
        // 222 + 10 + 3 slots + 2 slots; twice 1108 bytes are 69 symbols
        "277..595 data 0>1",
        "2 delivered at 1",
        "3 delivered at 1",
        // 32 bytes are 3 symbols
        "605..643 blockack 1>0",
        "2 done",
        "3 done",
    ];
    assert_eq!(story.told(), expected);
}

#[test]
fn what_noise_tears_out_of_an_aggregate_comes_again_and_in_order() {
    let radio = radio::Config::default();
    let mode = phy::PhyKind::N.phy().mode(BitRate::from_mbit_per_s(65)).unwrap();
    let errors = |distance: &Distance| {
        let radio = radio::Radio::new(&radio);
        radio.frame_error(mode, Bytes::new(1_102), radio.received(*distance)).get()
    };
    // Where one packet in ten is lost, or a little more.
    let metres = (1..100).map(Distance::from_metres);
    let far = metres.filter(|it| errors(it) > 0.1).min().unwrap();
    let config = Config {
        phy: phy::PhyKind::N,
        rate: BitRate::from_mbit_per_s(65),
        aggregation: 8,
        short_retry_limit: 1_000,
        radio: Some(radio.clone()),
        ..Config::default()
    };
    config.validate().expect("valid settings");
    let mut stations = vec![at(0, any()), at(0, any())];
    stations[1].position.x = far;
    let mut air = Air::new(&config, stations, 7);
    let count = 500;
    for payload in 0..count {
        air.offer(
            Instant::ZERO,
            0,
            0,
            Frame { payload, size: SIZE, to: To::Station(1), purpose: Purpose::Payload },
        );
    }
    let (mut delivered, mut corrupted) = (Vec::new(), 0);
    while let Some(now) = air.poll_timeout() {
        match air.poll(now) {
            Some(Output::Delivered { frame, .. }) => delivered.push(frame.payload),
            Some(Output::Corrupted { .. }) => corrupted += 1,
            _ => {}
        }
    }
    assert!(corrupted > 20, "{corrupted} of {count}");
    assert_eq!(delivered, Vec::from_iter(0..count));
    assert!(air.stats(1).sent[Kind::BlockAck as usize] > 50);
}
