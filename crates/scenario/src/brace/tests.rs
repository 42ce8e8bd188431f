use netjoule_link::dot11::phy::PhyKind;
use netjoule_units::{BitRate, Bytes, Duration, Instant, Probability};
use netjoule_wire::Headers;

use crate::{
    Error, Link, LinkLayer, Medium, NodeKind, Notices, Scenario, Source, load, parse_brace,
};

const EXAMPLE: &str = include_str!("../../../../scenarios/legacy/datafile.dat");

fn brace(text: &str) -> Result<Scenario, Error> {
    parse_brace(&Source::new("datafile.dat", text), &[])
}

/// The example with `from` replaced by `to`.
fn with(from: &str, to: &str) -> Result<Scenario, Error> {
    assert!(EXAMPLE.contains(from), "{from}");
    brace(&EXAMPLE.replacen(from, to, 1))
}

fn brief(error: &Error) -> Vec<String> {
    error
        .diagnostics()
        .iter()
        .map(|it| {
            let place = it.position.map(|at| format!("{}:{} ", at.line, at.column));
            format!("{}{}: {}", place.unwrap_or_default(), it.key, it.message)
        })
        .collect()
}

#[track_caller]
fn refused(result: Result<Scenario, Error>, expected: &[&str]) {
    let error = result.unwrap_err();
    assert_eq!(brief(&error), expected, "{error}");
}

#[test]
fn the_example_has_the_units_and_kinds_of_the_text() {
    let scenario = brace(EXAMPLE).unwrap();
    assert_eq!(scenario.run.time_limit, Duration::from_secs(4_300));
    assert_eq!(scenario.run.clock_step, Duration::from_millis(1));
    assert_eq!(scenario.run.headers, Headers::None);
    assert_eq!(scenario.trace.state_interval, Duration::from_millis(500));
    assert!(scenario.trace.channel_file);

    let [source, base, sink] = scenario.nodes.as_slice() else { panic!("three nodes") };
    assert_eq!((source.name.as_str(), source.kind), ("211", NodeKind::Host));
    assert_eq!((source.link_layer, sink.link_layer), (LinkLayer::Unreliable, LinkLayer::Reliable));
    assert_eq!((base.kind, base.notices), (NodeKind::BaseStation, Notices::AsHeard));
    assert_eq!((base.link_layer, base.buffer), (LinkLayer::Reliable, Bytes::new(512_000)));

    let [wire, air] = scenario.links.as_slice() else { panic!("two links") };
    assert_eq!((wire.rate, wire.delay), (BitRate::from_mbit_per_s(8), Duration::from_millis(492)));
    assert_eq!((wire.between, air.between), ([0, 1], [1, 2]));
    assert_eq!(wire.medium, Medium::Wired { loss: Probability::ZERO });
    assert_eq!((wire.random_seed, air.random_seed), (2, 3));
    let Medium::Wireless { channel, arq } = &air.medium else { panic!("wireless") };
    assert_eq!(channel.mean_good, Duration::from_secs(5));
    assert_eq!(channel.mean_bad, Duration::from_millis(100));
    assert_eq!((arq.retries, arq.frame_header), (8, Bytes::new(0)));

    let connection = &scenario.connections[0];
    assert_eq!((connection.from, connection.to), (0, 2));
    assert_eq!(connection.transfer, Bytes::new(10_240_000));
    assert_eq!(connection.start, Instant::ZERO);
    assert_eq!(connection.variant.name, "reno");
    assert_eq!(connection.tcp.mss, Bytes::new(1_024));
    assert_eq!(connection.tcp.receive_window, Bytes::from_kib(16));
    assert_eq!(connection.tcp.initial_rto, Duration::from_secs(3));
}

#[test]
fn what_is_optional_can_be_left_out_or_put_in() {
    let scenario = with("print_interval = 500               # ms", "").unwrap();
    assert_eq!(scenario.trace.state_interval, Duration::ZERO);
    let scenario = with("dest_id = 213", "dest_id = 213\nstart_time = 1500").unwrap();
    assert_eq!(scenario.connections[0].start, Instant::from_millis(1_500));
}

