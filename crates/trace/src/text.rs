//! The event trace as text, in the words of the sample in goel1997 B.4.

use std::io::{self, Write};

use netjoule_units::Instant;
use netjoule_wire::{Body, Flags, Notice, Packet, Segment};

use crate::decimal::{millis, span_millis};
use crate::patient::Patient;
use crate::{DropCause, Event, EventKind, FrameInfo, Names, Observer, Reason, Set};

/// Writes events as blocks of lines with an empty line after each.
///
/// Corrupted frames, frames given up, retransmissions and the end read as in
/// the sample; that includes `-1` for a field that does not apply and the
/// `(CLOCK : 1174` that is never closed. The other events follow its manner.
/// Times are in milliseconds. Snapshots and the end are always written; the
/// scenario decides whether there are any snapshots.
pub struct EventText<'n, W> {
    names: &'n Names,
    kinds: Set<EventKind>,
    out: Patient<W>,
}

impl<'n, W: Write> EventText<'n, W> {
    /// Writes events of the given `kinds` to `out`.
    #[must_use]
    pub fn new(names: &'n Names, kinds: Set<EventKind>, out: W) -> Self {
        Self { names, kinds, out: Patient::new(out) }
    }

    /// Ends the writing.
    ///
    /// # Errors
    /// The first error of the writer.
    pub fn finish(self) -> io::Result<W> {
        let mut out = self.out.finish()?;
        out.flush()?;
        Ok(out)
    }
}

/// The kind that switches an event on; `None` for those that are always
/// written, `Some(None)` for those that never are.
fn kind_of(event: &Event<'_>) -> Option<Option<EventKind>> {
    Some(match event {
        Event::Sent { retransmission: None, .. } => Some(EventKind::Sent),
        Event::Sent { retransmission: Some(_), .. } => Some(EventKind::Retransmitted),
        Event::Received { .. } => Some(EventKind::Received),
        Event::Forwarded { .. } => Some(EventKind::Forwarded),
        Event::Corrupted { .. } => Some(EventKind::Corrupted),
        Event::Dropped { cause, .. } if *cause != DropCause::RetryLimit => Some(EventKind::Dropped),
        Event::GivenUp { .. } => Some(EventKind::Dropped),
        Event::NoticeSent { .. } => Some(EventKind::Notice),
        Event::TimedOut { .. } => Some(EventKind::Timeout),
        Event::Channel { .. } => Some(EventKind::Channel),
        // A drop at the retry limit: its frame was given up just before. A fast
        // retransmit: the retransmission that follows names its reason.
        // Attributes and powers have files of their own.
        Event::Dropped { .. }
        | Event::FastRetransmit { .. }
        | Event::Source { .. }
        | Event::Power { .. }
        | Event::ArrivedAtRouter { .. } => None,
        Event::Snapshot { .. } | Event::End { .. } => return None,
    })
}

impl<W: Write> Observer for EventText<'_, W> {
    fn record(&mut self, now: Instant, event: &Event<'_>) {
        let wanted = match kind_of(event) {
            None => true,
            Some(None) => false,
            Some(Some(kind)) => self.kinds.contains(kind),
        };
        if wanted {
            let block = Block { names: self.names, now };
            self.out.write(|out| block.write(out, event));
        }
    }
}

/// One event, about to be written.
struct Block<'n> {
    names: &'n Names,
    now: Instant,
}

