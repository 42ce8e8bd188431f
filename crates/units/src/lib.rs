//! Quantities of the simulator as types.
//!
//! A bare number is never a time, a rate or a probability here. Every type is
//! an integer of its smallest unit (nanoseconds, bytes, bits per second,
//! millimetres, nanowatts, attojoules), so that sums are exact and runs repeat to
//! the bit; floats appear only where a result is shown, and inside
//! [`Probability`], [`Decibels`] and [`PowerLevel`].
//!
//! The units of energy are chosen so that a product with time loses nothing:
//! nanowatts times nanoseconds are attojoules, nanoamperes times nanoseconds are
//! attocoulombs, and both products fit in 128 bits whatever the factors.
//!
//! Each type parses the form in which scenario files write it (`"50 ms"`,
//! `"11 Mbit/s"`, `"16 KiB"`) and refuses a number without a unit and a value
//! that is not a whole number of its smallest unit.

mod data;
mod distance;
mod electric;
mod energy;
mod level;
mod parse;
mod probability;
mod rate;
mod show;
mod time;
mod work;

pub use data::Bytes;
pub use distance::Distance;
pub use electric::{Charge, Current, Resistance, Voltage};
pub use energy::{Energy, Power};
pub use level::{Decibels, PowerLevel};
pub use parse::UnitError;
pub use probability::Probability;
pub use rate::BitRate;
pub use time::{Duration, Instant};
pub use work::WorkTime;
