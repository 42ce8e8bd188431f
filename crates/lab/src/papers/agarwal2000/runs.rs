//! What has to be run, and what came of it.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::Arc;

use netjoule_energy::device::Device;
use netjoule_energy::ledger::Purpose;
use netjoule_net::{NodeOutcome, Outcome};
use netjoule_scenario::Scenario;
use netjoule_trace::Nobody;
use netjoule_units::{BitRate, Duration, Instant};

use super::setting::{Setting, Supply};
use crate::Error;
use crate::papers::sample::Sample;
use crate::replicate::{Job, Progress, run_all};

/// How long things run, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) base_seed: u64,
    pub(super) seeds: u64,
    /// So long instead of a whole charge. Power is steady, and the battery
    /// ideal, so that the rest of the charge follows. A multiple of five minutes,
    /// the period of the intermittent interferer.
    pub(super) sample: Option<Duration>,
}

/// What became of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    /// Of the battery, in minutes; none without one.
    lifetime_min: Option<f64>,
    /// Payload delivered in that time.
    bytes: Option<f64>,
    /// Payload delivered in a second, in Mbit.
    goodput_mbit_per_s: f64,
    /// Segments sent again in that time.
    retransmissions: Option<f64>,
    /// What the laptop on battery draws for a megabyte.
    energy: Option<EnergyPerMb>,
}

/// What a megabyte takes at the laptop on battery, in joules.
#[derive(Clone, Copy, Debug, PartialEq)]
struct EnergyPerMb {
    total: f64,
    /// The processor's work on acknowledgments, and the whole laptop while one
    /// is on the air.
    acknowledgments: f64,
    /// The processor's work on everything else.
    processing: f64,
}

/// A quantity of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Metric {
    /// In minutes.
    Lifetime,
    /// Per charge.
    Bytes,
    /// In Mbit/s.
    Goodput,
    /// Per charge.
    Retransmissions,
    /// Of a megabyte, in joules.
    Energy,
    /// The part of it that is for acknowledgments.
    Acknowledgments,
    /// The part that is the processor's work on everything else.
    Processing,
    /// What remains: the laptop's power in the time that data take on the air.
    Airtime,
}

/// What came of every setting, on each seed.
#[derive(Clone, Debug, Default)]
pub(super) struct Results(BTreeMap<Setting, Vec<Measured>>);

/// How long a run lasts in which nothing is metered.
const UNMETERED: Duration = Duration::from_secs(300);

/// DIFS, the preamble and header of the PHY, SIFS, and those of the link's ACK:
/// what an acknowledgment takes on the air besides its bytes, in microseconds
/// (802.11b, long preamble).
const FIXED_US: f64 = 50.0 + 192.0 + 10.0 + 192.0;

/// Bytes of an ACK of the link.
const LINK_ACK_BITS: f64 = 14.0 * 8.0;

/// Bytes of an acknowledgment without options: IP, TCP, LLC/SNAP, MAC.
const ACK_BYTES: f64 = 40.0 + 8.0 + 28.0;

/// Bytes of timestamps.
const TIMESTAMPS: f64 = 12.0;

/// Runs `settings`.
pub(super) fn run(
    base: &Scenario,
    settings: &BTreeSet<Setting>,
    (laptop, continuous): (&Arc<Device>, BitRate),
    extent: Extent,
    threads: Option<NonZeroUsize>,
    progress: Progress<'_>,
) -> Result<Results, Error> {
    let settings: Vec<Setting> = settings.iter().copied().collect();
    let scenarios = settings.iter().map(|setting| {
        let scenario = setting.apply(base, laptop, continuous)?;
        // Without a battery there is no charge that could last longer.
        let sample = extent.sample.or((setting.supply == Supply::Nobody).then_some(UNMETERED));
        Ok(match sample {
            Some(time) => sampled(scenario, time),
            None => scenario,
        })
    });
    let scenarios = scenarios.collect::<Result<Vec<_>, Error>>()?;
    let seeds = (0..extent.seeds).map(|i| extent.base_seed.wrapping_add(i));
    let jobs: Vec<Job> = (0..settings.len())
        .flat_map(|case| seeds.clone().map(move |seed| Job { case, seed }))
        .collect();
    let measured = run_all(&jobs, threads, progress, |job| {
        let outcome = netjoule_net::run(&scenarios[job.case], job.seed, &mut Nobody);
        Measured::of(settings[job.case], &outcome)
    })?;
    let mut results = Results::default();
    for (job, measured) in jobs.iter().zip(measured) {
        results.0.entry(settings[job.case]).or_default().push(measured);
    }
    Ok(results)
}

