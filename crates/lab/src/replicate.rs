//! The same experiment many times over, on several threads.
//!
//! Runs are parallel, each run is single-threaded. Run *i* of every case uses
//! seed *base + i*, so that all cases meet the same channels; results come in
//! the order of cases and runs, whatever the number of threads.

use std::num::NonZeroUsize;

use rayon::prelude::*;

use crate::Error;

/// Called from the worker threads with the number of runs that have just
/// finished.
pub type Progress<'a> = &'a (dyn Fn(u64) + Sync);

/// One run of one case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Index of the case.
    pub case: usize,
    /// The run's seed.
    pub seed: u64,
}

/// Makes every one of `jobs` with `work` on `threads` threads, or one per
/// processor; more threads than jobs are not started. The results are in the order of `jobs`.
///
/// # Errors
/// [`Error::Threads`] if the system refuses the threads.
pub fn run_all<T: Send>(
    jobs: &[Job],
    threads: Option<NonZeroUsize>,
    progress: Progress<'_>,
    work: impl Fn(Job) -> T + Sync,
) -> Result<Vec<T>, Error> {
    // 0 lets rayon choose.
    let threads = threads.map_or(0, |threads| threads.get().min(jobs.len()));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    Ok(pool.install(|| {
        jobs.par_iter()
            // Runs differ in length a hundredfold: idle threads take over
            // single ones.
            .with_max_len(1)
            .map(|&job| {
                let result = work(job);
                progress(1);
                result
            })
            .collect()
    }))
}

/// The jobs of `runs` runs of each of `cases` cases, case by case.
pub fn every_run(cases: usize, runs: u64, base_seed: u64) -> Vec<Job> {
    (0..cases)
        .flat_map(|case| (0..runs).map(move |i| Job { case, seed: base_seed.wrapping_add(i) }))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn order_and_seeds_do_not_depend_on_threads() {
        let jobs = every_run(3, 50, 7);
        assert_eq!(jobs[50], Job { case: 1, seed: 7 });
        assert_eq!(jobs[149], Job { case: 2, seed: 56 });
        for threads in [1, 4] {
            let done = AtomicU64::new(0);
            let progress = |n| {
                done.fetch_add(n, Ordering::Relaxed);
            };
            let results = run_all(&jobs, NonZeroUsize::new(threads), &progress, |job| job);
            assert_eq!(results.unwrap(), jobs, "{threads} threads");
            assert_eq!(done.into_inner(), 150);
        }
    }

    #[test]
    fn no_thread_is_without_a_job() {
        let threads = |asked| {
            let work = |_| rayon::current_num_threads();
            run_all(&every_run(1, 2, 0), NonZeroUsize::new(asked), &|_| {}, work).unwrap()
        };
        assert_eq!(threads(1), [1, 1]);
        assert_eq!(threads(1_000_000), [2, 2]);
    }

    #[test]
    fn seeds_wrap_around() {
        let seeds: Vec<u64> = every_run(1, 2, u64::MAX).iter().map(|job| job.seed).collect();
        assert_eq!(seeds, [u64::MAX, 0]);
    }
}
