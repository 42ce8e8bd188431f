//! For tests only: the thesis's network to build on, an observer that
//! remembers, random small scenarios, and packet scripts.

mod base_station;
pub mod hostile;
mod log;
mod packets;
mod random;

pub use base_station::{BaseStation, MS};
pub use log::Log;
pub use packets::play_packets;
pub use random::scenarios;