impl Block<'_> {
    fn write(&self, out: &mut impl Write, event: &Event<'_>) -> io::Result<()> {
        let clock = millis(self.now);
        match *event {
            Event::Sent { node, packet, retransmission } => {
                if let Some(reason) = retransmission {
                    writeln!(out, "TCP_SRC:: {}", reason_text(reason))?;
                }
                let what = if retransmission.is_some() { "RETRANSMITTED" } else { "SENT" };
                self.at_host(out, node, packet, what)?;
            }
            Event::Received { node, packet } => self.at_host(out, node, packet, "RECEIVED")?,
            Event::Forwarded { node, packet } => {
                let node = self.names.node(node);
                writeln!(
                    out,
                    "ROUTER(Node-id - {node}):: following IP pkt FORWARDED(CLOCK : {clock}"
                )?;
                self.ip(out, packet)?;
            }
            Event::Corrupted { frame } => {
                writeln!(out, "***** PKT CORRUPTED ***** (DLL)")?;
                writeln!(out, "(CLOCK : {clock})")?;
                writeln!(out, "The following pkt was corrupted due to BAD status of the link")?;
                self.frame(out, &frame)?;
            }
            Event::GivenUp { frame, attempts } => {
                // The sample counts the attempts after the first one: nine
                // frames are corrupted before "after 8 attempts".
                let repeated = attempts.saturating_sub(1);
                writeln!(
                    out,
                    "Following frame could not be transmitted after {repeated} attempts :"
                )?;
                self.frame(out, &frame)?;
            }
            Event::Dropped { node, packet, cause } => {
                writeln!(out, "***** PKT DROPPED ***** (IP)")?;
                writeln!(out, "(CLOCK : {clock})")?;
                let (why, node) = (cause_text(cause), self.names.node(node));
                writeln!(out, "The following pkt was dropped due to {why} (Node-id - {node})")?;
                self.ip(out, packet)?;
            }
            Event::NoticeSent { node, notice } => {
                let node = self.names.node(node);
                writeln!(
                    out,
                    "DLL(Node-id - {node}):: following ICMP message SENT(CLOCK : {clock}"
                )?;
                self.icmp(out, notice)?;
            }
            Event::TimedOut { node, snd_una, rto } => {
                let (node, rto) = (self.names.node(node), span_millis(rto));
                writeln!(
                    out,
                    "TCP_SRC(Node-id - {node}):: retransmission timer EXPIRED(CLOCK : {clock}"
                )?;
                writeln!(out, "<SND.UNA, RTO> : <{snd_una}, {rto}>")?;
            }
            Event::Channel { link, good } => {
                let ([a, b], state) = (self.names.ends(link), if good { "GOOD" } else { "BAD" });
                writeln!(
                    out,
                    "WIRELESS_LINK(Node-ids - {a}, {b}):: status is {state}(CLOCK : {clock}"
                )?;
            }
            Event::Snapshot { node, port, snd_una, snd_nxt, state, rto } => {
                let (node, rto) = (self.names.connection(node, port), span_millis(rto));
                writeln!(
                    out,
                    "TCP_SRC(Node-id - {node}):: state of the connection(CLOCK : {clock}"
                )?;
                writeln!(
                    out,
                    "<SND.UNA, SND.NXT, CWND, SSTHRESH, FLIGHT, RTO> : \
                     <{snd_una}, {snd_nxt}, {}, {}, {}, {rto}>",
                    state.cwnd, state.ssthresh, state.flight_size
                )?;
            }
            Event::End { complete } => {
                writeln!(out, "Processing SIMULATION_OVER event.")?;
                writeln!(out, "Terminating the simulator.")?;
                let how = if complete {
                    "Normal Termination."
                } else {
                    "Termination before the end of every transfer."
                };
                return writeln!(out, "{how}");
            }
            Event::ArrivedAtRouter { .. }
            | Event::FastRetransmit { .. }
            | Event::Source { .. }
            | Event::Power { .. } => {
                return Ok(());
            }
        }
        writeln!(out)
    }

    /// A packet that a host sends or receives.
    fn at_host(
        &self,
        out: &mut impl Write,
        node: usize,
        packet: &Packet,
        what: &str,
    ) -> io::Result<()> {
        let here = self.names.host(packet.source) == self.names.node(node);
        let (node, clock) = (self.names.node(node), millis(self.now));
        match &packet.body {
            Body::Tcp(segment) => {
                // Data leave a source and reach a sink; acknowledgments go
                // the other way. Both ends open and close.
                let role = match (segment.is_data(), segment.is_control()) {
                    (false, true) => "TCP",
                    (is_data, _) if is_data == here => "TCP_SRC",
                    _ => "TCP_SINK",
                };
                writeln!(
                    out,
                    "{role}(Node-id - {node}):: following TCP segment {what}(CLOCK : {clock}"
                )?;
                self.tcp(out, segment)
            }
            Body::Icmp(notice) => {
                writeln!(
                    out,
                    "TCP_SRC(Node-id - {node}):: following ICMP message {what}(CLOCK : {clock}"
                )?;
                self.icmp(out, notice)
            }
        }
    }

    fn frame(&self, out: &mut impl Write, frame: &FrameInfo<'_>) -> io::Result<()> {
        let (from, to) = (self.names.node(frame.from), self.names.node(frame.to));
        writeln!(out, "The contents of DLL frame are :-")?;
        // Every frame that carries a packet is DATA to the link layer.
        writeln!(
            out,
            "<SRC, DST, SEQ, ACK, Type>:- <{from}, {to}, {}, -1, DATA>",
            frame.transmission
        )?;
        self.ip(out, frame.packet)
    }

    fn ip(&self, out: &mut impl Write, packet: &Packet) -> io::Result<()> {
        let (from, to) = (self.names.host(packet.source), self.names.host(packet.destination));
        writeln!(out, "The contents of IP pkt are :-")?;
        writeln!(out, "<SRC ID, DST ID> : <{from}, {to}>")?;
        match &packet.body {
            Body::Tcp(segment) => self.tcp(out, segment),
            Body::Icmp(notice) => self.icmp(out, notice),
        }
    }

    #[expect(clippy::unused_self, reason = "one manner of calling for every part of a packet")]
    fn tcp(&self, out: &mut impl Write, segment: &Segment) -> io::Result<()> {
        writeln!(out, "The contents of TCP segment are :-")?;
        let Segment { seq, ack, len, .. } = segment;
        if segment.is_data() {
            writeln!(out, "<SEQ, ACK, Len, Type> : <{seq}, -1, {len}, DATA>")
        } else if segment.is_control() {
            write!(out, "<SEQ, ACK, Len, Type> : <{seq}, ")?;
            if segment.flags.has(Flags::ACK) {
                write!(out, "{ack}")?;
            } else {
                write!(out, "-1")?;
            }
            writeln!(out, ", {len}, {}>", control_text(segment.flags))
        } else {
            writeln!(out, "<SEQ, ACK, Len, Type> : <-1, {ack}, {len}, ACK>")
        }
    }

    fn icmp(&self, out: &mut impl Write, notice: &Notice) -> io::Result<()> {
        let (from, to) =
            (self.names.host(notice.flow.source), self.names.host(notice.flow.destination));
        writeln!(out, "The contents of ICMP message are :-")?;
        writeln!(
            out,
            "<SRC ID, DST ID, SEQ, Type> : <{from}, {to}, {}, {}>",
            notice.seq, notice.kind
        )
    }
}

fn control_text(flags: Flags) -> &'static str {
    if flags.has(Flags::RST) {
        "RST"
    } else if flags.has(Flags::SYN) {
        "SYN"
    } else {
        "FIN"
    }
}

fn reason_text(reason: Reason) -> &'static str {
    match reason {
        Reason::Timeout => "Timeout",
        Reason::FastRetransmit => "Fast Retransmit",
        Reason::PartialAck => "Partial Acknowledgment",
        Reason::Notice => "ICMP-RETRANSMIT",
        Reason::SackHole => "SACK",
        Reason::GoBackN => "Go Back N",
        Reason::Probe => "Window Probe",
    }
}

fn cause_text(cause: DropCause) -> &'static str {
    match cause {
        DropCause::WiredLoss => "loss on the wired link",
        DropCause::ChannelError => "BAD status of the link",
        DropCause::RetryLimit => "failure of all attempts",
        DropCause::QueueOverflow => "lack of buffers",
        DropCause::DeadNode => "an empty battery",
        DropCause::DuplicateAck => "local retransmission of what it asks for",
    }
}

#[cfg(test)]
mod tests;
