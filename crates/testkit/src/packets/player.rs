//! Plays a script: time is virtual, so that it passes only where the script
//! says.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::collections::{BTreeMap, VecDeque};

use netjoule_stack::{Config, Stack};
use netjoule_units::{Duration, Instant};

use super::bytes::{self, Ends};
use super::calls::Descriptor;
use super::facts;
use super::flow::{Flow, payload, stream_byte};
use super::notation::Seconds;
use super::script::{Body, Claim, Line, Packet, Script, Segment, Statement, When};
use super::settings::Settings;

/// Where the stack listens.
pub(super) const STACK_PORT: u16 = 8080;
/// The peer's port of flow 0; that of flow n is n more.
pub(super) const PEER_PORT: u16 = 40_000;
/// A stack that does more than this between two lines never stops.
const MOST_STEPS: u32 = 100_000;

/// Where a script and the stack part.
#[derive(Clone, Debug)]
pub(super) struct Mismatch {
    /// The line's number, from 1; the last one's plus one after the end.
    pub(super) line: usize,
    /// What the script says.
    pub(super) expected: String,
    /// What happens.
    pub(super) found: String,
}

/// A script being played.
pub(super) struct Player {
    pub(super) settings: Settings,
    pub(super) stack: Stack,
    pub(super) now: Instant,
    pub(super) peer: IpAddr,
    pub(super) address: IpAddr,
    pub(super) descriptors: BTreeMap<u32, Descriptor>,
    /// The descriptor of the connection that claims are about.
    pub(super) latest: Option<u32>,
    pub(super) flows: BTreeMap<u16, Flow>,
    sent: VecDeque<Sent>,
    buffer: Vec<u8>,
}

/// A packet that the stack has sent and the script has not asked about yet.
struct Sent {
    at: Instant,
    packet: Packet,
    ends: Ends,
    payload: Vec<u8>,
}

/// Plays `script` from its first line to its last, with `settings`.
pub(super) fn play(script: &Script, settings: &Settings) -> Result<(), Mismatch> {
    let mut player = Player::new(settings);
    for line in &script.lines {
        player.step(line).map_err(|found| Mismatch {
            line: line.number,
            expected: line.text.clone(),
            found,
        })?;
    }
    player.no_packet().map_err(|found| Mismatch {
        line: script.lines.last().map_or(1, |line| line.number + 1),
        expected: "the end of the script".into(),
        found,
    })
}

impl Player {
    fn new(settings: &Settings) -> Self {
        // Addresses for documentation (RFC 5737, RFC 3849).
        let (address, peer): (IpAddr, IpAddr) = if settings.stack.ip == 4 {
            (Ipv4Addr::new(192, 0, 2, 1).into(), Ipv4Addr::new(198, 51, 100, 1).into())
        } else {
            let address = |net, host| Ipv6Addr::new(0x2001, 0xdb8, net, 0, 0, 0, 0, host);
            (address(0, 1).into(), address(1, 1).into())
        };
        let mut config = Config::new(vec![address], *b"packet scripts'.");
        config.mtu = u32::try_from(settings.stack.mtu.get()).unwrap_or(u32::MAX);
        if let Some(send_buffer) = settings.stack.send_buffer {
            config.send_buffer = send_buffer;
        }
        Self {
            settings: settings.clone(),
            stack: Stack::new(config),
            now: Instant::ZERO,
            peer,
            address,
            descriptors: BTreeMap::new(),
            latest: None,
            flows: BTreeMap::new(),
            sent: VecDeque::new(),
            buffer: Vec::new(),
        }
    }

    fn step(&mut self, line: &Line) -> Result<(), String> {
        let (from, to) = self.span(line.when);
        if from < self.now {
            return Err(format!("it is {} already", Seconds(self.now)));
        }
        match &line.statement {
            Statement::Outbound(packet) => return self.expect(packet, from, to),
            Statement::Assert(claims) => {
                self.pass_to(from)?;
                return self.check(claims);
            }
            Statement::Inbound(_) | Statement::Call(..) | Statement::Silence => {
                self.pass_to(from)?;
                self.no_packet()?;
            }
        }
        match &line.statement {
            Statement::Inbound(packet) => self.deliver(packet)?,
            Statement::Call(call, outcome) => {
                let found = self.call(*call, outcome)?;
                if found != *outcome {
                    return Err(format!("= {found}"));
                }
            }
            _ => {}
        }
        self.drain()
    }

    fn span(&self, when: When) -> (Instant, Instant) {
        match when {
            When::After(from, to) => (self.now + from, self.now + to),
            When::At(from, to) => (from, to),
            When::Any => (self.now, self.now + Duration::from_secs(7 * 24 * 3600)),
        }
    }

    /// Lets time pass up to `until`, with every timer that runs out before; one
    /// that runs out at that moment is for what comes next to forestall.
    fn pass_to(&mut self, until: Instant) -> Result<(), String> {
        self.run_timers(|player, at| at < until && player.sent.is_empty())?;
        if self.sent.is_empty() {
            self.now = self.now.max(until);
        }
        Ok(())
    }

    /// Lets timers run out as long as `wanted`.
    fn run_timers(&mut self, wanted: impl Fn(&Self, Instant) -> bool) -> Result<(), String> {
        for _ in 0..MOST_STEPS {
            let Some(at) = self.stack.poll_timeout().filter(|at| wanted(self, *at)) else {
                return Ok(());
            };
            self.now = self.now.max(at);
            self.stack.handle_timeout(self.now);
            self.drain()?;
        }
        Err(format!("timers run out for ever at {}", Seconds(self.now)))
    }

