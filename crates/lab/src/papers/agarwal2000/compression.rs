//! Chapter 6: does it save energy to compress what is sent?
//!
//! A real compressor on a real text and on random bytes says how much is left to
//! send; its instructions, counted, say what that takes the sender's processor.

use std::sync::Arc;

use miniz_oxide::deflate::compress_to_vec;
use netjoule_energy::device::{self, Device, Kind, Sourced};
use netjoule_link::dot11::phy::PhyKind;
use netjoule_scenario::Scenario;
use netjoule_trace::Nobody;
use netjoule_units::{BitRate, Duration, Instant, WorkTime};

use super::KEY;
use super::machine::{COPIES, laptop, power, work};
use super::runs::sampled;
use super::setting::Setting;
use crate::Error;
use crate::papers::figure::{self, Figure, Label, Role, Value};
use crate::papers::sample::Sample;
use crate::papers::tolerance::Expectation;

/// A text that does not change: the Apache licence.
const TEXT: &[u8] = include_bytes!("../../../../../LICENSE-APACHE");

/// What `gzip` uses unless told otherwise.
const LEVEL: u8 = 6;

/// Instructions for a byte of input of `compress_to_vec` at [`LEVEL`], on the
/// text and on random bytes: counted by callgrind over two calls more, x86-64,
/// miniz_oxide 0.9.1 with full optimisation.
const INSTRUCTIONS: [f64; 2] = [184.0, 220.6];

/// Cycles for an instruction of a Pentium, which begins two at best and has 8 KiB
/// of cache for data: assumed.
const PENTIUM_CYCLES: f64 = 1.5;
const PENTIUM_HZ: f64 = 90e6;

/// A tablet's processor of 2012, assumed: 1.4 GHz, an instruction a cycle, and
/// 1.5 W more while it works.
const TABLET: &str = "galaxy-note-10";
const TABLET_HZ: f64 = 1.4e9;
const TABLET_W: f64 = 1.5;

/// How long each case runs.
const SAMPLE: Duration = Duration::from_secs(60);

/// Name of the item.
pub(super) const ITEM: &str = "compression";

/// Runs of [`figures`].
pub(super) const RUNS: u64 = 9;

/// A sender, and what compressing costs it.
struct Machine {
    name: &'static str,
    device: Arc<Device>,
    seconds_per_instruction: f64,
    /// Whether the air is that of the thesis, or 802.11g at 54 Mbit/s.
    is_fast: bool,
    /// Only of the thesis's machine does the thesis say anything.
    is_of_thesis: bool,
}

/// What compression adds to the energy that a megabyte takes the sender, before
/// it is compressed: on two machines, of a text and of random bytes.
pub(super) fn figures(base: &Scenario, seed: u64, place: &str) -> Result<Vec<Figure>, Error> {
    let mut figures = Vec::new();
    for machine in machines()? {
        let plain = energy_per_mb(base, &machine, None, seed)?;
        for (index, (name, data)) in
            [("text", TEXT.to_vec()), ("random", noise())].iter().enumerate()
        {
            let ratio = ratio(data);
            let time = INSTRUCTIONS[index] * machine.seconds_per_instruction;
            let compressed = energy_per_mb(base, &machine, Some((ratio, time)), seed)?;
            let change = 100.0 * (compressed / plain - 1.0);
            let sample = Sample::new(vec![Some(change)]);
            let label = Label {
                paper: KEY,
                item: ITEM.into(),
                source: format!("{place}: energy added to a megabyte by compressing it"),
                case: figure::Setting::default()
                    .with("machine", Value::Text(machine.name))
                    .with("data", Value::Text(name))
                    .with("ratio", Value::Number((ratio * 100.0).round() / 100.0)),
                unit: "percent",
            };
            figures.push(if machine.is_of_thesis {
                Figure::expected(label, None, Expectation::More, (Role::Predicted, None), &sample)
            } else {
                Figure::measured(label, &sample)
            });
        }
    }
    Ok(figures)
}

fn machines() -> Result<[Machine; 3], Error> {
    let tablet = device::builtin(TABLET).ok_or_else(|| Error::PaperFile {
        file: "agarwal2000",
        reason: format!("there is no device `{TABLET}`"),
    })?;
    let mut tablet = Device::clone(&tablet);
    if let Some(processor) = &mut tablet.processor {
        processor.active.value = power(TABLET_W);
    }
    let tablet = Arc::new(tablet);
    let of = |name, device: &Arc<Device>, seconds_per_instruction, is_fast| Machine {
        name,
        device: Arc::clone(device),
        seconds_per_instruction,
        is_fast,
        is_of_thesis: name == "wavelan-p90",
    };
    Ok([
        of("wavelan-p90", &laptop()?, PENTIUM_CYCLES / PENTIUM_HZ, false),
        of("tablet-11-mbit", &tablet, 1.0 / TABLET_HZ, false),
        of("tablet-54-mbit", &tablet, 1.0 / TABLET_HZ, true),
    ])
}

/// What a megabyte of the application's takes the sender, in joules, if it is
/// compressed by a ratio in so many seconds a byte.
fn energy_per_mb(
    base: &Scenario,
    machine: &Machine,
    compression: Option<(f64, f64)>,
    seed: u64,
) -> Result<f64, Error> {
    let (ratio, seconds) = compression.unwrap_or((1.0, 0.0));
    let mut device = Device::clone(&machine.device);
    if let Some(processor) = &mut device.processor {
        // For each copy of a byte that is left to send.
        let more = work(seconds * ratio * 1e6 / COPIES);
        let copied = processor.costs.entry("bytes_copied".into()).or_insert_with(|| Sourced {
            value: WorkTime::ZERO,
            kind: Kind::Assumed,
            source: "in the price of a frame".into(),
        });
        copied.value = WorkTime::from_picos(copied.value.as_picos() + more.as_picos());
    }
    let mut scenario =
        Setting::UNMODIFIED.apply(base, &machine.device, BitRate::from_mbit_per_s(1))?;
    scenario.nodes[0].device = Some(Arc::new(device));
    for air in scenario.airs.iter_mut().filter(|_| machine.is_fast) {
        air.dot11.phy = PhyKind::G;
        air.dot11.rate = BitRate::from_mbit_per_s(54);
        air.dot11.control_rate = Some(BitRate::from_mbit_per_s(24));
    }
    let outcome = netjoule_net::run(&sampled(scenario, SAMPLE), seed, &mut Nobody);
    debug_assert!(outcome.end > Instant::ZERO);
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let sent = outcome.connections[0].bytes_delivered.get() as f64;
    Ok(outcome.nodes[0].total().as_joules_f64() / (sent * ratio / 1e6))
}

/// Bytes before by bytes after.
#[expect(clippy::cast_precision_loss, reason = "some kilobytes")]
fn ratio(data: &[u8]) -> f64 {
    data.len() as f64 / compress_to_vec(data, LEVEL).len() as f64
}

/// 64 KiB without any order, by Marsaglia's xorshift.
fn noise() -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_be_bytes()[0]
    };
    (0..65_536).map(|_| next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compressor_is_real() {
        assert!((2.5..3.5).contains(&ratio(TEXT)), "{}", ratio(TEXT));
        assert!((0.99..1.0).contains(&ratio(&noise())), "{}", ratio(&noise()));
        let back = miniz_oxide::inflate::decompress_to_vec(&compress_to_vec(TEXT, LEVEL));
        assert_eq!(back.unwrap(), TEXT);
    }
}
