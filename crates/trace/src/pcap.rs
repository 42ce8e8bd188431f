//! Packets as pcapng files, for Wireshark and its kin.

mod writer;

use std::io::{self, Write};
use std::path::Path;

use netjoule_units::Instant;
use netjoule_wire::{Address, Body, Ecn, Notice, Packet, packet};

use crate::patient::Patient;
use crate::{Event, Names, NodeIndex, Observer, PendingFile};

pub use writer::{Direction, PcapWriter};

/// Where the packets of a simulated run are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vantage {
    /// At their senders: every packet once, also those that will be lost.
    Senders,
    /// At one node, as a capture on that machine has them: those that it sends
    /// and those that reach it. What a router passes on is not among them.
    Node(NodeIndex),
}

/// Writes the packets of a run as a pcapng file with one interface for each
/// node, called as the node is. Times count from the start of the run.
///
/// The packets are whole: IPv4 with all checksums, whether the run counts
/// headers or not, and with payload that depends on its sequence numbers alone.
/// Equal runs have equal files.
pub struct Pcap<W: Write> {
    vantage: Vantage,
    out: Patient<PcapWriter<W>>,
    /// The packet in the making.
    bytes: Vec<u8>,
}

impl Pcap<PendingFile> {
    /// A file that gets its name when it is complete, by
    /// [`PendingFile::commit`] after [`Pcap::finish`].
    ///
    /// # Errors
    /// The system's error, with the name of the file.
    pub fn create(names: &Names, vantage: Vantage, path: &Path) -> io::Result<Self> {
        Self::new(names, vantage, PendingFile::at(path)?)
    }
}

impl<W: Write> Pcap<W> {
    /// Writes the packets seen at `vantage` to `out`.
    ///
    /// # Errors
    /// The writer's.
    pub fn new(names: &Names, vantage: Vantage, out: W) -> io::Result<Self> {
        let out = PcapWriter::new(out, names.nodes.iter().map(String::as_str))?;
        Ok(Self { vantage, out: Patient::new(out), bytes: Vec::new() })
    }

    /// Ends the writing.
    ///
    /// # Errors
    /// The first error of the writer, or a packet that is longer than an IPv4
    /// packet can be.
    pub fn finish(self) -> io::Result<W> {
        self.out.finish()?.finish()
    }

    fn packet(&mut self, now: Instant, node: NodeIndex, direction: Direction, packet: &Packet) {
        let bytes = &mut self.bytes;
        self.out.write(|out| {
            packet::emit(packet, packet::pattern, bytes)
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
            out.packet(node, now, Some(direction), bytes)
        });
    }
}

/// The packet in which `node` sends `notice`.
fn packet_of(node: NodeIndex, notice: Notice) -> Packet {
    Packet {
        source: Address::of_node(node),
        destination: notice.flow.source,
        ecn: Ecn::NotEct,
        body: Body::Icmp(notice),
    }
}

impl<W: Write> Observer for Pcap<W> {
    fn record(&mut self, now: Instant, event: &Event<'_>) {
        let (node, direction, packet) = match *event {
            Event::Sent { node, packet, .. } => (node, Direction::Out, *packet),
            Event::NoticeSent { node, notice } => (node, Direction::Out, packet_of(node, *notice)),
            Event::Received { node, packet } => (node, Direction::In, *packet),
            _ => return,
        };
        let is_seen = match self.vantage {
            Vantage::Senders => direction == Direction::Out,
            Vantage::Node(here) => node == here,
        };
        if is_seen {
            self.packet(now, node, direction, &packet);
        }
    }
}

#[cfg(test)]
mod tests;
