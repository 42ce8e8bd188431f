//! Runs whose result a formula gives.

use netjoule_net::{ConnectionOutcome, Outcome, run};
use netjoule_scenario::{LinkLayer, Medium, Scenario};
use netjoule_testkit::{BaseStation, MS};
use netjoule_trace::{DropCause, Nobody};
use netjoule_transport::tcp::{InitialWindow, Options, SsthreshBase, Variant};
use netjoule_units::{BitRate, Bytes, Duration, Instant, Probability};
use netjoule_wire::Headers;

fn outcome(scenario: &Scenario) -> Outcome {
    run(scenario, 1, &mut Nobody)
}

fn only(scenario: &Scenario) -> ConnectionOutcome {
    outcome(scenario).connections.remove(0)
}

fn ms(connection: &ConnectionOutcome) -> f64 {
    connection.completion_time.expect("the transfer is complete").as_secs_f64() * 1e3
}

#[test]
fn a_window_limited_transfer_takes_n_over_w_round_trips() {
    // 4 segments per 211 ms are less than the 100 a second of the air.
    for window_kb in [1, 2, 4, 8] {
        let segments = 2_000;
        let setting = BaseStation { window_kb, segments, ..BaseStation::default() };
        let rounds = ms(&only(&setting.scenario())) / 211.0;
        let expected = (segments / window_kb) as f64;
        // Slow start costs at most log2(W) rounds more; the last ACKs of a
        // round trail by 10 ms each.
        assert!((0.0..4.0).contains(&(rounds - expected)), "{window_kb} KB: {rounds}");
    }
}

#[test]
fn a_transfer_limited_by_the_air_takes_one_exchange_per_segment() {
    let segments = 10_000;
    let setting = BaseStation { window_kb: 32, segments, ..BaseStation::default() };
    // 10 ms each after the pipe has filled; the ramp takes a few round trips.
    let over = ms(&only(&setting.scenario())) - 10.0 * segments as f64;
    assert!((211.0..2_000.0).contains(&over), "{over} ms");
}

#[test]
fn one_segment_with_honest_headers_takes_its_serialisation_and_propagation() {
    let mut scenario = BaseStation { segments: 1, ..BaseStation::default() }.scenario();
    scenario.run.clock_step = Duration::from_nanos(1);
    scenario.run.headers = Headers::Standard;
    // Out: 1064 B at 8 Mbit/s and at 1 Mbit/s; back: 40 B at both.
    let wire = Duration::from_nanos(1_064_000 + 40_000) + MS * 200;
    let air = Duration::from_nanos(8_512_000 + 320_000) + MS * 2;
    assert_eq!(only(&scenario).completion_time, Some(wire + air));
}

#[test]
fn timestamps_cost_twelve_bytes_each_way() {
    let time = |timestamps| {
        let mut scenario = BaseStation { segments: 1, ..BaseStation::default() }.scenario();
        scenario.run.clock_step = Duration::from_nanos(1);
        scenario.run.headers = Headers::Standard;
        let tcp = &mut scenario.connections[0].tcp;
        tcp.timestamps = timestamps;
        // RFC 6691: they are taken off the MSS.
        tcp.mss = Bytes::new(1_024 + 12);
        only(&scenario).completion_time.unwrap()
    };
    // At 8 Mbit/s and at 1 Mbit/s, there and back.
    let cost = Duration::from_micros(2 * (12 + 96));
    assert_eq!(time(true), time(false) + cost);
}

#[test]
fn honest_headers_cost_their_share_of_the_air() {
    let segments = 20_000;
    let mut scenario = BaseStation { window_kb: 32, segments, ..BaseStation::default() }.scenario();
    scenario.run.clock_step = Duration::from_nanos(1);
    scenario.run.headers = Headers::Standard;
    // 1064 B at 1 Mbit/s, two propagations, and a link ACK without length; the
    // ramp adds a second or so.
    let per_segment = ms(&only(&scenario)) / segments as f64;
    assert!((10.512..10.6).contains(&per_segment), "{per_segment} ms");
}

