//! Loss recovery.

/// Names a recovery algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// See `tahoe`.
    Tahoe,
    /// See `reno`.
    Reno,
    /// See `newreno`.
    NewReno,
}
