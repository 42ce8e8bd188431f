use netjoule_units::{BitRate, Duration, Energy, Instant, Power};
use proptest::prelude::*;

use super::*;
use crate::device::{Kind, Radio, Sourced, Tail, UpTo};

fn known<T>(value: T) -> Sourced<T> {
    Sourced { value, kind: Kind::Assumed, source: "this test".into() }
}

fn milliwatts(mw: u64) -> Sourced<Power> {
    known(Power::from_milliwatts(mw))
}

/// Sending 1400 mW, receiving 900, listening 800, dozing 50.
fn card() -> Radio {
    Radio {
        transmit: milliwatts(1_400),
        transmit_per_bit: None,
        transmit_up_to: Vec::new(),
        receive: milliwatts(900),
        receive_per_bit: None,
        overhear: None,
        listen: milliwatts(800),
        doze: Some(milliwatts(50)),
        wake_up: None,
        tail: Vec::new(),
        promotion: None,
    }
}

fn ms(ms: u64) -> Instant {
    Instant::from_millis(ms)
}

const RATE: BitRate = BitRate::from_mbit_per_s(11);

fn joules(energy: Energy) -> f64 {
    energy.as_joules_f64()
}

fn spent(power_mw: u64, time_ms: u64) -> Spent {
    let (power, time) = (Power::from_milliwatts(power_mw), Duration::from_millis(time_ms));
    Spent { time, energy: power * time }
}

#[test]
fn each_state_takes_its_power_times_its_time() {
    let mut radio = RadioMeter::new(&card());
    radio.transmit(ms(100), ms(110), RATE, Purpose::Payload);
    radio.receive(ms(110), ms(112), RATE, Purpose::LinkControl);
    radio.receive(ms(200), ms(230), RATE, Purpose::Others);
    radio.doze(ms(300));
    radio.wake(ms(900));
    let account = *radio.account(ms(1_000));
    assert_eq!(account.transmit.of(Purpose::Payload), spent(1_400, 10));
    assert_eq!(account.receive.of(Purpose::LinkControl), spent(900, 2));
    assert_eq!(account.receive.of(Purpose::Others), spent(900, 30));
    assert_eq!(account.doze, spent(50, 600));
    assert_eq!(account.listen, spent(800, 1_000 - 10 - 2 - 30 - 600));
    assert!((joules(account.total()) - (0.014 + 0.0288 + 0.03 + 0.2864)).abs() < 1e-12);
}

#[test]
fn who_sends_two_at_once_sends_until_both_are_over() {
    let mut radio = RadioMeter::new(&card());
    radio.transmit(ms(0), ms(10), RATE, Purpose::Payload);
    radio.transmit(ms(3), ms(4), RATE, Purpose::LinkControl);
    radio.transmit(ms(9), ms(20), RATE, Purpose::Acknowledgment);
    let account = *radio.account(ms(30));
    assert_eq!(account.transmit.of(Purpose::Payload), spent(1_400, 9));
    assert_eq!(account.transmit.of(Purpose::LinkControl), Spent::default());
    assert_eq!(account.transmit.of(Purpose::Acknowledgment), spent(1_400, 11));
    assert_eq!(account.listen, spent(800, 10));
}

#[test]
fn who_sends_hears_nothing_and_who_hears_two_hears_the_first() {
    let mut radio = RadioMeter::new(&card());
    radio.receive(ms(0), ms(10), RATE, Purpose::Payload);
    radio.receive(ms(4), ms(14), RATE, Purpose::Others);
    // The first is cut off, the second begins while it sends.
    radio.receive(ms(20), ms(30), RATE, Purpose::Payload);
    radio.transmit(ms(25), ms(35), RATE, Purpose::Acknowledgment);
    radio.receive(ms(30), ms(40), RATE, Purpose::Others);
    let account = *radio.account(ms(50));
    assert_eq!(account.receive.of(Purpose::Payload), spent(900, 14 + 5));
    assert_eq!(account.receive.of(Purpose::Others), Spent::default());
    assert_eq!(account.transmit.of(Purpose::Acknowledgment), spent(1_400, 10));
    assert_eq!(account.listen, spent(800, 6 + 15));
}

#[test]
fn power_follows_the_bit_rate() {
    // The HTC Legend of the cross-factor table sends 5.2 nJ with each bit.
    let mut card = card();
    card.transmit_per_bit = Some(known("5.2 nJ".parse().unwrap()));
    let mut radio = RadioMeter::new(&card);
    radio.transmit(ms(0), ms(1_000), BitRate::from_mbit_per_s(48), Purpose::Payload);
    assert_eq!(radio.power(ms(500)), "1.6496 W".parse().unwrap());
    assert_eq!(radio.account(ms(1_000)).total(), "1.6496 J".parse().unwrap());
}

