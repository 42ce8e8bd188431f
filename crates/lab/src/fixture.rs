//! A small scenario for tests.

use netjoule_link::{arq, two_state};
use netjoule_scenario::{
    Connection, DuplicateAcks, Interrupts, Link, LinkLayer, Medium, Node, NodeKind, Notices, Run,
    Scenario, Trace,
};
use netjoule_transport::tcp::{Options, Variant};
use netjoule_units::{BitRate, Bytes, Duration, Instant, Probability};

/// 400 segments from a wired host over a base station to a wireless one, with
/// a channel that is BAD a tenth of the time.
pub(crate) fn lossy_scenario() -> Scenario {
    let node = |name: &str, kind, link_layer| Node {
        name: name.into(),
        kind,
        buffer: Bytes::MAX,
        processing_delay: Duration::ZERO,
        link_layer,
        queue: arq::Discipline::RoundRobin,
        shared_transmitter: false,
        notices: Notices::AsHeard,
        duplicate_acks: DuplicateAcks::Pass,
        position: None,
        device: None,
        device_file: None,
        battery: None,
        interrupts: Interrupts::default(),
    };
    let link = |name: &str, between, rate, delay, medium| Link {
        name: name.into(),
        between,
        rate: BitRate::from_mbit_per_s(rate),
        delay: Duration::from_millis(delay),
        medium,
        random_seed: 0,
    };
    let channel = two_state::Config {
        mean_good: Duration::from_secs(1),
        mean_bad: Duration::from_millis(100),
        ..two_state::Config::default()
    };
    let radio = Medium::Wireless { channel, arq: arq::Config::default() };
    Scenario {
        title: "test".into(),
        run: Run::default(),
        trace: Trace::default(),
        nodes: vec![
            node("source", NodeKind::Host, LinkLayer::Unreliable),
            node("base", NodeKind::BaseStation, LinkLayer::Reliable),
            node("sink", NodeKind::Host, LinkLayer::Reliable),
        ],
        links: vec![
            link("wire", [0, 1], 8, 50, Medium::Wired { loss: Probability::ZERO }),
            link("radio", [1, 2], 1, 1, radio),
        ],
        airs: Vec::new(),
        connections: vec![Connection {
            from: 0,
            to: 2,
            transfer: Bytes::from_kib(400),
            start: Instant::ZERO,
            pace: None,
            variant: Variant::named("reno").expect("the baseline exists"),
            handshake: false,
            tcp: Options {
                mss: Bytes::from_kib(1),
                receive_window: Bytes::from_kib(16),
                ..Options::default()
            },
        }],
    }
}
