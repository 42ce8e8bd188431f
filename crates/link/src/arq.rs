//! The reliable link layer of goel1997 (4.3.1): stop and wait with a bounded
//! number of retries, a queue per connection served in turn, and word of the
//! first failure and of the last.
//!
//! One [`Transmitter`] is one network card. An exchange sends a frame, waits
//! for the link acknowledgment and ends with it, or with the time-out that
//! stands for its absence; then the next one begins. The receiving end's part,
//! answering every frame and passing on each only once, is modelled here too.

use std::collections::VecDeque;

use netjoule_units::{Bytes, Duration, Instant};
use serde::{Deserialize, Serialize};

use crate::Timing;
use crate::two_state::Channel;

/// Settings of the link layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Attempts after the first one before a frame is given up.
    pub retries: u32,
    /// How much longer than a successful exchange the sender waits.
    pub ack_margin: Duration,
    /// Length of a link acknowledgment.
    pub ack_size: Bytes,
    /// Bytes that the link layer adds to each packet.
    pub frame_header: Bytes,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            retries: 8,
            ack_margin: Duration::from_millis(1),
            ack_size: Bytes::new(14),
            frame_header: Bytes::new(34),
        }
    }
}

/// The order in which waiting frames are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Discipline {
    /// A queue per connection, one attempt each in turn: a connection whose
    /// channel is bad does not hold up the others.
    RoundRobin,
    /// One queue: a frame is repeated until it succeeds or is given up.
    Fifo,
}

/// A frame in the link layer's care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<F> {
    /// What is to be delivered.
    pub payload: F,
    /// Its length, without the link header.
    pub size: Bytes,
    /// Which of the transmitter's paths it takes.
    pub path: usize,
}

/// What becomes of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output<F> {
    /// An attempt has begun in which the frame will be lost on the air.
    Corrupted {
        /// The frame.
        frame: Frame<F>,
        /// Number of this transmission on this transmitter, from 0.
        transmission: u64,
    },
    /// The frame reached the other end for the first time.
    Delivered(Frame<F>),
    /// The first attempt has failed; more follow.
    Deferred(Frame<F>),
    /// The last attempt has failed; the frame has left the queue.
    GivenUp {
        /// The frame.
        frame: Frame<F>,
        /// Whether it reached the other end and only its acknowledgments died.
        delivered: bool,
        /// Number of its last transmission on this transmitter, from 0.
        transmission: u64,
        /// Attempts made.
        attempts: u32,
    },
    /// The frame has been acknowledged and has left the queue.
    Acknowledged(Frame<F>),
}

/// A link that a transmitter serves.
#[derive(Clone, Debug)]
pub struct Path {
    /// Index of its channel among those passed to the transmitter.
    pub channel: usize,
    /// How long its frames take.
    pub timing: Timing,
    /// How it repeats them.
    pub config: Config,
}

/// The frames of one connection, or of all.
#[derive(Clone, Debug)]
struct Queue<F> {
    key: u32,
    frames: VecDeque<Frame<F>>,
    /// Failed attempts of the frame at the head.
    failures: u32,
    /// Whether the frame at the head has reached the other end.
    delivered: bool,
}

/// The exchange under way.
#[derive(Clone, Copy, Debug)]
struct Exchange {
    queue: usize,
    transmission: u64,
    /// When it began, if `poll` still has to tell that its frame is lost.
    corrupted: Option<Instant>,
    /// When the frame arrives for the first time, if it does.
    arrival: Option<Instant>,
    end: Instant,
    acknowledged: bool,
}

/// One network card with its queues.
#[derive(Clone, Debug)]
pub struct Transmitter<F> {
    paths: Vec<Path>,
    discipline: Discipline,
    /// Sorted by key.
    queues: Vec<Queue<F>>,
    /// Indices of `queues` that have frames, in the order of service.
    turns: VecDeque<usize>,
    exchange: Option<Exchange>,
    transmissions: u64,
}

impl<F: Clone> Transmitter<F> {
    /// An idle transmitter without paths.
    #[must_use]
    pub const fn new(discipline: Discipline) -> Self {
        Self {
            paths: Vec::new(),
            discipline,
            queues: Vec::new(),
            turns: VecDeque::new(),
            exchange: None,
            transmissions: 0,
        }
    }

    /// Adds a link to serve. Returns its index for [`Frame::path`].
    pub fn add_path(&mut self, path: Path) -> usize {
        self.paths.push(path);
        self.paths.len() - 1
    }

