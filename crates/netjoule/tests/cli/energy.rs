//! What `run`, `compare` and a trace say of energy.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{fields, listed, objects, succeed, workplace};

/// Two laptops with processors and batteries.
const LAPTOPS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/laptops.toml");
/// Nobody has a device.
const PLAIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/two-losses.toml");

const SHORT: [&str; 2] = ["--set", "connection.0.transfer=200 kB"];

fn laptops(directory: &Path, command: &[&str]) -> String {
    succeed(directory, &[&command[..1], &[LAPTOPS], &command[1..], &SHORT].concat())
}

fn number(object: &Value, field: &str) -> f64 {
    object[field].as_f64().unwrap_or_else(|| panic!("no {field} in {object}"))
}

/// The sum of the values in the object `field`.
fn sum(object: &Value, field: &str) -> f64 {
    object[field].as_object().unwrap().values().map(|value| value.as_f64().unwrap()).sum()
}

#[track_caller]
fn close(actual: f64, expected: f64) {
    assert!((actual / expected - 1.0).abs() < 1e-9, "{actual}, expected {expected}");
}

#[test]
fn json_has_a_line_for_each_metered_node() {
    let directory = workplace();
    let lines = laptops(directory.path(), &["run", "--json"]);
    let objects = objects(&lines);
    let [connection, left, right, summary] = objects.as_slice() else { panic!("{lines}") };
    // 1.4 W at 11 Mbit/s.
    close(number(connection, "least_energy_per_bit_j"), 1.4 / 11e6);
    assert_eq!((&left["node"], &right["node"]), (&"left".into(), &"right".into()));
    assert_eq!(summary["summary"], true);
    for node in [left, right] {
        assert_eq!(node["device"], "wavelan-p90");
        let system = number(node, "energy_system_j");
        let components = ["energy_awake_j", "energy_platform_j"].map(|it| number(node, it));
        close(components.into_iter().sum(), system);
        close(sum(node, "by_cause_j"), system);
        let split: f64 = ["transmit_j", "receive_j", "processing_j", "frames_j"]
            .map(|it| sum(node, it))
            .iter()
            .sum();
        let rest = [
            "listen_j",
            "doze_j",
            "radio_wake_ups_j",
            "promotions_j",
            "processor_idle_j",
            "processor_wake_ups_j",
            "platform_base_j",
            "platform_activity_j",
        ];
        close(split + rest.map(|it| number(node, it)).iter().sum::<f64>(), system);
        let times = ["transmit_s", "receive_s", "overhear_s", "listen_s", "doze_s"];
        close(times.map(|it| number(node, it)).iter().sum(), number(node, "on_s"));
        close(number(node, "energy_awake_uj_per_bit"), number(node, "energy_awake_j") / 1.6);
        close(number(node, "times_limit"), number(node, "energy_awake_j") / (1.4 / 11e6 * 1.6e6));
        assert!(number(node, "energy_idealized_j") < number(node, "energy_awake_j"));
        close(number(node, "wake_ups_per_mb"), number(node, "wake_ups") / 0.2);
        let battery = &node["battery"];
        close(number(battery, "delivered_j"), system);
        close(number(battery, "delivered_j") + number(battery, "remaining_j"), 133_800.0);
        let lifetime = number(battery, "lifetime_s");
        close(lifetime, 133_800.0 / system * number(node, "on_s"));
        close(number(battery, "bytes_per_charge"), 2e5 * lifetime / number(node, "on_s"));
        assert_eq!(node["died_at_s"], Value::Null);
    }
}

#[test]
fn who_has_no_device_is_not_mentioned() {
    let directory = workplace();
    let path = directory.path();
    let lines = succeed(path, &["run", PLAIN, "--json"]);
    let objects = objects(&lines);
    assert_eq!(objects.len(), 2, "{lines}");
    assert!(!fields(&objects[0]).contains(&"least_energy_per_bit_j"));
    let compared = succeed(path, &["compare", PLAIN, "--runs", "2", "--json"]);
    assert!(!compared.contains("energy") && !compared.contains("charge"), "{compared}");
    for table in [succeed(path, &["run", PLAIN]), succeed(path, &["compare", PLAIN, "--runs", "2"])]
    {
        assert!(!table.contains("E_A") && !table.to_lowercase().contains("energ"), "{table}");
    }
}

