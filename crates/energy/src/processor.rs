//! A processor in time: one piece of work after the other, and what that has
//! drawn.

use netjoule_transport::cost::{Counts, Operation};
use netjoule_units::{Duration, Energy, Instant, Power, WorkTime};

use crate::device;
use crate::ledger::{ByPurpose, Purpose, Spent};

/// What a processor has drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessorAccount {
    /// While it worked, awakenings included.
    pub active: ByPurpose,
    /// For frames, on top (the cross-factor). It takes no time.
    pub frames: ByPurpose,
    /// While it had nothing to do.
    pub idle: Spent,
    /// What awakenings have taken on top.
    pub wake_ups: Energy,
    /// How often work came while it had nothing to do.
    pub wake_up_count: u64,
}

impl ProcessorAccount {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> Energy {
        let spent = [self.active.total(), self.frames.total(), self.idle];
        spent.into_iter().map(|spent| spent.energy).sum::<Energy>() + self.wake_ups
    }
}

#[derive(Clone, Copy, Debug)]
struct IdleState {
    power: Power,
    after: Duration,
    wake_up_time: Duration,
    wake_up: Energy,
}

/// A processor in time. Moments come in order; each is dealt with in constant
/// time.
#[derive(Clone, Debug)]
pub struct ProcessorMeter {
    active: Power,
    idle: Vec<IdleState>,
    costs: [WorkTime; Operation::ALL.len()],
    forward: WorkTime,
    frame_out: Energy,
    frame_in: Energy,
    account: ProcessorAccount,
    /// Everything up to here is in the account.
    settled: Instant,
    /// The end of its work.
    busy_until: Instant,
    purpose: Purpose,
    is_off: bool,
}

impl ProcessorMeter {
    /// A processor that has nothing to do from the start of time on.
    #[must_use]
    pub fn new(processor: &device::Processor) -> Self {
        let energy = |energy: &Option<device::Sourced<Energy>>| {
            energy.as_ref().map_or(Energy::ZERO, |energy| energy.value)
        };
        let cost = |operation: Operation| {
            processor.costs.get(operation.name()).map_or(WorkTime::ZERO, |cost| cost.value)
        };
        let idle = processor.idle.iter().map(|state| IdleState {
            power: state.power.value,
            after: state.after.value,
            wake_up_time: state.wake_up_time.as_ref().map_or(Duration::ZERO, |it| it.value),
            wake_up: energy(&state.wake_up),
        });
        Self {
            active: processor.active.value,
            idle: idle.collect(),
            costs: Operation::ALL.map(cost),
            forward: processor.forward.as_ref().map_or(WorkTime::ZERO, |cost| cost.value),
            frame_out: energy(&processor.frame_out),
            frame_in: energy(&processor.frame_in),
            account: ProcessorAccount::default(),
            settled: Instant::ZERO,
            busy_until: Instant::ZERO,
            purpose: Purpose::Control,
            is_off: false,
        }
    }

    /// How long the operations take.
    #[must_use]
    pub fn time_of(&self, counts: &Counts) -> WorkTime {
        let costs = counts.iter().zip(self.costs);
        costs.map(|((_, times), cost)| cost * times).sum()
    }

    /// How long it takes to pass on a packet of others.
    #[must_use]
    pub const fn time_to_forward(&self) -> WorkTime {
        self.forward
    }

    /// Begins work at `now`, when it has none. Returns its end, an awakening
    /// before it included.
    pub fn work(&mut self, now: Instant, time: WorkTime, purpose: Purpose) -> Instant {
        debug_assert!(self.busy_until <= now, "a processor does one thing at a time");
        self.settle(now);
        let rested = now.saturating_since(self.busy_until);
        let mut begins = now;
        if !rested.is_zero() {
            self.account.wake_up_count += 1;
            if let Some(state) = self.idle.iter().rev().find(|state| state.after <= rested) {
                begins += state.wake_up_time;
                self.account.wake_ups += state.wake_up;
            }
        }
        self.busy_until = begins + time.rounded_up();
        self.purpose = purpose;
        self.busy_until
    }

    /// A frame has come in, or has been handed to the radio.
    pub fn frame(&mut self, purpose: Purpose, is_sent: bool) {
        let energy = if is_sent { self.frame_out } else { self.frame_in };
        self.account.frames.book_energy(purpose, energy);
    }

    /// It draws nothing from `now` on.
    pub fn switch_off(&mut self, now: Instant) {
        self.settle(now);
        self.busy_until = now;
        self.is_off = true;
    }

    /// What it has drawn by `now`.
    pub fn account(&mut self, now: Instant) -> &ProcessorAccount {
        self.settle(now);
        &self.account
    }

    /// What it draws at `now`.
    #[must_use]
    pub fn power(&self, now: Instant) -> Power {
        if self.is_off {
            return Power::ZERO;
        }
        if now < self.busy_until {
            return self.active;
        }
        let rested = now.saturating_since(self.busy_until);
        let state = self.idle.iter().rev().find(|state| state.after <= rested);
        state.map_or(Power::ZERO, |state| state.power)
    }

    /// Books what has passed by `now`.
    fn settle(&mut self, now: Instant) {
        let from = self.settled;
        self.settled = from.max(now);
        if self.is_off {
            return;
        }
        let busy = self.busy_until.min(now).saturating_since(from);
        self.account.active.book(self.purpose, self.active, busy);
        let mut from = from.max(self.busy_until);
        for (place, state) in self.idle.iter().enumerate() {
            let next = self.idle.get(place + 1).map(|next| self.busy_until + next.after);
            let until = next.unwrap_or(now).min(now);
            self.account.idle.book(state.power, until.saturating_since(from));
            from = from.max(until);
        }
    }
}

#[cfg(test)]
mod tests;
