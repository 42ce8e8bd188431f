//! Experiments: replication, statistics, comparison of variants, and the
//! reproduction of published figures.
//!
//! [`compare`] sets variants side by side on one scenario; [`papers`] sets
//! published figures beside measured ones. Both make many runs of
//! [`netjoule_net::run`] on several threads and return typed rows, which
//! serialise into the JSON lines of the command line. Equal requests give
//! equal results, whatever the number of threads.

pub mod case;
pub mod compare;
pub mod cost;
pub mod energy;
mod error;
pub mod fit;
#[cfg(test)]
mod fixture;
pub mod metrics;
pub mod papers;
pub mod replicate;
pub mod stats;

pub use error::Error;
pub use replicate::Progress;
