//! The network of the sample trace in goel1997 B.4: source 211, base station
//! 212, mobile host 213.

use std::fs;
use std::path::Path;

use netjoule_units::Instant;
use netjoule_wire::{
    Address, Body, Ecn, Flags, Flow, Notice, NoticeKind, Packet, Segment, SeqNumber,
};

use crate::{LinkNames, Names};

pub(crate) fn at(ms: u64) -> Instant {
    Instant::from_millis(ms)
}

pub(crate) fn names() -> Names {
    let link = |name: &str, between, wireless| LinkNames { name: name.into(), between, wireless };
    Names {
        nodes: ["211", "212", "213"].map(String::from).into(),
        links: vec![link("101", [0, 1], false), link("102", [1, 2], true)],
    }
}

fn flow() -> Flow {
    Flow {
        source: Address::of_node(0),
        destination: Address::of_node(2),
        source_port: 1024,
        destination_port: 5001,
    }
}

fn packet(flow: Flow, seq: u32, ack: u32, len: u32) -> Packet {
    let segment = Segment {
        source_port: flow.source_port,
        destination_port: flow.destination_port,
        seq: SeqNumber::new(seq),
        ack: SeqNumber::new(ack),
        flags: Flags::ACK,
        window: 4096,
        len,
        ..Segment::default()
    };
    Packet {
        source: flow.source,
        destination: flow.destination,
        ecn: Ecn::NotEct,
        body: Body::Tcp(segment),
    }
}

/// A segment of 1 KB from 211 to 213.
pub(crate) fn data(seq: u32) -> Packet {
    packet(flow(), seq, 0, 1024)
}

/// An acknowledgment from 213 to 211.
pub(crate) fn ack(ack: u32) -> Packet {
    packet(flow().reversed(), 0, ack, 0)
}

/// A segment without payload from 211 to 213 that opens, closes or resets.
pub(crate) fn control(flags: Flags, seq: u32, ack: u32) -> Packet {
    let mut packet = packet(flow(), seq, ack, 0);
    if let Body::Tcp(segment) = &mut packet.body {
        segment.flags = flags;
    }
    packet
}

/// The same from 213 to 211.
pub(crate) fn back(mut packet: Packet) -> Packet {
    core::mem::swap(&mut packet.source, &mut packet.destination);
    if let Body::Tcp(segment) = &mut packet.body {
        core::mem::swap(&mut segment.source_port, &mut segment.destination_port);
    }
    packet
}

/// What 212 tells 211 about a segment.
pub(crate) fn notice(kind: NoticeKind, seq: u32) -> Notice {
    Notice { kind, flow: flow(), seq: SeqNumber::new(seq) }
}

/// The names of the files in a directory, sorted.
pub(crate) fn listed(directory: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
