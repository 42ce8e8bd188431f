//! One flow's numbers: a script counts from the SYN of each side, the wire does
//! not.

use super::script::{Body, Icmp, Packet, Segment, TcpOption};
use netjoule_wire::Flags;

/// What has to be known of a flow to translate its packets.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    /// The stack's port.
    pub(super) stack_port: u16,
    /// The sequence number of the script's 0 on the peer's side.
    peer_isn: u32,
    /// The same on the stack's side, once it has sent a SYN.
    stack_isn: Option<u32>,
    /// What the script's timestamp 0 of the stack is, once it has sent one.
    stack_clock: Option<u32>,
    /// Whether the stack has sent a FIN or RST: a SYN begins anew.
    ended: bool,
    /// The window that the peer's segments have unless they say another.
    window: u16,
}

/// What is added to a segment's numbers.
#[derive(Clone, Copy)]
struct Shift {
    seq: u32,
    ack: u32,
    value: u32,
    echo: u32,
}

impl Flow {
    pub(super) const fn new(stack_port: u16, peer_isn: u32) -> Self {
        let window = u16::MAX;
        Self { stack_port, peer_isn, stack_isn: None, stack_clock: None, ended: false, window }
    }

    /// The peer's packet with the numbers of the wire.
    pub(super) fn inbound(&mut self, packet: &Packet) -> Packet {
        let stack_isn = self.stack_isn.unwrap_or_default();
        let body = match &packet.body {
            Body::Tcp(segment) => {
                // There is nothing to echo before an acknowledgment.
                let echo = if segment.ack.is_some() { self.stack_clock } else { None };
                let shift = Shift {
                    seq: self.peer_isn,
                    ack: stack_isn,
                    value: 0,
                    echo: echo.unwrap_or_default(),
                };
                self.window = segment.window.unwrap_or(self.window);
                Body::Tcp(Segment { window: Some(self.window), ..shifted(segment, shift) })
            }
            Body::Icmp(icmp) => Body::Icmp(Icmp { seq: icmp.seq.wrapping_add(stack_isn), ..*icmp }),
        };
        Packet { body, ..packet.clone() }
    }

    /// The stack's packet with the numbers of the script.
    pub(super) fn outbound(&self, packet: &Packet) -> Packet {
        let shift = Shift {
            seq: self.stack_isn.unwrap_or_default().wrapping_neg(),
            ack: self.peer_isn.wrapping_neg(),
            value: self.stack_clock.unwrap_or_default().wrapping_neg(),
            echo: 0,
        };
        let body = match &packet.body {
            Body::Tcp(segment) => Body::Tcp(shifted(segment, shift)),
            Body::Icmp(icmp) => Body::Icmp(*icmp),
        };
        Packet { body, ..packet.clone() }
    }

    /// Learns the stack's numbers from a segment of the stack and what the
    /// script expects in its place.
    pub(super) fn learn(&mut self, sent: &Segment, expected: &Segment) {
        if sent.flags.has(Flags::SYN) && (self.stack_isn.is_none() || self.ended) {
            self.stack_isn = Some(sent.seq.wrapping_sub(expected.seq));
            self.stack_clock = None;
            self.ended = false;
        }
        self.ended |= sent.flags.has_any(Flags::FIN | Flags::RST);
        if self.stack_clock.is_none()
            && let (Some(is), Some(shall_be)) = (timestamp(sent), timestamp(expected))
        {
            self.stack_clock = Some(is.wrapping_sub(shall_be));
        }
    }
}

fn timestamp(segment: &Segment) -> Option<u32> {
    segment.options.iter().flatten().find_map(|option| match option {
        TcpOption::Timestamps { value, .. } => Some(*value),
        _ => None,
    })
}

fn shifted(segment: &Segment, shift: Shift) -> Segment {
    let option = |option: &TcpOption| match option {
        TcpOption::Timestamps { value, echo } => TcpOption::Timestamps {
            value: value.wrapping_add(shift.value),
            echo: echo.wrapping_add(shift.echo),
        },
        TcpOption::Sack(blocks) => TcpOption::Sack(
            blocks
                .iter()
                .map(|(start, end)| (start.wrapping_add(shift.ack), end.wrapping_add(shift.ack)))
                .collect(),
        ),
        other => other.clone(),
    };
    Segment {
        seq: segment.seq.wrapping_add(shift.seq),
        ack: segment.ack.map(|ack| ack.wrapping_add(shift.ack)),
        options: segment.options.as_ref().map(|options| options.iter().map(option).collect()),
        ..segment.clone()
    }
}

/// The byte of a stream at `offset` from its first: whoever writes, writes
/// these, so that a byte in the wrong place shows. Its period is a prime, so
/// that no offset in use is one.
pub(super) fn stream_byte(offset: u32) -> u8 {
    u8::try_from(offset % 251).unwrap_or_default()
}

/// The payload of `segment`, whose numbers are the script's.
pub(super) fn payload(segment: &Segment) -> Vec<u8> {
    let first = segment.seq.wrapping_sub(u32::from(!segment.flags.has(Flags::SYN)));
    (0..segment.len)
        .map(|index| segment.fill.unwrap_or_else(|| stream_byte(first.wrapping_add(index))))
        .collect()
}
