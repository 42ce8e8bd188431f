//! Attributes as they change over time, taken from the events of a run.

use std::collections::BTreeMap;

use netjoule_units::Instant;
use netjoule_wire::{Address, Body, Flags, SeqNumber};

use crate::{Attribute, Event, LinkIndex, Names, NodeIndex, Set};

/// What an attribute belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    Node(NodeIndex),
    /// The connection of a host with this port.
    Connection(NodeIndex, u16),
    Link(LinkIndex),
}

/// The value that an attribute has from a moment on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) at: Instant,
    pub(crate) owner: Owner,
    pub(crate) attribute: Attribute,
    pub(crate) value: u32,
}

/// Turns events into samples of the attributes that are wanted.
///
/// Sequence and acknowledgment numbers give a sample each time they are seen.
/// The others are states: they give one when they change, and their last value
/// again at the end of the run, so that a plot with steps covers all of it.
/// Channels start GOOD at time zero, whether or not they ever change.
///
/// Sequence numbers count from the first byte of data: of a connection that
/// begins with a handshake from the one after its SYN, otherwise from zero.
/// Acknowledgment numbers are those of the data's source.
pub(crate) struct Sampler {
    wanted: Set<Attribute>,
    /// Where the data of ends that have sent a SYN begins; `None` for the end
    /// that did not open the connection.
    starts: BTreeMap<(Address, u16), Option<SeqNumber>>,
    /// Channels whose start has not been reported yet.
    starting: Vec<LinkIndex>,
    /// The last sample of each state.
    states: BTreeMap<(Owner, Attribute), Sample>,
}

impl Sampler {
    pub(crate) fn new(names: &Names, wanted: Set<Attribute>) -> Self {
        let starting = if wanted.contains(Attribute::WlessState) {
            names.wireless().collect()
        } else {
            Vec::new()
        };
        Self { wanted, starts: BTreeMap::new(), starting, states: BTreeMap::new() }
    }

    /// Passes what `event` says about attributes to `sink`.
    pub(crate) fn take(&mut self, at: Instant, event: &Event<'_>, sink: &mut impl FnMut(Sample)) {
        for link in core::mem::take(&mut self.starting) {
            let start = Instant::ZERO;
            self.state(start, Owner::Link(link), Attribute::WlessState, 1, sink);
        }
        match *event {
            Event::Sent { node, packet, .. } => {
                let Body::Tcp(segment) = packet.body else { return };
                if segment.flags.has(Flags::SYN) {
                    let is_active = !segment.flags.has(Flags::ACK);
                    let start = is_active.then_some(segment.seq + 1);
                    self.starts.insert((packet.source, segment.source_port), start);
                }
                if segment.is_data() {
                    let owner = Owner::Connection(node, segment.source_port);
                    let value = self.data_offset(packet.source, segment.source_port, segment.seq);
                    self.seen(at, owner, Attribute::Seqno, value, sink);
                }
            }
            Event::Received { node, packet } => {
                if let Body::Tcp(segment) = packet.body
                    && !segment.is_data()
                    && segment.flags.has(Flags::ACK)
                {
                    let port = segment.destination_port;
                    let owner = Owner::Connection(node, port);
                    let value = self.data_offset(packet.destination, port, segment.ack);
                    self.seen(at, owner, Attribute::Ackno, value, sink);
                }
            }
            Event::ArrivedAtRouter { node, packet } => {
                if let Body::Tcp(segment) = packet.body
                    && segment.is_data()
                {
                    let value = self.data_offset(packet.source, segment.source_port, segment.seq);
                    self.seen(at, Owner::Node(node), Attribute::RouterPktArrival, value, sink);
                }
            }
            Event::Source { node, port, state } => {
                let owner = Owner::Connection(node, port);
                self.state(at, owner, Attribute::Congestion, state.cwnd, sink);
                self.state(at, owner, Attribute::Threshold, state.ssthresh, sink);
                self.state(at, owner, Attribute::SwndSize, state.flight_size, sink);
            }
            Event::Channel { link, good } => {
                self.state(at, Owner::Link(link), Attribute::WlessState, good.into(), sink);
            }
            Event::End { .. } => {
                for sample in self.states.values().filter(|sample| sample.at < at) {
                    sink(Sample { at, ..*sample });
                }
            }
            Event::Forwarded { .. }
            | Event::Corrupted { .. }
            | Event::GivenUp { .. }
            | Event::Dropped { .. }
            | Event::NoticeSent { .. }
            | Event::TimedOut { .. }
            | Event::FastRetransmit { .. }
            | Event::Snapshot { .. }
            | Event::Power { .. } => {}
        }
    }

    /// How far `seq` lies behind the first byte of the data from `port` at
    /// `source`; `None` if it is no source.
    fn data_offset(&self, source: Address, port: u16, seq: SeqNumber) -> Option<u32> {
        match self.starts.get(&(source, port)) {
            Some(start) => start.map(|start| seq - start),
            None => Some(seq.get()),
        }
    }

    fn seen(
        &self,
        at: Instant,
        owner: Owner,
        attribute: Attribute,
        value: Option<u32>,
        sink: &mut impl FnMut(Sample),
    ) {
        if let Some(value) = value.filter(|_| self.wanted.contains(attribute)) {
            sink(Sample { at, owner, attribute, value });
        }
    }

    fn state(
        &mut self,
        at: Instant,
        owner: Owner,
        attribute: Attribute,
        value: u32,
        sink: &mut impl FnMut(Sample),
    ) {
        if !self.wanted.contains(attribute) {
            return;
        }
        let sample = Sample { at, owner, attribute, value };
        let last = self.states.insert((owner, attribute), sample);
        if last.is_none_or(|last| last.value != value) {
            sink(sample);
        }
    }
}
