//! TCP in the established state, with the parts that variants exchange: loss
//! [`recovery`], window policy ([`congestion`]), network [`signals`], and the
//! receiver's acknowledgment policy.

pub mod congestion;
mod connection;
mod events;
mod knobs;
mod options;
mod receiver;
pub mod recovery;
mod rtt;
mod sender;
pub mod signals;
mod stats;
mod timers;
mod variant;

pub use connection::{Connection, Transmission};
pub use events::{Event, Reason};
pub use knobs::{KNOBS, Knob};
pub use options::{
    AvoidanceIncrement, BackoffEnd, EcnMode, InitialWindow, InitialWindowFormula, Options, PathMtu,
    Paws, Sack, SsthreshBase, TimerKind,
};
pub use sender::Snapshot;
pub use stats::Stats;
pub use variant::{VARIANTS, Variant};

#[cfg(test)]
mod tests;
