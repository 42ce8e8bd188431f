//! What nodes are made of.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use netjoule_energy::battery;
use netjoule_energy::device::{Device, builtin};

use super::{SMALL, brief, only, overrides, small_with};
use crate::{NodeDevice, Scenario, Source, load, parse_toml};

const LAPTOP: &str = "kind = \"host\"\ndevice = \"wavelan-p90\"";

/// [`SMALL`] with `more` for the first node.
fn with(more: &str) -> Result<Scenario, crate::Error> {
    small_with("kind = \"host\"", &format!("kind = \"host\"\n{more}"))
}

fn first(scenario: Scenario) -> Option<NodeDevice> {
    scenario.nodes.into_iter().next().unwrap().device
}

fn ideal(capacity: &str) -> Option<battery::Config> {
    let capacity = capacity.parse().unwrap();
    Some(battery::Config::Ideal(battery::ideal::Config { capacity }))
}

#[test]
fn a_device_has_a_name_and_its_own_battery() {
    let scenario = small_with("kind = \"host\"", LAPTOP).unwrap();
    assert_eq!(scenario.nodes[1].device, None);
    let device = first(scenario).unwrap();
    assert_eq!(
        (device.called.as_str(), &device.profile),
        ("wavelan-p90", &builtin("wavelan-p90").unwrap())
    );
    assert_eq!(device.battery, ideal("133.8 kJ"));
    assert_eq!(first(with("device = \"esp32-s2\"").unwrap()).unwrap().battery, None);
}

#[test]
fn a_node_may_have_another_battery_or_none() {
    let battery = |more: &str| {
        first(with(&format!("device = \"wavelan-p90\"\n{more}")).unwrap()).unwrap().battery
    };
    assert_eq!(battery("battery = \"none\""), None);
    assert_eq!(battery("[node.battery]\nmodel = \"ideal\"\ncapacity = \"20 Wh\""), ideal("20 Wh"));
    let peukert = battery(
        "[node.battery]\nmodel = \"peukert\"\ncapacity = \"2 Ah\"\nrated_current = \"0.4 A\"\n\
         exponent = 1.2\nvoltage = \"14.4 V\"",
    );
    assert!(matches!(peukert, Some(battery::Config::Peukert(_))), "{peukert:?}");
}

#[test]
fn overrides_reach_devices_and_batteries() {
    let text = SMALL.replacen("kind = \"host\"", LAPTOP, 1);
    let set = |settings: &[&str]| {
        first(parse_toml(&Source::new("test.toml", text.as_str()), &overrides(settings)).unwrap())
    };
    assert_eq!(set(&["node.a.device=esp32-s2"]).unwrap().called, "esp32-s2");
    assert_eq!(set(&["node.a.battery=none"]).unwrap().battery, None);
    let own = ["node.a.battery.model=ideal", "node.a.battery.capacity=3 Wh"];
    assert_eq!(set(&own).unwrap().battery, ideal("3 Wh"));
    let all =
        parse_toml(&Source::new("small", SMALL), &overrides(&["node.*.device=host"])).unwrap();
    let [a, b] = [0, 1].map(|node| Arc::clone(&all.nodes[node].device.as_ref().unwrap().profile));
    assert!(Arc::ptr_eq(&a, &b));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (more, expected) in [
        (
            "device = \"esp32-s3\"",
            "4:10 node.a.device: there is no device `esp32-s3`; the name of a file that describes \
             one ends in `.toml`",
        ),
        (
            "device = \"mine.toml\"",
            "4:10 node.a.device: no directory is known to look for the file \"mine.toml\" in",
        ),
        ("device = 5", "4:10 node.a.device: found 5, expected a string"),
        (
            "battery = \"none\"",
            "4:11 node.a.battery: is for nodes with a `device`, which draws from it",
        ),
        (
            "device = \"host\"\nbattery = \"all\"",
            "5:11 node.a.battery: found \"all\", expected a table, or \"none\" for the mains",
        ),
        (
            "device = \"host\"\nbattery = {}",
            "5:11 node.a.battery.model: is missing, expected one of `ideal`, `peukert`, `kibam`, \
             `rakhmatov_vrudhula`, `shepherd`",
        ),
        (
            "device = \"host\"\nbattery = { model = \"ideel\" }",
            "5:21 node.a.battery.model: found \"ideel\", expected one of `ideal`, `peukert`, \
             `kibam`, `rakhmatov_vrudhula`, `shepherd`",
        ),
        (
            "device = \"host\"\nbattery = { model = \"ideal\" }",
            "5:11 node.a.battery.capacity: is missing",
        ),
        (
            "device = \"host\"\nbattery = { model = \"ideal\", capacity = \"1 Wh\", age = 3 }",
            "5:49 node.a.battery.age: there is no such key",
        ),
        (
            "device = \"host\"\nbattery = { model = \"ideal\", capacity = \"1 Ah\" }",
            "5:41 node.a.battery.capacity: `1 Ah` has the unit `Ah`; the units here are aJ, fJ, \
             pJ, nJ, uJ, mJ, J, kJ, mWh, Wh, kWh",
        ),
        (
            "device = \"host\"\nbattery = { model = \"ideal\", capacity = \"0 J\" }",
            "5:41 node.a.battery.capacity: found \"0 J\", expected",
        ),
    ] {
        let message = only(with(more));
        assert!(message.starts_with(expected), "{message}");
    }
    let help = with("device = \"esp32-s3\"").unwrap_err().to_string();
    assert!(help.contains("did you mean `esp32-s2`?"), "{help}");
}

