use std::collections::BTreeMap;

use netjoule_transport::cost::Meter;

use super::*;
use crate::device::{IdleState, Kind, Processor, Sourced};

fn known<T>(value: T) -> Sourced<T> {
    Sourced { value, kind: Kind::Assumed, source: "this test".into() }
}

fn milliwatts(mw: u64) -> Sourced<Power> {
    known(Power::from_milliwatts(mw))
}

/// Working 3 W; at rest 1 W, after 10 ms 100 mW with an awakening of 2 ms and
/// 5 mJ. A segment takes 190 µs, a byte copied 0.84 µs.
fn laptop() -> Processor {
    let shallow = IdleState {
        power: milliwatts(1_000),
        after: known(Duration::ZERO),
        wake_up_time: None,
        wake_up: None,
    };
    let deep = IdleState {
        power: milliwatts(100),
        after: known(Duration::from_millis(10)),
        wake_up_time: Some(known(Duration::from_millis(2))),
        wake_up: Some(known("5 mJ".parse().unwrap())),
    };
    let costs = [("data_out", "190 us"), ("bytes_copied", "0.84 us")];
    Processor {
        active: milliwatts(3_000),
        idle: vec![shallow, deep],
        costs: costs.map(|(name, cost)| (name.into(), known(cost.parse().unwrap()))).into(),
        forward: Some(known("50 us".parse().unwrap())),
        frame_out: Some(known("0.93 mJ".parse().unwrap())),
        frame_in: None,
    }
}

fn us(us: u64) -> Instant {
    Instant::from_nanos(us * 1_000)
}

#[test]
fn operations_take_their_costs() {
    let processor = ProcessorMeter::new(&laptop());
    let mut counts = Counts::default();
    counts.note(Operation::DataOut, 2);
    counts.note(Operation::BytesCopied, 2 * 1_460);
    counts.note(Operation::TimerChange, 7);
    let time = processor.time_of(&counts);
    assert_eq!(time.rounded_up(), Duration::from_nanos(2 * 190_000 + 2 * 1_460 * 840));
    assert_eq!(processor.time_to_forward(), WorkTime::from_micros(50));
}

#[test]
fn rest_is_shallow_and_then_deep() {
    let mut processor = ProcessorMeter::new(&laptop());
    // 5 ms after the start of time.
    assert_eq!(
        processor.work(us(5_000), WorkTime::from_micros(1_000), Purpose::Payload),
        us(6_000)
    );
    // One after the other is no awakening.
    let end = processor.work(us(6_000), WorkTime::from_micros(500), Purpose::Acknowledgment);
    assert_eq!(end, us(6_500));
    assert_eq!(processor.power(us(6_400)), Power::from_milliwatts(3_000));
    assert_eq!(processor.power(us(6_600)), Power::from_milliwatts(1_000));
    assert_eq!(processor.power(us(16_500)), Power::from_milliwatts(100));
    // After 30 ms it has to wake up from the deep state.
    let end = processor.work(us(36_500), WorkTime::from_micros(1_000), Purpose::Payload);
    assert_eq!(end, us(39_500));
    let account = *processor.account(us(40_000));
    assert_eq!(account.wake_up_count, 2);
    assert_eq!(account.wake_ups, "5 mJ".parse().unwrap());
    assert_eq!(account.active.of(Purpose::Payload).time, Duration::from_millis(1 + 3));
    assert_eq!(account.active.of(Purpose::Acknowledgment).time, Duration::from_micros(500));
    // 5 + 10 + 0.5 ms at 1 W, 20 ms at 0.1 W.
    assert_eq!(account.idle.energy, "17.5 mJ".parse().unwrap());
    assert_eq!(account.active.total().energy, "13.5 mJ".parse().unwrap());
    assert_eq!(account.total(), "36 mJ".parse().unwrap());
}

#[test]
fn a_frame_takes_energy_and_no_time() {
    let mut processor = ProcessorMeter::new(&laptop());
    processor.frame(Purpose::Payload, true);
    processor.frame(Purpose::Acknowledgment, false);
    let account = processor.account(us(0));
    assert_eq!(account.frames.of(Purpose::Payload).energy, "0.93 mJ".parse().unwrap());
    assert_eq!(account.total(), "0.93 mJ".parse().unwrap());
}

#[test]
fn what_is_switched_off_draws_nothing() {
    let mut processor = ProcessorMeter::new(&laptop());
    processor.work(us(0), WorkTime::from_micros(4_000), Purpose::Payload);
    processor.switch_off(us(1_000));
    assert_eq!(processor.account(us(100_000)).total(), "3 mJ".parse().unwrap());
    assert_eq!(processor.power(us(1_500)), Power::ZERO);
}

#[test]
fn to_look_changes_nothing() {
    let (mut seldom, mut often) = (ProcessorMeter::new(&laptop()), ProcessorMeter::new(&laptop()));
    let mut integral = Energy::ZERO;
    let work = BTreeMap::from([(1_000, 700), (3_000, 100), (20_000, 2_000), (24_000, 10)]);
    let mut free = 0;
    for now in 0..40_000 {
        if let Some(time) = work.get(&now) {
            assert!(free <= now);
            let time = WorkTime::from_micros(*time);
            let ends = [&mut seldom, &mut often].map(|it| it.work(us(now), time, Purpose::Payload));
            assert_eq!(ends[0], ends[1]);
            free = ends[0].as_nanos() / 1_000;
        }
        integral += often.power(us(now)) * Duration::from_micros(1);
        often.account(us(now));
    }
    let account = *seldom.account(us(40_000));
    assert_eq!(account, *often.account(us(40_000)));
    assert_eq!(account.total(), integral + account.wake_ups);
}
