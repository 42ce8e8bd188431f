//! What holds for every input.

use std::sync::Arc;

use netjoule_energy::battery;
use netjoule_energy::device::{self, Device};
use netjoule_link::arq::{self, Discipline};
use netjoule_link::dot11::phy::{PhyKind, Preamble};
use netjoule_link::dot11::{self, Position, PowerSave, Rule};
use netjoule_link::two_state::{self, Exposure};
use netjoule_transport::tcp::{
    AvoidanceIncrement, BackoffEnd, EcnMode, InitialWindow, InitialWindowFormula, Options, PathMtu,
    Paws, Sack, SsthreshBase, TimerKind, VARIANTS,
};
use netjoule_units::{
    BitRate, Bytes, Charge, Current, Distance, Duration, Energy, Instant, Probability, Voltage,
};
use netjoule_wire::Headers;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::toml;
use crate::{
    Air, AirChannel, Attribute, BASE_STATION, Connection, DuplicateAcks, EventKind, Interrupts,
    Link, LinkLayer, Medium, Node, NodeKind, Notices, Override, Pace, Run, Scenario, Source, Trace,
    parse_brace, parse_toml,
};

const BRACE: &str = include_str!("../../../../scenarios/legacy/datafile.dat");
const CELL: &str = include_str!("../../../../scenarios/cell.toml");
const BRACE_CELL: &str = include_str!("../../../../scenarios/legacy/cell/datafile.dat");

/// Up to ten years.
fn time() -> impl Strategy<Value = Duration> {
    prop_oneof![0u64..=10, 0..=315_360_000_000_000_000u64].prop_map(Duration::from_nanos)
}

fn some_time() -> impl Strategy<Value = Duration> {
    time().prop_map(|time| time.max(Duration::from_nanos(1)))
}

fn size() -> impl Strategy<Value = Bytes> {
    any::<u64>().prop_map(Bytes::new)
}

fn rate() -> impl Strategy<Value = BitRate> {
    (1u64..).prop_map(|rate| BitRate::new(rate).unwrap())
}

fn probability() -> impl Strategy<Value = Probability> {
    (0.0..=1.0).prop_map(|value| Probability::new(value).unwrap())
}

fn run() -> impl Strategy<Value = Run> {
    let headers = select(vec![Headers::Standard, Headers::None]);
    let switches = (any::<bool>(), any::<bool>());
    (any::<u64>(), some_time(), 1u64.., some_time(), headers, switches).prop_map(
        |(seed, time_limit, event_budget, clock_step, headers, (time_wait, until_depleted))| Run {
            // It is refused with some of the segments drawn below.
            wire_fidelity: false,
            seed,
            time_limit,
            event_budget,
            clock_step,
            headers,
            time_wait,
            until_depleted,
        },
    )
}

fn trace() -> impl Strategy<Value = Trace> {
    let attributes = subsequence(Attribute::ALL.to_vec(), 0..=Attribute::ALL.len());
    let events = subsequence(EventKind::ALL.to_vec(), 0..=EventKind::ALL.len());
    (attributes, events, time(), time(), any::<bool>()).prop_map(
        |(attributes, events, state_interval, power_interval, csv)| Trace {
            attributes,
            events,
            state_interval,
            power_interval,
            csv,
            channel_file: false,
        },
    )
}

/// Sizes, windows, and the start of a connection.
fn sizes() -> impl Strategy<Value = Options> {
    let sizes = (1u64..=65_535).prop_flat_map(|mss| (Just(mss), mss..1 << 30, mss..));
    let initial_window = prop_oneof![
        (1u32..=1_000).prop_map(InitialWindow::Segments),
        select(vec![InitialWindowFormula::Rfc3390, InitialWindowFormula::Rfc6928])
            .prop_map(InitialWindow::Formula),
    ];
    let path_mtu = select(vec![PathMtu::Off, PathMtu::Icmp, PathMtu::Fallback]);
    (sizes, initial_window, path_mtu).prop_map(|(sizes, initial_window, path_mtu)| Options {
        mss: Bytes::new(sizes.0),
        receive_window: Bytes::new(sizes.1),
        initial_ssthresh: Bytes::new(sizes.2),
        initial_window,
        path_mtu,
        ..Options::default()
    })
}

