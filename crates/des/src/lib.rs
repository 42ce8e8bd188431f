//! The event core. It knows time, deadlines and randomness, and nothing of
//! networks.
//!
//! # Events without an event list
//!
//! A simulated part without I/O says one thing about its future: when it wants
//! to be called next. So the core keeps one deadline per part, not a list of
//! events. Setting a deadline anew *is* cancelling the old one: no dead event
//! stays behind, memory is proportional to the number of parts, and a packet
//! on a long line costs nothing until it is the next to arrive there.
//!
//! # The order of simultaneous events
//!
//! Earlier deadlines come first. Parts with the same deadline are called in
//! the order of their [`PartId`], which is the order in which the network was
//! built; a part that sets its deadline to the current moment again is called
//! again in that moment, after nothing but the parts before it. The order
//! depends on nothing else: not on insertion, hashing, threads or addresses.

mod fingerprint;
mod random;
mod run;

pub use netjoule_deadlines::{Deadlines, PartId};

pub use fingerprint::Fingerprint;
pub use random::Streams;
pub use run::{Clock, Limits, Stop};
