//! `netjoule convert`, `show`, `check` and `list`

use std::fs;

use super::{objects, succeed, workplace};

#[test]
fn a_converted_file_is_the_same_scenario() {
    let directory = workplace();
    let path = directory.path();
    let on_stdout = succeed(path, &["convert", "datafile.dat"]);
    assert_eq!(succeed(path, &["convert", "datafile.dat", "-o", "new.toml"]), "");
    assert_eq!(fs::read_to_string(path.join("new.toml")).unwrap(), on_stdout);

    let verdict = succeed(path, &["check", "new.toml"]);
    assert_eq!(verdict, "new.toml: valid: 3 nodes, 2 links, 1 connection\n");
    let fingerprint = |file| {
        let lines = succeed(path, &["run", file, "--json"]);
        objects(&lines).last().unwrap()["fingerprint"].clone()
    };
    assert_eq!(fingerprint("datafile.dat"), fingerprint("new.toml"));
}

#[test]
fn what_is_shown_can_be_shown_again() {
    let directory = workplace();
    let path = directory.path();
    let set = ["--set", "tcp.receive_window=8 KiB", "--set", "link.102.channel.mean_bad=500 ms"];
    let shown = succeed(path, &[&["show"][..], &set[..]].concat());
    assert!(shown.contains("8 KiB") && shown.contains("500 ms"), "{shown}");
    fs::write(path.join("shown.toml"), &shown).unwrap();
    assert_eq!(succeed(path, &["show", "shown.toml"]), shown);
}

/// A table fits into 100 columns.
#[track_caller]
fn narrow(table: &str) {
    for line in table.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn lists_name_what_the_other_commands_take() {
    let directory = workplace();
    let variants = succeed(directory.path(), &["list", "variants"]);
    for name in ["tahoe", "reno", "newreno", "simple-icmp", "refined-icmp"] {
        assert!(variants.contains(name), "no {name} in\n{variants}");
    }
    let papers = succeed(directory.path(), &["list", "papers"]);
    assert!(papers.contains("goel1997") && papers.contains("table_5.4"), "{papers}");
    let devices = succeed(directory.path(), &["list", "devices"]);
    for words in ["wavelan-p90", "900 mW", "+ 438.39", "1.023 W to 11", "ideal"] {
        assert!(devices.contains(words), "no {words} in\n{devices}");
    }
    for name in ["wavelan-late-90s", "soekris-net4826", "galaxy-note-10", "host"] {
        let device = succeed(directory.path(), &["list", "devices", name]);
        assert!(device.starts_with(&format!("{name}: ")), "{device}");
        for words in ["radio.listen", "0 W", "assumed", "processor.idle.0.after"] {
            assert!(device.contains(words), "no {words} in\n{device}");
        }
        assert!(devices.contains(name), "no {name} in\n{devices}");
        narrow(&device);
    }
    for list in [variants, papers, devices] {
        narrow(&list);
    }
}