/// A long fat wired path with independent losses and nothing else.
fn lossy_path(loss: f64, variant: &str, segments: u64) -> Scenario {
    let setting = BaseStation { window_kb: 1_000, segments, ..BaseStation::default() };
    let mut scenario = setting.scenario();
    scenario.links[0].rate = BitRate::from_mbit_per_s(1_000);
    scenario.links[0].medium = Medium::Wired { loss: Probability::new(loss).unwrap() };
    scenario.links[1].rate = BitRate::from_mbit_per_s(1_000);
    for node in &mut scenario.nodes {
        node.link_layer = LinkLayer::Unreliable;
    }
    scenario.run.clock_step = Duration::from_nanos(1);
    scenario.connections[0].variant = Variant::named(variant).unwrap();
    scenario.connections[0].tcp = Options {
        mss: Bytes::from_kib(1),
        receive_window: Bytes::from_kib(1_000),
        ssthresh_base: SsthreshBase::FlightSize,
        ..Options::default()
    };
    scenario
}

#[test]
fn random_losses_limit_the_window_as_the_square_root_law_says() {
    // Mathis et al. 1997: a mean window of C / sqrt(p) segments, with C between
    // sqrt(3/2) = 1.22 for losses at equal distances and 1.31 for independent
    // ones (Ott, Kemperman and Mathis 1996), with an ACK per segment. The law
    // knows neither timeouts nor the time that recovery takes: p has to be small.
    for loss in [0.0005, 0.001, 0.002, 0.004] {
        let segments = (1_000.0 / loss) as u64;
        let rounds = ms(&only(&lossy_path(loss, "newreno", segments))) / 202.0;
        let c = segments as f64 / rounds * loss.sqrt();
        // A thousand losses: the standard error is 2 to 3 %.
        assert!((1.16..1.41).contains(&c), "p {loss}: C is {c}");
    }
}

#[test]
fn a_wired_link_loses_its_share_of_packets() {
    let connection = only(&lossy_path(0.01, "reno", 200_000));
    let lost = connection.data.dropped[DropCause::WiredLoss as usize] as f64;
    let share = lost / connection.data.sent as f64;
    // Two thousand losses: the standard error is 2 %.
    assert!((share / 0.01 - 1.0).abs() < 0.08, "{share}");
}

/// A wireless LAN of its time, with all of the window in use from the start: 11
/// Mbit/s on the air, and IP packets of `mtu` bytes.
fn lan(mtu: u64, window: Bytes, segments: u64) -> Scenario {
    let mut scenario = BaseStation::default().scenario();
    scenario.run.clock_step = Duration::from_nanos(1);
    scenario.run.headers = Headers::Standard;
    scenario.links[0].rate = BitRate::from_mbit_per_s(100);
    scenario.links[0].delay = Duration::from_micros(100);
    scenario.links[1].rate = BitRate::from_mbit_per_s(11);
    scenario.links[1].delay = Duration::from_micros(1);
    let connection = &mut scenario.connections[0];
    connection.transfer = Bytes::new((mtu - 40) * segments);
    connection.tcp = Options {
        mss: Bytes::new(mtu - 40),
        receive_window: window,
        initial_window: InitialWindow::Segments(1_000),
        initial_ssthresh: Bytes::from_kib(1_024),
        ack_every: 0,
        ack_delay: MS * 500,
        ..Options::default()
    };
    scenario
}

#[test]
fn acknowledgments_by_time_alone_let_one_window_through_at_a_time() {
    // agarwal2000 4.5: the sender stalls until the timer has run out, and 32 to
    // 64 KB every 500 ms are 0.5 to 1.05 Mbit/s.
    for (window_kib, most) in [(32, 0.524), (64, 1.049)] {
        let windows = 40;
        let segments = windows * window_kib;
        let connection = only(&lan(1_064, Bytes::from_kib(window_kib), segments));
        assert_eq!(connection.acks.sent, windows);
        let mbit_per_s = connection.goodput_bit_per_s(Instant::NEVER) / 1e6;
        // The timer starts with the first segment of a window; its way there,
        // and the ACK's back, take a millisecond or two.
        assert!((0.99 * most..most).contains(&mbit_per_s), "{window_kib} KiB: {mbit_per_s}");
    }
}

#[test]
fn acknowledgments_by_window_come_when_more_than_half_of_it_is_used() {
    // agarwal2000 4.5: Linux 2.2 without its rule of two segments. 36 segments of
    // 460 B are the first to exceed 16 KiB.
    for (mtu, per_ack) in [(500, 36), (1_000, 18), (1_500, 12), (2_296, 8)] {
        let acks = 100;
        let mut scenario = lan(mtu, Bytes::from_kib(32), acks * per_ack);
        scenario.connections[0].tcp.ack_window_update = true;
        let connection = only(&scenario);
        assert_eq!((connection.acks.sent, connection.data.sent), (acks, acks * per_ack), "{mtu}");
    }
}
