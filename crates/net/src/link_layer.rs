//! Link layers that repeat frames, transmitters and airs alike: what they say
//! of a frame is booked, shown, and told to its source.

use netjoule_link::arq::{self, Output};
use netjoule_link::dot11::{self, To};
use netjoule_scenario::Notices;
use netjoule_trace::{DropCause, Event, FrameInfo, Observer};
use netjoule_units::{Bytes, Duration, Instant};
use netjoule_wire::{Address, Body, Ecn, Notice, NoticeKind, Packet};

use crate::energy::Bill;
use crate::network::Network;
use crate::node::{AirPart, TransmitterPart};
use crate::parcel::{Kind, ParcelId};

/// A frame in the care of its sender's link layer.
#[derive(Clone, Copy, Debug)]
struct Sent {
    from: usize,
    to: usize,
    parcel: ParcelId,
    size: Bytes,
    /// Number of its last transmission at its sender, from 0.
    transmission: u64,
}

impl<M: Bill> Network<'_, M> {
    pub(crate) fn run_transmitter<O: Observer>(
        &mut self,
        now: Instant,
        index: usize,
        observer: &mut O,
    ) {
        loop {
            let part = &mut self.transmitters[index];
            let Some(output) = part.transmitter.poll(now, &mut self.channels) else { break };
            let from = part.from;
            match output {
                Output::Delivered(frame) => {
                    let to = part.to[frame.path];
                    let arrived = self.copy_of(frame.payload);
                    self.arrive(now, to, arrived, observer);
                }
                Output::Acknowledged(frame) => {
                    self.release(now, from, frame.payload, frame.size, observer);
                }
                Output::Corrupted { frame, transmission } => {
                    let frame = part.sent(&frame, transmission);
                    self.note_corrupted(now, frame, observer);
                }
                Output::Deferred(frame) => {
                    self.notify(now, from, NoticeKind::Defer, frame.payload, observer);
                }
                Output::GivenUp { frame, delivered, transmission, attempts } => {
                    let frame = part.sent(&frame, transmission);
                    self.give_up(now, frame, attempts, delivered, observer);
                }
            }
        }
        let part = &self.transmitters[index];
        self.island.set_deadline(part.id, part.transmitter.poll_timeout());
        if M::METERED {
            self.plan_for_transmitter(index);
        }
    }

    pub(crate) fn run_air<O: Observer>(&mut self, now: Instant, index: usize, observer: &mut O) {
        self.arrive_late(now, index, observer);
        while let Some(output) = self.airs[index].air.poll(now) {
            let part = &mut self.airs[index];
            match output {
                dot11::Output::Delivered { from, at, frame } => {
                    let (to, delay) = (part.nodes[at], part.delay(from, at));
                    let arrived = self.copy_of(frame.payload);
                    if delay.is_zero() {
                        self.arrive(now, to, arrived, observer);
                    } else {
                        self.airs[index].arrive_at(now + delay, to, arrived);
                    }
                }
                dot11::Output::Acknowledged { from, frame } => {
                    let from = part.nodes[from];
                    self.release(now, from, frame.payload, frame.size, observer);
                }
                dot11::Output::Corrupted { from, frame } => {
                    let frame = part.sent(from, &frame);
                    self.note_corrupted(now, frame, observer);
                }
                dot11::Output::Deferred { from, frame } => {
                    let from = part.nodes[from];
                    self.notify(now, from, NoticeKind::Defer, frame.payload, observer);
                }
                dot11::Output::GivenUp { from, frame, attempts, delivered } => {
                    let frame = part.sent(from, &frame);
                    self.give_up(now, frame, attempts, delivered, observer);
                }
            }
        }
        let part = &self.airs[index];
        self.island.set_deadline(part.id, part.poll_timeout());
    }

    /// Hands over what has been on its way for the air's delay.
    fn arrive_late<O: Observer>(&mut self, now: Instant, index: usize, observer: &mut O) {
        while let Some(&(due, to, parcel)) = self.airs[index].arrivals.front() {
            if due > now {
                break;
            }
            self.airs[index].arrivals.pop_front();
            self.arrive(now, to, parcel, observer);
        }
    }

    /// What arrives: the sender keeps its own until it hears of that.
    fn copy_of(&mut self, parcel: ParcelId) -> ParcelId {
        let parcel = self.parcels[parcel];
        self.parcels.insert(parcel)
    }

    /// A frame has left its sender's link layer.
    fn release<O: Observer>(
        &mut self,
        now: Instant,
        from: usize,
        parcel: ParcelId,
        size: Bytes,
        observer: &mut O,
    ) {
        self.nodes[from].buffer.release(size);
        if self.nodes[from].ack_filter.is_some() {
            self.end_wait(now, from, parcel, true, observer);
        }
        self.parcels.remove(parcel);
    }

    /// An attempt to send a frame is lost on the air.
    fn note_corrupted<O: Observer>(&mut self, now: Instant, frame: Sent, observer: &mut O) {
        let parcel = &self.parcels[frame.parcel];
        self.accounts.corrupted(parcel);
        if O::RECORDS {
            let frame = frame.info(&parcel.packet);
            observer.record(now, &Event::Corrupted { frame });
        }
    }

    /// A link layer gives up a frame after as many attempts.
    fn give_up<O: Observer>(
        &mut self,
        now: Instant,
        frame: Sent,
        attempts: u32,
        delivered: bool,
        observer: &mut O,
    ) {
        let Sent { from, parcel, size, .. } = frame;
        if O::RECORDS {
            let frame = frame.info(&self.parcels[parcel].packet);
            observer.record(now, &Event::GivenUp { frame, attempts });
        }
        if !delivered {
            self.note_drop(now, from, parcel, DropCause::RetryLimit, observer);
        }
        // There is room for the notices now.
        self.nodes[from].buffer.release(size);
        if attempts == 1 {
            // Without retries the first failure is the last: the link layer
            // has not had the occasion to defer.
            self.notify(now, from, NoticeKind::Defer, parcel, observer);
        }
        self.notify(now, from, NoticeKind::Retransmit, parcel, observer);
        if self.nodes[from].ack_filter.is_some() {
            self.end_wait(now, from, parcel, false, observer);
        }
        self.parcels.remove(parcel);
    }

    /// The link layer of `node` has failed with a frame: tells the source of
    /// the segment inside, if that is data and somebody listens. ICMP and
    /// acknowledgments cause no ICMP (RFC 1122 section 3.2.2).
    fn notify<O: Observer>(
        &mut self,
        now: Instant,
        node: usize,
        kind: NoticeKind,
        about: ParcelId,
        observer: &mut O,
    ) {
        let about = &self.parcels[about];
        let connection = about.connection as usize;
        let is_sent = match self.nodes[node].notices {
            Notices::AsHeard => self.scenario.connections[connection].variant.signals.hears(kind),
            Notices::Always => true,
            Notices::Never => false,
        };
        let (Body::Tcp(segment), Some(flow)) = (&about.packet.body, about.packet.flow()) else {
            return;
        };
        if !is_sent || about.kind != Kind::Data {
            return;
        }
        let notice = Notice { kind, flow, seq: segment.seq };
        let packet = Packet {
            source: Address::of_node(node),
            destination: about.packet.source,
            ecn: Ecn::NotEct,
            body: Body::Icmp(notice),
        };
        if O::RECORDS {
            observer.record(now, &Event::NoticeSent { node, notice: &notice });
        }
        let parcel = self.parcel(packet, connection, false);
        if packet.destination == packet.source {
            // The link layer that failed is the source's own.
            self.accounts.sent(&self.parcels[parcel]);
            self.deliver(now, node, parcel, observer);
        } else {
            self.originate(now, node, parcel, observer);
        }
    }
}

