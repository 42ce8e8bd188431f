//! The validated model: what a run is built from.
//!
//! Names are resolved to indices and every default is filled in; nothing here
//! can be wrong any more except by meaning something the author did not want.

use std::sync::Arc;

use netjoule_energy::battery;
use netjoule_energy::device::Device;
use netjoule_link::dot11::{self, Position};
use netjoule_link::{arq, two_state};
use netjoule_trace::LinkIndex;
pub use netjoule_trace::{Attribute, EventKind};
use netjoule_transport::tcp::{Options, Variant};
use netjoule_units::{BitRate, Bytes, Duration, Instant, Probability};
use netjoule_wire::Headers;
use serde::{Deserialize, Serialize};

/// A whole scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// One line for people.
    pub title: String,
    /// Settings of the whole run.
    pub run: Run,
    /// What a run records when a trace directory is given.
    pub trace: Trace,
    /// Hosts, routers and base stations.
    pub nodes: Vec<Node>,
    /// Links between them.
    pub links: Vec<Link>,
    /// Media that stations share.
    pub airs: Vec<Air>,
    /// Transfers from one host to another.
    pub connections: Vec<Connection>,
}

/// Settings of the whole run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Run {
    /// Seed of every random stream; `--seed` replaces it.
    pub seed: u64,
    /// Simulated time at which the run stops, finished or not.
    pub time_limit: Duration,
    /// Events after which each island, a part of the network that no link
    /// connects to the rest, stops, finished or not.
    pub event_budget: u64,
    /// Transmission times and stays in a channel state are cut to whole
    /// multiples of this; goel1997 counts whole milliseconds.
    pub clock_step: Duration,
    /// Whether packets have their headers' length.
    pub headers: Headers,
    /// Whether every packet is made into bytes and read again whenever a node
    /// hands it to a link or takes it from one. It changes no result.
    pub wire_fidelity: bool,
    /// Whether the run goes on until no connection is in TIME-WAIT.
    pub time_wait: bool,
    /// Whether the run stops when the battery of any node is empty, as the
    /// experiments of agarwal2000 do.
    pub until_depleted: bool,
}

/// What a run records when a trace directory is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Trace {
    /// The two-column files to write (goel1997 B.4).
    pub attributes: Vec<Attribute>,
    /// The kinds of event to write into the event trace.
    pub events: Vec<EventKind>,
    /// Time between full dumps of every node's state in the event trace; zero
    /// for none (`print_interval` of goel1997 B.3.1).
    pub state_interval: Duration,
    /// Time between samples of what each node with a device draws; zero for
    /// none.
    pub power_interval: Duration,
    /// Also write every attribute and event as CSV.
    pub csv: bool,
    /// Write the state changes of the one wireless channel to `trace.dat`, from
    /// which another run can read them (`read_from_trace` of goel1997 B.3.1).
    pub channel_file: bool,
}

/// What a node is; it decides the defaults of the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// Source or sink of connections, or both.
    Host,
    /// Forwards packets; frames it sends over a wireless link are not repeated.
    Router,
    /// Forwards packets, repeats frames over wireless links and sends notices.
    BaseStation,
}

/// How a node sends over its wireless links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkLayer {
    /// Stop and wait with retries (goel1997 4.3.1, class MOD_DLL).
    Reliable,
    /// Every frame once (goel1997 4.3.1, class IP).
    Unreliable,
}

/// Which notices a node's link layer sends about frames that fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notices {
    /// To each source those that its variant listens to.
    AsHeard,
    /// Both kinds to every source; the others discard them.
    Always,
    /// None.
    Never,
}

/// What a node's link layers do with a duplicate ACK that asks for a segment
/// which they have not finished with: not acknowledged, not given up
/// (agarwal2000 6). Wireless links only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DuplicateAcks {
    /// They do not know TCP.
    #[default]
    Pass,
    /// They drop it.
    Suppress,
    /// They keep it until they are done with the segment; it goes on only if
    /// that was given up. At the source this holds fast retransmit back.
    Hold,
}

