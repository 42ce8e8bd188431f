//! The network of figure 5.1 of goel1997.

use netjoule_link::{arq, two_state};
use netjoule_scenario::{
    Connection, DuplicateAcks, Interrupts, Link, LinkLayer, Medium, Node, NodeKind, Notices, Run,
    Scenario, Trace,
};
use netjoule_transport::tcp::{BackoffEnd, Options, SsthreshBase, Variant};
use netjoule_units::{BitRate, Bytes, Duration, Instant, Probability};
use netjoule_wire::Headers;

/// A millisecond.
pub const MS: Duration = Duration::from_millis(1);

/// A wired host, a base station and a wireless host, by the thesis's rules:
/// whole milliseconds, no headers, 8 Mbit/s and 1 Mbit/s, segments of 1 KB.
#[derive(Clone, Debug)]
pub struct BaseStation {
    /// Propagation delay of the wired link in milliseconds.
    pub wired_delay_ms: u64,
    /// The advertised window in KB.
    pub window_kb: u64,
    /// Segments to transfer.
    pub segments: u64,
    /// Name of the variant.
    pub variant: &'static str,
    /// When the source starts, in milliseconds.
    pub start_ms: u64,
    /// When the channel changes its state, in milliseconds; empty for a
    /// channel that stays GOOD.
    pub switches_ms: Vec<u64>,
}

impl Default for BaseStation {
    fn default() -> Self {
        Self {
            wired_delay_ms: 100,
            window_kb: 16,
            segments: 100,
            variant: "reno",
            start_ms: 0,
            switches_ms: Vec::new(),
        }
    }
}

impl BaseStation {
    /// The scenario.
    ///
    /// # Panics
    /// If there is no such variant.
    #[must_use]
    pub fn scenario(&self) -> Scenario {
        let node = |name: &str, kind| Node {
            name: name.into(),
            kind,
            buffer: Bytes::MAX,
            processing_delay: Duration::ZERO,
            link_layer: LinkLayer::Reliable,
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
        let link = |name: &str, between, mbit, delay, medium| Link {
            name: name.into(),
            between,
            rate: BitRate::from_mbit_per_s(mbit),
            delay,
            medium,
            random_seed: 0,
        };
        let channel = two_state::Config {
            mean_bad: Duration::ZERO,
            switches: self.switches_ms.iter().map(|&ms| Instant::from_millis(ms)).collect(),
            ..two_state::Config::default()
        };
        let arq = arq::Config {
            retries: 8,
            ack_margin: MS,
            ack_size: Bytes::ZERO,
            frame_header: Bytes::ZERO,
        };
        Scenario {
            title: "figure 5.1".into(),
            run: Run { clock_step: MS, headers: Headers::None, ..Run::default() },
            trace: Trace::default(),
            nodes: vec![
                node("211", NodeKind::Host),
                node("212", NodeKind::BaseStation),
                node("213", NodeKind::Host),
            ],
            links: vec![
                link(
                    "101",
                    [0, 1],
                    8,
                    MS * self.wired_delay_ms,
                    Medium::Wired { loss: Probability::ZERO },
                ),
                link("102", [1, 2], 1, MS, Medium::Wireless { channel, arq }),
            ],
            airs: Vec::new(),
            connections: vec![Connection {
                from: 0,
                to: 2,
                transfer: Bytes::from_kib(self.segments),
                start: Instant::from_millis(self.start_ms),
                pace: None,
                variant: Variant::named(self.variant).expect("a variant of the table"),
                handshake: false,
                tcp: Options {
                    mss: Bytes::from_kib(1),
                    receive_window: Bytes::from_kib(self.window_kb),
                    initial_rto: Duration::from_secs(3),
                    ssthresh_base: SsthreshBase::Window,
                    backoff_end: BackoffEnd::NewAck,
                    ..Options::default()
                },
            }],
        }
    }
}
