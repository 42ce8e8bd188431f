//! What a run has come to.

use netjoule_energy::cause::Split;
use netjoule_energy::platform::PlatformAccount;
use netjoule_energy::processor::ProcessorAccount;
use netjoule_energy::radio::RadioAccount;
use netjoule_trace::DropCause;
use netjoule_transport::tcp::Cause;
use netjoule_units::{Bytes, Duration, Energy, Instant};

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Every transfer is complete, and every connection that closes is closed.
    Complete,
    /// Every connection is over, but one at least was closed before its transfer
    /// was complete.
    Closed,
    /// A battery is empty, and the scenario asks to stop then.
    Depleted,
    /// The time limit of the scenario.
    TimeLimit,
    /// The event budget of the scenario.
    EventBudget,
    /// Nothing would ever happen any more, though transfers are incomplete:
    /// every deadline lies beyond the end of time.
    Idle,
}

/// Packets of one connection and one kind, all accounted for:
/// sent = delivered + dropped + in flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Packets that were put on their way.
    pub sent: u64,
    /// Packets that reached the host they were for.
    pub delivered: u64,
    /// Packets that died, by cause, in the order of [`DropCause::ALL`].
    pub dropped: [u64; DropCause::ALL.len()],
    /// Packets still under way at the end.
    pub in_flight: u64,
}

/// What became of one connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionOutcome {
    /// When its source started.
    pub start: Instant,
    /// From its start to the ACK of its last byte at the source; `None` if the
    /// run stopped first, or the connection was closed.
    pub completion_time: Option<Duration>,
    /// Why there is no connection any more; `None` if it is open. Connections
    /// without a handshake are not closed unless something goes wrong.
    pub closed: Option<Cause>,
    /// Payload bytes given to the receiving application, in order.
    pub bytes_delivered: Bytes,
    /// Data segments sent, retransmissions included.
    pub segments_sent: u64,
    /// Data segments sent again.
    pub segments_retransmitted: u64,
    /// Retransmission timers that ran out.
    pub timeouts: u64,
    /// Fast retransmits.
    pub fast_retransmits: u64,
    /// Data segments.
    pub data: Ledger,
    /// Pure acknowledgments.
    pub acks: Ledger,
    /// SYN, FIN and RST segments without payload.
    pub control: Ledger,
    /// ICMP messages to its source.
    pub notices: Ledger,
    /// Frames of its data segments lost on the air, each attempt counted.
    pub frames_corrupted: u64,
    /// Data segments that wireless links lost: not delivered after all attempts
    /// of a link layer, or lost by one that does not repeat.
    pub wireless_losses: u64,
    /// The least that a bit takes: sent once by each node on its way whose radio
    /// is metered, at the rate of its data frames and without anything around it
    /// (L0). `None` if there is no such node.
    pub least_energy_per_bit: Option<Energy>,
}

/// What became of a battery.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatteryOutcome {
    /// What it has given.
    pub delivered: Energy,
    /// What its remaining charge is worth.
    pub remaining: Energy,
    /// The share of its charge that was not drawn, 1 to 0.
    pub state_of_charge: f64,
    /// From the start of time to its end; if that has not come, as if what was
    /// drawn on average were drawn until then.
    pub lifetime: Duration,
}

/// What a node with a device has spent, from the start of time to the end of
/// its part of the network.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeOutcome {
    /// Index of the node.
    pub node: usize,
    /// Its radios, all together.
    pub radio: RadioAccount,
    /// Its processor.
    pub processor: ProcessorAccount,
    /// Everything else.
    pub platform: PlatformAccount,
    /// Its battery, if it has one.
    pub battery: Option<BatteryOutcome>,
    /// When that was empty.
    pub died: Option<Instant>,
}

/// What became of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Each connection, in the order of the scenario.
    pub connections: Vec<ConnectionOutcome>,
    /// Each node that has a device.
    pub nodes: Vec<NodeOutcome>,
    /// Why it stopped.
    pub stop: Stop,
    /// Simulated time at its end.
    pub end: Instant,
    /// Events dealt with.
    pub events: u64,
    /// Hash of the trajectory of events: equal for equal runs.
    pub fingerprint: u64,
}

impl Stop {
    /// Of the reasons of two parts of a run, the one that says most about it.
    pub(crate) fn graver(self, other: Self) -> Self {
        let gravity = |stop| match stop {
            Self::Complete => 0,
            Self::Closed => 1,
            Self::Depleted => 2,
            Self::TimeLimit => 3,
            Self::EventBudget => 4,
            Self::Idle => 5,
        };
        if gravity(other) > gravity(self) { other } else { self }
    }
}

impl Ledger {
    /// Packets that died of any cause.
    #[must_use]
    pub fn dropped_in_all(&self) -> u64 {
        self.dropped.iter().sum()
    }

    /// Whether every packet is accounted for.
    #[must_use]
    pub fn balances(&self) -> bool {
        self.sent == self.delivered + self.dropped_in_all() + self.in_flight
    }
}

impl NodeOutcome {
    /// All that was drawn.
    #[must_use]
    pub fn total(&self) -> Energy {
        self.awake() + self.platform.total()
    }

    /// E_A of singh2002: what radio and processor draw, idle or not.
    #[must_use]
    pub fn awake(&self) -> Energy {
        self.radio.total() + self.processor.total()
    }

    /// E_I of singh2002: E_A without what radio and processor draw while they
    /// have nothing to do.
    #[must_use]
    pub fn idealized(&self) -> Energy {
        let idle = self.radio.listen.energy + self.radio.doze.energy + self.processor.idle.energy;
        self.awake() - idle
    }

    /// All that was drawn, by cause.
    #[must_use]
    pub fn split(&self) -> Split {
        Split::of(&self.radio, &self.processor, &self.platform)
    }

    /// How long it was on: from the start of time to its end, or to that of its
    /// battery.
    #[must_use]
    pub const fn was_on(&self) -> Duration {
        self.platform.base.time
    }
}

impl ConnectionOutcome {
    /// Payload bits delivered per second from the start to the completion, or
    /// to the end of the run at `end`.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a result for display and statistics")]
    pub fn goodput_bit_per_s(&self, end: Instant) -> f64 {
        let time = self.completion_time.unwrap_or_else(|| end.saturating_since(self.start));
        if time.is_zero() {
            return 0.0;
        }
        self.bytes_delivered.bits() as f64 / time.as_secs_f64()
    }
}
