//! When in-order data is acknowledged.

use netjoule_units::Duration;

use super::Acknowledge;
use crate::tcp::Options;

/// Acknowledges every n full-sized segments, and what is left after a while
/// (RFC 1122 section 4.2.3.2, RFC 5681 section 4.2).
#[derive(Clone, Debug)]
pub(super) struct AckPolicy {
    /// Payload bytes that call for an acknowledgment at once: n segments.
    threshold: u64,
    delay: Duration,
    /// Payload bytes not yet acknowledged.
    waiting: u64,
}

impl AckPolicy {
    pub(super) fn new(options: &Options) -> Self {
        let threshold = if options.ack_every == 1 {
            // Small segments too.
            1
        } else {
            u64::from(options.ack_every) * options.mss.get()
        };
        Self { threshold, delay: options.ack_delay, waiting: 0 }
    }

    pub(super) fn on_in_order(&mut self, len: u32) -> Acknowledge {
        self.waiting += u64::from(len);
        if self.waiting >= self.threshold {
            Acknowledge::Now
        } else {
            Acknowledge::Within(self.delay)
        }
    }

    pub(super) fn on_ack_sent(&mut self) {
        self.waiting = 0;
    }
}
