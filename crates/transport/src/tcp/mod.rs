//! TCP.

mod options;
pub mod recovery;
pub mod signals;
mod variant;

pub use options::{AvoidanceIncrement, Options, SsthreshBase, TimerKind};
pub use variant::{VARIANTS, Variant};
