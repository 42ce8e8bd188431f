//! Packets that come.

use core::net::IpAddr;

use netjoule_transport::cost::{Meter, Operation};
use netjoule_transport::tcp::{IcmpError, IcmpErrorKind};
use netjoule_units::Instant;
use netjoule_wire::ip::{IpHeader, Protocol, View};
use netjoule_wire::{Flags, Malformed, NoticeKind, Part, Segment, icmp, tcp};

use super::{NO_FLOW, Stack};
use crate::demux::Found;
use crate::tuple::{Tuple, mapped};

impl<M: Meter> Stack<M> {
    /// A packet has arrived: an IP packet from its first byte on. What is after
    /// its end is ignored.
    pub fn handle_packet(&mut self, now: Instant, packet: &[u8]) {
        self.wake();
        self.counters.packets_in += 1;
        if let Err(malformed) = self.take(now, packet) {
            match malformed {
                Malformed::Checksum(_) => self.counters.damaged += 1,
                _ => self.counters.malformed += 1,
            }
        }
    }

    #[inline]
    fn take(&mut self, now: Instant, packet: &[u8]) -> Result<(), Malformed> {
        let ip = View::new(packet)?;
        if ip.is_disguised() {
            self.counters.for_others += 1;
            return Ok(());
        }
        match ip.protocol() {
            Protocol::Tcp => self.take_tcp(now, &ip),
            Protocol::Icmp | Protocol::Icmpv6 => self.take_icmp(now, &ip.header(), ip.payload()),
            Protocol::Other(_) => {
                self.counters.for_others += 1;
                Ok(())
            }
        }
    }

    #[inline]
    fn take_tcp(&mut self, now: Instant, ip: &View<'_>) -> Result<(), Malformed> {
        let mut segment = Segment::default();
        let (header, payload) = tcp::read_into(&mut segment, ip.payload())?;
        let flow = ip.flow_bits();
        let (index, looked_up) = if flow == self.last_flow && flow != NO_FLOW {
            (self.last_found, Operation::LookupHit)
        } else {
            let tuple = tuple_of(ip, &segment);
            let found = match self.demux.find(&tuple) {
                Found::Hit(index) => (index, Operation::LookupHit),
                Found::Miss(index) => (index, Operation::LookupMiss),
                Found::Absent => {
                    self.meter.note(Operation::LookupMiss, 1);
                    return self.take_stray(now, ip, tuple);
                }
            };
            (self.last_flow, self.last_found) = (flow, found.0);
            found
        };
        if segment.flags.has(Flags::SYN) && self.replaces(now, ip, index, &segment)? {
            return Ok(());
        }
        let Some((id, entry)) = self.connections.at(index) else { return Ok(()) };
        entry.engine.meter_mut().note(looked_up, 1);
        let bytes = (ip.pseudo(), header, payload);
        if !entry.handle_segment(now, &segment, ip.ecn(), bytes) {
            return Err(Malformed::Checksum(Part::Tcp));
        }
        if self.agenda.attend(id, entry, &mut self.listeners) {
            self.retire(index);
        }
        Ok(())
    }

    /// Whether `syn` begins a new connection in the place of the one with this
    /// `index`, which is in TIME-WAIT.
    #[cold]
    fn replaces(
        &mut self,
        now: Instant,
        ip: &View<'_>,
        index: u32,
        syn: &Segment,
    ) -> Result<bool, Malformed> {
        let tuple = tuple_of(ip, syn);
        let Some((id, entry)) = self.connections.at(index) else { return Ok(false) };
        if !entry.engine.yields_to(now, syn) || !self.listens_for(&tuple) {
            return Ok(false);
        }
        tcp::parse(ip.payload(), ip.pseudo())?;
        self.forget(id);
        self.begin(now, ip.ecn(), tuple, syn);
        Ok(true)
    }

