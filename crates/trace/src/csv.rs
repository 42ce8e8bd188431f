//! Events and attributes as CSV.

use std::io::{self, Write};

use netjoule_units::Instant;
use netjoule_wire::{Body, Flags, Notice, NoticeKind, Packet, SeqNumber};
use serde::Serialize;

use crate::decimal::{joules, seconds, span_seconds};
use crate::patient::Patient;
use crate::sample::{Owner, Sampler};
use crate::{Attribute, Event, FrameInfo, Names, Observer, Reason, Set, SourceState};

/// Writes every event, one a line: the columns are named in the first line.
/// Changes of a source's state are left to [`AttributeCsv`].
pub struct EventCsv<'n, W: Write> {
    names: &'n Names,
    out: Patient<csv::Writer<W>>,
}

/// Writes every attribute as it changes: `time_s,owner,attribute,value`. The
/// owner is a node, or a link for the state of its channel; values are as in
/// the two-column files.
pub struct AttributeCsv<'n, W: Write> {
    names: &'n Names,
    sampler: Sampler,
    out: Patient<csv::Writer<W>>,
}

/// One event. Columns that do not apply are empty.
#[derive(Serialize, Default)]
struct Row<'a> {
    /// When, in seconds.
    time_s: String,
    /// Where: a node, or a link for its channel; empty for the end.
    at: &'a str,
    /// What.
    event: &'static str,
    /// The reason of a retransmission, the cause of a drop, the state that
    /// begins, whether the run was complete.
    detail: &'static str,
    /// The packet's source.
    source: &'a str,
    /// The packet's destination.
    destination: &'a str,
    /// `data`, `ack`, `icmp_defer` or `icmp_retransmit`; `syn`, `syn_ack`, `fin`
    /// or `rst` without payload.
    packet: &'static str,
    /// Its sequence number, or the one that a notice quotes; SND.UNA of a
    /// source.
    seq: Option<u32>,
    /// Its acknowledgment number.
    ack: Option<u32>,
    /// Its payload in bytes.
    len: Option<u32>,
    /// Number of the frame's transmission at its sender.
    transmission: Option<u64>,
    /// Attempts after which a frame was given up.
    attempts: Option<u32>,
    /// SND.NXT of a source.
    snd_nxt: Option<u32>,
    /// cwnd in bytes.
    cwnd_bytes: Option<u32>,
    /// ssthresh in bytes.
    ssthresh_bytes: Option<u32>,
    /// Bytes sent and not acknowledged.
    flight_size_bytes: Option<u32>,
    /// RTO in seconds.
    rto_s: String,
    /// What a node's radios have drawn since its last line of this kind.
    radio_j: String,
    /// What everything has drawn since then.
    system_j: String,
}

impl<'a> Row<'a> {
    fn with_packet(self, names: &'a Names, packet: &Packet) -> Self {
        let row = Self {
            source: names.host(packet.source),
            destination: names.host(packet.destination),
            ..self
        };
        match &packet.body {
            Body::Tcp(segment) if segment.is_data() => {
                Self { packet: "data", seq: Some(segment.seq.get()), len: Some(segment.len), ..row }
            }
            Body::Tcp(segment) if segment.is_control() => Self {
                packet: control_name(segment.flags),
                seq: Some(segment.seq.get()),
                ack: segment.flags.has(Flags::ACK).then(|| segment.ack.get()),
                len: Some(0),
                ..row
            },
            Body::Tcp(segment) => {
                Self { packet: "ack", ack: Some(segment.ack.get()), len: Some(0), ..row }
            }
            Body::Icmp(notice) => row.with_notice(notice),
        }
    }

    fn with_notice(self, notice: &Notice) -> Self {
        let packet = match notice.kind {
            NoticeKind::Defer => "icmp_defer",
            NoticeKind::Retransmit => "icmp_retransmit",
        };
        Self { packet, seq: Some(notice.seq.get()), ..self }
    }

    fn with_frame(self, names: &'a Names, frame: &FrameInfo<'_>) -> Self {
        let row =
            Self { at: names.node(frame.from), transmission: Some(frame.transmission), ..self };
        row.with_packet(names, frame.packet)
    }

    fn with_source(self, snd_una: SeqNumber) -> Self {
        Self { seq: Some(snd_una.get()), ..self }
    }

    fn with_state(self, state: SourceState) -> Self {
        Self {
            cwnd_bytes: Some(state.cwnd),
            ssthresh_bytes: Some(state.ssthresh),
            flight_size_bytes: Some(state.flight_size),
            ..self
        }
    }

