use proptest::prelude::*;

use super::*;
use crate::two_state;

fn share(value: f64) -> Probability {
    Probability::new(value).unwrap()
}

fn at(ms: u64) -> Instant {
    Instant::from_millis(ms)
}

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn link(config: &Config) -> Impaired<u32> {
    Impaired::new(config, Pcg64::seed_from_u64(5))
}

/// Offers `count` frames of 1000 bytes, one a millisecond, and gives what has
/// come through with its moment in milliseconds.
fn carry(link: &mut Impaired<u32>, count: u32) -> Vec<(u64, Output<u32>)> {
    for frame in 0..count {
        link.offer(at(frame.into()), frame, Bytes::new(1_000), None).unwrap();
    }
    let mut arrivals = Vec::new();
    while let Some(due) = link.poll_timeout() {
        if let Some(before) = due.as_nanos().checked_sub(1) {
            assert_eq!(link.poll(Instant::from_nanos(before)), None);
        }
        arrivals.push((due.as_millis(), link.poll(due).unwrap()));
    }
    arrivals
}

/// The frames alone, in the order of their arrivals.
fn frames(arrivals: &[(u64, Output<u32>)]) -> Vec<u32> {
    arrivals
        .iter()
        .map(|(_, output)| match output {
            Output::Delivered(frame) | Output::Corrupted { frame, .. } | Output::Lost(frame) => {
                *frame
            }
        })
        .collect()
}

/// Whether `count` of 10,000 is a share of 0.1: within four standard errors.
fn is_a_tenth(count: u64) -> bool {
    (880..1_120).contains(&count)
}

#[test]
fn without_settings_frames_pass_at_once() {
    let mut link = link(&Config::default());
    link.offer(at(7), 1, Bytes::new(1_000), None).unwrap();
    assert_eq!(link.poll(at(7)), Some(Output::Delivered(1)));
    assert_eq!(link.poll_timeout(), None);
}

#[test]
fn each_mishap_has_its_share_and_leaves_the_others_alone() {
    let all = Config {
        loss: share(0.1),
        duplicate: share(0.1),
        reorder: share(0.1),
        corrupt: share(0.1),
        ..Config::default()
    };
    let mut every = link(&all);
    carry(&mut every, 10_000);
    let tally = *every.tally();
    assert!(is_a_tenth(tally.lost), "{tally:?}");
    // The other three happen to frames that are not lost.
    for count in [tally.duplicated, tally.reordered, tally.corrupted] {
        assert!(is_a_tenth(count * 10 / 9), "{tally:?}");
    }
    assert_eq!(tally.delivered, 10_000 + tally.duplicated - tally.lost);

    let mut losses_only = link(&Config { loss: share(0.1), ..Config::default() });
    carry(&mut losses_only, 10_000);
    assert_eq!(losses_only.tally().lost, tally.lost);
    assert_eq!(losses_only.tally().delivered, 10_000 - tally.lost);
}

#[test]
fn losses_are_reported_when_the_frame_would_have_arrived() {
    let mut link = link(&Config { loss: Probability::ONE, delay: ms(3), ..Config::default() });
    assert_eq!(carry(&mut link, 2), [(3, Output::Lost(0)), (4, Output::Lost(1))]);
}

#[test]
fn a_frame_held_back_is_overtaken_and_makes_nobody_wait() {
    let config = Config { reorder: share(0.01), reorder_delay: ms(5), ..Config::default() };
    let mut link = link(&config);
    let arrivals = carry(&mut link, 1_000);
    let held: Vec<u32> = arrivals
        .iter()
        .zip(frames(&arrivals))
        .filter(|((time, _), frame)| *time != u64::from(*frame))
        .map(|((time, _), frame)| {
            assert_eq!(*time, u64::from(frame) + 5);
            frame
        })
        .collect();
    assert_eq!(held.len() as u64, link.tally().reordered);
    assert!((2..25).contains(&held.len()), "{held:?}");
    // The frame sent when it arrives at last comes behind it.
    let order = frames(&arrivals);
    let place = |frame| order.iter().position(|other| *other == frame).unwrap();
    for frame in held.into_iter().filter(|frame| *frame < 990) {
        assert!(place(frame) > place(frame + 4), "{order:?}");
    }
}

