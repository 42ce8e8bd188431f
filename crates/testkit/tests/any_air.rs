//! What holds on every shared medium, whatever stations stand where.

use std::collections::BTreeMap;

use netjoule_energy::ledger::Purpose;
use netjoule_link::dot11::phy::PhyKind;
use netjoule_link::dot11::{Air, Config, Frame, Kind, Output, Position, To, Transmission};
use netjoule_testkit::saturation::station;
use netjoule_units::{BitRate, Bytes, Distance, Duration, Instant};
use proptest::prelude::*;

/// A medium and what its stations are given to send.
#[derive(Clone, Debug)]
struct Setting {
    config: Config,
    /// Metres.
    places: Vec<(u64, u64)>,
    /// When (in microseconds), from, to (itself for all), bytes.
    packets: Vec<(u64, usize, usize, u64)>,
    seed: u64,
}

fn settings() -> impl Strategy<Value = Setting> {
    let physical = prop_oneof![
        prop::sample::select(vec![1, 2, 11]).prop_map(|rate| (PhyKind::B, rate, 1)),
        prop::sample::select(vec![6, 24, 54]).prop_map(|rate| (PhyKind::G, rate, 1)),
        (1u32..16).prop_map(|aggregation| (PhyKind::N, 65, aggregation)),
    ];
    let rts = prop::sample::select(vec![0, 500, 2_347]);
    let config = (physical, rts, 100u64..400, 0u64..300, 1u32..8);
    let config = config.prop_map(|((phy, rate, aggregation), rts, range, beyond, limit)| Config {
        phy,
        aggregation,
        rate: BitRate::from_mbit_per_s(rate),
        rts_threshold: Bytes::new(rts),
        range: Some(Distance::from_metres(range)),
        carrier_sense_range: Some(Distance::from_metres(range + beyond)),
        short_retry_limit: limit,
        long_retry_limit: limit.div_ceil(2),
        ..Config::default()
    });
    (2usize..12).prop_flat_map(move |count| {
        let places = prop::collection::vec((0u64..600, 0u64..600), count);
        let packet = (0u64..60_000, 0..count, 0..count, 40u64..1_500);
        let packets = prop::collection::vec(packet, 1..80);
        (config.clone(), places, packets, any::<u64>()).prop_map(
            |(config, places, mut packets, seed)| {
                packets.sort_unstable();
                Setting { config, places, packets, seed }
            },
        )
    })
}

/// All that was on the air, and all that came of it.
struct Course {
    sent: Vec<Transmission>,
    outputs: Vec<(Instant, Output<usize>)>,
}

/// Runs until nothing is left to do.
fn run(it: &Setting) -> Course {
    it.config.validate().expect("valid settings");
    let stations =
        it.places.iter().zip(it.seed..).map(|(at, seed)| station(at.0, at.1, None, seed));
    let mut air = Air::new(&it.config, stations.collect(), it.seed);
    let mut course = Course { sent: Vec::new(), outputs: Vec::new() };
    let mut packets = it.packets.iter().enumerate().peekable();
    loop {
        let due = packets.peek().map(|(_, packet)| Instant::ZERO + Duration::from_micros(packet.0));
        let now = match (due, air.poll_timeout()) {
            (Some(due), Some(at)) if at < due => at,
            (Some(due), _) => {
                let Some((payload, &(_, from, to, size))) = packets.next() else { break };
                let to = if to == from { To::All } else { To::Station(to) };
                let purpose = Purpose::Payload;
                let frame = Frame { payload, size: Bytes::new(size), to, purpose };
                air.offer(due, from, 0, frame);
                continue;
            }
            (None, Some(at)) => at,
            (None, None) => break,
        };
        while let Some(output) = air.poll(now) {
            course.outputs.push((now, output));
        }
        let seen = course.sent.len() as u64;
        course.sent.extend(air.transmissions().filter(|it| it.number >= seen));
    }
    assert_eq!(air.in_flight().count(), 0);
    course
}

struct Ears(Vec<Position>, Config);

impl Ears {
    fn within(&self, a: usize, b: usize, range: Option<Distance>) -> bool {
        self.0[a].distance(&self.0[b]) <= range.unwrap_or(Distance::ZERO)
    }

    fn decodes(&self, from: usize, at: usize) -> bool {
        self.within(from, at, self.1.range)
    }

    fn hears(&self, from: usize, at: usize) -> bool {
        self.within(from, at, self.1.carrier_sense_range)
    }

    /// Whether nothing of `sent` disturbs `one` at station `at`.
    fn clearly(&self, one: &Transmission, at: usize, sent: &[Transmission]) -> bool {
        let disturbs = |other: &&Transmission| {
            let overlaps = other.start < one.end && other.end > one.start;
            let is_heard = other.from == at || self.hears(other.from, at);
            overlaps && is_heard && other.number != one.number
        };
        self.decodes(one.from, at) && !sent.iter().any(|other| disturbs(&other))
    }
}

