//! The continuous-time two-state channel (goel1997 4.2, after Bhagwat et al.
//! 1996): GOOD and BAD in turn, each for an exponentially distributed stay.
//!
//! The channel's course depends on its random stream alone, not on the frames
//! sent over it, so that variants meet the same channel.

use std::collections::VecDeque;

use netjoule_units::{Duration, Instant, Probability};
use rand::RngExt;
use rand::distr::Distribution;
use rand_distr::Exp1;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

/// Which part of a transmission has to meet a GOOD channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exposure {
    /// All of it: a frame is exposed to BAD if the channel is BAD at any
    /// moment of its transmission.
    #[default]
    AnyMoment,
    /// Its first moment only.
    Start,
}

/// Settings of a channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Mean stay in GOOD.
    pub mean_good: Duration,
    /// Mean stay in BAD; zero for a channel that never leaves GOOD.
    pub mean_bad: Duration,
    /// Probability that a frame exposed to GOOD only is lost.
    pub loss_good: Probability,
    /// Probability that a frame exposed to BAD is lost.
    pub loss_bad: Probability,
    /// Which part of a transmission counts.
    pub exposure: Exposure,
    /// The moments of the state's changes, from GOOD at the start, in place of
    /// random stays; GOOD or BAD for ever after the last one.
    pub switches: Vec<Instant>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            mean_good: Duration::from_secs(5),
            mean_bad: Duration::from_millis(100),
            loss_good: Probability::ZERO,
            loss_bad: Probability::ONE,
            exposure: Exposure::AnyMoment,
            switches: Vec::new(),
        }
    }
}

impl Config {
    /// The same channel without any loss.
    #[must_use]
    pub fn lossless(&self) -> Self {
        Self { loss_good: Probability::ZERO, loss_bad: Probability::ZERO, ..self.clone() }
    }

    /// Checks every range.
    ///
    /// # Errors
    /// Every setting that is out of range, as its name and what was expected.
    pub fn validate(&self) -> Result<(), Vec<(&'static str, String)>> {
        let mut wrong = Vec::new();
        if self.mean_good.is_zero() {
            wrong.push(("mean_good", "a time above zero".into()));
        }
        if !self.switches.is_sorted() {
            wrong.push(("switches", "times that do not decrease".into()));
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}

/// The two states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Frames are lost with `loss_good`.
    Good,
    /// Frames are lost with `loss_bad`.
    Bad,
}

impl State {
    /// The other one.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Good => Self::Bad,
            Self::Bad => Self::Good,
        }
    }
}

/// Where the moments of change come from.
#[derive(Clone, Debug)]
enum Stays {
    Drawn {
        mean_good: Duration,
        mean_bad: Duration,
        step: Duration,
    },
    /// All changes are known; none follows the last one.
    Listed,
}

/// A channel in time.
#[derive(Clone, Debug)]
pub struct Channel {
    stays: Stays,
    rng: Pcg64,
    /// Draws of single losses, apart from those of the stays: how many there
    /// are depends on the traffic.
    loss_rng: Pcg64,
    loss_good: Probability,
    loss_bad: Probability,
    exposure: Exposure,
    /// The state until the first entry of `switches`.
    state: State,
    /// Known changes that are not yet in the past.
    switches: VecDeque<Instant>,
    /// The state after the last known change, and since when.
    newest: (State, Instant),
}

impl Channel {
    /// A channel that starts GOOD at time zero. `stays` and `losses` are random
    /// streams of its own; stays are cut to whole multiples of `step`.
    #[must_use]
    pub fn new(config: &Config, step: Duration, stays: Pcg64, losses: Pcg64) -> Self {
        let listed = !config.switches.is_empty() || config.mean_bad.is_zero();
        let switches: VecDeque<Instant> = config.switches.iter().copied().collect();
        Self {
            stays: if listed {
                Stays::Listed
            } else {
                // Shorter means would be cut to nothing, and time stand still.
                Stays::Drawn {
                    mean_good: config.mean_good.max(step),
                    mean_bad: config.mean_bad.max(step),
                    step,
                }
            },
            rng: stays,
            loss_rng: losses,
            loss_good: config.loss_good,
            loss_bad: config.loss_bad,
            exposure: config.exposure,
            state: State::Good,
            newest: (State::Good, Instant::ZERO),
            switches,
        }
    }

