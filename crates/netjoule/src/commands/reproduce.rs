//! `netjoule reproduce`

use std::io::Write;

use netjoule_lab::papers::{self, Effort, PAPERS, Paper, Reproduction, Request};

use crate::failure::Failure;
use crate::input::{JobArgs, RUN_COUNTS};
use crate::progress::Progress;
use crate::{json, tables};

/// Reproduces published figures and sets them beside ours
///
/// Where a published figure was a single run of something that scatters, it holds if it lies in
/// the interval in which 95 of 100 single runs of ours lie (goel1997). Where runs hardly scatter,
/// ours holds if it is within a tolerance, from how far the text's own figures for one thing lie
/// apart (agarwal2000). A paper that was reproduced as a whole is accepted or not, by how much of
/// it a faithful model is expected to reach.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A paper's key; every paper if there is none
    paper: Option<String>,

    /// One of the paper's items
    item: Option<String>,

    /// As few and as short runs as give a verdict
    #[arg(long, conflicts_with = "runs")]
    quick: bool,

    /// Runs of each case, in place of the paper's plan; of goel1997, fewer than 39 give no verdict
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(RUN_COUNTS))]
    runs: Option<u64>,

    #[command(flatten)]
    jobs: JobArgs,

    /// Writes one JSON object for each figure and one for each paper
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  Every figure of goel1997, in under a minute:
    netjoule reproduce goel1997 --quick

  The parameters of agarwal2000's laptop, fitted anew:
    netjoule reproduce agarwal2000 fit

  The papers and their items:
    netjoule list papers";

pub(crate) fn execute(args: &Args, out: &mut impl Write) -> Result<(), Failure> {
    let papers = match &args.paper {
        Some(key) => vec![Paper::named(key)?],
        None => PAPERS.to_vec(),
    };
    let mut incomplete = 0;
    let mut refused = Vec::new();
    for paper in papers {
        let request = Request {
            item: args.item.clone(),
            effort: effort(args),
            jobs: args.jobs.threads(),
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
        if reproduction.summary.accepted == Some(false) {
            refused.push(paper.key);
        }
    }
    conclude(incomplete, &refused)
}

/// Fails if runs were `incomplete` or papers `refused`.
fn conclude(incomplete: usize, refused: &[&str]) -> Result<(), Failure> {
    if incomplete > 0 {
        return Err(Failure::Unsuccessful(format!(
            "{incomplete} seeds of figures have a run that stopped before its transfers were \
             complete"
        )));
    }
    if refused.is_empty() {
        return Ok(());
    }
    let refused = refused.join(", ");
    Err(Failure::Unsuccessful(format!("the reproduction is not accepted: {refused}")))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reproduction_that_is_not_accepted_fails() {
        assert!(conclude(0, &[]).is_ok());
        for (incomplete, refused, expected) in
            [(0, &["goel1997"][..], "not accepted: goel1997"), (3, &[], "3 seeds")]
        {
            let failure = conclude(incomplete, refused).unwrap_err();
            assert!(matches!(failure, Failure::Unsuccessful(_)));
            assert!(failure.to_string().contains(expected), "{failure}");
        }
    }
}
