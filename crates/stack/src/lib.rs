//! The TCP of one host over raw IP packets. It has no clock, no sockets and no
//! threads: a driver gives it packets and the time, and takes packets from it.

mod buffer;
mod config;
pub mod demux;
mod entry;
mod error;
mod event;
mod ids;
mod isn;
mod listener;
mod replies;
mod slab;
mod stack;
mod tuple;

pub use config::Config;
pub use error::Error;
pub use event::Event;
pub use ids::{ConnectionId, ListenerId};
pub use netjoule_transport::cost::{Counts, Meter, Off, Operation};
pub use netjoule_transport::tcp::Info;
pub use stack::{Counters, Stack};
pub use tuple::Tuple;
