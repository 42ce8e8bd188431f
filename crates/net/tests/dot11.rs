//! Networks whose stations share a medium.

use std::path::Path;

use netjoule_link::arq::Discipline;
use netjoule_link::dot11::{self, phy::Phy};
use netjoule_net::{ConnectionOutcome, Ledger, Outcome, Stop, run};
use netjoule_scenario::{NodeKind, Scenario, load};
use netjoule_testkit::{BaseStation, Cell, Chain, Log, on_air};
use netjoule_trace::{DropCause, Event, Nobody, Observer};
use netjoule_transport::tcp::{InitialWindow, Options};
use netjoule_units::{BitRate, Bytes, Duration, Instant};
use netjoule_wire::NoticeKind::{Defer, Retransmit};

fn outcome(scenario: &Scenario, seed: u64) -> Outcome {
    run(scenario, seed, &mut Nobody)
}

/// The only connection of a run that is complete.
fn only(scenario: &Scenario) -> ConnectionOutcome {
    let mut outcome = outcome(scenario, 1);
    assert_eq!(outcome.stop, Stop::Complete);
    outcome.connections.remove(0)
}

fn mbit_per_s(connection: &ConnectionOutcome) -> f64 {
    let time = connection.completion_time.expect("the transfer is complete").as_secs_f64();
    connection.bytes_delivered.bits() as f64 / time / 1e6
}

/// The airtime of a packet of `size` with its headers by the rules of 802.11b.
fn airtime(phy: &Phy, rate: BitRate, size: u64) -> Duration {
    // MAC header and FCS, LLC and SNAP.
    phy.airtime(&Phy::mode_of(rate), dot11::phy::Preamble::Long, Bytes::new(size + 28 + 8))
}

fn ack(phy: &Phy, rate: BitRate) -> Duration {
    let mode = Phy::mode_of(phy.answer_rate(rate));
    phy.airtime(&mode, dot11::phy::Preamble::Long, Bytes::new(14))
}

/// A source that hardly ever has to contend with acknowledgments.
fn unanswered(rate: BitRate, transfer: Bytes) -> Chain {
    let tcp = Options {
        receive_window: Bytes::from_kib(8_000),
        initial_window: InitialWindow::Segments(1_000),
        initial_ssthresh: Bytes::from_kib(8_000),
        ack_every: 0,
        ack_delay: Duration::from_millis(500),
        ..Options::default()
    };
    Chain { rate, transfer, tcp, ..Chain::default() }
}

#[test]
fn one_station_alone_sends_as_often_as_its_backoffs_let_it() {
    let phy = dot11::phy::PhyKind::B.phy();
    for (mbit, segments) in [(1, 4_000), (2, 4_000), (11, 20_000)] {
        let rate = BitRate::from_mbit_per_s(mbit);
        // DIFS and half of CWmin, the frame, SIFS and its ACK.
        let mean =
            phy.difs() + phy.slot * 31 / 2 + airtime(phy, rate, 1_500) + phy.sifs + ack(phy, rate);
        let expected = 1_460.0 * 8.0 / mean.as_secs_f64() / 1e6;
        let connection = only(&unanswered(rate, Bytes::new(1_460 * segments)).scenario());
        let found = mbit_per_s(&connection);
        // A window is sent at once and acknowledged 500 ms after its start.
        assert!((found / expected - 1.0).abs() < 0.02, "{mbit} Mbit/s: {found}, not {expected}");
        assert_eq!(connection.data.dropped_in_all(), 0);
    }
}

#[test]
fn one_segment_and_its_acknowledgment_take_two_frames_and_a_backoff() {
    let phy = dot11::phy::PhyKind::B.phy();
    let rate = BitRate::from_mbit_per_s(11);
    let scenario = Chain { transfer: Bytes::new(1_460), ..Chain::default() }.scenario();
    // The first frame finds the medium idle. The TCP ACK waits for the link's
    // ACK, DIFS and a backoff.
    let least =
        airtime(phy, rate, 1_500) + phy.sifs + ack(phy, rate) + phy.difs() + airtime(phy, rate, 40);
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..200 {
        let time = outcome(&scenario, seed).connections[0].completion_time.unwrap();
        let slots = time.saturating_sub(least).as_nanos() / phy.slot.as_nanos();
        assert_eq!(time, least + phy.slot * slots);
        seen.insert(slots);
    }
    assert!(seen.len() > 25 && seen.last() <= Some(&31), "{seen:?}");
}

