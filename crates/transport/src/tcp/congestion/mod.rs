//! Window policies: how cwnd grows, and what a loss leaves of it.
//!
//! A policy computes; the sender applies. Another policy is another file here.

mod aimd;

pub use aimd::Aimd;
