use std::fs;

use netjoule_wire::{NoticeKind, Segment};
use pcap_file::pcapng::blocks::enhanced_packet::EnhancedPacketOption;
use pcap_file::pcapng::{Block, PcapNgReader};

use super::*;
use crate::Nobody;
use crate::fixture::{self, at};

/// A run in which a segment of two is lost, given up, and sent again.
fn record(observer: &mut impl Observer) {
    let (first, second, ack) = (fixture::data(0), fixture::data(1024), fixture::ack(1024));
    let (whole, notice) = (fixture::ack(2048), fixture::notice(NoticeKind::Retransmit, 1024));
    let answer = packet_of(1, notice);
    let sent = |node, packet| Event::Sent { node, packet, retransmission: None };
    let received = |node, packet| Event::Received { node, packet };
    for (ms, event) in [
        (0, sent(0, &first)),
        (0, sent(0, &second)),
        (50, Event::ArrivedAtRouter { node: 1, packet: &first }),
        (60, received(2, &first)),
        (60, sent(2, &ack)),
        (80, Event::NoticeSent { node: 1, notice: &notice }),
        (100, received(0, &ack)),
        (120, received(0, &answer)),
        (120, sent(0, &second)),
        (180, received(2, &second)),
        (180, sent(2, &whole)),
        (240, received(0, &whole)),
        (240, Event::End { complete: true }),
    ] {
        observer.record(at(ms), &event);
    }
}

fn capture(vantage: Vantage) -> Vec<u8> {
    let mut pcap = Pcap::new(&fixture::names(), vantage, Vec::new()).unwrap();
    record(&mut pcap);
    pcap.finish().unwrap()
}

/// Each packet of a file: milliseconds, interface, whether it comes in, and the
/// packet.
fn packets(file: &[u8]) -> Vec<(u128, u32, bool, Packet)> {
    let mut reader = PcapNgReader::new(file).unwrap();
    let mut packets = Vec::new();
    while let Some(block) = reader.next_block() {
        if let Block::EnhancedPacket(block) = block.unwrap().0 {
            let is_incoming = block.options == [EnhancedPacketOption::Flags(1)];
            let packet = packet::parse(&block.data).unwrap();
            packets.push((block.timestamp.as_millis(), block.interface_id, is_incoming, packet));
        }
    }
    packets
}

#[test]
fn every_packet_as_it_was_sent() {
    let notice = packet_of(1, fixture::notice(NoticeKind::Retransmit, 1024));
    let expected = [
        (0, 0, false, fixture::data(0)),
        (0, 0, false, fixture::data(1024)),
        (60, 2, false, fixture::ack(1024)),
        (80, 1, false, notice),
        (120, 0, false, fixture::data(1024)),
        (180, 2, false, fixture::ack(2048)),
    ];
    assert_eq!(packets(&capture(Vantage::Senders)), expected);
}

#[test]
fn what_one_node_sees() {
    let notice = packet_of(1, fixture::notice(NoticeKind::Retransmit, 1024));
    let expected = [
        (0, 0, false, fixture::data(0)),
        (0, 0, false, fixture::data(1024)),
        (100, 0, true, fixture::ack(1024)),
        (120, 0, true, notice),
        (120, 0, false, fixture::data(1024)),
        (240, 0, true, fixture::ack(2048)),
    ];
    assert_eq!(packets(&capture(Vantage::Node(0))), expected);
}

#[test]
fn the_file_says_who_made_it_and_where_but_not_when() {
    let file = capture(Vantage::Senders);
    let mut reader = PcapNgReader::new(&file[..]).unwrap();
    assert!(
        format!("{:?}", reader.section().options)
            .contains(concat!("netjoule ", env!("CARGO_PKG_VERSION")))
    );
    while reader.next_block().is_some() {}
    let interfaces = format!("{:?}", reader.interfaces());
    for name in ["211", "212", "213"] {
        assert!(interfaces.contains(&format!("IfName({name:?})")), "{interfaces}");
    }
    assert_eq!(file, capture(Vantage::Senders));
}

#[test]
fn a_packet_that_ip_cannot_carry_is_an_error() {
    let mut pcap = Pcap::new(&fixture::names(), Vantage::Senders, Vec::new()).unwrap();
    let len = 65_500;
    let segment = Segment { len, ..Segment::default() };
    let packet = Packet { body: Body::Tcp(segment), ..fixture::data(0) };
    pcap.record(at(0), &Event::Sent { node: 0, packet: &packet, retransmission: None });
    let error = pcap.finish().map(drop).unwrap_err().to_string();
    assert!(error.starts_with("IPv4 packet length: 65540 bytes"), "{error}");
}

#[test]
fn the_file_appears_when_it_is_complete_beside_another_observer() {
    let (names, directory) = (fixture::names(), tempfile::tempdir().unwrap());
    let path = directory.path().join("run.pcapng");
    let pcap = Pcap::create(&names, Vantage::Senders, &path).unwrap();
    let mut observers = (Some(pcap), Nobody);
    record(&mut observers);
    assert!(!path.exists());
    observers.0.unwrap().finish().unwrap().commit().unwrap();
    assert_eq!(fs::read(&path).unwrap(), capture(Vantage::Senders));
}