/// `scenario`, ended after `time`.
pub(super) fn sampled(mut scenario: Scenario, time: Duration) -> Scenario {
    scenario.run.time_limit = time;
    scenario
}

impl Measured {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub(super) fn of(setting: Setting, outcome: &Outcome) -> Self {
        let connection = &outcome.connections[0];
        let bytes = connection.bytes_delivered.get() as f64;
        let ran_s = outcome.end.saturating_since(Instant::ZERO).as_secs_f64();
        let node = match setting.supply {
            Supply::Sender => outcome.nodes.first(),
            Supply::Receiver => outcome.nodes.get(1),
            Supply::Nobody => None,
        };
        let lifetime_s = node.and_then(|node| node.battery).map(|it| it.lifetime.as_secs_f64());
        let charge = lifetime_s.map(|lifetime| lifetime / ran_s);
        let acks = connection.acks.delivered as f64;
        Self {
            lifetime_min: lifetime_s.map(|seconds| seconds / 60.0),
            bytes: charge.map(|charge| charge * bytes),
            goodput_mbit_per_s: bytes * 8.0 / ran_s / 1e6,
            retransmissions: charge.map(|it| it * connection.segments_retransmitted as f64),
            energy: node
                .filter(|_| bytes > 0.0)
                .map(|node| EnergyPerMb::of(setting, node, ran_s, acks, bytes / 1e6)),
        }
    }

    pub(super) fn get(&self, metric: Metric) -> Option<f64> {
        match metric {
            Metric::Lifetime => self.lifetime_min,
            Metric::Bytes => self.bytes,
            Metric::Goodput => Some(self.goodput_mbit_per_s),
            Metric::Retransmissions => self.retransmissions,
            Metric::Energy => self.energy.map(|it| it.total),
            Metric::Acknowledgments => self.energy.map(|it| it.acknowledgments),
            Metric::Processing => self.energy.map(|it| it.processing),
            Metric::Airtime => self.energy.map(|it| it.total - it.acknowledgments - it.processing),
        }
    }
}

impl EnergyPerMb {
    fn of(setting: Setting, node: &NodeOutcome, ran_s: f64, acks: f64, megabytes: f64) -> Self {
        let total = node.total().as_joules_f64();
        let work = &node.processor.active;
        let for_acks = work.of(Purpose::Acknowledgment).energy.as_joules_f64();
        let processing = work.total().energy.as_joules_f64() - for_acks;
        // All but the processor, at any time: radio and platform.
        let waiting_w = (total - processing - for_acks) / ran_s;
        let options = if setting.timestamps { TIMESTAMPS } else { 0.0 };
        #[expect(clippy::cast_precision_loss, reason = "1 to 11")]
        let control_rate = setting.control_rate_mbit as f64;
        let ack_us = FIXED_US + (ACK_BYTES + options) * 8.0 / 11.0 + LINK_ACK_BITS / control_rate;
        Self {
            total: total / megabytes,
            acknowledgments: (for_acks + waiting_w * acks * ack_us / 1e6) / megabytes,
            processing: processing / megabytes,
        }
    }
}

impl Results {
    /// `metric` on each seed. Empty for a setting that was not run.
    pub(super) fn metric(&self, setting: Setting, metric: Metric) -> Sample {
        let runs = self.0.get(&setting).map(Vec::as_slice).unwrap_or_default();
        Sample::new(runs.iter().map(|run| run.get(metric)).collect())
    }
}
