//! Transport engines without I/O.

pub mod tcp;
