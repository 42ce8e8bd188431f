//! What became of a transfer over our TCP.

use std::io::{self, Write};

use super::results;
use crate::live::{Connection, Negotiated, Report};

/// Writes a line for each thing that is known.
pub(crate) fn transfer(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let mut rows = Vec::new();
    let mut row = |label: &str, value: String| rows.push(vec![label.to_owned(), value]);
    row("variant, profile", format!("{}, {}", report.variant, report.profile));
    row("bytes", report.bytes.to_string());
    let decimals = |value: Option<f64>, scale: f64, decimals: usize| {
        value.map_or("–".into(), |value| format!("{:.decimals$}", value * scale))
    };
    row("time, s", decimals(report.time_s, 1.0, 3));
    row("goodput, Mbit/s", decimals(report.goodput_bit_per_s, 1e-6, 2));
    if let Some(connection) = &report.connection {
        connection_rows(connection, &mut row, decimals);
    }
    for (operation, count) in report.operations.iter().filter(|(_, count)| **count > 0) {
        row(&operation.replace('_', " "), count.to_string());
    }
    row("packets in, out", format!("{}, {}", report.device.packets_in, report.device.packets_out));
    if let Some(line) = &report.line {
        let pairs = [
            ("line: lost", line.out.lost, line.inward.lost),
            ("line: dropped from the queue", line.out.refused, line.inward.refused),
            ("line: duplicated", line.out.duplicated, line.inward.duplicated),
            ("line: held back", line.out.reordered, line.inward.reordered),
            ("line: corrupted", line.out.corrupted, line.inward.corrupted),
        ];
        for (label, outward, inward) in pairs {
            row(&format!("{label} out, in"), format!("{outward}, {inward}"));
        }
    }
    let header = vec![String::new(), format!("{} → {}", report.local, report.remote)];
    writeln!(out, "{}\n", results(header, rows))?;
    if let Some(digest) = &report.sha256 {
        writeln!(out, "sha256 {digest}")?;
    }
    writeln!(out, "{}: {}", report.role, report.end)
}

fn connection_rows(
    connection: &Connection,
    row: &mut impl FnMut(&str, String),
    decimals: impl Fn(Option<f64>, f64, usize) -> String,
) {
    let counts = [
        ("data segments sent", connection.segments_sent),
        ("retransmissions", connection.segments_retransmitted),
        ("timeouts", connection.timeouts),
        ("fast retransmits", connection.fast_retransmits),
        ("ACKs sent", connection.acks_sent),
        ("segments received", connection.segments_received),
        ("duplicates received", connection.duplicates_received),
    ];
    for (label, count) in counts {
        row(label, count.to_string());
    }
    row("negotiated", negotiated(&connection.negotiated));
    row("MSS, bytes", connection.negotiated.mss_bytes.to_string());
    row("cwnd, bytes", connection.cwnd_bytes.to_string());
    row("ssthresh, bytes", connection.ssthresh_bytes.to_string());
    let times = [
        ("SRTT, ms", connection.srtt_s),
        ("RTTVAR, ms", connection.rttvar_s),
        ("RTO, ms", Some(connection.rto_s)),
    ];
    for (label, seconds) in times {
        row(label, decimals(seconds, 1e3, 3));
    }
}

/// The options in use, in words.
fn negotiated(options: &Negotiated) -> String {
    let scale =
        format!("window scale {} and {}", options.window_shift_own, options.window_shift_peer);
    let words: Vec<&str> = [
        (options.sack, "SACK"),
        (options.timestamps, "timestamps"),
        (options.ecn, "ECN"),
        (options.window_scale, scale.as_str()),
    ]
    .into_iter()
    .filter_map(|(used, name)| used.then_some(name))
    .collect();
    if words.is_empty() { "no options".into() } else { words.join(", ") }
}
