//! What travels through a network: TCP segments and ICMP notices in IP
//! packets, with the sizes they have on the wire.
//!
//! A packet is a small `Copy` value. Its payload is a range of sequence
//! numbers: in simulation the bytes themselves are never made.

pub mod checksum;
mod packet;
mod segment;
mod seq;

pub use packet::{Address, Body, Ecn, FIRST_PORT, Flow, Headers, Notice, NoticeKind, Packet};
pub use segment::{Flags, SackBlocks, Segment, TCP_HEADER_BYTES, TcpOptions, Timestamps};
pub use seq::{SeqNumber, SeqRange};
