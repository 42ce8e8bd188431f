//! Stations of an [`Air`] that always have something to send.

use netjoule_energy::ledger::Purpose;
use netjoule_link::arq::Discipline;
use netjoule_link::dot11::{Air, Config, Frame, Kind, Output, Position, Role, StationSetup, To};
use netjoule_units::{BitRate, Bytes, Distance, Duration, Instant};
use rand::SeedableRng;
use rand_pcg::Pcg64;

/// Frames that a saturated sender has in its queue: one under way, one to follow.
const QUEUED: usize = 2;

/// Who sends to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The sender.
    pub from: usize,
    /// The receiver.
    pub to: usize,
    /// Each packet's length.
    pub size: Bytes,
}

/// A medium on which some stations are saturated: whenever a frame of a flow has
/// left its queue, another one comes.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The medium. A frame's payload is the index of its flow.
    pub air: Air<usize>,
    flows: Vec<Flow>,
    delivered: Vec<u64>,
    now: Instant,
}

/// What has happened on a [`Cell`] up to a moment, or between two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Packets delivered, by flow.
    pub delivered: Vec<u64>,
    /// Exchanges begun, with RTS or data.
    pub attempts: u64,
    /// Of these, without an answer.
    pub unanswered: u64,
}

/// A station at a place in metres, with backoffs of its own.
#[must_use]
pub fn station(x_m: u64, y_m: u64, rate: Option<BitRate>, seed: u64) -> StationSetup {
    let [x, y] = [x_m, y_m].map(Distance::from_metres);
    let rng = Pcg64::seed_from_u64(seed);
    let role = Role::Station;
    StationSetup { position: Position { x, y }, role, discipline: Discipline::Fifo, rate, rng }
}

/// `count` stations in one place.
#[must_use]
pub fn together(count: usize, seed: u64) -> Vec<StationSetup> {
    let seeds = (0..count as u64).map(|index| seed << 32 | index);
    seeds.map(|seed| station(0, 0, None, seed)).collect()
}

/// Each of the first `count` stations sends packets of 1,500 bytes to station
/// `count`, which only answers.
#[must_use]
pub fn to_one(count: usize) -> Vec<Flow> {
    let flow = |from| Flow { from, to: count, size: Bytes::new(1_500) };
    (0..count).map(flow).collect()
}

impl Cell {
    /// Every flow starts at once.
    #[must_use]
    pub fn new(config: &Config, stations: Vec<StationSetup>, flows: Vec<Flow>) -> Self {
        let air = Air::new(config, stations, 0);
        let delivered = vec![0; flows.len()];
        let mut it = Self { air, flows, delivered, now: Instant::ZERO };
        for _ in 0..QUEUED {
            (0..it.flows.len()).for_each(|flow| it.offer(Instant::ZERO, flow));
        }
        it
    }

    fn offer(&mut self, now: Instant, flow: usize) {
        let Flow { from, to, size } = self.flows[flow];
        self.air.offer(
            now,
            from,
            0,
            Frame { payload: flow, size, to: To::Station(to), purpose: Purpose::Payload },
        );
    }

    /// Runs for `time`, and tells `observer` all that happens.
    pub fn observe(&mut self, time: Duration, mut observer: impl FnMut(Instant, &Output<usize>)) {
        let end = self.now + time;
        while let Some(now) = self.air.poll_timeout().filter(|now| *now <= end) {
            while let Some(output) = self.air.poll(now) {
                observer(now, &output);
                match output {
                    Output::Delivered { frame, .. } => self.delivered[frame.payload] += 1,
                    Output::Acknowledged { frame, .. } | Output::GivenUp { frame, .. } => {
                        self.offer(now, frame.payload);
                    }
                    Output::Corrupted { .. } | Output::Deferred { .. } => {}
                }
            }
        }
        self.now = end;
    }

    /// Runs for `time`.
    pub fn run(&mut self, time: Duration) {
        self.observe(time, |_, _| {});
    }

    /// Runs for `time` and tells what has happened in it.
    pub fn measure(&mut self, time: Duration) -> Report {
        let before = self.report();
        self.run(time);
        let after = self.report();
        let delivered = after.delivered.iter().zip(&before.delivered).map(|(a, b)| a - b);
        Report {
            delivered: delivered.collect(),
            attempts: after.attempts - before.attempts,
            unanswered: after.unanswered - before.unanswered,
        }
    }

    fn report(&self) -> Report {
        let mut it = Report { delivered: self.delivered.clone(), attempts: 0, unanswered: 0 };
        let mut senders: Vec<usize> = self.flows.iter().map(|flow| flow.from).collect();
        senders.dedup();
        for sender in senders {
            let stats = self.air.stats(sender);
            // An RTS that is answered is followed by data.
            let count = |kind| stats.sent[kind as usize];
            it.attempts += count(Kind::Data).max(count(Kind::Rts));
            it.unanswered += stats.unanswered;
        }
        it
    }
}

impl Report {
    /// Unanswered attempts by all.
    #[must_use]
    pub fn collisions(&self) -> f64 {
        self.unanswered as f64 / self.attempts as f64
    }

    /// Packets delivered, over all flows.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.delivered.iter().sum()
    }

    /// Jain's index of the flows' deliveries: 1 if all are equal, 1/n if one
    /// has it all.
    #[must_use]
    pub fn fairness(&self) -> f64 {
        let squares: f64 = self.delivered.iter().map(|n| (*n as f64).powi(2)).sum();
        (self.total() as f64).powi(2) / (self.delivered.len() as f64 * squares)
    }
}
