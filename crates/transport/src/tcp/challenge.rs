//! How many challenge ACKs leave (RFC 5961 section 7).

use netjoule_units::{Duration, Instant};

/// The span in which they are counted.
const SPAN: Duration = Duration::from_secs(1);

/// So many in a second.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChallengeLimit {
    limit: u32,
    since: Instant,
    sent: u32,
}

impl ChallengeLimit {
    pub(super) const fn new(limit: u32) -> Self {
        Self { limit, since: Instant::ZERO, sent: 0 }
    }

    /// Whether one may leave now; it counts.
    pub(super) fn allows(&mut self, now: Instant) -> bool {
        if now - self.since >= SPAN {
            self.since = now;
            self.sent = 0;
        }
        self.sent += 1;
        self.sent <= self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_in_a_second() {
        let mut limit = ChallengeLimit::new(2);
        let allowed: Vec<bool> = [0, 100, 200, 999, 1_000, 1_001, 1_002]
            .into_iter()
            .map(|ms| limit.allows(Instant::from_millis(ms)))
            .collect();
        assert_eq!(allowed, [true, true, false, false, true, true, false]);
    }
}