    /// Whether a frame on the air from `from` for `airtime` is lost. `now` is
    /// the driver's time: nobody asks about anything before it any more.
    pub fn loses(&mut self, now: Instant, from: Instant, airtime: Duration) -> bool {
        let until = match self.exposure {
            Exposure::AnyMoment => from + airtime,
            Exposure::Start => from,
        };
        self.catch_up(now);
        self.know_until(until);
        let loss = match self.worst(from, until) {
            State::Good => self.loss_good,
            State::Bad => self.loss_bad,
        };
        if loss.is_zero() {
            false
        } else if loss.is_one() {
            true
        } else {
            self.loss_rng.random_bool(loss.get())
        }
    }

    /// The next change of state that is due by `now`, in order: the moment and
    /// the state that begins. For observers that follow the channel with a
    /// copy of their own.
    pub fn poll_switch(&mut self, now: Instant) -> Option<(Instant, State)> {
        if self.switches.is_empty() && self.newest.1 <= now {
            self.draw();
        }
        let &at = self.switches.front().filter(|at| **at <= now)?;
        self.switches.pop_front();
        self.state = self.state.flipped();
        Some((at, self.state))
    }

    /// The worst state that holds for some time in `from..until`, or the state
    /// at `from` when that span is empty.
    fn worst(&self, from: Instant, until: Instant) -> State {
        let (mut state, mut since) = (self.state, from);
        for &change in &self.switches {
            if change > since {
                if state == State::Bad {
                    return State::Bad;
                }
                if change >= until {
                    return State::Good;
                }
                since = change;
            }
            state = state.flipped();
        }
        state
    }

    /// Forgets the changes up to `now`, drawing them if need be: however long
    /// ago the last question was, nothing that is past is kept.
    fn catch_up(&mut self, now: Instant) {
        loop {
            let Some(&change) = self.switches.front() else {
                if self.newest.1 <= now && self.draw() {
                    continue;
                }
                return;
            };
            if change > now {
                return;
            }
            self.switches.pop_front();
            self.state = self.state.flipped();
        }
    }

    /// Draws stays until the state at `until` and its end are known.
    fn know_until(&mut self, until: Instant) {
        while self.newest.1 <= until && self.draw() {}
    }

