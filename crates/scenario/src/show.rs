//! A scenario as TOML, with every default filled in.

use std::collections::BTreeMap;

use netjoule_energy::battery;
use netjoule_link::arq::Discipline;
use netjoule_link::dot11::{self, Position};
use netjoule_link::{arq, two_state};
use netjoule_transport::tcp::Options;
use netjoule_units::{BitRate, Bytes, Distance, Duration, Instant, Probability};
use serde::Serialize;

use crate::model::{
    self, DuplicateAcks, Interrupts, LinkLayer, Medium, NodeKind, Notices, Pace, Run, Scenario,
    Trace,
};
use crate::schema::MAINS;

const HEADER: &str = "\
# A netjoule scenario with every default filled in. Quantities are strings with
# a unit; unlimited buffers are left out.

";

impl Scenario {
    /// The scenario as a TOML file that says everything, defaults included.
    /// Reading it gives the same scenario again.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let shown = Shown {
            title: &self.title,
            run: &self.run,
            trace: &self.trace,
            node: self.nodes.iter().map(Node::from).collect(),
            link: self.links.iter().map(|link| self.link(link)).collect(),
            air: self.airs.iter().map(|air| self.air(air)).collect(),
            connection: self.connections.iter().map(|it| self.connection(it)).collect(),
        };
        match toml::to_string(&shown) {
            Ok(text) => format!("{HEADER}{text}"),
            // Every type here is one that TOML has; a comment keeps the file
            // readable by people should that ever change.
            Err(error) => format!("{HEADER}# not expressible: {error}\n"),
        }
    }

    fn name(&self, node: usize) -> &str {
        self.nodes.get(node).map_or("", |node| &node.name)
    }

    fn link<'s>(&'s self, link: &'s model::Link) -> Link<'s> {
        let (kind, loss, channel, arq) = match &link.medium {
            Medium::Wired { loss } => ("wired", Some(*loss), None, None),
            Medium::Wireless { channel, arq } => ("wireless", None, Some(channel), Some(arq)),
        };
        Link {
            name: &link.name,
            kind,
            between: link.between.map(|node| self.name(node)),
            rate: link.rate,
            delay: link.delay,
            random_seed: link.random_seed,
            loss,
            channel,
            arq,
        }
    }

    fn air<'s>(&'s self, air: &'s model::Air) -> Air<'s> {
        let channels = air.channels.iter().map(|own| AirChannel {
            name: &own.name,
            between: own.between.map(|node| self.name(node)),
            delay: own.delay,
            random_seed: own.random_seed,
            channel: &own.channel,
        });
        let rates = air.stations.iter().zip(&air.rates);
        let rates = rates.filter_map(|(&node, &rate)| Some((self.name(node), rate?)));
        Air {
            name: &air.name,
            stations: air.stations.iter().map(|&node| self.name(node)).collect(),
            access_point: air.access_point.map(|node| self.name(node)),
            power_savers: air.power_savers.iter().map(|&node| self.name(node)).collect(),
            delay: air.delay,
            random_seed: air.random_seed,
            dot11: &air.dot11,
            rates: rates.collect(),
            channel: channels.collect(),
        }
    }

    fn connection<'s>(&'s self, connection: &'s model::Connection) -> Connection<'s> {
        Connection {
            from: self.name(connection.from),
            to: self.name(connection.to),
            transfer: connection.transfer,
            start: connection.start,
            pace: connection.pace.as_ref(),
            variant: connection.variant.name,
            handshake: connection.handshake,
            tcp: &connection.tcp,
        }
    }
}

#[derive(Serialize)]
struct Shown<'s> {
    title: &'s str,
    run: &'s Run,
    trace: &'s Trace,
    node: Vec<Node<'s>>,
    link: Vec<Link<'s>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    air: Vec<Air<'s>>,
    connection: Vec<Connection<'s>>,
}

#[derive(Serialize)]
struct Node<'s> {
    name: &'s str,
    kind: NodeKind,
    buffer: Option<Bytes>,
    processing_delay: Duration,
    link_layer: LinkLayer,
    queue: Discipline,
    shared_transmitter: bool,
    notices: Notices,
    duplicate_acks: DuplicateAcks,
    position: Option<[Distance; 2]>,
    device: Option<&'s String>,
    battery: Option<Battery<'s>>,
    interrupts: Option<&'s Interrupts>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Battery<'s> {
    Mains(&'static str),
    Own(&'s battery::Config),
}

impl<'s> Battery<'s> {
    /// What is said of the battery of `node`: nothing if it is its device's own.
    fn of(node: &'s model::Node) -> Option<Self> {
        let device = node.device.as_ref()?;
        match &node.battery {
            Some(config) => Some(Self::Own(config)),
            None => device.battery.is_none().then_some(Self::Mains(MAINS)),
        }
    }
}

impl<'s> From<&'s model::Node> for Node<'s> {
    fn from(node: &'s model::Node) -> Self {
        Self {
            name: &node.name,
            kind: node.kind,
            buffer: (node.buffer != Bytes::MAX).then_some(node.buffer),
            processing_delay: node.processing_delay,
            link_layer: node.link_layer,
            queue: node.queue,
            shared_transmitter: node.shared_transmitter,
            notices: node.notices,
            duplicate_acks: node.duplicate_acks,
            position: node.position.map(|Position { x, y }| [x, y]),
            device: node.device.as_ref().map(|it| node.device_file.as_ref().unwrap_or(&it.name)),
            battery: Battery::of(node),
            interrupts: node.device.is_some().then_some(&node.interrupts),
        }
    }
}

#[derive(Serialize)]
struct Link<'s> {
    name: &'s str,
    kind: &'static str,
    between: [&'s str; 2],
    rate: BitRate,
    delay: Duration,
    random_seed: u64,
    loss: Option<Probability>,
    channel: Option<&'s two_state::Config>,
    arq: Option<&'s arq::Config>,
}

#[derive(Serialize)]
struct Air<'s> {
    name: &'s str,
    stations: Vec<&'s str>,
    access_point: Option<&'s str>,
    power_savers: Vec<&'s str>,
    delay: Duration,
    random_seed: u64,
    #[serde(flatten)]
    dot11: &'s dot11::Config,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    rates: BTreeMap<&'s str, BitRate>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    channel: Vec<AirChannel<'s>>,
}

#[derive(Serialize)]
struct AirChannel<'s> {
    name: &'s str,
    between: [&'s str; 2],
    delay: Duration,
    random_seed: u64,
    #[serde(flatten)]
    channel: &'s two_state::Config,
}

#[derive(Serialize)]
struct Connection<'s> {
    from: &'s str,
    to: &'s str,
    transfer: Bytes,
    start: Instant,
    #[serde(skip_serializing_if = "Option::is_none")]
    pace: Option<&'s Pace>,
    variant: &'static str,
    handshake: bool,
    tcp: &'s Options,
}
