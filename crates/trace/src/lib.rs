//! Observers of a run.

mod event;

pub use event::{
    DropCause, Event, FrameInfo, LinkIndex, Nobody, NodeIndex, Observer, Reason, SourceState,
};
