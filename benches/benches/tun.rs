//! A bulk transfer over real devices, and what the devices allow.
//! `cargo bench -p netjoule-benches --bench tun`
//!
//! Two TUN devices with the kernel's forwarding between them. Over these, one
//! thread sends to the other: once our TCP, once a bare loop of reads and writes
//! that knows no protocol but keeps as much under way, answers as often, and has
//! packets as long. The runs take turns, and the best of each counts: whatever
//! else the machine does makes them slower, never faster.

use std::error::Error;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::os::fd::AsFd;
use std::sync::Barrier;
use std::thread;

use netjoule_live::apps::{Destination, Receiver, Sender, Sink, Source};
use netjoule_live::tun::Device;
use netjoule_live::{Clock, Driver, line, netns, tun};
use netjoule_stack::{Config, Off, Stack};
use netjoule_transport::tcp::{Options, Variant};
use netjoule_units::{Bytes, Duration, Instant};
use netjoule_wire::Ecn;
use netjoule_wire::ip::{self, HOP_LIMIT, IPV4_HEADER_BYTES, IpHeader, Protocol};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// Runs of each kind.
const ROUNDS: usize = 10;

/// What is under way at most, and the receive window of our TCP.
const WINDOW: Bytes = Bytes::from_kib(256);

/// IP and TCP header with timestamps.
const HEADERS: usize = 52;

/// A protocol for experiments (RFC 3692).
const EXPERIMENT: Protocol = Protocol::Other(253);

/// The two ends. The kernel's address on each device is the first of its subnet.
const ENDS: [Ipv4Addr; 2] = [Ipv4Addr::new(10, 79, 0, 2), Ipv4Addr::new(10, 79, 1, 2)];

const PORT: u16 = 5001;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Outcome<()> {
    if let Err(error) = netns::enter() {
        say(format_args!("skipped: {error}"));
        return Ok(());
    }
    for (mtu, packets) in [(1_500, 200_000), (9_000, 60_000)] {
        let course = Course { mtu, packets };
        let mut best = [Duration::MAX; 2];
        for _ in 0..ROUNDS {
            best[0] = best[0].min(course.bare()?);
            best[1] = best[1].min(course.tcp()?);
        }
        let [bare, tcp] = best.map(|time| time.as_secs_f64());
        let rate = |seconds: f64| course.payload().get() as f64 * 8e-6 / seconds;
        say(format_args!(
            "MTU {mtu}: bare {:.0} Mbit/s, TCP {:.0} Mbit/s of payload; TCP takes {:.2} of the bare \
             loops' time",
            rate(bare),
            rate(tcp),
            tcp / bare,
        ));
    }
    Ok(())
}

/// What is sent.
#[derive(Clone, Copy)]
struct Course {
    mtu: u32,
    packets: u64,
}

impl Course {
    fn payload(self) -> Bytes {
        Bytes::new(self.packets * u64::from(self.mtu) - self.packets * HEADERS as u64)
    }

    fn device(self, end: Ipv4Addr) -> Outcome<Device> {
        let [a, b, c, _] = end.octets();
        let config = tun::Config {
            name: None,
            kernel: vec![format!("{}/24", Ipv4Addr::new(a, b, c, 1)).parse()?],
            addresses: vec![end.into()],
            mtu: self.mtu,
            queue: 1_000,
        };
        Ok(Device::open(&config)?)
    }

