//! Two hosts that exchange packets by hand, in virtual time: a request, an
//! answer, and the end of the connection, printed as tcpdump would.
//!
//! `cargo run -p netjoule-stack --example by_hand`

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use core::net::{IpAddr, SocketAddr};

use netjoule_stack::{Config, ConnectionId, Event, Stack};
use netjoule_transport::tcp::{self, Options, Variant};
use netjoule_units::{Duration, Instant};
use netjoule_wire::{ip, tcp::read};

/// How long a packet travels.
const DELAY: Duration = Duration::from_millis(10);

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let addresses: [IpAddr; 2] = [[192, 0, 2, 1].into(), [192, 0, 2, 2].into()];
    // In earnest the secret comes from the machine's randomness.
    let mut hosts: [Stack; 2] = [(0, 0x5e), (1, 0xc7)]
        .map(|(host, byte)| Stack::new(Config::new(vec![addresses[host]], [byte; 16])));
    let variant = Variant::named("newreno").ok_or("no such variant")?;
    let options = Options::current();

    let mut now = Instant::from_millis(0);
    let server_at = SocketAddr::new(addresses[1], 80);
    let listener = hosts[1].listen(server_at, variant, &options, 8)?;
    let client = hosts[0].connect(now, None, server_at, variant, &options)?;
    hosts[0].send(client, b"What is the time?")?;
    hosts[0].shutdown(now, client);

    let mut server: Option<ConnectionId> = None;
    let mut wire: Vec<(Instant, usize, Vec<u8>)> = Vec::new();
    loop {
        // Everything that the hosts have to send goes on its way.
        for from in [0, 1] {
            let mut packet = Vec::new();
            while hosts[from].poll_transmit(now, &mut packet) {
                println!("{}", line(now, &packet)?);
                wire.push((now + DELAY, 1 - from, packet.clone()));
            }
            while let Some((_, event)) = hosts[from].poll_event() {
                match event {
                    Event::Tcp(tcp::Event::Closed(cause)) => {
                        println!("{}  host {from}: {cause}", clock(now));
                    }
                    Event::Tcp(_) | Event::Readable | Event::Writable => {}
                }
            }
        }
        // The next packet arrives, or the next timer runs out.
        let arrival = wire.iter().map(|(at, ..)| *at).min();
        let timers = hosts.iter_mut().filter_map(Stack::poll_timeout).min();
        let Some(next) = arrival.into_iter().chain(timers).min() else { break };
        now = next;
        let (arrived, rest) = wire.into_iter().partition(|(at, ..)| *at <= now);
        wire = rest;
        for (_, to, packet) in arrived {
            hosts[to].handle_packet(now, &packet);
        }
        hosts.iter_mut().for_each(|host| host.handle_timeout(now));

        // The applications look what there is.
        server = server.or_else(|| hosts[1].accept(listener));
        let mut buffer = [0; 100];
        if let Some(id) = server {
            let len = hosts[1].receive(id, &mut buffer)?;
            if len > 0 {
                println!("{}  server reads {:?}", clock(now), text(&buffer[..len]));
                hosts[1].send(id, format!("It is {}.", clock(now).trim()).as_bytes())?;
            }
            if hosts[1].at_end(id) {
                hosts[1].close(now, id);
                server = None;
            }
        }
        let len = hosts[0].receive(client, &mut buffer).unwrap_or(0);
        if len > 0 {
            println!("{}  client reads {:?}", clock(now), text(&buffer[..len]));
        }
    }
    Ok(())
}

fn clock(now: Instant) -> String {
    format!("{:9.6}", now.as_secs_f64())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A packet in tcpdump's style.
fn line(now: Instant, packet: &[u8]) -> Result<String, netjoule_wire::Malformed> {
    let (header, bytes) = ip::parse(packet)?;
    let (segment, ..) = read(bytes)?;
    let (from, to) = (
        SocketAddr::new(header.source, segment.source_port),
        SocketAddr::new(header.destination, segment.destination_port),
    );
    Ok(format!(
        "{} IP {from} > {to}: Flags [{}], seq {}, ack {}, win {}, length {}",
        clock(now),
        segment.flags,
        segment.seq,
        segment.ack,
        segment.window,
        segment.len
    ))
}
