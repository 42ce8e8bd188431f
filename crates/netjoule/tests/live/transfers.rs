//! Transfers between our TCP and the kernel's, and between ours and itself.

use std::net::SocketAddr;

use libtest_mimic::Trial;
use netjoule_testkit::{BAD_PACKETS, tshark};
use serde_json::Value;

use crate::host::{Place, say};
use crate::kernel::{self, Options, Seen};
use crate::program::Program;
use crate::trial;

/// The port of `netjoule recv` here.
const PORT: u16 = 5001;

pub(crate) const MEGABYTE: u64 = 1_000_000;

/// Who sends, to whom, over what.
#[derive(Clone, Debug)]
pub(crate) struct Transfer {
    pub(crate) role: Role,
    pub(crate) v6: bool,
    pub(crate) bytes: u64,
    /// What the program is told besides.
    pub(crate) arguments: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Our TCP sends to the kernel's.
    Send,
    /// The kernel's sends to ours.
    Recv,
}

impl Transfer {
    pub(crate) fn new(role: Role, bytes: u64, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(ToString::to_string).collect();
        Self { role, v6: false, bytes, arguments }
    }

    /// Makes the transfer. Every byte has to arrive, both ends have to close,
    /// and the kernel has to agree about the options.
    pub(crate) fn run(&self) -> Value {
        let place = Place::new();
        let mut arguments: Vec<String> = match self.role {
            Role::Send => vec!["send".into()],
            Role::Recv => vec!["recv".into(), "--port".into(), PORT.to_string()],
        };
        arguments.extend(["--json".into(), "--hash".into()]);
        arguments.extend(place.arguments());
        arguments.extend(self.arguments.iter().cloned());
        let (report, seen) = match self.role {
            Role::Send => {
                let (target, peer) = kernel::receive(place.kernel(self.v6));
                let bytes = format!("{} B", self.bytes);
                arguments.extend([target.to_string(), "--bytes".into(), bytes]);
                let report = Program::start(&arguments).report();
                (report, peer.join().unwrap())
            }
            Role::Recv => {
                let program = Program::start(&arguments);
                let peer = kernel::send(SocketAddr::new(place.ours(self.v6), PORT), self.bytes);
                (program.report(), peer.join().unwrap())
            }
        };
        self.check(&report, &seen);
        report
    }

    fn check(&self, report: &Value, seen: &Seen) {
        assert_eq!(report["bytes"], self.bytes, "{report}");
        assert_eq!(seen.bytes, self.bytes, "{report}");
        assert_eq!(report["sha256"], seen.sha256, "{report}");
        if let Some(options) = &seen.options {
            agree(report, options);
        }
    }
}

/// Whether both ends have settled the same.
fn agree(report: &Value, kernel: &Options) {
    let ours = &report["negotiated"];
    let context = format!("{report}\n{kernel:?}");
    assert_eq!(ours["timestamps"], kernel.timestamps, "{context}");
    assert_eq!(ours["sack"], kernel.sack, "{context}");
    assert_eq!(ours["ecn"], kernel.ecn, "{context}");
    assert_eq!(ours["window_scale"], kernel.window_shifts.is_some(), "{context}");
    if let Some((from_us, from_it)) = kernel.window_shifts {
        assert_eq!(ours["window_shift_own"], from_us, "{context}");
        assert_eq!(ours["window_shift_peer"], from_it, "{context}");
    }
    // Without scaling, the kernel's segments are at most half of the window.
    let most = if kernel.window_shifts.is_some() { u64::MAX } else { 32_767 };
    assert_eq!(ours["mss_bytes"].as_u64().map(|mss| mss.min(most)), Some(kernel.mss), "{context}");
}

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial("ours to ours, IPv4", || ours_to_ours(false, &[])),
        trial("ours to ours, IPv6", || ours_to_ours(true, &[])),
        trial("ours to ours over a bad line", || {
            // No corruption: flipped twice in one column, on the way out and on
            // the way in, a packet has a good checksum.
            ours_to_ours(false, &["--loss", "0.02", "--reorder", "0.02", "--duplicate", "0.02"]);
        }),
        trial("a pipe from standard input to standard output", pipe),
        trial("a capture that tshark understands", capture),
        trial("nothing at all arrives, too", || {
            for role in [Role::Send, Role::Recv] {
                Transfer::new(role, 0, &[]).run();
            }
        }),
    ];
    for role in [Role::Send, Role::Recv] {
        for mss in [500, 536, 1_220, 1_460, 8_960, 32_768, 65_495] {
            trials.push(trial(format!("{role:?}, MSS {mss}"), move || {
                let mtu = (mss + 40).to_string();
                let report = Transfer::new(role, 5 * MEGABYTE, &["--mtu", &mtu]).run();
                // The timestamps take 12 bytes off each segment.
                assert_eq!(report["negotiated"]["mss_bytes"], mss - 12, "{report}");
                assert_eq!(report["negotiated"]["peer_mss_bytes"], mss, "{report}");
            }));
        }
        for (name, arguments) in LINES {
            trials.push(trial(format!("{role:?}, {name}"), move || {
                let report = Transfer::new(role, 4 * MEGABYTE, arguments).run();
                let line = &report["line"];
                assert_eq!(line.is_object(), !arguments.is_empty(), "{report}");
                if arguments.contains(&"--air") {
                    one_medium(&report, arguments);
                }
            }));
        }
    }
    trials
}

