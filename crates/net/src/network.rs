//! The network in motion: events to parts, parts' outputs to each other.

use netjoule_link::arq::Frame;
use netjoule_link::dot11::{self, To};
use netjoule_link::pipe;
use netjoule_link::two_state::Channel;
use netjoule_scenario::{NodeKind, Scenario};
use netjoule_trace::{DropCause, Event, Observer};
use netjoule_transport::tcp::Transmission;
use netjoule_units::Instant;
use netjoule_wire::{Address, Packet};

use crate::accounts::Accounts;
use crate::carriage::Carriage;
use crate::energy::{Bill, Metered};
use crate::island::{Island, Part};
use crate::node::{
    AirPart, EndpointPart, Interface, Node, PipeMedium, PipePart, ProcessingPart, TransmitterPart,
};
use crate::outcome::Stop;
use crate::parcel::{Kind, Parcel, ParcelId, Parcels};
use crate::progress::Progress;
use crate::watch::Watch;

/// Everything that moves.
#[derive(Debug)]
pub(crate) struct Network<'a, M: Bill> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) carriage: Carriage,
    /// The island under way; see [`Network::run`].
    pub(crate) island: Island,
    /// Index of each node's island.
    pub(crate) island_of: Vec<usize>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) pipes: Vec<PipePart>,
    pub(crate) transmitters: Vec<TransmitterPart>,
    /// Those of wireless links; an air has its own.
    pub(crate) channels: Vec<Channel>,
    pub(crate) airs: Vec<AirPart>,
    pub(crate) processing: Vec<ProcessingPart>,
    /// Each node's energy, if it has a device.
    pub(crate) metered: Vec<Option<Box<Metered>>>,
    /// Source and sink of each connection in turn.
    pub(crate) endpoints: Vec<EndpointPart<M>>,
    /// What an engine has given last.
    pub(crate) transmission: Transmission,
    pub(crate) parcels: Parcels,
    pub(crate) accounts: Accounts,
    /// How far each connection has come.
    pub(crate) progress: Vec<Progress>,
    /// What only observers need; absent without one.
    pub(crate) watch: Option<Watch>,
}

