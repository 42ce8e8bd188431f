//! TCP, with the parts that variants exchange: loss [`recovery`], window policy
//! ([`congestion`]), network [`signals`], and the receiver's acknowledgment
//! policy.

mod arrival;
mod challenge;
pub mod congestion;
mod connection;
mod departure;
mod events;
mod fast_path;
mod info;
mod initial_window;
mod knobs;
mod lifetime;
mod negotiation;
mod options;
mod path_mtu;
mod receiver;
pub mod recovery;
mod rtt;
mod sender;
pub mod signals;
mod state;
mod stats;
mod timers;
mod timestamps;
mod variant;

pub use connection::{Connection, Endpoint, Transmission};
pub use events::{Cause, Event, Reason};
pub use info::Info;
pub use initial_window::{InitialWindow, InitialWindowFormula};
pub use knobs::{KNOBS, Knob};
pub use lifetime::{IcmpError, IcmpErrorKind, reset_for};
pub use negotiation::Agreed;
pub use options::{
    AvoidanceIncrement, BackoffEnd, EcnMode, Options, PathMtu, Paws, Sack, SsthreshBase, TimerKind,
};
pub use sender::Snapshot;
pub use state::{State, TRANSITIONS, Trigger};
pub use stats::Stats;
pub use variant::{VARIANTS, Variant};

#[cfg(test)]
mod tests;