#[test]
fn comments_and_line_ends_may_be_anywhere() {
    let windows = EXAMPLE.replace('\n', "\r\n");
    assert_eq!(brace(&windows).unwrap(), brace(EXAMPLE).unwrap());
    let packed = EXAMPLE.replace("\n{\n", " { # here\n#\n\n");
    assert_eq!(brace(&packed).unwrap(), brace(EXAMPLE).unwrap());
    let tight = EXAMPLE.replace(" = ", "=").replace("node_id=213\n}", "node_id=213}");
    assert_eq!(brace(&tight).unwrap(), brace(EXAMPLE).unwrap());
}

#[test]
fn a_byte_order_mark_is_no_content() {
    assert_eq!(brace(&format!("\u{feff}{EXAMPLE}")).unwrap(), brace(EXAMPLE).unwrap());
    refused(
        brace("\u{feff}wired_lnk {\n}\n"),
        &[
            "1:1 simulator: the file has no such component",
            "1:1 wired_lnk: there is no such component",
        ],
    );
}

#[test]
fn an_error_is_shown_in_its_line() {
    let error = with("latency = 492 ", "latency = fast ").unwrap_err();
    assert_eq!(
        error.to_string(),
        "\
error: wired_link.latency: found `fast`, expected a number of milliseconds
  --> datafile.dat:36:15
   |
36 |     latency = fast                      # ms
   |               ^^^^"
    );
}

