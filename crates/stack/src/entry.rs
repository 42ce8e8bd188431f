//! A connection of a host: its engine, its bytes, its headers.

use netjoule_transport::cost::{Meter, Operation};
use netjoule_transport::tcp::{Cause, Connection, Options, State, Transmission};
use netjoule_units::{Bytes, Instant};
use netjoule_wire::checksum::Sum;
use netjoule_wire::ip::{self, HOP_LIMIT, IpHeader, Protocol};
use netjoule_wire::{
    Address, Ecn, Flags, Flow, Notice, NoticeKind, Segment, SeqNumber, SeqRange, TCP_HEADER_BYTES,
    tcp,
};

use crate::buffer::Ring;
use crate::tuple::Tuple;
use crate::{Event, ListenerId};

/// Flags of segments whose options are not those of all others.
const NOT_USUAL: Flags = Flags::from_bits(Flags::SYN.bits() | Flags::RST.bits());

/// Everything that belongs to one connection.
#[derive(Clone, Debug)]
pub(crate) struct Entry<M: Meter> {
    pub(crate) tuple: Tuple,
    pub(crate) engine: Connection<M>,
    /// What the application has written and the peer has not acknowledged.
    pub(crate) send: Ring,
    /// What has arrived and the application has not read; `None` before the
    /// peer's SYN, and once nobody will read.
    pub(crate) receive: Option<Ring>,
    receive_bound: usize,
    header: Header,
    /// Whether it stands in the queue of those that may have something to send.
    pub(crate) is_ready: bool,
    /// When the engine wants to be called.
    pub(crate) deadline: Instant,
    /// The deadline that the heap knows: not later than that.
    pub(crate) heap_deadline: Instant,
    /// Whose backlog it fills with its handshake.
    pub(crate) listener: Option<ListenerId>,
    pub(crate) application: Application,
    /// Why the engine is done.
    pub(crate) ended: Option<Cause>,
    pub(crate) waits_in_time_wait: bool,
}

/// What has been told to the application, and what it has said.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Application {
    /// It will write nothing more.
    pub(crate) has_shut_down: bool,
    /// It has closed: nobody asks for this connection any more.
    pub(crate) is_gone: bool,
    /// It has found too little room in the send buffer.
    pub(crate) wants_room: bool,
    /// It knows that there is something to read.
    pub(crate) was_told_readable: bool,
    /// The peer has closed.
    pub(crate) peer_closed: bool,
    /// It was told to read after that.
    pub(crate) knows_end: bool,
}

/// How headers are made.
#[derive(Clone, Debug)]
struct Header {
    ip: IpHeader,
    by_template: bool,
    template: Option<tcp::Template>,
}

impl<M: Meter> Entry<M> {
    /// For a connection whose first byte of data will have the sequence number
    /// `start`.
    pub(crate) fn new(
        tuple: Tuple,
        engine: Connection<M>,
        options: &Options,
        start: SeqNumber,
        send_bound: usize,
    ) -> Self {
        let ip = IpHeader {
            source: tuple.local().ip(),
            destination: tuple.remote().ip(),
            ecn: Ecn::NotEct,
            dont_fragment: engine.dont_fragment(),
            hop_limit: HOP_LIMIT,
            protocol: Protocol::Tcp,
            payload_len: 0,
        };
        Self {
            tuple,
            engine,
            send: Ring::new(start, send_bound),
            receive: None,
            receive_bound: usize::try_from(options.receive_window.get()).unwrap_or(usize::MAX),
            header: Header { ip, by_template: options.header_template, template: None },
            is_ready: false,
            deadline: Instant::NEVER,
            heap_deadline: Instant::NEVER,
            listener: None,
            application: Application::default(),
            ended: None,
            waits_in_time_wait: false,
        }
    }