/// A host, router or base station.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Unique name.
    pub name: String,
    /// What it is.
    pub kind: NodeKind,
    /// Bytes it can hold in all its queues together; [`Bytes::MAX`] for no bound.
    pub buffer: Bytes,
    /// Constant time between a packet's arrival and its forwarding.
    pub processing_delay: Duration,
    /// How it sends over wireless links.
    pub link_layer: LinkLayer,
    /// The order in which its link layer serves connections.
    pub queue: arq::Discipline,
    /// Whether one transmitter serves all its wireless links in turn; each
    /// link has its own otherwise.
    pub shared_transmitter: bool,
    /// Which notices its link layer sends.
    pub notices: Notices,
    /// What its link layers do with duplicate ACKs.
    pub duplicate_acks: DuplicateAcks,
    /// Where it is, if that matters.
    pub position: Option<Position>,
    /// What it is made of; without one nobody asks what it spends.
    pub device: Option<Arc<Device>>,
    /// The file beside the scenario that the device is from; of a built-in one
    /// `None`.
    pub device_file: Option<String>,
    /// A battery in place of the device's own.
    pub battery: Option<battery::Config>,
    /// When packets that come in interrupt its device's processor.
    pub interrupts: Interrupts,
}

/// When packets that come in interrupt a processor (agarwal2000 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Interrupts {
    /// As soon as so many wait.
    pub frames: usize,
    /// When the first has waited so long.
    pub delay: Duration,
}

impl Default for Interrupts {
    /// Each at once.
    fn default() -> Self {
        Self { frames: 1, delay: Duration::from_millis(1) }
    }
}

/// A link between two nodes, the same in both directions.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Unique name.
    pub name: String,
    /// Indices of the two nodes.
    pub between: [usize; 2],
    /// The rate in each direction.
    pub rate: BitRate,
    /// The propagation delay.
    pub delay: Duration,
    /// What lies between.
    pub medium: Medium,
    /// Sets this link's random streams apart (`random_seed` of goel1997 B.3.8).
    pub random_seed: u64,
}

/// What a link is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum Medium {
    /// A cable on which each packet is lost independently.
    Wired {
        /// Probability of the loss of a packet.
        loss: Probability,
    },
    /// A full-duplex radio link with one channel for both directions.
    Wireless {
        /// The channel.
        channel: two_state::Config,
        /// The link layer of nodes that have a reliable one.
        arq: arq::Config,
    },
}

/// A medium that stations share by IEEE 802.11.
#[derive(Clone, Debug, PartialEq)]
pub struct Air {
    /// Unique name.
    pub name: String,
    /// Indices of the nodes that share it.
    pub stations: Vec<usize>,
    /// The rate of each one's data frames, in the same order, where it is not
    /// that of `dot11`.
    pub rates: Vec<Option<BitRate>>,
    /// Index of the node to and through which all others talk; without one
    /// each talks to whom it reaches.
    pub access_point: Option<usize>,
    /// Indices of the nodes that doze when they have nothing to do; the access
    /// point sends beacons for them.
    pub power_savers: Vec<usize>,
    /// How the stations use it.
    pub dot11: dot11::Config,
    /// What every delivery takes beyond the frame's airtime, but between two
    /// stations whose channel says otherwise.
    pub delay: Duration,
    /// Sets its random streams apart.
    pub random_seed: u64,
    /// Pairs of stations with a channel of their own; frames between others
    /// meet collisions and noise only.
    pub channels: Vec<AirChannel>,
}

/// The channel between two stations, one for both directions.
#[derive(Clone, Debug, PartialEq)]
pub struct AirChannel {
    /// A name that no other channel has, and no link.
    pub name: String,
    /// Indices of the two nodes.
    pub between: [usize; 2],
    /// What every delivery between them takes beyond the frame's airtime.
    pub delay: Duration,
    /// Sets its random streams apart.
    pub random_seed: u64,
    /// Its settings.
    pub channel: two_state::Config,
}

/// A channel with what it is called, be it that of a wireless link or one
/// between two stations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Channel<'s> {
    /// What it is called in traces: the index of its link, or one behind the
    /// last link for a channel between stations.
    pub index: LinkIndex,
    /// The name of its link, or its own.
    pub name: &'s str,
    /// Indices of the two nodes.
    pub between: [usize; 2],
    /// Sets its random streams apart.
    pub random_seed: u64,
    /// Its settings.
    pub config: &'s two_state::Config,
}

