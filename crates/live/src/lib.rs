//! The live world: our TCP in real time, over real IP packets.
//!
//! A TUN device has the kernel on one side and our stack on the other. One loop
//! reads packets, hands them to the stack, drains what it has to say, and
//! sleeps until its next deadline or until something arrives. The models of
//! `link` can lie in between, the very same that the simulator uses.
//!
//! Everything that asks the machine is here: clock, devices, namespaces,
//! descriptors. The protocol is in `stack` and `transport`, which know of none
//! of that.

mod air;
pub mod apps;
mod capture;
mod clock;
mod driver;
mod error;
pub mod line;
mod netlink;
pub mod netns;
mod secret;
mod subnet;
pub mod tun;

pub use capture::Capture;
pub use clock::Clock;
pub use driver::{Application, Driver, Sniffer, Wait, Waits, Work};
pub use error::Error;
pub use secret::secret;
pub use subnet::{Subnet, SubnetError};
