//! One direction of a link that sends each frame once, in order: a cable, or
//! a wireless link whose sender does not repeat.

use std::collections::VecDeque;

use netjoule_units::{Bytes, Instant, Probability};
use rand::RngExt;
use rand_pcg::Pcg64;

use crate::Timing;
use crate::two_state::Channel;

/// What becomes of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output<F> {
    /// It reached the other end.
    Delivered(F),
    /// It was lost on the way.
    Lost(F),
}

/// Independent losses.
#[derive(Clone, Debug)]
pub struct Losses {
    probability: Probability,
    rng: Pcg64,
}

/// A transmitter with an unbounded FIFO and what is on the line behind it.
///
/// A frame's fate and arrival are settled when it is offered, since nothing
/// that comes later can change them; only the arrival is an event.
#[derive(Clone, Debug)]
pub struct Pipe<F> {
    timing: Timing,
    busy_until: Instant,
    on_the_line: VecDeque<(Instant, Output<F>)>,
}

impl Losses {
    /// Losses with `probability`, drawn from a stream of their own.
    #[must_use]
    pub const fn new(probability: Probability, rng: Pcg64) -> Self {
        Self { probability, rng }
    }

    fn draw(&mut self) -> bool {
        !self.probability.is_zero() && self.rng.random_bool(self.probability.get())
    }
}

impl<F> Pipe<F> {
    /// An idle pipe.
    #[must_use]
    pub const fn new(timing: Timing) -> Self {
        Self { timing, busy_until: Instant::ZERO, on_the_line: VecDeque::new() }
    }

    /// How long its frames take.
    #[must_use]
    pub const fn timing(&self) -> &Timing {
        &self.timing
    }

    /// Takes a frame to send over a cable. Returns when its last bit leaves
    /// the transmitter.
    pub fn offer(&mut self, now: Instant, frame: F, size: Bytes, losses: &mut Losses) -> Instant {
        let lost = losses.draw();
        self.send(now, frame, size, |_, _| lost)
    }

    /// Takes a frame to send over the air. Returns when its last bit leaves
    /// the transmitter.
    pub fn offer_on_air(
        &mut self,
        now: Instant,
        frame: F,
        size: Bytes,
        channel: &mut Channel,
    ) -> Instant {
        self.send(now, frame, size, |from, until| channel.loses(now, from, until - from))
    }

    fn send(
        &mut self,
        now: Instant,
        frame: F,
        size: Bytes,
        lost: impl FnOnce(Instant, Instant) -> bool,
    ) -> Instant {
        let start = self.busy_until.max(now);
        let sent = start + self.timing.transmission_time(size);
        let fate = if lost(start, sent) { Output::Lost(frame) } else { Output::Delivered(frame) };
        self.busy_until = sent;
        self.on_the_line.push_back((sent + self.timing.delay, fate));
        sent
    }

    /// The next frame that has come through, or would have, by `now`.
    pub fn poll(&mut self, now: Instant) -> Option<Output<F>> {
        self.on_the_line.front().filter(|(arrival, _)| *arrival <= now)?;
        self.on_the_line.pop_front().map(|(_, fate)| fate)
    }

    /// When the next frame comes through.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Instant> {
        self.on_the_line.front().map(|(arrival, _)| *arrival)
    }

    /// Frames not yet come through, waiting or on the line.
    pub fn in_flight(&self) -> impl Iterator<Item = &F> {
        self.on_the_line.iter().map(|(_, fate)| match fate {
            Output::Delivered(frame) | Output::Lost(frame) => frame,
        })
    }
}

#[cfg(test)]
mod tests {
    use netjoule_units::{BitRate, Duration};
    use rand::SeedableRng;

    use super::*;

    fn losses(probability: f64) -> Losses {
        Losses::new(Probability::new(probability).unwrap(), Pcg64::seed_from_u64(3))
    }

    fn pipe() -> Pipe<u32> {
        Pipe::new(Timing {
            rate: BitRate::from_mbit_per_s(8),
            delay: Duration::from_millis(100),
            step: Duration::ZERO,
        })
    }

    #[test]
    fn frames_queue_behind_each_other_and_arrive_in_order() {
        let mut pipe = pipe();
        let size = Bytes::from_kib(1); // 1.024 ms at 8 Mbit/s
        for frame in 0..3 {
            pipe.offer(Instant::ZERO, frame, size, &mut losses(0.0));
        }
        for frame in 0..3u32 {
            let due = Instant::from_nanos(100_000_000 + u64::from(frame + 1) * 1_024_000);
            assert_eq!(pipe.poll_timeout(), Some(due));
            assert_eq!(pipe.poll(Instant::from_nanos(due.as_nanos() - 1)), None);
            assert_eq!(pipe.poll(due), Some(Output::Delivered(frame)));
        }
        assert_eq!(pipe.poll_timeout(), None);
    }

    #[test]
    fn losses_are_reported_when_the_frame_would_have_arrived() {
        let (mut pipe, mut losses) = (pipe(), losses(0.1));
        for frame in 0..10_000 {
            pipe.offer(Instant::ZERO, frame, Bytes::new(1), &mut losses);
        }
        let mut lost = 0;
        while let Some(output) = pipe.poll(Instant::NEVER) {
            lost += u32::from(matches!(output, Output::Lost(_)));
        }
        assert!((900..1_100).contains(&lost), "{lost} of 10000 at 0.1");
    }
}
