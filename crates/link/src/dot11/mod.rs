//! IEEE 802.11: stations that share the air.
//!
//! Section numbers of the standard are those of IEEE Std 802.11-2012.

mod aggregate;
mod air;
mod backoff;
mod config;
mod contention;
mod exchange;
mod frame;
mod hearing;
mod history;
pub mod phy;
mod power_save;
pub mod radio;
mod reception;
mod sending;
mod station;

pub use air::Air;
pub use backoff::Rule;
pub use config::{Config, MOST_AGGREGATED, PowerSave};
pub use frame::{Frame, Kind, Output, To, Transmission};
pub use hearing::Position;
pub use station::{Role, StationSetup, Stats};

#[cfg(test)]
mod tests;
