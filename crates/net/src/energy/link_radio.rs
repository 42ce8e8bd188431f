//! The radio of a node on links of its own.

use std::collections::VecDeque;

use netjoule_energy::ledger::Purpose;
use netjoule_energy::radio::{RadioAccount, RadioMeter};
use netjoule_link::Timing;
use netjoule_link::arq::Begun;
use netjoule_units::{BitRate, Bytes, Duration, Instant};

use super::{Bill, Metered};
use crate::network::Network;
use crate::node::PipePart;

/// Something that the radio will be busy with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) start: Instant,
    pub(crate) lasts: Duration,
    pub(crate) rate: BitRate,
    pub(crate) purpose: Purpose,
    pub(crate) is_sent: bool,
}

/// A radio with what it will be busy with: links settle the fate of a frame, and
/// its times, before it is on the air.
#[derive(Debug)]
pub(crate) struct LinkRadio {
    meter: RadioMeter,
    /// Sorted by start.
    plans: VecDeque<Plan>,
}

impl LinkRadio {
    pub(crate) const fn new(meter: RadioMeter) -> Self {
        Self { meter, plans: VecDeque::new() }
    }

    /// It will be busy; with what is over by `now` it is done.
    pub(crate) fn plan(&mut self, now: Instant, plan: Plan) {
        self.follow(now);
        let place = self.plans.partition_point(|other| other.start <= plan.start);
        self.plans.insert(place, plan);
    }

    /// What it has drawn by `now`.
    pub(crate) fn account(&mut self, now: Instant) -> RadioAccount {
        self.follow(now);
        *self.meter.account(now)
    }

    /// A frame, or a link acknowledgment, is on its way from one radio to
    /// another.
    fn plan_both(
        now: Instant,
        metered: &mut [Option<Box<Metered>>],
        [from, to]: [usize; 2],
        delay: Duration,
        plan: Plan,
    ) {
        let arrives = plan.start + delay;
        for (node, plan) in [(from, plan), (to, Plan { start: arrives, is_sent: false, ..plan })] {
            let radio = metered[node].as_mut().and_then(|it| it.link_radio.as_mut());
            if let Some(radio) = radio {
                radio.plan(now, plan);
            }
        }
    }

    /// It draws nothing from `now` on.
    pub(crate) fn switch_off(&mut self, now: Instant) {
        self.follow(now);
        self.plans.clear();
        self.meter.switch_off(now);
    }

    /// Does what was planned up to `now`.
    fn follow(&mut self, now: Instant) {
        while let Some(plan) = self.plans.pop_front_if(|plan| plan.start < now) {
            let Plan { start, lasts, rate, purpose, is_sent } = plan;
            if is_sent {
                self.meter.transmit(start, start + lasts, rate, purpose);
            } else {
                self.meter.receive(start, start + lasts, rate, purpose);
            }
        }
    }
}

impl<M: Bill> Network<'_, M> {
    /// A frame will leave pipe `index` by `departure`.
    pub(crate) fn plan_for_pipe(
        &mut self,
        index: usize,
        departure: Instant,
        size: Bytes,
        purpose: Purpose,
    ) {
        let PipePart { pipe, from, to, .. } = &self.pipes[index];
        let &Timing { rate, delay, .. } = pipe.timing();
        let lasts = pipe.timing().transmission_time(size);
        let start = Instant::ZERO + departure.saturating_since(Instant::ZERO + lasts);
        let plan = Plan { start, lasts, rate, purpose, is_sent: true };
        LinkRadio::plan_both(self.island.now(), &mut self.metered, [*from, *to], delay, plan);
    }

    /// Exchanges of transmitter `index` have begun.
    pub(crate) fn plan_for_transmitter(&mut self, index: usize) {
        let now = self.island.now();
        let part = &mut self.transmitters[index];
        while let Some(begun) = part.transmitter.begun() {
            let Begun { frame, is_repeated, start, airtime, ack_time } = begun;
            let &Timing { rate, delay, .. } = part.transmitter.timing(frame.path);
            let ends = [part.from, part.to[frame.path]];
            let own = self.parcels[frame.payload].purpose;
            let purpose = if is_repeated { Purpose::Repetition } else { own };
            let plan = Plan { start, lasts: airtime, rate, purpose, is_sent: true };
            LinkRadio::plan_both(now, &mut self.metered, ends, delay, plan);
            if let Some(lasts) = ack_time {
                let (start, purpose) = (start + airtime + delay, Purpose::LinkControl);
                let plan = Plan { start, lasts, rate, purpose, is_sent: true };
                LinkRadio::plan_both(now, &mut self.metered, [ends[1], ends[0]], delay, plan);
            }
        }
    }
}
