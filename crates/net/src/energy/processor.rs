//! Processors: what packets cost them, and the order of their work.

use std::collections::VecDeque;

use netjoule_des::PartId;
use netjoule_energy::ledger::Purpose;
use netjoule_energy::processor::{ProcessorAccount, ProcessorMeter};
use netjoule_trace::Observer;
use netjoule_transport::cost::{Counts, Meter, Off, Operation};
use netjoule_units::{Duration, Instant, WorkTime};
use netjoule_wire::{Address, Body};

use super::Metered;
use crate::network::Network;
use crate::parcel::ParcelId;

/// A meter whose counts can be taken away, to be paid for.
pub(crate) trait Bill: Meter {
    /// Whether any node has a device.
    const METERED: bool = true;

    /// What was counted since it was taken last.
    fn take(&mut self) -> Counts;
}

impl Bill for Off {
    const METERED: bool = false;

    fn take(&mut self) -> Counts {
        Counts::default()
    }
}

/// Counts nothing, because no device has a processor.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Uncounted;

impl Meter for Uncounted {
    const ON: bool = false;
    #[inline(always)]
    fn note(&mut self, _: Operation, _: u64) {}
}

impl Bill for Uncounted {
    fn take(&mut self) -> Counts {
        Counts::default()
    }
}

impl Bill for Counts {
    fn take(&mut self) -> Counts {
        core::mem::take(self)
    }
}

/// Something that the processor has to do.
#[derive(Clone, Copy, Debug)]
enum Job {
    /// A packet has come in; the first of those that an interrupt brings.
    In { parcel: ParcelId, is_first: bool },
    /// A packet that an engine has made goes out, which takes so long.
    Out { parcel: ParcelId, time: WorkTime },
}

/// What comes of the work under way when it ends.
#[derive(Clone, Copy, Debug)]
enum Work {
    /// The engine of an endpoint has dealt with a packet.
    Engine(usize),
    /// A packet for others goes on.
    Transit(ParcelId),
    /// A packet is handed to a link.
    Departure(ParcelId),
}

/// The processor of a node: it does one thing after the other.
#[derive(Debug)]
pub(crate) struct Processor {
    id: PartId,
    meter: ProcessorMeter,
    jobs: VecDeque<Job>,
    /// What it is doing, and until when.
    under_way: Option<(Instant, Work)>,
    /// Packets that wait for an interrupt, and when that comes at the latest.
    ring: VecDeque<ParcelId>,
    ring_due: Instant,
    /// Packets that an interrupt waits for.
    frames_per_interrupt: usize,
    /// How long it waits for them after the first.
    interrupt_delay: Duration,
}

impl Processor {
    pub(crate) const fn new(
        id: PartId,
        meter: ProcessorMeter,
        frames_per_interrupt: usize,
        interrupt_delay: Duration,
    ) -> Self {
        Self {
            id,
            meter,
            jobs: VecDeque::new(),
            under_way: None,
            ring: VecDeque::new(),
            ring_due: Instant::NEVER,
            frames_per_interrupt,
            interrupt_delay,
        }
    }

    pub(crate) fn account(&mut self, now: Instant) -> &ProcessorAccount {
        self.meter.account(now)
    }

    /// Everything that it still had to do is lost. Returns the packets, and
    /// whether each has been sent by its source.
    pub(super) fn switch_off(&mut self, now: Instant) -> Vec<(ParcelId, bool)> {
        self.meter.switch_off(now);
        let lost = self.parcels().collect();
        self.jobs.clear();
        self.ring.clear();
        self.under_way = None;
        lost
    }

    /// The packets in its care, and whether each has been sent by its source.
    pub(crate) fn parcels(&self) -> impl Iterator<Item = (ParcelId, bool)> {
        let under_way = self.under_way.and_then(|(_, work)| match work {
            Work::Engine(_) => None,
            Work::Transit(parcel) => Some((parcel, true)),
            Work::Departure(parcel) => Some((parcel, false)),
        });
        let jobs = self.jobs.iter().map(|job| match *job {
            Job::In { parcel, .. } => (parcel, true),
            Job::Out { parcel, .. } => (parcel, false),
        });
        let ring = self.ring.iter().map(|parcel| (*parcel, true));
        under_way.into_iter().chain(jobs).chain(ring)
    }

    /// A packet comes from a link.
    fn take_in(&mut self, now: Instant, parcel: ParcelId) {
        if self.ring.is_empty() {
            self.ring_due = now + self.interrupt_delay;
        }
        self.ring.push_back(parcel);
        if self.ring.len() >= self.frames_per_interrupt {
            self.interrupt();
        }
    }

    fn interrupt(&mut self) {
        let first = self.jobs.len();
        self.jobs.extend(self.ring.drain(..).map(|parcel| Job::In { parcel, is_first: false }));
        if let Some(Job::In { is_first, .. }) = self.jobs.get_mut(first) {
            *is_first = true;
        }
        self.ring_due = Instant::NEVER;
    }

    /// When something happens next.
    fn poll_timeout(&self) -> Option<Instant> {
        let end = self.under_way.map_or(Instant::NEVER, |(end, _)| end);
        Some(end.min(self.ring_due)).filter(|at| *at != Instant::NEVER)
    }
}

