//! Beacons, what they announce, and the doze after them. A beacon to three
//! stations has 65 bytes: 192 + 520 = 712 µs at 1 Mbit/s. The first is due at
//! 102400 µs. A PS-Poll has 20: 192 + 80 = 272 µs at 2 Mbit/s.

use super::*;

/// An access point, a power saver and another station.
fn cell(saver: Pcg64) -> Story {
    let mut stations = vec![at(0, any()), at(10, saver), at(20, any())];
    stations[0].role = Role::AccessPoint;
    stations[1].role = Role::PowerSaver;
    Story::new(&Config::default(), stations)
}

fn until(story: &mut Story, at_us: u64) -> Vec<String> {
    story.run(us(at_us));
    core::mem::take(&mut story.lines)
}

#[test]
fn a_beacon_announces_what_is_kept_and_a_poll_fetches_it() {
    let mut story = cell(drawing_each(&[(31, 4), (31, 2)]));
    story.offer(1_000, 0, To::Station(1), 1);
    let expected = [
        "102400..103112 beacon 0>all",
        // 103112 + 50 + 4 slots
        "103242..103514 pspoll 1>0",
        "103524..104516 data 0>1",
        "1 delivered at 1",
        "104526..104774 ack 1>0",
        "1 done",
        // Nothing is kept any more.
        "204800..205512 beacon 0>all",
    ];
    assert_eq!(until(&mut story, 300_000), expected);
    // From the end of its backoff, 104774 + 50 + 2 slots, to the second beacon.
    assert_eq!(story.air.stats(1).dozed, Duration::from_micros(204_800 - 104_864));
}

#[test]
fn each_packet_is_polled_for() {
    let mut story = cell(drawing(&[4]));
    for payload in 1..=3 {
        story.offer(1_000, 0, To::Station(1), payload);
    }
    let told = until(&mut story, 200_000);
    assert_eq!(told.iter().filter(|line| line.contains("pspoll")).count(), 3);
    let delivered: Vec<_> = told.iter().filter(|line| line.contains("delivered")).collect();
    assert_eq!(delivered, ["1 delivered at 1", "2 delivered at 1", "3 delivered at 1"]);
}

#[test]
fn a_power_saver_that_is_idle_wakes_for_beacons_only() {
    let mut story = cell(any());
    until(&mut story, 1_030_000);
    // Ten beacons, the first of which it waits for awake: nine naps, each from
    // the end of a beacon to the next.
    assert_eq!(story.air.stats(1).dozed, Duration::from_micros(102_400 - 712) * 9);
    assert_eq!(story.air.stats(2).dozed, Duration::ZERO);
}

#[test]
fn a_power_saver_wakes_up_to_send() {
    let mut story = cell(drawing(&[3]));
    until(&mut story, 110_000);
    story.offer(150_000, 1, To::Station(0), 7);
    let expected =
        ["150000..150992 data 1>0", "7 delivered at 0", "151002..151250 ack 0>1", "7 done"];
    assert_eq!(until(&mut story, 200_000), expected);
    until(&mut story, 300_000);
    // 151250 + 50 + 3 slots: awake for 1360 µs, and for the second beacon.
    let naps = Duration::from_micros((150_000 - 103_112) + (204_800 - 151_360));
    assert_eq!(story.air.stats(1).dozed, naps);
}

#[test]
fn a_dozing_station_hears_nothing() {
    let mut story = cell(any());
    until(&mut story, 110_000);
    story.offer(150_000, 2, To::Station(1), 7);
    let told = until(&mut story, 200_000);
    // Nobody but the access point knows that it dozes.
    assert_eq!(told.last().unwrap(), "7 given up after 7");
    assert_eq!(story.air.stats(1).sent, [0; Kind::ALL.len()]);
}

#[test]
fn frames_for_all_follow_the_beacon_of_the_dtim_period() {
    let mut stations = vec![at(0, any()), at(10, any()), at(20, any())];
    stations[0].role = Role::AccessPoint;
    stations[1].role = Role::PowerSaver;
    let power_save = PowerSave { dtim_period: 3, ..PowerSave::default() };
    let mut story = Story::new(&Config { power_save, ..Config::default() }, stations);
    story.offer(1_000, 0, To::All, 1);
    assert_eq!(until(&mut story, 307_000).len(), 2);
    let told = until(&mut story, 400_000);
    assert_eq!(told[0], "307200..307912 beacon 0>all");
    assert_eq!(told[2..], ["1 delivered at 1", "1 delivered at 2", "1 done"]);
    // It stays awake until the next beacon, since more might follow.
    let naps = Duration::from_micros(102_400 - 712) * 2;
    until(&mut story, 450_000);
    assert_eq!(story.air.stats(1).dozed, naps);
}

#[test]
fn a_poll_without_an_answer_is_repeated_up_to_the_limit() {
    let mut story = cell(any());
    // Its channel is BAD from the end of the first beacon to the second.
    let switches = vec![us(103_200), us(204_000)];
    let config = two_state::Config { switches, ..two_state::Config::default() };
    story.air.set_channel(0, 1, Channel::new(&config, Duration::from_nanos(1), any(), any()));
    story.offer(1_000, 0, To::Station(1), 1);
    let told = until(&mut story, 204_000);
    assert_eq!(told.iter().filter(|line| line.contains("pspoll")).count(), 7);
    assert_eq!(story.air.in_flight().count(), 1);
    let told = until(&mut story, 300_000);
    assert_eq!(told.last().unwrap(), "1 done");
}
