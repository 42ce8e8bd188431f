//! What is measured of a run.

use netjoule_net::{ConnectionOutcome, Outcome};
use netjoule_trace::DropCause;
use serde::Serialize;

use crate::energy::Energies;

/// A quantity of a run, over all its connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// From the first start to the completion of the last transfer.
    CompletionTime,
    /// Payload bits delivered per second, summed.
    Goodput,
    /// Data segments sent, retransmissions included.
    SegmentsSent,
    /// Data segments sent again.
    SegmentsRetransmitted,
    /// Retransmission timers that ran out.
    Timeouts,
    /// Fast retransmits.
    FastRetransmits,
    /// ICMP messages sent to the sources.
    IcmpMessages,
    /// ICMP messages among all packets sent.
    IcmpShare,
    /// Data segments that wireless links lost.
    WirelessLosses,
    /// Data segments lost on cables.
    WiredLosses,
    /// Data segments that found no room in a buffer.
    QueueLosses,
    /// E_A of singh2002 over all bits delivered: what radios and processors
    /// draw. This and what follows is over all metered nodes, and exists only
    /// where there are any.
    EnergyAwakePerBit,
    /// E_I over all bits delivered: E_A without waiting.
    EnergyIdealizedPerBit,
    /// E_A as a multiple of L0 of all bits delivered.
    TimesLimit,
    /// What everything draws, platforms included: the sum of the six that follow.
    EnergySystem,
    /// Of that the work of radios that nobody had to do twice.
    EnergyAirtime,
    /// The work of radios on what was sent again.
    EnergyRetransmission,
    /// The reception of what was for others.
    EnergyOverhearing,
    /// Radios and processors that wait.
    EnergyIdle,
    /// The work of processors.
    EnergyProcessing,
    /// Everything but radios and processors.
    EnergyPlatform,
    /// How long the first battery to be empty lasts.
    Lifetime,
    /// Bytes that all connections deliver until then.
    BytesPerCharge,
    /// How often work came to a processor that had none, for each megabyte
    /// delivered.
    WakeUpsPerMb,
}

/// What was measured of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// In the order of [`Metric::ALL`]; `None` unless every transfer completed,
    /// because figures of a run cut short cannot be averaged with the others.
    values: Option<[Option<f64>; Metric::ALL.len()]>,
}

impl Metric {
    /// Every metric, in the order of tables.
    pub const ALL: [Self; 24] = [
        Self::CompletionTime,
        Self::Goodput,
        Self::SegmentsSent,
        Self::SegmentsRetransmitted,
        Self::Timeouts,
        Self::FastRetransmits,
        Self::IcmpMessages,
        Self::IcmpShare,
        Self::WirelessLosses,
        Self::WiredLosses,
        Self::QueueLosses,
        Self::EnergyAwakePerBit,
        Self::EnergyIdealizedPerBit,
        Self::TimesLimit,
        Self::EnergySystem,
        Self::EnergyAirtime,
        Self::EnergyRetransmission,
        Self::EnergyOverhearing,
        Self::EnergyIdle,
        Self::EnergyProcessing,
        Self::EnergyPlatform,
        Self::Lifetime,
        Self::BytesPerCharge,
        Self::WakeUpsPerMb,
    ];

    /// Its name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CompletionTime => "completion_time_s",
            Self::Goodput => "goodput_bit_per_s",
            Self::SegmentsSent => "segments_sent",
            Self::SegmentsRetransmitted => "segments_retransmitted",
            Self::Timeouts => "timeouts",
            Self::FastRetransmits => "fast_retransmits",
            Self::IcmpMessages => "icmp_messages",
            Self::IcmpShare => "icmp_share",
            Self::WirelessLosses => "wireless_losses",
            Self::WiredLosses => "wired_losses",
            Self::QueueLosses => "queue_losses",
            Self::EnergyAwakePerBit => "energy_awake_uj_per_bit",
            Self::EnergyIdealizedPerBit => "energy_idealized_uj_per_bit",
            Self::TimesLimit => "times_limit",
            Self::EnergySystem => "energy_system_j",
            Self::EnergyAirtime => "energy_airtime_j",
            Self::EnergyRetransmission => "energy_retransmission_j",
            Self::EnergyOverhearing => "energy_overhearing_j",
            Self::EnergyIdle => "energy_idle_j",
            Self::EnergyProcessing => "energy_processing_j",
            Self::EnergyPlatform => "energy_platform_j",
            Self::Lifetime => "lifetime_s",
            Self::BytesPerCharge => "bytes_per_charge",
            Self::WakeUpsPerMb => "wake_ups_per_mb",
        }
    }

    /// Whether it exists only where nodes have devices.
    #[must_use]
    pub fn is_of_devices(self) -> bool {
        self >= Self::EnergyAwakePerBit
    }

    /// The unit of its values.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::CompletionTime | Self::Lifetime => "s",
            Self::Goodput => "bit/s",
            Self::SegmentsSent
            | Self::SegmentsRetransmitted
            | Self::WirelessLosses
            | Self::WiredLosses
            | Self::QueueLosses => "segments",
            Self::Timeouts | Self::FastRetransmits => "count",
            Self::IcmpMessages => "messages",
            Self::IcmpShare => "percent",
            Self::EnergyAwakePerBit | Self::EnergyIdealizedPerBit => "uJ/bit",
            Self::TimesLimit => "ratio",
            Self::EnergySystem
            | Self::EnergyAirtime
            | Self::EnergyRetransmission
            | Self::EnergyOverhearing
            | Self::EnergyIdle
            | Self::EnergyProcessing
            | Self::EnergyPlatform => "J",
            Self::BytesPerCharge => "bytes",
            Self::WakeUpsPerMb => "1/MB",
        }
    }
}

