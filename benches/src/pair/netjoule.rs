//! netjoule's two hosts.

use core::net::{IpAddr, SocketAddr};

use netjoule_stack::{Config, ConnectionId, Stack};
use netjoule_transport::tcp::{InitialWindow, InitialWindowFormula, Options, VARIANTS, Variant};
use netjoule_units::{Bytes, Duration, Instant};

use super::{BUFFER, CHUNK, ROUND_MICROS};

/// Two hosts with a connection between them, and others that are idle.
pub struct Pair {
    hosts: [Stack; 2],
    busy: [ConnectionId; 2],
    packets: [Vec<u8>; 2],
    now: Instant,
    text: Vec<u8>,
    into: Vec<u8>,
}

const ADDRESSES: [[u8; 4]; 2] = [[10, 0, 0, 1], [10, 0, 0, 2]];

/// As smoltcp has it: no timestamps, an ACK for two segments; RFC 6928's
/// initial window, where smoltcp has no congestion control.
#[must_use]
pub fn options() -> Options {
    Options {
        receive_window: Bytes::new(BUFFER as u64),
        ack_every: 2,
        ack_delay: Duration::from_millis(10),
        initial_window: InitialWindow::Formula(InitialWindowFormula::Rfc6928),
        initial_ssthresh: Bytes::from_kib(1024),
        byte_counting: 2,
        ..Options::default()
    }
}

impl Pair {
    /// A pair with `idle` other connections.
    ///
    /// # Panics
    /// If the hosts do not connect.
    #[must_use]
    pub fn new(options: &Options, idle: usize) -> Self {
        let hosts = [0, 1].map(|host| {
            let address: IpAddr = ADDRESSES[host].into();
            let config = Config::new(vec![address], [7; 16]);
            Stack::new(Config { send_buffer: Bytes::new(BUFFER as u64), ..config })
        });
        let now = Instant::from_millis(1);
        let nobody = [(); 2].map(|()| None);
        let mut pair = Unconnected { hosts, packets: Default::default(), now, busy: nobody };
        let variant = Variant::named("newreno").unwrap_or(&VARIANTS[0]);
        let at = SocketAddr::new(ADDRESSES[1].into(), 80);
        let listener = pair.hosts[1].listen(at, variant, options, 8).expect("a free port");
        for _ in 0..=idle {
            let id = pair.hosts[0].connect(now, None, at, variant, options);
            pair.busy[0] = Some(id.expect("a free port"));
            while pair.round() {}
            pair.busy[1] = pair.hosts[1].accept(listener);
        }
        let Unconnected { hosts, packets, now, busy } = pair;
        let busy = busy.map(|id| id.expect("a connection"));
        let text = (0..CHUNK).map(|at| (at % 251) as u8).collect();
        Self { hosts, busy, packets, now, text, into: vec![0; CHUNK] }
    }

    /// Sends and receives `bytes`. Returns how many packets that took.
    ///
    /// # Panics
    /// If the connection ends.
    pub fn transfer(&mut self, bytes: usize) -> u64 {
        let packets = |hosts: &[Stack; 2]| hosts.iter().map(|it| it.counters().packets_out).sum();
        let before: u64 = packets(&self.hosts);
        let (mut written, mut read) = (0, 0);
        let [client, server] = self.busy;
        while read < bytes {
            while written < bytes {
                let chunk = &self.text[..CHUNK.min(bytes - written)];
                match self.hosts[0].send(client, chunk).expect("the connection lasts") {
                    0 => break,
                    len => written += len,
                }
            }
            self.now += Duration::from_micros(ROUND_MICROS);
            exchange(&mut self.hosts, &mut self.packets, self.now);
            loop {
                let into = &mut self.into;
                match self.hosts[1].receive(server, into).expect("the connection lasts") {
                    0 => break,
                    len => read += len,
                }
            }
        }
        packets(&self.hosts) - before
    }
}

/// Each packet that one has to send goes to the other, which answers before the
/// next. Returns whether there was any.
fn exchange(hosts: &mut [Stack; 2], packets: &mut [Vec<u8>; 2], now: Instant) -> bool {
    let [data, ack] = packets;
    let mut any = false;
    let [client, server] = hosts;
    loop {
        while server.poll_transmit(now, ack) {
            client.handle_packet(now, ack);
            any = true;
        }
        if !client.poll_transmit(now, data) {
            break;
        }
        server.handle_packet(now, data);
        any = true;
    }
    for host in [&mut *client, &mut *server] {
        if host.poll_timeout().is_some_and(|at| at <= now) {
            host.handle_timeout(now);
        }
    }
    while client.poll_event().is_some() {}
    while server.poll_event().is_some() {}
    any
}

struct Unconnected {
    hosts: [Stack; 2],
    packets: [Vec<u8>; 2],
    now: Instant,
    busy: [Option<ConnectionId>; 2],
}

impl Unconnected {
    fn round(&mut self) -> bool {
        exchange(&mut self.hosts, &mut self.packets, self.now)
    }
}
