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

pub use crate::queues::Discipline;

use crate::Timing;
use crate::queues::Queues;
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

/// What an exchange that has begun puts on the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun<F> {
    /// The frame.
    pub frame: Frame<F>,
    /// Whether it was sent before.
    pub is_repeated: bool,
    /// Its first moment at the transmitter.
    pub start: Instant,
    /// How long it takes.
    pub airtime: Duration,
    /// How long the link acknowledgment takes that follows it from the other
    /// end; `None` if the frame is lost.
    pub ack_time: Option<Duration>,
}

/// A frame in its queue.
#[derive(Clone, Debug)]
struct Waiting<F> {
    frame: Frame<F>,
    /// Failed attempts.
    failures: u32,
    /// Whether it has reached the other end.
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
    queues: Queues<Waiting<F>>,
    exchange: Option<Exchange>,
    transmissions: u64,
    /// Exchanges that have begun and were not asked for, if somebody asks.
    begun: Option<VecDeque<Begun<F>>>,
}

impl<F: Clone> Transmitter<F> {
    /// An idle transmitter without paths.
    #[must_use]
    pub const fn new(discipline: Discipline) -> Self {
        Self {
            paths: Vec::new(),
            queues: Queues::new(discipline),
            exchange: None,
            transmissions: 0,
            begun: None,
        }
    }

    /// Keeps what [`begun`](Self::begun) asks for from now on.
    pub fn keep_begun(&mut self) {
        self.begun = Some(VecDeque::new());
    }

    /// The next exchange that has begun and was not asked for.
    pub fn begun(&mut self) -> Option<Begun<F>> {
        self.begun.as_mut()?.pop_front()
    }

    /// The timing of a path.
    #[must_use]
    pub fn timing(&self, path: usize) -> &Timing {
        &self.paths[path].timing
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
        self.queues.push(key, Waiting { frame, failures: 0, delivered: false });
        if self.exchange.is_none() {
            self.begin_next(now, channels);
        }
    }

    /// What has happened by `now`, one thing at a time and in order; begins
    /// the next exchange when the last has ended.
    pub fn poll(&mut self, now: Instant, channels: &mut [Channel]) -> Option<Output<F>> {
        loop {
            let exchange = self.exchange.as_mut()?;
            let head = &mut self.queues.get_mut(exchange.queue)[0];
            if exchange.corrupted.take().is_some() {
                return Some(Output::Corrupted {
                    frame: head.frame.clone(),
                    transmission: exchange.transmission,
                });
            }
            if exchange.arrival.is_some_and(|arrival| arrival <= now) {
                exchange.arrival = None;
                head.delivered = true;
                return Some(Output::Delivered(head.frame.clone()));
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
        self.queues.iter().filter(|waiting| !waiting.delivered).map(|waiting| &waiting.frame)
    }

    /// Frames that the transmitter is not done with: to its knowledge they have
    /// neither arrived nor been given up.
    pub fn unfinished(&self) -> impl Iterator<Item = &Frame<F>> {
        self.queues.iter().map(|waiting| &waiting.frame)
    }

    /// Begins the exchange of the queue whose turn it is and settles its fate:
    /// nothing that comes later can change it.
    fn begin_next(&mut self, now: Instant, channels: &mut [Channel]) {
        let Some(queue) = self.queues.take_turn() else { return };
        let Waiting { frame, delivered, failures } = &self.queues.get(queue)[0];
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
        if let Some(begun) = &mut self.begun {
            begun.push_back(Begun {
                frame: frame.clone(),
                is_repeated: *failures > 0,
                start: now,
                airtime,
                ack_time: (!corrupted).then_some(ack_time),
            });
        }
    }

    /// Ends the exchange and says what that means for its frame, if anything.
    fn finish(&mut self) -> Option<Output<F>> {
        let Exchange { queue, transmission, acknowledged, .. } = self.exchange.take()?;
        let frames = self.queues.get_mut(queue);
        let head = &mut frames[0];
        let mut output = None;
        if acknowledged {
            output = frames.pop_front().map(|head| Output::Acknowledged(head.frame));
        } else {
            head.failures += 1;
            let attempts = head.failures;
            if attempts > self.paths[head.frame.path].config.retries {
                output = frames.pop_front().map(|Waiting { frame, delivered, .. }| {
                    Output::GivenUp { frame, delivered, transmission, attempts }
                });
            } else if attempts == 1 {
                output = Some(Output::Deferred(head.frame.clone()));
            }
        }
        self.queues.end_turn(queue);
        output
    }
}

#[cfg(test)]
mod tests;
