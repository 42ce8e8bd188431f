//! Hosts, routers and base stations.

use std::collections::{BTreeMap, VecDeque};

use netjoule_des::PartId;
use netjoule_link::buffer::Buffer;
use netjoule_link::dot11::Air;
use netjoule_link::{arq, pipe};
use netjoule_scenario::{NodeKind, Notices};
use netjoule_transport::tcp::{Connection, Snapshot};
use netjoule_units::{Bytes, Duration, Instant};

use crate::duplicate_acks::AckFilter;
use crate::energy::Bill;
use crate::parcel::ParcelId;
use crate::routing::Routes;

/// A node.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    pub(crate) notices: Notices,
    /// What it does with duplicate ACKs, unless it lets them pass.
    pub(crate) ack_filter: Option<AckFilter>,
    pub(crate) buffer: Buffer,
    pub(crate) routes: Routes,
    pub(crate) interfaces: Vec<Interface>,
    /// Where transit packets wait for their processing, if that takes time.
    pub(crate) processing: Option<usize>,
    /// Indices of its endpoints, by port.
    pub(crate) endpoints: Vec<usize>,
}

/// How a node sends over one of its links.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Interface {
    /// Each frame once.
    Pipe(usize),
    /// Through a transmitter with a reliable link layer, over one of its paths.
    Transmitter { index: usize, path: usize },
    /// As a station of an air, to another one.
    Air { index: usize, station: usize, to: usize },
}

/// One direction of a link without link-layer retries, as part of a network.
#[derive(Debug)]
pub(crate) struct PipePart {
    pub(crate) id: PartId,
    pub(crate) pipe: pipe::Pipe<ParcelId>,
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) medium: PipeMedium,
}

/// What decides the losses of a pipe.
#[derive(Debug)]
pub(crate) enum PipeMedium {
    Wired(pipe::Losses),
    /// Index of the channel.
    Air(usize),
}

/// A transmitter as part of a network.
#[derive(Debug)]
pub(crate) struct TransmitterPart {
    pub(crate) id: PartId,
    pub(crate) transmitter: arq::Transmitter<ParcelId>,
    pub(crate) from: usize,
    /// The node at the other end of each path.
    pub(crate) to: Vec<usize>,
}

/// An air as part of a network.
#[derive(Debug)]
pub(crate) struct AirPart {
    pub(crate) id: PartId,
    pub(crate) air: Air<ParcelId>,
    /// The node at each station.
    pub(crate) nodes: Vec<usize>,
    pub(crate) delay: Duration,
    /// Pairs of stations between which it is another one, the lower index first.
    pub(crate) delays: BTreeMap<[usize; 2], Duration>,
    /// What has been received and is on its way for the delay: when it arrives,
    /// and at which node. Sorted by time.
    pub(crate) arrivals: VecDeque<(Instant, usize, ParcelId)>,
}

/// Packets in a router's processor: a constant delay for each.
#[derive(Debug)]
pub(crate) struct ProcessingPart {
    pub(crate) id: PartId,
    pub(crate) node: usize,
    pub(crate) delay: Duration,
    pub(crate) waiting: VecDeque<(Instant, ParcelId)>,
}

/// One end of a connection.
#[derive(Debug)]
pub(crate) struct EndpointPart<M: Bill> {
    pub(crate) id: PartId,
    pub(crate) engine: Connection<M>,
    /// Index of the connection in the scenario.
    pub(crate) connection: usize,
    pub(crate) node: usize,
    pub(crate) port: u16,
    pub(crate) peer: usize,
    /// The transfer that is still to begin.
    pub(crate) transfer: Option<Bytes>,
    /// What its application will write later, part by part.
    pub(crate) unwritten: Bytes,
    /// When it writes the next part.
    pub(crate) next_write: Option<Instant>,
    pub(crate) closing: Closing,
    /// Bytes that its application has read.
    pub(crate) read: Bytes,
    /// What observers were shown last.
    pub(crate) shown: Option<Snapshot>,
}

/// When an application closes its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closing {
    /// Never, or it has done so.
    Never,
    /// Once what is still to be sent fits into a send buffer: then it has
    /// written everything.
    WhenWritten { send_buffer: Bytes },
    /// Once its peer has closed, and everything is read.
    AfterPeer,
}
