//! Exchanges on exact times: frames of 8 ms, 1 ms of propagation, a link ACK
//! without length, and a margin of 1 ms.

use netjoule_units::BitRate;
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::*;
use crate::two_state;

/// A transmitter with its channels, driven from one deadline to the next.
struct Card {
    transmitter: Transmitter<u32>,
    channels: Vec<Channel>,
}

impl Card {
    /// One path per entry of `switches_ms`.
    fn new(discipline: Discipline, retries: u32, switches_ms: &[&[u64]]) -> Self {
        let timing = Timing {
            rate: BitRate::from_mbit_per_s(1),
            delay: Duration::from_millis(1),
            step: Duration::ZERO,
        };
        let config = Config {
            retries,
            ack_margin: Duration::from_millis(1),
            ack_size: Bytes::ZERO,
            frame_header: Bytes::ZERO,
        };
        let mut transmitter = Transmitter::new(discipline);
        let channels = switches_ms.iter().enumerate().map(|(channel, switches)| {
            transmitter.add_path(Path { channel, timing, config: config.clone() });
            let switches = switches.iter().map(|&ms| Instant::from_millis(ms)).collect();
            let config =
                two_state::Config { switches, mean_bad: Duration::ZERO, ..Default::default() };
            let rng = Pcg64::seed_from_u64(1);
            Channel::new(&config, Duration::ZERO, rng.clone(), rng)
        });
        let channels = channels.collect();
        Self { transmitter, channels }
    }

    fn offer(&mut self, ms: u64, key: u32, payload: u32) {
        // 1000 bytes take 8 ms at 1 Mbit/s; connection `key` uses path `key`.
        let path = key as usize % self.channels.len();
        let frame = Frame { payload, size: Bytes::new(1_000), path };
        self.transmitter.offer(Instant::from_millis(ms), key, frame, &mut self.channels);
    }

    /// Everything that happens from now on, as `time what payload`.
    fn story(&mut self) -> Vec<String> {
        let mut story = Vec::new();
        while let Some(now) = self.transmitter.poll_timeout() {
            while let Some(output) = self.transmitter.poll(now, &mut self.channels) {
                let (what, frame) = match output {
                    Output::Corrupted { frame, .. } => ("corrupted", frame),
                    Output::Delivered(frame) => ("delivered", frame),
                    Output::Deferred(frame) => ("deferred", frame),
                    Output::GivenUp { frame, delivered: true, .. } => ("unconfirmed", frame),
                    Output::GivenUp { frame, .. } => ("given up", frame),
                    Output::Acknowledged(frame) => ("acknowledged", frame),
                };
                story.push(format!("{} {what} {}", now.as_millis(), frame.payload));
            }
        }
        story
    }
}

#[test]
fn a_good_exchange_takes_ten_milliseconds() {
    let mut card = Card::new(Discipline::RoundRobin, 8, &[&[]]);
    card.offer(0, 0, 1);
    card.offer(0, 0, 2);
    assert_eq!(
        card.story(),
        ["9 delivered 1", "10 acknowledged 1", "19 delivered 2", "20 acknowledged 2"]
    );
}

#[test]
fn failures_take_eleven_and_are_told_at_the_first_and_the_last() {
    // BAD from 0 to 30 ms: attempts at 0, 11 and 22 fail.
    let mut card = Card::new(Discipline::RoundRobin, 2, &[&[0, 30]]);
    card.offer(0, 0, 1);
    card.offer(0, 0, 2);
    assert_eq!(
        card.story(),
        [
            "0 corrupted 1",
            "11 deferred 1",
            "11 corrupted 1",
            "22 corrupted 1",
            "33 given up 1",
            "42 delivered 2",
            "43 acknowledged 2"
        ]
    );
}

#[test]
fn a_lost_link_ack_repeats_a_frame_that_is_delivered_only_once() {
    // GOOD while the frame is sent, BAD when its link ACK leaves at 9 ms.
    let mut card = Card::new(Discipline::RoundRobin, 8, &[&[8, 10]]);
    card.offer(0, 0, 1);
    assert_eq!(card.story(), ["9 delivered 1", "11 deferred 1", "21 acknowledged 1"]);
}

#[test]
fn a_frame_whose_every_link_ack_is_lost_was_delivered_all_the_same() {
    let mut card = Card::new(Discipline::RoundRobin, 1, &[&[8, 11, 19, 22]]);
    card.offer(0, 0, 1);
    assert_eq!(card.story(), ["9 delivered 1", "11 deferred 1", "22 unconfirmed 1"]);
}

#[test]
fn round_robin_gives_each_connection_one_attempt_in_turn() {
    // Connection 0 is on a channel that is BAD for the first 30 ms.
    let mut card = Card::new(Discipline::RoundRobin, 8, &[&[0, 30], &[]]);
    card.offer(0, 0, 1);
    card.offer(0, 1, 2);
    card.offer(0, 1, 3);
    assert_eq!(
        card.story(),
        [
            "0 corrupted 1",
            "11 deferred 1",
            "20 delivered 2",
            "21 acknowledged 2",
            "21 corrupted 1",
            "41 delivered 3",
            "42 acknowledged 3",
            "51 delivered 1",
            "52 acknowledged 1"
        ]
    );
}

#[test]
fn fifo_makes_the_others_wait_for_the_bad_channel() {
    let mut card = Card::new(Discipline::Fifo, 8, &[&[0, 30], &[]]);
    card.offer(0, 0, 1);
    card.offer(0, 1, 2);
    assert_eq!(
        card.story(),
        [
            "0 corrupted 1",
            "11 deferred 1",
            "11 corrupted 1",
            "22 corrupted 1",
            "42 delivered 1",
            "43 acknowledged 1",
            "52 delivered 2",
            "53 acknowledged 2"
        ]
    );
}

#[test]
fn a_connection_that_comes_later_does_not_disturb_the_exchange_under_way() {
    let mut card = Card::new(Discipline::RoundRobin, 8, &[&[]]);
    card.offer(0, 5, 1);
    card.offer(0, 5, 2);
    card.offer(3, 2, 3);
    card.offer(3, 9, 4);
    assert_eq!(
        card.story(),
        [
            "9 delivered 1",
            "10 acknowledged 1",
            "19 delivered 3",
            "20 acknowledged 3",
            "29 delivered 4",
            "30 acknowledged 4",
            "39 delivered 2",
            "40 acknowledged 2"
        ]
    );
}
