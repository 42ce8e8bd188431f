//! What is known of cells of IEEE 802.11: fairness, the anomaly of rates, hidden
//! terminals, repeatability.

use netjoule_link::dot11::Config;
use netjoule_testkit::saturation::{Cell, Report, station, to_one, together};
use netjoule_units::{BitRate, Bytes, Distance, Duration};

const MINUTE: Duration = Duration::from_secs(60);

fn mbit(report: &Report, flow: usize) -> f64 {
    (report.delivered[flow] * 12_000) as f64 / MINUTE.as_secs_f64() / 1e6
}

#[test]
fn equal_stations_have_equal_shares() {
    for (stations, rts_threshold) in [(2, 2_347), (10, 2_347), (10, 0), (50, 2_347)] {
        let config = Config { rts_threshold: Bytes::new(rts_threshold), ..Config::default() };
        let mut cell = Cell::new(&config, together(stations + 1, 3), to_one(stations));
        let fairness = cell.measure(MINUTE).fairness();
        assert!(fairness > 0.98, "{stations} stations, RTS above {rts_threshold}: {fairness}");
    }
}

/// Heusse et al., "Performance anomaly of 802.11b" (INFOCOM 2003): all get the
/// same number of frames through, so that one station at 1 Mbit/s takes most of
/// the time, and those at 11 are left with less than it could have alone.
#[test]
fn one_slow_station_slows_all_down() {
    let slow = BitRate::from_mbit_per_s(1);
    let measure = |rate| {
        let mut stations = together(3, 5);
        stations[0].rate = rate;
        let mut cell = Cell::new(&Config::default(), stations, to_one(2));
        cell.measure(MINUTE)
    };
    let equal = measure(None);
    let mixed = measure(Some(slow));
    let [at_1, at_11] = [mbit(&mixed, 0), mbit(&mixed, 1)];
    // One frame of each in 1,617 + 12,848 us and the slots between them: had the
    // fast one half of the time, it would have half of 6.2 Mbit/s.
    assert!((at_11 / at_1 - 1.0).abs() < 0.1, "{at_1} and {at_11} Mbit/s");
    assert!((0.7..0.87).contains(&at_11), "{at_11} Mbit/s");
    assert!(mbit(&equal, 1) > 3.0, "{equal:?}");
}

/// Packets per minute of two groups of `each` stations that send to the one
/// between them. Those on one side do not hear those on the other if `apart`.
fn groups(apart: bool, each: usize, mbit_per_s: u64, rts: bool) -> f64 {
    let config = Config {
        rate: BitRate::from_mbit_per_s(mbit_per_s),
        rts_threshold: Bytes::new(if rts { 0 } else { 2_347 }),
        range: Some(Distance::from_metres(if apart { 250 } else { 1_000 })),
        ..Config::default()
    };
    let place = |index: usize| if index < each { 0 } else { 400 };
    let mut stations: Vec<_> =
        (0..2 * each).map(|index| station(place(index), 0, None, index as u64)).collect();
    stations.push(station(200, 0, None, 99));
    Cell::new(&config, stations, to_one(2 * each)).measure(MINUTE).total() as f64
}

/// Long frames of stations that do not hear each other die of each other; an
/// RTS is short, and the CTS is heard by all.
#[test]
fn hidden_terminals_collapse_and_rts_cures_it() {
    // How much is left, of a cell where all hear all.
    let left = |each, rate, rts| groups(true, each, rate, rts) / groups(false, each, rate, rts);
    let [long, cured] = [left(3, 2, false), left(3, 2, true)];
    assert!(long < 0.05, "6.3 ms frames: {long} is left without RTS");
    assert!(cured > 0.85, "6.3 ms frames: {cured} is left with RTS");
    let [short, cured] = [left(1, 11, false), left(1, 11, true)];
    assert!((0.5..0.7).contains(&short), "1.3 ms frames: {short} is left without RTS");
    assert!(cured > 0.85, "1.3 ms frames: {cured} is left with RTS");
}

#[test]
fn the_same_seeds_give_the_same_story_to_the_byte() {
    let story = |seed| {
        let mut cell = Cell::new(&Config::default(), together(11, seed), to_one(10));
        let mut story = String::new();
        cell.observe(Duration::from_secs(1), |now, output| {
            story += &format!("{} {output:?}\n", now.as_nanos());
        });
        story
    };
    assert!(story(1) == story(1));
    assert!(story(1) != story(2));
}
