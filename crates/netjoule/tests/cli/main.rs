//! The program as its users meet it.

mod bad_input;
mod compare;
mod convert;
mod energy;
mod examples;
mod reproduce;
mod run;

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// Shortens every run of the built-in scenario.
const SHORT: &str = "connection.0.transfer=200 KiB";

/// A directory to work in, with `base.toml`, the built-in scenario, and
/// `datafile.dat`, an input file of goel1997.
fn workplace() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let base = succeed(directory.path(), &["show", "--set", SHORT]);
    fs::write(directory.path().join("base.toml"), base).unwrap();
    let datafile = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/legacy/datafile.dat");
    fs::copy(datafile, directory.path().join("datafile.dat")).unwrap();
    directory
}

/// Runs the program in `directory`.
fn netjoule(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("netjoule").unwrap();
    command.current_dir(directory).args(arguments).output().unwrap()
}

/// What the program writes when all goes well.
#[track_caller]
fn succeed(directory: &Path, arguments: &[&str]) -> String {
    let output = netjoule(directory, arguments);
    let stderr = text(output.stderr);
    assert_eq!(output.status.code(), Some(0), "netjoule {arguments:?}\n{stderr}");
    assert_eq!(stderr, "", "netjoule {arguments:?}");
    text(output.stdout)
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// One object a line.
#[track_caller]
fn objects(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The names of an object's fields, in the order of the alphabet.
fn fields(object: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// The names of the files in `directory`, in the order of the alphabet.
fn listed(directory: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
