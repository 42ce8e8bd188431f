//! The largest packet that a connection sends: path MTU discovery (RFC 1191,
//! RFC 8201), guarded as RFC 5927 section 7.2 asks, with a way out of black
//! holes (RFC 2923 section 2.1, RFC 4821 section 7.7).
//!
//! Of RFC 4821 the upward search is declined: a probe is a segment larger than
//! the path is known to carry, and so a loss that the sender brings about; a
//! larger size is tried every ten minutes only, as RFC 1191 section 6.3 has it.

use netjoule_units::{Duration, Instant};
use netjoule_wire::{SeqNumber, SeqRange};

use super::PathMtu;

/// Sizes of packets that links have, from RFC 1191 section 7.1 (table 7-1).
const PLATEAUS: [u32; 10] = [65_535, 32_000, 17_914, 8_166, 4_352, 2_002, 1_492, 1_006, 508, 296];

/// Smaller IPv4 packets than these are not worth a claim that may be forged:
/// below, routers may fragment. Every IPv4 host takes 576 bytes (RFC 791); the
/// rest is room for tunnels.
const LEAST_IPV4: u32 = 552;

/// What every IPv6 link carries (RFC 8200 section 5).
const LEAST_IPV6: u32 = 1_280;

/// How far timeouts alone reduce the size (RFC 4821 section 7.2).
const BASE_IPV4: u32 = 1_024;

/// Timeouts in a row of a full-sized segment that mean a black hole.
const BLACK_HOLE_TIMEOUTS: u32 = 2;

/// How long a reduced size lasts (RFC 1191 section 6.3).
const MEMORY: Duration = Duration::from_secs(600);

/// The packet size of one connection, in bytes of IP packet. Each event
/// returns the new size if it has changed.
#[derive(Clone, Debug)]
pub(super) struct PathMtuState {
    mode: PathMtu,
    /// What the first link carries.
    interface: u32,
    is_ipv6: bool,
    /// No claim makes packets smaller than this.
    least: u32,
    /// No timeout does.
    base: u32,
    size: u32,
    /// Whether routers must not fragment: so it is until one claims less than
    /// `least`.
    dont_fragment: bool,
    /// When the size was last reduced.
    reduced: Option<Instant>,
    /// `maxsizesent` of RFC 5927.
    max_sent: u32,
    /// `maxsizeacked`.
    max_acked: u32,
    /// The packet in flight that would raise `max_acked`: its payload and size.
    largest: Option<(SeqRange, u32)>,
    /// A claim that contradicts `max_acked`: the byte it quotes and the size.
    pending: Option<(SeqNumber, u32)>,
    /// Timeouts in a row of full-sized segments.
    timeouts: u32,
}

impl PathMtuState {
    /// Over a first link of `interface` bytes per packet, with an IP header of
    /// `ip_header` bytes: 20 or 40.
    pub(super) const fn new(mode: PathMtu, interface: u32, ip_header: u32) -> Self {
        let is_ipv6 = ip_header == 40;
        let (least, base) =
            if is_ipv6 { (LEAST_IPV6, LEAST_IPV6) } else { (LEAST_IPV4, BASE_IPV4) };
        Self {
            mode,
            interface,
            is_ipv6,
            least,
            base,
            size: interface,
            dont_fragment: !matches!(mode, PathMtu::Off),
            reduced: None,
            max_sent: 0,
            max_acked: 0,
            largest: None,
            pending: None,
            timeouts: 0,
        }
    }

    /// The largest packet to send.
    pub(super) const fn size(&self) -> u32 {
        self.size
    }

    /// Whether packets say that they must not be fragmented.
    pub(super) const fn dont_fragment(&self) -> bool {
        self.dont_fragment
    }

    /// A packet of `size` bytes with the payload `range` leaves.
    pub(super) fn on_sent(&mut self, range: SeqRange, size: u32) {
        self.max_sent = self.max_sent.max(size);
        match self.largest {
            // The same bytes in smaller packets: their acknowledgment says
            // nothing about the large one.
            Some((payload, larger)) if size < larger => {
                let apart =
                    !range.end.is_after(payload.start) || !range.start.is_before(payload.end);
                if !apart {
                    self.largest = None;
                }
            }
            Some((_, larger)) if size == larger => {}
            _ if size > self.max_acked => self.largest = Some((range, size)),
            _ => {}
        }
    }

    /// Everything before `snd_una` is acknowledged, some of it for the first
    /// time.
    pub(super) fn on_new_ack(&mut self, snd_una: SeqNumber) {
        self.timeouts = 0;
        if let Some((payload, size)) = self.largest
            && !snd_una.is_before(payload.end)
        {
            self.max_acked = self.max_acked.max(size);
            self.largest = None;
        }
        // The packet that was said to be too large has arrived.
        if self.pending.is_some_and(|(seq, _)| seq.is_before(snd_una)) {
            self.pending = None;
        }
    }

    /// An ICMP message says that the next link takes only `mtu` bytes, zero if
    /// it does not say how many. It quotes the byte `seq`, which is
    /// outstanding: whoever has not seen that is refused before (RFC 5927
    /// section 4.1).
    pub(super) fn on_too_big(&mut self, now: Instant, seq: SeqNumber, mtu: u32) -> Option<u32> {
        if self.mode == PathMtu::Off {
            return None;
        }
        let claim = if mtu == 0 { plateau_below(self.max_sent) } else { mtu };
        // We have never sent anything larger.
        if claim >= self.max_sent {
            return None;
        }
        if claim < self.max_acked {
            // Packets that large have got through: believed only if the one it
            // quotes does not.
            self.pending = Some((seq, claim));
            return None;
        }
        self.reduce(now, claim)
    }

    /// The segment `range`, sent as a packet of `size` bytes, has timed out.
    pub(super) fn on_timeout(&mut self, now: Instant, range: SeqRange, size: u32) -> Option<u32> {
        if let Some((seq, claim)) = self.pending
            && seq - range.start < range.len()
        {
            self.pending = None;
            return self.reduce(now, claim);
        }
        if self.mode != PathMtu::Fallback || size <= self.base || size < self.max_sent {
            return None;
        }
        self.timeouts += 1;
        if self.timeouts < BLACK_HOLE_TIMEOUTS {
            return None;
        }
        self.reduce(now, plateau_below(size).max(self.base))
    }

    /// Something is about to be sent: after a while a larger size is tried.
    pub(super) fn poll(&mut self, now: Instant) -> Option<u32> {
        let reduced = self.reduced?;
        if now.saturating_since(reduced) < MEMORY {
            return None;
        }
        self.reduced = None;
        self.dont_fragment = self.mode != PathMtu::Off;
        self.timeouts = 0;
        if self.size == self.interface {
            return None;
        }
        self.size = self.interface;
        Some(self.size)
    }

    fn reduce(&mut self, now: Instant, claim: u32) -> Option<u32> {
        let size = claim.max(self.least);
        // An IPv6 packet is never fragmented on its way.
        self.dont_fragment &= claim >= size || self.is_ipv6;
        self.reduced = Some(now);
        if size >= self.size {
            return None;
        }
        self.size = size;
        self.max_sent = self.max_sent.min(size);
        self.max_acked = self.max_acked.min(size);
        self.largest = None;
        Some(size)
    }
}

/// The largest usual size below `size`.
fn plateau_below(size: u32) -> u32 {
    PLATEAUS.into_iter().find(|plateau| *plateau < size).unwrap_or(PLATEAUS[PLATEAUS.len() - 1])
}

#[cfg(test)]
mod tests;
