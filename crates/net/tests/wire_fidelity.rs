//! Packets that are bytes at every hop, and packets that are values, make the
//! same run.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use netjoule_net::{Outcome, run};
use netjoule_scenario::{BASE_STATION, Scenario, Source, load, parse_toml};
use netjoule_testkit::scenarios;
use netjoule_trace::{Event, Nobody, Observer};
use netjoule_units::{Bytes, Instant};
use proptest::prelude::*;

/// A hash of every event with its time.
#[derive(Default)]
struct Digest {
    events: u64,
    hash: u64,
    line: String,
}

impl Observer for Digest {
    fn record(&mut self, now: Instant, event: &Event<'_>) {
        self.line.clear();
        write!(self.line, "{now} {event:?}").unwrap();
        // FNV-1a.
        self.hash = self.line.bytes().fold(self.hash, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        self.events += 1;
    }
}

/// What comes out of a run, unwatched, and what an observer sees of it.
fn results(scenario: &Scenario, seed: u64, wire_fidelity: bool) -> (Outcome, (u64, u64)) {
    let mut scenario = scenario.clone();
    scenario.run.wire_fidelity = wire_fidelity;
    let mut digest = Digest::default();
    let watched = run(&scenario, seed, &mut digest);
    let outcome = run(&scenario, seed, &mut Nobody);
    assert_eq!(watched, outcome);
    (outcome, (digest.events, digest.hash))
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
fn every_example_is_the_same_in_bytes() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let built_in = parse_toml(&Source::new("base station", BASE_STATION), &[]).unwrap();
    let mut examples = vec![("built-in".into(), built_in)];
    for file in files(&directory) {
        let scenario = load(&file, &[]).unwrap_or_else(|error| panic!("{error}"));
        examples.push((file.display().to_string(), scenario));
    }
    assert!(examples.len() >= 10);
    for (name, mut scenario) in examples {
        for connection in &mut scenario.connections {
            // Enough to meet everything that the example is about.
            connection.transfer = connection.transfer.min(Bytes::from_kib(2_000));
        }
        let (in_values, in_bytes) = (results(&scenario, 1, false), results(&scenario, 1, true));
        assert_eq!(in_values, in_bytes, "{name}");
        assert!(in_values.0.events > 0 && in_values.1.0 > 0, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_runs_are_the_same_in_bytes(scenario in scenarios(), seed: u64) {
        let mut scenario = scenario;
        scenario.run.event_budget = 200_000;
        prop_assert_eq!(results(&scenario, seed, false), results(&scenario, seed, true));
    }
}