#[test]
fn awakenings_and_promotions_are_paid_for_once_each() {
    let mut card = card();
    card.wake_up = Some(known("2 mJ".parse().unwrap()));
    card.promotion = Some(known("300 mJ".parse().unwrap()));
    card.tail = vec![
        Tail { power: milliwatts(1_600), lasts: known(Duration::from_millis(100)) },
        Tail { power: milliwatts(1_000), lasts: known(Duration::from_secs(10)) },
    ];
    let mut radio = RadioMeter::new(&card);
    radio.transmit(ms(1_000), ms(1_010), RATE, Purpose::Payload);
    // In its tail it is still at hand.
    radio.transmit(ms(5_000), ms(5_010), RATE, Purpose::Payload);
    assert_eq!(radio.power(ms(5_050)), Power::from_milliwatts(1_600));
    assert_eq!(radio.power(ms(5_200)), Power::from_milliwatts(1_000));
    assert_eq!(radio.power(ms(20_000)), Power::from_milliwatts(800));
    radio.transmit(ms(30_000), ms(30_010), RATE, Purpose::Payload);
    radio.doze(ms(50_000));
    radio.wake(ms(51_000));
    radio.wake(ms(51_001));
    let account = *radio.account(ms(52_000));
    assert_eq!(account.promotions, "600 mJ".parse().unwrap());
    assert_eq!(account.wake_ups, "2 mJ".parse().unwrap());
    assert_eq!(account.transmit.total(), spent(1_400, 30));
    // Tails of 3.99, 10.1 and 10.1 s, each with 100 ms at 1.6 W.
    let tails = 3.0 * 0.16 + (3.89 + 10.0 + 10.0);
    let listened = 0.8 * (1.0 + (24.99 - 10.1) + (19.99 - 10.1) + 1.0);
    assert!((joules(account.listen.energy) - tails - listened).abs() < 1e-9);
}

#[test]
fn what_is_switched_off_draws_nothing() {
    let mut radio = RadioMeter::new(&card());
    radio.transmit(ms(0), ms(10), RATE, Purpose::Payload);
    radio.switch_off(ms(4));
    radio.receive(ms(6), ms(8), RATE, Purpose::Payload);
    assert_eq!(radio.account(ms(1_000)).total(), spent(1_400, 4).energy);
    assert_eq!(radio.power(ms(6)), Power::ZERO);
}

proptest! {
    /// However often it is asked, every moment is in one state, and what it has
    /// drawn is what it drew at each moment.
    #[test]
    fn the_account_is_the_integral_of_the_power(
        events in prop::collection::vec((0u64..5, 1u64..60, 1u64..40), 1..60),
        has_tail: bool,
    ) {
        let mut card = card();
        if has_tail {
            card.tail = vec![
                Tail { power: milliwatts(1_100), lasts: known(Duration::from_millis(7)) },
                Tail { power: milliwatts(950), lasts: known(Duration::from_millis(13)) },
            ];
        }
        let (mut radio, mut sampled) = (RadioMeter::new(&card), RadioMeter::new(&card));
        let mut now = 0;
        let mut integral = Energy::ZERO;
        for (event, pause, lasts) in events {
            for tick in now..now + pause {
                integral += sampled.power(ms(tick)) * Duration::from_millis(1);
                sampled.account(ms(tick));
            }
            now += pause;
            for radio in [&mut radio, &mut sampled] {
                let is_dozing = radio.power(ms(now)) == Power::from_milliwatts(50);
                match event {
                    // Who sends is awake, and sends one frame at a time.
                    0 if !is_dozing && radio.power(ms(now)) != Power::from_milliwatts(1_400) => {
                        radio.transmit(ms(now), ms(now + lasts), RATE, Purpose::Payload);
                    }
                    1 | 2 => radio.receive(ms(now), ms(now + lasts), RATE, Purpose::Others),
                    3 if radio.power(ms(now)) < Power::from_milliwatts(900) => radio.doze(ms(now)),
                    4 => radio.wake(ms(now)),
                    _ => {}
                }
            }
        }
        let account = *radio.account(ms(now));
        prop_assert_eq!(account, *sampled.account(ms(now)));
        prop_assert_eq!(account.total(), integral);
        let states = [account.transmit.total(), account.receive.total()];
        let time = states.iter().map(|it| it.time).chain([account.listen.time, account.doze.time]);
        prop_assert_eq!(time.fold(Duration::ZERO, |sum, it| sum + it), Duration::from_millis(now));
    }
}

#[test]
fn slower_rates_may_have_a_power_of_their_own() {
    let up_to = |mbit, mw| UpTo { rate: BitRate::from_mbit_per_s(mbit), power: milliwatts(mw) };
    let card = Radio { transmit_up_to: vec![up_to(2, 2_000), up_to(11, 1_700)], ..card() };
    for (mbit, power) in [(1, 2_000), (2, 2_000), (3, 1_700), (11, 1_700), (12, 1_400)] {
        let rate = BitRate::from_mbit_per_s(mbit);
        let mut radio = RadioMeter::new(&card);
        radio.transmit(ms(0), ms(10), rate, Purpose::Payload);
        assert_eq!(radio.account(ms(10)).transmit.of(Purpose::Payload), spent(power, 10));
        assert_eq!(card.transmit_at(rate), Power::from_milliwatts(power));
    }
}
