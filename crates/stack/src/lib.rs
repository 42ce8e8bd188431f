//! The TCP of one host over raw IP packets. It has no clock, no sockets and no
//! threads: a driver gives it packets and the time, and takes packets from it.
//!
//! [`Stack`] is the host, and states the contract with its driver. Below it is
//! one engine of `netjoule-transport` for each connection, the same that runs in
//! simulations: it reasons about sequence numbers, the stack owns the bytes.
//! `examples/by_hand.rs` has two hosts that exchange packets by hand:
//!
//! ```text
//!  0.000000 IP 192.0.2.1:58544 > 192.0.2.2:80: Flags [SEW], seq 3592451213, ack 0, win 65535, length 0
//!  0.010000 IP 192.0.2.2:80 > 192.0.2.1:58544: Flags [SE.], seq 4034860264, ack 3592451214, win 65535, length 0
//!  0.020000 IP 192.0.2.1:58544 > 192.0.2.2:80: Flags [FP.], seq 3592451214, ack 4034860265, win 32768, length 17
//!  0.030000  server reads "What is the time?"
//! ```
//!
//! # How a packet travels
//!
//! In: [`Stack::handle_packet`] looks at the IP header where it lies, finds the
//! connection ([`demux`]), copies the payload of the expected segment into the
//! receive buffer and adds it up at once, and tells the engine. The application
//! reads in place ([`Stack::receive_with`]) or has it copied
//! ([`Stack::receive`]).
//!
//! Out: the application writes in place ([`Stack::send_with`]) or has it copied
//! ([`Stack::send`]). [`Stack::poll_transmit`] asks the engines that have
//! something to send, in turn; the payload is copied behind its header and added
//! up at once, the header comes from a template. Between an application that
//! works in place and the device each byte is copied once.
//!
//! # What a hostile peer can do
//!
//! It can fill what is bounded: `Config::max_connections`, a listener's backlog,
//! a receive window, the replies of a second. It cannot choose which connections
//! share a hash chain, nor guess sequence numbers (RFC 6528), timestamps or
//! ports (RFC 6056). ICMP errors count only if they quote what was sent (RFC
//! 5927).

mod agenda;
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
