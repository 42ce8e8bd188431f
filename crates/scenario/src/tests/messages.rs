//! Diagnostics as people see them.

use super::{SMALL, brief, overrides, small_with, toml};
use crate::{MOST_DIAGNOSTICS, Position, Source, load, parse_toml};

#[track_caller]
fn shows(error: &crate::Error, expected: &str) {
    assert_eq!(error.to_string(), expected.trim_start_matches('\n'), "\n{error}");
}

#[test]
fn a_value_without_a_unit() {
    shows(
        &small_with("\"10 ms\"", "\"10\"").unwrap_err(),
        r#"
error: link.wire.delay: `10` has no unit; the units here are ns, us, ms, s, min, h
  --> test.toml:14:9
   |
14 | delay = "10"
   |         ^^^^"#,
    );
}

#[test]
fn a_misspelt_key() {
    shows(
        &toml(&format!("[run]\ntime_limt = \"5 s\"\n{SMALL}")).unwrap_err(),
        r#"
error: run.time_limt: there is no such key
 --> test.toml:2:1
  |
2 | time_limt = "5 s"
  | ^^^^^^^^^
  |
  = help: did you mean `time_limit`?"#,
    );
}

#[test]
fn a_name_that_is_taken_shows_both_places() {
    shows(
        &small_with("name = \"b\"", "name = \"a\"").unwrap_err(),
        r#"
error: node.a.name: `a` is taken
 --> test.toml:6:8
  |
6 | name = "a"
  |        ^^^
  |
 ::: test.toml:2:8
  |
2 | name = "a"
  |        --- by this one

error: link.wire.between: there is no node `b`
  --> test.toml:12:17
   |
12 | between = ["a", "b"]
   |                 ^^^
   |
   = help: known are `a`

error: connection.0.to: there is no node `b`
  --> test.toml:18:6
   |
18 | to = "b"
   |      ^^^
   |
   = help: known are `a`"#,
    );
}

#[test]
fn an_override_is_named_and_shown() {
    let source = Source::new("test.toml", SMALL);
    shows(
        &parse_toml(&source, &overrides(&["link.wire.dely=5 ms"])).unwrap_err(),
        r"
error: link.wire.dely: there is no such key
 --> override:1:1
  |
1 | link.wire.dely=5 ms
  | ^^^^^^^^^^^^^^
  |
  = help: did you mean `delay`?",
    );
}

#[test]
fn a_file_that_is_not_there() {
    let error = load("no/such/file.toml".as_ref(), &[]).unwrap_err();
    assert_eq!(error.diagnostics().len(), 1);
    assert_eq!(error.diagnostics()[0].file, "no/such/file.toml");
    assert_eq!(error.diagnostics()[0].position, None);
    assert!(error.to_string().starts_with("error: cannot read no/such/file.toml: "));
    assert!(error.to_string().ends_with("--> no/such/file.toml"));
}

#[test]
fn every_syntax_error_is_told() {
    let error = toml("title = yes\n[run\nseed = 1\n").unwrap_err();
    assert_eq!(
        brief(&error),
        [
            "1:9 : string values must be quoted, expected literal string",
            "2:5 : unclosed table, expected `]`",
        ]
    );
}

/// Errors of values, keys, names and the whole, in one go.
#[test]
fn several_errors_are_told_at_once() {
    let text = r#"
[run]
clock_step = "0 s"
seed = -1
[trace]
attributes = ["seqno", "size"]
[tcp]
variant = "rino"
mss = 5
[[node]]
name = "a"
kind = "hots"
[[node]]
name = "b"
kind = "router"
[[node]]
kind = "host"
[[link]]
name = "x/y"
kind = "wireless"
between = ["b", "b"]
rate = "5 Mbit/s"
channel = { mean_good = "0 s" }
[[connection]]
from = "b"
to = "c"
transfer = "0 B"
"#;
    let error = toml(text).unwrap_err();
    assert_eq!(
        brief(&error),
        [
            "3:14 run.clock_step: found zero, expected more",
            "4:8 run.seed: found -1, expected a whole number, 0 to 18446744073709551615",
            "6:24 trace.attributes: found \"size\", expected one of `seqno`, `ackno`, \
             `congestion`, `threshold`, `swnd_size`, `wless_state`, `router_pkt_arrival`",
            "8:11 tcp.variant: found \"rino\", expected one of `tahoe`, `reno`, `newreno`, `sack`, \
             `simple-icmp`, `refined-icmp`, `newreno-refined-icmp`",
            "9:7 tcp.mss: found 5, expected an amount of data with its unit, for example \
             \"16 KiB\"",
            "12:8 node.a.kind: found \"hots\", expected one of `host`, `router`, `base_station`",
            "16:1 node.2.name: is missing; write for example name = \"host\"",
            "18:1 link.x/y.delay: is missing; write for example delay = \"1 ms\"",
            "19:8 link.x/y.name: found \"x/y\", expected 1 to 64 ASCII letters, digits, `-` \
             and `_`",
            "21:11 link.x/y.between: a link leads from one node to another",
            "23:25 link.x/y.channel.mean_good: found \"0 s\", expected a time above zero",
            "25:8 connection.0.from: `b` is not a host, and only hosts have connections",
            "26:6 connection.0.to: there is no node `c`",
            "27:12 connection.0.transfer: found nothing to transfer, expected 1 B and more",
        ]
    );
    assert_eq!(error.diagnostics()[0].position, Some(Position { line: 3, column: 14 }));
    assert_eq!(error.diagnostics()[0].file, "test.toml");
}

#[test]
fn what_is_shown_is_bounded() {
    let text: String = (0..2_000).map(|index| format!("key{index} = 1\n")).collect();
    let error = toml(&text).unwrap_err();
    assert_eq!(error.diagnostics().len(), MOST_DIAGNOSTICS);
    // 2,000 keys, and a node and a connection that are missing.
    assert_eq!(error.omitted(), 2_002 - MOST_DIAGNOSTICS);
    assert!(error.to_string().ends_with("error: 1952 more errors are not shown"));

    let long = "x".repeat(100_000);
    let error = toml(&format!("title = 5 # {long}\n[tcp]\nvariant = \"{long}\"")).unwrap_err();
    assert!(error.to_string().len() < 3_000);
    let error = toml(&format!("#{}", " ".repeat(5 << 20))).unwrap_err();
    assert_eq!(brief(&error), [": the text is larger than 4 MiB"]);
}

#[test]
fn colours_are_on_request() {
    let error = toml("").unwrap_err();
    assert!(!error.to_string().contains('\u{1b}'));
    assert!(error.coloured().contains('\u{1b}'));
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let error = toml("\"\\u001b[31m\" = 1").unwrap_err();
    assert!(!error.to_string().contains('\u{1b}'));
    let error = load("a\u{1b}[31mb".as_ref(), &[]).unwrap_err();
    assert!(!error.to_string().contains('\u{1b}'), "{error}");
}
