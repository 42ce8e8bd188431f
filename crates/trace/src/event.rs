//! What can be seen of a run, as typed events.

pub use netjoule_transport::tcp::Reason;
use netjoule_units::{Duration, Instant};
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

/// Index of a node in the scenario.
pub type NodeIndex = usize;
/// Index of a link in the scenario.
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
    /// A host puts a packet on its way; `retransmission` tells a repeated segment.
    Sent { node: NodeIndex, packet: &'a Packet, retransmission: Option<Reason> },
    /// A packet reaches the host it is for.
    Received { node: NodeIndex, packet: &'a Packet },
    /// A packet arrives at a router.
    ArrivedAtRouter { node: NodeIndex, packet: &'a Packet },
    /// A router passes a packet on.
    Forwarded { node: NodeIndex, packet: &'a Packet },
    /// A frame begins its transmission in which it will be lost on the air.
    Corrupted { frame: FrameInfo<'a> },
    /// A link layer gives up a frame after `attempts`.
    GivenUp { frame: FrameInfo<'a>, attempts: u32 },
    /// A packet dies at `node`, or on a link from it.
    Dropped { node: NodeIndex, packet: &'a Packet, cause: DropCause },
    /// A node's link layer sends a notice.
    NoticeSent { node: NodeIndex, notice: &'a Notice },
    /// A source's retransmission timer ran out.
    TimedOut { node: NodeIndex, snd_una: SeqNumber, rto: Duration },
    /// Duplicate ACKs made a source retransmit.
    FastRetransmit { node: NodeIndex, snd_una: SeqNumber },
    /// A source's state changed.
    Source { node: NodeIndex, state: SourceState },
    /// A channel changed its state at `now`.
    Channel { link: LinkIndex, good: bool },
    /// A full dump of a source's state, every `state_interval`.
    Snapshot {
        node: NodeIndex,
        snd_una: SeqNumber,
        snd_nxt: SeqNumber,
        state: SourceState,
        rto: Duration,
    },
    /// The run is over.
    End { complete: bool },
}

impl DropCause {
    /// Every cause.
    pub const ALL: [Self; 4] =
        [Self::WiredLoss, Self::ChannelError, Self::RetryLimit, Self::QueueOverflow];

    /// Its name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::WiredLoss => "wired_loss",
            Self::ChannelError => "channel_error",
            Self::RetryLimit => "retry_limit",
            Self::QueueOverflow => "queue_overflow",
        }
    }
}
