//! The most segments that one ACK releases.

/// Segments that may leave before the next ACK.
#[derive(Clone, Copy, Debug)]
pub(super) struct Burst {
    /// Zero for no limit.
    limit: u32,
    left: u32,
}

impl Burst {
    pub(super) const fn new(limit: u32) -> Self {
        Self { limit, left: limit }
    }

    /// An ACK has come, or a timer has run out.
    pub(super) const fn refill(&mut self) {
        self.left = self.limit;
    }

    /// A segment leaves.
    pub(super) const fn spend(&mut self) {
        self.left = self.left.saturating_sub(1);
    }

    /// Whether nothing may leave.
    pub(super) const fn is_spent(&self) -> bool {
        self.limit > 0 && self.left == 0
    }
}
