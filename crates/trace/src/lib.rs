//! Observers of a run.
//!
//! A run reports typed [`Event`]s to one [`Observer`]. The sinks here turn them
//! into the files of goel1997 B.4 ([`AttributeFiles`], [`EventText`]) and into
//! CSV ([`EventCsv`], [`AttributeCsv`]); a [`Recorder`] feeds those that are
//! wanted. Recording cannot fail: a sink keeps its first error, stops writing
//! and hands the error out when it is finished.

mod attributes;
mod csv;
mod decimal;
mod event;
mod names;
mod patient;
mod pending;
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
pub use pending::PendingFile;
pub use recorder::{Recorder, Wanted};
pub use select::{Attribute, EventKind, Set};
pub use switches::Switches;
pub use text::EventText;
