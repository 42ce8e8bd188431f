//! Saturated IEEE 802.11 cells: what theory says of stations that always have
//! a frame to send and all hear each other.
//!
//! Two kinds of answers, both without frames, carrier sense or NAV, so that a
//! simulation of those can be held against them:
//!
//! * [`Contention::solve`], a mean-field model: every attempt meets the same
//!   collision probability. By G. Bianchi, "Performance analysis of the IEEE
//!   802.11 distributed coordination function", IEEE JSAC 18(3), 2000, whose
//!   equations are cited here as B(n); with the retry limit of H. Wu et al.,
//!   "Performance of reliable transport protocol over IEEE 802.11 wireless LAN",
//!   INFOCOM 2002; and, as an option, with [`Freezing::Exclusive`] after I.
//!   Tinnirello, G. Bianchi and Y. Xiao, "Refinements on IEEE 802.11 distributed
//!   coordination function modeling approaches", IEEE Trans. Veh. Tech. 59(3),
//!   2010.
//! * [`Countdown`], the stations' counters played out draw by draw. It keeps
//!   what the mean field averages away, and the head start that colliders have
//!   over those who wait EIFS.
//!
//! [`Cell`] is the simulation: an [`Air`](netjoule_link::dot11::Air) whose
//! stations never run out of frames.

mod cell;
mod countdown;
#[cfg(test)]
mod tests;

use netjoule_units::{Bytes, Duration};

pub use cell::{Cell, Flow, Report, station, to_one, together};
pub use countdown::{Countdown, Tally};

/// Which stations may send in the first slot after a busy period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Freezing {
    /// All of them: a busy period is one slot like any other (Bianchi 2000).
    #[default]
    Uniform,
    /// Only those who have just sent: a counter that was frozen is at least one
    /// (Tinnirello et al. 2010). A success is then followed by another of the
    /// same station with probability 1/W.
    ///
    /// After a collision the standard's ACK timeout and EIFS are taken to end
    /// together, and a collider that draws zero to draw again: an error in the
    /// order of 1/2W.
    Exclusive,
}

/// Stations that contend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contention {
    /// How many, at least one (Bianchi's n).
    pub stations: u32,
    /// Values that the first draw can have, at least two: CWmin + 1 (W).
    pub window: u32,
    /// How often the window doubles, 0 to 16 (m).
    pub stages: u32,
    /// Attempts after the first, until a frame is given up and the window
    /// falls back to W; `None` for no limit.
    pub retries: Option<u32>,
    /// What follows a busy period.
    pub freezing: Freezing,
}

/// How long the channel is occupied, and for how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// An empty slot (σ).
    pub slot: Duration,
    /// From the start of a frame that arrives until counters go on (T_s).
    pub success: Duration,
    /// The same for a collision (T_c), as those see it who did not send.
    pub collision: Duration,
    /// What a success is worth (`E[P]`).
    pub payload: Bytes,
}

/// Times of the parts of an exchange, for [`Costs::basic`] and
/// [`Costs::rts_cts`]. Each frame's time includes its preamble and PHY header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exchange {
    /// RTS.
    pub rts: Duration,
    /// CTS.
    pub cts: Duration,
    /// The data frame (H + `E[P]`).
    pub data: Duration,
    /// ACK.
    pub ack: Duration,
    /// Between the frames of an exchange.
    pub sifs: Duration,
    /// After a success.
    pub difs: Duration,
    /// After a collision: DIFS as in Bianchi's paper, EIFS in the standard.
    pub after_collision: Duration,
    /// Propagation delay, once per frame (δ).
    pub propagation: Duration,
}

impl Costs {
    /// Basic access, B(14).
    #[must_use]
    pub fn basic(slot: Duration, payload: Bytes, it: &Exchange) -> Self {
        let propagation = it.propagation;
        Self {
            slot,
            success: it.data + it.sifs + propagation + it.ack + it.difs + propagation,
            collision: it.data + it.after_collision + propagation,
            payload,
        }
    }

    /// RTS/CTS before every frame, B(17).
    #[must_use]
    pub fn rts_cts(slot: Duration, payload: Bytes, it: &Exchange) -> Self {
        let propagation = it.propagation;
        let invitation = it.rts + it.sifs + propagation + it.cts + it.sifs + propagation;
        Self {
            success: invitation + Self::basic(slot, payload, it).success,
            collision: it.rts + it.after_collision + propagation,
            slot,
            payload,
        }
    }
}

