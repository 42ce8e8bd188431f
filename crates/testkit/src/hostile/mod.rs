//! What hostile or broken peers can do, spelled out by arbitrary bytes: the
//! bodies of the fuzz targets in `fuzz/`, and of the tests that replay what
//! those have found.

pub mod engine;
pub mod files;
pub mod host;
pub mod packets;
mod script;
