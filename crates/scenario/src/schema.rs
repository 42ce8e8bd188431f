//! The keys of a TOML scenario.
//!
//! Each struct is a table and each field a key; quantities are strings with a
//! unit. A key that is `Option` here is either required or has a default that
//! depends on another one. `SCHEMA.md` says the same with an example.

use std::collections::BTreeMap;

use netjoule_link::arq::Discipline;
use netjoule_transport::tcp::Options;
use netjoule_units::{BitRate, Bytes, Distance, Duration, Instant, Probability};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::model::{DuplicateAcks, LinkLayer, NodeKind, Notices, Pace};

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
    /// [`Tcp`] and [`Options`] of every connection.
    tcp: Nested,
    /// [`Node`], at least one.
    node: Vec<Nested>,
    /// [`Link`].
    link: Vec<Nested>,
    /// [`Air`].
    air: Vec<Nested>,
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
    /// `pass` unless given.
    pub(crate) duplicate_acks: DuplicateAcks,
    /// East and north of some point; nowhere in particular unless given.
    pub(crate) position: Option<[Distance; 2]>,
    /// The name of a built-in device, or a file beside the scenario if it ends
    /// in [`DEVICE_FILE`]; none, and no account of energy, unless given.
    pub(crate) device: Option<String>,
    /// A table, [`battery::Config`](netjoule_energy::battery::Config), or
    /// [`MAINS`]; that of the device unless given.
    battery: Option<IgnoredAny>,
    /// [`Interrupts`](crate::Interrupts).
    interrupts: Nested,
}

/// What the name of a file that describes a device ends in.
pub(crate) const DEVICE_FILE: &str = ".toml";

/// The `battery` of a node that needs none.
pub(crate) const MAINS: &str = "none";

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

/// `[[air]]`, beside the keys of [`dot11::Config`](netjoule_link::dot11::Config).
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Air {
    /// Required and unique.
    pub(crate) name: Option<String>,
    /// The names of nodes, at least two. Required.
    pub(crate) stations: Option<Vec<String>>,
    /// The name of one of them; none unless given.
    pub(crate) access_point: Option<String>,
    /// The names of some of the others; none unless given.
    pub(crate) power_savers: Vec<String>,
    /// Of stations by name; `rate` of the others.
    pub(crate) rates: BTreeMap<String, BitRate>,
    /// Zero unless given.
    pub(crate) delay: Duration,
    /// 0 unless given.
    pub(crate) random_seed: u64,
    /// [`AirChannel`].
    channel: Vec<Nested>,
}

/// `[[air.channel]]`, beside the keys of
/// [`two_state::Config`](netjoule_link::two_state::Config) and [`CHANNEL_FILES`].
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AirChannel {
    /// The names of the air and the two stations unless given.
    pub(crate) name: Option<String>,
    /// The names of two stations. Required.
    pub(crate) between: Option<[String; 2]>,
    /// That of the air unless given.
    pub(crate) delay: Option<Duration>,
    /// 0 unless given.
    pub(crate) random_seed: u64,
}

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
    /// All at once unless given.
    pub(crate) pace: Option<Pace>,
    /// That of `[tcp]` unless given, or else `reno`.
    pub(crate) variant: Option<String>,
    /// That of `[tcp]` unless given, or else `plain`.
    pub(crate) profile: Option<Profile>,
    /// That of `[tcp]` unless given, or else `false`.
    pub(crate) handshake: Option<bool>,
    /// [`Options`] in place of those of `[tcp]`.
    tcp: Nested,
}

/// The keys of `[tcp]` that are not among [`Options`]; each connection can have
/// its own.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Tcp {
    /// `reno` unless given.
    pub(crate) variant: Option<String>,
    /// `plain` unless given.
    pub(crate) profile: Option<Profile>,
    /// `false` unless given.
    pub(crate) handshake: Option<bool>,
}

/// The key that names a variant.
pub(crate) const VARIANT: &str = "variant";

/// What the other options of a connection change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Profile {
    /// TCP as the texts of the 1990s had it: [`Options::default`].
    #[default]
    Plain,
    /// What hosts do today: [`Options::current`].
    Current,
}

impl Profile {
    pub(crate) fn options(self) -> Options {
        match self {
            Self::Plain => Options::default(),
            Self::Current => Options::current(),
        }
    }
}