/// Options of the header, and switches.
fn with_switches(options: impl Strategy<Value = Options>) -> impl Strategy<Value = Options> {
    let modes = (
        select(vec![Sack::Variant, Sack::On, Sack::Off]),
        select(vec![Paws::BeforePrediction, Paws::AfterPrediction, Paws::Off]),
        select(vec![EcnMode::Off, EcnMode::Accept, EcnMode::On]),
    );
    (options, modes, any::<[bool; 11]>()).prop_map(|(options, (sack, paws, ecn), on)| Options {
        sack,
        paws,
        ecn,
        window_scale: on[0],
        dsack: on[1],
        timestamps: on[2],
        header_prediction: on[3],
        header_template: on[4],
        nagle: on[5],
        sws_avoidance: on[6],
        limited_transmit: on[7],
        ack_window_update: on[8],
        ack_dynamic: on[9],
        idle_restart: on[10],
        ..options
    })
}

/// What losses do, and counts.
fn with_rules(options: impl Strategy<Value = Options>) -> impl Strategy<Value = Options> {
    let rules = (
        select(vec![AvoidanceIncrement::Standard, AvoidanceIncrement::Bsd43]),
        select(vec![SsthreshBase::FlightSize, SsthreshBase::Window]),
    );
    let counts = (0u32..=100, any::<u32>(), 1u32.., any::<u32>(), any::<u32>(), 1u32.., 1u32..);
    (options, rules, counts).prop_map(|(options, rules, counts)| Options {
        avoidance_increment: rules.0,
        ssthresh_base: rules.1,
        byte_counting: counts.0,
        burst_limit: counts.1,
        dupthresh: counts.2,
        ack_every: counts.3,
        ack_stretch_limit: counts.4,
        keep_alive_probes: counts.5,
        challenge_ack_limit: counts.6,
        ..options
    })
}

/// Times.
fn with_times(options: impl Strategy<Value = Options>) -> impl Strategy<Value = Options> {
    let rto = time().prop_map(|time| time.max(Duration::from_millis(1)));
    let rtos = prop::collection::vec(rto, 3);
    let timers = (
        select(vec![TimerKind::Fine, TimerKind::Ticking]),
        select(vec![BackoffEnd::Sample, BackoffEnd::NewAck]),
        some_time(),
    );
    // Up to a week.
    let lifetimes = [(); 4].map(|()| (0u64..=604_800_000_000_000).prop_map(Duration::from_nanos));
    (options, rtos, timers, some_time(), lifetimes).prop_map(
        |(options, mut rtos, timers, ack_delay, lifetimes)| {
            rtos.sort_unstable();
            Options {
                min_rto: rtos[0],
                initial_rto: rtos[1],
                max_rto: rtos[2],
                timers: timers.0,
                backoff_end: timers.1,
                timer_granularity: timers.2,
                ack_delay,
                keep_alive: lifetimes[0],
                keep_alive_interval: lifetimes[1].max(Duration::from_nanos(1)),
                user_timeout: lifetimes[2],
                msl: lifetimes[3],
                ..options
            }
        },
    )
}

fn options() -> impl Strategy<Value = Options> {
    with_times(with_rules(with_switches(sizes())))
}

