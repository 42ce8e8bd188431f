//! The timers of one connection.

use netjoule_units::Instant;

/// When to do what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timer {
    /// When to take the first unacknowledged segment for lost (RFC 6298
    /// section 5).
    Retransmit,
    /// When to acknowledge what has waited for company (RFC 1122 section
    /// 4.2.3.2).
    DelayedAck,
}

/// The moment of each timer that is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timers([Instant; 2]);

impl Timers {
    pub(super) const fn new() -> Self {
        Self([Instant::NEVER; 2])
    }

    pub(super) const fn set(&mut self, timer: Timer, at: Instant) {
        self.0[timer as usize] = at;
    }

    pub(super) const fn stop(&mut self, timer: Timer) {
        self.0[timer as usize] = Instant::NEVER;
    }

    pub(super) fn is_set(&self, timer: Timer) -> bool {
        self.0[timer as usize] != Instant::NEVER
    }

    /// Stops `timer` and returns `true` if its moment has come.
    pub(super) fn expire(&mut self, timer: Timer, now: Instant) -> bool {
        let due = self.is_set(timer) && self.0[timer as usize] <= now;
        if due {
            self.stop(timer);
        }
        due
    }

    /// The first moment at which a timer runs out.
    pub(super) fn next(&self) -> Option<Instant> {
        let [a, b] = self.0;
        Some(a.min(b)).filter(|at| *at != Instant::NEVER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_timer_runs_out_once_and_at_its_moment() {
        let (mut timers, at) = (Timers::new(), Instant::from_millis);
        assert_eq!(timers.next(), None);
        timers.set(Timer::Retransmit, at(20));
        timers.set(Timer::DelayedAck, at(10));
        assert_eq!(timers.next(), Some(at(10)));
        assert!(!timers.expire(Timer::DelayedAck, at(9)));
        assert!(timers.expire(Timer::DelayedAck, at(10)));
        assert!(!timers.expire(Timer::DelayedAck, at(11)));
        timers.set(Timer::Retransmit, at(30));
        assert!(!timers.expire(Timer::Retransmit, at(20)));
        timers.stop(Timer::Retransmit);
        assert_eq!(timers.next(), None);
    }
}