    /// A segment of this connection has come, whose checksum is to be verified:
    /// `pseudo` is the sum of its pseudo-header, `header` are its TCP header's
    /// bytes, `payload` follow. Returns whether it was undamaged.
    #[inline]
    pub(crate) fn handle_segment(
        &mut self,
        now: Instant,
        segment: &Segment,
        ecn: Ecn,
        (pseudo, header, payload): (Sum, &[u8], &[u8]),
    ) -> bool {
        let sum = pseudo.then(Sum::of_header::<{ TCP_HEADER_BYTES as usize }>(header), false);
        // TCP headers are of whole words.
        let add = |payload: Sum| sum.then(payload, false);
        let count = (header.len() + payload.len()) as u64;
        self.engine.meter_mut().note(Operation::BytesSummed, count);
        let has_copy = match &mut self.receive {
            Some(ring) if ring.expects(segment.seq) && ring.room() >= payload.len() => {
                // Most segments of a transfer: the payload is read once to be
                // verified and put where it belongs.
                if !add(ring.copy_beyond(payload)).is_valid() {
                    return false;
                }
                true
            }
            _ => {
                if !add(Sum::of(payload)).is_valid() {
                    return false;
                }
                false
            }
        };
        let keep = self.engine.handle_packet(now, segment, ecn);
        if self.receive.is_none() {
            self.open_receive_buffer(segment);
        }
        if let Some(keep) = keep {
            self.keep(segment, keep, payload, has_copy);
        }
        if self.send.len() > 0 {
            self.send.release(self.engine.data_una());
        }
        true
    }

    /// The SYN that opens this connection at a listener. If it has data, that
    /// is not taken: the peer sends it again.
    pub(crate) fn open(&mut self, now: Instant, syn: &Segment, ecn: Ecn) {
        self.engine.handle_packet(now, syn, ecn);
        self.open_receive_buffer(syn);
    }

    /// The peer's SYN says where its data begins.
    #[cold]
    fn open_receive_buffer(&mut self, segment: &Segment) {
        let has_synchronized =
            !matches!(self.engine.state(), State::Closed | State::Listen | State::SynSent);
        if segment.flags.has(Flags::SYN) && has_synchronized && !self.application.is_gone {
            self.receive = Some(Ring::new(segment.seq + 1, self.receive_bound));
        }
    }

    #[inline]
    fn keep(&mut self, segment: &Segment, keep: SeqRange, payload: &[u8], has_copy: bool) {
        let Some(ring) = &mut self.receive else { return };
        let meter = self.engine.meter_mut();
        meter.note(Operation::BytesCopied, u64::from(keep.len()));
        if has_copy && keep.start == segment.seq {
            ring.extend(keep.end);
            return;
        }
        let from = (keep.start - segment.range().start) as usize;
        ring.put(keep.start, &payload[from..from + keep.len() as usize]);
    }

    /// A link layer on the path tells of the segment at `seq`.
    pub(crate) fn hear_notice(&mut self, now: Instant, kind: NoticeKind, seq: SeqNumber) {
        // Which connection it is about is settled; an engine looks no further.
        let [_, local, _, remote, _] = self.tuple.words();
        #[expect(clippy::cast_possible_truncation, reason = "simulated addresses are shorter")]
        let address = |word: u64| Address(word as u32);
        let flow = Flow {
            source: address(local),
            destination: address(remote),
            source_port: self.tuple.local().port(),
            destination_port: self.tuple.remote().port(),
        };
        self.engine.handle_signal(now, &Notice { kind, flow, seq });
    }

    /// What has arrived in order and was not read, at most `limit` bytes, in
    /// up to two pieces.
    pub(crate) fn unread(&self, limit: usize) -> (&[u8], &[u8]) {
        let Some(ring) = &self.receive else { return (&[], &[]) };
        let unread = self.engine.unread().get().min(limit as u64);
        let len = u32::try_from(unread).expect("a window is less than 2^30 bytes");
        ring.pieces(SeqRange::new(ring.start(), len))
    }

    /// The application has taken `amount` of [`unread`](Self::unread).
    pub(crate) fn taken(&mut self, amount: usize) {
        self.engine.read(Bytes::new(amount as u64));
        if let Some(ring) = &mut self.receive {
            let amount = u32::try_from(amount).expect("no more than was unread");
            ring.release(ring.start() + amount);
        }
        if self.engine.unread() == Bytes::ZERO {
            self.application.was_told_readable = false;
        }
    }

