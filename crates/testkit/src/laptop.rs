//! A device with round figures.

use std::sync::Arc;

use netjoule_energy::battery::{self, ideal};
use netjoule_energy::device::{Device, IdleState, Kind, Platform, Processor, Radio, Sourced};
use netjoule_units::{Duration, Energy, Power};

fn known<T>(value: T) -> Sourced<T> {
    Sourced { value, kind: Kind::Assumed, source: "a test".into() }
}

fn milliwatts(mw: u64) -> Sourced<Power> {
    known(Power::from_milliwatts(mw))
}

/// A laptop: its radio sends with 1.4 W, receives with 0.9 W, listens with 0.8 W
/// and dozes with 50 mW; the rest draws 5 W. Its processor takes no time, and
/// it has no battery.
#[must_use]
pub fn laptop() -> Device {
    Device {
        name: "laptop".into(),
        title: "A laptop with round figures".into(),
        platform: Platform { base: milliwatts(5_000), activity: None },
        radio: Radio {
            transmit: milliwatts(1_400),
            transmit_per_bit: None,
            transmit_up_to: Vec::new(),
            receive: milliwatts(900),
            receive_per_bit: None,
            overhear: None,
            listen: milliwatts(800),
            doze: Some(milliwatts(50)),
            wake_up: None,
            tail: Vec::new(),
            promotion: None,
        },
        processor: None,
        battery: None,
    }
}

/// The same with a processor that draws 3 W while it works and 1 W while it does
/// not. Operations take it as long as `costs` say, in microseconds.
#[must_use]
pub fn working_laptop(costs: &[(&str, u64)]) -> Device {
    let idle = IdleState {
        power: milliwatts(1_000),
        after: known(Duration::ZERO),
        wake_up_time: None,
        wake_up: None,
    };
    let cost = |&(name, us): &(&str, u64)| {
        (name.to_owned(), known(netjoule_units::WorkTime::from_micros(us)))
    };
    let processor = Processor {
        active: milliwatts(3_000),
        idle: vec![idle],
        costs: costs.iter().map(cost).collect(),
        forward: None,
        frame_out: None,
        frame_in: None,
    };
    Device { processor: Some(processor), ..laptop() }
}

/// `device` with an ideal battery.
#[must_use]
pub fn on_battery(device: &Device, capacity: Energy) -> Arc<Device> {
    let battery = Some(known(battery::Config::Ideal(ideal::Config { capacity })));
    Arc::new(Device { battery, ..device.clone() })
}
