//! One direction of a link that ill-treats what it carries: for tests of a
//! protocol, and between a real stack and the device that it sends to.
//!
//! A frame passes, in this order,
//!
//! 1. a queue of bounded size: a frame that does not fit is refused;
//! 2. a transmitter of limited rate;
//! 3. the line: the frame is lost (each by itself, or as a two-state channel
//!    has it), one of its bits is flipped, it arrives twice;
//! 4. the delay, which keeps the order: a frame with a shorter delay than the
//!    one before arrives right behind it;
//! 5. reordering: a frame that is held back leaves the row and arrives
//!    `reorder_delay` later than it would have. Those behind it overtake it if
//!    they arrive in the meantime; it makes nobody wait.
//!
//! Each kind of mishap draws from a random stream of its own, once a frame if
//! its probability is above zero, so that a setting leaves the draws for the
//! others alone.

use core::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use netjoule_units::{BitRate, Bytes, Duration, Instant, Probability};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use crate::buffer::Buffer;
use crate::two_state::Channel;

/// Settings of one direction; the default carries everything at once and
/// whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Probability that a frame is lost on the line.
    pub loss: Probability,
    /// Probability that a frame that is not lost arrives twice. The copy is
    /// whole and arrives in order, even if the original is neither.
    pub duplicate: Probability,
    /// Probability that a frame is held back.
    pub reorder: Probability,
    /// For how long it is held back.
    pub reorder_delay: Duration,
    /// Probability that one bit of a frame is flipped, each bit alike.
    pub corrupt: Probability,
    /// The least delay of the line.
    pub delay: Duration,
    /// The most that is added to it: uniform, for each frame anew.
    pub jitter: Duration,
    /// The transmitter's rate; as fast as frames come without one.
    pub rate: Option<BitRate>,
    /// How much can wait for the transmitter, with what it is sending.
    pub queue: Bytes,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            loss: Probability::ZERO,
            duplicate: Probability::ZERO,
            reorder: Probability::ZERO,
            reorder_delay: Duration::from_millis(10),
            corrupt: Probability::ZERO,
            delay: Duration::ZERO,
            jitter: Duration::ZERO,
            rate: None,
            queue: Bytes::MAX,
        }
    }
}

/// What becomes of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output<F> {
    /// It reached the other end as it was.
    Delivered(F),
    /// It reached the other end with one bit changed: its owner flips the
    /// `bit`, counted from the first bit of the first byte.
    Corrupted {
        /// The frame, still whole.
        frame: F,
        /// Which bit to flip, less than eight times the frame's size.
        bit: u64,
    },
    /// It was lost on the way, and would have arrived now.
    Lost(F),
}

/// What has happened to frames so far. `offered + duplicated` is what was
/// refused, lost and delivered, and what is still on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Frames that came.
    pub offered: u64,
    /// Frames for which the queue had no room.
    pub refused: u64,
    /// Frames lost on the line.
    pub lost: u64,
    /// Copies made.
    pub duplicated: u64,
    /// Frames held back.
    pub reordered: u64,
    /// Frames with a bit flipped.
    pub corrupted: u64,
    /// Frames that reached the other end, copies among them.
    pub delivered: u64,
}

/// Draws of one kind of mishap.
#[derive(Clone, Debug)]
struct Draws {
    probability: Probability,
    rng: Pcg64,
}

impl Draws {
    fn happens(&mut self) -> bool {
        !self.probability.is_zero() && self.rng.random_bool(self.probability.get())
    }
}

/// One direction of a link; see the module's description.
#[derive(Clone, Debug)]
pub struct Impaired<F> {
    loss: Draws,
    duplicate: Draws,
    reorder: Draws,
    corrupt: Draws,
    delay: Duration,
    jitter: Duration,
    jitter_rng: Pcg64,
    reorder_delay: Duration,
    rate: Option<BitRate>,
    queue: Buffer,
    busy_until: Instant,
    /// The last arrival in order so far.
    last_arrival: Instant,
    on_the_line: BinaryHeap<Reverse<Arrival<F>>>,
    /// How many have been put on the line.
    count: u64,
    tally: Tally,
}

/// What arrives, when; at the same moment in the order of their numbers.
#[derive(Clone, Debug)]
struct Arrival<F> {
    at: Instant,
    number: u64,
    output: Output<F>,
}

