//! The ends of connections.

use netjoule_scenario as scenario;
use netjoule_transport::tcp::{Connection, Endpoint};
use netjoule_units::Bytes;
use netjoule_wire::{FIRST_PORT, SeqNumber};

use super::Builder;
use crate::energy::Bill;
use crate::island::Part;
use crate::node::{Closing, EndpointPart, Node};

/// The longest IPv4 packet (RFC 791 section 3.1), in bytes: simulated links
/// take packets of any length.
const LONGEST_PACKET: u32 = 65_535;

/// IPv4 header without options, in bytes.
const IP_HEADER_BYTES: u32 = 20;

impl Builder<'_> {
    /// Both ends of each connection: the source, then the sink.
    pub(super) fn endpoints<M: Bill>(&mut self, nodes: &mut [Node]) -> Vec<EndpointPart<M>> {
        let mut endpoints = Vec::new();
        for (index, connection) in self.scenario.connections.iter().enumerate() {
            let ends = [(connection.from, connection.to), (connection.to, connection.from)];
            let ports = ends.map(|(node, _)| {
                nodes[node].endpoints.push(usize::MAX);
                FIRST_PORT + u16::try_from(nodes[node].endpoints.len() - 1).unwrap_or(u16::MAX)
            });
            for (end, (node, peer)) in ends.into_iter().enumerate() {
                let is_source = end == 0;
                nodes[node].endpoints[usize::from(ports[end] - FIRST_PORT)] = endpoints.len();
                endpoints.push(EndpointPart {
                    id: self.add_part(node, Part::Endpoint(endpoints.len())),
                    engine: self.engine(connection, is_source, [ports[end], ports[1 - end]]),
                    connection: index,
                    node,
                    port: ports[end],
                    peer,
                    transfer: is_source.then_some(connection.transfer),
                    unwritten: Bytes::ZERO,
                    next_write: None,
                    closing: match (connection.handshake, is_source) {
                        (false, _) => Closing::Never,
                        (true, true) => {
                            Closing::WhenWritten { send_buffer: connection.tcp.receive_window }
                        }
                        (true, false) => Closing::AfterPeer,
                    },
                    read: Bytes::ZERO,
                    shown: None,
                });
            }
        }
        endpoints
    }

    /// The engine of one end of `connection`, with its own port and its peer's.
    fn engine<M: Bill>(
        &self,
        connection: &scenario::Connection,
        is_source: bool,
        [source_port, destination_port]: [u16; 2],
    ) -> Connection<M> {
        let scenario::Connection { variant, tcp, .. } = connection;
        if !connection.handshake {
            return Connection::established(variant, tcp, source_port, destination_port);
        }
        let [from, to] = [connection.from, connection.to].map(|it| &self.scenario.nodes[it].name);
        let [own, peer] = if is_source { [from, to] } else { [to, from] };
        // As RFC 6528 has it, what a connection begins with depends on its four
        // names and on a secret, the seed. No clock is needed: a simulated
        // connection has no successor.
        let name = format!("connection/{own}/{source_port}/{peer}/{destination_port}");
        let word = self.streams.first_word(&name);
        #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
        let (iss, timestamp_offset) = (SeqNumber::new(word as u32), (word >> 32) as u32);
        let endpoint = Endpoint {
            source_port,
            destination_port,
            iss,
            timestamp_offset,
            mtu: LONGEST_PACKET,
            ip_header: IP_HEADER_BYTES,
        };
        if is_source {
            Connection::connect(variant, tcp, &endpoint)
        } else {
            Connection::listen(variant, tcp, &endpoint)
        }
    }
}
