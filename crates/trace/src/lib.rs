//! Observers of a run.
//!
//! A run reports typed [`Event`]s to one [`Observer`]. The sinks here turn them
//! into the files of goel1997 B.4 ([`AttributeFiles`], [`EventText`]), into CSV
//! ([`EventCsv`], [`AttributeCsv`]) and into pcapng ([`Pcap`]), powers into files of
//! their own ([`PowerFiles`]); a [`Recorder`]
//! feeds those that a scenario wants, and a pair of observers is an observer. Recording cannot fail: a sink keeps its first error, stops writing
//! and hands the error out when it is finished.

mod attributes;
mod csv;
mod decimal;
mod event;
mod names;
mod patient;
mod pcap;
mod pending;
mod power;
mod recorder;
mod sample;
mod select;
mod switches;
mod text;

#[cfg(test)]
mod fixture;

pub use attributes::AttributeFiles;
pub use csv::{AttributeCsv, EventCsv};
pub use event::{
    DropCause, Event, FrameInfo, LinkIndex, Nobody, NodeIndex, Observer, Reason, SourceState,
};
pub use names::{LinkNames, Names};
pub use pcap::{Direction, Pcap, PcapWriter, Vantage};
pub use pending::PendingFile;
pub use power::PowerFiles;
pub use recorder::{Recorder, Wanted};
pub use select::{Attribute, EventKind, Set};
pub use switches::Switches;
pub use text::EventText;
