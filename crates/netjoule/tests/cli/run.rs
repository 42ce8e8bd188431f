//! `netjoule run`

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{fields, listed, netjoule, objects, succeed, text, workplace};

/// The objects of a run without its wall time.
fn timeless(lines: &str) -> Vec<Value> {
    let mut objects = objects(lines);
    let summary = objects.last_mut().unwrap().as_object_mut().unwrap();
    summary.remove("wall_time_s").unwrap();
    objects
}

#[test]
fn json_has_the_fields_that_scripts_rely_on() {
    let directory = workplace();
    let lines = succeed(directory.path(), &["run", "base.toml", "--json", "--seed", "7"]);
    let objects = objects(&lines);
    let [connection, _, _, summary] = objects.as_slice() else { panic!("{lines}") };
    let promised = [
        "variant",
        "seed",
        "source",
        "destination",
        "completed",
        "completion_time_s",
        "bytes_delivered",
        "goodput_bit_per_s",
        "segments_sent",
        "segments_retransmitted",
        "timeouts",
        "fast_retransmits",
        "icmp_messages",
        "losses",
        "closed",
        "control_packets",
    ];
    for name in promised {
        assert!(fields(connection).contains(&name), "no {name} in {lines}");
    }
    assert_eq!(
        fields(&connection["losses"]),
        ["channel_error", "dead_node", "queue_overflow", "retry_limit", "wired_loss"]
    );
    assert_eq!(connection["variant"], "reno");
    assert_eq!(connection["seed"], 7);
    assert_eq!(connection["source"], "211");
    assert_eq!(connection["destination"], "213");
    assert_eq!(connection["completed"], true);
    assert_eq!(connection["bytes_delivered"], 200 * 1024);
    let time = connection["completion_time_s"].as_f64().unwrap();
    let goodput = connection["goodput_bit_per_s"].as_f64().unwrap();
    assert!((goodput * time - 200.0 * 8192.0).abs() < 1e-3, "{lines}");

    assert_eq!(
        fields(summary),
        ["events", "fingerprint", "simulated_time_s", "summary", "wall_time_s"]
    );
    assert_eq!(summary["summary"], true);
    assert_eq!(summary["fingerprint"].as_str().unwrap().len(), 16);
}

#[test]
fn equal_runs_are_equal_and_seeds_matter() {
    let directory = workplace();
    let run = |seed| {
        timeless(&succeed(directory.path(), &["run", "base.toml", "--json", "--seed", seed]))
    };
    assert_eq!(run("3"), run("3"));
    assert_ne!(run("3").last(), run("4").last());
}

#[test]
fn the_table_says_what_json_says() {
    let directory = workplace();
    let table = succeed(directory.path(), &["run", "base.toml"]);
    let lines = succeed(directory.path(), &["run", "base.toml", "--json"]);
    let objects = objects(&lines);
    let time = objects[0]["completion_time_s"].as_f64().unwrap();
    for expected in [
        "211 → 213".to_owned(),
        format!("{time:.3}"),
        objects[0]["segments_sent"].to_string(),
        objects[3]["fingerprint"].as_str().unwrap().to_owned(),
    ] {
        assert!(table.contains(&expected), "no {expected} in\n{table}");
    }
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
}

/// The text of every file in `directory`.
fn contents(directory: &Path) -> Vec<(String, String)> {
    listed(directory)
        .into_iter()
        .map(|name| (name.clone(), fs::read_to_string(directory.join(name)).unwrap()))
        .collect()
}

#[test]
fn a_trace_has_the_files_of_the_thesis_and_leaves_the_run_alone() {
    let directory = workplace();
    let path = directory.path();
    let plain = succeed(path, &["run", "base.toml", "--json"]);
    let all = ["--set", "trace.csv=true", "--set", "trace.channel_file=true"];
    let traced = |to: &str| {
        let arguments = ["run", "base.toml", "--json", "--trace", to];
        succeed(path, &[&arguments[..], &all[..]].concat())
    };
    assert_eq!(timeless(&traced("a/b")), timeless(&plain));
    assert_eq!(
        listed(&path.join("a/b")),
        [
            "211-ackno",
            "211-congestion",
            "211-seqno",
            "211-swnd_size",
            "211-threshold",
            "212-router_pkt_arrival",
            "attributes.csv",
            "events.csv",
            "events.txt",
            "trace.dat",
            "wless_state-212-213",
        ]
    );
    traced("again");
    assert_eq!(contents(&path.join("a/b")), contents(&path.join("again")));

    let seqno = fs::read_to_string(path.join("a/b/211-seqno")).unwrap();
    let sent = objects(&plain)[0]["segments_sent"].as_u64().unwrap();
    assert_eq!(seqno.lines().count() as u64, sent);
    assert!(seqno.starts_with("0 0\n"), "{seqno}");
    let ackno = fs::read_to_string(path.join("a/b/211-ackno")).unwrap();
    assert!(ackno.ends_with(&format!(" {}\n", 200 * 1024)), "{ackno}");
    let events = fs::read_to_string(path.join("a/b/events.txt")).unwrap();
    assert!(events.ends_with("\nNormal Termination.\n"), "{events}");
}