    /// The row of `event`, without its time; `None` if it has none.
    fn of(names: &'a Names, event: &Event<'_>) -> Option<Self> {
        let row = Self::default();
        let called = |event| Self { event, ..Self::default() };
        let at = |event, node| Self { at: names.node(node), ..called(event) };
        Some(match *event {
            Event::Sent { node, packet, retransmission: None } => {
                at("sent", node).with_packet(names, packet)
            }
            Event::Sent { node, packet, retransmission: Some(reason) } => {
                Self { detail: reason_name(reason), ..at("retransmitted", node) }
                    .with_packet(names, packet)
            }
            Event::Received { node, packet } => at("received", node).with_packet(names, packet),
            Event::ArrivedAtRouter { node, packet } => {
                at("arrived_at_router", node).with_packet(names, packet)
            }
            Event::Forwarded { node, packet } => at("forwarded", node).with_packet(names, packet),
            Event::Corrupted { frame } => called("corrupted").with_frame(names, &frame),
            Event::GivenUp { frame, attempts } => {
                Self { attempts: Some(attempts), ..called("given_up") }.with_frame(names, &frame)
            }
            Event::Dropped { node, packet, cause } => {
                Self { detail: cause.name(), ..at("dropped", node) }.with_packet(names, packet)
            }
            Event::NoticeSent { node, notice } => at("notice_sent", node).with_notice(notice),
            Event::TimedOut { node, snd_una, rto } => {
                Self { rto_s: span_seconds(rto).to_string(), ..at("timed_out", node) }
                    .with_source(snd_una)
            }
            Event::FastRetransmit { node, snd_una } => {
                at("fast_retransmit", node).with_source(snd_una)
            }
            Event::Channel { link, good } => Self {
                at: names.link(link),
                detail: if good { "good" } else { "bad" },
                ..called("channel")
            },
            Event::Snapshot { node, snd_una, snd_nxt, state, rto, .. } => Self {
                rto_s: span_seconds(rto).to_string(),
                snd_nxt: Some(snd_nxt.get()),
                ..at("snapshot", node)
            }
            .with_source(snd_una)
            .with_state(state),
            Event::Power { node, radio, system, .. } => Self {
                radio_j: joules(radio).to_string(),
                system_j: joules(system).to_string(),
                ..at("power", node)
            },
            Event::End { complete } => Self {
                detail: if complete { "complete" } else { "incomplete" },
                event: "end",
                ..row
            },
            Event::Source { .. } => return None,
        })
    }
}

impl<'n, W: Write> EventCsv<'n, W> {
    /// Writes to `out`.
    #[must_use]
    pub fn new(names: &'n Names, out: W) -> Self {
        Self { names, out: Patient::new(csv::Writer::from_writer(out)) }
    }

    /// Ends the writing.
    ///
    /// # Errors
    /// The first error of the writer.
    pub fn finish(self) -> io::Result<W> {
        self.out.finish()?.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

impl<W: Write> Observer for EventCsv<'_, W> {
    fn record(&mut self, now: Instant, event: &Event<'_>) {
        if let Some(row) = Row::of(self.names, event) {
            let row = Row { time_s: seconds(now).to_string(), ..row };
            self.out.write(|out| Ok(out.serialize(row)?));
        }
    }
}

impl<'n, W: Write> AttributeCsv<'n, W> {
    /// Writes the attributes `wanted` to `out`.
    #[must_use]
    pub fn new(names: &'n Names, wanted: Set<Attribute>, out: W) -> Self {
        let mut out = Patient::new(csv::Writer::from_writer(out));
        out.write(|out| Ok(out.write_record(["time_s", "owner", "attribute", "value"])?));
        Self { names, sampler: Sampler::new(names, wanted), out }
    }

    /// Ends the writing.
    ///
    /// # Errors
    /// The first error of the writer.
    pub fn finish(self) -> io::Result<W> {
        self.out.finish()?.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

impl<W: Write> Observer for AttributeCsv<'_, W> {
    fn record(&mut self, now: Instant, event: &Event<'_>) {
        let Self { names, sampler, out } = self;
        sampler.take(now, event, &mut |sample| {
            let owner = match sample.owner {
                Owner::Node(node) => names.node(node).into(),
                Owner::Connection(node, port) => names.connection(node, port),
                Owner::Link(link) => names.link(link).into(),
            };
            let (time, value) = (seconds(sample.at).to_string(), sample.value.to_string());
            let record = [time.as_str(), &owner, sample.attribute.name(), &value];
            out.write(|out| Ok(out.write_record(record)?));
        });
    }
}

/// What a segment with one of these flags is.
fn control_name(flags: Flags) -> &'static str {
    if flags.has(Flags::RST) {
        "rst"
    } else if flags.has(Flags::SYN | Flags::ACK) {
        "syn_ack"
    } else if flags.has(Flags::SYN) {
        "syn"
    } else {
        "fin"
    }
}

fn reason_name(reason: Reason) -> &'static str {
    match reason {
        Reason::Timeout => "timeout",
        Reason::FastRetransmit => "fast_retransmit",
        Reason::PartialAck => "partial_ack",
        Reason::Notice => "notice",
        Reason::SackHole => "sack_hole",
        Reason::GoBackN => "go_back_n",
        Reason::Probe => "window_probe",
    }
}

#[cfg(test)]
mod tests {
    use netjoule_units::{Duration, Power};
    use netjoule_wire::FIRST_PORT;