impl<F: Clone> Impaired<F> {
    /// An idle link whose draws all come from `rng`.
    #[must_use]
    pub fn new(config: &Config, mut rng: Pcg64) -> Self {
        let mut draws = |probability| Draws { probability, rng: Pcg64::from_rng(&mut rng) };
        Self {
            loss: draws(config.loss),
            duplicate: draws(config.duplicate),
            reorder: draws(config.reorder),
            corrupt: draws(config.corrupt),
            jitter_rng: Pcg64::from_rng(&mut rng),
            delay: config.delay,
            jitter: config.jitter,
            reorder_delay: config.reorder_delay,
            rate: config.rate,
            queue: Buffer::new(config.queue),
            busy_until: Instant::ZERO,
            last_arrival: Instant::ZERO,
            on_the_line: BinaryHeap::new(),
            count: 0,
            tally: Tally::default(),
        }
    }

    /// Takes a frame to send; `channel` is the air that it crosses, if any.
    ///
    /// # Errors
    /// The frame, if the queue has no room for it.
    pub fn offer(
        &mut self,
        now: Instant,
        frame: F,
        size: Bytes,
        channel: Option<&mut Channel>,
    ) -> Result<(), F> {
        self.tally.offered += 1;
        if !self.queue.admit(now, size) {
            self.tally.refused += 1;
            return Err(frame);
        }
        let start = self.busy_until.max(now);
        let airtime = self.rate.map_or(Duration::ZERO, |rate| rate.transmission_time(size));
        let sent = start + airtime;
        self.busy_until = sent;
        self.queue.release_at(now, sent, size);

        let faded = channel.is_some_and(|channel| channel.loses(now, start, airtime));
        let lost = self.loss.happens() || faded;
        let copied = self.duplicate.happens() && !lost;
        let held_back = self.reorder.happens() && !lost;
        let flipped = self.flipped(size).filter(|_| !lost);
        let in_order = (sent + self.delay + self.jitter()).max(self.last_arrival);
        self.last_arrival = in_order;

        self.tally.lost += u64::from(lost);
        self.tally.duplicated += u64::from(copied);
        self.tally.reordered += u64::from(held_back);
        self.tally.corrupted += u64::from(flipped.is_some());
        let copy = copied.then(|| frame.clone());
        let at = if held_back { in_order + self.reorder_delay } else { in_order };
        let output = match flipped {
            _ if lost => Output::Lost(frame),
            Some(bit) => Output::Corrupted { frame, bit },
            None => Output::Delivered(frame),
        };
        self.put_on_the_line(at, output);
        if let Some(copy) = copy {
            self.put_on_the_line(in_order, Output::Delivered(copy));
        }
        Ok(())
    }

    /// What has come through, or would have, by `now`.
    pub fn poll(&mut self, now: Instant) -> Option<Output<F>> {
        self.on_the_line.peek().filter(|Reverse(next)| next.at <= now)?;
        let Reverse(Arrival { output, .. }) = self.on_the_line.pop()?;
        self.tally.delivered += u64::from(!matches!(output, Output::Lost(_)));
        Some(output)
    }

    /// When the next frame comes through.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Instant> {
        self.on_the_line.peek().map(|Reverse(next)| next.at)
    }

    /// Frames not yet come through, waiting or on the line.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.on_the_line.len()
    }

    /// What has happened so far.
    #[must_use]
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The bit to flip in a frame of `size`, if that is its lot.
    fn flipped(&mut self, size: Bytes) -> Option<u64> {
        let bits = size.get() * 8;
        (self.corrupt.happens() && bits > 0).then(|| self.corrupt.rng.random_range(0..bits))
    }

    fn jitter(&mut self) -> Duration {
        if self.jitter.is_zero() {
            return Duration::ZERO;
        }
        Duration::from_nanos(self.jitter_rng.random_range(0..=self.jitter.as_nanos()))
    }

    fn put_on_the_line(&mut self, at: Instant, output: Output<F>) {
        self.on_the_line.push(Reverse(Arrival { at, number: self.count, output }));
        self.count += 1;
    }
}

impl<F> Arrival<F> {
    const fn key(&self) -> (Instant, u64) {
        (self.at, self.number)
    }
}

impl<F> PartialEq for Arrival<F> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl<F> Eq for Arrival<F> {}

impl<F> PartialOrd for Arrival<F> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<F> Ord for Arrival<F> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

#[cfg(test)]
mod tests;
