//! `netjoule compare`, and what happens without a command.

use std::io::Write;

use netjoule_lab::compare::{self, Comparison, Request};

use crate::failure::Failure;
use crate::input::{JobArgs, RUN_COUNTS, ScenarioArgs};
use crate::progress::Progress;
use crate::{json, tables};

/// Compares variants of TCP over the same channels
///
/// Every variant meets the same runs of the channels, so that differences between them are paired.
/// The case "No loss" is Reno over channels that lose nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    scenario: ScenarioArgs,

    /// Variants by name, the first of which is the baseline
    #[arg(long, value_name = "A,B,..", value_delimiter = ',')]
    variants: Vec<String>,

    /// Runs of each variant
    #[arg(long, value_name = "N", default_value_t = RUNS, value_parser = clap::value_parser!(u64).range(RUN_COUNTS))]
    runs: u64,

    /// Seed of the first run, in place of the scenario's; the others count on from it
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    #[command(flatten)]
    jobs: JobArgs,

    /// Writes one JSON object for each variant and metric
    #[arg(long)]
    json: bool,
}

/// Runs of each variant unless given.
const RUNS: u64 = 100;

const EXAMPLES: &str = "\
Examples:
  The built-in scenario:
    netjoule compare

  What the recovery of NewReno adds to notices:
    netjoule compare base.toml --variants reno,newreno,refined-icmp,newreno-refined-icmp

  Figures for a notebook, from a channel that is BAD for longer:
    netjoule compare base.toml --set \"link.102.channel.mean_bad=500 ms\" --runs 20 --json";

const NEXT: &str = "\
What to try next:
  netjoule show -o base.toml              this scenario as a file, to change it
  netjoule run base.toml --trace traces   one run, with windows, numbers and events over time
  netjoule compare base.toml --variants reno,newreno,refined-icmp,newreno-refined-icmp
  netjoule reproduce goel1997 --quick     published figures beside ours
  netjoule help";

pub(crate) fn execute(args: Args, out: &mut impl Write) -> Result<(), Failure> {
    let scenario = args.scenario.load()?;
    let title = scenario.title.clone();
    let mut request = Request::new(scenario, args.runs);
    request.jobs = args.jobs.threads();
    if let Some(seed) = args.seed {
        request.base_seed = seed;
    }
    if !args.variants.is_empty() {
        request.variants = args.variants;
    }
    let comparison = run(&request)?;
    if args.json {
        json::lines(out, &comparison.rows)?;
    } else {
        table(out, &title, &comparison)?;
    }
    complete(&comparison)
}

/// Compares the default variants on the built-in scenario, and says what can be
/// done with it.
pub(crate) fn tour(out: &mut impl Write) -> Result<(), Failure> {
    let scenario = ScenarioArgs::built_in().load()?;
    let title = scenario.title.clone();
    let comparison = run(&Request::new(scenario, RUNS))?;
    table(out, &title, &comparison)?;
    writeln!(out, "\n{NEXT}")?;
    complete(&comparison)
}

fn run(request: &Request) -> Result<Comparison, Failure> {
    let progress = Progress::of_runs(request.total_runs()?);
    Ok(compare::run(request, &|runs| progress.advance(runs))?)
}

fn table(out: &mut impl Write, title: &str, comparison: &Comparison) -> Result<(), Failure> {
    if !title.is_empty() {
        writeln!(out, "{title}\n")?;
    }
    Ok(tables::compare(out, comparison)?)
}

/// Fails if a run stopped before its transfers were complete.
fn complete(comparison: &Comparison) -> Result<(), Failure> {
    let incomplete: usize = comparison.cases.iter().map(|tally| tally.incomplete).sum();
    if incomplete == 0 {
        return Ok(());
    }
    Err(Failure::Unsuccessful(format!(
        "{incomplete} runs stopped before their transfers were complete (at run.time_limit or \
         run.event_budget, because a connection was closed, or because nothing would ever happen \
         any more), and are left out"
    )))
}
