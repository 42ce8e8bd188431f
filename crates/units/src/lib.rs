//! Quantities of the simulator as types.
//!
//! A bare number is never a time, a rate or a probability here. Every type is
//! an integer of its smallest unit (nanoseconds, bytes, bits per second,
//! millimetres), so that sums are exact and runs repeat to the bit; floats
//! appear only where a result is shown, and inside [`Probability`],
//! [`Decibels`] and [`PowerLevel`].
//!
//! Each type parses the form in which scenario files write it (`"50 ms"`,
//! `"11 Mbit/s"`, `"16 KiB"`) and refuses a number without a unit and a value
//! that is not a whole number of its smallest unit.

mod data;
mod distance;
mod level;
mod parse;
mod probability;
mod rate;
mod time;

pub use data::Bytes;
pub use distance::Distance;
pub use level::{Decibels, PowerLevel};
pub use parse::UnitError;
pub use probability::Probability;
pub use rate::BitRate;
pub use time::{Duration, Instant};
