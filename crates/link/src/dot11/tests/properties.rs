//! What holds in every cell.

use proptest::prelude::*;

use super::super::frame::Transmission;
use super::super::station::{Reception, View};
use super::super::*;
use super::{
    BitRate, Bytes, Channel, Discipline, Distance, Duration, Instant, Pcg64, Purpose, SeedableRng,
    two_state, us,
};

/// A random cell and what its stations are given to send: when (in
/// microseconds), who, for whom (itself stands for all), how long.
#[derive(Clone, Debug)]
struct Cell {
    config: Config,
    places: Vec<[u64; 2]>,
    offers: Vec<(u64, usize, usize, u64)>,
    /// Whether what the first two stations send each other may be lost.
    fades: bool,
    /// Whether some save power, and with whom; all hear all then.
    savers: Option<Savers>,
    seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Savers {
    /// The first station is an access point.
    WithAccessPoint,
    AmongThemselves,
}

fn cells() -> impl Strategy<Value = Cell> {
    let phys = prop_oneof![Just(phy::PhyKind::B), Just(phy::PhyKind::G), Just(phy::PhyKind::N)];
    let config = (phys, 1u64..4, 0u64..3_000, prop::option::of(3u32..8), any::<bool>()).prop_map(
        |(phy, sense, rts_threshold, aggregation, capture)| Config {
            phy,
            rate: BitRate::from_mbit_per_s(if phy == phy::PhyKind::B { 11 } else { 24 }),
            range: Some(Distance::from_metres(250)),
            carrier_sense_range: Some(Distance::from_metres(250 * sense / 2 + 125)),
            rts_threshold: Bytes::new(rts_threshold),
            aggregation: aggregation.filter(|_| phy == phy::PhyKind::N).unwrap_or(1),
            capture: capture.then(|| "10 dB".parse().unwrap()),
            ..Config::default()
        },
    );
    let places = prop::collection::vec([0u64..700, 0u64..300], 2..9);
    let savers = prop_oneof![
        2 => Just(None),
        1 => Just(Some(Savers::WithAccessPoint)),
        1 => Just(Some(Savers::AmongThemselves)),
    ];
    (config, places, any::<u64>(), savers, any::<[bool; 2]>()).prop_flat_map(
        |(config, places, seed, savers, [fades, noisy])| {
            let count = places.len();
            let offer = (0u64..200_000, 0..count, 0..count, 1u64..2_296);
            prop::collection::vec(offer, 1..80).prop_map(move |mut offers| {
                offers.sort_by_key(|offer| offer.0);
                let mut config = config.clone();
                if savers.is_some() || noisy {
                    (config.range, config.carrier_sense_range) = (None, None);
                }
                if savers.is_none() && noisy {
                    config.radio = Some(radio::Config::default());
                }
                if savers == Some(Savers::AmongThemselves) {
                    config.power_save.atim_window = Duration::from_millis(8);
                }
                Cell { config, places: places.clone(), offers, fades, savers, seed }
            })
        },
    )
}

impl Cell {
    fn air(&self) -> Air<usize> {
        let station = |(index, place): (usize, &[u64; 2])| StationSetup {
            position: Position {
                x: Distance::from_metres(place[0]),
                y: Distance::from_metres(place[1]),
            },
            role: match (self.savers, index) {
                (Some(Savers::WithAccessPoint), 0) => Role::AccessPoint,
                (Some(_), 1 | 3 | 4) => Role::PowerSaver,
                _ => Role::Station,
            },
            discipline: if index % 2 == 0 { Discipline::Fifo } else { Discipline::RoundRobin },
            rate: None,
            rng: Pcg64::seed_from_u64(self.seed ^ index as u64),
        };
        let stations = self.places.iter().enumerate().map(station).collect();
        let mut air = Air::new(&self.config, stations, self.seed);
        if self.fades {
            let ms = Duration::from_millis;
            let fading =
                two_state::Config { mean_good: ms(40), mean_bad: ms(10), ..Default::default() };
            let [stays, losses] = [1, 2].map(|stream| Pcg64::seed_from_u64(self.seed ^ stream));
            let channel = Channel::new(&fading, Duration::from_nanos(1), stays, losses);
            air.set_channel(0, 1, channel);
        }
        air
    }