impl Sent {
    const fn info<'p>(&self, packet: &'p Packet) -> FrameInfo<'p> {
        let &Self { from, to, transmission, .. } = self;
        FrameInfo { from, to, transmission, packet }
    }
}

impl TransmitterPart {
    fn sent(&self, frame: &arq::Frame<ParcelId>, transmission: u64) -> Sent {
        let &arq::Frame { payload: parcel, size, path } = frame;
        Sent { from: self.from, to: self.to[path], parcel, size, transmission }
    }
}

impl AirPart {
    /// When something happens next.
    pub(crate) fn poll_timeout(&self) -> Option<Instant> {
        let arrival = self.arrivals.front().map(|(due, ..)| *due);
        arrival.into_iter().chain(self.air.poll_timeout()).min()
    }

    /// What a delivery takes beyond the airtime.
    fn delay(&self, from: usize, to: usize) -> Duration {
        self.delays.get(&[from.min(to), from.max(to)]).copied().unwrap_or(self.delay)
    }

    /// A packet will arrive at node `to`, after all that arrive at `due` already.
    fn arrive_at(&mut self, due: Instant, to: usize, parcel: ParcelId) {
        let place = self.arrivals.partition_point(|(other, ..)| *other <= due);
        self.arrivals.insert(place, (due, to, parcel));
    }

    /// A frame whose last transmission by station `from` is over.
    fn sent(&self, from: usize, frame: &dot11::Frame<ParcelId>) -> Sent {
        Sent {
            from: self.nodes[from],
            to: match frame.to {
                To::Station(to) => self.nodes[to],
                // Nothing is sent to all here.
                To::All => self.nodes[from],
            },
            parcel: frame.payload,
            size: frame.size,
            transmission: self.air.stats(from).sent[dot11::Kind::Data as usize].saturating_sub(1),
        }
    }
}
