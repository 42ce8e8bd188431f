//! What nodes are made of.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use netjoule_energy::battery;
use netjoule_energy::device::{Device, builtin};

use super::{SMALL, brief, only, overrides, small_with, toml};
use crate::{Interrupts, Node, Scenario, Source, load, parse_toml};

const LAPTOP: &str = "kind = \"host\"\ndevice = \"wavelan-p90\"";

/// [`SMALL`] with `more` for the first node.
fn with(more: &str) -> Result<Scenario, crate::Error> {
    small_with("kind = \"host\"", &format!("kind = \"host\"\n{more}"))
}

fn first(scenario: Scenario) -> Node {
    scenario.nodes.into_iter().next().unwrap()
}

fn ideal(capacity: &str) -> Option<battery::Config> {
    let capacity = capacity.parse().unwrap();
    Some(battery::Config::Ideal(battery::ideal::Config { capacity }))
}

#[test]
fn a_device_has_a_name_and_its_own_battery() {
    let scenario = small_with("kind = \"host\"", LAPTOP).unwrap();
    assert_eq!(scenario.nodes[1].device, None);
    let node = first(scenario);
    assert_eq!(node.device, builtin("wavelan-p90"));
    assert_eq!((node.device_file, node.battery), (None, None));
    assert_eq!(node.interrupts, Interrupts::default());
}

#[test]
fn a_node_may_have_another_battery_or_none() {
    let node = |more: &str| {
        let read = with(&format!("device = \"wavelan-p90\"\n{more}")).unwrap();
        // It is the same when it is shown.
        assert_eq!(toml(&read.to_toml()).unwrap(), read, "{more}");
        first(read)
    };
    let mains = node("battery = \"none\"");
    assert_eq!((mains.device.unwrap().battery.clone(), mains.battery), (None, None));
    // Other nodes have the device as it is.
    assert!(builtin("wavelan-p90").unwrap().battery.is_some());
    let own = node("[node.battery]\nmodel = \"ideal\"\ncapacity = \"20 Wh\"");
    assert_eq!(own.battery, ideal("20 Wh"));
    for battery in [
        "model = \"peukert\"\ncapacity = \"2 Ah\"\nrated_current = \"0.4 A\"\nexponent = 1.2\n\
         voltage = \"14.4 V\"",
        "model = \"kibam\"\ncapacity = \"2 Ah\"\nc = 0.625\nk_per_h = 1\nvoltage = \"3.7 V\"",
        "model = \"rakhmatov_vrudhula\"\nalpha = \"2422.5 C\"\nbeta_per_sqrt_min = 0.273\n\
         voltage = \"3.7 V\"",
        "model = \"shepherd\"\ncapacity = \"2.33 Ah\"\nfull_voltage = \"4.17 V\"\n\
         exponential_voltage = \"3.714 V\"\nexponential_charge = \"1.74 Ah\"\n\
         nominal_voltage = \"3.57 V\"\nnominal_charge = \"2.14 Ah\"\nresistance = \"83 mohm\"\n\
         typical_current = \"466 mA\"\ncut_off_voltage = \"3 V\"",
    ] {
        assert!(node(&format!("[node.battery]\n{battery}")).battery.is_some(), "{battery}");
    }
}

#[test]
fn packets_may_wait_for_an_interrupt() {
    let read = with("device = \"host\"\ninterrupts = { frames = 4 }").unwrap();
    assert_eq!(first(read).interrupts, Interrupts { frames: 4, ..Interrupts::default() });
}

#[test]
fn overrides_reach_devices_and_batteries() {
    let text = SMALL.replacen("kind = \"host\"", LAPTOP, 1);
    let set = |settings: &[&str]| {
        first(parse_toml(&Source::new("test.toml", text.as_str()), &overrides(settings)).unwrap())
    };
    assert_eq!(set(&["node.a.device=esp32-s2"]).device, builtin("esp32-s2"));
    assert_eq!(set(&["node.a.battery=none"]).device.unwrap().battery, None);
    let own = ["node.a.battery.model=ideal", "node.a.battery.capacity=3 Wh"];
    assert_eq!(set(&own).battery, ideal("3 Wh"));
    assert_eq!(set(&["node.a.interrupts.frames=7"]).interrupts.frames, 7);
    let all = overrides(&["node.*.device=host"]);
    let all = parse_toml(&Source::new("small", SMALL), &all).unwrap();
    let [a, b] = [0, 1].map(|node| all.nodes[node].device.as_ref().unwrap());
    assert!(Arc::ptr_eq(a, b));
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
        ("battery = \"none\"", "4:11 node.a.battery: is for nodes with a `device`"),
        ("interrupts = { frames = 4 }", "4:14 node.a.interrupts: is for nodes with a `device`"),
        (
            "device = \"host\"\ninterrupts = { frames = 0 }",
            "5:25 node.a.interrupts.frames: found 0, expected at least 1",
        ),
        (
            "device = \"host\"\ninterrupts = { frames = -1 }",
            "5:25 node.a.interrupts.frames: found -1, expected a whole number",
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
    let path = write(directory.path(), &::toml::to_string(&mine).unwrap());
    let scenario = load(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(first(scenario.clone()).device.as_deref(), Some(&mine));
    let shown = scenario.to_toml();
    assert!(shown.contains("device = \"mine.toml\""), "{shown}");
    fs::write(&path, &shown).unwrap();
    assert_eq!(load(&path, &[]).unwrap_or_else(|error| panic!("{error}")), scenario);
}

#[test]
fn what_is_wrong_with_a_device_file_is_said_once_with_its_own_place() {
    let directory = tempfile::tempdir().unwrap();
    let nrf = ::toml::to_string(&*builtin("nrf52840").unwrap()).unwrap();
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
