//! For tests only: the thesis's network to build on, an observer that
//! remembers, stations on a shared medium, a device, random small scenarios, packet
//! scripts, what tshark makes of a capture, and what theory says of a saturated
//! wireless cell.

mod base_station;
pub mod hostile;
mod laptop;
mod log;
mod packets;
mod random;
pub mod saturation;
mod tshark;
mod wlan;

pub use base_station::{BaseStation, MS};
pub use laptop::{laptop, on_battery, working_laptop};
pub use log::Log;
pub use packets::play_packets;
pub use random::scenarios;
pub use tshark::{BAD_PACKETS, tshark};
pub use wlan::{Cell, Chain, on_air};