#[test]
fn the_tables_fit_and_leave_out_what_is_nothing() {
    let directory = workplace();
    let table = laptops(directory.path(), &["run"]);
    for label in [
        "wavelan-p90",
        "energy in all, J",
        "of it: processor, J",
        "E_A, µJ per bit",
        "E_A, times the limit L0",
        "radio: sending, %",
        "on the air: ACKs, J",
        "processing: payload, J",
        "wake-ups per MB",
        "battery lasts, min",
        "own MB per charge",
        "all nodes: E_A ",
    ] {
        assert!(table.contains(label), "no {label} in\n{table}");
    }
    for label in ["dozing", "overhearing", "power save", "died at"] {
        assert!(!table.contains(label), "{label} in\n{table}");
    }
    let compared = laptops(directory.path(), &["compare", "--runs", "2"]);
    for label in ["energy: airtime, J", "saved over Unmodified, J", "saved: airtime, J"] {
        assert!(compared.contains(label), "no {label} in\n{compared}");
    }
    assert!([table, compared].iter().all(|it| it.lines().all(|it| it.chars().count() <= 100)));
}

#[test]
fn an_empty_battery_has_its_time() {
    let directory = workplace();
    let path = directory.path();
    let battery = "node.left.battery={ model = \"ideal\", capacity = \"5 J\" }";
    let arguments = ["run", LAPTOPS, "--set", battery];
    let table = super::netjoule(path, &arguments);
    assert_eq!(table.status.code(), Some(1));
    assert!(super::text(table.stdout).contains("died at, s"));
    let lines = super::netjoule(path, &[&arguments[..], &["--json"]].concat()).stdout;
    let nodes = objects(&super::text(lines));
    close(number(&nodes[1], "died_at_s"), number(&nodes[1]["battery"], "lifetime_s"));
    assert_eq!(nodes[2]["died_at_s"], Value::Null);
}

#[test]
fn differences_are_split_by_cause() {
    let directory = workplace();
    let arguments = ["compare", "base.toml", "--runs", "3", "--json"];
    let rows = objects(&succeed(directory.path(), &arguments));
    let difference = |metric: &str| {
        let row = rows.iter().find(|it| it["variant"] == "refined-icmp" && it["metric"] == metric);
        let row = row.unwrap_or_else(|| panic!("no {metric}"));
        assert_eq!(row["baseline"], "reno");
        assert!(row["difference_ci95_low"].is_f64(), "{row}");
        number(row, "difference")
    };
    let causes = ["airtime", "retransmission", "overhearing", "idle", "processing", "platform"];
    let parts = causes.map(|cause| difference(&format!("energy_{cause}_j")));
    let whole = difference("energy_system_j");
    assert!((parts.iter().sum::<f64>() - whole).abs() < 1e-9, "{parts:?} of {whole}");
    for metric in ["energy_awake_uj_per_bit", "energy_idealized_uj_per_bit", "times_limit"] {
        difference(metric);
    }
    // Cards have neither battery nor processor.
    let text = format!("{rows:?}");
    assert!(!text.contains("lifetime_s") && !text.contains("wake_ups_per_mb"));
}

#[test]
fn a_power_trace_integrates_to_the_ledger_and_changes_nothing() {
    let directory = workplace();
    let path = directory.path();
    let plain = objects(&laptops(path, &["run", "--json"]));
    let more = ["--set", "trace.power_interval=1 ms", "--set", "trace.csv=true", "--trace", "t"];
    let traced = objects(&laptops(path, &[&["run", "--json"], &more[..]].concat()));
    assert_eq!(plain[..3], traced[..3]);
    assert_eq!(plain[3]["fingerprint"], traced[3]["fingerprint"]);
    let files: Vec<_> =
        listed(&path.join("t")).into_iter().filter(|it| it.ends_with("dat")).collect();
    assert_eq!(files, ["power-left.dat", "power-right.dat"]);

    let events = fs::read_to_string(path.join("t/events.csv")).unwrap();
    for node in &plain[1..3] {
        let name = node["node"].as_str().unwrap();
        // Exact energies, of intervals.
        let [mut radio, mut system] = [0.0; 2];
        for line in events.lines().filter(|line| line.contains(&format!(",{name},power,"))) {
            let cells: Vec<_> = line.split(',').rev().collect();
            system += cells[0].parse::<f64>().unwrap();
            radio += cells[1].parse::<f64>().unwrap();
        }
        close(radio, number(node, "energy_radio_j"));
        close(system, number(node, "energy_system_j"));
        // Mean powers, over the time since the line before.
        let file = fs::read_to_string(path.join(format!("t/power-{name}.dat"))).unwrap();
        let mut lines = file.lines();
        assert_eq!(lines.next(), Some("# time_s radio_w system_w"));
        let (mut last, mut joules) = (0.0, [0.0; 2]);
        for line in lines {
            let [time, radio, system] = line
                .split(' ')
                .map(|cell| cell.parse::<f64>().unwrap())
                .collect::<Vec<_>>()
                .try_into()
                .unwrap();
            joules[0] += radio * (time - last);
            joules[1] += system * (time - last);
            last = time;
        }
        assert!((joules[0] - number(node, "energy_radio_j")).abs() < 1e-8);
        assert!((joules[1] - number(node, "energy_system_j")).abs() < 1e-8);
        close(last, number(node, "on_s"));
    }
}