    /// Runs the cell for five seconds, and shows every moment to `look`.
    fn run(&self, mut look: impl FnMut(Instant, &Air<usize>, Option<&Output<usize>>)) {
        let mut air = self.air();
        let mut offers = self.offers.iter().enumerate().peekable();
        loop {
            let due = air.poll_timeout().unwrap_or(Instant::NEVER);
            if let Some((payload, (at, from, to, size))) = offers.next_if(|(_, it)| us(it.0) < due)
            {
                let to = if from == to { To::All } else { To::Station(*to) };
                let frame =
                    Frame { payload, size: Bytes::new(*size), to, purpose: Purpose::Payload };
                air.offer(us(*at), *from, *to_key(to), frame);
                look(us(*at), &air, None);
            } else if due > us(5_000_000) {
                return;
            } else {
                let output = air.poll(due);
                look(due, &air, output.as_ref());
            }
        }
    }
}

/// Connections by destination.
fn to_key(to: To) -> &'static u32 {
    const KEYS: [u32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    match to {
        To::Station(to) => &KEYS[to],
        To::All => &KEYS[15],
    }
}

/// What a view means at `now`: when slots count, and until when its NAV holds.
fn meaning(view: &View, air: &Air<usize>, now: Instant) -> [Instant; 3] {
    let slots_from = view.slots_from(&air.spaces);
    [slots_from, view.nav_until, view.busy_until].map(|it| it.max(now))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Every packet is delivered once or given up, nothing is left over, and a
    /// packet that was given up for lost has not been delivered.
    #[test]
    fn every_packet_comes_to_an_end(cell in cells()) {
        let mut delivered = vec![0u32; cell.offers.len()];
        let mut ended = vec![0u32; cell.offers.len()];
        let mut claimed = vec![false; cell.offers.len()];
        let mut left = 0;
        cell.run(|_, air, output| {
            left = air.in_flight().count();
            match output {
                Some(Output::Delivered { frame, .. }) if frame.to != To::All => {
                    delivered[frame.payload] += 1;
                }
                Some(Output::Acknowledged { frame, .. }) => {
                    ended[frame.payload] += 1;
                    claimed[frame.payload] = frame.to != To::All;
                }
                Some(Output::GivenUp { frame, delivered, .. }) => {
                    ended[frame.payload] += 1;
                    claimed[frame.payload] = *delivered;
                }
                _ => {}
            }
        });
        prop_assert_eq!(left, 0);
        prop_assert!(ended.iter().all(|times| *times == 1), "{ended:?}");
        for (times, claimed) in delivered.iter().zip(claimed) {
            prop_assert_eq!(*times, u32::from(claimed));
        }
    }

    /// No station decodes two frames of which both were on the air at once.
    #[test]
    fn receptions_do_not_overlap(cell in cells()) {
        let mut decoded: Vec<Vec<Transmission>> = vec![Vec::new(); cell.places.len()];
        let mut next = 0;
        let mut clash = None;
        cell.run(|now, air, _| {
            for ended in air.history.ended().filter(|it| it.number >= next && it.end <= now) {
                for (at, decoded) in decoded.iter_mut().enumerate() {
                    if at == ended.from || air.reception(ended, at) != Reception::Decoded {
                        continue;
                    }
                    let overlaps = |it: &&Transmission| it.start < ended.end && it.end > ended.start;
                    clash = clash.or_else(|| decoded.iter().find(overlaps).map(|_| (at, ended.number)));
                    decoded.retain(|it| it.end > ended.start);
                    decoded.push(*ended);
                }
            }
            next = air.history.ended().map(|it| it.number + 1).max().unwrap_or(next).max(next);
        });
        prop_assert_eq!(clash, None);
    }

    /// Stations that were told all along know what those learn that ask later.
    #[test]
    fn memory_serves_as_well_as_listening(cell in cells()) {
        let mut differs = None;
        cell.run(|now, air, _| {
            for (index, station) in air.stations.iter().enumerate() {
                if station.is_tracked() {
                    let remembered = meaning(&air.remembered(index), air, now);
                    let told = meaning(&station.view, air, now);
                    if remembered != told {
                        differs = differs.or(Some((now, index, remembered, told)));
                    }
                }
            }
        });
        prop_assert_eq!(differs, None);
    }

    /// The same cell has the same course.
    #[test]
    fn cells_repeat(cell in cells()) {
        let course = || {
            let mut course = Vec::new();
            cell.run(|now, _, output| course.push((now, format!("{output:?}"))));
            course
        };
        prop_assert_eq!(course(), course());
    }
}