/// What lies between the two ends.
const LINES: [(&str, &[&str]); 10] = [
    ("a good line", &[]),
    ("losses", &["--loss", "0.02"]),
    ("duplicates", &["--duplicate", "0.1"]),
    ("reordering", &["--reorder", "0.05", "--reorder-delay", "3 ms"]),
    ("corruption", &["--corrupt", "0.02"]),
    ("delay and jitter", &["--delay", "5 ms", "--jitter", "5 ms"]),
    (
        "a slow line with a short queue",
        &["--rate", "40 Mbit/s", "--queue", "32 KiB", "--delay", "2 ms"],
    ),
    (
        "a two-state channel",
        &["--mean-good", "100 ms", "--mean-bad", "10 ms", "--min-rto", "20 ms"],
    ),
    ("802.11g", &["--air", "802.11g"]),
    ("802.11n with aggregation", &["--air", "802.11n", "--aggregation", "16"]),
];

/// Both ends have contended for one medium: frames have met, every packet that
/// came was acknowledged by the other station, and the rate is what the medium
/// allows.
fn one_medium(report: &Value, arguments: &[&str]) {
    let count = |station: usize, key: &str| report["line"]["air"][station][key].as_u64().unwrap();
    assert!(count(0, "data_frames") > 0 && count(1, "data_frames") > 0, "{report}");
    assert!(count(0, "unanswered") + count(1, "unanswered") > 0, "{report}");
    for station in 0..2 {
        // One may be on the air at the end.
        let answered = count(station, "data_frames") - count(station, "unanswered");
        assert!(count(1 - station, "acks") + 1 >= answered, "{report}");
    }
    let goodput = report["goodput_bit_per_s"].as_f64().unwrap();
    let most = if arguments.contains(&"--aggregation") { 65e6 } else { 30e6 };
    assert!(goodput < most, "{report}");
}

/// Two programs, each with a device of its own, and the kernel between them.
fn ours_to_ours(v6: bool, line: &[&str]) {
    let (there, here) = (Place::new(), Place::new());
    let own = |command: &str, place: Place| {
        let mut arguments: Vec<String> = vec![command.into(), "--json".into(), "--hash".into()];
        arguments.extend(place.arguments());
        arguments.extend(line.iter().map(ToString::to_string));
        arguments
    };
    let mut arguments = own("recv", there);
    arguments.extend(["--repeat".into(), "2".into()]);
    let receiver = Program::start(&arguments);
    // Once it has answered, it listens.
    drop(kernel::connect(SocketAddr::new(there.ours(v6), PORT)));
    let mut arguments = own("send", here);
    arguments.extend([there.ours(v6).to_string(), "--bytes".into(), "10 MB".into()]);
    let sent = Program::start(&arguments).report();
    let (status, received, err) = receiver.end();
    assert_eq!(status, 0, "{received}{err}");
    let received: Value = serde_json::from_str(received.lines().last().unwrap()).unwrap();
    assert_eq!(received["bytes"], 10 * MEGABYTE, "{received}");
    assert_eq!(sent["sha256"], received["sha256"]);
    for option in ["timestamps", "sack", "ecn", "window_scale"] {
        assert_eq!(sent["negotiated"][option], true, "{sent}");
        assert_eq!(received["negotiated"][option], true, "{received}");
    }
}

/// What comes in on one side goes out on the other.
fn pipe() {
    use std::process::Command;
    let program = env!("CARGO_BIN_EXE_netjoule");
    let (there, here) = (Place::new(), Place::new());
    let script = format!(
        "{program} recv -o - {} > received & sleep 0.5\n\
         head -c 3000000 /dev/urandom | tee sent | {program} send {} - {}\n\
         wait $!; cmp sent received",
        there.arguments().join(" "),
        there.ours(false),
        here.arguments().join(" "),
    );
    let directory = tempfile::tempdir().unwrap();
    let output = Command::new("sh").args(["-c", &script]).current_dir(&directory).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Both roles, captured: nothing malformed, no bad checksum, no segment that
/// nobody saw.
fn capture() {
    let directory = tempfile::tempdir().unwrap();
    for (index, (role, mtu, v6)) in [
        (Role::Send, "1500", false),
        (Role::Recv, "1500", true),
        (Role::Send, "65535", true),
        (Role::Recv, "600", false),
    ]
    .into_iter()
    .enumerate()
    {
        let file = directory.path().join(format!("{index}.pcapng"));
        let path = file.to_str().unwrap();
        let mut transfer = Transfer::new(role, MEGABYTE, &["--mtu", mtu, "--pcap", path]);
        transfer.v6 = v6;
        transfer.run();
        let unseen = "tcp.analysis.lost_segment || tcp.analysis.ack_lost_segment";
        let bad = format!("{BAD_PACKETS} || {unseen}");
        let Some(bad) = tshark(&file, &bad) else {
            say("skipped: tshark is not installed");
            return;
        };
        assert!(bad.is_empty(), "{role:?} {mtu}: {bad:#?}");
        let data = tshark(&file, "tcp.len > 0").unwrap_or_default();
        assert!(data.len() >= 15, "{role:?} {mtu}: {data:#?}");
        let ends = tshark(&file, "tcp.flags.fin == 1").unwrap_or_default();
        // One each; the kernel is quick to send its own again.
        assert!(ends.len() >= 2, "{role:?} {mtu}: {ends:#?}");
    }
}
