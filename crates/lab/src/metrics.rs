//! What is measured of a run.

use netjoule_net::{ConnectionOutcome, Outcome};
use netjoule_trace::DropCause;
use serde::Serialize;

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
}

/// What was measured of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// In the order of [`Metric::ALL`]; `None` unless every transfer completed,
    /// because figures of a run cut short cannot be averaged with the others.
    values: Option<[f64; Metric::ALL.len()]>,
}

impl Metric {
    /// Every metric, in the order of tables.
    pub const ALL: [Self; 11] = [
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
        }
    }

    /// The unit of its values.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::CompletionTime => "s",
            Self::Goodput => "bit/s",
            Self::SegmentsSent
            | Self::SegmentsRetransmitted
            | Self::WirelessLosses
            | Self::WiredLosses
            | Self::QueueLosses => "segments",
            Self::Timeouts | Self::FastRetransmits => "count",
            Self::IcmpMessages => "messages",
            Self::IcmpShare => "percent",
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
            Metric::ALL.map(|metric| value(metric, outcome, time))
        });
        Self { values }
    }

    /// The value of `metric`; `None` if the run did not complete.
    #[must_use]
    pub fn get(&self, metric: Metric) -> Option<f64> {
        self.values.map(|values| values[metric as usize])
    }

    /// Whether every transfer completed.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.values.is_some()
    }
}

fn value(metric: Metric, outcome: &Outcome, completion_time_s: f64) -> f64 {
    let connections = &outcome.connections;
    // The ledger and the enumeration have the same order, that of `ALL`.
    let died = |cause: DropCause| sum(connections.iter().map(|c| c.data.dropped[cause as usize]));
    match metric {
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
    }
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

    /// A complete run with these values and zeros else.
    pub(crate) fn with(given: &[(Metric, f64)]) -> Self {
        let mut values = [0.0; Metric::ALL.len()];
        for &(metric, value) in given {
            values[metric as usize] = value;
        }
        Self { values: Some(values) }
    }

    fn only_if(self, complete: bool) -> Self {
        Self { values: self.values.filter(|_| complete) }
    }
}

#[cfg(test)]
mod tests;
