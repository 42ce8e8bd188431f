//! Two hosts with a wire between them, in memory.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::collections::VecDeque;

use netjoule_stack::{Config, ConnectionId, Stack};
use netjoule_transport::cost::{Counts, Meter, Off};
use netjoule_units::{Bytes, Duration, Instant};

use super::Setting;

/// What an application writes and reads at once: two segments. (What valgrind
/// makes of the string instructions in longer copies is not what processors do.)
const CHUNK: usize = 2 * 1460;

/// The time that everything takes to get to the other host and back.
const ROUND: Duration = Duration::from_micros(50);

/// When nothing is under way, time goes on to the next timer.
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

/// Packets on their way. Their vectors are used again.
#[derive(Debug)]
struct Wire {
    /// Which host they are for, and their bytes.
    under_way: VecDeque<(usize, Vec<u8>)>,
    free: Vec<Vec<u8>>,
    loss_every: u64,
    /// Packets of data seen.
    seen: u64,
}

/// Longer packets carry data.
const LONGEST_ACK: usize = 120;

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
        let mut wire =
            Wire { under_way: VecDeque::new(), free: Vec::new(), loss_every: 0, seen: 0 };
        let (variant, options) = (setting.variant, &setting.options);
        let server = SocketAddr::new(address(2), 80);
        let listener = hosts[1].listen(server, variant, options, 8).expect("a free port");
        let mut busy = None;
        for _ in 0..=setting.idle {
            let client = hosts[0].connect(now, None, server, variant, options);
            wire.take_from(0, &mut hosts, now);
            while let Some(host) = wire.deliver(&mut hosts, now) {
                wire.take_from(host, &mut hosts, now);
            }
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
            let mut moved = false;
            for host in [0, 1] {
                moved |= self.wire.take_from(host, &mut self.hosts, self.now);
            }
            // Packets arrive one by one, and are answered one by one.
            while let Some(host) = self.wire.deliver(&mut self.hosts, self.now) {
                if host == 1 {
                    read += self.read();
                }
                self.wire.take_from(host, &mut self.hosts, self.now);
            }
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
    /// Takes everything that `host` has to send; some of it is lost. Returns
    /// whether there was anything.
    fn take_from<M: Meter>(
        &mut self,
        host: usize,
        hosts: &mut [Stack<M>; 2],
        now: Instant,
    ) -> bool {
        let mut any = false;
        loop {
            let mut packet = self.free.pop().unwrap_or_default();
            if !hosts[host].poll_transmit(now, &mut packet) {
                self.free.push(packet);
                return any;
            }
            any = true;
            if self.loses(&packet) {
                self.free.push(packet);
            } else {
                self.under_way.push_back((1 - host, packet));
            }
        }
    }

    /// Hands over the next packet. Returns which host has got it.
    fn deliver<M: Meter>(&mut self, hosts: &mut [Stack<M>; 2], now: Instant) -> Option<usize> {
        let (host, packet) = self.under_way.pop_front()?;
        hosts[host].handle_packet(now, &packet);
        while hosts[host].poll_event().is_some() {}
        self.free.push(packet);
        Some(host)
    }

    fn loses(&mut self, packet: &[u8]) -> bool {
        if self.loss_every == 0 || packet.len() <= LONGEST_ACK {
            return false;
        }
        self.seen += 1;
        self.seen.is_multiple_of(self.loss_every)
    }
}

/// How much a receive buffer of the transfers takes.
pub(super) const BUFFER: Bytes = Bytes::from_kib(64);
