//! One JSON object a line. Scripts rely on the names: fields are added, never
//! renamed.

mod energy;

use std::collections::BTreeMap;
use std::io::{self, Write};

use netjoule_net::ConnectionOutcome;
use netjoule_trace::DropCause;
use netjoule_transport::cost::Operation;
use netjoule_transport::tcp::Cause;
use netjoule_units::Energy;
use serde::Serialize;

use crate::commands::cost::Row as CostRow;
use crate::commands::run::{Finished, icmp_share_percent};

/// Writes each of `rows` as a line.
pub(crate) fn lines<T: Serialize>(
    out: &mut impl Write,
    rows: impl IntoIterator<Item = T>,
) -> io::Result<()> {
    rows.into_iter().try_for_each(|row| {
        serde_json::to_writer(&mut *out, &row)?;
        writeln!(out)
    })
}

/// What became of a connection.
#[derive(Serialize)]
struct Connection<'a> {
    variant: &'a str,
    seed: u64,
    source: &'a str,
    destination: &'a str,
    completed: bool,
    /// Why there is no connection any more: `finished` in good order, or what
    /// went wrong; null if it is open.
    closed: Option<&'static str>,
    /// From the start to the ACK of the last byte; null if the run stopped
    /// first, or the connection was closed.
    completion_time_s: Option<f64>,
    bytes_delivered: u64,
    goodput_bit_per_s: f64,
    segments_sent: u64,
    segments_retransmitted: u64,
    timeouts: u64,
    fast_retransmits: u64,
    icmp_messages: u64,
    /// ICMP messages among all packets of the connection.
    icmp_share_percent: f64,
    /// Data segments that died, by cause.
    losses: BTreeMap<&'static str, u64>,
    /// Acknowledgments that died of any cause.
    ack_losses: u64,
    /// SYN, FIN and RST segments without payload, of both ends.
    control_packets: u64,
    /// Those that died of any cause.
    control_losses: u64,
    /// Data segments that wireless links lost.
    wireless_losses: u64,
    /// Frames of data segments lost on the air, each attempt counted.
    frames_corrupted: u64,
    /// L0: the least that a bit takes at the radios of nodes with a device;
    /// absent if it meets none.
    #[serde(skip_serializing_if = "Option::is_none")]
    least_energy_per_bit_j: Option<f64>,
}

/// What became of a run.
#[derive(Serialize)]
struct Summary {
    summary: bool,
    events: u64,
    simulated_time_s: f64,
    wall_time_s: f64,
    /// 16 hexadecimal digits, because JSON numbers do not hold 64 bits.
    fingerprint: String,
}

/// Writes a line for each connection of a run, one for each node with a device,
/// and the summary.
pub(crate) fn run(out: &mut impl Write, finished: &Finished<'_>) -> io::Result<()> {
    let Finished { scenario, seed, outcome, wall_time } = finished;
    let connections =
        outcome.connections.iter().zip(&scenario.connections).map(|(outcome_of, connection)| {
            Connection {
                variant: connection.variant.name,
                seed: *seed,
                source: &scenario.nodes[connection.from].name,
                destination: &scenario.nodes[connection.to].name,
                completed: outcome_of.completion_time.is_some(),
                closed: outcome_of.closed.map(Cause::name),
                completion_time_s: outcome_of.completion_time.map(|time| time.as_secs_f64()),
                bytes_delivered: outcome_of.bytes_delivered.get(),
                goodput_bit_per_s: outcome_of.goodput_bit_per_s(outcome.end),
                segments_sent: outcome_of.segments_sent,
                segments_retransmitted: outcome_of.segments_retransmitted,
                timeouts: outcome_of.timeouts,
                fast_retransmits: outcome_of.fast_retransmits,
                icmp_messages: outcome_of.notices.sent,
                icmp_share_percent: icmp_share_percent(outcome_of),
                losses: losses(outcome_of),
                ack_losses: outcome_of.acks.dropped_in_all(),
                control_packets: outcome_of.control.sent,
                control_losses: outcome_of.control.dropped_in_all(),
                wireless_losses: outcome_of.wireless_losses,
                frames_corrupted: outcome_of.frames_corrupted,
                least_energy_per_bit_j: outcome_of.least_energy_per_bit.map(Energy::as_joules_f64),
            }
        });
    lines(out, connections)?;
    lines(out, energy::nodes(finished))?;
    let summary = Summary {
        summary: true,
        events: outcome.events,
        simulated_time_s: outcome.end.as_secs_f64(),
        wall_time_s: wall_time.as_secs_f64(),
        fingerprint: format!("{:016x}", outcome.fingerprint),
    };
    lines(out, [summary])
}

/// What a knob costs, both ends together, for each full segment.
#[derive(Serialize)]
struct Cost<'a> {
    knob: &'a str,
    title: &'a str,
    compared_with: &'a str,
    segments: u64,
    instructions_per_segment: Option<f64>,
    time_per_segment_ns: f64,
    /// Operations for each segment, or bytes on which they were done.
    operations_per_segment: BTreeMap<&'static str, f64>,
}

/// Writes a line for each knob.
pub(crate) fn cost(out: &mut impl Write, rows: &[CostRow]) -> io::Result<()> {
    let of =
        |row: &CostRow, operation: Operation| (operation.name(), row.cost.per_segment(operation));
    lines(
        out,
        rows.iter().map(|row| Cost {
            knob: row.case.name,
            title: row.case.title,
            compared_with: row.case.against,
            segments: row.cost.segments,
            instructions_per_segment: row.instructions,
            time_per_segment_ns: row.nanoseconds,
            operations_per_segment: Operation::ALL.into_iter().map(|it| of(row, it)).collect(),
        }),
    )
}

/// Data segments that died, by the name of the cause.
fn losses(connection: &ConnectionOutcome) -> BTreeMap<&'static str, u64> {
    let of = |cause: DropCause| (cause.name(), connection.data.dropped[cause as usize]);
    DropCause::OF_DATA.into_iter().map(of).collect()
}