#[test]
fn every_syntax_error_is_told() {
    let text = "\
simulator
{
    read_from_trace = 3
    speed 5
    print_interval = 7 8
    = 4
}
wired_lnk {
    any = 1
}
base_station
{
    buffer_size = 1 processing_delay = 3
    node_id = 5;
    node_id = 6
    buffer_size =
wired_sink_node
";
    refused(
        brace(text),
        &[
            "1:1 simulator.system_simulation_time: is missing",
            "3:23 simulator.read_from_trace: found `3`, expected 0, 1 or 2",
            "4:5 simulator.speed: there is no such attribute",
            "4:11 simulator.speed: found `5`, expected `=`",
            "5:24 simulator.print_interval: found `8`, expected the end of the line",
            "6:5 simulator: found `=`, expected the name of an attribute or `}`",
            "8:1 wired_lnk: there is no such component",
            "11:1 base_station.processing_delay: is missing",
            "13:21 base_station.buffer_size: found `processing_delay`, expected the end of the \
             line",
            "15:5 base_station.node_id: is given twice",
            "16:5 base_station.buffer_size: is given twice",
            "16:18 base_station.buffer_size: found the end of the line, expected a value",
            "17:1 base_station.wired_sink_node: there is no such attribute",
            "17:16 base_station: found the end of the file, expected `}`",
            "17:16 base_station.wired_sink_node: found the end of the line, expected `=`",
        ],
    );
}

#[test]
fn numbers_have_their_kind() {
    for (from, to, expected) in [
        (
            "node_id = 213",
            "node_id = two",
            "29:15 wireless_sink_node.node_id: found `two`, \
          expected a number that identifies it",
        ),
        (
            "pkt_size = 1024",
            "pkt_size = 0.5",
            "16:16 wired_source_node.pkt_size: found `0.5`, \
          expected a number of bytes",
        ),
        (
            "recv_wnd_size = 16",
            "recv_wnd_size = -1",
            "17:21 wired_source_node.recv_wnd_size: \
          found `-1`, expected a number of KB of 1024 bytes",
        ),
        (
            "bandwidth = 8000000",
            "bandwidth = 0",
            "35:17 wired_link.bandwidth: found `0`, \
          expected a number of bits per second, 1 and more",
        ),
        (
            "loss_probability = 0",
            "loss_probability = 2",
            "39:24 wired_link.loss_probability: \
          found `2`, expected a probability, 0 to 1",
        ),
        (
            "to_send = 10000",
            "to_send = 1e4",
            "15:27 wired_source_node.num_of_pkts_to_send: \
          found `1e4`, expected a whole number",
        ),
        (
            "good_state = 5.0",
            "good_state = 0.0000000001",
            "50:35 \
          wireless_link.mean_exp_distrib_good_state: found `0.0000000001`, expected a number of \
          seconds",
        ),
        (
            "to_send = 10000",
            "to_send = 18446744073709551615",
            "15:27 num_of_pkts_to_send: \
          18446744073709551615 packets of 1024 B are more than 2^64 bytes",
        ),
    ] {
        refused(with(from, to), &[expected]);
    }
}

#[test]
fn checks_of_the_whole_point_into_the_file() {
    refused(
        with("node_id2 = 213", "node_id2 = 999"),
        &["49:16 link.102.between: there is no node `999`"],
    );
    refused(
        with("node_id = 212", "node_id = 0211"),
        &[
            "22:15 node.211.name: `211` is taken",
            "38:16 link.101.between: there is no node `212`",
            "48:16 link.102.between: there is no node `212`",
        ],
    );
    refused(with("link_id = 102", "link_id = 101"), &["45:15 link.101.name: `101` is taken"]);
    refused(
        with("recv_wnd_size = 16", "recv_wnd_size = 0"),
        &["17:21 connection.0.tcp.receive_window: found \"0 KiB\", expected at least the mss \
           (1 KiB) and less than 1 GiB"],
    );
}

#[test]
fn one_simulator_is_needed() {
    refused(brace(""), &["1:1 simulator: the file has no such component"]);
    let simulator = "simulator\n{\nsystem_simulation_time = 1\nread_from_trace = 1\n}\n";
    refused(
        brace(&format!("{simulator}{EXAMPLE}")),
        &["9:1 simulator: only one such component can be there"],
    );
}

const CELL: &str = include_str!("../../../../scenarios/legacy/cell/datafile.dat");

fn cell_with(from: &str, to: &str) -> Result<Scenario, Error> {
    assert!(CELL.contains(from), "{from}");
    brace(&CELL.replacen(from, to, 1))
}

#[test]
fn links_that_share_a_medium_are_one_air() {
    let scenario = brace(CELL).unwrap();
    assert!(scenario.links.iter().all(|link| matches!(link.medium, Medium::Wired { .. })));
    let [air] = scenario.airs.as_slice() else { panic!("one air") };
    let names: Vec<_> = air.stations.iter().map(|&it| scenario.nodes[it].name.as_str()).collect();
    assert_eq!(names, ["212", "213", "214", "215"]);
    assert_eq!((air.name.as_str(), air.access_point), ("shared-1", Some(air.stations[0])));
    let rate = BitRate::from_mbit_per_s(2);
    assert_eq!((air.dot11.rate, air.dot11.control_rate), (rate, Some(rate)));
    assert_eq!(air.dot11.phy, PhyKind::B);
    let channels: Vec<_> = scenario.channels().map(|it| (it.name, it.random_seed)).collect();
    assert_eq!(channels, [("104", 4), ("105", 5), ("106", 6)]);
    // The same bandwidth, but a latency of its own for each.
    let late = cell_with("latency = 0\n", "latency = 3\n").unwrap();
    let delays: Vec<_> = late.airs[0].channels.iter().map(|it| it.delay).collect();
    assert_eq!(delays, [0, 3, 0].map(Duration::from_millis));
    assert_eq!(air.channels[1].channel.mean_bad, Duration::from_millis(200));
    assert_eq!(air.channels[1].channel.loss_bad, Probability::ONE);
}

#[test]
fn links_that_share_nothing_keep_theirs() {
    let scenario = cell_with("    link_id = 105\n    link_id = 106\n}", "}").unwrap();
    let wireless = |it: &&Link| matches!(it.medium, Medium::Wireless { .. });
    let links: Vec<_> = scenario.links.iter().filter(wireless).map(|it| it.name.as_str()).collect();
    assert_eq!(links, ["105", "106"]);
    // Even one alone has its medium by the rules of IEEE 802.11 then.
    assert_eq!(scenario.airs[0].stations.len(), 2);
    let scenario =
        cell_with("    link_id = 106\n}", "}\nshared_links {\n    link_id = 106\n}").unwrap();
    let names: Vec<_> = scenario.airs.iter().map(|air| air.name.as_str()).collect();
    assert_eq!(names, ["shared-1", "shared-2"]);
}

#[test]
fn links_that_share_a_medium_have_to_fit() {
    let line = |needle: &str| CELL.lines().position(|line| line.contains(needle)).unwrap() + 1;
    let entry = line("shared_links");
    let id = "shared_links.link_id";
    let at = |offset: usize| format!("{}:15 {id}", entry + offset);
    refused(
        cell_with("    link_id = 105\n    link_id = 106", "    link_id = 101\n    link_id = 104"),
        &[
            &format!("{}: there is no such wireless link", at(3)),
            &format!("{}: this link is shared already", at(4)),
        ],
    );
    let (links, entry) = CELL.split_at(CELL.find("shared_links\n").unwrap());
    refused(
        brace(&format!("{entry}{links}")),
        &[
            "3:15 shared_links.link_id: the wireless link must stand above this entry",
            "4:15 shared_links.link_id: the wireless link must stand above this entry",
            "5:15 shared_links.link_id: the wireless link must stand above this entry",
        ],
    );
    let second = line("bandwidth = 2000000 ") + 12;
    refused(
        cell_with("bandwidth = 2000000\n", "bandwidth = 2000001\n"),
        &[&format!(
            "{second}:17 wireless_link.bandwidth: found 2000001 bit/s, expected 2 Mbit/s as of \
             all on this medium"
        )],
    );
    refused(
        cell_with("node_id1 = 212\n    node_id2 = 214", "node_id1 = 213\n    node_id2 = 214"),
        &[&format!("{}: the links have no node in common that could be their base station", at(2))],
    );
    refused(
        cell_with("    link_id = 104\n    link_id = 105\n    link_id = 106", "    id = 1"),
        &[
            &format!("{}:1 shared_links.link_id: is missing", line("shared_links")),
            &format!("{}:5 shared_links.id: there is no such attribute", line("shared_links") + 2),
        ],
    );
}

#[test]
fn a_trace_is_of_one_wireless_link() {
    let wired = EXAMPLE
        .replace("wireless_link", "wired_link")
        .replace("mean_exp_distrib_good_state = 5.0  # s", "loss_probability = 0")
        .replace("mean_exp_distrib_bad_state = 0.1   # s", "");
    let scenario = brace(&wired).unwrap();
    assert!(!scenario.trace.channel_file, "1 is the value for every other network");
    refused(
        brace(&wired.replace("read_from_trace = 1", "read_from_trace = 0")),
        &["8:23 simulator.read_from_trace: 0 and 2 need exactly one wireless link, and there \
           are 0; 1 is for any"],
    );
}

#[test]
fn the_files_of_a_channel_are_beside_the_scenario() {
    refused(
        with("read_from_trace = 1", "read_from_trace = 0"),
        &["8:23 link.102.channel.trace: no directory is known to look for the file \
           \"trace.dat\" in"],
    );
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("datafile.dat");
    let write = |file: &str, text: &str| std::fs::write(directory.path().join(file), text);
    let forced = EXAMPLE.replace("read_from_trace = 1", "read_from_trace = 2");

    // The mean stay in BAD must be 0 (goel1997 B.3.1), and there is no file yet.
    write("datafile.dat", &forced).unwrap();
    let error = load(&path, &[]).unwrap_err();
    let all = brief(&error);
    assert!(all[0].starts_with("8:23 link.102.channel.bad_periods: cannot read "), "{all:?}");
    let help = error.diagnostics()[0].help.as_deref().unwrap();
    assert!(help.contains("the start and the end of a BAD period in ms: `945 1044`"), "{help}");
    assert_eq!(
        all[1],
        "51:34 link.102.channel.mean_bad: found 100 ms, expected 0 where BAD \
                        periods are forced"
    );

    write("datafile.dat", &forced.replace("bad_state = 0.1", "bad_state = 0")).unwrap();
    write("patch.dat", "10 20 # first\n\n30.5 40\n").unwrap();
    let scenario = load(&path, &[]).unwrap();
    let Medium::Wireless { channel, .. } = &scenario.links[1].medium else { panic!("wireless") };
    let micros: Vec<_> = channel.switches.iter().map(|switch| switch.as_nanos() / 1_000).collect();
    assert_eq!(micros, [10_000, 20_000, 30_500, 40_000]);
    assert!(scenario.trace.channel_file);

    write("patch.dat", "10 20\n15 30\n").unwrap();
    let error = load(&path, &[]).unwrap_err();
    assert_eq!(
        brief(&error),
        ["2:1 link.102.channel.bad_periods: found 15, expected no time before the one in front \
          of it"]
    );
    assert!(error.diagnostics()[0].file.ends_with("patch.dat"));
    assert_eq!(error.diagnostics()[0].help.as_deref(), Some(help));
}
