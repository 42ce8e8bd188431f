//! What each of the [`Options`](super::Options) is, in a line.

/// A setting of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knob {
    /// The key in scenario files; with hyphens, the flag on the command line.
    pub key: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
}

const fn knob(key: &'static str, help: &'static str) -> Knob {
    Knob { key, help }
}

/// Every setting, in the order of the fields of [`Options`](super::Options).
pub const KNOBS: [Knob; 39] = [
    knob("mss", "Largest payload of a segment, sent or received (RFC 6691)"),
    knob("path_mtu", "How the size of segments follows the path: off, icmp, fallback"),
    knob("receive_window", "Receive buffer, and with it the largest window offered"),
    knob("window_scale", "Whether windows are scaled (RFC 7323 section 2)"),
    knob("sack", "Selective acknowledgments (RFC 2018): variant, on, off"),
    knob("dsack", "Whether the receiver reports duplicates (RFC 2883)"),
    knob("timestamps", "Whether segments carry timestamps (RFC 7323 section 3)"),
    knob("paws", "Check against old duplicates: before_prediction, after_prediction, off"),
    knob("ecn", "Explicit congestion notification (RFC 3168): off, accept, on"),
    knob("header_prediction", "Whether expected segments take the short path in"),
    knob("header_template", "Whether headers are made by changing the last one"),
    knob("nagle", "Whether short segments wait for acknowledgments (RFC 9293 section 3.7.4)"),
    knob("sws_avoidance", "Whether small segments and window updates are avoided"),
    knob("initial_window", "Congestion window at the start: segments, rfc3390 or rfc6928"),
    knob("initial_ssthresh", "Slow start threshold at the start"),
    knob("avoidance_increment", "Growth in congestion avoidance: standard, bsd43"),
    knob("byte_counting", "L of RFC 3465 in segments; 0 counts ACKs"),
    knob("ssthresh_base", "What a loss halves: flight_size, window"),
    knob(
        "idle_restart",
        "Whether a pause of more than an RTO restarts the window (RFC 5681 section 4.1)",
    ),
    knob("burst_limit", "Most segments that one ACK releases; 0 for no limit"),
    knob("dupthresh", "Duplicate ACKs that mean a loss"),
    knob("limited_transmit", "Whether the first two duplicate ACKs release a segment (RFC 3042)"),
    knob("ack_every", "Acknowledge every so many full-sized segments; 0 does not count"),
    knob("ack_delay", "Longest time that an acknowledgment waits"),
    knob("ack_window_update", "Whether a window that would double is acknowledged (Linux 2.2)"),
    knob("ack_dynamic", "Whether segments per acknowledgment follow the load"),
    knob("ack_stretch_limit", "Most segments that wait for an acknowledgment; 0 for no limit"),
    knob("initial_rto", "RTO before the first measurement (RFC 6298)"),
    knob("min_rto", "Least RTO"),
    knob("max_rto", "Largest RTO"),
    knob("timers", "Kind of timers: fine, ticking"),
    knob("timer_granularity", "G: granularity of the timers"),
    knob("backoff_end", "When a backed-off RTO returns to its value: sample, new_ack"),
    knob("keep_alive", "Silence before the first keep-alive probe; 0 s for none"),
    knob("keep_alive_interval", "Time between keep-alive probes"),
    knob("keep_alive_probes", "Keep-alive probes without an answer that end the connection"),
    knob("user_timeout", "How long data may remain unacknowledged; 0 s for ever"),
    knob("msl", "Maximum segment lifetime: TIME-WAIT lasts twice as long"),
    knob("challenge_ack_limit", "Challenge ACKs per second at most (RFC 5961)"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::Options;

    #[test]
    fn every_option_has_its_line_and_nothing_else_has() {
        let options = toml::to_string(&Options::default()).unwrap();
        let keys: Vec<&str> =
            options.lines().filter_map(|line| Some(line.split_once(" = ")?.0)).collect();
        assert_eq!(KNOBS.map(|knob| knob.key), *keys);
    }
}
