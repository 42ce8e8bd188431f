//! What knobs cost.

use std::io::{self, Write};

use netjoule_lab::cost::Case;
use netjoule_transport::cost::Operation;

use super::results;
use crate::commands::cost::Row;

/// Writes a line for each knob, and what the columns are.
pub(crate) fn cost(out: &mut impl Write, rows: &[Row], counted: bool) -> io::Result<()> {
    let header = ["knob", "instructions", "more by", "ns", "ACKs", "short path", "options, B"];
    let lines = rows.iter().map(|row| {
        let of = |operation| row.cost.per_segment(operation);
        let segments_in = of(Operation::DataIn) + of(Operation::AckIn);
        let share = 100.0 * of(Operation::FastPath) / segments_in;
        vec![
            row.case.title.to_owned(),
            row.instructions.map_or_else(String::new, |count| format!("{count:.0}")),
            more(row, rows),
            format!("{:.0}", row.nanoseconds),
            format!("{:.2}", of(Operation::AckOut)),
            format!("{share:.0} %"),
            format!("{:.1}", of(Operation::OptionBytesOut)),
        ]
    });
    writeln!(out, "{}\n", results(header.map(String::from).into(), lines))?;
    let source = if counted { "counted now" } else { "counted when this version was made" };
    writeln!(
        out,
        "Both ends together, for each full segment of data: instructions ({source}, with\n\
         valgrind, four copies and two checksums included), nanoseconds (the best of five, on\n\
         this machine, now), acknowledgments, segments for which header prediction held, bytes\n\
         of options. `more by` is against the knob's own baseline."
    )
}

/// Instructions beyond those of the case that this one is compared with.
fn more(row: &Row, rows: &[Row]) -> String {
    let is_other = |other: &&Row| other.case.name == row.case.against;
    let other = rows.iter().find(is_other).filter(|other| other.case.name != row.case.name);
    match (row.instructions, other.and_then(|other| other.instructions)) {
        (Some(this), Some(that)) => format!("{:+.0}{}", this - that, mark(row.case)),
        _ => String::new(),
    }
}

/// A mark for what is not compared with the baseline.
fn mark(case: &Case) -> &'static str {
    if case.against == netjoule_lab::cost::BASELINE { "" } else { "*" }
}
