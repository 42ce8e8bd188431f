//! Attributes as they change over time, taken from the events of a run.

use std::collections::BTreeMap;

use netjoule_units::Instant;
use netjoule_wire::Body;

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
pub(crate) struct Sampler {
    wanted: Set<Attribute>,
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
        Self { wanted, starting, states: BTreeMap::new() }
    }

    /// Passes what `event` says about attributes to `sink`.
    pub(crate) fn take(&mut self, at: Instant, event: &Event<'_>, sink: &mut impl FnMut(Sample)) {
        for link in core::mem::take(&mut self.starting) {
            let start = Instant::ZERO;
            self.state(start, Owner::Link(link), Attribute::WlessState, 1, sink);
        }
        match *event {
            Event::Sent { node, packet, .. } => {
                if let Body::Tcp(segment) = packet.body
                    && segment.is_data()
                {
                    let owner = Owner::Connection(node, segment.source_port);
                    self.seen(at, owner, Attribute::Seqno, segment.seq.get(), sink);
                }
            }
            Event::Received { node, packet } => {
                if let Body::Tcp(segment) = packet.body
                    && !segment.is_data()
                {
                    let owner = Owner::Connection(node, segment.destination_port);
                    self.seen(at, owner, Attribute::Ackno, segment.ack.get(), sink);
                }
            }
            Event::ArrivedAtRouter { node, packet } => {
                if let Body::Tcp(segment) = packet.body
                    && segment.is_data()
                {
                    let (owner, seq) = (Owner::Node(node), segment.seq.get());
                    self.seen(at, owner, Attribute::RouterPktArrival, seq, sink);
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
            | Event::Snapshot { .. } => {}
        }
    }

    fn seen(
        &self,
        at: Instant,
        owner: Owner,
        attribute: Attribute,
        value: u32,
        sink: &mut impl FnMut(Sample),
    ) {
        if self.wanted.contains(attribute) {
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
