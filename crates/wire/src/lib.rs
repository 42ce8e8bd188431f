//! What travels through a network: TCP segments and ICMP notices in IP
//! packets, with the sizes they have on the wire.
//!
//! A [`Packet`] is a small `Copy` value. Its payload is a range of sequence
//! numbers: in simulation the bytes themselves need never be made. [`packet`]
//! turns packets into bytes and back all the same, out of the formats that
//! real packets are read and written with: [`ip`], [`tcp`], [`icmp`],
//! [`checksum`]. Parsers take any bytes; what they refuse they name
//! ([`Malformed`]).

pub mod checksum;
#[cfg(test)]
mod fixture;
pub mod icmp;
pub mod ip;
mod malformed;
pub mod packet;
mod pretty;
mod segment;
mod seq;
pub mod tcp;

pub use malformed::{Malformed, Part};
pub use packet::{Address, Body, Ecn, FIRST_PORT, Flow, Headers, Notice, NoticeKind, Packet};
pub use segment::{Flags, SackBlocks, Segment, TCP_HEADER_BYTES, TcpOptions, Timestamps};
pub use seq::{SeqNumber, SeqRange};
