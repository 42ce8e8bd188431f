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

#[test]
fn lists_name_what_the_other_commands_take() {
    let directory = workplace();
    let variants = succeed(directory.path(), &["list", "variants"]);
    for name in ["tahoe", "reno", "newreno", "simple-icmp", "refined-icmp"] {
        assert!(variants.contains(name), "no {name} in\n{variants}");
    }
    let papers = succeed(directory.path(), &["list", "papers"]);
    assert!(papers.contains("goel1997") && papers.contains("table_5.4"), "{papers}");
    for line in variants.lines().chain(papers.lines()) {
        assert!(line.chars().count() <= 100, "{line}");
    }
}
