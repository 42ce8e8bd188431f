//! The bytes a node can hold in all its queues together.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use netjoule_units::{Bytes, Instant};

/// A shared drop-tail buffer: a packet that does not fit is refused.
#[derive(Clone, Debug)]
pub struct Buffer {
    capacity: Bytes,
    held: Bytes,
    /// Packets whose departure is already known.
    departures: BinaryHeap<Reverse<(Instant, Bytes)>>,
}

impl Buffer {
    /// An empty buffer; a capacity of [`Bytes::MAX`] is unlimited.
    #[must_use]
    pub const fn new(capacity: Bytes) -> Self {
        Self { capacity, held: Bytes::ZERO, departures: BinaryHeap::new() }
    }

    /// Takes in `size` if there is room at `now`.
    #[must_use]
    pub fn admit(&mut self, now: Instant, size: Bytes) -> bool {
        if self.is_unlimited() {
            return true;
        }
        while let Some(&Reverse((departure, size))) = self.departures.peek()
            && departure <= now
        {
            self.departures.pop();
            self.held -= size;
        }
        let fits = size.get() <= self.capacity.get() - self.held.get();
        if fits {
            self.held += size;
        }
        fits
    }

    /// Gives back `size` at once.
    pub fn release(&mut self, size: Bytes) {
        if !self.is_unlimited() {
            self.held -= size;
        }
    }

    /// Gives back `size` when its last bit has left, at `departure`.
    pub fn release_at(&mut self, now: Instant, departure: Instant, size: Bytes) {
        if departure <= now {
            self.release(size);
        } else if !self.is_unlimited() {
            self.departures.push(Reverse((departure, size)));
        }
    }

    fn is_unlimited(&self) -> bool {
        self.capacity == Bytes::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_comes_back_as_packets_leave() {
        let mut buffer = Buffer::new(Bytes::new(2_000));
        let at = Instant::from_millis;
        assert!(buffer.admit(at(0), Bytes::new(1_000)));
        assert!(buffer.admit(at(0), Bytes::new(1_000)));
        assert!(!buffer.admit(at(0), Bytes::new(1)));
        buffer.release_at(at(0), at(10), Bytes::new(1_000));
        buffer.release_at(at(0), at(5), Bytes::new(1_000));
        assert!(!buffer.admit(at(4), Bytes::new(1)));
        assert!(buffer.admit(at(5), Bytes::new(1_000)));
        assert!(!buffer.admit(at(9), Bytes::new(1)));
        buffer.release(Bytes::new(1_000));
        assert!(buffer.admit(at(10), Bytes::new(2_000)));
    }

    #[test]
    fn an_unlimited_buffer_keeps_no_account() {
        let mut buffer = Buffer::new(Bytes::MAX);
        for _ in 0..1_000 {
            assert!(buffer.admit(Instant::ZERO, Bytes::MAX));
            buffer.release_at(Instant::ZERO, Instant::from_millis(1), Bytes::MAX);
        }
        assert!(buffer.departures.is_empty());
    }
}
