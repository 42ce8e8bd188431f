//! A second opinion on packets.

use std::path::Path;
use std::process::Command;

/// A filter for tshark: packets that it cannot make sense of, or whose
/// checksums are wrong.
pub const BAD_PACKETS: &str = "_ws.malformed || ip.checksum.status == \"Bad\" || \
                               tcp.checksum.status == \"Bad\" || icmp.checksum.status == \"Bad\" \
                               || icmpv6.checksum.status == \"Bad\"";

/// The lines that tshark prints of those packets in the capture `file` that its
/// display filter lets through; an empty one lets all through. `None` if tshark
/// is not installed.
///
/// # Panics
/// If tshark fails.
#[must_use]
pub fn tshark(file: &Path, filter: &str) -> Option<Vec<String>> {
    let output = Command::new("tshark")
        .args(["-n", "-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE"])
        .args(["-Y", filter, "-r"])
        .arg(file)
        .output()
        .ok()?;
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "tshark: {error}");
    Some(String::from_utf8_lossy(&output.stdout).lines().map(String::from).collect())
}