#[test]
fn every_hop_costs_its_share() {
    let goodput = |hops| {
        let chain = Chain { hops, rate: BitRate::from_mbit_per_s(2), ..Chain::default() };
        mbit_per_s(&only(&chain.scenario()))
    };
    let [one, two, three] = [1, 2, 3].map(goodput);
    // Stations up to two hops away hear each other: of three hops only one is
    // used at a time, apart from collisions with whom they do not hear.
    assert!((0.45..0.55).contains(&(two / one)), "{one} {two} {three}");
    assert!((0.2..0.37).contains(&(three / one)), "{one} {two} {three}");
}

#[test]
fn equal_runs_are_equal_and_others_are_not() {
    let scenario = Chain { hops: 3, ..Chain::default() }.scenario();
    let first = outcome(&scenario, 1);
    assert_eq!(first, outcome(&scenario, 1));
    assert_ne!(first.fingerprint, outcome(&scenario, 2).fingerprint);
    let mut log = Log::default();
    assert_eq!(first, run(&scenario, 1, &mut log));
    let mut in_bytes = scenario.clone();
    in_bytes.run.wire_fidelity = true;
    assert_eq!(first, outcome(&in_bytes, 1));
}

fn cell(queue: Discipline) -> Scenario {
    let ms = Duration::from_millis;
    let stays =
        vec![[ms(1_000), ms(0)], [ms(1_000), ms(300)], [ms(1_000), ms(300)], [ms(500), ms(500)]];
    Cell { stays, queue, transfer: Bytes::from_kib(2_048) }.scenario()
}

#[test]
fn every_packet_is_delivered_or_dropped_with_a_cause() {
    let mut scenario = cell(Discipline::RoundRobin);
    scenario.nodes[1].buffer = Bytes::from_kib(24);
    let mut log = Log::default();
    let outcome = run(&scenario, 1, &mut log);
    let mut causes = [0; DropCause::ALL.len()];
    for connection in &outcome.connections {
        let ledgers = [connection.data, connection.acks, connection.control, connection.notices];
        assert!(ledgers.iter().all(Ledger::balances));
        for ledger in ledgers {
            causes.iter_mut().zip(ledger.dropped).for_each(|(sum, dropped)| *sum += dropped);
        }
    }
    assert!(causes[DropCause::RetryLimit as usize] > 0, "{causes:?}");
    assert!(causes[DropCause::QueueOverflow as usize] > 0, "{causes:?}");
    assert_eq!(causes[DropCause::ChannelError as usize] + causes[DropCause::WiredLoss as usize], 0);
    let corrupted: u64 = outcome.connections.iter().map(|it| it.frames_corrupted).sum();
    // The log has the acknowledgments that were lost as well.
    assert!(corrupted > 0 && log.corrupted.len() as u64 >= corrupted);
    let given_up = causes[DropCause::RetryLimit as usize];
    assert!(log.given_up.len() as u64 >= given_up);
    assert!(log.given_up.iter().all(|(_, _, attempts)| *attempts == 7));
}

#[test]
fn what_is_under_way_at_the_end_is_counted() {
    let mut scenario = cell(Discipline::RoundRobin);
    scenario.airs[0].delay = Duration::from_millis(20);
    for ms in [200, 500, 1_000] {
        scenario.run.time_limit = Duration::from_millis(ms);
        let outcome = outcome(&scenario, 1);
        assert_eq!(outcome.stop, Stop::TimeLimit);
        assert!(outcome.connections.iter().all(|it| it.data.balances()));
        assert!(outcome.connections.iter().any(|it| it.data.in_flight > 0));
    }
}

#[test]
fn a_latency_is_paid_by_every_packet() {
    let with_delay = |delay: u64| {
        let mut scenario = Chain { transfer: Bytes::new(1_460), ..Chain::default() }.scenario();
        scenario.airs[0].delay = Duration::from_millis(delay);
        // Their backoffs are not to differ.
        scenario.airs[0].dot11.cw_min = Some(1);
        only(&scenario).completion_time.unwrap()
    };
    let late = with_delay(100).as_secs_f64() - with_delay(0).as_secs_f64();
    // Only the TCP ACK's wait for the medium is shorter.
    assert!((0.2 - 0.001..0.2).contains(&late), "{late}");
}

#[test]
fn a_pair_of_stations_may_have_a_latency_of_its_own() {
    let ms = Duration::from_millis;
    let stays = vec![[ms(1_000), ms(0)]; 2];
    let cell = Cell { stays, queue: Discipline::RoundRobin, transfer: Bytes::new(1_024) };
    let mut scenario = cell.scenario();
    scenario.airs[0].channels[1].delay = ms(100);
    scenario.connections[1].start = Instant::from_millis(500);
    let outcome = outcome(&scenario, 1);
    let times = outcome.connections.iter().map(|it| it.completion_time.unwrap());
    let [near, far] = times.collect::<Vec<_>>()[..] else { panic!("two connections") };
    // 5 ms of cable each way, and two frames.
    assert!((ms(10)..ms(14)).contains(&near) && (ms(210)..ms(214)).contains(&far), "{near} {far}");
}

