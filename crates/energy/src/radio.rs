//! A radio in time: what it does, and what that has drawn.

use core::ops::AddAssign;

use netjoule_units::{BitRate, Duration, Energy, Instant, Power};

use crate::device;
use crate::ledger::{ByPurpose, Purpose, Spent};

/// What a radio has drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RadioAccount {
    /// While it sent.
    pub transmit: ByPurpose,
    /// While it received.
    pub receive: ByPurpose,
    /// While it waited for something to receive; the states after use included.
    pub listen: Spent,
    /// While it dozed.
    pub doze: Spent,
    /// What awakenings from the doze have taken on top.
    pub wake_ups: Energy,
    /// What going from listening to work has taken on top.
    pub promotions: Energy,
}

impl AddAssign for RadioAccount {
    /// Two radios of one device together.
    fn add_assign(&mut self, other: Self) {
        self.transmit += other.transmit;
        self.receive += other.receive;
        self.listen += other.listen;
        self.doze += other.doze;
        self.wake_ups += other.wake_ups;
        self.promotions += other.promotions;
    }
}

impl RadioAccount {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> Energy {
        let states = [self.transmit.total(), self.receive.total(), self.listen, self.doze];
        let states = states.into_iter().map(|spent| spent.energy).sum::<Energy>();
        states + self.wake_ups + self.promotions
    }
}

/// What a radio draws in each state.
#[derive(Clone, Debug)]
struct Draw {
    transmit: (Power, Energy),
    /// In place of that up to these rates, the slowest first.
    transmit_up_to: Vec<(BitRate, Power)>,
    receive: (Power, Energy),
    overhear: Option<Power>,
    listen: Power,
    doze: Power,
    wake_up: Energy,
    promotion: Energy,
    /// Powers after use, each with the time from the end of use to its own end.
    tail: Vec<(Power, Duration)>,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// It listens unless it is busy.
    Awake,
    Dozing,
    /// It draws nothing any more.
    Off,
}

/// A direction of use.
#[derive(Clone, Copy, Debug)]
enum Use {
    Transmit,
    Receive,
}

/// A radio in time. Moments come in order; each is dealt with in constant time.
#[derive(Clone, Debug)]
pub struct RadioMeter {
    draw: Draw,
    account: RadioAccount,
    state: State,
    /// Everything up to here is in the account.
    settled: Instant,
    /// The end of what it is busy with, or was last.
    busy_until: Instant,
    /// What that is, and what it draws.
    busy: (Use, Purpose, Power),
}

impl RadioMeter {
    /// A radio that listens from the start of time on, as if it had not been
    /// used for long.
    #[must_use]
    pub fn new(radio: &device::Radio) -> Self {
        let mut after = Duration::ZERO;
        let tail = radio.tail.iter().map(|tail| {
            after += tail.lasts.value;
            (tail.power.value, after)
        });
        let optional = |energy: &Option<device::Sourced<Energy>>| {
            energy.as_ref().map_or(Energy::ZERO, |energy| energy.value)
        };
        let listen = radio.listen.value;
        let up_to = radio.transmit_up_to.iter().map(|it| (it.rate, it.power.value));
        let draw = Draw {
            transmit: (radio.transmit.value, optional(&radio.transmit_per_bit)),
            transmit_up_to: up_to.collect(),
            receive: (radio.receive.value, optional(&radio.receive_per_bit)),
            overhear: radio.overhear.as_ref().map(|power| power.value),
            listen,
            doze: radio.doze.as_ref().map_or(listen, |power| power.value),
            wake_up: optional(&radio.wake_up),
            promotion: optional(&radio.promotion),
            tail: tail.collect(),
        };
        Self {
            draw,
            account: RadioAccount::default(),
            state: State::Awake,
            settled: Instant::ZERO,
            busy_until: Instant::ZERO,
            busy: (Use::Receive, Purpose::Others, Power::ZERO),
        }
    }

    /// It sends from `now` to `until` at `rate`. What it was receiving is lost.
    /// Links of its own may have it send two frames at once; it draws no more for
    /// that, and from `now` on the time is that of the one that ends last.
    pub fn transmit(&mut self, now: Instant, until: Instant, rate: BitRate, purpose: Purpose) {
        if until <= self.busy_until && matches!(self.busy.0, Use::Transmit) {
            return;
        }
        let slower = self.draw.transmit_up_to.iter().find(|(greatest, _)| rate <= *greatest);
        let power = slower.map_or_else(|| power_at(self.draw.transmit, rate), |(_, power)| *power);
        self.settle(now);
        self.use_until(now, until, (Use::Transmit, purpose, power));
    }

