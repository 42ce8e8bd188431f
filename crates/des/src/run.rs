//! The clock of a run and when it stops.

use netjoule_units::{Duration, Instant};

use crate::{Deadlines, Fingerprint, PartId};

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Its time is up.
    TimeLimit,
    /// It has dealt with as many events as it may.
    EventBudget,
    /// No part has a deadline any more.
    Idle,
}

/// When to stop a run that does not end by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The run stops before the first event after this span.
    pub time: Duration,
    /// The run stops after this many events.
    pub events: u64,
}

/// Simulated time, the events that made it pass, and their fingerprint.
#[derive(Clone, Debug)]
pub struct Clock {
    now: Instant,
    events: u64,
    limits: Limits,
    fingerprint: Fingerprint,
}

impl Clock {
    /// A clock at zero.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { now: Instant::ZERO, events: 0, limits, fingerprint: Fingerprint::default() }
    }

    /// The current time.
    #[must_use]
    pub const fn now(&self) -> Instant {
        self.now
    }

    /// Events so far.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// The fingerprint of the events so far.
    #[must_use]
    pub const fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Whether its time will never go on, not even to the time limit, unless
    /// `deadlines` change.
    #[must_use]
    pub fn has_stopped(&self, deadlines: &Deadlines) -> bool {
        let next = deadlines.first();
        next.is_none_or(|(at, _)| {
            self.events == self.limits.events && at.as_nanos() <= self.limits.time.as_nanos()
        })
    }

    /// Goes on to the first of `deadlines` and returns whose it is. The part
    /// called has to set its deadline anew.
    ///
    /// # Errors
    /// Why there is no next event. At the time limit the clock stands at it.
    ///
    /// # Panics
    /// If the deadline lies in the past: time never runs backwards.
    pub fn advance(&mut self, deadlines: &Deadlines) -> Result<PartId, Stop> {
        let (at, part) = deadlines.first().ok_or(Stop::Idle)?;
        assert!(at >= self.now, "time would run backwards, from {} to {at}", self.now);
        if at.as_nanos() > self.limits.time.as_nanos() {
            self.now = Instant::ZERO + self.limits.time;
            return Err(Stop::TimeLimit);
        }
        if self.events == self.limits.events {
            return Err(Stop::EventBudget);
        }
        self.now = at;
        self.events += 1;
        self.fingerprint.mix(at, part);
        Ok(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(time_ms: u64, events: u64) -> Clock {
        Clock::new(Limits { time: Duration::from_millis(time_ms), events })
    }

    #[test]
    fn a_run_stops_for_the_reason_that_comes_first() {
        let mut deadlines = Deadlines::new(1);
        assert_eq!(clock(10, 10).advance(&deadlines), Err(Stop::Idle));
        assert!(clock(10, 10).has_stopped(&deadlines));

        deadlines.set(PartId(0), Some(Instant::from_millis(11)));
        let mut late = clock(10, 10);
        assert!(!late.has_stopped(&deadlines));
        assert_eq!(late.advance(&deadlines), Err(Stop::TimeLimit));
        assert_eq!(late.now(), Instant::from_millis(10));

        let mut busy = clock(20, 1);
        assert!(!busy.has_stopped(&deadlines));
        assert_eq!(busy.advance(&deadlines), Ok(PartId(0)));
        assert!(busy.has_stopped(&deadlines));
        assert_eq!(busy.advance(&deadlines), Err(Stop::EventBudget));
        assert_eq!((busy.now(), busy.events()), (Instant::from_millis(11), 1));
    }

    #[test]
    #[should_panic(expected = "time would run backwards")]
    fn time_never_runs_backwards() {
        let mut deadlines = Deadlines::new(1);
        let mut clock = clock(20, 10);
        deadlines.set(PartId(0), Some(Instant::from_millis(5)));
        clock.advance(&deadlines).unwrap();
        deadlines.set(PartId(0), Some(Instant::from_millis(4)));
        let _ = clock.advance(&deadlines);
    }
}
