//! What the live commands have in common: their device, the line in front of
//! it, the settings of connections, and what is told at the end.

mod device;
mod knobs;
mod line;
mod report;
mod session;

pub(crate) use device::{DeviceArgs, Place};
pub(crate) use knobs::{Knobs, listed};
pub(crate) use line::LineArgs;
pub(crate) use report::{Connection, Negotiated, Report};
pub(crate) use session::{Session, SessionArgs};
