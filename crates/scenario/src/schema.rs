//! The keys of a TOML scenario.
//!
//! Each struct is a table and each field a key; quantities are strings with a
//! unit. A key that is `Option` here is either required or has a default that
//! depends on another one. `SCHEMA.md` says the same with an example.

use std::collections::BTreeMap;

use netjoule_link::arq::Discipline;
use netjoule_units::{BitRate, Bytes, Duration, Instant, Probability};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::model::{LinkLayer, NodeKind, Notices};

/// A table that is read on its own.
pub(crate) type Nested = BTreeMap<String, IgnoredAny>;

/// The whole file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Document {
    /// One line for people.
    pub(crate) title: String,
    /// [`Run`](crate::Run).
    run: Nested,
    /// [`Trace`](crate::Trace).
    trace: Nested,
    /// [`Options`](netjoule_transport::tcp::Options) of every connection, and
    /// `variant`.
    tcp: Nested,
    /// [`Node`], at least one.
    node: Vec<Nested>,
    /// [`Link`].
    link: Vec<Nested>,
    /// [`Connection`], at least one.
    connection: Vec<Nested>,
}

/// `[[node]]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Node {
    /// Required and unique.
    pub(crate) name: Option<String>,
    /// Required.
    pub(crate) kind: Option<NodeKind>,
    /// No bound unless given.
    pub(crate) buffer: Option<Bytes>,
    /// Zero unless given.
    pub(crate) processing_delay: Duration,
    /// `unreliable` for routers, `reliable` for others unless given.
    pub(crate) link_layer: Option<LinkLayer>,
    /// `round_robin` unless given.
    pub(crate) queue: Option<Discipline>,
    /// `false` unless given.
    pub(crate) shared_transmitter: bool,
    /// `never` for routers, `as_heard` for others unless given.
    pub(crate) notices: Option<Notices>,
}

/// What a link is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LinkKind {
    /// A cable.
    Wired,
    /// A radio link.
    Wireless,
}

/// `[[link]]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Link {
    /// Required and unique.
    pub(crate) name: Option<String>,
    /// Required.
    pub(crate) kind: Option<LinkKind>,
    /// The names of two nodes. Required.
    pub(crate) between: Option<[String; 2]>,
    /// Required.
    pub(crate) rate: Option<BitRate>,
    /// Required.
    pub(crate) delay: Option<Duration>,
    /// 0 unless given.
    pub(crate) random_seed: u64,
    /// Wired links only; 0 unless given.
    pub(crate) loss: Option<Probability>,
    /// Wireless links only: [`two_state::Config`](netjoule_link::two_state::Config)
    /// and [`CHANNEL_FILES`].
    channel: Nested,
    /// Wireless links only: [`arq::Config`](netjoule_link::arq::Config).
    arq: Nested,
}

/// Keys of `[link.channel]` that name a file beside the scenario from which
/// `switches` are read.
pub(crate) const CHANNEL_FILES: [&str; 2] = ["trace", "bad_periods"];

/// `[[connection]]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Connection {
    /// The name of the host that sends. Required.
    pub(crate) from: Option<String>,
    /// The name of the host that receives. Required.
    pub(crate) to: Option<String>,
    /// Required.
    pub(crate) transfer: Option<Bytes>,
    /// Zero unless given.
    pub(crate) start: Instant,
    /// That of `[tcp]` unless given, or else `reno`.
    pub(crate) variant: Option<String>,
    /// [`Options`](netjoule_transport::tcp::Options) in place of those of
    /// `[tcp]`.
    tcp: Nested,
}

/// The key of `[tcp]` that is not one of
/// [`Options`](netjoule_transport::tcp::Options).
pub(crate) const TCP_VARIANT: &str = "variant";
