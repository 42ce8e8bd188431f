//! What the help texts of the live commands tell users to type, works.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use libtest_mimic::Trial;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::host::has;
use crate::program::{now, pause};
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
    let ended = shell(&script, directory.path(), if endless { 700 } else { 30_000 });
    let told = fs::read_to_string(directory.path().join("told")).unwrap();
    assert!(ended == Some(true) || endless && ended.is_none(), "{script}\n{told}");
}

/// Runs `script` and whatever it starts for `ms` milliseconds at most, and says
/// whether it ended well, if it ended by itself.
fn shell(script: &str, directory: &Path, ms: u64) -> Option<bool> {
    let program = Path::new(env!("CARGO_BIN_EXE_netjoule"));
    let path = [program.parent().unwrap().to_str().unwrap(), "/usr/local/bin:/usr/bin:/bin"];
    let told = File::create(directory.join("told")).unwrap();
    let mut child = Command::new("sh")
        .args(["-e", "-c", script])
        .env("PATH", path.join(":"))
        .env("SHELL", "/bin/true")
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(told.try_clone().unwrap())
        .stderr(told)
        .process_group(0)
        .spawn()
        .unwrap();
    let start = now();
    let ended = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status.success());
        }
        if start.elapsed().as_millis() > u128::from(ms) {
            break None;
        }
        pause(10);
    };
    // What it has left in the background ends with it.
    killpg(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGKILL).ok();
    child.wait().unwrap();
    ended
}
