//! The energy that nodes spend, without I/O and without a clock: what they spend
//! it on, and what it is drawn from.
//!
//! Energy is counted in integer attojoules (a power in nanowatts times a time in
//! nanoseconds); floats are inside the models of batteries only, and come from
//! `libm`, whose results do not depend on the machine.

pub mod battery;
pub mod cause;
pub mod device;
pub mod ledger;
pub mod platform;
pub mod processor;
pub mod radio;
pub mod supply;
