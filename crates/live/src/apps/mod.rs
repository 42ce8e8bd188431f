//! What uses the stack: ttcp's two ends and a port forwarder.

mod forward;
mod pattern;
mod receiver;
mod sender;
mod sink;
mod source;
mod transfer;

pub use forward::{Forwarder, Side, Tally};
pub use pattern::Pattern;
pub use receiver::Receiver;
pub use sender::{Destination, Sender};
pub use sink::Sink;
pub use source::Source;
pub use transfer::{Digest, Transfer};
