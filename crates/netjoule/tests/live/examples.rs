//! What the help texts of the live commands tell users to type, works.

use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use crate::host::has;
use crate::trial;

const COMMANDS: [&str; 4] = ["send", "recv", "forward", "netns"];

pub(crate) fn trials() -> Vec<Trial> {
    // One after the other: they all have the same addresses.
    vec![trial("the examples of the help texts", || {
        if ["nc", "curl", "python3", "iperf3"].iter().all(|program| has(program)) {
            COMMANDS.iter().for_each(|command| follow(command));
        }
    })]
}

/// Runs every example in the help of `command`.
fn follow(command: &str) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_netjoule")).args([command, "--help"]).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let (_, after) = help.split_once("Examples:\n").unwrap();
    for example in after.split("\n\n") {
        let lines: Vec<&str> =
            example.lines().filter_map(|line| line.strip_prefix("    ")).collect();
        assert!(!lines.is_empty(), "{command}: {example}");
        run(&lines);
    }
}

/// Runs an example in a shell, made short. Programs in the background have time
/// to begin, and end with it.
fn run(lines: &[&str]) {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("file"), vec![7; 100_000]).unwrap();
    let mut script = String::new();
    for line in lines {
        script += &line.replace("100 MB", "1 MB").replace("10 MB", "1 MB");
        // iperf3 takes its time.
        script += if line.starts_with("iperf3 -c") { " -n 1M" } else { "" };
        script += if line.ends_with('&') { "\nsleep 0.7\n" } else { "\n" };
    }
    // A server in the foreground, or a shell, would go on for ever.
    let endless = lines.len() == 1 && !lines[0].contains("--bytes");
    let program = Path::new(env!("CARGO_BIN_EXE_netjoule"));
    let path = format!(
        "{}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        program.parent().unwrap().display()
    );
    let script = format!("set -e; trap 'kill $(jobs -p) 2>/dev/null' EXIT\n{script}");
    let output = Command::new("timeout")
        .args([if endless { "0.7" } else { "30" }, "sh", "-c", &script])
        .env("PATH", path)
        .env("SHELL", "/bin/true")
        .current_dir(&directory)
        .output()
        .unwrap();
    let told = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (told(&output.stdout), told(&output.stderr));
    let ended = output.status.code();
    let expected = if endless { ended == Some(124) || ended == Some(0) } else { ended == Some(0) };
    assert!(expected, "{script}{out}{err}");
}
