//! Two hosts and the wire between them, in virtual time.

mod closing;
mod harness;
mod hostile;
mod icmp;
mod many;
mod opening;
mod transfer;
