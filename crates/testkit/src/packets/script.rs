//! What a packet script says, as values.

use netjoule_units::{Duration, Instant};
use netjoule_wire::{Ecn, Flags};

use super::settings::Settings;

/// A script.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub(super) settings: Settings,
    pub(super) lines: Vec<Line>,
}

/// A line that does something.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Its number in the file, from 1.
    pub(super) number: usize,
    /// As it is written, without its comment.
    pub(super) text: String,
    pub(super) when: When,
    pub(super) statement: Statement,
}

/// When something happens: it may be any moment from the first to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// So long after the line before.
    After(Duration, Duration),
    /// At this moment of the script.
    At(Instant, Instant),
    /// Whenever it does.
    Any,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Statement {
    /// The stack gets this packet.
    Inbound(Packet),
    /// The stack sends this packet, and has sent nothing else before.
    Outbound(Packet),
    /// The application calls.
    Call(Call, Outcome),
    /// The connection is in this state.
    Assert(Vec<Claim>),
    /// Nothing is sent up to this moment.
    Silence,
}

/// An IP packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Packet {
    /// Which of the peer's ports: 0 unless the script says so.
    pub(super) flow: u16,
    pub(super) ecn: Ecn,
    /// Whether routers must not fragment it; `None` if that does not matter.
    pub(super) dont_fragment: Option<bool>,
    pub(super) body: Body,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Body {
    Tcp(Segment),
    Icmp(Icmp),
}

/// A TCP segment with the script's numbers: relative to the SYN of each side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) flags: Flags,
    pub(super) seq: u32,
    /// Payload bytes.
    pub(super) len: u32,
    pub(super) ack: Option<u32>,
    /// The window field as it is on the wire; `None` if that does not matter.
    pub(super) window: Option<u16>,
    pub(super) urgent: Option<u16>,
    /// In their order; `None` if they do not matter.
    pub(super) options: Option<Vec<TcpOption>>,
    /// The byte that the payload consists of, in place of the stream's.
    pub(super) fill: Option<u8>,
    /// Whether the checksum is wrong.
    pub(super) corrupt: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TcpOption {
    End,
    Nop,
    Mss(u16),
    WindowScale(u8),
    SackPermitted,
    Sack(Vec<(u32, u32)>),
    Timestamps {
        value: u32,
        echo: u32,
    },
    /// An option that nobody knows: its kind, and its length with the two
    /// bytes in front; the rest is zero.
    Other {
        kind: u8,
        len: u8,
    },
}

/// An ICMP error about a segment that the stack has sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Icmp {
    pub(super) kind: IcmpKind,
    /// The sequence number of the quoted segment.
    pub(super) seq: u32,
    /// Its payload bytes.
    pub(super) len: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IcmpKind {
    NetUnreachable,
    HostUnreachable,
    ProtocolUnreachable,
    PortUnreachable,
    AdminProhibited,
    /// With the MTU of the next hop: RFC 1191, or packet too big of RFC 4443.
    FragNeeded(u16),
    TtlExceeded,
    SourceQuench,
    /// ICMP-DEFER (goel1997 5.4.1).
    Defer,
    /// ICMP-RETRANSMIT (goel1997 5.5.2).
    Retransmit,
}

impl IcmpKind {
    /// The names, all but that of `FragNeeded`, which has a number.
    pub(super) const NAMES: [(&'static str, Self); 9] = [
        ("unreachable net_unreachable", Self::NetUnreachable),
        ("unreachable host_unreachable", Self::HostUnreachable),
        ("unreachable protocol_unreachable", Self::ProtocolUnreachable),
        ("unreachable port_unreachable", Self::PortUnreachable),
        ("unreachable admin_prohibited", Self::AdminProhibited),
        ("ttl_exceeded", Self::TtlExceeded),
        ("source_quench", Self::SourceQuench),
        ("defer", Self::Defer),
        ("retransmit", Self::Retransmit),
    ];
}

/// What an application asks for. Descriptors are the script's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// `listen(3, 1)`: on the stack's port, with a backlog.
    Listen { fd: u32, backlog: u32 },
    /// `accept(3)`.
    Accept { fd: u32 },
    /// `connect(3)`: to the peer's port.
    Connect { fd: u32 },
    /// `write(4, ..., 1000)`.
    Write { fd: u32, amount: u32 },
    /// `read(4, ..., 1000)`; with a letter in place of `...` these are the
    /// bytes that come.
    Read { fd: u32, fill: Option<u8>, amount: u32 },
    /// `shutdown(4, SHUT_WR)`.
    Shutdown { fd: u32 },
    /// `close(4)`.
    Close { fd: u32 },
    /// `abort(4)`.
    Abort { fd: u32 },
}

/// What a call returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Value(u32),
    /// -1 and this name.
    Error(String),
}

/// `field op value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) field: String,
    pub(super) relation: Relation,
    pub(super) value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    NotEqual,
    Less,
    AtMost,
    More,
    AtLeast,
}

/// What a field is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A number in billionths, so that seconds are exact.
    Number(i128),
    /// The name of a state.
    Name(String),
}

/// One, in the billionths of [`Value::Number`].
pub(super) const ONE: i128 = 1_000_000_000;
