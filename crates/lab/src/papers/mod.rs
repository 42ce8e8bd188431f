//! Published figures beside measured ones.
//!
//! A paper has one set of parameters for all its figures. Its scenario, plan,
//! assumptions and published figures are the files of `papers/<key>/`, built
//! into the program.

pub mod agarwal2000;
pub mod assumptions;
pub mod figure;
pub mod goel1997;
mod sample;
mod summary;
pub mod tolerance;
pub mod verdict;

use std::num::NonZeroUsize;

use crate::Error;
use crate::replicate::Progress;

pub use assumptions::{Assumption, Assumptions, Contradiction};
pub use figure::{Figure, Label, Published, Role, Setting, Value};
pub use sample::Sample;
pub use summary::{Acceptance, Judged, SharedChannel, Summary};
pub use verdict::{Judgement, Verdict};

/// A paper whose figures can be reproduced.
pub struct Paper {
    /// Its name on the command line and in results.
    pub key: &'static str,
    /// Author, title and year.
    pub title: &'static str,
    /// The scenario that its figures vary, as TOML.
    pub scenario: &'static str,
    /// What its text does not give.
    pub assumptions: fn() -> Result<Assumptions, Error>,
    /// Its figures and how to run them.
    campaign: fn(Effort) -> Result<Box<dyn Campaign>, Error>,
}

/// Every paper.
pub const PAPERS: [&Paper; 2] = [&goel1997::PAPER, &agarwal2000::PAPER];

/// How many runs to make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// As many as the paper's plan says.
    #[default]
    Full,
    /// As few, and as short, as give a verdict: under a minute.
    Quick,
    /// So many; where a prediction interval decides, fewer than 39 give none.
    Runs(u64),
}

/// What to reproduce.
#[derive(Clone)]
pub struct Request {
    /// The paper.
    pub paper: &'static Paper,
    /// One of its items; all of them if `None`.
    pub item: Option<String>,
    /// How many runs to make.
    pub effort: Effort,
    /// Worker threads; `None` for one per processor.
    pub jobs: Option<NonZeroUsize>,
}

/// The result of a reproduction.
#[derive(Clone, Debug, PartialEq)]
pub struct Reproduction {
    /// The figures, in the order of the paper; then those that show what an
    /// assumption is worth.
    pub figures: Vec<Figure>,
    /// What they come to.
    pub summary: Summary,
}

/// A paper's items for one effort.
trait Campaign {
    /// Names of the items, in the order of the paper.
    fn items(&self) -> Vec<String>;

    /// Runs that the items need.
    fn total_runs(&self, items: &[String]) -> u64;

    /// Makes these runs and judges the figures.
    fn run(
        &self,
        items: &[String],
        jobs: Option<NonZeroUsize>,
        progress: Progress<'_>,
    ) -> Result<Reproduction, Error>;
}

impl Paper {
    /// The paper called `key`.
    ///
    /// # Errors
    /// [`Error::UnknownPaper`], with the keys there are.
    pub fn named(key: &str) -> Result<&'static Self, Error> {
        PAPERS.into_iter().find(|paper| paper.key == key).ok_or_else(|| Error::UnknownPaper {
            key: key.into(),
            known: PAPERS.map(|paper| paper.key).join(", "),
        })
    }

    /// Names of its items, in its order.
    ///
    /// # Errors
    /// [`Error::PaperFile`] if a built-in file is wrong.
    pub fn items(&self) -> Result<Vec<String>, Error> {
        Ok((self.campaign)(Effort::Quick)?.items())
    }
}

impl Request {
    /// Everything in `paper`, with the runs of its plan.
    #[must_use]
    pub fn new(paper: &'static Paper) -> Self {
        Self { paper, item: None, effort: Effort::Full, jobs: None }
    }

    /// How many runs the progress callback will have counted at the end.
    ///
    /// # Errors
    /// [`Error::UnknownItem`], [`Error::NoRuns`], or [`Error::PaperFile`] if a
    /// built-in file is wrong.
    pub fn total_runs(&self) -> Result<u64, Error> {
        let (campaign, items) = self.selected()?;
        Ok(campaign.total_runs(&items))
    }

    fn selected(&self) -> Result<(Box<dyn Campaign>, Vec<String>), Error> {
        if self.effort == Effort::Runs(0) {
            return Err(Error::NoRuns);
        }
        let campaign = (self.paper.campaign)(self.effort)?;
        let items = campaign.items();
        let Some(wanted) = &self.item else { return Ok((campaign, items)) };
        if items.contains(wanted) {
            return Ok((campaign, vec![wanted.clone()]));
        }
        Err(Error::UnknownItem {
            paper: self.paper.key,
            item: wanted.clone(),
            known: items.join(", "),
        })
    }
}

/// Runs a reproduction. The result depends on the request alone, not on the
/// number of threads.
///
/// # Errors
/// Those of [`Request::total_runs`], and [`Error::Threads`].
pub fn reproduce(request: &Request, progress: Progress<'_>) -> Result<Reproduction, Error> {
    let (campaign, items) = request.selected()?;
    campaign.run(&items, request.jobs, progress)
}

#[cfg(test)]
mod tests;
