//! What radios draw, against sums that a reader can do: sending takes 1.4 W,
//! receiving 0.9 W, listening 0.8 W, dozing 50 mW.

use netjoule_energy::device::{Kind, Radio, Sourced};
use netjoule_energy::ledger::Spent;
use netjoule_energy::radio::{RadioAccount, RadioMeter};
use netjoule_units::Power;

use super::*;

fn milliwatts(mw: u64) -> Sourced<Power> {
    let value = Power::from_milliwatts(mw);
    Sourced { value, kind: Kind::Assumed, source: "this test".into() }
}

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

fn metered(mut story: Story) -> Story {
    for station in 0..story.air.stations.len() {
        story.air.set_radio(station, RadioMeter::new(&card()));
    }
    story
}

fn account(story: &mut Story, station: usize, at_us: u64) -> RadioAccount {
    *story.air.radio_mut(station).unwrap().account(us(at_us))
}

fn spent(power_mw: u64, time_us: u64) -> Spent {
    let (power, time) = (Power::from_milliwatts(power_mw), Duration::from_micros(time_us));
    Spent { time, energy: power * time }
}

#[test]
fn sender_receiver_and_bystanders_differ() {
    let stations = [0, 10, 20, 300].map(|x_m| at(x_m, any()));
    let range = Some(Distance::from_metres(100));
    let config = Config { range, ..Config::default() };
    let mut story = metered(Story::new(&config, stations.into()));
    story.offer(1_000, 0, To::Station(1), 1);
    story.run(us(10_000));
    let [sender, receiver, bystander, distant] =
        [0, 1, 2, 3].map(|station| account(&mut story, station, 10_000));
    // A frame of 992 µs, and an ACK of 248 µs.
    assert_eq!(sender.transmit.of(Purpose::Payload), spent(1_400, 992));
    assert_eq!(sender.receive.of(Purpose::LinkControl), spent(900, 248));
    assert_eq!(receiver.receive.of(Purpose::Payload), spent(900, 992));
    assert_eq!(receiver.transmit.of(Purpose::LinkControl), spent(1_400, 248));
    assert_eq!(bystander.receive.of(Purpose::Others), spent(900, 992 + 248));
    for account in [sender, receiver, bystander] {
        assert_eq!(account.listen, spent(800, 10_000 - 992 - 248));
    }
    assert_eq!(distant.total(), spent(800, 10_000).energy);
}

#[test]
fn what_is_sent_again_is_booked_as_that() {
    let mut story = metered(Story::new(&Config::default(), vec![at(0, any()), at(10, any())]));
    let switches = vec![us(0), us(1_500)];
    let config = two_state::Config { switches, ..two_state::Config::default() };
    story.air.set_channel(0, 1, Channel::new(&config, Duration::from_nanos(1), any(), any()));
    story.offer(1_000, 0, To::Station(1), 1);
    story.run(us(10_000));
    let sender = account(&mut story, 0, 10_000);
    assert_eq!(sender.transmit.of(Purpose::Payload), spent(1_400, 992));
    assert_eq!(sender.transmit.of(Purpose::Repetition), spent(1_400, 992));
    // The receiver has been on the same channel, and has heard it fade.
    let receiver = account(&mut story, 1, 10_000);
    assert_eq!(receiver.receive.total(), spent(900, 2 * 992));
}

#[test]
fn naps_are_what_the_station_says_they_are() {
    let mut stations = vec![at(0, any()), at(10, any())];
    stations[0].role = Role::AccessPoint;
    stations[1].role = Role::PowerSaver;
    let mut story = metered(Story::new(&Config::default(), stations));
    story.run(us(1_030_000));
    let dozed = story.air.stats(1).dozed;
    let end_us = 1_024_712;
    let saver = account(&mut story, 1, end_us);
    assert_eq!(saver.doze.time, dozed);
    assert_eq!(saver.receive.of(Purpose::PowerSave), spent(900, 10 * 712));
}

#[test]
fn what_has_gone_off_is_silent_and_deaf() {
    let stations = vec![at(0, any()), at(10, any()), at(20, any())];
    let mut story = metered(Story::new(&Config::default(), stations));
    story.offer(1_000, 0, To::Station(1), 1);
    story.run(us(1_400));
    story.air.switch_off(us(1_400), 0);
    // Its frame breaks off, so nobody answers; nobody answers the other either.
    story.offer(3_000, 1, To::Station(0), 2);
    let told = story.told();
    assert_eq!(told[..2], ["1000..1992 data 0>1", "3000..3992 data 1>0"]);
    assert!(told[1..].iter().all(|line| !line.contains("ack") && !line.contains("0>")));
    assert_eq!(told.last().unwrap(), "2 given up after 7");
}

#[test]
fn what_has_gone_off_draws_nothing() {
    let mut story = metered(Story::new(&Config::default(), vec![at(0, any()), at(10, any())]));
    story.offer(1_000, 0, To::Station(1), 1);
    story.run(us(1_400));
    story.air.switch_off(us(1_400), 0);
    story.run(us(50_000));
    let account = account(&mut story, 0, 50_000);
    assert_eq!(account.total(), spent(800, 1_000).energy + spent(1_400, 400).energy);
}