/// Where contention settles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equilibrium {
    /// The stations.
    of: Contention,
    /// Probability that a station sends in a slot that is open to all (τ).
    pub attempt: f64,
    /// Probability that who sends in such a slot is not alone (p).
    pub conflict: f64,
}

impl Contention {
    /// The fixed point of B(7), or its relatives, and B(9).
    ///
    /// B(9) rises and the attempt rate falls with the collision probability,
    /// so there is exactly one solution (section IV-A) and bisection finds it.
    #[must_use]
    pub fn solve(&self) -> Equilibrium {
        let (mut low, mut high) = (0.0, 1.0);
        // Every step halves the interval; after 60 a double holds no more.
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if middle < self.conflict_at(self.attempt_at(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        let conflict = f64::midpoint(low, high);
        Equilibrium { of: *self, attempt: self.attempt_at(conflict), conflict }
    }

    /// B(9): somebody else sends, too.
    fn conflict_at(&self, attempt: f64) -> f64 {
        1.0 - (1.0 - attempt).powf(f64::from(self.stations.saturating_sub(1)))
    }

    /// The attempt rate τ of a station whose attempts collide with probability
    /// `p`: attempts divided by the slots they take. B(7) is this sum in closed
    /// form, Wu's (2002) equation the one with a limit.
    pub(super) fn attempt_at(&self, p: f64) -> f64 {
        // Attempts at the stages below the last, then all others.
        let (mut attempts, mut slots, mut reached) = (0.0, 0.0, 1.0);
        let last = self.retries.map_or(self.stages, |retries| self.stages.min(retries));
        for stage in 0..last {
            attempts += reached;
            slots += reached * self.slots_at(stage);
            reached *= p;
        }
        let rest = match self.retries {
            Some(retries) => (0..=retries - last).map(|n| reached * p.powf(f64::from(n))).sum(),
            None if p < 1.0 => reached / (1.0 - p),
            // Every attempt fails: all that counts is the last stage.
            None => return self.slots_at(self.stages).recip(),
        };
        attempts += rest;
        slots += rest * self.slots_at(last);
        attempts / slots
    }

    /// Mean number of slots up to an attempt at `stage`, its own included.
    fn slots_at(&self, stage: u32) -> f64 {
        let window = f64::from(self.window) * f64::from(1u32 << stage.min(self.stages));
        match self.freezing {
            // 0 to W - 1 empty or busy slots, then the attempt.
            Freezing::Uniform => f64::midpoint(window, 1.0),
            // 1 to W - 1: who draws zero sends before the next slot begins.
            Freezing::Exclusive => window / 2.0,
        }
    }
}

impl Equilibrium {
    /// Probability that some station sends in a slot, B(10).
    #[must_use]
    pub fn busy(&self) -> f64 {
        1.0 - (1.0 - self.attempt).powf(f64::from(self.of.stations))
    }

    /// Probability that exactly one does: B(10) times B(11).
    #[must_use]
    pub fn alone(&self) -> f64 {
        f64::from(self.of.stations) * self.attempt * (1.0 - self.conflict)
    }

    /// Mean number of successes in a slot with one: above one if the station
    /// can go on before the others.
    fn in_a_row(&self) -> f64 {
        match self.of.freezing {
            Freezing::Uniform => 1.0,
            Freezing::Exclusive => 1.0 / (1.0 - f64::from(self.of.window).recip()),
        }
    }

    /// Collided attempts by all attempts.
    #[must_use]
    pub fn collisions(&self) -> f64 {
        let stations = f64::from(self.of.stations);
        let repeats = self.alone() * (self.in_a_row() - 1.0);
        stations * self.attempt * self.conflict / (stations * self.attempt + repeats)
    }

    /// Saturation throughput in bits per second, B(13): the payload of an
    /// average slot by its length.
    #[must_use]
    pub fn throughput_bit_per_s(&self, costs: &Costs) -> f64 {
        let (alone, row) = (self.alone(), self.in_a_row());
        let slot = costs.slot.as_secs_f64();
        // The slot that only those who have sent can use passes for all others.
        let tail = if self.of.freezing == Freezing::Exclusive { slot } else { 0.0 };
        let length = (1.0 - self.busy()) * slot
            + alone * (row * costs.success.as_secs_f64() + tail)
            + (self.busy() - alone) * (costs.collision.as_secs_f64() + tail);
        alone * row * costs.payload.bits() as f64 / length
    }
}
