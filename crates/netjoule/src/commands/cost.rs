//! `netjoule cost`

use std::env;
use std::io::Write;
use std::process::Command;
use std::time::Instant;

use netjoule_lab::cost::{self, BASELINE, CASES, Case, Cost};
use netjoule_transport::cost::Off;

use crate::failure::Failure;
use crate::progress::Progress;
use crate::{json, tables};

/// Shows what each knob of TCP costs a processor
///
/// A bulk transfer between two hosts in memory, with real bytes and checksums
/// and an application that copies on either side. Figures belong to both ends
/// together, for each full segment of the application's data.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Only these knobs, and what they are compared with
    #[arg(value_name = "KNOB", value_parser = case_named)]
    knobs: Vec<&'static Case>,

    /// Counts instructions anew under valgrind, which takes a minute, in place of showing those
    /// that came with the program
    #[arg(long)]
    count: bool,

    /// Writes one JSON object per knob, with every operation that was counted
    #[arg(long)]
    json: bool,

    /// Transfers so many segments with the first knob, and shows nothing
    #[arg(long, value_name = "SEGMENTS", hide = true)]
    transfer: Option<u64>,
}

const EXAMPLES: &str = "\
Examples:
  All knobs:
    netjoule cost

  Timestamps with the check for old duplicates before and after header prediction:
    netjoule cost timestamps paws-after paws-off

  The instructions of this machine's build:
    netjoule cost --count";

/// Segments in each transfer that is timed or counted.
const SEGMENTS: u64 = 20_000;

/// Segments in the transfers whose instructions are counted: the difference is
/// free of what happens once.
const COUNTED: [u64; 2] = [1_000, 5_000];

/// How often a transfer is timed; the shortest time counts.
const TIMES: usize = 5;

/// A row of results.
pub(crate) struct Row {
    pub(crate) case: &'static Case,
    pub(crate) cost: Cost,
    /// For each segment.
    pub(crate) nanoseconds: f64,
    /// For each segment; `None` where nobody has counted.
    pub(crate) instructions: Option<f64>,
}

fn case_named(name: &str) -> Result<&'static Case, String> {
    Case::named(name).ok_or_else(|| {
        let names: Vec<_> = CASES.iter().map(|case| case.name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

pub(crate) fn execute(args: &Args, out: &mut impl Write) -> Result<(), Failure> {
    if let (Some(segments), Some(case)) = (args.transfer, args.knobs.first()) {
        cost::run::<Off>(&case.setting(), segments);
        return Ok(());
    }
    let cases = chosen(&args.knobs);
    let progress = Progress::of_runs(cases.len() as u64);
    let mut rows = Vec::new();
    for case in cases {
        let instructions = if args.count { Some(count(case)?) } else { cost::recorded(case.name) };
        let cost = cost::count(&case.setting(), SEGMENTS);
        rows.push(Row { case, cost, nanoseconds: time(case), instructions });
        progress.advance(1);
    }
    drop(progress);
    if args.json {
        json::cost(out, &rows)?;
    } else {
        tables::cost(out, &rows, args.count)?;
    }
    Ok(())
}

/// The cases asked for, all without a wish, with those that they are compared
/// with.
fn chosen(knobs: &[&'static Case]) -> Vec<&'static Case> {
    let wanted = |case: &Case| {
        knobs.is_empty()
            || case.name == BASELINE
            || knobs.iter().any(|it| it.name == case.name || it.against == case.name)
    };
    CASES.iter().filter(|case| wanted(case)).collect()
}

#[expect(clippy::disallowed_methods, reason = "wall time is measured here, outside of the run")]
#[expect(clippy::cast_precision_loss, reason = "times of a run are far below 2^53 ns")]
fn time(case: &Case) -> f64 {
    let setting = case.setting();
    let once = || {
        let start = Instant::now();
        cost::run::<Off>(&setting, SEGMENTS);
        start.elapsed().as_nanos()
    };
    (0..TIMES).map(|_| once()).min().unwrap_or(0) as f64 / SEGMENTS as f64
}

/// Instructions for each segment: this program transfers few and more segments
/// under valgrind.
#[expect(clippy::cast_precision_loss, reason = "counts of a run are far below 2^53")]
fn count(case: &Case) -> Result<f64, Failure> {
    let [few, more] = COUNTED;
    let difference = instructions(case, more)?.saturating_sub(instructions(case, few)?);
    Ok(difference as f64 / (more - few) as f64)
}

fn instructions(case: &Case, segments: u64) -> Result<u64, Failure> {
    let cannot = |what: String| Failure::Unsuccessful(format!("cannot count instructions: {what}"));
    let program = env::current_exe().map_err(|error| cannot(error.to_string()))?;
    let output = Command::new("valgrind")
        // Valgrind takes each byte that `rep movsb` copies for an instruction: the C
        // library is told to copy with vectors, which it counts as they are.
        .env("GLIBC_TUNABLES", "glibc.cpu.x86_rep_movsb_threshold=100000000")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["cost", case.name, "--transfer", &segments.to_string()])
        .output()
        .map_err(|error| cannot(format!("valgrind does not start ({error}); is it installed?")))?;
    let told = String::from_utf8_lossy(&output.stderr);
    told.lines()
        .find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok())
        .ok_or_else(|| cannot(format!("valgrind says: {told}")))
}
