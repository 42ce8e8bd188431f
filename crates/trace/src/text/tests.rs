use netjoule_units::Duration;
use netjoule_wire::{FIRST_PORT, NoticeKind, SeqNumber};

use super::*;
use crate::SourceState;
use crate::fixture::{self, at};

fn every() -> Set<EventKind> {
    EventKind::ALL.into_iter().collect()
}

fn text_of(kinds: Set<EventKind>, events: &[(u64, Event<'_>)]) -> String {
    let names = fixture::names();
    let mut text = EventText::new(&names, kinds, Vec::new());
    for (ms, event) in events {
        text.record(at(*ms), event);
    }
    String::from_utf8(text.finish().unwrap()).unwrap()
}

fn first_line(ms: u64, event: Event<'_>) -> String {
    text_of(every(), &[(ms, event)]).lines().next().unwrap_or_default().to_owned()
}

fn frame(transmission: u64, packet: &Packet) -> FrameInfo<'_> {
    FrameInfo { from: 1, to: 2, transmission, packet }
}

/// From goel1997 B.4: the first frame lost, the frame given up, the
/// retransmission, the end.
#[test]
fn the_sample_trace_of_the_thesis() {
    let packet = fixture::data(15 * 1024);
    let events = [
        (945, Event::Corrupted { frame: frame(15, &packet) }),
        (1043, Event::GivenUp { frame: frame(23, &packet), attempts: 9 }),
        (1043, Event::Dropped { node: 1, packet: &packet, cause: DropCause::RetryLimit }),
        (1174, Event::FastRetransmit { node: 0, snd_una: SeqNumber::new(15 * 1024) }),
        (
            1174,
            Event::Sent { node: 0, packet: &packet, retransmission: Some(Reason::FastRetransmit) },
        ),
        (1400, Event::End { complete: true }),
    ];
    assert_eq!(
        text_of(every(), &events),
        "\
***** PKT CORRUPTED ***** (DLL)
(CLOCK : 945)
The following pkt was corrupted due to BAD status of the link
The contents of DLL frame are :-
<SRC, DST, SEQ, ACK, Type>:- <212, 213, 15, -1, DATA>
The contents of IP pkt are :-
<SRC ID, DST ID> : <211, 213>
The contents of TCP segment are :-
<SEQ, ACK, Len, Type> : <15360, -1, 1024, DATA>

Following frame could not be transmitted after 8 attempts :
The contents of DLL frame are :-
<SRC, DST, SEQ, ACK, Type>:- <212, 213, 23, -1, DATA>
The contents of IP pkt are :-
<SRC ID, DST ID> : <211, 213>
The contents of TCP segment are :-
<SEQ, ACK, Len, Type> : <15360, -1, 1024, DATA>

TCP_SRC:: Fast Retransmit
TCP_SRC(Node-id - 211):: following TCP segment RETRANSMITTED(CLOCK : 1174
The contents of TCP segment are :-
<SEQ, ACK, Len, Type> : <15360, -1, 1024, DATA>

Processing SIMULATION_OVER event.
Terminating the simulator.
Normal Termination.
"
    );
}

#[test]
fn other_events_speak_in_the_same_voice() {
    let (data, ack) = (fixture::data(1024), fixture::ack(2048));
    let sent = |node, packet| Event::Sent { node, packet, retransmission: None };
    assert_eq!(
        first_line(5, sent(0, &data)),
        "TCP_SRC(Node-id - 211):: following TCP segment SENT(CLOCK : 5"
    );
    assert_eq!(
        first_line(25, Event::Received { node: 2, packet: &data }),
        "TCP_SINK(Node-id - 213):: following TCP segment RECEIVED(CLOCK : 25"
    );
    assert_eq!(
        first_line(25, sent(2, &ack)),
        "TCP_SINK(Node-id - 213):: following TCP segment SENT(CLOCK : 25"
    );
    assert_eq!(
        first_line(45, Event::Received { node: 0, packet: &ack }),
        "TCP_SRC(Node-id - 211):: following TCP segment RECEIVED(CLOCK : 45"
    );
    assert_eq!(
        first_line(26, Event::Forwarded { node: 1, packet: &ack }),
        "ROUTER(Node-id - 212):: following IP pkt FORWARDED(CLOCK : 26"
    );
    assert_eq!(
        first_line(26, Event::Channel { link: 1, good: false }),
        "WIRELESS_LINK(Node-ids - 212, 213):: status is BAD(CLOCK : 26"
    );
}

#[test]
fn an_acknowledgment_on_the_air_has_no_sequence_number() {
    let ack = fixture::ack(2048);
    let frame = FrameInfo { from: 2, to: 1, transmission: 4, packet: &ack };
    let text = text_of(every(), &[(26, Event::Corrupted { frame })]);
    assert!(text.contains("<SRC, DST, SEQ, ACK, Type>:- <213, 212, 4, -1, DATA>\n"), "{text}");
    assert!(text.contains("<SRC ID, DST ID> : <213, 211>\n"), "{text}");
    assert!(text.contains("<SEQ, ACK, Len, Type> : <-1, 2048, 0, ACK>\n"), "{text}");
}

#[test]
fn a_drop_names_its_place_and_cause() {
    let packet = fixture::data(1024);
    let drop = Event::Dropped { node: 1, packet: &packet, cause: DropCause::QueueOverflow };
    assert_eq!(
        text_of(every(), &[(7, drop)]),
        "\
***** PKT DROPPED ***** (IP)
(CLOCK : 7)
The following pkt was dropped due to lack of buffers (Node-id - 212)
The contents of IP pkt are :-
<SRC ID, DST ID> : <211, 213>
The contents of TCP segment are :-
<SEQ, ACK, Len, Type> : <1024, -1, 1024, DATA>

"
    );
}

#[test]
fn a_notice_a_timeout_and_a_snapshot() {
    let notice = fixture::notice(NoticeKind::Defer, 15_360);
    let state = SourceState { cwnd: 4096, ssthresh: 8192, flight_size: 3072 };
    let (una, rto) = (SeqNumber::new(15_360), Duration::from_micros(1_000_500));
    let events = [
        (956, Event::NoticeSent { node: 1, notice: &notice }),
        (1956, Event::TimedOut { node: 0, snd_una: una, rto }),
        (
            2000,
            Event::Snapshot {
                node: 0,
                port: FIRST_PORT,
                snd_una: una,
                snd_nxt: una + 3072,
                state,
                rto,
            },
        ),
    ];
    assert_eq!(
        text_of(every(), &events),
        "\
DLL(Node-id - 212):: following ICMP message SENT(CLOCK : 956
The contents of ICMP message are :-
<SRC ID, DST ID, SEQ, Type> : <211, 213, 15360, ICMP-DEFER>

TCP_SRC(Node-id - 211):: retransmission timer EXPIRED(CLOCK : 1956
<SND.UNA, RTO> : <15360, 1000.5>

TCP_SRC(Node-id - 211):: state of the connection(CLOCK : 2000
<SND.UNA, SND.NXT, CWND, SSTHRESH, FLIGHT, RTO> : <15360, 18432, 4096, 8192, 3072, 1000.5>

"
    );
}

#[test]
fn both_ends_open_and_close() {
    let (syn, fin) =
        (fixture::control(Flags::SYN, 7, 0), fixture::control(Flags::FIN | Flags::ACK, 8, 9));
    let events = [
        (1, Event::Sent { node: 0, packet: &syn, retransmission: None }),
        (2, Event::Received { node: 2, packet: &fin }),
    ];
    assert_eq!(
        text_of(every(), &events),
        "\
TCP(Node-id - 211):: following TCP segment SENT(CLOCK : 1
The contents of TCP segment are :-
<SEQ, ACK, Len, Type> : <7, -1, 0, SYN>

TCP(Node-id - 213):: following TCP segment RECEIVED(CLOCK : 2
The contents of TCP segment are :-
<SEQ, ACK, Len, Type> : <8, 9, 0, FIN>

"
    );
}

#[test]
fn kinds_that_are_off_stay_silent() {
    let packet = fixture::data(1024);
    let again = Event::Sent { node: 0, packet: &packet, retransmission: Some(Reason::GoBackN) };
    let only = |kind| text_of(Set::from_iter([kind]), &[(7, again)]);
    assert_eq!(only(EventKind::Sent), "");
    assert!(only(EventKind::Retransmitted).starts_with("TCP_SRC:: Go Back N\n"));
    let end = text_of(Set::EMPTY, &[(9, Event::End { complete: false })]);
    assert!(end.ends_with("Termination before the end of every transfer.\n"), "{end}");
}
