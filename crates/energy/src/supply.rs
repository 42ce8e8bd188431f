//! A device on its battery: when it has to look whether anything is left.

use netjoule_units::{BitRate, Duration, Energy, Instant, Power};

use crate::battery::{Battery, Config};
use crate::device::{Device, Sourced};

/// How exactly the end is found: it comes at most this early.
const PRECISION: Duration = Duration::from_millis(1);

/// Models with memory are shown the mean power over no longer than this.
const LONGEST_LOOK: Duration = Duration::from_secs(1);

/// A battery that is shown, now and then, what a device has drawn since.
#[derive(Clone, Debug)]
pub struct Supply {
    battery: Battery,
    /// No less than the device ever draws.
    greatest: Power,
    shown: Instant,
    next: Instant,
    is_empty: bool,
}

/// Frames, awakenings and the like, which take energy but no time, come no
/// closer than this.
const LEAST_PAUSE: Duration = Duration::from_micros(100);

/// No less than `device` draws at any moment, with `radios` radios on the air
/// at no more than `rate`.
#[must_use]
pub fn greatest_power(device: &Device, radios: u64, rate: BitRate) -> Power {
    let power = |power: &Option<Sourced<Power>>| power.as_ref().map_or(Power::ZERO, |it| it.value);
    let at_once = |energy: &Option<Sourced<Energy>>| {
        let energy = energy.as_ref().map_or(Energy::ZERO, |it| it.value);
        let nanowatts = energy.as_attojoules() / u128::from(LEAST_PAUSE.as_nanos());
        Power::from_nanowatts(u64::try_from(nanowatts).unwrap_or(u64::MAX))
    };
    let Device { platform, radio, processor, .. } = device;
    let states = [
        radio.transmit_at(rate),
        radio.receive_at(rate),
        power(&radio.overhear),
        radio.listen.value,
        power(&radio.doze),
    ];
    let tail = radio.tail.iter().map(|tail| tail.power.value);
    let slower = radio.transmit_up_to.iter().map(|it| it.power.value);
    let radio_state = states.into_iter().chain(tail).chain(slower).max().unwrap_or(Power::ZERO);
    let of_radio = radio_state + at_once(&radio.wake_up) + at_once(&radio.promotion);
    let of_processor = processor.as_ref().map_or(Power::ZERO, |processor| {
        let idle = processor.idle.iter();
        let busiest = idle.clone().map(|it| it.power.value).chain([processor.active.value]).max();
        let awakening = idle.map(|state| at_once(&state.wake_up)).max();
        let frames = at_once(&processor.frame_out) + at_once(&processor.frame_in);
        busiest.unwrap_or_default() + awakening.unwrap_or_default() + frames
    });
    let radios = (0..radios).map(|_| of_radio).sum::<Power>();
    platform.base.value + power(&platform.activity) + radios + of_processor
}

impl Supply {
    /// A full battery as `config` has it, at the start of time. `greatest` is no
    /// less than the device ever draws.
    ///
    /// # Panics
    /// If `config` does not pass [`Config::validate`].
    #[must_use]
    pub fn new(config: &Config, greatest: Power) -> Self {
        let mut supply = Self {
            battery: Battery::new(config),
            greatest,
            shown: Instant::ZERO,
            next: Instant::ZERO,
            is_empty: false,
        };
        supply.plan();
        supply
    }

    /// The device has drawn `total` since the start of time, by `now`. To the
    /// battery that is the same power all the time since it was last shown.
    pub fn draw(&mut self, now: Instant, total: Energy) {
        let span = now.saturating_since(self.shown);
        if self.is_empty || span.is_zero() {
            return;
        }
        let drawn = total.saturating_sub(self.battery.delivered()).as_attojoules();
        // Whole nanowatts all the time, and one more for as many nanoseconds as
        // there are attojoules left over: nothing is lost.
        let nanos = u128::from(span.as_nanos());
        let power = Power::from_nanowatts(u64::try_from(drawn / nanos).unwrap_or(u64::MAX));
        let more = Duration::from_nanos(u64::try_from(drawn % nanos).unwrap_or(u64::MAX));
        self.battery.draw(power + Power::from_nanowatts(1), more);
        self.battery.draw(power, span.saturating_sub(more));
        self.shown = now;
        self.plan();
    }

    /// When it wants to be shown again. [`is_empty`](Self::is_empty) may be true
    /// then.
    #[must_use]
    pub const fn next_look(&self) -> Instant {
        self.next
    }

    /// Whether so little is left that the device goes off.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// The battery.
    #[must_use]
    pub const fn battery(&self) -> &Battery {
        &self.battery
    }

    fn plan(&mut self) {
        // It lasts that long at least, whatever happens.
        let lasts = self.battery.lasts(self.greatest).unwrap_or(Duration::MAX);
        self.is_empty = lasts < PRECISION * 2;
        self.next = self.shown + (lasts / 2).min(LONGEST_LOOK);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::battery;

    fn joules(capacity: u64) -> Config {
        Config::Ideal(battery::ideal::Config { capacity: Energy::from_joules(capacity) })
    }

    /// Draws `power` until the battery is empty. Returns when, and how often it
    /// looked.
    fn lifetime(config: &Config, power: Power, greatest: Power) -> (Instant, u32) {
        let mut supply = Supply::new(config, greatest);
        let mut looks = 0;
        while !supply.is_empty() {
            let now = supply.next_look();
            supply.draw(now, power * now.saturating_since(Instant::ZERO));
            looks += 1;
        }
        (supply.shown, looks)
    }

    #[test]
    fn the_end_comes_when_it_should() {
        let (end, looks) = lifetime(&joules(7_200), Power::from_watts(1), Power::from_watts(3));
        let early = Duration::from_secs(7_200).saturating_sub(end.saturating_since(Instant::ZERO));
        // Two milliseconds at the greatest power are six at this.
        assert!(early <= PRECISION * 6, "{early}");
        assert!(looks < 7_300, "{looks}");
    }

    proptest! {
        /// What the battery has given is what the device has drawn, to the
        /// attojoule.
        #[test]
        fn nothing_is_lost(steps in prop::collection::vec((1u64..1 << 40, 0u64..1 << 50), 1..50)) {
            let mut supply = Supply::new(&joules(1_000_000), Power::from_watts(10));
            let (mut now, mut total) = (Instant::ZERO, Energy::ZERO);
            for (nanos, attojoules) in steps {
                now += Duration::from_nanos(nanos);
                total += Energy::from_attojoules(u128::from(attojoules) << 10);
                supply.draw(now, total);
                prop_assert_eq!(supply.battery().delivered(), total);
            }
        }
    }
}
