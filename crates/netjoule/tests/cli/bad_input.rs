//! Bad input: status 2, a message, and nothing written.

use std::fs;
use std::process::Stdio;

use super::{listed, netjoule, text, workplace};

/// Segments that no IP packet holds.
const LONG: &str = "connection.*.tcp={ mss = \"65496 B\", receive_window = \"70 kB\", \
                    initial_ssthresh = \"70 kB\" }";

#[test]
fn nothing_is_written_and_the_message_says_what_is_wrong() {
    let directory = workplace();
    let path = directory.path();
    fs::write(path.join("syntax.toml"), "[run\nseed = 1\n").unwrap();
    fs::write(path.join("key.toml"), "[tcp]\nrecieve_window = \"8 KiB\"\n").unwrap();
    fs::write(path.join("bad.dat"), "wired_link\n{\n  bandwith = 3\n}\n").unwrap();
    let before = listed(path);

    let cases: &[(&[&str], &[&str])] = &[
        (&["run", "missing.toml"], &["missing.toml"]),
        (&["run", "syntax.toml", "--trace", "t"], &["syntax.toml:1"]),
        (&["run", "key.toml", "--trace", "t", "--json"], &["key.toml:2", "recieve_window"]),
        (&["check", "key.toml"], &["key.toml:2", "receive_window"]),
        (&["show", "key.toml", "-o", "out.toml"], &["key.toml:2"]),
        (&["convert", "bad.dat", "-o", "out.toml"], &["bad.dat:", "bandwith"]),
        (&["convert", "base.toml", "-o", "out.toml"], &["base.toml", "TOML already"]),
        (&["run", "base.toml", "--set", "tcp.mss"], &["tcp.mss", "run.seed=7"]),
        (&["run", "base.toml", "--set", "tcp.mss=8", "--trace", "t"], &["tcp.mss"]),
        (&["run", "base.toml", "--set", "tcp.variant=remo", "--trace", "t"], &["reno"]),
        (&["run", "base.toml", "--seed=-1"], &["--seed"]),
        (&["run", "base.toml", "--pcap", "none/a.pcapng"], &["--pcap", "none/a.pcapng"]),
        (&["run", "base.toml", "--pcap-at", "211"], &["--pcap"]),
        (
            &["run", "base.toml", "--trace", "t", "--pcap", "p", "--pcap-at", "214"],
            &["--pcap-at", "214"],
        ),
        (
            &["run", "base.toml", "--trace", "t", "--pcap", "p", "--set", LONG],
            &["--pcap", "65495 B", "handshake"],
        ),
        (&["run", "base.toml", "--wire-fidelity", "--set", LONG], &["run.wire_fidelity", "65495"]),
        (&["compare", "base.toml", "--variants", "reno,remo"], &["remo", "newreno"]),
        (&["compare", "base.toml", "--variants", "reno,reno"], &["reno", "twice"]),
        (&["compare", "base.toml", "--runs", "0"], &["--runs"]),
        (&["compare", "base.toml", "--runs", "1000001"], &["--runs", "1000000"]),
        (&["compare", "base.toml", "--jobs", "0"], &["--jobs"]),
        (&["compare", "base.toml", "--jobs", "1025"], &["--jobs", "1024"]),
        (&["reproduce", "--runs", "1000001"], &["--runs", "1000000"]),
        (&["reproduce", "--jobs", "1025"], &["--jobs", "1024"]),
        (&["reproduce", "goel1998"], &["goel1997"]),
        (&["reproduce", "goel1997", "table_9"], &["table_5.4"]),
        (&["reproduce", "goel1997", "--quick", "--runs", "3"], &["--quick"]),
        (&["list", "gadgets"], &["variants", "papers"]),
        (&["list", "devices", "toaster"], &["toaster", "wavelan-p90", "host"]),
        (&["list", "variants", "reno"], &["only devices"]),
        (&["run", "base.toml", "--set", "node.211.device=toaster"], &["toaster", "wavelan-p90"]),
        (&["ruin"], &["ruin"]),
        (&["send", "nowhere"], &["nowhere", "10.77.0.2:5001"]),
        (&["send", "10.77.0.2", "--bytes", "100"], &["100", "MB"]),
        (&["send", "10.77.0.2", "none"], &["none"]),
        (&["send", "10.77.0.2", "base.toml", "--mss", "8"], &["--mss", "with its unit"]),
        (&["recv", "--sack", "perhaps"], &["--sack", "`variant`"]),
        (&["recv", "--dupthresh", "0"], &["--dupthresh", "at least 1"]),
        (&["recv", "--variant", "remo"], &["remo", "newreno"]),
        (&["recv", "--mtu", "67"], &["67", "--mtu"]),
        (&["recv", "--port", "0"], &["--port"]),
        (&["recv", "--gateway", "10.77.0.1"], &["--gateway", "10.77.0.1/24"]),
        (&["recv", "--address", "10.77.0.1"], &["10.77.0.1", "the kernel's address"]),
        (&["recv", "--loss", "2"], &["--loss", "0 to 1"]),
        (&["recv", "--mean-good", "1 s"], &["--mean-bad"]),
        (&["forward", "8080", "10.77.2.1:80"], &["8080"]),
        (&["show", "-o", "none/out.toml"], &["none/out.toml"]),
        (&["run", "base.toml", "--trace", "base.toml/t"], &["base.toml/t"]),
    ];
    for (arguments, expected) in cases {
        let output = netjoule(path, arguments);
        let message = text(output.stderr);
        assert_eq!(output.status.code(), Some(2), "netjoule {arguments:?}\n{message}");
        assert_eq!(text(output.stdout), "", "netjoule {arguments:?}");
        assert!(message.starts_with("error"), "netjoule {arguments:?}\n{message}");
        for word in *expected {
            assert!(message.contains(word), "netjoule {arguments:?}: no {word} in\n{message}");
        }
        assert_eq!(listed(path), before, "netjoule {arguments:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let directory = workplace();
    let program = assert_cmd::cargo::cargo_bin("netjoule");
    let mut child = std::process::Command::new(program)
        .current_dir(directory.path())
        .args(["compare", "base.toml", "--runs", "5"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}
