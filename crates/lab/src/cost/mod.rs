//! What TCP costs a processor: a bulk transfer between two hosts in memory,
//! with one knob changed at a time (agarwal2000 chapters 3 and 4).
//!
//! Both hosts work with real bytes: headers are written and read, checksums
//! made and verified, and an application copies on either side. What is counted
//! belongs to both ends together, for each data segment that the application's
//! bytes need.

mod cases;
mod pair;

use netjoule_transport::cost::{Counts, Meter, Operation};
use netjoule_transport::tcp::{Options, Variant};

pub use cases::{BASELINE, CASES};
pub use pair::Pair;

/// How the two hosts are set up.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The variant of both ends.
    pub variant: &'static Variant,
    /// The options of both ends.
    pub options: Options,
    /// The largest IP packet, in bytes.
    pub mtu: u32,
    /// Whether the hosts have IPv6 addresses.
    pub ipv6: bool,
    /// Connections besides the busy one, which do nothing.
    pub idle: usize,
    /// Every so many packets of data one is lost; zero for none.
    pub loss_every: u64,
}

/// A knob, and the setting that it changes.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The name on the command line and in results.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// The case that it is compared with.
    pub against: &'static str,
    /// Changes the setting of that case.
    change: fn(&mut Setting),
}

/// What a transfer has cost, both ends together.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Full segments that the bytes need.
    pub segments: u64,
    /// Everything that was counted.
    pub counts: Counts,
}

impl Case {
    /// The case called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        CASES.iter().find(|case| case.name == name)
    }

    /// The whole setting: that of the case that it is compared with, changed.
    #[must_use]
    pub fn setting(&self) -> Setting {
        let mut setting = match Self::named(self.against) {
            Some(other) if other.name != self.name => other.setting(),
            _ => cases::baseline(),
        };
        (self.change)(&mut setting);
        setting
    }
}

/// Transfers so many full segments, and counts.
///
/// # Panics
/// If the transfer does not complete.
#[must_use]
pub fn count(setting: &Setting, segments: u64) -> Cost {
    let mut pair = Pair::<Counts>::new(setting);
    pair.transfer(segments);
    Cost { segments, counts: pair.counts() }
}

/// Transfers so many full segments without counting, for others to measure.
///
/// # Panics
/// If the transfer does not complete.
pub fn run<M: Meter>(setting: &Setting, segments: u64) {
    Pair::<M>::new(setting).transfer(segments);
}

impl Cost {
    /// How often `operation` was done for each segment, or on how many bytes.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of a run are far below 2^53")]
    pub fn per_segment(&self, operation: Operation) -> f64 {
        self.counts.of(operation) as f64 / self.segments as f64
    }
}

/// Instructions for each segment of the case called `name`, as counted when
/// this version was made: an optimised build for x86-64 on a processor with
/// AVX2.
#[must_use]
pub fn recorded(name: &str) -> Option<f64> {
    RECORDED.lines().filter_map(|line| line.split_once(',')).find_map(|(case, instructions)| {
        (case == name).then(|| instructions.trim().parse().ok()).flatten()
    })
}

/// What `netjoule cost --count` has said: knob, instructions for each segment.
const RECORDED: &str = include_str!("instructions.csv");

#[cfg(test)]
mod tests;
