//! A device as a list of values.

use super::quantity::Quantity;
use super::{Device, Kind, Platform, Processor, Radio, Sourced};

/// A value of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its key with the tables around it, such as `radio.tail.0.lasts`.
    pub key: String,
    /// The value, with its unit.
    pub value: String,
    /// How it came to be known.
    pub kind: Kind,
    /// Who says so, on one line.
    pub source: String,
}

impl Device {
    /// Every value with its origin: platform, radio, processor, battery.
    #[must_use]
    pub fn values(&self) -> Vec<Value> {
        let mut values = List::default();
        values.platform(&self.platform);
        values.radio(&self.radio);
        if let Some(processor) = &self.processor {
            values.processor(processor);
        }
        if let Some(battery) = &self.battery {
            let settings = toml::to_string(&battery.value).unwrap_or_default();
            values.add("battery", settings.trim_end().replace('\n', ", "), battery);
        }
        values.0
    }
}

#[derive(Default)]
struct List(Vec<Value>);

impl List {
    fn add<T>(&mut self, key: impl Into<String>, value: String, from: &Sourced<T>) {
        let source = from.source.split_whitespace().collect::<Vec<_>>().join(" ");
        self.0.push(Value { key: key.into(), value, kind: from.kind, source });
    }

    fn put<T: Quantity>(&mut self, key: impl Into<String>, from: &Sourced<T>) {
        self.add(key, from.value.told(), from);
    }

    fn put_some<T: Quantity>(&mut self, key: impl Into<String>, from: Option<&Sourced<T>>) {
        if let Some(from) = from {
            self.put(key, from);
        }
    }

    fn platform(&mut self, platform: &Platform) {
        self.put("platform.base", &platform.base);
        self.put_some("platform.activity", platform.activity.as_ref());
    }

    fn radio(&mut self, radio: &Radio) {
        self.put("radio.transmit", &radio.transmit);
        self.put_some("radio.transmit_per_bit", radio.transmit_per_bit.as_ref());
        for (index, slower) in radio.transmit_up_to.iter().enumerate() {
            let value = format!("{} to {}", slower.power.value.told(), slower.rate);
            self.add(format!("radio.transmit_up_to.{index}.power"), value, &slower.power);
        }
        self.put("radio.receive", &radio.receive);
        self.put_some("radio.receive_per_bit", radio.receive_per_bit.as_ref());
        self.put_some("radio.overhear", radio.overhear.as_ref());
        self.put("radio.listen", &radio.listen);
        self.put_some("radio.doze", radio.doze.as_ref());
        self.put_some("radio.wake_up", radio.wake_up.as_ref());
        for (index, tail) in radio.tail.iter().enumerate() {
            self.put(format!("radio.tail.{index}.power"), &tail.power);
            self.put(format!("radio.tail.{index}.lasts"), &tail.lasts);
        }
        self.put_some("radio.promotion", radio.promotion.as_ref());
    }

    fn processor(&mut self, processor: &Processor) {
        self.put("processor.active", &processor.active);
        for (index, idle) in processor.idle.iter().enumerate() {
            let key = |name: &str| format!("processor.idle.{index}.{name}");
            self.put(key("power"), &idle.power);
            self.put(key("after"), &idle.after);
            self.put_some(key("wake_up_time"), idle.wake_up_time.as_ref());
            self.put_some(key("wake_up"), idle.wake_up.as_ref());
        }
        for (operation, cost) in &processor.costs {
            self.put(format!("processor.costs.{operation}"), cost);
        }
        self.put_some("processor.forward", processor.forward.as_ref());
        self.put_some("processor.frame_out", processor.frame_out.as_ref());
        self.put_some("processor.frame_in", processor.frame_in.as_ref());
    }
}
