//! Windows, what is announced in them, and the doze after them. The beacon of an
//! ad hoc cell has 63 bytes, which take 192 + 504 = 696 µs at 1 Mbit/s; an ATIM
//! has 28, which take 192 + 112 = 304 µs at 2 Mbit/s, or 416 µs to all. Windows of
//! 10 ms begin at 102400, 204800, ... Contention windows begin at 7 slots, so that
//! beacons are delayed by 0 to 14.

use super::*;

const WINDOW: Duration = Duration::from_millis(10);

/// A cell without an access point: its first station is always awake, the
/// others save power.
fn cell(draws: [&[(u32, u32)]; 3]) -> Story {
    let power_save = PowerSave { atim_window: WINDOW, ..PowerSave::default() };
    let config = Config { power_save, cw_min: Some(7), ..Config::default() };
    let places_m = (0..).step_by(10);
    let mut stations: Vec<_> =
        places_m.zip(draws).map(|(x_m, draws)| at(x_m, drawing_each(draws))).collect();
    stations[1].role = Role::PowerSaver;
    stations[2].role = Role::PowerSaver;
    Story::new(&config, stations)
}

fn until(story: &mut Story, at_us: u64) -> Vec<String> {
    story.run(us(at_us));
    core::mem::take(&mut story.lines)
}

fn dozed_us(story: &Story) -> [u64; 3] {
    [0, 1, 2].map(|it| story.air.stats(it).dozed.as_nanos() / 1_000)
}

#[test]
fn what_is_announced_in_the_window_is_sent_after_it() {
    let first = [(14, 9), (7, 4), (7, 6), (7, 2)];
    let mut story = cell([&first, &[(14, 3)], &[(14, 12)]]);
    story.offer(1_000, 0, To::Station(1), 1);
    let expected = [
        // 102400 + 3 slots
        "102460..103156 beacon 1>all",
        // 103156 + 50 + 4 slots
        "103286..103590 atim 0>1",
        "103600..103848 ack 1>0",
        // 112400 + 2 slots
        "112440..113432 data 0>1",
        "1 delivered at 1",
        "113442..113690 ack 1>0",
        "1 done",
    ];
    assert_eq!(until(&mut story, 204_000), expected);
    until(&mut story, 204_800);
    // The first never dozes, the second has been called.
    assert_eq!(dozed_us(&story), [0, 0, 204_800 - 112_400]);
}

#[test]
fn in_an_idle_cell_only_the_sender_of_the_beacon_stays_awake() {
    let mut story = cell([&[(14, 9)], &[(14, 3)], &[(14, 12)]]);
    assert_eq!(until(&mut story, 204_000), ["102460..103156 beacon 1>all"]);
    let told = until(&mut story, 10 * 102_400);
    let beacons_of = |from: &str| told.iter().filter(|line| line.contains(from)).count() as u64;
    let [beacons, of_1, of_2] = ["beacon", "beacon 1", "beacon 2"].map(beacons_of);
    assert_eq!(told.len() as u64, beacons);
    let nap = 102_400 - 10_000;
    // The last beacon comes at the end of what is looked at.
    assert_eq!(dozed_us(&story), [0, (8 - of_1) * nap, (9 - of_2) * nap]);
}

#[test]
fn of_two_beacons_at_once_neither_counts() {
    let mut story = cell([&[(14, 3)], &[(14, 3)], &[(14, 5)]]);
    let expected = [
        "102460..103156 beacon 0>all",
        "102460..103156 beacon 1>all",
        // 103156 + EIFS of 364 µs + 2 slots that are left
        "103560..104256 beacon 2>all",
    ];
    assert_eq!(until(&mut story, 204_000), expected);
    until(&mut story, 204_800);
    assert_eq!(dozed_us(&story), [0, 0, 0]);
}

#[test]
fn what_cannot_be_announced_waits_for_the_next_window() {
    let mut story = cell([&[(14, 3)], &[(14, 9)], &[(14, 12)]]);
    // The channel is BAD during the first window.
    let switches = vec![us(100_000), us(204_000)];
    let config = two_state::Config { switches, ..two_state::Config::default() };
    story.air.set_channel(0, 1, Channel::new(&config, Duration::from_nanos(1), any(), any()));
    story.offer(1_000, 0, To::Station(1), 1);
    let told = until(&mut story, 204_700);
    let atims = told.iter().filter(|line| line.contains("atim")).count();
    assert!((3..=7).contains(&atims), "{told:?}");
    assert!(told.iter().all(|line| !line.contains("data")), "{told:?}");
    // Nobody has told it to stay awake.
    until(&mut story, 204_800);
    assert_eq!(dozed_us(&story)[1], 204_800 - 112_400);
    let told = until(&mut story, 300_000);
    assert!(told.iter().any(|line| line.contains("ack 1>0")), "{told:?}");
    assert_eq!(told.last().unwrap(), "1 done");
    assert_eq!(story.air.stats(0).given_up, 0);
}

#[test]
fn frames_for_all_are_announced_to_all() {
    let mut story = cell([&[(14, 1), (7, 3), (7, 5), (7, 0)], &[(14, 9)], &[(14, 12)]]);
    story.offer(1_000, 0, To::All, 1);
    let told = until(&mut story, 204_800);
    let expected = [
        "102420..103116 beacon 0>all",
        // 103116 + 50 + 3 slots
        "103226..103642 atim 0>all",
        // At 1 Mbit/s, 192 + 8800 µs.
        "112400..121392 data 0>all",
        "1 delivered at 1",
        "1 delivered at 2",
        "1 done",
    ];
    assert_eq!(told[..6], expected);
    assert_eq!(dozed_us(&story), [0, 0, 0]);
}

#[test]
fn what_comes_for_somebody_who_was_called_goes_at_once() {
    let mut story = cell([&[(14, 1)], &[(14, 9)], &[(14, 12)]]);
    story.offer(1_000, 0, To::Station(1), 1);
    story.offer(150_000, 0, To::Station(1), 2);
    story.offer(150_000, 0, To::Station(2), 3);
    let told = until(&mut story, 204_000);
    assert!(told.contains(&"150000..150992 data 0>1".to_owned()), "{told:?}");
    // The third dozes until it is called.
    assert_eq!(story.air.in_flight().map(|it| it.payload).collect::<Vec<_>>(), [3]);
    let told = until(&mut story, 300_000);
    assert_eq!(told.last().unwrap(), "3 done");
}

#[test]
fn two_power_savers_talk() {
    let mut story = cell([&[(14, 1)], &[(14, 9)], &[(14, 12)]]);
    for payload in 0..20 {
        let (from, to) = if payload % 2 == 0 { (1, 2) } else { (2, 1) };
        story.offer(20_000 * u64::from(payload), from, To::Station(to), payload);
    }
    let told = until(&mut story, 700_000);
    assert_eq!(told.iter().filter(|line| line.contains("done")).count(), 20);
    assert_eq!(told.iter().filter(|line| line.contains("given up")).count(), 0);
}
