//! The timers of one connection.

use netjoule_units::Instant;

/// When to do what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timer {
    /// When to take the first unacknowledged segment, or the SYN, for lost
    /// (RFC 6298 section 5).
    Retransmit,
    /// When to acknowledge what has waited for company (RFC 1122 section
    /// 4.2.3.2).
    DelayedAck,
    /// When to send into a window that is closed, or too small (RFC 9293
    /// sections 3.8.6.1 and 3.8.6.2.1).
    Persist,
    /// When to ask a silent peer whether it is there (RFC 9293 section 3.8.4).
    KeepAlive,
    /// When to give up what is not acknowledged (RFC 9293 section 3.8.3).
    User,
    /// When no old segment can be on its way any more (RFC 9293 section 3.4.2),
    /// or the peer has not closed in time after we have.
    TimeWait,
}

/// How many there are.
const TIMERS: usize = 6;

/// The moment of each timer that is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timers([Instant; TIMERS]);

impl Timers {
    pub(super) const fn new() -> Self {
        Self([Instant::NEVER; TIMERS])
    }

    pub(super) const fn set(&mut self, timer: Timer, at: Instant) {
        self.0[timer as usize] = at;
    }

    pub(super) const fn stop(&mut self, timer: Timer) {
        self.0[timer as usize] = Instant::NEVER;
    }

    pub(super) const fn stop_all(&mut self) {
        *self = Self::new();
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
        let first = self.0.iter().fold(Instant::NEVER, |first, at| first.min(*at));
        Some(first).filter(|at| *at != Instant::NEVER)
    }

    /// How many timers stand otherwise than in `before`.
    pub(super) fn changes_since(&self, before: &Self) -> u64 {
        self.0.iter().zip(before.0).map(|(now, then)| u64::from(*now != then)).sum()
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
