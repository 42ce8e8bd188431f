//! The components and attributes of goel1997 B.3.

use netjoule_units::{BitRate, Bytes, Duration, Probability};

use crate::document::Value;

/// What the number of an attribute means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// The number of a node or link.
    Id,
    /// A number of things.
    Count,
    /// A random seed.
    Seed,
    /// 0, 1 or 2.
    TraceMode,
    Milliseconds,
    Seconds,
    Bytes,
    /// Units of 1024 bytes.
    Kilobytes,
    BitsPerSecond,
    Probability,
}

/// An attribute of a component.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute {
    pub(super) name: &'static str,
    pub(super) unit: Unit,
    pub(super) mandatory: bool,
    /// Whether it may be given more than once.
    pub(super) repeats: bool,
}

/// A component.
#[derive(Debug)]
pub(super) struct Component {
    pub(super) kind: ComponentKind,
    pub(super) name: &'static str,
    pub(super) attributes: &'static [Attribute],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ComponentKind {
    Simulator,
    WiredSource,
    WirelessSource,
    Router,
    BaseStation,
    WiredSink,
    WirelessSink,
    WiredLink,
    WirelessLink,
    SharedLinks,
}

const fn mandatory(name: &'static str, unit: Unit) -> Attribute {
    Attribute { name, unit, mandatory: true, repeats: false }
}

const fn optional(name: &'static str, unit: Unit) -> Attribute {
    Attribute { name, unit, mandatory: false, repeats: false }
}

/// B.3.1
const SIMULATOR: &[Attribute] = &[
    mandatory("system_simulation_time", Unit::Milliseconds),
    optional("print_interval", Unit::Milliseconds),
    mandatory("read_from_trace", Unit::TraceMode),
];

/// B.3.2; `start_time` is ours, for the starts that the text speaks of.
const SOURCE: &[Attribute] = &[
    mandatory("node_id", Unit::Id),
    mandatory("dest_id", Unit::Id),
    mandatory("num_of_pkts_to_send", Unit::Count),
    mandatory("pkt_size", Unit::Bytes),
    mandatory("recv_wnd_size", Unit::Kilobytes),
    optional("start_time", Unit::Milliseconds),
];

/// B.3.4
const ROUTER: &[Attribute] = &[
    mandatory("node_id", Unit::Id),
    mandatory("buffer_size", Unit::Bytes),
    mandatory("processing_delay", Unit::Milliseconds),
];

/// B.3.6
const SINK: &[Attribute] = &[mandatory("node_id", Unit::Id)];

/// B.3.8
const WIRED_LINK: &[Attribute] = &[
    mandatory("link_id", Unit::Id),
    mandatory("bandwidth", Unit::BitsPerSecond),
    mandatory("latency", Unit::Milliseconds),
    mandatory("node_id1", Unit::Id),
    mandatory("node_id2", Unit::Id),
    mandatory("loss_probability", Unit::Probability),
    mandatory("random_seed", Unit::Seed),
];

/// B.3.9
const WIRELESS_LINK: &[Attribute] = &[
    mandatory("link_id", Unit::Id),
    mandatory("bandwidth", Unit::BitsPerSecond),
    mandatory("latency", Unit::Milliseconds),
    mandatory("node_id1", Unit::Id),
    mandatory("node_id2", Unit::Id),
    mandatory("mean_exp_distrib_good_state", Unit::Seconds),
    mandatory("mean_exp_distrib_bad_state", Unit::Seconds),
    mandatory("random_seed", Unit::Seed),
];

/// B.3.10
const SHARED_LINKS: &[Attribute] = &[Attribute { repeats: true, ..mandatory("link_id", Unit::Id) }];

/// B.3
pub(super) const COMPONENTS: [Component; 10] = {
    const fn new(
        kind: ComponentKind,
        name: &'static str,
        attributes: &'static [Attribute],
    ) -> Component {
        Component { kind, name, attributes }
    }
    [
        new(ComponentKind::Simulator, "simulator", SIMULATOR),
        new(ComponentKind::WiredSource, "wired_source_node", SOURCE),
        new(ComponentKind::WirelessSource, "wireless_source_node", SOURCE),
        new(ComponentKind::Router, "normal_router_node", ROUTER),
        new(ComponentKind::BaseStation, "base_station", ROUTER),
        new(ComponentKind::WiredSink, "wired_sink_node", SINK),
        new(ComponentKind::WirelessSink, "wireless_sink_node", SINK),
        new(ComponentKind::WiredLink, "wired_link", WIRED_LINK),
        new(ComponentKind::WirelessLink, "wireless_link", WIRELESS_LINK),
        new(ComponentKind::SharedLinks, "shared_links", SHARED_LINKS),
    ]
};

impl Unit {
    /// `text` with this unit, as TOML scenarios write it.
    ///
    /// # Errors
    /// What was expected.
    pub(super) fn read(self, text: &str) -> Result<Value, String> {
        match self {
            Self::Id => whole(text, "a number that identifies it").map(|id| id.to_string().into()),
            Self::Count => whole(text, "a whole number").map(|count| Value::Integer(count.into())),
            Self::Seed => whole(text, "a whole number").map(|seed| Value::Integer(seed.into())),
            Self::TraceMode => whole(text, "0, 1 or 2")
                .ok()
                .filter(|mode| *mode <= 2)
                .map(|mode| Value::Integer(mode.into()))
                .ok_or_else(|| "0, 1 or 2".into()),
            Self::Milliseconds => with_unit::<Duration>(text, "ms", "a number of milliseconds"),
            Self::Seconds => with_unit::<Duration>(text, "s", "a number of seconds"),
            Self::Bytes => with_unit::<Bytes>(text, "B", "a number of bytes"),
            Self::Kilobytes => with_unit::<Bytes>(text, "KiB", "a number of KB of 1024 bytes"),
            Self::BitsPerSecond => {
                with_unit::<BitRate>(text, "bit/s", "a number of bits per second, 1 and more")
            }
            Self::Probability => text
                .parse::<Probability>()
                .map(|probability| Value::Float(probability.get()))
                .map_err(|_| "a probability, 0 to 1".into()),
        }
    }
}

fn whole(text: &str, expected: &str) -> Result<u64, String> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten().ok_or_else(|| expected.into())
}

/// The quantity as text, if it is one.
fn with_unit<T: core::str::FromStr>(
    text: &str,
    unit: &str,
    expected: &str,
) -> Result<Value, String> {
    let quantity = format!("{text} {unit}");
    match quantity.parse::<T>() {
        Ok(_) => Ok(quantity.into()),
        Err(_) => Err(expected.into()),
    }
}