fn ears(setting: &Setting) -> Ears {
    let places = setting.places.iter().map(|at| station(at.0, at.1, None, 0).position);
    Ears(places.collect(), setting.config.clone())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// What is delivered has met nothing else at its receiver, and came from a
    /// station in range.
    #[test]
    fn no_two_overlapping_frames_are_received(setting in settings()) {
        let course = run(&setting);
        let ears = ears(&setting);
        for &(now, ref output) in &course.outputs {
            let &Output::Delivered { from, at, .. } = output else { continue };
            let carrier = course.sent.iter().find(|it| {
                it.kind == Kind::Data && it.from == from && it.end == now
            });
            let carrier = carrier.expect("a frame that ends as its packet is delivered");
            prop_assert!(ears.clearly(carrier, at, &course.sent), "{carrier:?}");
        }
    }

    /// A frame for one station is acknowledged or given up, once; delivered
    /// once at most, and before it is acknowledged; and said to be delivered if
    /// it was. One for all is never repeated.
    #[test]
    fn every_frame_is_delivered_or_dropped_with_a_cause(setting in settings()) {
        #[derive(Debug, Default)]
        struct Fate { delivered: Vec<usize>, acknowledged: u32, given_up: u32, deferred: u32 }
        let mut fates: BTreeMap<usize, Fate> = BTreeMap::new();
        for (_, output) in run(&setting).outputs {
            match output {
                Output::Delivered { at, frame, .. } => {
                    let fate = fates.entry(frame.payload).or_default();
                    prop_assert!(!fate.delivered.contains(&at));
                    prop_assert_eq!((fate.acknowledged, fate.given_up), (0, 0));
                    fate.delivered.push(at);
                }
                Output::Acknowledged { frame, .. } => {
                    let fate = fates.entry(frame.payload).or_default();
                    fate.acknowledged += 1;
                    prop_assert!(frame.to == To::All || fate.delivered.len() == 1);
                }
                Output::GivenUp { frame, delivered, attempts, .. } => {
                    let fate = fates.entry(frame.payload).or_default();
                    fate.given_up += 1;
                    prop_assert_eq!(delivered, fate.delivered.len() == 1);
                    // Long frames count the failures of their RTS apart.
                    let most = setting.config.short_retry_limit * setting.config.long_retry_limit;
                    prop_assert!((1..=most.max(setting.config.short_retry_limit)).contains(&attempts));
                }
                Output::Deferred { frame, .. } => {
                    fates.entry(frame.payload).or_default().deferred += 1;
                }
                Output::Corrupted { .. } => {}
            }
        }
        prop_assert_eq!(fates.len(), setting.packets.len());
        for (packet, fate) in fates {
            let (_, from, to, _) = setting.packets[packet];
            prop_assert_eq!(fate.acknowledged + fate.given_up, 1);
            prop_assert!(fate.deferred <= 1);
            if from == to {
                prop_assert_eq!((fate.given_up, fate.deferred), (0, 0));
            } else {
                prop_assert!(fate.delivered.iter().all(|at| *at == to));
            }
        }
    }

    /// A station sends one frame at a time; it begins no exchange on what it
    /// has had a slot's time to hear, nor within DIFS after it, nor while a NAV
    /// is set that was heard without disturbance; and what is answered is
    /// answered after SIFS.
    #[test]
    fn nobody_talks_over_what_he_hears(setting in settings()) {
        let Course { sent, .. } = run(&setting);
        let ears = ears(&setting);
        let phy = setting.config.phy.phy();
        for (index, it) in sent.iter().enumerate() {
            let earlier = &sent[..index];
            let is_answer = earlier.iter().any(|to| {
                to.to == To::Station(it.from) && to.end + phy.sifs == it.start
                    && it.to == To::Station(to.from)
            });
            if matches!(it.kind, Kind::Ack | Kind::BlockAck | Kind::Cts) {
                prop_assert!(is_answer, "{it:?}");
            }
            for other in earlier {
                let apart = other.end <= it.start;
                if other.from == it.from {
                    prop_assert!(apart, "{other:?} {it:?}");
                } else if !is_answer && ears.hears(other.from, it.from) {
                    let unnoticed = other.start + phy.slot > it.start;
                    let after_difs = other.end + phy.difs() <= it.start;
                    prop_assert!(unnoticed || after_difs, "{other:?} {it:?}");
                    let defers = other.to != To::Station(it.from)
                        && apart
                        && ears.clearly(other, it.from, &sent);
                    prop_assert!(!defers || other.nav + phy.difs() <= it.start, "{other:?} {it:?}");
                }
            }
        }
    }

    /// The same again is the same.
    #[test]
    fn the_same_setting_takes_the_same_course(setting in settings()) {
        let lines = |course: &Course| format!("{:?}{:?}", course.sent, course.outputs);
        prop_assert!(lines(&run(&setting)) == lines(&run(&setting)));
    }
}
