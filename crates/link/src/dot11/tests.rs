//! Stories on the air whose times a reader can check with a pencil. Frames of
//! 1064 bytes make MPDUs of 1100, which take 192 + 800 = 992 µs at 11 Mbit/s;
//! an ACK takes 192 + 56 = 248 µs at 2 Mbit/s, so an exchange lasts 992 + 10 +
//! 248 = 1250 µs.

use netjoule_energy::ledger::Purpose;
use netjoule_units::{BitRate, Bytes, Distance, Duration, Instant};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::*;
use crate::queues::Discipline;
use crate::two_state::{self, Channel};

mod ad_hoc_power_save;
mod power_save;
mod properties;
mod radios;
mod stories;

const SIZE: Bytes = Bytes::new(1_064);

/// A generator that draws `slots` from contention windows of 31, 63, ...
fn drawing(slots: &[u32]) -> Pcg64 {
    drawing_from(31, slots)
}

/// The same from `cw`, twice that and one, ...
fn drawing_from(cw: u32, slots: &[u32]) -> Pcg64 {
    let windows = core::iter::successors(Some(cw), |cw| Some(2 * cw + 1));
    drawing_each(&windows.zip(slots.iter().copied()).collect::<Vec<_>>())
}

/// A generator that draws from each window what stands beside it.
fn drawing_each(draws: &[(u32, u32)]) -> Pcg64 {
    let fits = |seed: &u64| {
        let mut rng = Pcg64::seed_from_u64(*seed);
        draws.iter().all(|(cw, slots)| rng.random_range(0..=*cw) == *slots)
    };
    Pcg64::seed_from_u64((0..1 << 20).find(fits).expect("some seed does"))
}

fn at(x_m: u64, rng: Pcg64) -> StationSetup {
    let position = Position { x: Distance::from_metres(x_m), y: Distance::ZERO };
    StationSetup { position, role: Role::Station, discipline: Discipline::Fifo, rate: None, rng }
}

fn any() -> Pcg64 {
    Pcg64::seed_from_u64(1)
}

fn us(us: u64) -> Instant {
    Instant::from_nanos(us * 1_000)
}

/// What happens, as lines: what is on the air from when to when, and what comes
/// of frames.
struct Story {
    air: Air<u32>,
    lines: Vec<String>,
    seen: u64,
}

impl Story {
    fn new(config: &Config, stations: Vec<StationSetup>) -> Self {
        config.validate().expect("valid settings");
        Self { air: Air::new(config, stations, 0), lines: Vec::new(), seen: 0 }
    }

    fn offer(&mut self, at_us: u64, from: usize, to: To, payload: u32) {
        self.run(us(at_us));
        self.air.offer(
            us(at_us),
            from,
            0,
            Frame { payload, size: SIZE, to, purpose: Purpose::Payload },
        );
    }

    /// Runs until nothing more is due by `until`.
    fn run(&mut self, until: Instant) {
        while let Some(now) = self.air.poll_timeout().filter(|now| *now <= until) {
            let output = self.air.poll(now);
            let new: Vec<Transmission> =
                self.air.transmissions().filter(|it| it.number >= self.seen).copied().collect();
            for it in new {
                self.seen = it.number + 1;
                let to = match it.to {
                    To::Station(to) => to.to_string(),
                    To::All => "all".into(),
                };
                let [start, end] = [it.start, it.end].map(|it| it.as_nanos() as f64 / 1e3);
                let kind = format!("{:?}", it.kind).to_lowercase();
                self.lines.push(format!("{start}..{end} {kind} {}>{to}", it.from));
            }
            let what = match output {
                None => continue,
                Some(Output::Corrupted { frame, .. }) => format!("{} corrupted", frame.payload),
                Some(Output::Delivered { at, frame, .. }) => {
                    format!("{} delivered at {at}", frame.payload)
                }
                Some(Output::Acknowledged { frame, .. }) => format!("{} done", frame.payload),
                Some(Output::Deferred { frame, .. }) => format!("{} deferred", frame.payload),
                Some(Output::GivenUp { frame, attempts, delivered, .. }) => {
                    let delivered = if delivered { ", delivered" } else { "" };
                    format!("{} given up after {attempts}{delivered}", frame.payload)
                }
            };
            self.lines.push(what);
        }
    }

    /// The whole story, to its end.
    fn told(mut self) -> Vec<String> {
        self.run(us(1_000_000));
        self.lines
    }
}
