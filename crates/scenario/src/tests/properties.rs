//! What holds for every input.

use netjoule_link::arq::{self, Discipline};
use netjoule_link::two_state::{self, Exposure};
use netjoule_transport::tcp::{
    AvoidanceIncrement, BackoffEnd, InitialWindow, Options, SsthreshBase, TimerKind, VARIANTS,
};
use netjoule_units::{BitRate, Bytes, Duration, Instant, Probability};
use netjoule_wire::Headers;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::toml;
use crate::{
    Attribute, BASE_STATION, Connection, EventKind, Link, LinkLayer, Medium, Node, NodeKind,
    Notices, Override, Run, Scenario, Source, Trace, parse_brace, parse_toml,
};

const BRACE: &str = include_str!("../../../../scenarios/legacy/datafile.dat");

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
    (any::<u64>(), some_time(), 1u64.., some_time(), headers).prop_map(
        |(seed, time_limit, event_budget, clock_step, headers)| Run {
            seed,
            time_limit,
            event_budget,
            clock_step,
            headers,
        },
    )
}

fn trace() -> impl Strategy<Value = Trace> {
    let attributes = subsequence(Attribute::ALL.to_vec(), 0..=Attribute::ALL.len());
    let events = subsequence(EventKind::ALL.to_vec(), 0..=EventKind::ALL.len());
    (attributes, events, time(), any::<bool>()).prop_map(
        |(attributes, events, state_interval, csv)| Trace {
            attributes,
            events,
            state_interval,
            csv,
            channel_file: false,
        },
    )
}

fn options() -> impl Strategy<Value = Options> {
    let sizes = (1u64..=65_535).prop_flat_map(|mss| (Just(mss), mss..1 << 30, mss..));
    let counts = (1u32..=1_000, 1u32.., 1u32..);
    let rto = time().prop_map(|time| time.max(Duration::from_millis(1)));
    let rtos = prop::collection::vec(rto, 3);
    let rules = (
        select(vec![TimerKind::Fine, TimerKind::Ticking]),
        select(vec![BackoffEnd::Sample, BackoffEnd::NewAck]),
        select(vec![AvoidanceIncrement::Standard, AvoidanceIncrement::Bsd43]),
        select(vec![SsthreshBase::FlightSize, SsthreshBase::Window]),
    );
    (sizes, counts, rtos, some_time(), some_time(), rules).prop_map(
        |((mss, window, ssthresh), counts, mut rtos, ack_delay, timer_granularity, rules)| {
            rtos.sort_unstable();
            Options {
                mss: Bytes::new(mss),
                receive_window: Bytes::new(window),
                initial_ssthresh: Bytes::new(ssthresh),
                initial_window: InitialWindow::Segments(counts.0),
                dupthresh: counts.1,
                ack_every: counts.2,
                min_rto: rtos[0],
                initial_rto: rtos[1],
                max_rto: rtos[2],
                ack_delay,
                timer_granularity,
                timers: rules.0,
                backoff_end: rules.1,
                avoidance_increment: rules.2,
                ssthresh_base: rules.3,
                ..Options::default()
            }
        },
    )
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

fn node(name: String, kind: NodeKind) -> impl Strategy<Value = Node> {
    let link_layer = select(vec![LinkLayer::Reliable, LinkLayer::Unreliable]);
    let queue = select(vec![Discipline::RoundRobin, Discipline::Fifo]);
    let notices = select(vec![Notices::AsHeard, Notices::Always, Notices::Never]);
    (size(), time(), link_layer, queue, any::<bool>(), notices).prop_map(
        move |(buffer, processing_delay, link_layer, queue, shared_transmitter, notices)| Node {
            name: name.clone(),
            kind,
            buffer,
            processing_delay,
            link_layer,
            queue,
            shared_transmitter,
            notices,
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
        let connection = (1u64.., time(), select(VARIANTS.iter().collect::<Vec<_>>()), options());
        let links = prop::collection::vec(link, hosts);
        let connections = prop::collection::vec(connection, hosts);
        ("[^\\p{Cc}]{0,30}", run(), trace(), nodes, links, connections).prop_map(
            move |(title, run, trace, nodes, links, connections)| Scenario {
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
                connections: (1..)
                    .zip(connections)
                    .map(|(host, (transfer, start, variant, tcp))| Connection {
                        from: host,
                        to: host % hosts + 1,
                        transfer: Bytes::new(transfer),
                        start: Instant::ZERO + start,
                        variant,
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
