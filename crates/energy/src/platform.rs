//! What everything but radio and processor draws, in time.

use netjoule_units::{Energy, Instant, Power};

use crate::device;
use crate::ledger::Spent;

/// What a platform has drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlatformAccount {
    /// Always.
    pub base: Spent,
    /// On top of that, while there was data to move.
    pub activity: Spent,
}

impl PlatformAccount {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> Energy {
        self.base.energy + self.activity.energy
    }
}

/// A platform in time. Moments come in order.
#[derive(Clone, Debug)]
pub struct PlatformMeter {
    base: Power,
    activity: Power,
    account: PlatformAccount,
    settled: Instant,
    /// Connections with data to move.
    open: u32,
    is_off: bool,
}

impl PlatformMeter {
    /// A platform without anything to do from the start of time on.
    #[must_use]
    pub fn new(platform: &device::Platform) -> Self {
        Self {
            base: platform.base.value,
            activity: platform.activity.as_ref().map_or(Power::ZERO, |power| power.value),
            account: PlatformAccount::default(),
            settled: Instant::ZERO,
            open: 0,
            is_off: false,
        }
    }

    /// A connection has data to move from `now` on.
    pub fn open(&mut self, now: Instant) {
        self.settle(now);
        self.open += 1;
    }

    /// One of them has no more.
    pub fn close(&mut self, now: Instant) {
        self.settle(now);
        self.open -= 1;
    }

    /// It draws nothing from `now` on.
    pub fn switch_off(&mut self, now: Instant) {
        self.settle(now);
        self.is_off = true;
    }

    /// What it has drawn by `now`.
    pub fn account(&mut self, now: Instant) -> &PlatformAccount {
        self.settle(now);
        &self.account
    }

    fn settle(&mut self, now: Instant) {
        let passed = now.saturating_since(self.settled);
        self.settled = self.settled.max(now);
        if self.is_off {
            return;
        }
        self.account.base.book(self.base, passed);
        if self.open > 0 {
            self.account.activity.book(self.activity, passed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Kind, Platform, Sourced};

    #[test]
    fn activity_is_on_top_and_only_once() {
        let known = |mw| {
            let value = Power::from_milliwatts(mw);
            Sourced { value, kind: Kind::Assumed, source: "this test".into() }
        };
        let mut platform =
            PlatformMeter::new(&Platform { base: known(5_000), activity: Some(known(600)) });
        platform.open(Instant::from_millis(100));
        platform.open(Instant::from_millis(200));
        platform.close(Instant::from_millis(300));
        platform.close(Instant::from_millis(500));
        platform.switch_off(Instant::from_millis(1_000));
        let account = platform.account(Instant::from_millis(9_000));
        assert_eq!(account.base.energy, "5 J".parse().unwrap());
        assert_eq!(account.activity.energy, "240 mJ".parse().unwrap());
        assert_eq!(account.total(), "5.24 J".parse().unwrap());
    }
}
