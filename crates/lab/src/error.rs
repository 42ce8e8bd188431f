//! What can go wrong before the first run.

/// Why an experiment cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No variant has this name.
    #[error("there is no variant `{name}`; expected one of {known}")]
    UnknownVariant {
        /// The name as given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A variant cannot be compared with itself.
    #[error("the variant `{name}` is listed twice")]
    RepeatedVariant {
        /// The name as given.
        name: String,
    },
    /// An experiment of no runs.
    #[error("expected at least one run of each variant")]
    NoRuns,
    /// No paper has this key.
    #[error("there is no paper `{key}`; expected one of {known}")]
    UnknownPaper {
        /// The key as given.
        key: String,
        /// The keys there are.
        known: String,
    },
    /// A paper has no published figure of this name.
    #[error("`{paper}` has no item `{item}`; expected one of {known}")]
    UnknownItem {
        /// The paper's key.
        paper: &'static str,
        /// The item as given.
        item: String,
        /// The items there are.
        known: String,
    },
    /// A file that is part of the program is not what its reader expects.
    #[error("papers/{file}: {reason}")]
    PaperFile {
        /// The file, from the directory of the papers.
        file: &'static str,
        /// What was expected.
        reason: String,
    },
    /// The system refuses threads.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}
