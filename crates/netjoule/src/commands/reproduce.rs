//! `netjoule reproduce`

use std::io::Write;
use std::num::NonZeroUsize;

use netjoule_lab::papers::{self, Effort, PAPERS, Paper, Reproduction, Request};

use crate::failure::Failure;
use crate::progress::Progress;
use crate::{json, tables};

/// Reproduces published figures and sets them beside ours
///
/// A published figure was a single run. It holds if it lies in the interval in which 95 of 100
/// single runs of ours lie.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A paper's key; every paper if there is none
    paper: Option<String>,

    /// One of the paper's items
    item: Option<String>,

    /// As few runs as give a verdict
    #[arg(long, conflicts_with = "runs")]
    quick: bool,

    /// Runs of each case, in place of the paper's plan; fewer than 39 give no verdict
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    runs: Option<u64>,

    /// Runs at the same time; one per processor unless given
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Writes one JSON object for each figure and one for each paper
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  Every figure of goel1997, in under a minute:
    netjoule reproduce goel1997 --quick

  The papers and their items:
    netjoule list papers";

pub(crate) fn execute(args: &Args, out: &mut impl Write) -> Result<(), Failure> {
    let papers = match &args.paper {
        Some(key) => vec![Paper::named(key)?],
        None => PAPERS.to_vec(),
    };
    let mut incomplete = 0;
    for paper in papers {
        let request = Request {
            item: args.item.clone(),
            effort: effort(args),
            jobs: args.jobs,
            ..Request::new(paper)
        };
        let progress = Progress::of_runs(request.total_runs()?);
        let reproduction = papers::reproduce(&request, &|runs| progress.advance(runs))?;
        drop(progress);
        if args.json {
            json::lines(out, &reproduction.figures)?;
            json::lines(out, [&reproduction.summary])?;
        } else {
            tables::reproduce(out, paper, &reproduction)?;
        }
        incomplete += seeds_incomplete(&reproduction);
    }
    if incomplete == 0 {
        return Ok(());
    }
    Err(Failure::Unsuccessful(format!(
        "{incomplete} seeds of figures have a run that stopped before its transfers were complete"
    )))
}

fn effort(args: &Args) -> Effort {
    match args.runs {
        Some(runs) => Effort::Runs(runs),
        None if args.quick => Effort::Quick,
        None => Effort::Full,
    }
}

fn seeds_incomplete(reproduction: &Reproduction) -> usize {
    reproduction.figures.iter().map(|figure| figure.incomplete).sum()
}
