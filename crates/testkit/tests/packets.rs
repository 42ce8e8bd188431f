//! Plays the packet scripts of `tests/packets`, a test for each folder.

use std::fs;
use std::path::{Path, PathBuf};

use netjoule_testkit::play_packets;

/// One test for each folder, and one that there are no others.
macro_rules! folders {
    ($($folder:ident),+ $(,)?) => {
        $(
            #[test]
            fn $folder() {
                play_folder(stringify!($folder));
            }
        )+

        #[test]
        fn every_folder_is_played() {
            let found: Vec<String> = entries(&root(), "").iter().map(|path| name(path)).collect();
            assert_eq!(found, [$(stringify!($folder)),+], "in the order of the alphabet");
        }
    };
}

folders!(
    acks, close, congestion, ecn, handshake, icmp, ipv6, keepalive, options, pmtu, prediction,
    recovery, reset, rto, sack, timestamps, urgent, window, wire,
);

/// Every script says first which phenomenon it shows and where that is written.
#[test]
fn every_script_is_introduced() {
    let mut count = 0;
    for folder in entries(&root(), "") {
        for script in entries(&folder, "pkt") {
            let text = fs::read_to_string(&script).expect("a script can be read");
            let introduction: Vec<&str> =
                text.lines().take_while(|line| line.starts_with("//")).collect();
            let introduction = introduction.join(" ");
            let cites = ["RFC", "goel1997", "agarwal2000"];
            assert!(
                cites.iter().any(|source| introduction.contains(source)),
                "{} does not say where its phenomenon is written",
                script.display()
            );
            count += 1;
        }
    }
    assert!(count >= 80, "{count} scripts");
}

fn play_folder(folder: &str) {
    let mut failures = Vec::new();
    for script in entries(&root().join(folder), "pkt") {
        let text = fs::read_to_string(&script).expect("a script can be read");
        let place = format!("tests/packets/{folder}/{}", name(&script));
        failures.extend(play_packets(&place, &text).err());
    }
    assert!(failures.is_empty(), "\n\n{}\n", failures.join("\n\n"));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/packets")
}

/// The folders in `folder`, or its files with this extension; in order.
fn entries(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let listing = fs::read_dir(folder).expect("a folder can be read");
    let mut paths: Vec<PathBuf> = listing
        .map(|entry| entry.expect("a folder can be read").path())
        .filter(|path| {
            let is_wanted = path.extension().is_some_and(|found| found == extension);
            if extension.is_empty() { path.is_dir() } else { is_wanted }
        })
        .collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
}
