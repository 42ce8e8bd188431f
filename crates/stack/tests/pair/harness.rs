//! The two hosts, and a wire that can do what wires do.

use core::net::{IpAddr, SocketAddr};
use std::collections::BTreeMap;

use netjoule_stack::{Config, ConnectionId, Counts, Error, Event, Stack};
use netjoule_transport::tcp::{Options, Variant};
use netjoule_units::{Bytes, Duration, Instant};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// What the wire does to packets, each in both directions: percentages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wire {
    pub(crate) delay: Duration,
    pub(crate) lost: u32,
    pub(crate) doubled: u32,
    /// Delayed by up to four times as much.
    pub(crate) late: u32,
    /// One bit is not what it was.
    pub(crate) damaged: u32,
}

impl Wire {
    pub(crate) const GOOD: Self =
        Self { delay: Duration::from_millis(10), lost: 0, doubled: 0, late: 0, damaged: 0 };
}

pub(crate) const CLIENT: usize = 0;
pub(crate) const SERVER: usize = 1;
pub(crate) const PORT: u16 = 80;

/// Two hosts.
pub(crate) struct Pair {
    pub(crate) hosts: [Stack<Counts>; 2],
    pub(crate) now: Instant,
    pub(crate) events: [Vec<(ConnectionId, Event)>; 2],
    /// Every packet that was sent, with its time.
    pub(crate) log: Vec<(Instant, usize, Vec<u8>)>,
    pub(crate) keeps_log: bool,
    /// Packets that shall not arrive, by their number of that host.
    pub(crate) swallow: [Vec<u64>; 2],
    /// Packets longer than this do not arrive.
    pub(crate) largest: usize,
    sent: [u64; 2],
    wire: Wire,
    random: Pcg64,
    under_way: BTreeMap<(Instant, u64), (usize, Vec<u8>)>,
    packets: u64,
    buffer: Vec<u8>,
}

pub(crate) fn address(host: usize, v6: bool) -> IpAddr {
    let last = u8::try_from(host).unwrap() + 1;
    if v6 { format!("fd00::{last}").parse().unwrap() } else { [10, 0, 0, last].into() }
}

pub(crate) fn config(host: usize) -> Config {
    let addresses = vec![address(host, false), address(host, true)];
    Config { send_buffer: Bytes::from_kib(64), ..Config::new(addresses, [host as u8 + 1; 16]) }
}

pub(crate) fn variant(name: &str) -> &'static Variant {
    Variant::named(name).unwrap()
}

impl Pair {
    pub(crate) fn new(wire: Wire, seed: u64) -> Self {
        Self::with(wire, seed, |_| {})
    }

    pub(crate) fn with(wire: Wire, seed: u64, change: impl Fn(&mut Config)) -> Self {
        let host = |number| {
            let mut config = config(number);
            change(&mut config);
            Stack::new(config)
        };
        Self {
            hosts: [host(CLIENT), host(SERVER)],
            now: Instant::from_millis(1_000),
            events: [Vec::new(), Vec::new()],
            log: Vec::new(),
            keeps_log: false,
            swallow: [Vec::new(), Vec::new()],
            largest: usize::MAX,
            sent: [0; 2],
            wire,
            random: Pcg64::seed_from_u64(seed),
            under_way: BTreeMap::new(),
            packets: 0,
            buffer: Vec::new(),
        }
    }

    pub(crate) fn client(&mut self) -> &mut Stack<Counts> {
        &mut self.hosts[CLIENT]
    }

    pub(crate) fn server(&mut self) -> &mut Stack<Counts> {
        &mut self.hosts[SERVER]
    }

    /// Takes everything from both hosts.
    pub(crate) fn drain(&mut self) {
        for host in [CLIENT, SERVER] {
            let mut buffer = std::mem::take(&mut self.buffer);
            while self.hosts[host].poll_transmit(self.now, &mut buffer) {
                self.offer(host, &buffer);
            }
            self.buffer = buffer;
            while let Some(event) = self.hosts[host].poll_event() {
                self.events[host].push(event);
            }
        }
    }

    fn offer(&mut self, from: usize, packet: &[u8]) {
        if self.keeps_log {
            self.log.push((self.now, from, packet.to_vec()));
        }
        let number = self.sent[from];
        self.sent[from] += 1;
        let percent = |random: &mut Pcg64, percent| random.random_range(0..100) < percent;
        let Wire { delay, lost, doubled, late, damaged } = self.wire;
        let is_swallowed = self.swallow[from].contains(&number) || packet.len() > self.largest;
        if percent(&mut self.random, lost) || is_swallowed {
            return;
        }
        let copies = 1 + u32::from(percent(&mut self.random, doubled));
        for _ in 0..copies {
            let mut at = self.now + delay;
            if percent(&mut self.random, late) {
                at += delay * self.random.random_range(1..=3);
            }
            let mut packet = packet.to_vec();
            if percent(&mut self.random, damaged) {
                let bit = self.random.random_range(0..packet.len() * 8);
                packet[bit / 8] ^= 1 << (bit % 8);
            }
            self.packets += 1;
            self.under_way.insert((at, self.packets), (1 - from, packet));
        }
    }

