//! The laptop: what of its device is fitted.

use std::f64::consts::LN_2;
use std::sync::Arc;

use netjoule_energy::device::{self, Device};
use netjoule_units::{BitRate, Power, WorkTime};

use crate::Error;
use crate::fit::Parameter;

/// How often a host copies a byte of payload: between application and kernel, and
/// between kernel and card.
pub(super) const COPIES: f64 = 2.0;

/// The name of the laptop among the devices.
const DEVICE: &str = "wavelan-p90";
const FILE: &str = "../crates/energy/devices/wavelan-p90.toml";

/// What the fit chooses, in the units of [`PARAMETERS`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Machine {
    /// Time of a data segment, in or out, without its bytes.
    pub(super) segment_us: f64,
    /// Time of a byte of payload, in or out, all copies and sums together.
    pub(super) byte_us: f64,
    /// Time of an acknowledgment, in or out.
    pub(super) ack_us: f64,
    /// What the working processor draws on top, by what the idle laptop draws.
    pub(super) active: f64,
    /// What a laptop with an open connection draws on top, in the same way.
    pub(super) activity: f64,
    /// What the third laptop sends when it sends all the time.
    pub(super) interferer_mbit_per_s: f64,
}

/// Where the fit begins, and how far it may go. The starts are a set that was
/// known to work before this fit was made, with the published figures in view;
/// those of the laptop count as known to a factor of two, because nothing that is
/// fitted tells a segment from its bytes, or time from power.
pub(super) const PARAMETERS: [Parameter; 6] = [
    laptop_parameter("segment", "us", 190.0, [20.0, 2_000.0]),
    laptop_parameter("byte", "us", 0.84, [0.1, 4.0]),
    laptop_parameter("ack", "us", 300.0, [20.0, 2_000.0]),
    laptop_parameter("active_power", "idle powers", 1.3, [0.2, 5.0]),
    laptop_parameter("activity_power", "idle powers", 0.12, [0.01, 1.0]),
    Parameter { known: None, ..laptop_parameter("interferer", "Mbit/s", 1.3, [0.3, 4.0]) },
];

const fn laptop_parameter(
    name: &'static str,
    unit: &'static str,
    start: f64,
    [low, high]: [f64; 2],
) -> Parameter {
    Parameter { name, unit, start, low, high, known: Some(LN_2) }
}

/// The rate of the continuous interferer, in kbit/s: the result of the fit. The
/// rest of it is in the file of the device.
pub(super) const INTERFERER_KBIT_PER_S: u64 = 1_756;

impl Machine {
    /// The values in the order of [`PARAMETERS`].
    pub(super) const fn values(&self) -> [f64; PARAMETERS.len()] {
        let Self { segment_us, byte_us, ack_us, active, activity, interferer_mbit_per_s } = *self;
        [segment_us, byte_us, ack_us, active, activity, interferer_mbit_per_s]
    }

    /// From values in the order of [`PARAMETERS`]; those that are missing are
    /// their starts.
    pub(super) fn of(values: &[f64]) -> Self {
        let mut all = PARAMETERS.map(|parameter| parameter.start);
        all.iter_mut().zip(values).for_each(|(own, value)| *own = *value);
        let [segment_us, byte_us, ack_us, active, activity, interferer_mbit_per_s] = all;
        Self { segment_us, byte_us, ack_us, active, activity, interferer_mbit_per_s }
    }

    /// What the device's file says, and the interferer's rate.
    pub(super) fn of_file() -> Result<Self, Error> {
        let device = laptop()?;
        let idle = idle_w(&device);
        let processor = device.processor.as_ref();
        let cost = |name: &str| {
            let cost = processor.and_then(|processor| processor.costs.get(name));
            cost.map_or(0.0, |cost| picos_to_us(cost.value))
        };
        let watts = |power: Option<Power>| power.map_or(0.0, Power::as_watts_f64);
        #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
        let interferer = INTERFERER_KBIT_PER_S as f64 / 1_000.0;
        Ok(Self {
            segment_us: cost("data_out"),
            byte_us: cost("bytes_copied") * COPIES,
            ack_us: cost("ack_in"),
            active: watts(processor.map(|processor| processor.active.value)) / idle,
            activity: watts(device.platform.activity.as_ref().map(|it| it.value)) / idle,
            interferer_mbit_per_s: interferer,
        })
    }

    /// The laptop with these values.
    pub(super) fn device(&self) -> Result<Arc<Device>, Error> {
        let mut device = Device::clone(&*laptop()?);
        let idle = idle_w(&device);
        if let Some(activity) = &mut device.platform.activity {
            activity.value = power(self.activity * idle);
        }
        if let Some(processor) = &mut device.processor {
            processor.active.value = power(self.active * idle);
            let times = [
                ("data_out", self.segment_us),
                ("data_in", self.segment_us),
                ("ack_in", self.ack_us),
                ("ack_out", self.ack_us),
                ("bytes_copied", self.byte_us / COPIES),
            ];
            for (name, us) in times {
                if let Some(cost) = processor.costs.get_mut(name) {
                    cost.value = work(us);
                }
            }
        }
        Ok(Arc::new(device))
    }

    /// What the third laptop sends when it sends all the time.
    pub(super) fn interferer(&self) -> BitRate {
        BitRate::new(rounded(self.interferer_mbit_per_s * 1e6).max(1))
            .unwrap_or(BitRate::from_mbit_per_s(1))
    }

    /// Energy of the processor for a segment of `payload` bytes, in or out, as
    /// the time in which the idle laptop draws as much, in milliseconds.
    pub(super) fn segment_work_ms(&self, payload: f64) -> f64 {
        self.active * (self.segment_us + payload * self.byte_us) / 1_000.0
    }

    /// The same for an acknowledgment.
    pub(super) fn ack_work_ms(&self) -> f64 {
        self.active * self.ack_us / 1_000.0
    }
}

/// The laptop as its file has it.
pub(super) fn laptop() -> Result<Arc<Device>, Error> {
    device::builtin(DEVICE).ok_or_else(|| Error::PaperFile {
        file: FILE,
        reason: format!("there is no device `{DEVICE}`"),
    })
}

/// What the idle laptop draws, its listening card included, in watts.
fn idle_w(device: &Device) -> f64 {
    device.platform.base.value.as_watts_f64() + device.radio.listen.value.as_watts_f64()
}

#[expect(clippy::cast_precision_loss, reason = "below 2^53 ps")]
fn picos_to_us(time: WorkTime) -> f64 {
    time.as_picos() as f64 / 1e6
}

/// `us` microseconds of work.
pub(super) fn work(us: f64) -> WorkTime {
    WorkTime::from_picos(rounded(us * 1e6))
}

/// `watts` watts.
pub(super) fn power(watts: f64) -> Power {
    Power::from_nanowatts(rounded(watts * 1e9))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positive and far below the limit; the cast saturates"
)]
fn rounded(value: f64) -> u64 {
    value.round() as u64
}
