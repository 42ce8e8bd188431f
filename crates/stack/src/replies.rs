//! Packets of the host itself, that belong to no connection: resets and echo
//! replies. There are never many, however many are asked for.

use std::collections::VecDeque;

use netjoule_transport::tcp::reset_for;
use netjoule_units::{Duration, Instant};
use netjoule_wire::checksum::Sum;
use netjoule_wire::ip::{self, HOP_LIMIT, IpHeader, Protocol};
use netjoule_wire::{Ecn, Segment, tcp};

/// Replies that wait for the driver.
const MOST_WAITING: usize = 64;
/// Replies in a second, whoever asks.
const MOST_PER_SECOND: u32 = 1_000;
const SECOND: Duration = Duration::from_secs(1);

/// The host's own packets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replies {
    waiting: VecDeque<Vec<u8>>,
    since: Instant,
    made: u32,
}

impl Replies {
    /// Whether there is none to send.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The next one.
    pub(crate) fn pop(&mut self) -> Option<Vec<u8>> {
        self.waiting.pop_front()
    }

    fn is_allowed(&mut self, now: Instant) -> bool {
        if now.saturating_since(self.since) >= SECOND {
            self.since = now;
            self.made = 0;
        }
        let allowed = self.made < MOST_PER_SECOND && self.waiting.len() < MOST_WAITING;
        self.made += u32::from(allowed);
        allowed
    }

    /// Answers `segment`, for which there is no connection, with a reset (RFC
    /// 9293 section 3.10.7.1). Returns whether it did.
    pub(crate) fn reset(&mut self, now: Instant, to: &IpHeader, segment: &Segment) -> bool {
        let Some(reset) = reset_for(segment).filter(|_| self.is_allowed(now)) else {
            return false;
        };
        let header = answer(to, Protocol::Tcp, reset.header_len() as usize);
        let mut packet = vec![0; header.header_len() + usize::from(header.payload_len)];
        ip::emit(&header, 0, &mut packet);
        let bytes = &mut packet[header.header_len()..];
        tcp::emit(&reset, header.pseudo(), Sum::default(), bytes);
        self.waiting.push_back(packet);
        true
    }

    /// Answers an ICMP echo request (RFC 1122 section 3.2.2.6, RFC 4443 section
    /// 4.2). Returns whether `message`, the payload of a packet with the header
    /// `to`, is one, and undamaged.
    pub(crate) fn echo(&mut self, now: Instant, to: &IpHeader, message: &[u8]) -> bool {
        let (request, reply) = match to.protocol {
            Protocol::Icmp => (8, 0),
            Protocol::Icmpv6 => (128, 129),
            _ => return false,
        };
        let pseudo = |ip: &IpHeader| {
            if ip.protocol == Protocol::Icmpv6 { ip.pseudo() } else { Sum::default() }
        };
        let is_request = message.len() >= 8 && message[..2] == [request, 0];
        if !is_request
            || !pseudo(to).then(Sum::of(message), false).is_valid()
            || !self.is_allowed(now)
        {
            return false;
        }
        let header = answer(to, to.protocol, message.len());
        let mut packet = vec![0; header.header_len()];
        ip::emit(&header, 0, &mut packet);
        packet.extend_from_slice(message);
        let bytes = &mut packet[header.header_len()..];
        bytes[..4].copy_from_slice(&[reply, 0, 0, 0]);
        let checksum = pseudo(&header).then(Sum::of(bytes), false).finish();
        bytes[2..4].copy_from_slice(&checksum.to_be_bytes());
        self.waiting.push_back(packet);
        true
    }
}

/// The header of an answer with `len` bytes of payload.
fn answer(to: &IpHeader, protocol: Protocol, len: usize) -> IpHeader {
    IpHeader {
        source: to.destination,
        destination: to.source,
        ecn: Ecn::NotEct,
        dont_fragment: true,
        hop_limit: HOP_LIMIT,
        protocol,
        payload_len: u16::try_from(len).expect("an answer is not longer than what it answers"),
    }
}

#[cfg(test)]
mod tests;
