//! For tests only: the thesis's network to build on, an observer that
//! remembers, and random small scenarios.

mod base_station;
pub mod hostile;
mod log;
mod random;

pub use base_station::{BaseStation, MS};
pub use log::Log;
pub use random::scenarios;