/// Means of several runs of a cell whose stations always have something to send.
#[derive(Debug, Default)]
struct Shares {
    /// The goodput of the first connection, in bit/s.
    first: f64,
    /// That of all together.
    sum: f64,
    /// Fairness: 1 if all goodputs are equal.
    jain_index: f64,
}

fn shares(mut scenario: Scenario, queue: Discipline, seconds: u64) -> Shares {
    let base = scenario.airs[0].stations[0];
    scenario.nodes[base].queue = queue;
    for connection in &mut scenario.connections {
        connection.transfer = Bytes::from_kib(1 << 20);
    }
    scenario.run.time_limit = Duration::from_secs(seconds);
    let (mut mean, runs) = (Shares::default(), 12);
    for seed in 0..runs {
        let outcome = outcome(&scenario, seed);
        let rates: Vec<f64> =
            outcome.connections.iter().map(|it| it.goodput_bit_per_s(outcome.end)).collect();
        let total: f64 = rates.iter().sum();
        let squares: f64 = rates.iter().map(|x| x * x).sum();
        mean.first += rates[0] / runs as f64;
        mean.sum += total / runs as f64;
        mean.jain_index += total * total / (rates.len() as f64 * squares) / runs as f64;
    }
    mean
}

/// Head-of-line blocking as goel1997 4.2 (8) has it, after Bhagwat et al. 1996:
/// several hosts in one cell, each with a channel of its own.
#[test]
fn fifo_blocks_the_head_of_the_line() {
    let scenario = cell(Discipline::RoundRobin);
    let [fair, fifo] =
        [Discipline::RoundRobin, Discipline::Fifo].map(|queue| shares(scenario.clone(), queue, 10));
    assert!(fair.sum > 1.1 * fifo.sum, "{fair:?} {fifo:?}");
    assert!(fair.jain_index > 1.05 * fifo.jain_index, "{fair:?} {fifo:?}");
}