fn medium() -> impl Strategy<Value = Medium> {
    let switches = prop::collection::vec(any::<u64>(), 0..5).prop_map(|mut times| {
        times.sort_unstable();
        times.into_iter().map(Instant::from_nanos).collect()
    });
    let exposure = select(vec![Exposure::AnyMoment, Exposure::Start]);
    let channel = (some_time(), time(), probability(), probability(), exposure, switches).prop_map(
        |(mean_good, mean_bad, loss_good, loss_bad, exposure, switches)| two_state::Config {
            mean_good,
            mean_bad,
            loss_good,
            loss_bad,
            exposure,
            switches,
        },
    );
    let arq = (any::<u32>(), time(), 0u64..=65_536, 0u64..=65_536).prop_map(
        |(retries, ack_margin, ack_size, frame_header)| arq::Config {
            retries,
            ack_margin,
            ack_size: Bytes::new(ack_size),
            frame_header: Bytes::new(frame_header),
        },
    );
    prop_oneof![
        probability().prop_map(|loss| Medium::Wired { loss }),
        (channel, arq).prop_map(|(channel, arq)| Medium::Wireless { channel, arq }),
    ]
}

/// `medium` with stays that are long enough for the largest frame of all.
fn unhurried(mut medium: Medium, rate: BitRate) -> Medium {
    if let Medium::Wireless { channel, .. } = &mut medium {
        let airtime = rate.transmission_time(Bytes::from_kib(129)).as_nanos();
        let least = Duration::from_nanos(airtime.div_ceil(10_000));
        channel.mean_good = channel.mean_good.max(least);
        if !channel.mean_bad.is_zero() {
            channel.mean_bad = channel.mean_bad.max(least);
        }
    }
    medium
}

/// Batteries of three models, settings of every kind among them.
fn battery() -> impl Strategy<Value = battery::Config> {
    let capacity = (1u64..1 << 40).prop_map(Charge::from_milliampere_hours);
    let capacity = capacity.prop_map(|it| it.min(Charge::from_milliampere_hours(1_000_000)));
    let voltage = (1u64..1_000_000).prop_map(Voltage::from_millivolts);
    let exponent = 1.0..2.0;
    prop_oneof![
        (1u64..1 << 20).prop_map(|joules| {
            let capacity = Energy::from_joules(joules);
            battery::Config::Ideal(battery::ideal::Config { capacity })
        }),
        (capacity.clone(), voltage.clone(), 1u64..1_000, exponent).prop_map(
            |(capacity, voltage, current, exponent)| {
                battery::Config::Peukert(battery::peukert::Config {
                    capacity,
                    rated_current: Current::from_milliamperes(current),
                    exponent,
                    voltage,
                })
            }
        ),
        (capacity, voltage, 0.01..0.99, 0.01..10.0).prop_map(|(capacity, voltage, c, k_per_h)| {
            battery::Config::Kibam(battery::kibam::Config { capacity, c, k_per_h, voltage })
        }),
    ]
}

type Equipment = (Option<Arc<Device>>, Option<battery::Config>, Interrupts);

/// No device, or one with its own battery, with another, or without.
fn equipment() -> impl Strategy<Value = Equipment> {
    let device = select(device::all().collect::<Vec<_>>());
    let interrupts = (1usize.., time()).prop_map(|(frames, delay)| Interrupts { frames, delay });
    let equipped = (device, prop::option::of(battery()), any::<bool>(), interrupts).prop_map(
        |(mut device, battery, on_mains, interrupts)| {
            if battery.is_none() && on_mains {
                Arc::make_mut(&mut device).battery = None;
            }
            (Some(device), battery, interrupts)
        },
    );
    prop_oneof![Just((None, None, Interrupts::default())), equipped]
}