    /// How long it takes our TCP.
    fn tcp(self) -> Outcome<Duration> {
        let variant = Variant::named("sack").ok_or("a variant")?;
        // RFC 6691: the headers without options count.
        let mss = Bytes::new(u64::from(self.mtu) - 40);
        let options = Options { mss, receive_window: WINDOW, ..Options::current() };
        let host = |end: Ipv4Addr| -> Outcome<(Driver, Stack<Off>, Clock)> {
            let clock = Clock::start()?;
            let config = Config::new(vec![end.into()], [end.octets()[2]; 16]);
            let stack = Stack::new(Config { mtu: self.mtu, send_buffer: WINDOW, ..config });
            Ok((Driver::new(self.device(end)?, clock, &line::Config::default()), stack, clock))
        };
        let at = SocketAddr::new(IpAddr::V4(ENDS[1]), PORT);
        let is_there = Barrier::new(2);
        thread::scope(|scope| {
            let there = scope.spawn(|| -> Outcome<()> {
                let far = host(ENDS[1]);
                is_there.wait();
                let (mut far, mut server, _) = far?;
                let listener = server.listen(at, variant, &options, 1)?;
                let mut receiver = Receiver::new(listener, Sink::nowhere(), false);
                Ok(far.run(&mut server, &mut receiver, |_| {})?)
            });
            is_there.wait();
            let (mut near, mut client, clock) = host(ENDS[0])?;
            let start = clock.now();
            let destination =
                Destination { address: at, variant, options: &options, digest: false };
            let source = Source::pattern(self.payload());
            let linger = Duration::ZERO;
            let mut sender = Sender::connect(start, &mut client, &destination, source, linger)?;
            near.run(&mut client, &mut sender, |_| {})?;
            there.join().map_err(|_| "the receiver ends")??;
            let transfer = sender.transfer();
            if transfer.bytes != self.payload() {
                return Err(format!("only {} were sent", transfer.bytes).into());
            }
            Ok(transfer.complete.ok_or("it completes")? - start)
        })
    }

    /// How long it takes who neither makes nor looks at what is in a packet.
    fn bare(self) -> Outcome<Duration> {
        let [near, far] = [self.device(ENDS[0])?, self.device(ENDS[1])?];
        let clock = Clock::start()?;
        let window = WINDOW.get() / (u64::from(self.mtu) - HEADERS as u64);
        thread::scope(|scope| {
            let there = scope.spawn(move || -> Outcome<()> {
                let answer = packet(ENDS[1], ENDS[0], HEADERS);
                let mut inbound = vec![0; self.mtu as usize];
                let mut seen = 0;
                while seen < self.packets {
                    wait_for_packet(&far)?;
                    while let Some(length) = far.receive(&mut inbound)? {
                        if is_ours(&inbound[..length]) {
                            seen += 1;
                            if seen % 2 == 0 {
                                far.send(&answer)?;
                            }
                        }
                    }
                }
                Ok(())
            });
            let data = packet(ENDS[0], ENDS[1], self.mtu as usize);
            let mut inbound = vec![0; self.mtu as usize];
            let (mut sent, mut answered) = (0, 0);
            let start: Instant = clock.now();
            while answered < self.packets {
                while sent < self.packets && sent - answered < window {
                    sent += u64::from(near.send(&data)?);
                }
                wait_for_packet(&near)?;
                while let Some(length) = near.receive(&mut inbound)? {
                    answered += 2 * u64::from(is_ours(&inbound[..length]));
                }
            }
            let time = clock.now() - start;
            there.join().map_err(|_| "the receiver ends")??;
            Ok(time)
        })
    }
}

/// A packet of `length` bytes that says nothing.
fn packet(source: Ipv4Addr, destination: Ipv4Addr, length: usize) -> Vec<u8> {
    let header = IpHeader {
        source: source.into(),
        destination: destination.into(),
        ecn: Ecn::NotEct,
        dont_fragment: true,
        hop_limit: HOP_LIMIT,
        protocol: EXPERIMENT,
        payload_len: u16::try_from(length - IPV4_HEADER_BYTES).expect("an IP packet"),
    };
    let mut packet = vec![0; length];
    ip::emit(&header, 0, &mut packet);
    packet
}

/// The kernel has things of its own to say to a new device, in IPv6.
fn is_ours(packet: &[u8]) -> bool {
    packet.first().is_some_and(|first| first >> 4 == 4)
}

fn wait_for_packet(device: &Device) -> Outcome<()> {
    poll(&mut [PollFd::new(device.as_fd(), PollFlags::POLLIN)], PollTimeout::from(10_000_u16))?;
    Ok(())
}

#[expect(clippy::print_stdout, reason = "what a benchmark is for")]
fn say(line: fmt::Arguments<'_>) {
    println!("{line}");
}