impl<M: Bill> Network<'_, M> {
    /// Takes the island under way through its next event. Returns why there is
    /// none.
    pub(crate) fn step<O: Observer>(&mut self, observer: &mut O) -> Result<(), Stop> {
        let part = self.island.advance()?;
        let now = self.island.now();
        if O::RECORDS {
            self.watch_until(now, observer);
        }
        match part {
            Part::Pipe(index) => self.run_pipe(now, index, observer),
            Part::Transmitter(index) => self.run_transmitter(now, index, observer),
            Part::Air(index) => self.run_air(now, index, observer),
            Part::Processing(index) => self.run_processing(now, index, observer),
            Part::Processor(node) => self.run_processor(now, node, observer),
            Part::Endpoint(index) => self.run_endpoint(now, index, observer),
            Part::Supply(node) => self.run_supply(now, node, observer),
        }
        Ok(())
    }

    fn run_pipe<O: Observer>(&mut self, now: Instant, index: usize, observer: &mut O) {
        while let Some(output) = self.pipes[index].pipe.poll(now) {
            let part = &self.pipes[index];
            match output {
                pipe::Output::Delivered(parcel) => self.arrive(now, part.to, parcel, observer),
                pipe::Output::Lost(parcel) => {
                    let from = part.from;
                    let cause = match part.medium {
                        PipeMedium::Wired(_) => DropCause::WiredLoss,
                        PipeMedium::Air(_) => {
                            self.accounts.corrupted(&self.parcels[parcel]);
                            DropCause::ChannelError
                        }
                    };
                    self.drop(now, from, parcel, cause, observer);
                }
            }
        }
        let part = &self.pipes[index];
        self.island.set_deadline(part.id, part.pipe.poll_timeout());
    }

    fn run_processing<O: Observer>(&mut self, now: Instant, index: usize, observer: &mut O) {
        while let Some(&(due, parcel)) = self.processing[index].waiting.front() {
            if due > now {
                break;
            }
            self.processing[index].waiting.pop_front();
            let node = self.processing[index].node;
            self.forward(now, node, parcel, observer);
        }
        let part = &self.processing[index];
        self.island.set_deadline(part.id, part.waiting.front().map(|(due, _)| *due));
    }

    /// A packet has come over a link or an air to `node`.
    pub(crate) fn arrive<O: Observer>(
        &mut self,
        now: Instant,
        node: usize,
        parcel: ParcelId,
        observer: &mut O,
    ) {
        self.carriage.carry(&mut self.parcels[parcel].packet);
        let has_filter = self.nodes[node].ack_filter.is_some();
        if !(has_filter && self.keeps_back(now, node, parcel, observer)) {
            self.take_in(now, node, parcel, observer);
        }
    }

    /// `node` deals with a packet that has come to it.
    #[inline]
    pub(crate) fn take_in<O: Observer>(
        &mut self,
        now: Instant,
        node: usize,
        parcel: ParcelId,
        observer: &mut O,
    ) {
        if M::METERED && self.is_dead(node) {
            self.drop(now, node, parcel, DropCause::DeadNode, observer);
        } else if M::ON && self.leave_to_processor(now, node, parcel, observer) {
            // It comes back when the processor has time.
        } else if self.parcels[parcel].packet.destination == Address::of_node(node) {
            self.deliver(now, node, parcel, observer);
        } else {
            self.pass_on(now, node, parcel, observer);
        }
    }

    /// `node` has a packet for others.
    #[inline]
    pub(crate) fn pass_on<O: Observer>(
        &mut self,
        now: Instant,
        node: usize,
        parcel: ParcelId,
        observer: &mut O,
    ) {
        let packet = &self.parcels[parcel].packet;
        if O::RECORDS && self.nodes[node].kind != NodeKind::Host {
            observer.record(now, &Event::ArrivedAtRouter { node, packet });
        }
        if !self.admit(now, node, parcel, observer) {
            return;
        }
        if let Some(index) = self.nodes[node].processing {
            let part = &mut self.processing[index];
            part.waiting.push_back((now + part.delay, parcel));
            self.island.set_deadline(part.id, part.waiting.front().map(|(due, _)| *due));
        } else {
            self.forward(now, node, parcel, observer);
        }
    }

    /// `node` puts a packet of its own on its way.
    pub(crate) fn originate<O: Observer>(
        &mut self,
        now: Instant,
        node: usize,
        parcel: ParcelId,
        observer: &mut O,
    ) {
        self.accounts.sent(&self.parcels[parcel]);
        if self.admit(now, node, parcel, observer) {
            self.forward(now, node, parcel, observer);
        }
    }

    /// Takes a packet into the buffer of `node`, or drops it.
    fn admit<O: Observer>(
        &mut self,
        now: Instant,
        node: usize,
        parcel: ParcelId,
        observer: &mut O,
    ) -> bool {
        let fits = self.nodes[node].buffer.admit(now, self.parcels[parcel].size);
        if !fits {
            self.drop(now, node, parcel, DropCause::QueueOverflow, observer);
        }
        fits
    }

    /// Passes a packet that is in the buffer of `node` to the interface toward
    /// its destination.
    fn forward<O: Observer>(
        &mut self,
        now: Instant,
        node: usize,
        parcel: ParcelId,
        observer: &mut O,
    ) {
        let &mut Parcel { ref mut packet, size, connection, purpose, .. } =
            &mut self.parcels[parcel];
        if O::RECORDS && self.nodes[node].kind != NodeKind::Host {
            observer.record(now, &Event::Forwarded { node, packet });
        }
        self.carriage.carry(packet);
        let Node { routes, interfaces, buffer, .. } = &mut self.nodes[node];
        let interface = routes
            .toward(packet.destination)
            .expect("a validated scenario connects both ends of every connection");
        match interfaces[interface] {
            Interface::Pipe(index) => {
                let part = &mut self.pipes[index];
                let departure = match &mut part.medium {
                    PipeMedium::Wired(losses) => part.pipe.offer(now, parcel, size, losses),
                    PipeMedium::Air(channel) => {
                        part.pipe.offer_on_air(now, parcel, size, &mut self.channels[*channel])
                    }
                };
                buffer.release_at(now, departure, size);
                self.island.set_deadline(part.id, part.pipe.poll_timeout());
                if M::METERED && matches!(part.medium, PipeMedium::Air(_)) {
                    self.plan_for_pipe(index, departure, size, purpose);
                }
            }
            Interface::Transmitter { index, path } => {
                let part = &mut self.transmitters[index];
                let frame = Frame { payload: parcel, size, path };
                part.transmitter.offer(now, connection, frame, &mut self.channels);
                self.island.set_deadline(part.id, part.transmitter.poll_timeout());
                if M::METERED {
                    self.plan_for_transmitter(index);
                }
            }
            Interface::Air { index, station, to } => {
                let part = &mut self.airs[index];
                let frame = dot11::Frame { payload: parcel, size, to: To::Station(to), purpose };
                part.air.offer(now, station, connection, frame);
                self.island.set_deadline(part.id, part.poll_timeout());
            }
        }
    }

    pub(crate) fn drop<O: Observer>(
        &mut self,
        now: Instant,
        node: usize,
        parcel: ParcelId,
        cause: DropCause,
        observer: &mut O,
    ) {
        self.note_drop(now, node, parcel, cause, observer);
        self.parcels.remove(parcel);
    }

    pub(crate) fn note_drop<O: Observer>(
        &mut self,
        now: Instant,
        node: usize,
        parcel: ParcelId,
        cause: DropCause,
        observer: &mut O,
    ) {
        let parcel = &self.parcels[parcel];
        self.accounts.dropped(parcel, cause);
        if O::RECORDS {
            observer.record(now, &Event::Dropped { node, packet: &parcel.packet, cause });
        }
    }

    pub(crate) fn parcel(
        &mut self,
        packet: Packet,
        connection: usize,
        is_retransmission: bool,
    ) -> ParcelId {
        let kind = Kind::of(&packet);
        self.parcels.insert(Parcel {
            packet,
            kind,
            purpose: kind.purpose(is_retransmission),
            size: packet.size(self.scenario.run.headers),
            #[expect(clippy::cast_possible_truncation, reason = "fewer connections than parts")]
            connection: connection as u32,
        })
    }
}
