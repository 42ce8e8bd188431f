//! What a device must be, beyond having the right keys.

use core::fmt;

use netjoule_transport::cost::Operation;
use netjoule_units::{Duration, Energy, Power, WorkTime};

use super::{Device, GREATEST_POWER, Processor, Radio, Sourced};

/// The most for one frame, one awakening, one promotion: even ten thousand
/// times in a second they are a power that has room for more.
const GREATEST_ENERGY: Energy = Energy::from_joules(10);

/// The most for one bit.
const GREATEST_ENERGY_PER_BIT: Energy = Energy::from_joules(1);

/// The longest operation, or the longest for one byte.
const LONGEST_WORK: WorkTime = WorkTime::from_micros(1_000_000);

/// The longest state.
const LONGEST_TIME: Duration = Duration::from_secs(24 * 3600);

/// Characters of a name.
const LONGEST_NAME: usize = 64;

impl Device {
    /// Checks names, ranges and orders.
    ///
    /// # Errors
    /// Everything that is wrong: its key with the tables around it, such as
    /// `radio.tail.0.lasts`, what was found and what was expected.
    pub fn validate(&self) -> Result<(), Vec<(String, String)>> {
        let mut checks = Checks::default();
        let fits = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        let name = &self.name;
        let is_name = (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(fits);
        checks.check(is_name, "name", || {
            format!("found {name:?}, expected 1 to 64 ASCII letters, digits, `-` and `_`")
        });
        let is_line = !self.title.trim().is_empty() && !self.title.contains(char::is_control);
        checks.check(is_line, "title", || "expected one line for people".into());
        for value in self.values() {
            checks.check(!value.source.is_empty(), value.key + ".source", || {
                "is empty, expected who says so and where, or why it is assumed".into()
            });
        }
        checks.power("platform.base", &self.platform.base);
        checks.each("platform.activity", self.platform.activity.as_ref(), Checks::power);
        checks.radio(&self.radio);
        if let Some(processor) = &self.processor {
            checks.processor(processor);
        }
        let battery = self.battery.as_ref().map_or(Ok(()), |battery| battery.value.validate());
        for (key, expected) in battery.err().into_iter().flatten() {
            checks.0.push((format!("battery.value.{key}"), format!("expected {expected}")));
        }
        if checks.0.is_empty() { Ok(()) } else { Err(checks.0) }
    }
}

/// Collects what is wrong.
#[derive(Default)]
struct Checks(Vec<(String, String)>);

impl Checks {
    fn check(&mut self, holds: bool, key: impl Into<String>, message: impl FnOnce() -> String) {
        if !holds {
            self.0.push((key.into(), message()));
        }
    }

    fn up_to<T: PartialOrd + fmt::Display>(&mut self, key: &str, from: &Sourced<T>, most: &T) {
        let value = &from.value;
        self.check(value <= most, format!("{key}.value"), || {
            format!("found {value}, expected at most {most}")
        });
    }

    fn power(&mut self, key: &str, power: &Sourced<Power>) {
        self.up_to(key, power, &GREATEST_POWER);
    }

    fn energy(&mut self, key: &str, energy: &Sourced<Energy>) {
        self.up_to(key, energy, &GREATEST_ENERGY);
    }

    fn per_bit(&mut self, key: &str, energy: &Sourced<Energy>) {
        self.up_to(key, energy, &GREATEST_ENERGY_PER_BIT);
    }

    fn work(&mut self, key: &str, work: &Sourced<WorkTime>) {
        self.up_to(key, work, &LONGEST_WORK);
    }

    fn time(&mut self, key: &str, time: &Sourced<Duration>) {
        self.up_to(key, time, &LONGEST_TIME);
    }

    /// Checks what is there.
    fn each<T>(
        &mut self,
        key: &str,
        from: Option<&Sourced<T>>,
        check: fn(&mut Self, &str, &Sourced<T>),
    ) {
        if let Some(from) = from {
            check(self, key, from);
        }
    }

    /// `power` is at most what the state before it draws.
    fn sinks(&mut self, key: &str, power: Power, before: Option<Power>) {
        if let Some(before) = before {
            self.check(power <= before, format!("{key}.value"), || {
                format!("found {power}, expected at most {before}, that of the state before it")
            });
        }
    }

    fn radio(&mut self, radio: &Radio) {
        self.power("radio.transmit", &radio.transmit);
        self.each("radio.transmit_per_bit", radio.transmit_per_bit.as_ref(), Self::per_bit);
        let mut before = None;
        for (index, slower) in radio.transmit_up_to.iter().enumerate() {
            let key = format!("radio.transmit_up_to.{index}");
            let rate = slower.rate;
            self.check(before.is_none_or(|before| rate > before), format!("{key}.rate"), || {
                format!("found {rate}, expected more than at the entry before it")
            });
            before = Some(rate);
            self.power(&format!("{key}.power"), &slower.power);
        }
        self.power("radio.receive", &radio.receive);
        self.each("radio.receive_per_bit", radio.receive_per_bit.as_ref(), Self::per_bit);
        self.each("radio.overhear", radio.overhear.as_ref(), Self::power);
        self.power("radio.listen", &radio.listen);
        if let Some(doze) = &radio.doze {
            self.sinks("radio.doze", doze.value, Some(radio.listen.value));
        }
        self.each("radio.wake_up", radio.wake_up.as_ref(), Self::energy);
        let mut before = None;
        for (index, tail) in radio.tail.iter().enumerate() {
            let key = |name: &str| format!("radio.tail.{index}.{name}");
            self.power(&key("power"), &tail.power);
            self.sinks(&key("power"), tail.power.value, before.replace(tail.power.value));
            self.time(&key("lasts"), &tail.lasts);
            self.check(!tail.lasts.value.is_zero(), key("lasts.value"), || {
                "found 0 s, expected more".into()
            });
        }
        self.each("radio.promotion", radio.promotion.as_ref(), Self::energy);
    }

    fn processor(&mut self, processor: &Processor) {
        self.power("processor.active", &processor.active);
        self.check(!processor.idle.is_empty(), "processor.idle", || {
            "is missing, expected at least the state without work".into()
        });
        let (mut power_before, mut after_before) = (None, None);
        for (index, idle) in processor.idle.iter().enumerate() {
            let key = |name: &str| format!("processor.idle.{index}.{name}");
            self.power(&key("power"), &idle.power);
            self.sinks(&key("power"), idle.power.value, power_before.replace(idle.power.value));
            let after = idle.after.value;
            match after_before.replace(after) {
                None => self.check(after.is_zero(), key("after.value"), || {
                    format!("found {after}, expected 0 s: the first state is entered at once")
                }),
                Some(before) => self.check(after > before, key("after.value"), || {
                    format!("found {after}, expected more than {before}, that of the state before")
                }),
            }
            self.time(&key("after"), &idle.after);
            self.each(&key("wake_up_time"), idle.wake_up_time.as_ref(), Self::time);
            self.each(&key("wake_up"), idle.wake_up.as_ref(), Self::energy);
        }
        for (name, cost) in &processor.costs {
            let key = format!("processor.costs.{name}");
            self.check(Operation::ALL.iter().any(|it| it.name() == name), &key, || {
                format!("there is no such operation; there are {}", operations())
            });
            self.work(&key, cost);
        }
        self.each("processor.forward", processor.forward.as_ref(), Self::work);
        self.each("processor.frame_out", processor.frame_out.as_ref(), Self::energy);
        self.each("processor.frame_in", processor.frame_in.as_ref(), Self::energy);
    }
}

/// Every operation, for help.
fn operations() -> String {
    Operation::ALL.map(Operation::name).join(", ")
}