#[test]
fn a_recorded_channel_can_be_run_again() {
    let directory = workplace();
    let path = directory.path();
    let scenario = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/base-station.toml");
    fs::copy(scenario, path.join("scenario.toml")).unwrap();
    let run = |more: &[&str]| {
        let transfer = "connection.0.transfer=2000 KiB";
        let lines =
            succeed(path, &[&["run", "scenario.toml", "--json", "--set", transfer], more].concat());
        objects(&lines)[0]["completion_time_s"].clone()
    };
    let record = ["--seed", "5", "--trace", "traces", "--set", "trace.channel_file=true"];
    let recorded = run(&record);
    let switches = fs::read_to_string(path.join("traces/trace.dat")).unwrap();
    assert!(switches.lines().count() > 2, "{switches}");

    assert_ne!(run(&["--seed", "6"]), recorded);
    // Another seed, but the recorded channel.
    let replay = ["--seed", "6", "--set", "link.102.channel.trace=traces/trace.dat"];
    assert_eq!(run(&replay), recorded);
}

#[test]
fn packets_that_are_bytes_change_no_result_and_no_trace() {
    let directory = workplace();
    let path = directory.path();
    let run = |to: &str, more: &[&str]| {
        let arguments = ["run", "base.toml", "--json", "--set", "trace.csv=true", "--trace", to];
        let handshake = ["--set", "connection.0.handshake=true"];
        let lines = succeed(path, &[&arguments[..], &handshake, more].concat());
        (timeless(&lines), contents(&path.join(to)))
    };
    assert_eq!(run("a", &[]), run("b", &["--wire-fidelity"]));
}

#[test]
fn a_capture_stands_beside_a_trace() {
    let directory = workplace();
    let path = directory.path();
    let plain = succeed(path, &["run", "base.toml", "--json"]);
    let arguments = ["run", "base.toml", "--json", "--trace", "t", "--pcap", "t/all.pcapng"];
    assert_eq!(timeless(&succeed(path, &arguments)), timeless(&plain));
    assert!(listed(&path.join("t")).len() > 5);
    let size = |name: &str| fs::metadata(path.join(name)).unwrap().len();
    let bytes = objects(&plain)[0]["bytes_delivered"].as_u64().unwrap();
    assert!(size("t/all.pcapng") > bytes);
    // The base station neither sends nor gets segments.
    succeed(path, &["run", "base.toml", "--pcap", "base.pcapng", "--pcap-at", "212"]);
    assert!(size("base.pcapng") < 1_000);
}

#[test]
fn a_run_that_stops_early_fails_with_its_results() {
    let directory = workplace();
    for limit in ["run.time_limit=1 s", "run.event_budget=100"] {
        let output = netjoule(directory.path(), &["run", "base.toml", "--json", "--set", limit]);
        let (lines, message) = (text(output.stdout), text(output.stderr));
        assert_eq!(output.status.code(), Some(1), "{message}");
        let (key, _) = limit.split_once('=').unwrap();
        assert!(message.contains(key), "{message}");
        let objects = objects(&lines);
        assert_eq!(objects[0]["completed"], false);
        assert_eq!(objects[0]["completion_time_s"], Value::Null);
        assert_eq!(objects[3]["summary"], true);
    }
}

#[test]
fn a_connection_that_fails_says_why() {
    let directory = workplace();
    let silent = "link.102.channel.switches=[\"1 s\"]";
    let arguments = [
        "run",
        "base.toml",
        "--json",
        "--set",
        silent,
        "--set",
        "connection.0.tcp.user_timeout=20 s",
    ];
    for handshake in ["connection.0.handshake=false", "connection.0.handshake=true"] {
        let arguments = [&arguments[..], &["--set", handshake]].concat();
        let output = netjoule(directory.path(), &arguments);
        let (lines, message) = (text(output.stdout), text(output.stderr));
        assert_eq!(output.status.code(), Some(1), "{message}");
        let expected = "error: connection 0 (211 → 213) closed: nothing was acknowledged for the \
                        user timeout, with ";
        assert!(message.starts_with(expected), "{message}");
        assert!(message.ends_with(" of 200 KiB delivered\n"), "{message}");
        let objects = objects(&lines);
        assert_eq!(objects[0]["completed"], false);
        assert_eq!(objects[0]["closed"], "user_timeout");
    }
    let table = netjoule(directory.path(), &[&arguments[..2], &arguments[3..]].concat());
    assert!(text(table.stdout).contains("failed"));
}

#[test]
fn an_empty_battery_is_told() {
    let directory = workplace();
    let small = "node.213.battery={ model = \"ideal\", capacity = \"5 J\" }";
    let device = "node.213.device=wavelan-p90";
    let arguments = ["run", "base.toml", "--json", "--set", device, "--set", small];
    let output = netjoule(directory.path(), &arguments);
    let (lines, message) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(1), "{message}");
    // Half a second at ten watts.
    assert!(message.starts_with("error: the battery of 213 was empty after 0."), "{message}");
    assert_eq!(objects(&lines)[0]["completed"], false);
}

#[test]
fn a_connection_with_a_handshake_is_closed_in_good_order() {
    let directory = workplace();
    let closed = |handshake| {
        let lines = succeed(directory.path(), &["run", "base.toml", "--json", "--set", handshake]);
        let connection = &objects(&lines)[0];
        (connection["closed"].clone(), connection["control_packets"].clone())
    };
    assert_eq!(closed("connection.0.handshake=true"), ("finished".into(), 3.into()));
    assert_eq!(closed("connection.0.handshake=false"), (Value::Null, 0.into()));
}
