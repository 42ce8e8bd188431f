//! The counters of saturated stations, draw by draw.

use netjoule_units::Duration;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Stations with nothing but counters: whose counter ends first sends, whose
/// counter ends less than a slot later collides with it, all others stand still
/// and go on with the slots they had left. No retry limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Countdown {
    /// How many stations, at least one.
    pub stations: usize,
    /// Values of the first draw: CWmin + 1.
    pub window: u64,
    /// How often the window doubles.
    pub stages: u32,
    /// A slot.
    pub slot: Duration,
    /// From the start of a frame that arrives to the end of its exchange, and
    /// DIFS after it.
    pub success: Duration,
    /// From the start of the last frame of a collision until the counters of
    /// those who did not send go on.
    pub collision: Duration,
    /// From the start of its frame until the counter of a collider starts.
    pub timeout: Duration,
}

/// What has happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Frames begun.
    pub attempts: u64,
    /// Of these, not alone.
    pub collided: u64,
    /// Simulated time.
    pub elapsed: Duration,
}

impl Tally {
    /// Collided attempts by all attempts.
    #[must_use]
    pub fn collisions(&self) -> f64 {
        self.collided as f64 / self.attempts as f64
    }

    /// Successes per second.
    #[must_use]
    pub fn successes_per_s(&self) -> f64 {
        (self.attempts - self.collided) as f64 / self.elapsed.as_secs_f64()
    }
}

struct Station {
    stage: u32,
    /// When it sends if nobody does before, in nanoseconds.
    due: u64,
}

impl Countdown {
    /// Plays `busy` busy periods.
    #[must_use]
    pub fn play(&self, busy: u64, seed: u64) -> Tally {
        let slot = self.slot.as_nanos();
        let mut rng = Pcg64::seed_from_u64(seed);
        let mut draw = |stage: u32| rng.random_range(0..self.window << stage) * slot;
        let mut stations: Vec<_> =
            (0..self.stations).map(|_| Station { stage: 0, due: draw(0) }).collect();
        let mut tally = Tally::default();
        let mut now = 0;
        for _ in 0..busy {
            let first = stations.iter().map(|it| it.due).min().unwrap_or(0);
            let sends = |it: &Station| it.due < first + slot;
            let senders = stations.iter().filter(|it| sends(it));
            let (count, last) = senders.fold((0, first), |(n, last), it| (n + 1, last.max(it.due)));
            tally.attempts += count;
            tally.collided += if count > 1 { count } else { 0 };
            let others_go_on = match count {
                1 => first + self.success.as_nanos(),
                _ => last + self.collision.as_nanos(),
            };
            for it in &mut stations {
                if !sends(it) {
                    it.due = others_go_on + (it.due - first).div_ceil(slot) * slot;
                } else if count == 1 {
                    it.stage = 0;
                    it.due = others_go_on + draw(0);
                } else {
                    it.stage = self.stages.min(it.stage + 1);
                    it.due += self.timeout.as_nanos() + draw(it.stage);
                }
            }
            now = others_go_on;
        }
        tally.elapsed = Duration::from_nanos(now);
        tally
    }
}