/// One operation.
fn once(operation: Operation) -> Counts {
    let mut counts = Counts::default();
    counts.note(operation, 1);
    counts
}

impl<M: Bill> Network<'_, M> {
    /// The processor of `node`, if its device has one.
    fn processor(&mut self, node: usize) -> Option<&mut Processor> {
        self.metered[node].as_mut()?.processor.as_mut()
    }

    /// Gives what has arrived to the processor of `node`, if it has one.
    pub(crate) fn leave_to_processor<O: Observer>(
        &mut self,
        now: Instant,
        node: usize,
        parcel: ParcelId,
        observer: &mut O,
    ) -> bool {
        let Some(processor) = self.processor(node) else { return false };
        processor.take_in(now, parcel);
        self.begin(now, node, observer);
        true
    }

    /// A packet that the engine of `endpoint` has made is on its way out.
    #[inline]
    pub(crate) fn send_from<O: Observer>(
        &mut self,
        now: Instant,
        endpoint: usize,
        parcel: ParcelId,
        observer: &mut O,
    ) {
        let node = self.endpoints[endpoint].node;
        if !M::ON || self.processor(node).is_none() {
            self.originate(now, node, parcel, observer);
            return;
        }
        let mut counts = self.endpoints[endpoint].engine.meter_mut().take();
        counts.note(Operation::HeaderFromTemplate, 1);
        self.note_bytes(&mut counts, parcel);
        if let Some(processor) = self.processor(node) {
            let time = processor.meter.time_of(&counts);
            processor.jobs.push_back(Job::Out { parcel, time });
        }
        self.begin(now, node, observer);
    }

    /// What a host does with the bytes of a packet besides its engine's work. It
    /// copies the payload twice, as the host of `crates/stack` does: between
    /// application and socket, and between socket and device.
    fn note_bytes(&self, counts: &mut Counts, parcel: ParcelId) {
        let packet = &self.parcels[parcel].packet;
        if let Body::Tcp(segment) = &packet.body {
            counts.note(Operation::BytesCopied, 2 * u64::from(segment.len));
            counts.note(Operation::BytesSummed, self.parcels[parcel].size.get());
        }
    }

    /// The processor of `node` has come to the end of something.
    pub(crate) fn run_processor<O: Observer>(
        &mut self,
        now: Instant,
        node: usize,
        observer: &mut O,
    ) {
        let Some(processor) = self.processor(node) else { return };
        if processor.ring_due <= now {
            processor.interrupt();
        }
        if let Some((_, work)) = processor.under_way.take_if(|(end, _)| *end <= now) {
            match work {
                Work::Engine(index) => self.drain_endpoint(now, index, observer),
                Work::Transit(parcel) => self.pass_on(now, node, parcel, observer),
                Work::Departure(parcel) => {
                    let purpose = self.parcels[parcel].purpose;
                    if let Some(processor) = self.processor(node) {
                        processor.meter.frame(purpose, true);
                    }
                    self.originate(now, node, parcel, observer);
                }
            }
        }
        self.begin(now, node, observer);
    }

    /// Begins what is next, if nothing is under way.
    fn begin<O: Observer>(&mut self, now: Instant, node: usize, observer: &mut O) {
        let Some(processor) = self.processor(node) else { return };
        if processor.under_way.is_none()
            && let Some(job) = processor.jobs.pop_front()
        {
            let (time, purpose, work) = match job {
                Job::In { parcel, is_first } => {
                    self.begin_in(now, node, parcel, is_first, observer)
                }
                Job::Out { parcel, time } => {
                    (time, self.parcels[parcel].purpose, Work::Departure(parcel))
                }
            };
            if let Some(processor) = self.processor(node) {
                let end = processor.meter.work(now, time, purpose);
                processor.under_way = Some((end, work));
            }
        }
        let Some(processor) = self.processor(node) else { return };
        let (id, at) = (processor.id, processor.poll_timeout());
        self.island.set_deadline(id, at);
    }

    /// Begins to deal with a packet that has come in.
    fn begin_in<O: Observer>(
        &mut self,
        now: Instant,
        node: usize,
        parcel: ParcelId,
        is_first: bool,
        observer: &mut O,
    ) -> (WorkTime, Purpose, Work) {
        let purpose = self.parcels[parcel].purpose;
        let is_local = self.parcels[parcel].packet.destination == Address::of_node(node);
        let mut counts = if is_first { once(Operation::WakeUp) } else { Counts::default() };
        let work = if is_local {
            self.note_bytes(&mut counts, parcel);
            counts.note(Operation::LookupHit, 1);
            let index = self.receive(now, node, parcel, observer);
            let engine = self.endpoints[index].engine.meter_mut().take();
            engine.iter().for_each(|(operation, times)| counts.note(operation, times));
            Work::Engine(index)
        } else {
            Work::Transit(parcel)
        };
        let Some(Metered { processor: Some(processor), .. }) = self.metered[node].as_deref_mut()
        else {
            return (WorkTime::ZERO, purpose, work);
        };
        processor.meter.frame(purpose, false);
        let mut time = processor.meter.time_of(&counts);
        if !is_local {
            time += processor.meter.time_to_forward();
        }
        (time, purpose, work)
    }
}
