//! What became of a run.

use std::io::{self, Write};

use netjoule_trace::DropCause;

use super::energy::energy;
use super::{COLUMNS, results};
use crate::commands::run::{Finished, icmp_share_percent};

/// Writes a column for each connection, one for each node with a device, and a
/// line about the run.
pub(crate) fn run(out: &mut impl Write, finished: &Finished<'_>) -> io::Result<()> {
    let Finished { scenario, seed, outcome, wall_time } = finished;
    if !scenario.title.is_empty() {
        writeln!(out, "{}\n", scenario.title)?;
    }
    let connections: Vec<_> = outcome.connections.iter().zip(&scenario.connections).collect();
    for connections in connections.chunks(COLUMNS) {
        let mut header = vec![String::new()];
        header.extend(connections.iter().map(|(_, connection)| {
            let name = |node: usize| &scenario.nodes[node].name;
            format!("{} → {}", name(connection.from), name(connection.to))
        }));
        let row = |label: &str, value: &dyn Fn(usize) -> String| {
            let mut cells = vec![label.to_owned()];
            cells.extend((0..connections.len()).map(value));
            cells
        };
        let of = |index: usize| connections[index].0;
        let mut rows = vec![
            row("variant", &|i| connections[i].1.variant.title.into()),
            row("completion time, s", &|i| {
                let time = of(i).completion_time.map(|time| format!("{:.3}", time.as_secs_f64()));
                time.unwrap_or_else(|| {
                    if of(i).closed.is_some() { "failed" } else { "incomplete" }.into()
                })
            }),
            row("bytes delivered", &|i| of(i).bytes_delivered.get().to_string()),
            row("goodput, kbit/s", &|i| {
                format!("{:.1}", of(i).goodput_bit_per_s(outcome.end) / 1e3)
            }),
            row("segments sent", &|i| of(i).segments_sent.to_string()),
            row("segments retransmitted", &|i| of(i).segments_retransmitted.to_string()),
            row("timeouts", &|i| of(i).timeouts.to_string()),
            row("fast retransmits", &|i| of(i).fast_retransmits.to_string()),
            row("ICMP messages", &|i| of(i).notices.sent.to_string()),
            row("ICMP share of packets, %", &|i| format!("{:.2}", icmp_share_percent(of(i)))),
            row("frames corrupted", &|i| of(i).frames_corrupted.to_string()),
        ];
        for cause in DropCause::ALL {
            let lost = |i: usize| match cause {
                DropCause::DuplicateAck => of(i).acks.dropped[cause as usize],
                _ => of(i).data.dropped[cause as usize],
            };
            // Rarities stand there only if they have happened.
            let is_rare = matches!(cause, DropCause::DuplicateAck | DropCause::DeadNode);
            if !is_rare || (0..connections.len()).any(|i| lost(i) > 0) {
                rows.push(row(cause_title(cause), &|i| lost(i).to_string()));
            }
        }
        writeln!(out, "{}\n", results(header, rows))?;
    }
    energy(out, finished)?;
    writeln!(
        out,
        "seed {seed}: {} events, {:.3} s simulated in {:.3} s, fingerprint {:016x}",
        outcome.events,
        outcome.end.as_secs_f64(),
        wall_time.as_secs_f64(),
        outcome.fingerprint
    )
}

fn cause_title(cause: DropCause) -> &'static str {
    match cause {
        DropCause::WiredLoss => "segments lost: on a cable",
        DropCause::ChannelError => "segments lost: on the air, not repeated",
        DropCause::RetryLimit => "segments lost: on the air, all attempts",
        DropCause::QueueOverflow => "segments lost: in a full buffer",
        DropCause::DeadNode => "segments lost: at a node without energy",
        DropCause::DuplicateAck => "duplicate ACKs kept from the source",
    }
}
