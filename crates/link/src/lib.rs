//! Links and queues without I/O.
//!
//! # The drive contract
//!
//! A part here never reads a clock and never waits. Its driver
//!
//! 1. gives it frames with `offer(now, ..)`,
//! 2. takes everything that `poll(now, ..)` returns, until it returns `None`,
//!    whenever the time of `poll_timeout()` has come; it asks for that time anew
//!    after each `offer` and `poll`,
//! 3. calls with times that never decrease.
//!
//! Frames are any `Clone` type with a size; in simulation they are small
//! values, behind a real device they are buffers.
//!
//! A wireless channel is a part of its own, because both directions of a link
//! share it and a transmitter may serve several of them. It is passed to
//! whoever sends.

pub mod arq;
pub mod buffer;
pub mod dot11;
pub mod impair;
pub mod pipe;
mod queues;
pub mod two_state;

use netjoule_units::{BitRate, Bytes, Duration};

/// How long frames take on one direction of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// The rate.
    pub rate: BitRate,
    /// The propagation delay.
    pub delay: Duration,
    /// Transmission times are cut to whole multiples of this.
    pub step: Duration,
}

impl Timing {
    /// How long the transmitter is busy with `size`.
    #[must_use]
    pub fn transmission_time(&self, size: Bytes) -> Duration {
        self.rate.transmission_time(size).floor_to(self.step)
    }
}
