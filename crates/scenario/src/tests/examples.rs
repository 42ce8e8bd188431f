//! The files under `scenarios/` and the example in `SCHEMA.md`.

use std::path::{Path, PathBuf};

use netjoule_units::{Duration, Instant};

use super::{SMALL, toml};
use crate::{BASE_STATION, Medium, NodeKind, Scenario, Source, load, parse_toml};

fn scenarios() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")
}

fn loaded(file: &str) -> Scenario {
    load(&scenarios().join(file), &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// The scenarios in `directory` and those below it.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "toml")
            || path.file_name().is_some_and(|name| name == "datafile.dat")
        {
            found.push(path);
        }
    }
    found
}

#[test]
fn every_example_loads_and_survives_the_round_trip() {
    let files = files(&scenarios());
    assert!(files.len() >= 7, "{files:?}");
    for file in files {
        let scenario = load(&file, &[]).unwrap_or_else(|error| panic!("{error}"));
        let shown = parse_toml(&Source::new("shown.toml", scenario.to_toml()), &[]);
        assert_eq!(shown.unwrap_or_else(|error| panic!("{error}")), scenario);
    }
}

#[test]
fn the_example_in_the_schema_shows_every_default() {
    let schema = include_str!("../../SCHEMA.md");
    let example = schema.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    let scenario = toml(example.unwrap()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((scenario.connections.len(), scenario.airs.len()), (2, 2));
    // Every key that the serialiser knows is in it.
    let shown = scenario.to_toml();
    for line in shown.lines().filter(|line| line.contains(" = ")) {
        let key = line.split(" = ").next().unwrap();
        assert!(example.unwrap().contains(&format!("{key} = ")), "{key}");
    }
    // What it calls a default is one.
    for line in example.unwrap().lines().filter(|line| line.contains("# default;")) {
        let without = example.unwrap().replace(line, "");
        assert_eq!(toml(&without).ok().as_ref(), Some(&scenario), "{line}");
    }
}

#[test]
fn the_schema_tells_what_is_current() {
    let schema = include_str!("../../SCHEMA.md");
    let current = schema.split("```toml\n").nth(2).and_then(|rest| rest.split("```").next());
    let spelt_out = toml(&format!("[tcp]\n{}{SMALL}", current.unwrap())).unwrap();
    let by_name = toml(&format!("[tcp]\nprofile = \"current\"\n{SMALL}")).unwrap();
    assert_eq!(spelt_out, by_name);
    for line in current.unwrap().lines() {
        let without = current.unwrap().replace(line, "");
        assert_ne!(toml(&format!("[tcp]\n{without}{SMALL}")).ok(), Some(by_name.clone()), "{line}");
    }
}

#[test]
fn the_built_in_scenario_is_figure_5_1() {
    let scenario = toml(BASE_STATION).unwrap();
    assert_eq!(scenario, loaded("base-station.toml"));
    let kinds: Vec<_> = scenario.nodes.iter().map(|node| node.kind).collect();
    assert_eq!(kinds, [NodeKind::Host, NodeKind::BaseStation, NodeKind::Host]);
    assert_eq!(scenario.run.clock_step, Duration::from_nanos(1));
}

#[test]
fn the_replay_has_the_channel_of_the_sample_trace() {
    let scenario = loaded("legacy/replay/datafile.dat");
    let Medium::Wireless { channel, .. } = &scenario.links[1].medium else { panic!("wireless") };
    assert_eq!(channel.switches, [Instant::from_millis(945), Instant::from_millis(1_044)]);
    assert!(!scenario.trace.channel_file);
}

#[test]
fn the_forced_period_is_that_of_the_replay() {
    let channel = |file| match loaded(file).links.remove(1).medium {
        Medium::Wireless { channel, .. } => channel,
        Medium::Wired { .. } => panic!("wireless"),
    };
    let forced = channel("legacy/forced/datafile.dat");
    assert_eq!(forced.switches, channel("legacy/replay/datafile.dat").switches);
    assert!(forced.mean_bad.is_zero());
}

#[test]
fn the_congested_router_drops_what_two_windows_hold() {
    let scenario = loaded("congestion.toml");
    let windows: u64 = scenario.connections.iter().map(|it| it.tcp.receive_window.get()).sum();
    let buffer = scenario.nodes.iter().map(|node| node.buffer.get()).min();
    assert!(buffer.unwrap() < windows);
}