    /// A segment that belongs to no connection: it opens one, or is answered by
    /// a reset.
    #[cold]
    fn take_stray(&mut self, now: Instant, ip: &View<'_>, tuple: Tuple) -> Result<(), Malformed> {
        let [_, destination] = ip.addresses();
        if !self.addresses.contains(&destination) {
            self.counters.for_others += 1;
            return Ok(());
        }
        let (segment, _) = tcp::parse(ip.payload(), ip.pseudo())?;
        self.meter.note(Operation::BytesSummed, ip.payload().len() as u64);
        // RFC 1122 section 4.2.3.10.
        if !is_host(&tuple) {
            self.counters.to_nowhere += 1;
            return Ok(());
        }
        let opens = segment.flags.has(Flags::SYN)
            && !segment.flags.has_any(Flags::ACK | Flags::RST)
            && self.listens_for(&tuple);
        if opens {
            self.begin(now, ip.ecn(), tuple, &segment);
        } else {
            self.counters.to_nowhere += 1;
            let is_answered = self.replies.reset(now, &ip.header(), &segment);
            self.counters.resets_sent += u64::from(is_answered);
        }
        Ok(())
    }

    fn listens_for(&self, tuple: &Tuple) -> bool {
        self.listeners.at(tuple.local()).is_some()
    }

    #[cold]
    fn take_icmp(&mut self, now: Instant, ip: &IpHeader, bytes: &[u8]) -> Result<(), Malformed> {
        if !self.addresses.contains(&mapped(ip.destination)) {
            self.counters.for_others += 1;
            return Ok(());
        }
        if self.replies.echo(now, ip, bytes) {
            return Ok(());
        }
        let icmp::Message { error, quote } = icmp::parse(bytes, ip)?;
        // RFC 5927 section 4: what is quoted was sent by a connection that
        // there is; the engine looks at the sequence number.
        let tuple = Tuple::new(quote.source, quote.destination);
        let (Found::Hit(index) | Found::Miss(index)) = self.demux.find(&tuple) else {
            self.counters.to_nowhere += 1;
            return Ok(());
        };
        if let Some((_, entry)) = self.connections.at(index) {
            match reaction(&error) {
                Some(Reaction::Error(kind)) => {
                    entry.engine.handle_icmp(now, &IcmpError { seq: quote.seq, kind });
                }
                Some(Reaction::Notice(kind)) => entry.hear_notice(now, kind, quote.seq),
                None => {}
            }
            self.attend(index);
        }
        Ok(())
    }
}

/// The connection that `segment` in the packet `ip` belongs to.
#[inline]
fn tuple_of(ip: &View<'_>, segment: &Segment) -> Tuple {
    let [source, destination] = ip.addresses();
    Tuple::of((destination, source), (segment.destination_port, segment.source_port))
}

/// What an ICMP error is to a connection.
enum Reaction {
    Error(IcmpErrorKind),
    Notice(NoticeKind),
}

/// RFC 1122 section 4.2.3.9: which errors are hard. Pleas to send less have no
/// effect (RFC 6633 section 3).
fn reaction(error: &icmp::Error) -> Option<Reaction> {
    let kind = match *error {
        icmp::Error::TooBig { mtu } => IcmpErrorKind::TooBig { mtu },
        icmp::Error::Unreachable(why) if why.is_hard() => IcmpErrorKind::Hard,
        icmp::Error::Unreachable(_)
        | icmp::Error::TimeExceeded
        | icmp::Error::ParameterProblem { .. } => IcmpErrorKind::Soft,
        icmp::Error::SourceQuench => return None,
        icmp::Error::Notice(kind) => return Some(Reaction::Notice(kind)),
    };
    Some(Reaction::Error(kind))
}

/// Whether the other end can be one host.
fn is_host(tuple: &Tuple) -> bool {
    let remote = tuple.remote().ip();
    let is_broadcast = matches!(remote, IpAddr::V4(address) if address.is_broadcast());
    !(remote.is_multicast() || remote.is_unspecified() || is_broadcast)
}
