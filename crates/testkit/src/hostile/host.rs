//! A host to which anybody sends anything, with well-formed segments among it.

use core::net::{IpAddr, Ipv4Addr, SocketAddr};

use netjoule_stack::{Config, ConnectionId, ListenerId, Stack};
use netjoule_transport::tcp::{Options, VARIANTS};
use netjoule_units::{Bytes, Duration, Instant};
use netjoule_wire::checksum::Sum;
use netjoule_wire::ip::{self, IPV4_HEADER_BYTES, IpHeader, Protocol};
use netjoule_wire::{Ecn, Flags, Segment, SeqRange, TcpOptions, Timestamps, tcp};

use super::script::Script;

const HOST: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const PEER: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);
const PORT: u16 = 80;

/// As many connections as the host may have.
const CONNECTIONS: usize = 16;

/// The most packets that one event can release: every window at once.
const MOST_PACKETS: usize = 100_000;

/// Plays the network and the application that `bytes` spell out.
///
/// # Panics
/// If the host panics, sends what is not well formed, never stops sending, or
/// has more connections than it may.
pub fn play(bytes: &[u8]) {
    let mut script = Script::new(bytes);
    let mut play = Play::new(&mut script);
    while !script.is_over() {
        play.step(&mut script);
    }
}

struct Play {
    stack: Stack,
    now: Instant,
    listener: ListenerId,
    open: Vec<ConnectionId>,
    packet: Vec<u8>,
    /// What the host sent last to each of the peer's ports: where its sequence
    /// numbers stand.
    seen: [Option<Segment>; 4],
}

impl Play {
    fn new(script: &mut Script<'_>) -> Self {
        let mut config = Config::new(vec![IpAddr::V4(HOST)], [7; 16]);
        config.max_connections = CONNECTIONS;
        config.send_buffer = Bytes::from_kib(16);
        let mut stack = Stack::new(config);
        let variant = &VARIANTS[usize::from(script.byte()) % VARIANTS.len()];
        let base = if script.flag() { Options::current() } else { Options::default() };
        let options = Options { receive_window: Bytes::from_kib(8), ..base };
        let local = SocketAddr::from((HOST, PORT));
        let listener = stack.listen(local, variant, &options, 4).expect("a free port");
        Self {
            stack,
            now: Instant::ZERO,
            listener,
            open: Vec::new(),
            packet: Vec::new(),
            seen: [None; 4],
        }
    }

    fn step(&mut self, script: &mut Script<'_>) {
        match script.byte() % 12 {
            0..=5 => self.segment(script),
            6 => self.noise(script),
            7 => self.now += Duration::from_millis(u64::from(script.u16())),
            8 => {
                if let Some(at) = self.stack.poll_timeout() {
                    self.now = self.now.max(at);
                }
                self.stack.handle_timeout(self.now);
            }
            9 => self.open.extend(self.stack.accept(self.listener)),
            10 => self.call(script),
            _ => {
                let remote = SocketAddr::from((PEER, 1 + u16::from(script.byte() % 4)));
                let variant = &VARIANTS[1];
                let made = self.stack.connect(self.now, None, remote, variant, &Options::current());
                self.open.extend(made);
            }
        }
        self.drain();
    }

    /// A segment of a peer that may know where the host's numbers stand.
    fn segment(&mut self, script: &mut Script<'_>) {
        let which = usize::from(script.byte()) % self.seen.len();
        let seen = self.seen[which].unwrap_or_default();
        let flags =
            [Flags::SYN, Flags::ACK, Flags::ACK | Flags::FIN, Flags::RST, Flags::SYN | Flags::ACK]
                [usize::from(script.byte()) % 5];
        let mut options = TcpOptions::NONE;
        let kinds = script.byte();
        if kinds & 1 != 0 {
            let echo = seen.options.timestamps.map_or(0, |it| it.value);
            options.timestamps = Some(Timestamps { value: script.offset(), echo });
        }
        if kinds & 2 != 0 {
            let start = seen.seq + script.offset();
            options.sack.push(SeqRange { start, end: start + script.offset() });
        }
        if flags.has(Flags::SYN) {
            options.mss = (kinds & 4 != 0).then(|| script.u16());
            options.window_scale = (kinds & 8 != 0).then(|| script.byte() % 15);
            options.sack_permitted = kinds & 16 != 0;
        }
        let len = script.offset() % 1_400;
        #[expect(clippy::cast_possible_truncation, reason = "one of four")]
        let segment = Segment {
            source_port: 1 + which as u16,
            destination_port: if seen.source_port == 0 { PORT } else { seen.source_port },
            seq: seen.ack + script.offset(),
            ack: seen.seq + seen.seq_len() + script.offset(),
            flags,
            window: script.u16(),
            urgent: 0,
            options,
            len,
        };
        self.write(&segment);
        self.stack.handle_packet(self.now, &self.packet);
    }

