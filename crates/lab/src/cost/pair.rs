//! Two hosts with a wire between them, in memory.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use netjoule_stack::{Config, ConnectionId, Stack};
use netjoule_transport::cost::{Counts, Meter, Off};
use netjoule_units::{Bytes, Duration, Instant};

use super::Setting;

/// What an application writes and reads at once.
const CHUNK: usize = 16 * 1024;

/// The time that everything takes to get to the other host and back.
const ROUND: Duration = Duration::from_millis(1);

/// When nothing is under way, time goes on to the next timer: so often at most.
const MOST_WAITS: u32 = 100_000;

/// Two hosts, and a connection between them.
#[derive(Debug)]
pub struct Pair<M: Meter = Off> {
    hosts: [Stack<M>; 2],
    /// The sender's end of the connection, then the receiver's.
    busy: [ConnectionId; 2],
    wire: Wire,
    now: Instant,
    mss: u64,
    text: Vec<u8>,
    into: Vec<u8>,
}

/// A packet in each direction at a time.
#[derive(Debug, Default)]
struct Wire {
    data: Vec<u8>,
    ack: Vec<u8>,
    /// Every so many packets of data one is lost; zero for none.
    loss_every: u64,
    /// Packets of data seen.
    seen: u64,
}

impl<M: Meter> Pair<M> {
    /// Connects two hosts.
    ///
    /// # Panics
    /// If they do not connect.
    #[must_use]
    pub fn new(setting: &Setting) -> Self {
        let address = |last: u8| -> IpAddr {
            if setting.ipv6 {
                Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0, last.into()).into()
            } else {
                Ipv4Addr::new(10, 0, 0, last).into()
            }
        };
        let mut hosts = [1, 2].map(|last| {
            let config = Config::new(vec![address(last)], [last; 16]);
            let send_buffer = setting.options.receive_window;
            Stack::<M>::new(Config { mtu: setting.mtu, send_buffer, ..config })
        });
        let now = Instant::from_millis(1);
        let mut wire = Wire::default();
        let (variant, options) = (setting.variant, &setting.options);
        let server = SocketAddr::new(address(2), 80);
        let listener = hosts[1].listen(server, variant, options, 8).expect("a free port");
        let mut busy = None;
        for _ in 0..=setting.idle {
            let client = hosts[0].connect(now, None, server, variant, options);
            while wire.exchange(&mut hosts, now) {}
            busy = client.ok().zip(hosts[1].accept(listener));
        }
        let (client, accepted) = busy.expect("a connection");
        wire.loss_every = setting.loss_every;
        let mss = hosts[0].info(client).expect("a connection").mss;
        #[expect(clippy::cast_possible_truncation, reason = "any bytes will do")]
        let text = (0..CHUNK).map(|at| at as u8).collect();
        let into = vec![0; CHUNK];
        Self { hosts, busy: [client, accepted], wire, now, mss: mss.into(), text, into }
    }

    /// Sends and receives so many full segments.
    ///
    /// # Panics
    /// If the connection ends, or makes no progress.
    pub fn transfer(&mut self, segments: u64) {
        let bytes = segments * self.mss;
        let (mut written, mut read, mut waits) = (0, 0, 0);
        while read < bytes {
            while written < bytes {
                let left = usize::try_from(bytes - written).unwrap_or(CHUNK);
                let chunk = &self.text[..CHUNK.min(left)];
                match self.hosts[0].send(self.busy[0], chunk).expect("the connection lasts") {
                    0 => break,
                    len => written += len as u64,
                }
            }
            self.now += ROUND;
            let moved = self.wire.exchange(&mut self.hosts, self.now);
            read += self.read();
            if !moved {
                waits += 1;
                assert!(waits < MOST_WAITS, "the transfer makes no progress");
                self.wait();
            }
        }
    }

    /// The receiving application takes everything. Returns how much that is.
    fn read(&mut self) -> u64 {
        let mut read = 0;
        loop {
            match self.hosts[1].receive(self.busy[1], &mut self.into).expect("the connection lasts")
            {
                0 => return read,
                len => read += len as u64,
            }
        }
    }

    /// Time goes on to the next timer.
    fn wait(&mut self) {
        let next = self.hosts.iter_mut().filter_map(Stack::poll_timeout).min();
        self.now = self.now.max(next.expect("something will happen"));
        for host in &mut self.hosts {
            host.handle_timeout(self.now);
        }
    }
}

impl Pair<Counts> {
    /// What both hosts have counted.
    ///
    /// # Panics
    /// Never: the connection lasts as long as the pair.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut all = Counts::default();
        for (host, id) in self.hosts.iter().zip(self.busy) {
            all.add(host.meter());
            all.add(host.meter_of(id).expect("a connection"));
        }
        all
    }
}

impl Wire {
    /// Each packet that the first host has to send goes to the other, which
    /// answers before the next; some are lost. Returns whether there was any.
    fn exchange<M: Meter>(&mut self, hosts: &mut [Stack<M>; 2], now: Instant) -> bool {
        let [client, server] = hosts;
        let mut any = false;
        loop {
            while server.poll_transmit(now, &mut self.ack) {
                client.handle_packet(now, &self.ack);
                any = true;
            }
            if !client.poll_transmit(now, &mut self.data) {
                break;
            }
            any = true;
            if !self.loses() {
                server.handle_packet(now, &self.data);
            }
        }
        for host in [client, server] {
            if host.poll_timeout().is_some_and(|at| at <= now) {
                host.handle_timeout(now);
            }
            while host.poll_event().is_some() {}
        }
        any
    }

    fn loses(&mut self) -> bool {
        self.seen += 1;
        self.loss_every > 0 && self.seen.is_multiple_of(self.loss_every)
    }
}

/// How much a receive buffer of the transfers takes.
pub(super) const BUFFER: Bytes = Bytes::from_kib(64);