    /// Tells what the application waits for, once.
    #[inline(always)]
    pub(crate) fn tell_readiness(&mut self, mut tell: impl FnMut(Event)) {
        let application = &mut self.application;
        if application.is_gone || self.listener.is_some() {
            return;
        }
        if !application.was_told_readable
            && (self.engine.unread() > Bytes::ZERO
                || application.peer_closed && !application.knows_end)
        {
            application.was_told_readable = true;
            application.knows_end = application.peer_closed;
            tell(Event::Readable);
        }
        // Half of the buffer: a writer that is woken for each byte that leaves
        // does nothing else.
        if application.wants_room && self.send.room() >= self.send.len() {
            application.wants_room = false;
            tell(Event::Writable);
        }
    }

    /// Makes the next packet, if there is one to send: it takes the place of
    /// what is in `packet`.
    #[inline]
    pub(crate) fn transmit(
        &mut self,
        now: Instant,
        identification: u16,
        transmission: &mut Transmission,
        packet: &mut Vec<u8>,
    ) -> bool {
        if !self.engine.poll_transmit_into(now, transmission) {
            return false;
        }
        let Transmission { segment, ecn, .. } = transmission;
        self.header.follow(self.engine.dont_fragment());
        let template = self.header.template.as_ref().filter(|it| it.suits(segment));
        let meter = self.engine.meter_mut();
        meter.note(Operation::BytesCopied, segment.len.into());
        if let Some(template) = template {
            meter.note(Operation::HeaderFromTemplate, 1);
            meter.note(Operation::BytesSummed, segment.len.into());
            let (header, sum) = fill_in(packet, template.header_len(), segment, &self.send);
            template.fill(segment, *ecn, identification, sum, header);
        } else {
            let header_len = segment.header_len();
            meter.note(Operation::HeaderFromScratch, 1);
            meter.note(Operation::BytesSummed, (segment.len + header_len).into());
            let header_len = self.header.ip.header_len() + header_len as usize;
            let (header, sum) = fill_in(packet, header_len, segment, &self.send);
            self.header.emit(segment, *ecn, identification, sum, header);
        }
        true
    }
}

impl Header {
    /// Path MTU discovery may end in packets that can be fragmented.
    #[inline]
    fn follow(&mut self, dont_fragment: bool) {
        if self.ip.dont_fragment != dont_fragment {
            self.ip.dont_fragment = dont_fragment;
            self.template = None;
        }
    }

    /// Writes both headers of `segment` to `bytes` from nothing; `payload` is the
    /// sum of what follows.
    #[cold]
    fn emit(
        &mut self,
        segment: &Segment,
        ecn: Ecn,
        identification: u16,
        payload: Sum,
        bytes: &mut [u8],
    ) {
        let tcp_len = segment.header_len() + segment.len;
        let payload_len = u16::try_from(tcp_len).expect("a segment fits into an IP packet");
        let ip = IpHeader { ecn, payload_len, ..self.ip };
        ip::emit(&ip, identification, bytes);
        tcp::emit(segment, ip.pseudo(), payload, &mut bytes[ip.header_len()..]);
        if self.by_template && self.template.is_none() && !segment.flags.has_any(NOT_USUAL) {
            let timestamps = segment.options.timestamps.is_some();
            let (source, destination) = (segment.source_port, segment.destination_port);
            self.template = Some(tcp::Template::new(&self.ip, source, destination, timestamps));
        }
    }
}

/// Gives `packet` its length and copies the payload of `segment` into it.
/// Returns where the header belongs, and the payload's sum.
#[inline(always)]
fn fill_in<'p>(
    packet: &'p mut Vec<u8>,
    header_len: usize,
    segment: &Segment,
    ring: &Ring,
) -> (&'p mut [u8], Sum) {
    let len = header_len + segment.len as usize;
    if packet.len() != len {
        // What is there from the packet before is overwritten, not cleared.
        packet.resize(len, 0);
    }
    let (header, payload) = packet.split_at_mut(header_len);
    if payload.is_empty() {
        return (header, Sum::default());
    }
    let (first, second) = ring.pieces(segment.range());
    if second.is_empty() {
        return (header, Sum::copying(payload, first));
    }
    (header, copy_both(payload, first, second))
}

/// Copies what goes round the ring's end.
#[cold]
fn copy_both(payload: &mut [u8], first: &[u8], second: &[u8]) -> Sum {
    let (to_first, to_second) = payload.split_at_mut(first.len());
    let sum = Sum::copying(to_first, first);
    sum.then(Sum::copying(to_second, second), first.len() % 2 == 1)
}
