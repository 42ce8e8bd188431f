//! netjoule as a process.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running program, which ends with the test at the latest.
pub(crate) struct Program {
    child: Child,
    words: String,
}

impl Program {
    /// Starts netjoule.
    pub(crate) fn start<S: AsRef<str>>(arguments: &[S]) -> Self {
        let arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
        let child = Command::new(env!("CARGO_BIN_EXE_netjoule"))
            .args(&arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self { child, words: arguments.join(" ") }
    }

    /// Waits for its end: the exit status and what it has written.
    #[track_caller]
    pub(crate) fn end(mut self) -> (i32, String, String) {
        let start = now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < PATIENCE, "netjoule {} does not end", self.words);
            pause(5);
        };
        let (mut out, mut err) = (String::new(), String::new());
        self.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        (status.code().unwrap_or(-1), out, err)
    }

    /// Waits for the end of a transfer that succeeds, told as JSON.
    #[track_caller]
    pub(crate) fn report(self) -> Value {
        let words = self.words.clone();
        let (status, out, err) = self.end();
        assert_eq!(status, 0, "netjoule {words}\n{out}{err}");
        let report: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(report["completed"], true, "netjoule {words}\n{out}");
        report
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[expect(clippy::disallowed_methods, reason = "real programs take real time")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::disallowed_methods, reason = "real programs take real time")]
pub(crate) fn pause(ms: u64) {
    thread::sleep(Duration::from_millis(ms));
}