fn node(name: String, kind: NodeKind) -> impl Strategy<Value = Node> {
    let link_layer = select(vec![LinkLayer::Reliable, LinkLayer::Unreliable]);
    let queue = select(vec![Discipline::RoundRobin, Discipline::Fifo]);
    let notices = select(vec![Notices::AsHeard, Notices::Always, Notices::Never]);
    let position = [(); 2].map(|()| any::<u64>().prop_map(Distance::from_millimetres));
    let place = (any::<bool>(), position.prop_map(|[x, y]| Position { x, y }));
    let duplicate_acks =
        select(vec![DuplicateAcks::Pass, DuplicateAcks::Suppress, DuplicateAcks::Hold]);
    let says = (notices, duplicate_acks, equipment());
    (size(), time(), link_layer, queue, place, says).prop_map(
        move |(buffer, processing_delay, link_layer, queue, place, says)| {
            let (notices, duplicate_acks, (device, battery, interrupts)) = says;
            Node {
                name: name.clone(),
                kind,
                buffer,
                processing_delay,
                link_layer,
                queue,
                shared_transmitter: place.0,
                notices,
                duplicate_acks,
                position: Some(place.1),
                device,
                device_file: None,
                battery,
                interrupts,
            }
        },
    )
}

/// A medium that all of `nodes` share.
fn air(nodes: usize) -> impl Strategy<Value = Air> {
    let phy = (select(vec![PhyKind::B, PhyKind::G, PhyKind::N]), any::<prop::sample::Index>());
    let rates = prop::collection::vec(any::<bool>(), nodes);
    let choices = (any::<[bool; 7]>(), 1u32.., 1u32.., 1u32..=65_535, 0u64..1 << 40);
    let channel = (some_time(), probability(), any::<u64>());
    (phy, rates, choices, time(), any::<u64>(), prop::option::of(channel)).prop_map(
        move |((phy, rate), rates, choices, delay, random_seed, channel)| {
            let (on, short_retry_limit, long_retry_limit, cw_min, range) = choices;
            let rate = rate.get(phy.phy().modes).rate;
            let when = |on: bool| on.then_some(rate);
            let dot11 = dot11::Config {
                phy,
                rate,
                control_rate: when(on[0]),
                broadcast_rate: when(on[1]),
                preamble: if on[2] { Preamble::Short } else { Preamble::Long },
                rts_threshold: Bytes::new(range),
                short_retry_limit,
                long_retry_limit,
                cw_min: on[3].then_some(cw_min),
                backoff: if on[4] { Rule::Mild } else { Rule::Exponential },
                range: on[5].then_some(Distance::from_millimetres(range)),
                wep: on[6],
                power_save: PowerSave {
                    atim_window: if on[0] { Duration::ZERO } else { Duration::from_millis(10) },
                    ..PowerSave::default()
                },
                ..dot11::Config::default()
            };
            Air {
                name: "air".into(),
                stations: (0..nodes).collect(),
                rates: rates.into_iter().map(when).collect(),
                access_point: on[0].then_some(0),
                power_savers: if on[1] { vec![1] } else { Vec::new() },
                dot11,
                delay,
                random_seed,
                channels: channel
                    .map(|(mean_good, loss_good, random_seed)| AirChannel {
                        name: "channel".into(),
                        between: [1, 0],
                        delay: Duration::ZERO,
                        random_seed,
                        channel: two_state::Config {
                            mean_good,
                            mean_bad: Duration::ZERO,
                            loss_good,
                            ..two_state::Config::default()
                        },
                    })
                    .into_iter()
                    .collect(),
            }
        },
    )
}

