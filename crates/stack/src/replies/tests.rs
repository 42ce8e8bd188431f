use core::net::IpAddr;

use netjoule_wire::{Flags, SeqNumber};

use super::*;

fn header(protocol: Protocol, len: usize, v6: bool) -> IpHeader {
    let (source, destination): (IpAddr, IpAddr) = if v6 {
        ("fd00::2".parse().unwrap(), "fd00::1".parse().unwrap())
    } else {
        ("10.0.0.2".parse().unwrap(), "10.0.0.1".parse().unwrap())
    };
    IpHeader {
        source,
        destination,
        ecn: Ecn::NotEct,
        dont_fragment: true,
        hop_limit: 64,
        protocol,
        payload_len: u16::try_from(len).unwrap(),
    }
}

fn segment(flags: Flags) -> Segment {
    Segment {
        source_port: 2,
        destination_port: 1,
        seq: SeqNumber::new(100),
        ack: SeqNumber::new(200),
        flags,
        len: 10,
        ..Segment::default()
    }
}

fn reset(flags: Flags) -> Option<Segment> {
    let mut replies = Replies::default();
    let to = header(Protocol::Tcp, 30, false);
    let made = replies.reset(Instant::ZERO, &to, &segment(flags));
    let packet = replies.pop();
    assert_eq!(packet.is_some(), made);
    let packet = packet?;
    let (ip, bytes) = ip::parse(&packet).unwrap();
    assert_eq!((ip.source, ip.destination), (to.destination, to.source));
    Some(tcp::parse(bytes, ip.pseudo()).unwrap().0)
}

#[test]
fn resets_fit_what_they_answer() {
    let answer = reset(Flags::ACK).unwrap();
    assert_eq!((answer.flags, answer.seq.get()), (Flags::RST, 200));
    assert_eq!((answer.source_port, answer.destination_port), (1, 2));
    let answer = reset(Flags::SYN).unwrap();
    assert_eq!((answer.flags, answer.seq.get()), (Flags::RST | Flags::ACK, 0));
    assert_eq!(answer.ack.get(), 111);
    assert_eq!(reset(Flags::RST), None);
    assert_eq!(reset(Flags::RST | Flags::ACK), None);
}

#[test]
fn a_flood_is_not_answered() {
    let mut replies = Replies::default();
    let ask = |ms, replies: &mut Replies| {
        let to = header(Protocol::Tcp, 30, true);
        replies.reset(Instant::from_millis(ms), &to, &segment(Flags::ACK))
    };
    let mut made = 0;
    for _ in 0..10_000 {
        made += u32::from(ask(1_000, &mut replies));
    }
    assert_eq!(made as usize, MOST_WAITING);
    for _ in 0..10_000 {
        made += u32::from(ask(1_000, &mut replies));
        replies.pop();
    }
    assert_eq!(made, MOST_PER_SECOND);
    assert!(ask(2_000, &mut replies));
}

#[test]
fn echo_requests_are_answered() {
    for (v6, protocol, request, reply) in
        [(false, Protocol::Icmp, 8, 0), (true, Protocol::Icmpv6, 128, 129)]
    {
        let mut message = vec![request, 0, 0, 0, 0, 7, 0, 9, b'h', b'e', b'l', b'l', b'o'];
        let to = header(protocol, message.len(), v6);
        let pseudo = if v6 { to.pseudo() } else { Sum::default() };
        let checksum = pseudo.then(Sum::of(&message), false).finish();
        message[2..4].copy_from_slice(&checksum.to_be_bytes());
        let mut replies = Replies::default();
        assert!(replies.echo(Instant::ZERO, &to, &message));
        let packet = replies.pop().unwrap();
        let (ip, bytes) = ip::parse(&packet).unwrap();
        assert_eq!((ip.source, ip.destination), (to.destination, to.source));
        assert_eq!((bytes[0], &bytes[4..]), (reply, &message[4..]));
        let pseudo = if v6 { ip.pseudo() } else { Sum::default() };
        assert!(pseudo.then(Sum::of(bytes), false).is_valid());
        // A damaged one, and the reply itself, are not.
        message[12] ^= 1;
        assert!(!replies.echo(Instant::ZERO, &to, &message));
        let mut other = bytes.to_vec();
        other[0] = reply;
        assert!(!replies.echo(Instant::ZERO, &ip, &other) && replies.pop().is_none());
    }
}
