//! IEEE 802.11: stations that share the air.
//!
//! Section numbers of the standard are those of IEEE Std 802.11-2012.

pub mod phy;
pub mod radio;
