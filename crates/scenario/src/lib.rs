//! Scenario files.

pub mod model;

pub use model::{
    Attribute, Connection, EventKind, Link, LinkLayer, Medium, Node, NodeKind, Notices, Run,
    Scenario, Trace,
};