    /// A frame that it can decode is on the air from `now` to `until`. While it is
    /// busy with something else that changes nothing; it remains busy until both
    /// are over.
    pub fn receive(&mut self, now: Instant, until: Instant, rate: BitRate, purpose: Purpose) {
        if !matches!(self.state, State::Awake) {
            return;
        }
        if now < self.busy_until {
            if matches!(self.busy.0, Use::Receive) {
                self.busy_until = self.busy_until.max(until);
            }
            return;
        }
        let power = match self.draw.overhear {
            Some(power) if purpose == Purpose::Others => power,
            _ => power_at(self.draw.receive, rate),
        };
        self.settle(now);
        self.use_until(now, until, (Use::Receive, purpose, power));
    }

    fn use_until(&mut self, now: Instant, until: Instant, busy: (Use, Purpose, Power)) {
        if self.draw.promotion != Energy::ZERO {
            let rested = now.saturating_since(self.busy_until);
            if self.busy_until == Instant::ZERO || rested >= self.tail_lasts() {
                self.account.promotions += self.draw.promotion;
            }
        }
        (self.busy_until, self.busy) = (until, busy);
    }

    /// How long after use it listens again.
    fn tail_lasts(&self) -> Duration {
        self.draw.tail.last().map_or(Duration::ZERO, |(_, end)| *end)
    }

    /// It dozes from `now` on.
    pub fn doze(&mut self, now: Instant) {
        self.settle(now);
        if matches!(self.state, State::Awake) {
            self.state = State::Dozing;
        }
    }

    /// It listens again from `now` on.
    pub fn wake(&mut self, now: Instant) {
        self.settle(now);
        if matches!(self.state, State::Dozing) {
            self.state = State::Awake;
            self.account.wake_ups += self.draw.wake_up;
        }
    }

    /// It draws nothing from `now` on.
    pub fn switch_off(&mut self, now: Instant) {
        self.settle(now);
        self.state = State::Off;
        self.busy_until = now;
    }

    /// What it has drawn by `now`.
    pub fn account(&mut self, now: Instant) -> &RadioAccount {
        self.settle(now);
        &self.account
    }

    /// What it draws at `now`.
    #[must_use]
    pub fn power(&self, now: Instant) -> Power {
        match self.state {
            State::Off => Power::ZERO,
            State::Dozing => self.draw.doze,
            State::Awake if now < self.busy_until => self.busy.2,
            State::Awake => {
                let rested = now.saturating_since(self.busy_until);
                let is_used = self.busy_until > Instant::ZERO;
                let tail = self.draw.tail.iter().find(|(_, end)| is_used && rested < *end);
                tail.map_or(self.draw.listen, |(power, _)| *power)
            }
        }
    }

    /// Books what has passed by `now`.
    fn settle(&mut self, now: Instant) {
        let from = self.settled;
        self.settled = from.max(now);
        match self.state {
            State::Off => {}
            State::Dozing => self.account.doze.book(self.draw.doze, now.saturating_since(from)),
            State::Awake => {
                if from < self.busy_until {
                    let busy = self.busy_until.min(now).saturating_since(from);
                    let (kind, purpose, power) = self.busy;
                    match kind {
                        Use::Transmit => self.account.transmit.book(purpose, power, busy),
                        Use::Receive => self.account.receive.book(purpose, power, busy),
                    }
                }
                let rests_from = from.max(self.busy_until);
                if rests_from < now {
                    self.rest(rests_from, now);
                }
            }
        }
    }

    /// Books the time from `from` to `to`, in which it was not used.
    fn rest(&mut self, from: Instant, to: Instant) {
        let mut from = from;
        if self.busy_until > Instant::ZERO {
            for (power, end) in &self.draw.tail {
                let until = to.min(self.busy_until + *end);
                self.account.listen.book(*power, until.saturating_since(from));
                from = from.max(until);
            }
        }
        self.account.listen.book(self.draw.listen, to.saturating_since(from));
    }
}

/// A fixed power, and energy for each bit at `rate`.
fn power_at((fixed, per_bit): (Power, Energy), rate: BitRate) -> Power {
    // Most radios have one power for all rates; a division takes its time.
    if per_bit == Energy::ZERO { fixed } else { device::at_rate(fixed, per_bit, rate) }
}

#[cfg(test)]
mod tests;