impl Air {
    /// Whether `from` and `to`, two of its stations, are neighbours: one can
    /// hand the other a frame.
    #[must_use]
    pub fn joins(&self, nodes: &[Node], from: usize, to: usize) -> bool {
        let position = |node: usize| nodes[node].position.unwrap_or_default();
        let passes = self.access_point.is_none_or(|center| center == from || center == to);
        from != to && passes && self.dot11.reaches(position(from).distance(&position(to)))
    }

    /// The neighbours of `node`, in the order of the stations; none if it is
    /// not one of them.
    pub fn neighbours<'a>(
        &'a self,
        nodes: &'a [Node],
        node: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        let is_station = self.stations.contains(&node);
        let others = self.stations.iter().copied().filter(move |_| is_station);
        others.filter(move |&other| self.joins(nodes, node, other))
    }
}

impl Scenario {
    /// Every channel: those of links first, then those between stations.
    pub fn channels(&self) -> impl Iterator<Item = Channel<'_>> {
        let of_links = self.links.iter().enumerate().filter_map(|(index, link)| {
            let &Link { ref name, between, random_seed, ref medium, .. } = link;
            let Medium::Wireless { channel: config, .. } = medium else { return None };
            Some(Channel { index, name, between, random_seed, config })
        });
        let of_airs = self.airs.iter().flat_map(|air| &air.channels);
        of_links.chain((self.links.len()..).zip(of_airs).map(|(index, own)| {
            let &AirChannel { ref name, between, random_seed, channel: ref config, .. } = own;
            Channel { index, name, between, random_seed, config }
        }))
    }

    /// The settings of every channel, in the same order.
    pub fn channels_mut(&mut self) -> impl Iterator<Item = &mut two_state::Config> {
        let of_links = self.links.iter_mut().filter_map(|link| match &mut link.medium {
            Medium::Wired { .. } => None,
            Medium::Wireless { channel, .. } => Some(channel),
        });
        let of_airs = self.airs.iter_mut().flat_map(|air| &mut air.channels);
        of_links.chain(of_airs.map(|own| &mut own.channel))
    }
}

/// A transfer from one host to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    /// Index of the node that sends.
    pub from: usize,
    /// Index of the node that receives.
    pub to: usize,
    /// Payload bytes to transfer.
    pub transfer: Bytes,
    /// When the source starts.
    pub start: Instant,
    /// How its application writes; the whole transfer at once without.
    pub pace: Option<Pace>,
    /// The variant of TCP.
    pub variant: &'static Variant,
    /// Whether it begins with a handshake and ends with FINs. Without, both
    /// ends are established when the source starts, and stay so.
    pub handshake: bool,
    /// Its options.
    pub tcp: Options,
}

/// An application that writes a part of its transfer at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// What it writes at a time, the rest if that is less.
    pub bytes: Bytes,
    /// From one time to the next, whatever has become of the last.
    pub every: Duration,
}

/// The payload of the longest IPv4 packet with a TCP header.
const MOST_PAYLOAD: Bytes = Bytes::new(65_535 - 40);

impl Connection {
    /// Whether its longest segments fit into IP packets. A handshake sees to
    /// that.
    #[must_use]
    pub fn fits_into_packets(&self) -> bool {
        self.handshake || self.tcp.mss <= MOST_PAYLOAD
    }
}

impl Default for Run {
    fn default() -> Self {
        Self {
            seed: 1,
            time_limit: Duration::from_secs(24 * 3600),
            event_budget: 1_000_000_000_000,
            clock_step: Duration::from_nanos(1),
            headers: Headers::Standard,
            wire_fidelity: false,
            time_wait: false,
            until_depleted: false,
        }
    }
}

impl Default for Trace {
    /// Every attribute, and the kinds of event that the sample trace of
    /// goel1997 B.4 shows.
    fn default() -> Self {
        Self {
            attributes: Attribute::ALL.to_vec(),
            events: vec![
                EventKind::Corrupted,
                EventKind::Dropped,
                EventKind::Retransmitted,
                EventKind::Timeout,
                EventKind::Notice,
            ],
            state_interval: Duration::ZERO,
            power_interval: Duration::ZERO,
            csv: false,
            channel_file: false,
        }
    }
}