    /// Goes on to the next thing that happens; `false` if nothing will.
    pub(crate) fn step(&mut self) -> bool {
        self.drain();
        let arrival = self.under_way.first_key_value().map(|((at, _), _)| *at);
        let timers = self.hosts.iter_mut().filter_map(Stack::poll_timeout).min();
        let Some(next) = arrival.into_iter().chain(timers).min() else { return false };
        assert!(next >= self.now, "a deadline in the past: {next} at {}", self.now);
        self.now = next;
        while let Some(entry) = self.under_way.first_entry()
            && entry.key().0 <= next
        {
            let (to, packet) = entry.remove();
            self.hosts[to].handle_packet(next, &packet);
        }
        for host in &mut self.hosts {
            if host.poll_timeout().is_some_and(|at| at <= next) {
                host.handle_timeout(next);
            }
        }
        self.drain();
        true
    }

    /// Goes on until `done`, which may read and write.
    pub(crate) fn until(&mut self, what: &str, mut done: impl FnMut(&mut Self) -> bool) {
        let limit = self.now + Duration::from_secs(40_000);
        while !done(self) {
            assert!(self.step(), "nothing happens any more before {what}");
            assert!(self.now < limit, "{what} takes too long");
        }
        self.drain();
    }

    /// Goes on for a while.
    pub(crate) fn pass(&mut self, span: Duration) {
        let end = self.now + span;
        loop {
            self.drain();
            let arrival = self.under_way.first_key_value().map(|((at, _), _)| *at);
            let timers = self.hosts.iter_mut().filter_map(Stack::poll_timeout).min();
            match arrival.into_iter().chain(timers).min() {
                Some(next) if next <= end => self.step(),
                _ => break,
            };
        }
        self.now = end;
    }

    /// A connection between the hosts: both ends.
    pub(crate) fn connected(
        &mut self,
        variant_name: &str,
        options: &Options,
        v6: bool,
    ) -> [ConnectionId; 2] {
        let at = SocketAddr::new(address(SERVER, v6), PORT);
        let variant = variant(variant_name);
        let listener = self.server().listen(at, variant, options, 8).unwrap();
        let now = self.now;
        let client = self.client().connect(now, None, at, variant, options).unwrap();
        let mut server = None;
        self.until("the connection", |pair| {
            server = server.or_else(|| pair.server().accept(listener));
            let is_open = pair.events[CLIENT]
                .contains(&(client, Event::Tcp(netjoule_transport::tcp::Event::Connected)));
            server.is_some() && is_open
        });
        [client, server.unwrap()]
    }
}

/// The bytes of a transfer: not the same at any two places near each other.
pub(crate) fn text(len: usize) -> Vec<u8> {
    (0..len as u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect()
}

/// One end of a transfer.
pub(crate) struct Program {
    pub(crate) id: ConnectionId,
    pub(crate) to_send: Vec<u8>,
    pub(crate) sent: usize,
    pub(crate) received: Vec<u8>,
    /// Reads and writes in the buffers themselves.
    pub(crate) in_place: bool,
    pub(crate) is_shut: bool,
}

impl Program {
    pub(crate) fn new(id: ConnectionId, to_send: Vec<u8>) -> Self {
        Self { id, to_send, sent: 0, received: Vec::new(), in_place: false, is_shut: false }
    }

    /// Writes and reads what can be, shuts down at the end of its text. Returns
    /// whether it has done everything.
    pub(crate) fn go_on(&mut self, now: Instant, host: &mut Stack<Counts>) -> Result<bool, Error> {
        let Self { id, to_send, sent, received, in_place, is_shut } = self;
        while *sent < to_send.len() {
            let rest = &to_send[*sent..];
            let written = if *in_place {
                host.send_with(*id, |room| {
                    let len = room.len().min(rest.len());
                    room[..len].copy_from_slice(&rest[..len]);
                    len
                })?
            } else {
                host.send(*id, rest)?
            };
            if written == 0 {
                break;
            }
            *sent += written;
        }
        if *sent == to_send.len() && !*is_shut {
            host.shutdown(now, *id);
            *is_shut = true;
        }
        let mut buffer = [0; 5_000];
        loop {
            let taken = if *in_place {
                host.receive_with(*id, |data| {
                    received.extend_from_slice(data);
                    data.len()
                })?
            } else {
                let taken = host.receive(*id, &mut buffer)?;
                received.extend_from_slice(&buffer[..taken]);
                taken
            };
            if taken == 0 {
                break;
            }
        }
        Ok(*is_shut && host.at_end(*id))
    }
}

/// Both ends send their text and read the other's to its end.
pub(crate) fn exchange(pair: &mut Pair, ids: [ConnectionId; 2], texts: &[Vec<u8>; 2]) {
    exchange_by(pair, ids, texts, false);
}

pub(crate) fn exchange_by(
    pair: &mut Pair,
    ids: [ConnectionId; 2],
    texts: &[Vec<u8>; 2],
    in_place: bool,
) {
    let mut programs = [CLIENT, SERVER].map(|host| {
        let program = Program::new(ids[host], texts[host].clone());
        Program { in_place, ..program }
    });
    pair.until("the end of both texts", |pair| {
        let now = pair.now;
        let mut done = true;
        for (program, host) in programs.iter_mut().zip(&mut pair.hosts) {
            done &= program.go_on(now, host).expect("the connection lasts");
        }
        done
    });
    assert!(programs[SERVER].received == texts[CLIENT], "the client's text arrives");
    assert!(programs[CLIENT].received == texts[SERVER], "the server's text arrives");
}