    fn write(&mut self, segment: &Segment) {
        let tcp_header = segment.header_len() as usize;
        let payload = vec![0x5a; segment.len as usize];
        let payload_len = u16::try_from(tcp_header + payload.len()).expect("short segments");
        let header = IpHeader {
            source: IpAddr::V4(PEER),
            destination: IpAddr::V4(HOST),
            ecn: Ecn::Ect0,
            dont_fragment: true,
            hop_limit: 64,
            protocol: Protocol::Tcp,
            payload_len,
        };
        self.packet.clear();
        self.packet.resize(IPV4_HEADER_BYTES + tcp_header, 0);
        ip::emit(&header, 0, &mut self.packet);
        let bytes = &mut self.packet[IPV4_HEADER_BYTES..];
        tcp::emit(segment, header.pseudo(), Sum::of(&payload), bytes);
        self.packet.extend_from_slice(&payload);
    }

    /// The last packet damaged, or any bytes.
    fn noise(&mut self, script: &mut Script<'_>) {
        if script.flag() && !self.packet.is_empty() {
            let at = usize::from(script.u16()) % self.packet.len();
            self.packet[at] ^= script.byte();
        } else {
            self.packet = (0..script.byte()).map(|_| script.byte()).collect();
        }
        self.stack.handle_packet(self.now, &self.packet);
    }

    fn call(&mut self, script: &mut Script<'_>) {
        let which = usize::from(script.byte());
        let Some(&id) = self.open.get(which % self.open.len().max(1)) else { return };
        let mut buffer = [0; 3_000];
        let len = usize::from(script.u16()) % buffer.len();
        // Calls on connections that are gone are refused.
        match script.byte() % 6 {
            0 | 1 => drop(self.stack.send(id, &buffer[..len])),
            2 | 3 => drop(self.stack.receive(id, &mut buffer[..len])),
            4 => self.stack.shutdown(self.now, id),
            _ => {
                if script.flag() {
                    self.stack.close(self.now, id);
                } else {
                    self.stack.abort(self.now, id);
                }
                self.open.retain(|open| *open != id);
            }
        }
    }

    fn drain(&mut self) {
        let mut sent = Vec::new();
        let mut packets = 0;
        while self.stack.poll_transmit(self.now, &mut sent) {
            packets += 1;
            assert!(packets <= MOST_PACKETS, "sends without end");
            let (header, payload) = ip::parse(&sent).expect("hosts send well-formed packets");
            if header.protocol != Protocol::Tcp {
                continue;
            }
            let (segment, _) =
                tcp::parse(payload, header.pseudo()).expect("hosts send well-formed segments");
            let which = usize::from(segment.destination_port.wrapping_sub(1));
            if let Some(seen) = self.seen.get_mut(which) {
                *seen = Some(segment);
            }
        }
        while self.stack.poll_event().is_some() {}
        assert!(self.stack.connections() <= CONNECTIONS, "more connections than allowed");
    }
}

impl Default for Play {
    fn default() -> Self {
        Self::new(&mut Script::new(&[]))
    }
}

#[cfg(test)]
mod tests {
    use netjoule_wire::SeqNumber;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]
        #[test]
        fn nobody_breaks_a_host(bytes in prop::collection::vec(any::<u8>(), 0..1_000)) {
            play(&bytes);
        }
    }

    #[test]
    fn sequence_numbers_that_peers_see_are_the_hosts() {
        let mut play = Play::default();
        let syn = Segment {
            source_port: 1,
            destination_port: PORT,
            seq: SeqNumber::new(5),
            flags: Flags::SYN,
            window: 1_000,
            ..Segment::default()
        };
        play.write(&syn);
        play.stack.handle_packet(play.now, &play.packet);
        play.drain();
        let answer = play.seen[0].expect("a SYN-ACK");
        assert_eq!((answer.flags, answer.ack), (Flags::SYN | Flags::ACK, SeqNumber::new(6)));
    }
}