    /// Takes what the stack has for its driver.
    fn drain(&mut self) -> Result<(), String> {
        for _ in 0..MOST_STEPS {
            if !self.stack.poll_transmit(self.now, &mut self.buffer) {
                while self.stack.poll_event().is_some() {}
                return Ok(());
            }
            if self.buffer.len() > usize::try_from(self.stack.config().mtu).unwrap_or(usize::MAX) {
                return Err(format!("a packet of {} bytes exceeds the MTU", self.buffer.len()));
            }
            let (packet, ends, payload) = bytes::read(&self.buffer)
                .map_err(|what| format!("a malformed packet at {}: {what}", Seconds(self.now)))?;
            let payload = payload.to_vec();
            self.sent.push_back(Sent { at: self.now, packet, ends, payload });
        }
        Err(format!("packets without end at {}", Seconds(self.now)))
    }

    fn flow(&mut self, number: u16) -> &mut Flow {
        let isn = self.settings.stack.peer_isn;
        self.flows.entry(number).or_insert_with(|| Flow::new(STACK_PORT, isn))
    }

    /// Gives the stack a packet of the peer.
    fn deliver(&mut self, packet: &Packet) -> Result<(), String> {
        let (peer, address) = (self.peer, self.address);
        let flow = self.flow(packet.flow);
        let ends =
            Ends { peer: (peer, PEER_PORT + packet.flow), stack: (address, flow.stack_port) };
        let payload = match &packet.body {
            Body::Tcp(segment) => payload(segment),
            Body::Icmp(_) => Vec::new(),
        };
        let bytes = bytes::write(ends, &flow.inbound(packet), &payload);
        self.stack.handle_packet(self.now, &bytes);
        Ok(())
    }

    /// The stack's next packet is `expected`, sent from `from` to `to`.
    fn expect(&mut self, expected: &Packet, from: Instant, to: Instant) -> Result<(), String> {
        self.run_timers(|player, at| at <= to && player.sent.is_empty())?;
        let Some(sent) = self.sent.pop_front() else {
            let next = self.stack.poll_timeout().map_or("no timer runs".into(), |at| {
                format!("the next timer runs out at {}", Seconds(at))
            });
            return Err(format!("nothing is sent until {}; {next}", Seconds(to)));
        };
        let Body::Tcp(shall_be) = &expected.body else {
            return Err("the stack sends TCP only".into());
        };
        let number = sent.ends.peer.1.wrapping_sub(PEER_PORT);
        if let Body::Tcp(is) = &sent.packet.body {
            self.flow(number).learn(is, shall_be);
        }
        let mut found = self.translated(&sent);
        if sent.ends.peer.0 != self.peer || sent.ends.stack.0 != self.address {
            return Err(format!("{}, between other hosts: {:?}", shown(&sent, &found), sent.ends));
        }
        forget(&mut found, expected);
        if found != *expected || sent.at < from || sent.at > to {
            let mut all = shown(&sent, &found);
            for later in &self.sent {
                let packet = self.translated(later);
                all.push_str(&format!("\n       then: {}", shown(later, &packet)));
            }
            return Err(all);
        }
        self.now = self.now.max(sent.at);
        if let Body::Tcp(segment) = &found.body {
            right_bytes(segment, &sent.payload)?;
        }
        Ok(())
    }

    /// There is no packet of which the script does not know.
    fn no_packet(&mut self) -> Result<(), String> {
        match self.sent.front() {
            None => Ok(()),
            Some(sent) => Err(format!("unexpected {}", shown(sent, &self.translated(sent)))),
        }
    }

    fn translated(&self, sent: &Sent) -> Packet {
        let number = sent.ends.peer.1.wrapping_sub(PEER_PORT);
        let packet = Packet { flow: number, ..sent.packet.clone() };
        self.flows.get(&number).map_or(packet.clone(), |flow| flow.outbound(&packet))
    }

    fn check(&self, claims: &[Claim]) -> Result<(), String> {
        let info = self
            .latest
            .and_then(|fd| self.descriptors.get(&fd))
            .and_then(|descriptor| match descriptor {
                Descriptor::Connection { id, .. } => self.stack.info(*id).ok(),
                Descriptor::Listener(_) => None,
            })
            .ok_or("there is no connection")?;
        let mut wrong = Vec::new();
        for claim in claims {
            let fact = facts::named(&info, &claim.field)
                .ok_or_else(|| format!("nothing is called `{}`", claim.field))?;
            if !facts::holds(&fact, claim.relation, &claim.value) {
                wrong.push(format!("{} == {fact}", claim.field));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join(", ")) }
    }
}

/// Leaves out of `found` what `expected` does not say.
fn forget(found: &mut Packet, expected: &Packet) {
    if expected.dont_fragment.is_none() {
        found.dont_fragment = None;
    }
    if let (Body::Tcp(found), Body::Tcp(expected)) = (&mut found.body, &expected.body) {
        if expected.window.is_none() {
            found.window = None;
        }
        if expected.options.is_none() {
            found.options = None;
        }
    }
}

fn shown(sent: &Sent, packet: &Packet) -> String {
    format!("{} >{packet}", Seconds(sent.at))
}

/// The payload of a segment of the stack is what the application wrote there.
fn right_bytes(segment: &Segment, found: &[u8]) -> Result<(), String> {
    let expected = payload(&Segment { fill: None, ..segment.clone() });
    match found.iter().zip(&expected).position(|(found, expected)| found != expected) {
        None => Ok(()),
        Some(at) => Err(format!("byte {at} of the payload is not what was written there")),
    }
}

/// What an application writes after `offset` bytes.
pub(super) fn stream(offset: u32, amount: u32) -> Vec<u8> {
    (0..amount).map(|index| stream_byte(offset.wrapping_add(index))).collect()
}