    /// Draws the stay after the last known change, if there is one.
    fn draw(&mut self) -> bool {
        let Stays::Drawn { mean_good, mean_bad, step } = self.stays else { return false };
        let (state, since) = self.newest;
        if since == Instant::NEVER {
            return false;
        }
        let mean = if state == State::Good { mean_good } else { mean_bad };
        let stretch: f64 = Exp1.sample(&mut self.rng);
        let stay = Duration::from_secs_f64(stretch * mean.as_secs_f64()).floor_to(step);
        self.newest = (state.flipped(), since + stay);
        self.switches.push_back(self.newest.1);
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;

    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn at(ms: u64) -> Instant {
        Instant::from_millis(ms)
    }

    fn channel(config: &Config) -> Channel {
        Channel::new(config, ms(0), Pcg64::seed_from_u64(1), Pcg64::seed_from_u64(2))
    }

    fn listed(switches: &[u64], exposure: Exposure) -> Channel {
        let switches = switches.iter().map(|&t| at(t)).collect();
        channel(&Config { switches, exposure, ..Config::default() })
    }

    #[test]
    fn a_frame_dies_if_any_moment_of_it_is_bad() {
        let cases = [
            (0, 10, false),  // ends as BAD begins
            (5, 10, true),   // runs into BAD
            (10, 5, true),   // inside
            (19, 10, true),  // begins in the last BAD millisecond
            (20, 10, false), // begins as GOOD begins
            (10, 0, true),   // a moment, BAD
            (20, 0, false),  // a moment, GOOD
            (5, 100, true),  // spans all of BAD
        ];
        for (from, airtime, lost) in cases {
            let mut channel = listed(&[10, 20], Exposure::AnyMoment);
            assert_eq!(channel.loses(at(0), at(from), ms(airtime)), lost, "{from}+{airtime}");
        }
    }

    #[test]
    fn only_the_start_counts_if_so_chosen() {
        for (from, lost) in [(5, false), (10, true), (19, true), (20, false)] {
            let mut channel = listed(&[10, 20], Exposure::Start);
            assert_eq!(channel.loses(at(0), at(from), ms(10)), lost, "{from}");
        }
    }

    #[test]
    fn a_zero_stay_is_no_moment() {
        let mut channel = listed(&[10, 10], Exposure::AnyMoment);
        assert!(!channel.loses(at(0), at(0), ms(20)));
    }

    #[test]
    fn stays_shorter_than_the_clock_do_not_stop_time() {
        let ns = Duration::from_nanos(1);
        let config = Config { mean_good: ns, mean_bad: ns, ..Config::default() };
        let rng = Pcg64::seed_from_u64(1);
        let mut channel = Channel::new(&config, ms(1), rng.clone(), rng);
        assert!(channel.loses(at(0), at(0), ms(1_000)));
    }

    #[test]
    fn stays_have_their_means() {
        let mut channel = channel(&Config::default());
        let end = Instant::ZERO + Duration::from_secs(200_000);
        let (mut since, mut bad, mut bads) = (Instant::ZERO, Duration::ZERO, 0u64);
        while let Some((change, state)) = channel.poll_switch(end) {
            if state == State::Good {
                bad += change - since;
                bads += 1;
            }
            since = change;
        }
        // 39,200 periods: the standard error of each mean is half a percent.
        let mean_bad = bad.as_secs_f64() / bads as f64;
        let period = 200_000.0 / bads as f64;
        assert!((mean_bad / 0.1 - 1.0).abs() < 0.02, "mean BAD {mean_bad} s");
        assert!((period / 5.1 - 1.0).abs() < 0.02, "mean period {period} s");
    }

    #[test]
    fn single_losses_have_their_probability() {
        let loss_good = Probability::new(0.2).unwrap();
        let mut channel =
            channel(&Config { loss_good, mean_bad: Duration::ZERO, ..Config::default() });
        let lost = (0..100_000).filter(|&t| channel.loses(at(t), at(t), ms(1))).count();
        assert!((lost as f64 / 100_000.0 - 0.2).abs() < 0.005, "{lost} of 100000");
    }

    #[test]
    fn a_long_silence_leaves_nothing_behind() {
        let config = Config { mean_good: ms(1), mean_bad: ms(1), ..Config::default() };
        let mut asked = channel(&config);
        asked.loses(at(1_000_000), at(1_000_000), ms(1));
        assert!(asked.switches.capacity() < 1_000);
        let mut followed = channel(&config);
        let changes = core::iter::from_fn(|| followed.poll_switch(at(1_000_000))).count();
        assert!(changes > 900_000);
        assert!(followed.switches.capacity() < 1_000);
    }

    proptest! {
        /// The answer does not depend on what was asked before.
        #[test]
        fn looking_ahead_changes_nothing(
            seed: u64,
            ask in prop::collection::vec((0u64..50, 0u64..100, 0u64..20), 1..100),
        ) {
            let config = Config { mean_good: ms(50), mean_bad: ms(20), ..Config::default() };
            let new = || Channel::new(
                &config, ms(0), Pcg64::seed_from_u64(seed), Pcg64::seed_from_u64(0));
            let (mut eager, mut now) = (new(), at(0));
            for (pause, ahead, airtime) in ask {
                now += ms(pause);
                let from = now + ms(ahead);
                let fresh = new().loses(at(0), from, ms(airtime));
                prop_assert_eq!(eager.loses(now, from, ms(airtime)), fresh);
            }
        }
    }
}
