//! What can be seen of a run, as typed events.

pub use netjoule_transport::tcp::Reason;
use netjoule_units::{Duration, Energy, Instant};
use netjoule_wire::{Notice, Packet, SeqNumber};

/// Watches a run. The run is compiled for its observer, so one that records
/// nothing costs nothing.
pub trait Observer {
    /// Whether this observer records anything. Work that serves observers only
    /// is left out when it is `false`.
    const RECORDS: bool = true;

    /// Takes note of `event` at `now`. Times never decrease.
    fn record(&mut self, now: Instant, event: &Event<'_>);
}

/// Records nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Observer for Nobody {
    const RECORDS: bool = false;
    fn record(&mut self, _: Instant, _: &Event<'_>) {}
}

/// Two observers of one run.
impl<A: Observer, B: Observer> Observer for (A, B) {
    const RECORDS: bool = A::RECORDS || B::RECORDS;
    fn record(&mut self, now: Instant, event: &Event<'_>) {
        self.0.record(now, event);
        self.1.record(now, event);
    }
}

/// An observer that may be missing. The run is compiled for one that is there.
impl<O: Observer> Observer for Option<O> {
    const RECORDS: bool = O::RECORDS;
    fn record(&mut self, now: Instant, event: &Event<'_>) {
        if let Some(observer) = self {
            observer.record(now, event);
        }
    }
}

/// Index of a node in the scenario.
pub type NodeIndex = usize;
/// Index of a link in the scenario; behind the last one come the channels between
/// stations that share a medium.
pub type LinkIndex = usize;

/// A frame of the wireless link layer, as the sample trace of goel1997 shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameInfo<'a> {
    /// The node that sends it.
    pub from: NodeIndex,
    /// The node it is for.
    pub to: NodeIndex,
    /// Number of this transmission at its sender, from 0.
    pub transmission: u64,
    /// The packet inside.
    pub packet: &'a Packet,
}

/// Why a packet died.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DropCause {
    /// Lost on a cable.
    WiredLoss,
    /// Lost on the air, with a link layer that does not repeat.
    ChannelError,
    /// Every attempt of the link layer failed.
    RetryLimit,
    /// No room in a router's buffer.
    QueueOverflow,
    /// An ACK that asks for what a link layer is still sending itself.
    DuplicateAck,
    /// At a node whose battery is empty.
    DeadNode,
}

/// The state of a source after it has dealt with something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceState {
    /// cwnd in bytes.
    pub cwnd: u32,
    /// ssthresh in bytes.
    pub ssthresh: u32,
    /// Bytes sent and not acknowledged.
    pub flight_size: u32,
}

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<'a> {
    /// A host puts a packet on its way.
    Sent {
        /// The host.
        node: NodeIndex,
        /// The packet.
        packet: &'a Packet,
        /// Why, if it carries a segment that was sent before.
        retransmission: Option<Reason>,
    },
    /// A packet reaches the host it is for.
    Received {
        /// The host.
        node: NodeIndex,
        /// The packet.
        packet: &'a Packet,
    },
    /// A packet arrives at a router.
    ArrivedAtRouter {
        /// The router.
        node: NodeIndex,
        /// The packet.
        packet: &'a Packet,
    },
    /// A router passes a packet on.
    Forwarded {
        /// The router.
        node: NodeIndex,
        /// The packet.
        packet: &'a Packet,
    },
    /// A frame is lost on the air. A link knows as it begins to send it, a
    /// medium that stations share when it ends.
    Corrupted {
        /// The frame.
        frame: FrameInfo<'a>,
    },
    /// A link layer gives up a frame.
    GivenUp {
        /// The frame.
        frame: FrameInfo<'a>,
        /// How often it was sent.
        attempts: u32,
    },
    /// A packet dies at a node, or on a link from it.
    Dropped {
        /// The node.
        node: NodeIndex,
        /// The packet.
        packet: &'a Packet,
        /// Why.
        cause: DropCause,
    },
    /// A node's link layer sends a notice.
    NoticeSent {
        /// The node.
        node: NodeIndex,
        /// The notice.
        notice: &'a Notice,
    },
    /// A source's retransmission timer ran out.
    TimedOut {
        /// The source.
        node: NodeIndex,
        /// Its first unacknowledged sequence number.
        snd_una: SeqNumber,
        /// The RTO that has passed.
        rto: Duration,
    },
    /// Duplicate ACKs made a source retransmit.
    FastRetransmit {
        /// The source.
        node: NodeIndex,
        /// Its first unacknowledged sequence number.
        snd_una: SeqNumber,
    },
    /// A source's state changed.
    Source {
        /// The source.
        node: NodeIndex,
        /// The port of its connection.
        port: u16,
        /// What it is now.
        state: SourceState,
    },
    /// A channel changed its state.
    Channel {
        /// The link it belongs to.
        link: LinkIndex,
        /// Whether it is GOOD now.
        good: bool,
    },
    /// A full dump of a source's state, made at regular intervals.
    Snapshot {
        /// The source.
        node: NodeIndex,
        /// The port of its connection.
        port: u16,
        /// Its first unacknowledged sequence number.
        snd_una: SeqNumber,
        /// The next sequence number it will send.
        snd_nxt: SeqNumber,
        /// Its window.
        state: SourceState,
        /// Its RTO, back-off included.
        rto: Duration,
    },
    /// What a node with a device has drawn in the time before, told at regular
    /// intervals and at the end of its part of the network: all of these together
    /// are what it has drawn.
    Power {
        /// The node.
        node: NodeIndex,
        /// The time, never zero.
        over: Duration,
        /// What its radios have drawn in it.
        radio: Energy,
        /// What everything has drawn in it.
        system: Energy,
    },
    /// The run is over.
    End {
        /// Whether every transfer is complete.
        complete: bool,
    },
}

impl DropCause {
    /// Every cause.
    pub const ALL: [Self; 6] = [
        Self::WiredLoss,
        Self::ChannelError,
        Self::RetryLimit,
        Self::QueueOverflow,
        Self::DuplicateAck,
        Self::DeadNode,
    ];

    /// Those that data segments can die of.
    pub const OF_DATA: [Self; 5] = [
        Self::WiredLoss,
        Self::ChannelError,
        Self::RetryLimit,
        Self::QueueOverflow,
        Self::DeadNode,
    ];

    /// Its name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::WiredLoss => "wired_loss",
            Self::ChannelError => "channel_error",
            Self::RetryLimit => "retry_limit",
            Self::QueueOverflow => "queue_overflow",
            Self::DuplicateAck => "duplicate_ack",
            Self::DeadNode => "dead_node",
        }
    }
}