    /// Takes a frame of connection `key` into its queue, and begins to send it
    /// if nothing else is under way. Only the caller's buffer bounds the
    /// queues. `channels` are those that the paths name.
    pub fn offer(&mut self, now: Instant, key: u32, frame: Frame<F>, channels: &mut [Channel]) {
        let key = match self.discipline {
            Discipline::RoundRobin => key,
            Discipline::Fifo => 0,
        };
        let index = match self.queues.binary_search_by_key(&key, |queue| queue.key) {
            Ok(index) => index,
            Err(index) => self.add_queue(index, key),
        };
        let queue = &mut self.queues[index];
        queue.frames.push_back(frame);
        // A queue that is being served returns to its turn when that ends.
        if queue.frames.len() == 1 {
            self.turns.push_back(index);
        }
        if self.exchange.is_none() {
            self.begin_next(now, channels);
        }
    }

    /// Makes room for a new connection: indices behind it move up by one.
    fn add_queue(&mut self, index: usize, key: u32) -> usize {
        let moved = self.turns.iter_mut().chain(self.exchange.as_mut().map(|e| &mut e.queue));
        moved.filter(|queue| **queue >= index).for_each(|queue| *queue += 1);
        let frames = VecDeque::new();
        self.queues.insert(index, Queue { key, frames, failures: 0, delivered: false });
        index
    }

    /// What has happened by `now`, one thing at a time and in order; begins
    /// the next exchange when the last has ended.
    pub fn poll(&mut self, now: Instant, channels: &mut [Channel]) -> Option<Output<F>> {
        loop {
            let exchange = self.exchange.as_mut()?;
            let queue = &mut self.queues[exchange.queue];
            if exchange.corrupted.take().is_some() {
                return Some(Output::Corrupted {
                    frame: queue.frames[0].clone(),
                    transmission: exchange.transmission,
                });
            }
            if exchange.arrival.is_some_and(|arrival| arrival <= now) {
                exchange.arrival = None;
                queue.delivered = true;
                return Some(Output::Delivered(queue.frames[0].clone()));
            }
            if exchange.end > now {
                return None;
            }
            let output = self.finish();
            self.begin_next(now, channels);
            if output.is_some() {
                return output;
            }
        }
    }

    /// When something happens next.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Instant> {
        let exchange = self.exchange.as_ref()?;
        exchange.corrupted.or(exchange.arrival).or(Some(exchange.end))
    }

    /// Frames in its care that have not reached the other end.
    pub fn in_flight(&self) -> impl Iterator<Item = &Frame<F>> {
        self.queues.iter().flat_map(|queue| queue.frames.iter().skip(usize::from(queue.delivered)))
    }

    /// Begins the exchange of the queue whose turn it is and settles its fate:
    /// nothing that comes later can change it.
    fn begin_next(&mut self, now: Instant, channels: &mut [Channel]) {
        let Some(queue) = self.turns.pop_front() else { return };
        let Queue { frames, delivered, .. } = &self.queues[queue];
        let frame = &frames[0];
        let Path { channel, timing, config } = &self.paths[frame.path];
        let channel = &mut channels[*channel];
        let airtime = timing.transmission_time(frame.size + config.frame_header);
        let ack_time = timing.transmission_time(config.ack_size);
        let arrival = now + airtime + timing.delay;
        let end = arrival + ack_time + timing.delay;
        let corrupted = channel.loses(now, now, airtime);
        let acknowledged = !corrupted && !channel.loses(now, arrival, ack_time);
        self.exchange = Some(Exchange {
            queue,
            transmission: self.transmissions,
            corrupted: corrupted.then_some(now),
            // The receiver answers a frame it has already, but drops it.
            arrival: (!corrupted && !delivered).then_some(arrival),
            end: if acknowledged { end } else { end + config.ack_margin },
            acknowledged,
        });
        self.transmissions += 1;
    }

    /// Ends the exchange and says what that means for its frame, if anything.
    fn finish(&mut self) -> Option<Output<F>> {
        let exchange = self.exchange.take()?;
        let queue = &mut self.queues[exchange.queue];
        let mut output = None;
        if exchange.acknowledged {
            output = queue.leave().map(Output::Acknowledged);
        } else {
            queue.failures += 1;
            let (attempts, delivered) = (queue.failures, queue.delivered);
            let retries =
                queue.frames.front().map_or(0, |frame| self.paths[frame.path].config.retries);
            if attempts > retries {
                let transmission = exchange.transmission;
                output = queue.leave().map(|frame| Output::GivenUp {
                    frame,
                    delivered,
                    transmission,
                    attempts,
                });
            } else if attempts == 1 {
                output = queue.frames.front().cloned().map(Output::Deferred);
            }
        }
        if !queue.frames.is_empty() {
            self.turns.push_back(exchange.queue);
        }
        output
    }
}

impl<F> Queue<F> {
    /// Takes out the first frame and starts afresh with the next.
    fn leave(&mut self) -> Option<Frame<F>> {
        self.failures = 0;
        self.delivered = false;
        self.frames.pop_front()
    }
}

#[cfg(test)]
mod tests;
