//! Transport engines without I/O.
//!
//! An engine is a state machine that its driver feeds with packets, signals
//! and time, and asks for packets and events. The same engine runs in a
//! simulation, behind an emulated link and on live packets; only the driver
//! differs. The contract is stated at [`tcp::Connection`].

pub mod cost;
pub mod tcp;
