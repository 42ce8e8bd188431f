//! smoltcp's two hosts.

use smoltcp::iface::{
    Config, Interface, PollIngressSingleResult, PollResult, SocketHandle, SocketSet,
};
use smoltcp::phy::{Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::socket::tcp::{Socket, SocketBuffer, State};
use smoltcp::time::{Duration, Instant};
use smoltcp::wire::{HardwareAddress, IpAddress, IpCidr};

use super::{BUFFER, CHUNK, ROUND_MICROS, Wire};

/// Two hosts with a connection between them, and others that are idle.
pub struct Pair {
    hosts: [Host; 2],
    wires: [Wire; 2],
    now: Instant,
    text: Vec<u8>,
    into: Vec<u8>,
}

struct Host {
    interface: Interface,
    sockets: SocketSet<'static>,
    busy: SocketHandle,
}

/// The end of two wires.
struct End<'w> {
    outward: &'w mut Wire,
    inward: &'w mut Wire,
}

struct Arrival<'w>(Vec<u8>, &'w mut Wire);
struct Departure<'w>(&'w mut Wire);

impl RxToken for Arrival<'_> {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, f: F) -> R {
        let result = f(&self.0);
        self.1.give_back(self.0);
        result
    }
}

impl TxToken for Departure<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, f: F) -> R {
        let mut packet = self.0.take();
        packet.resize(len, 0);
        let result = f(&mut packet);
        self.0.send(packet);
        result
    }
}

impl Device for End<'_> {
    type RxToken<'t>
        = Arrival<'t>
    where
        Self: 't;
    type TxToken<'t>
        = Departure<'t>
    where
        Self: 't;

    fn receive(&mut self, _: Instant) -> Option<(Arrival<'_>, Departure<'_>)> {
        let packet = self.inward.receive()?;
        Some((Arrival(packet, self.inward), Departure(self.outward)))
    }

    fn transmit(&mut self, _: Instant) -> Option<Departure<'_>> {
        Some(Departure(self.outward))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ip;
        capabilities.max_transmission_unit = 1500;
        capabilities
    }
}

fn socket(buffer: usize) -> Socket<'static> {
    let ring = || SocketBuffer::new(vec![0; buffer]);
    Socket::new(ring(), ring())
}

impl Pair {
    /// A pair with `idle` other connections.
    ///
    /// # Panics
    /// If the hosts do not connect.
    #[must_use]
    pub fn new(idle: usize) -> Self {
        let mut wires: [Wire; 2] = Default::default();
        let now = Instant::from_millis(1);
        let hosts = [1, 2].map(|last| {
            let [outward, inward] = &mut wires;
            let mut end = End { outward, inward };
            let mut interface = Interface::new(Config::new(HardwareAddress::Ip), &mut end, now);
            interface.update_ip_addrs(|addresses| {
                let address = IpCidr::new(IpAddress::v4(10, 0, 0, last), 24);
                addresses.push(address).expect("room for an address");
            });
            let mut sockets = SocketSet::new(Vec::new());
            let busy = sockets.add(socket(BUFFER));
            Host { interface, sockets, busy }
        });
        let text = (0..CHUNK).map(|at| (at % 251) as u8).collect();
        let mut pair = Self { hosts, wires, now, text, into: vec![0; CHUNK] };
        for number in 0..=idle {
            let port = 50_000 + u16::try_from(number).expect("few connections");
            pair.connect(port, number == idle);
        }
        pair
    }

    fn connect(&mut self, port: u16, is_busy: bool) {
        let handles = [0, 1].map(|host: usize| {
            let host = &mut self.hosts[host];
            if is_busy { host.busy } else { host.sockets.add(socket(1024)) }
        });
        let [client, server] = &mut self.hosts;
        server.sockets.get_mut::<Socket<'_>>(handles[1]).listen(80).expect("a free socket");
        client
            .sockets
            .get_mut::<Socket<'_>>(handles[0])
            .connect(client.interface.context(), (IpAddress::v4(10, 0, 0, 2), 80), port)
            .expect("a free socket");
        for _ in 0..4 {
            self.exchange();
        }
        for (host, handle) in self.hosts.iter().zip(handles) {
            assert_eq!(host.sockets.get::<Socket<'_>>(handle).state(), State::Established);
        }
    }

    /// Sends and receives `bytes`.
    ///
    /// # Panics
    /// If the connection ends.
    pub fn transfer(&mut self, bytes: usize) {
        let (mut written, mut read) = (0, 0);
        while read < bytes {
            while written < bytes {
                let chunk = &self.text[..CHUNK.min(bytes - written)];
                let host = &mut self.hosts[0];
                let socket = host.sockets.get_mut::<Socket<'_>>(host.busy);
                match socket.send_slice(chunk).expect("the connection lasts") {
                    0 => break,
                    len => written += len,
                }
            }
            self.exchange();
            loop {
                let host = &mut self.hosts[1];
                let socket = host.sockets.get_mut::<Socket<'_>>(host.busy);
                match socket.recv_slice(&mut self.into).expect("the connection lasts") {
                    0 => break,
                    len => read += len,
                }
            }
        }
    }

    /// Each packet that one has to send goes to the other, which answers before
    /// the next. Returns whether there was any.
    fn exchange(&mut self) -> bool {
        self.now += Duration::from_micros(ROUND_MICROS);
        let [to_server, to_client] = &mut self.wires;
        let [client, server] = &mut self.hosts;
        let mut any = false;
        loop {
            while server.send(self.now, to_client, to_server) {
                while client.hear(self.now, to_server, to_client) {}
                any = true;
            }
            if !client.send(self.now, to_server, to_client) {
                break;
            }
            while server.hear(self.now, to_client, to_server) {}
            any = true;
        }
        any
    }
}

impl Host {
    /// One packet of each socket that has something to send.
    fn send(&mut self, now: Instant, outward: &mut Wire, inward: &mut Wire) -> bool {
        let end = &mut End { outward, inward };
        self.interface.poll_egress(now, end, &mut self.sockets) != PollResult::None
    }

    /// One packet that has come.
    fn hear(&mut self, now: Instant, outward: &mut Wire, inward: &mut Wire) -> bool {
        let end = &mut End { outward, inward };
        let result = self.interface.poll_ingress_single(now, end, &mut self.sockets);
        result != PollIngressSingleResult::None
    }
}