#[test]
fn jitter_does_not_reorder() {
    let config = Config { delay: ms(10), jitter: ms(20), ..Config::default() };
    let mut link = link(&config);
    let arrivals = carry(&mut link, 1_000);
    assert!(frames(&arrivals).is_sorted());
    let delays = arrivals.iter().zip(0u64..).map(|((time, _), sent)| time - sent);
    let (least, most) = delays.fold((u64::MAX, 0), |(l, m), delay| (l.min(delay), m.max(delay)));
    assert!((10..=15).contains(&least) && (28..=30).contains(&most), "{least} to {most} ms");
}

#[test]
fn the_copy_is_whole_and_arrives_with_the_original() {
    let config =
        Config { duplicate: Probability::ONE, corrupt: Probability::ONE, ..Config::default() };
    let mut link = link(&config);
    let arrivals = carry(&mut link, 100);
    for (pair, frame) in arrivals.chunks(2).zip(0u32..) {
        let [(first, Output::Corrupted { frame: original, bit }), copy] = pair else {
            panic!("{pair:?}");
        };
        assert_eq!((*first, *original), (frame.into(), frame));
        assert_eq!(*copy, (frame.into(), Output::Delivered(frame)));
        assert!(*bit < 8_000);
    }
}

#[test]
fn flipped_bits_are_spread_over_the_frame() {
    let mut link = link(&Config { corrupt: Probability::ONE, ..Config::default() });
    let mut eighths = [0u32; 8];
    for (_, output) in carry(&mut link, 8_000) {
        let Output::Corrupted { bit, .. } = output else { panic!("{output:?}") };
        eighths[usize::try_from(bit / 1_000).unwrap()] += 1;
    }
    assert!(eighths.iter().all(|count| (880..1_120).contains(count)), "{eighths:?}");
}

#[test]
fn the_queue_bounds_what_waits_for_the_transmitter() {
    let config = Config {
        rate: Some(BitRate::from_mbit_per_s(8)), // 1 ms a frame
        queue: Bytes::new(3_000),
        ..Config::default()
    };
    let mut link = link(&config);
    let size = Bytes::new(1_000);
    let taken: Vec<bool> =
        (0..5).map(|frame| link.offer(at(0), frame, size, None).is_ok()).collect();
    assert_eq!(taken, [true, true, true, false, false]);
    assert_eq!(link.poll(at(1)), Some(Output::Delivered(0)));
    assert_eq!(link.offer(at(1), 9, size, None), Ok(()));
    assert_eq!(link.offer(at(1), 10, size, None), Err(10));
    assert_eq!(link.poll_timeout(), Some(at(2)));
    assert_eq!((link.tally().refused, link.in_flight()), (3, 3));
}

#[test]
fn a_channel_takes_its_share() {
    let config =
        two_state::Config { switches: vec![at(10), at(20)], ..two_state::Config::default() };
    let rng = Pcg64::seed_from_u64(1);
    let mut channel = Channel::new(&config, Duration::ZERO, rng.clone(), rng);
    let mut link = link(&Config::default());
    for time in 0..30 {
        link.offer(at(time), 0, Bytes::new(100), Some(&mut channel)).unwrap();
    }
    assert_eq!(link.tally().lost, 10);
}

proptest! {
    /// Every frame is accounted for, and the same seed gives the same course.
    #[test]
    fn nothing_is_forgotten(
        seed: u64,
        shares in prop::array::uniform4(0.0..=1.0f64),
        delays in prop::array::uniform3(0u64..30),
        queue in 0u64..10_000,
        pauses in prop::collection::vec((0u64..5, 1u64..2_000), 1..200),
    ) {
        let [loss, duplicate, reorder, corrupt] = shares.map(share);
        let [delay, jitter, reorder_delay] = delays.map(ms);
        let rate = BitRate::new(1_000_000);
        let queue = Bytes::new(queue);
        let config = Config {
            loss, duplicate, reorder, reorder_delay, corrupt, delay, jitter, rate, queue,
        };
        let course = || {
            let mut link = Impaired::new(&config, Pcg64::seed_from_u64(seed));
            let (mut now, mut course) = (0, Vec::new());
            for (frame, (pause, size)) in pauses.iter().enumerate() {
                now += pause;
                while let Some(output) = link.poll(at(now)) {
                    course.push(output);
                }
                let _ = link.offer(at(now), frame, Bytes::new(*size), None);
            }
            let tally = *link.tally();
            let lost = course.iter().filter(|output| matches!(output, Output::Lost(_))).count();
            let in_flight = link.in_flight();
            assert_eq!(tally.delivered, (course.len() - lost) as u64);
            assert_eq!(
                tally.offered + tally.duplicated,
                tally.refused + course.len() as u64 + in_flight as u64
            );
            course
        };
        prop_assert_eq!(course(), course());
    }
}