    use super::*;
    use crate::DropCause;
    use crate::fixture::{self, at};

    fn events(list: &[(u64, Event<'_>)]) -> String {
        let names = fixture::names();
        let mut csv = EventCsv::new(&names, Vec::new());
        for (ms, event) in list {
            csv.record(at(*ms), event);
        }
        String::from_utf8(csv.finish().unwrap()).unwrap()
    }

    #[test]
    fn every_line_has_the_same_columns() {
        let (data, ack) = (fixture::data(1024), fixture::ack(2048));
        let notice = fixture::notice(NoticeKind::Retransmit, 1024);
        let state = SourceState { cwnd: 4096, ssthresh: 8192, flight_size: 3072 };
        let over = Duration::from_millis(1);
        let (snd_una, rto) = (SeqNumber::new(1024), Duration::from_millis(1500));
        let text = events(&[
            (5, Event::Sent { node: 0, packet: &data, retransmission: Some(Reason::Timeout) }),
            (6, Event::Received { node: 0, packet: &ack }),
            (7, Event::Dropped { node: 1, packet: &data, cause: DropCause::WiredLoss }),
            (8, Event::NoticeSent { node: 1, notice: &notice }),
            (8, Event::Source { node: 0, port: FIRST_PORT, state }),
            (
                9,
                Event::Snapshot {
                    node: 0,
                    port: FIRST_PORT,
                    snd_una,
                    snd_nxt: snd_una + 3072,
                    state,
                    rto,
                },
            ),
            (9, Event::Channel { link: 1, good: false }),
            (
                10,
                Event::Power {
                    node: 1,
                    over,
                    radio: Power::from_milliwatts(900) * over,
                    system: Power::from_watts(10) * over,
                },
            ),
            (10, Event::End { complete: true }),
        ]);
        assert_eq!(
            text,
            "\
time_s,at,event,detail,source,destination,packet,seq,ack,len,transmission,attempts,snd_nxt,\
cwnd_bytes,ssthresh_bytes,flight_size_bytes,rto_s,radio_j,system_j
0.005,211,retransmitted,timeout,211,213,data,1024,,1024,,,,,,,,,
0.006,211,received,,213,211,ack,,2048,0,,,,,,,,,
0.007,212,dropped,wired_loss,211,213,data,1024,,1024,,,,,,,,,
0.008,212,notice_sent,,,,icmp_retransmit,1024,,,,,,,,,,,
0.009,211,snapshot,,,,,1024,,,,,4096,4096,8192,3072,1.5,,
0.009,102,channel,bad,,,,,,,,,,,,,,,
0.01,212,power,,,,,,,,,,,,,,,0.0009,0.01
0.01,,end,complete,,,,,,,,,,,,,,,
"
        );
    }

    #[test]
    fn the_beginning_and_the_end_of_a_connection_have_names() {
        let packets = [
            Flags::SYN,
            Flags::SYN | Flags::ACK,
            Flags::FIN | Flags::ACK,
            Flags::RST,
            Flags::RST | Flags::ACK,
        ]
        .map(|flags| fixture::control(flags, 7, 9));
        let text =
            events(&packets.each_ref().map(|packet| (1, Event::Received { node: 2, packet })));
        let lines: Vec<_> = text.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "0.001,213,received,,211,213,syn,7,,0,,,,,,,,,",
                "0.001,213,received,,211,213,syn_ack,7,9,0,,,,,,,,,",
                "0.001,213,received,,211,213,fin,7,9,0,,,,,,,,,",
                "0.001,213,received,,211,213,rst,7,,0,,,,,,,,,",
                "0.001,213,received,,211,213,rst,7,9,0,,,,,,,,,",
            ]
        );
    }

    #[test]
    fn a_lost_frame_has_its_number_and_attempts() {
        let data = fixture::data(15_360);
        let frame = FrameInfo { from: 1, to: 2, transmission: 23, packet: &data };
        let text = events(&[(1043, Event::GivenUp { frame, attempts: 9 })]);
        assert_eq!(
            text.lines().nth(1),
            Some("1.043,212,given_up,,211,213,data,15360,,1024,23,9,,,,,,,")
        );
    }

    #[test]
    fn attributes_are_in_one_table() {
        let names = fixture::names();
        let wanted = Set::from_iter([Attribute::WlessState, Attribute::Ackno]);
        let mut csv = AttributeCsv::new(&names, wanted, Vec::new());
        let ack = fixture::ack(2048);
        csv.record(at(6), &Event::Received { node: 0, packet: &ack });
        csv.record(at(930), &Event::Channel { link: 1, good: false });
        csv.record(at(1000), &Event::End { complete: true });
        assert_eq!(
            String::from_utf8(csv.finish().unwrap()).unwrap(),
            "\
time_s,owner,attribute,value
0,102,wless_state,1
0.006,211,ackno,2048
0.93,102,wless_state,0
1,102,wless_state,0
"
        );
    }
}
