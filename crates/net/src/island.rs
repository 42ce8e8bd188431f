//! Islands: parts of a network between which nothing can travel.
//!
//! What happens on one island cannot change another, so each has a clock and
//! deadlines of its own and is run by itself: a thousand flows on links of
//! their own cost no more each than one, and touch no more memory at a time.
//! Observers, who want one history, are shown the islands' events merged by
//! time, and at the same time in the order of the islands; that changes the
//! course of none.

use netjoule_des::{Clock, Deadlines, Fingerprint, Limits, PartId, Stop as Halt};
use netjoule_trace::{Event, Observer};
use netjoule_units::Instant;

use crate::energy::Bill;
use crate::network::Network;
use crate::outcome::Stop;

/// What an id stands for, with its index among those of its kind.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    Pipe(usize),
    Transmitter(usize),
    Air(usize),
    Processing(usize),
    /// The processor of a node.
    Processor(usize),
    Endpoint(usize),
    /// The battery of a node.
    Supply(usize),
}

/// The course of one island.
#[derive(Clone, Debug)]
pub(crate) struct Island {
    clock: Clock,
    deadlines: Deadlines,
    parts: Vec<Part>,
    /// Connections that are not over.
    open: usize,
    /// Whether one has ended before its transfer was complete.
    has_failed: bool,
    /// Whether a battery is empty that the run was to last for.
    is_depleted: bool,
    /// Why it has come to its end, when it has.
    stop: Option<Stop>,
}

impl Island {
    pub(crate) fn new(parts: Vec<Part>, connections: usize, limits: Limits) -> Self {
        Self {
            clock: Clock::new(limits),
            deadlines: Deadlines::new(parts.len()),
            parts,
            open: connections,
            has_failed: false,
            is_depleted: false,
            stop: None,
        }
    }

    pub(crate) const fn now(&self) -> Instant {
        self.clock.now()
    }

    pub(crate) fn set_deadline(&mut self, part: PartId, at: Option<Instant>) {
        self.deadlines.set(part, at);
    }

    /// One more connection is over, with its transfer `complete` or not.
    pub(crate) fn on_end(&mut self, complete: bool) {
        self.open -= 1;
        self.has_failed |= !complete;
    }

    /// The run was to last as long as a battery that is empty now.
    pub(crate) fn on_depletion(&mut self) {
        self.is_depleted = true;
    }

    /// Whether its time does not go on any more, unless to the time limit.
    fn is_over(&self) -> bool {
        self.is_depleted || self.open == 0 || self.clock.has_stopped(&self.deadlines)
    }

    /// Goes on to the next event. Returns whose it is, or why there is none.
    pub(crate) fn advance(&mut self) -> Result<Part, Stop> {
        let next = if self.is_depleted {
            Err(Stop::Depleted)
        } else if self.open == 0 {
            Err(if self.has_failed { Stop::Closed } else { Stop::Complete })
        } else {
            self.clock.advance(&self.deadlines).map_err(|halt| match halt {
                Halt::EventBudget => Stop::EventBudget,
                Halt::TimeLimit => Stop::TimeLimit,
                Halt::Idle => Stop::Idle,
            })
        };
        self.stop = next.err();
        next.map(|part| self.parts[part.0 as usize])
    }
}

/// How all islands of a network have come to their ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ends {
    pub(crate) stop: Stop,
    pub(crate) end: Instant,
    pub(crate) events: u64,
    pub(crate) fingerprint: Fingerprint,
}

impl<M: Bill> Network<'_, M> {
    /// Runs every one of `islands` until its connections are over or a limit is
    /// reached.
    pub(crate) fn run<O: Observer>(&mut self, islands: &mut [Island], observer: &mut O) -> Ends {
        if O::RECORDS {
            self.run_merged(islands, observer);
        } else {
            for island in &mut *islands {
                core::mem::swap(&mut self.island, island);
                while self.step(observer).is_ok() {}
                core::mem::swap(&mut self.island, island);
            }
        }
        Ends::of(islands)
    }

    fn run_merged<O: Observer>(&mut self, islands: &mut [Island], observer: &mut O) {
        let mut turns = Deadlines::new(islands.len());
        // An island without a deadline has a last turn, to say why it stops.
        let next = |island: &Island| island.deadlines.first().map_or(Instant::NEVER, |(at, _)| at);
        for (id, island) in (0..).map(PartId).zip(&*islands) {
            turns.set(id, Some(next(island)));
            if island.is_over() {
                self.sample_last(island.now(), Some(id), observer);
            }
        }
        while let Some((_, id)) = turns.first() {
            let island = &mut islands[id.0 as usize];
            core::mem::swap(&mut self.island, island);
            let step = self.step(observer);
            core::mem::swap(&mut self.island, island);
            if island.is_over() {
                self.sample_last(island.now(), Some(id), observer);
            }
            turns.set(id, step.is_ok().then(|| next(island)));
        }
        let ends = Ends::of(islands);
        self.watch_until(ends.end, observer);
        self.sample_last(ends.end, None, observer);
        observer.record(ends.end, &Event::End { complete: ends.stop == Stop::Complete });
    }
}

impl Ends {
    fn of(islands: &[Island]) -> Self {
        let mut ends = Self {
            stop: Stop::Complete,
            end: Instant::ZERO,
            events: 0,
            fingerprint: Fingerprint::default(),
        };
        for Island { clock, stop, .. } in islands {
            ends.end = ends.end.max(clock.now());
            ends.events += clock.events();
            ends.fingerprint.join(clock.fingerprint());
            ends.stop = stop.map_or(ends.stop, |stop| ends.stop.graver(stop));
        }
        ends
    }
}