/// Hosts around a base station, and a connection from each to the next.
fn scenario() -> impl Strategy<Value = Scenario> {
    (2usize..5).prop_flat_map(|hosts| {
        let nodes: Vec<_> = (0..=hosts)
            .map(|index| {
                let kind = if index == 0 { NodeKind::BaseStation } else { NodeKind::Host };
                node(format!("node-{index}"), kind).boxed()
            })
            .collect();
        let link = (rate(), time(), medium(), any::<u64>());
        let variant = select(VARIANTS.iter().collect::<Vec<_>>());
        let pace = prop::option::of((1u64.., some_time()));
        let connection = (1u64.., time(), pace, variant, any::<bool>(), options());
        let links = prop::collection::vec(link, hosts);
        let connections = prop::collection::vec(connection, hosts);
        let airs = prop::collection::vec(air(hosts + 1), 0..=1);
        ("[^\\p{Cc}]{0,30}", run(), trace(), nodes, links, airs, connections).prop_map(
            move |(title, run, trace, nodes, links, airs, connections)| Scenario {
                title,
                run,
                trace,
                nodes,
                links: (1..)
                    .zip(links)
                    .map(|(host, (rate, delay, medium, random_seed))| Link {
                        name: format!("link_{host}"),
                        between: [0, host],
                        rate,
                        delay,
                        medium: unhurried(medium, rate),
                        random_seed,
                    })
                    .collect(),
                airs,
                connections: (1..)
                    .zip(connections)
                    .map(|(host, (transfer, start, pace, variant, handshake, tcp))| Connection {
                        from: host,
                        to: host % hosts + 1,
                        transfer: Bytes::new(transfer),
                        start: Instant::ZERO + start,
                        pace: pace.map(|(bytes, every)| Pace { bytes: Bytes::new(bytes), every }),
                        variant,
                        handshake,
                        tcp,
                    })
                    .collect(),
            },
        )
    })
}

/// `text` with a few bytes replaced, removed or put in.
fn mutated(text: &'static str) -> impl Strategy<Value = String> {
    let part = prop_oneof![
        "[ -~\\n]{0,3}",
        select(vec!["[[", "]]", "{", "}", "\"", "=", "\n", "-1", "1e999", "99999999999999999999"])
            .prop_map(String::from),
    ];
    let change = (0..text.len(), 0usize..20, part);
    prop::collection::vec(change, 1..4).prop_map(move |changes| {
        let mut bytes = text.as_bytes().to_vec();
        for (at, removed, put) in changes {
            let at = at.min(bytes.len());
            let end = (at + removed).min(bytes.len());
            bytes.splice(at..end, put.into_bytes());
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Reads `text` both ways and shows what is wrong with it.
fn survives(text: &str) {
    let source = Source::new("random", text);
    for result in [parse_toml(&source, &[]), parse_brace(&source, &[])] {
        match result {
            Ok(scenario) => drop(scenario.to_toml()),
            Err(error) => assert!(!error.to_string().is_empty() && !error.coloured().is_empty()),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_scenario_reads_back_as_it_was(scenario in scenario()) {
        let text = scenario.to_toml();
        let read = toml(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        prop_assert_eq!(read, scenario);
    }

    #[test]
    fn changed_toml_does_not_panic(text in mutated(BASE_STATION)) {
        survives(&text);
    }

    #[test]
    fn changed_brace_format_does_not_panic(text in mutated(BRACE)) {
        survives(&text);
    }

    #[test]
    fn changed_cells_do_not_panic(
        text in prop_oneof![mutated(CELL), mutated(BRACE_CELL)],
    ) {
        survives(&text);
    }

    #[test]
    fn random_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        survives(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_text_does_not_panic(text in "([\\[\\]{}=\"'#;.,\n\r\t a-z0-9_é-]|node|link){0,80}") {
        survives(&text);
    }

    #[test]
    fn overrides_do_not_panic(key in "[a-z0-9.*]{0,20}", value in ".{0,20}") {
        let source = Source::new("base", BASE_STATION);
        for prefix in ["", "link.*.", "connection.0.", "node.212."] {
            if let Ok(setting) = format!("{prefix}{key}={value}").parse::<Override>()
                && let Err(error) = parse_toml(&source, &[setting])
            {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }
}

#[test]
fn deep_nesting_ends() {
    for (open, middle, close) in [
        ("a = ", "[", "]"),
        ("a = ", "{a=", "}"),
        ("", "a.", "a = 1"),
        ("[", "a.", "a]"),
        ("[[", "a.", "a]]"),
        ("", "{", ""),
        ("simulator", "{\n", ""),
    ] {
        survives(&format!("{open}{}{close}", middle.repeat(20_000)));
    }
}
