//! The timestamps of a connection, and protection against old duplicates (RFC
//! 7323 sections 4 and 5).

use netjoule_units::{Duration, Instant};
use netjoule_wire::{SeqNumber, Timestamps};

/// One tick of the timestamp clock (section 5.4: 1 ms to 1 s).
const TICK: Duration = Duration::from_millis(1);

/// After so long without a segment `TS.Recent` says nothing (section 5.5: 24
/// days).
const OUTDATED: Duration = Duration::from_secs(24 * 24 * 3600);

/// Both ends' clocks as this end knows them.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimestampState {
    /// What this connection's clock showed at time zero.
    offset: u32,
    /// `TS.Recent`, and when it came.
    recent: u32,
    recent_at: Instant,
}

impl TimestampState {
    /// A clock that shows `offset` at time zero, and a peer whose SYN, at
    /// `now`, showed `recent`.
    pub(super) const fn new(offset: u32, recent: u32, now: Instant) -> Self {
        Self { offset, recent, recent_at: now }
    }

    /// What this end's clock shows.
    pub(super) fn clock(&self, now: Instant) -> u32 {
        // The clock is meant to wrap.
        #[expect(clippy::cast_possible_truncation, reason = "a clock modulo 2^32")]
        let ticks = (now.as_nanos() / TICK.as_nanos()) as u32;
        ticks.wrapping_add(self.offset)
    }

    /// The option of a segment sent now.
    pub(super) fn option(&self, now: Instant) -> Timestamps {
        Timestamps { value: self.clock(now), echo: self.recent }
    }

    /// The round-trip time that an echo tells; `None` for one from the future.
    pub(super) fn round_trip(&self, now: Instant, echo: u32) -> Option<Duration> {
        let ticks = self.clock(now).wrapping_sub(echo);
        (ticks < 1 << 31).then(|| TICK.saturating_mul(u64::from(ticks)))
    }

    /// Whether a segment with `value` is an old duplicate (section 5.3, R1).
    pub(super) fn is_old(&self, now: Instant, value: u32) -> bool {
        SeqNumber::new(value).is_before(SeqNumber::new(self.recent))
            && now - self.recent_at < OUTDATED
    }

    /// Whether `value` is later than all that has come.
    pub(super) fn is_newer(&self, value: u32) -> bool {
        SeqNumber::new(value).is_after(SeqNumber::new(self.recent))
    }

    /// A segment with `value` that starts at or before the last ACK sent, and
    /// is no old duplicate, has come (section 4.3, rules 2 and 3).
    pub(super) fn update(&mut self, now: Instant, value: u32) {
        let is_old = SeqNumber::new(value).is_before(SeqNumber::new(self.recent));
        if !is_old || now - self.recent_at >= OUTDATED {
            self.recent = value;
            self.recent_at = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_values_are_those_behind_the_last_until_that_is_outdated() {
        let at = |s: u64| Instant::from_millis(s * 1_000);
        let mut state = TimestampState::new(7, u32::MAX - 1, at(0));
        assert_eq!(state.clock(Instant::from_millis(3)), 10);
        assert!(state.is_old(at(1), u32::MAX - 2));
        assert!(!state.is_old(at(1), 5));
        state.update(at(1), 5);
        state.update(at(2), 4);
        assert_eq!(state.option(at(2)).echo, 5);
        assert!(state.is_old(at(2), u32::MAX));
        assert!(!state.is_old(at(1 + 24 * 24 * 3600), u32::MAX));
    }

    #[test]
    fn an_echo_tells_the_round_trip() {
        let state = TimestampState::new(u32::MAX, 0, Instant::from_millis(0));
        let now = Instant::from_millis(150);
        assert_eq!(state.round_trip(now, 99), Some(Duration::from_millis(50)));
        assert_eq!(state.round_trip(now, 150), None);
    }
}
