//! Link layers that know TCP (agarwal2000 6): what they do with duplicate ACKs
//! that ask for a segment which they are still sending themselves.

use std::collections::BTreeMap;

use netjoule_scenario::DuplicateAcks;
use netjoule_trace::{DropCause, Observer};
use netjoule_units::Instant;
use netjoule_wire::{Body, Flow, Segment, SeqNumber};

use crate::energy::Bill;
use crate::network::Network;
use crate::node::Interface;
use crate::parcel::{Kind, ParcelId};

/// What a node remembers about the ACKs that pass it.
#[derive(Debug)]
pub(crate) struct AckFilter {
    policy: DuplicateAcks,
    /// SEG.ACK and SEG.WND of the last ACK of each flow.
    last: BTreeMap<Flow, (SeqNumber, u16)>,
    /// Segments in the node's queues, each with a duplicate ACK that waits to
    /// hear what becomes of it.
    held: Vec<(ParcelId, ParcelId)>,
}

impl AckFilter {
    /// None for a node that lets everything pass.
    pub(crate) fn new(policy: DuplicateAcks) -> Option<Self> {
        (policy != DuplicateAcks::Pass).then(|| Self {
            policy,
            last: BTreeMap::new(),
            held: Vec::new(),
        })
    }

    /// The ACKs that wait.
    pub(crate) fn held(&self) -> impl Iterator<Item = &ParcelId> {
        self.held.iter().map(|(_, ack)| ack)
    }

    /// Whether `segment`, a pure ACK, is a duplicate (RFC 5681 section 2: same
    /// number and same window as the last). One that was overtaken is not.
    fn is_duplicate(&mut self, flow: Flow, segment: &Segment) -> bool {
        let this = (segment.ack, segment.window);
        let last = self.last.get(&flow);
        let is_duplicate = last == Some(&this);
        if last.is_none_or(|last| !segment.ack.is_before(last.0)) {
            self.last.insert(flow, this);
        }
        is_duplicate
    }
}

impl<M: Bill> Network<'_, M> {
    /// Whether `node` keeps back what has arrived there: it is a duplicate ACK,
    /// and the segment that it asks for is still in one of the node's queues.
    #[cold]
    pub(crate) fn keeps_back<O: Observer>(
        &mut self,
        now: Instant,
        node: usize,
        parcel: ParcelId,
        observer: &mut O,
    ) -> bool {
        let Some(filter) = &mut self.nodes[node].ack_filter else { return false };
        let arrived = &self.parcels[parcel];
        let (Kind::Ack, Body::Tcp(segment)) = (arrived.kind, &arrived.packet.body) else {
            return false;
        };
        let Some(flow) = arrived.packet.flow() else { return false };
        if !filter.is_duplicate(flow, segment) {
            return false;
        }
        let Some(wanted) = self.unfinished(node, flow.reversed(), segment.ack) else {
            return false;
        };
        match &mut self.nodes[node].ack_filter {
            Some(filter) if filter.policy == DuplicateAcks::Hold => {
                filter.held.push((wanted, parcel));
            }
            _ => self.drop(now, node, parcel, DropCause::DuplicateAck, observer),
        }
        true
    }

    /// The segment of `flow` with byte `seq`, in the care of a link layer of
    /// `node`.
    fn unfinished(&self, node: usize, flow: Flow, seq: SeqNumber) -> Option<ParcelId> {
        let is_wanted = |parcel: &ParcelId| {
            let packet = &self.parcels[*parcel].packet;
            let Body::Tcp(segment) = &packet.body else { return false };
            let range = segment.range();
            let has_byte = !seq.is_before(range.start) && seq.is_before(range.end);
            packet.flow() == Some(flow) && has_byte
        };
        let node = &self.nodes[node];
        match node.interfaces[node.routes.toward(flow.destination)?] {
            Interface::Pipe(_) => None,
            Interface::Transmitter { index, .. } => {
                let frames = self.transmitters[index].transmitter.unfinished();
                frames.map(|frame| frame.payload).find(is_wanted)
            }
            Interface::Air { index, station, .. } => {
                let frames = self.airs[index].air.unfinished(station);
                frames.map(|frame| frame.payload).find(is_wanted)
            }
        }
    }

    /// The link layer of `node` is done with `segment`: the ACKs that wait for it
    /// are of no use if it has `arrived`, and go on if not.
    #[cold]
    pub(crate) fn end_wait<O: Observer>(
        &mut self,
        now: Instant,
        node: usize,
        segment: ParcelId,
        arrived: bool,
        observer: &mut O,
    ) {
        while let Some(filter) = &mut self.nodes[node].ack_filter
            && let Some(place) = filter.held.iter().position(|(wanted, _)| *wanted == segment)
        {
            let (_, ack) = filter.held.remove(place);
            if arrived {
                self.drop(now, node, ack, DropCause::DuplicateAck, observer);
            } else {
                self.take_in(now, node, ack, observer);
            }
        }
    }
}