fn example(file: &str) -> Scenario {
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    load(&scenarios.join(file), &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// The same in the thesis's own format: `shared_links` and 2 Mbit/s.
#[test]
fn fifo_blocks_the_head_of_the_line_in_the_cell_of_the_thesis() {
    let scenario = example("legacy/cell/datafile.dat");
    let [fair, fifo] =
        [Discipline::RoundRobin, Discipline::Fifo].map(|queue| shares(scenario.clone(), queue, 30));
    assert!(fair.sum > 1.03 * fifo.sum, "{fair:?} {fifo:?}");
    assert!(fair.jain_index > 1.2 * fifo.jain_index, "{fair:?} {fifo:?}");
}

/// The example says that it is the host nearby who waits.
#[test]
fn the_example_of_a_cell_shows_what_it_says() {
    let scenario = example("cell.toml");
    let [fair, fifo] =
        [Discipline::RoundRobin, Discipline::Fifo].map(|queue| shares(scenario.clone(), queue, 20));
    assert!(fair.first > 1.4 * fifo.first, "{fair:?} {fifo:?}");
    assert!(fair.sum > 1.03 * fifo.sum, "{fair:?} {fifo:?}");
}

#[test]
fn slow_stations_slow_down_all_others() {
    // Heusse et al. 2003: equal numbers of frames, not equal times.
    let goodputs = |slow: Option<BitRate>| {
        let ms = Duration::from_millis;
        let stays = vec![[ms(1_000), ms(0)]; 2];
        let transfer = Bytes::from_kib(16_384);
        let mut scenario = Cell { stays, queue: Discipline::RoundRobin, transfer }.scenario();
        scenario.airs[0].rates[2] = slow;
        for connection in &mut scenario.connections {
            (connection.from, connection.to) = (connection.to, connection.from);
        }
        scenario.run.time_limit = Duration::from_secs(20);
        let outcome = outcome(&scenario, 1);
        let rates = outcome.connections.iter().map(|it| it.goodput_bit_per_s(outcome.end) / 1e6);
        rates.collect::<Vec<_>>()
    };
    let (equal, with_slow) = (goodputs(None), goodputs(Some(BitRate::from_mbit_per_s(1))));
    assert!((equal[0] / equal[1] - 1.0).abs() < 0.2, "{equal:?}");
    assert!(with_slow[0] < 0.45 * equal[0], "{equal:?} {with_slow:?}");
}

/// Notices reach the source as over a link of its own.
#[test]
fn a_station_on_the_air_sends_notices() {
    let config = dot11::Config { rate: BitRate::from_mbit_per_s(1), ..dot11::Config::default() };
    let setting = BaseStation {
        variant: "refined-icmp",
        switches_ms: vec![101, 300],
        ..BaseStation::default()
    };
    let scenario = on_air(setting.scenario(), &config);
    let mut log = Log::default();
    let outcome = run(&scenario, 1, &mut log);
    assert_eq!(outcome.stop, Stop::Complete);
    let kinds: Vec<_> = log.notices.iter().map(|(_, kind, segment)| (*kind, *segment)).collect();
    assert_eq!(kinds[..2], [(Defer, 0), (Retransmit, 0)]);
    assert_eq!(log.timeouts, []);
}

#[test]
fn who_dozes_is_reached_after_a_beacon() {
    let ms = Duration::from_millis;
    let stays = vec![[ms(1_000), ms(0)]];
    let cell = Cell { stays, queue: Discipline::RoundRobin, transfer: Bytes::new(1_024) };
    let mut scenario = cell.scenario();
    // It stays awake for the first beacon, at 102.4 ms.
    scenario.connections[0].start = Instant::from_millis(150);
    let awake = only(&scenario).completion_time.unwrap();
    // 5 ms of cable each way, and two frames.
    assert!((ms(10)..ms(14)).contains(&awake), "{awake}");
    scenario.airs[0].power_savers = vec![2];
    let dozing = only(&scenario).completion_time.unwrap();
    // The segment is there at 155 ms; a beacon tells of it at 204.8 ms. The answer
    // needs no beacon.
    let told = Duration::from_micros(204_800 - 150_000);
    assert!((told + ms(5)..told + ms(10)).contains(&dozing), "{dozing}");
}

/// Without an access point the segment is announced in a window, and so is the
/// answer.
#[test]
fn who_dozes_among_equals_is_reached_after_a_window() {
    let ms = Duration::from_millis;
    let stays = vec![[ms(1_000), ms(0)]];
    let cell = Cell { stays, queue: Discipline::RoundRobin, transfer: Bytes::new(1_024) };
    let mut scenario = cell.scenario();
    scenario.connections[0].start = Instant::from_millis(150);
    let air = &mut scenario.airs[0];
    (air.access_point, air.power_savers) = (None, vec![2]);
    air.dot11.power_save.atim_window = ms(10);
    let completion = only(&scenario).completion_time.unwrap();
    // The segment comes at 155 ms; the window at 204.8 ms tells of it; it leaves
    // when that closes. The base station is always awake for the answer.
    let told = Duration::from_micros(204_800 - 150_000) + ms(10);
    assert!((told + ms(5)..told + ms(10)).contains(&completion), "{completion}");
}

/// Packets go through the access point, though the stations are neighbours.
#[test]
fn stations_of_an_access_point_talk_through_it() {
    let ms = Duration::from_millis;
    let stays = vec![[ms(1_000), ms(0)]; 2];
    let cell = Cell { stays, queue: Discipline::RoundRobin, transfer: Bytes::from_kib(1_024) };
    let mut scenario = cell.scenario();
    scenario.connections.truncate(1);
    (scenario.connections[0].from, scenario.connections[0].to) = (2, 3);
    let through = mbit_per_s(&only(&scenario));
    scenario.airs[0].access_point = None;
    let direct = mbit_per_s(&only(&scenario));
    assert!((0.45..0.6).contains(&(through / direct)), "{through} {direct}");
    // Between hosts alone there is no other way.
    scenario.nodes[1].kind = NodeKind::Host;
    assert!((mbit_per_s(&only(&scenario)) - direct).abs() < f64::EPSILON);
}

/// When a channel changes its state.
#[derive(Default)]
struct Changes(Vec<(Instant, bool)>);

impl Observer for Changes {
    fn record(&mut self, now: Instant, event: &Event<'_>) {
        if let Event::Channel { good, .. } = event {
            self.0.push((now, *good));
        }
    }
}

#[test]
fn a_channel_has_the_same_course_on_a_link_of_its_own_and_on_an_air() {
    let mut scenario = BaseStation { segments: 1_000, ..BaseStation::default() }.scenario();
    for config in scenario.channels_mut() {
        config.mean_good = Duration::from_secs(1);
        config.mean_bad = Duration::from_millis(100);
    }
    let course = |scenario: &Scenario| {
        let mut changes = Changes::default();
        run(scenario, 7, &mut changes);
        changes.0
    };
    let alone = course(&scenario);
    let config = dot11::Config { rate: BitRate::from_mbit_per_s(1), ..dot11::Config::default() };
    let shared = course(&on_air(scenario, &config));
    let both = alone.len().min(shared.len());
    assert!(both > 10);
    assert_eq!(alone[..both], shared[..both]);
}
