//! The machine's clock as the stack's time.

use std::io;

use netjoule_units::{Duration, Instant};
use nix::time::{ClockId, clock_gettime};

use crate::Error;

/// `CLOCK_MONOTONIC`, from zero when it is made.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    origin: Duration,
}

impl Clock {
    /// A clock that stands at zero now.
    ///
    /// # Errors
    /// If the system has no such clock.
    pub fn start() -> Result<Self, Error> {
        let origin = read(ClockId::CLOCK_MONOTONIC);
        Ok(Self { origin: origin.map_err(|error| Error::new("read the clock", error))? })
    }

    /// The time since the start.
    #[must_use]
    pub fn now(&self) -> Instant {
        // A clock that could be read once can be read again.
        let now = read(ClockId::CLOCK_MONOTONIC).unwrap_or(self.origin);
        Instant::ZERO + now.saturating_sub(self.origin)
    }

    /// The moment zero as time since 1970, for files that people read later.
    ///
    /// # Errors
    /// If the system does not know the date.
    pub fn epoch(&self) -> io::Result<Duration> {
        let since_start = self.now() - Instant::ZERO;
        Ok(read(ClockId::CLOCK_REALTIME)?.saturating_sub(since_start))
    }
}

fn read(clock: ClockId) -> io::Result<Duration> {
    let time = clock_gettime(clock)?;
    let seconds = u64::try_from(time.tv_sec()).unwrap_or(0);
    let nanos = u64::try_from(time.tv_nsec()).unwrap_or(0);
    Ok(Duration::from_secs(seconds) + Duration::from_nanos(nanos))
}
