//! What fuzzing has found to be worth keeping, played again: for each target
//! the inputs that together reach everything it has ever reached
//! (`fuzz/kept`; CONTRIBUTING.md says how they are chosen).

use std::fs;
use std::path::Path;

use netjoule_testkit::hostile::{engine, files, host, packets};

/// Plays every input of `target`.
fn play(target: &str, input: impl Fn(&[u8])) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/kept").join(target);
    let mut played = 0;
    for entry in fs::read_dir(&directory).expect("a corpus") {
        let path = entry.expect("a file of the corpus").path();
        input(&fs::read(&path).expect("a file of the corpus"));
        played += 1;
    }
    assert!(played > 50, "only {played} inputs in {}", directory.display());
}

/// As much of `bytes` as is text: so the fuzzer reads them.
fn text(bytes: &[u8]) -> &str {
    bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

#[test]
fn engine_inputs() {
    play("engine", engine::play);
}

#[test]
fn host_inputs() {
    play("host", host::play);
}

#[test]
fn packets_inputs() {
    play("packets", packets::read);
}

#[test]
fn toml_inputs() {
    play("toml", |bytes| files::toml(text(bytes)));
}

#[test]
fn brace_inputs() {
    play("brace", |bytes| files::brace(text(bytes)));
}