/// The files of a scenario whose two nodes have the device in `mine.toml`.
fn write(directory: &Path, device: &str) -> std::path::PathBuf {
    let text = SMALL.replace("kind = \"host\"", "kind = \"host\"\ndevice = \"mine.toml\"");
    fs::write(directory.join("mine.toml"), device).unwrap();
    let path = directory.join("scenario.toml");
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_device_may_be_a_file_beside_the_scenario() {
    let directory = tempfile::tempdir().unwrap();
    let nrf = builtin("nrf52840").unwrap();
    let mine = Device { name: "mine".into(), ..(*nrf).clone() };
    let path = write(directory.path(), &toml::to_string(&mine).unwrap());
    let scenario = load(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(*first(scenario.clone()).unwrap().profile, mine);
    let shown = scenario.to_toml();
    assert!(shown.contains("device = \"mine.toml\""), "{shown}");
    fs::write(&path, &shown).unwrap();
    assert_eq!(load(&path, &[]).unwrap_or_else(|error| panic!("{error}")), scenario);
}

#[test]
fn what_is_wrong_with_a_device_file_is_said_once_with_its_own_place() {
    let directory = tempfile::tempdir().unwrap();
    let nrf = toml::to_string(&*builtin("nrf52840").unwrap()).unwrap();
    let told = |device: &str| {
        let error = load(&write(directory.path(), device), &[]).unwrap_err();
        assert!(error.diagnostics()[0].file.ends_with("mine.toml"), "{error}");
        brief(&error)
    };
    let [message] = <[_; 1]>::try_from(told(&nrf.replace("19200 uW", "19.2"))).unwrap();
    assert!(message.contains("node.a.device: `19.2` has no unit"), "{message}");
    let [message] = <[_; 1]>::try_from(told(&nrf.replace("7020 uW", "7 GW"))).unwrap();
    assert!(message.contains("node.a.device: `7 GW` has the unit `GW`"), "{message}");
    let [message] = <[_; 1]>::try_from(told(&nrf.replace("\"0 s\"", "\"1 s\""))).unwrap();
    let expected = "node.a.device: processor.idle.0.after.value: found 1 s, expected 0 s";
    assert!(message.contains(expected), "{message}");
    fs::remove_file(directory.path().join("mine.toml")).unwrap();
    let message = brief(&load(&directory.path().join("scenario.toml"), &[]).unwrap_err());
    assert!(message[0].contains("node.a.device: cannot read "), "{message:?}");
}
