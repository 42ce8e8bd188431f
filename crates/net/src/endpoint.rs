//! The ends of connections in motion.

use netjoule_energy::platform::PlatformMeter;
use netjoule_scenario::{Pace, Scenario};
use netjoule_trace::{Event, Observer};
use netjoule_transport::tcp::{self, State};
use netjoule_units::Instant;
use netjoule_wire::{Address, Body, FIRST_PORT, Packet};

use crate::energy::Bill;
use crate::network::Network;
use crate::node::{Closing, EndpointPart};
use crate::parcel::ParcelId;

impl<M: Bill> Network<'_, M> {
    pub(crate) fn run_endpoint<O: Observer>(
        &mut self,
        now: Instant,
        index: usize,
        observer: &mut O,
    ) {
        let endpoint = &mut self.endpoints[index];
        let connection = endpoint.connection;
        let pace = self.scenario.connections[connection].pace;
        if let Some(transfer) = endpoint.transfer.take() {
            endpoint.unwritten = transfer;
            endpoint.write(now, pace);
            self.each_platform(connection, |platform| platform.open(now));
        } else if endpoint.next_write.is_some_and(|at| at <= now) {
            endpoint.write(now, pace);
        } else {
            endpoint.engine.handle_timeout(now);
        }
        self.drain_endpoint(now, index, observer);
    }

    /// A packet has reached the host, or the base station, that it is for.
    pub(crate) fn deliver<O: Observer>(
        &mut self,
        now: Instant,
        node: usize,
        parcel: ParcelId,
        observer: &mut O,
    ) {
        let index = self.receive(now, node, parcel, observer);
        self.drain_endpoint(now, index, observer);
    }

    /// The engine that a packet is for deals with it. Returns its endpoint.
    #[inline]
    pub(crate) fn receive<O: Observer>(
        &mut self,
        now: Instant,
        node: usize,
        parcel: ParcelId,
        observer: &mut O,
    ) -> usize {
        let id = parcel;
        let parcel = &self.parcels[id];
        self.accounts.delivered(parcel);
        if O::RECORDS {
            observer.record(now, &Event::Received { node, packet: &parcel.packet });
        }
        let port = match &parcel.packet.body {
            Body::Tcp(segment) => segment.destination_port,
            Body::Icmp(notice) => notice.flow.source_port,
        };
        let index = self.nodes[node].endpoints[usize::from(port - FIRST_PORT)];
        let engine = &mut self.endpoints[index].engine;
        match &parcel.packet.body {
            Body::Tcp(segment) => {
                engine.handle_packet(now, segment, parcel.packet.ecn);
            }
            Body::Icmp(notice) => engine.handle_signal(now, notice),
        }
        self.parcels.remove(id);
        index
    }

    /// Takes everything an engine has to give, and sets its timer.
    pub(crate) fn drain_endpoint<O: Observer>(
        &mut self,
        now: Instant,
        index: usize,
        observer: &mut O,
    ) {
        self.endpoints[index].run_application(now);
        while self.endpoints[index].engine.poll_transmit_into(now, &mut self.transmission) {
            let endpoint = &self.endpoints[index];
            let node = endpoint.node;
            let packet = Packet {
                source: Address::of_node(node),
                destination: Address::of_node(endpoint.peer),
                ecn: self.transmission.ecn,
                body: Body::Tcp(self.transmission.segment),
            };
            let retransmission = self.transmission.retransmission;
            let parcel = self.parcel(packet, endpoint.connection, retransmission.is_some());
            if O::RECORDS {
                let packet = &self.parcels[parcel].packet;
                observer.record(now, &Event::Sent { node, packet, retransmission });
            }
            self.send_from(now, index, parcel, observer);
        }
        while let Some(event) = self.endpoints[index].engine.poll_event() {
            self.on_engine_event(now, index, event, observer);
        }
        let endpoint = &mut self.endpoints[index];
        // A timer may have run out while a processor was at work.
        let timeout =
            endpoint.engine.poll_timeout().map(|at| if M::METERED { at.max(now) } else { at });
        let next = timeout.into_iter().chain(endpoint.next_write).min();
        self.island.set_deadline(endpoint.id, next);
        if O::RECORDS {
            endpoint.show(now, observer);
        }
    }

    fn on_engine_event<O: Observer>(
        &mut self,
        now: Instant,
        index: usize,
        event: tcp::Event,
        observer: &mut O,
    ) {
        let EndpointPart { connection, node, .. } = self.endpoints[index];
        match event {
            // More is to come from an application that takes its time.
            tcp::Event::AllAcknowledged if self.endpoints[index].next_write.is_some() => {}
            tcp::Event::AllAcknowledged => {
                let start = self.scenario.connections[connection].start;
                self.progress[connection].completion_time.get_or_insert(now - start);
                self.settle(now, connection);
            }
            tcp::Event::PeerClosed => self.settle(now, connection),
            tcp::Event::Closed(cause) => {
                self.progress[connection].closed[index % 2] = Some(cause);
                self.settle(now, connection);
            }
            tcp::Event::TimedOut { snd_una, rto } if O::RECORDS => {
                observer.record(now, &Event::TimedOut { node, snd_una, rto });
            }
            tcp::Event::FastRetransmit { snd_una } if O::RECORDS => {
                observer.record(now, &Event::FastRetransmit { node, snd_una });
            }
            _ => {}
        }
    }

    /// Something has happened after which a connection may be over.
    fn settle(&mut self, now: Instant, connection: usize) {
        let states = [0, 1].map(|end| self.endpoints[2 * connection + end].engine.state());
        let Scenario { run, connections, .. } = self.scenario;
        let progress = &mut self.progress[connection];
        if !progress.is_over && progress.ends(states, &connections[connection], run) {
            self.end(now, connection);
        }
    }

    /// An end of a connection is no more.
    pub(crate) fn lose(&mut self, now: Instant, connection: usize) {
        if !self.progress[connection].is_over {
            self.end(now, connection);
        }
    }

    /// Nothing is waited for any more.
    fn end(&mut self, now: Instant, connection: usize) {
        let progress = &mut self.progress[connection];
        progress.is_over = true;
        self.island.on_end(progress.completion_time.is_some());
        let has_begun = self.endpoints[2 * connection].transfer.is_none();
        if has_begun {
            self.each_platform(connection, |platform| platform.close(now));
        }
    }

    /// Tells the platforms at both ends of `connection`, if it has begun.
    fn each_platform(&mut self, connection: usize, tell: impl Fn(&mut PlatformMeter)) {
        if !M::METERED {
            return;
        }
        for end in [2 * connection, 2 * connection + 1] {
            let node = self.endpoints[end].node;
            if let Some(metered) = &mut self.metered[node] {
                tell(&mut metered.platform);
            }
        }
    }
}

impl<M: Bill> EndpointPart<M> {
    /// The application writes the next part of its transfer, or all of it.
    fn write(&mut self, now: Instant, pace: Option<Pace>) {
        let part = pace.map_or(self.unwritten, |pace| pace.bytes.min(self.unwritten));
        self.engine.write(part);
        self.unwritten -= part;
        self.next_write = pace.filter(|_| self.unwritten.get() > 0).map(|pace| now + pace.every);
    }

    /// The application reads at once what has come, and closes when it is time.
    fn run_application(&mut self, now: Instant) {
        let unread = self.engine.unread();
        self.engine.read(unread);
        self.read += unread;
        if self.closing != Closing::Never {
            self.close_in_time(now);
        }
    }

    #[cold]
    fn close_in_time(&mut self, now: Instant) {
        let closes = match self.closing {
            Closing::Never => false,
            Closing::WhenWritten { send_buffer } => {
                self.next_write.is_none() && self.engine.unsent() <= send_buffer
            }
            Closing::AfterPeer => self.engine.state() == State::CloseWait,
        };
        if closes {
            self.closing = Closing::Never;
            self.engine.close(now);
        }
    }
}
