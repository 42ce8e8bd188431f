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
    /// Which of the transmitter's channels it goes over.
    pub channel: usize,
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
    /// Word of a lost frame that `poll` still has to pass on.
    corrupted: bool,
    /// When the frame arrives for the first time, if it does.
    arrival: Option<Instant>,
    end: Instant,
    acknowledged: bool,
}

/// One network card with its queues.
#[derive(Clone, Debug)]
pub struct Transmitter<F> {
    timing: Timing,
    config: Config,
    ack_time: Duration,
    discipline: Discipline,
    /// Sorted by key.
    queues: Vec<Queue<F>>,
    /// Indices of `queues` that have frames, in the order of service.
    turns: VecDeque<usize>,
    exchange: Option<Exchange>,
    transmissions: u64,
}

impl<F: Clone> Transmitter<F> {
    /// An idle transmitter.
    #[must_use]
    pub fn new(timing: Timing, config: Config, discipline: Discipline) -> Self {
        Self {
            ack_time: timing.transmission_time(config.ack_size),
            timing,
            config,
            discipline,
            queues: Vec::new(),
            turns: VecDeque::new(),
            exchange: None,
            transmissions: 0,
        }
    }

    /// Takes a frame of connection `key` into its queue. Only the caller's
    /// buffer bounds the queues.
    pub fn offer(&mut self, key: u32, frame: Frame<F>) {
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
    /// the next exchange when the last has ended. `channels` are those that
    /// frames name.
    pub fn poll(&mut self, now: Instant, channels: &mut [Channel]) -> Option<Output<F>> {
        loop {
            let Some(exchange) = &mut self.exchange else {
                let queue = self.turns.pop_front()?;
                self.begin(now, queue, channels);
                continue;
            };
            let queue = &mut self.queues[exchange.queue];
            if exchange.corrupted {
                exchange.corrupted = false;
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
            if let Some(output) = self.finish() {
                return Some(output);
            }
        }
    }

    /// When something happens next.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Instant> {
        let exchange = self.exchange.as_ref()?;
        Some(exchange.arrival.unwrap_or(exchange.end))
    }

    /// Frames in its care that have not reached the other end.
    pub fn in_flight(&self) -> impl Iterator<Item = &Frame<F>> {
        self.queues.iter().flat_map(|queue| queue.frames.iter().skip(usize::from(queue.delivered)))
    }

    /// Settles the fate of the next attempt of `queue`'s first frame. Nothing
    /// that comes later can change it.
    fn begin(&mut self, now: Instant, queue: usize, channels: &mut [Channel]) {
        let Queue { frames, delivered, .. } = &self.queues[queue];
        let frame = &frames[0];
        let channel = &mut channels[frame.channel];
        let airtime = self.timing.transmission_time(frame.size + self.config.frame_header);
        let arrival = now + airtime + self.timing.delay;
        let end = arrival + self.ack_time + self.timing.delay;
        let corrupted = channel.loses(now, now, airtime);
        let acknowledged = !corrupted && !channel.loses(now, arrival, self.ack_time);
        self.exchange = Some(Exchange {
            queue,
            transmission: self.transmissions,
            corrupted,
            // The receiver answers a frame it has already, but drops it.
            arrival: (!corrupted && !delivered).then_some(arrival),
            end: if acknowledged { end } else { end + self.config.ack_margin },
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
            if attempts > self.config.retries {
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