impl Serialize for Metric {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Measured {
    /// Measures a run.
    #[must_use]
    pub fn of(outcome: &Outcome) -> Self {
        let first_start = outcome.connections.iter().map(|connection| connection.start).min();
        let last_end = outcome
            .connections
            .iter()
            .map(|connection| Some(connection.start + connection.completion_time?))
            .collect::<Option<Vec<_>>>()
            .and_then(|ends| ends.into_iter().max());
        let values = first_start.zip(last_end).map(|(start, end)| {
            let time = end.saturating_since(start).as_secs_f64();
            let energies = Energies::of(outcome);
            Metric::ALL.map(|metric| {
                let of_packets = value(metric, outcome, time);
                of_packets.or_else(|| energies.as_ref()?.get(metric))
            })
        });
        Self { values }
    }

    /// The value of `metric`; `None` if the run did not complete, or has none.
    #[must_use]
    pub fn get(&self, metric: Metric) -> Option<f64> {
        self.values.and_then(|values| values[metric as usize])
    }

    /// Whether every transfer completed.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.values.is_some()
    }
}

/// Of a metric of packets; those of energy are in [`Energies`].
fn value(metric: Metric, outcome: &Outcome, completion_time_s: f64) -> Option<f64> {
    let connections = &outcome.connections;
    // The ledger and the enumeration have the same order, that of `ALL`.
    let died = |cause: DropCause| sum(connections.iter().map(|c| c.data.dropped[cause as usize]));
    Some(match metric {
        Metric::CompletionTime => completion_time_s,
        Metric::Goodput => connections.iter().map(|c| c.goodput_bit_per_s(outcome.end)).sum(),
        Metric::SegmentsSent => sum(connections.iter().map(|c| c.segments_sent)),
        Metric::SegmentsRetransmitted => sum(connections.iter().map(|c| c.segments_retransmitted)),
        Metric::Timeouts => sum(connections.iter().map(|c| c.timeouts)),
        Metric::FastRetransmits => sum(connections.iter().map(|c| c.fast_retransmits)),
        Metric::IcmpMessages => sum(connections.iter().map(|c| c.notices.sent)),
        Metric::IcmpShare => {
            let sent =
                |c: &ConnectionOutcome| c.data.sent + c.acks.sent + c.control.sent + c.notices.sent;
            let packets = sum(connections.iter().map(sent));
            // A transfer of nothing sends nothing.
            100.0 * sum(connections.iter().map(|c| c.notices.sent)) / packets.max(1.0)
        }
        Metric::WirelessLosses => sum(connections.iter().map(|c| c.wireless_losses)),
        Metric::WiredLosses => died(DropCause::WiredLoss),
        Metric::QueueLosses => died(DropCause::QueueOverflow),
        _ => return None,
    })
}

#[expect(clippy::cast_precision_loss, reason = "counts of one run are far below 2^53")]
fn sum(counts: impl Iterator<Item = u64>) -> f64 {
    counts.sum::<u64>() as f64
}

#[cfg(test)]
impl Measured {
    /// A run with this completion time and zeros else; one that did not
    /// complete without it.
    pub(crate) fn taking(completion_time_s: Option<f64>) -> Self {
        Self::with(&[(Metric::CompletionTime, completion_time_s.unwrap_or(0.0))])
            .only_if(completion_time_s.is_some())
    }

    /// A complete run with these values, zeros else, and no device.
    pub(crate) fn with(given: &[(Metric, f64)]) -> Self {
        let mut values = Metric::ALL.map(|metric| (!metric.is_of_devices()).then_some(0.0));
        for &(metric, value) in given {
            values[metric as usize] = Some(value);
        }
        Self { values: Some(values) }
    }

    fn only_if(self, complete: bool) -> Self {
        Self { values: self.values.filter(|_| complete) }
    }
}

#[cfg(test)]
mod tests;
