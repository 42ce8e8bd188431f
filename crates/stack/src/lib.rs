//! The TCP of one host over raw IP packets. It has no clock, no sockets and no
//! threads: a driver gives it packets and the time, and takes packets from it.

mod buffer;
mod config;
mod cost;
pub mod demux;
mod error;
mod event;
mod ids;
mod isn;
mod stack;
mod tuple;

pub use config::Config;
pub use cost::{Meter, Off};
pub use error::Error;
pub use event::Event;
pub use ids::{ConnectionId, ListenerId};
pub use stack::{Info, Stack};
pub use tuple::Tuple;
