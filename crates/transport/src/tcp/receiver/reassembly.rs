//! Data that has arrived ahead of its turn.

use core::fmt;

use netjoule_wire::{SeqNumber, SeqRange};

/// Disjoint ranges with holes between them, in order. The window bounds how
/// many there can be.
#[derive(Clone, Debug, Default)]
pub(super) struct Reassembly {
    ranges: Vec<SeqRange>,
}

impl Reassembly {
    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The ranges in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = SeqRange> {
        self.ranges.iter().copied()
    }

    /// The range that covers `seq`, if one does.
    pub(super) fn range_at(&self, seq: SeqNumber) -> Option<SeqRange> {
        let index = self.ranges.partition_point(|range| !range.end.is_after(seq));
        self.ranges.get(index).copied().filter(|range| !range.start.is_after(seq))
    }

    /// Adds `range`, joining it with what it touches. Returns whether any of
    /// it is new.
    pub(super) fn insert(&mut self, range: SeqRange) -> bool {
        let ranges = &self.ranges;
        let first = ranges.partition_point(|held| held.end.is_before(range.start));
        let touched = ranges[first..].partition_point(|held| !held.start.is_after(range.end));
        let last = first + touched;
        let mut joined = range;
        if let Some(held) = self.ranges[first..last].first() {
            if !held.start.is_after(range.start) && !held.end.is_before(range.end) {
                return false;
            }
            if held.start.is_before(joined.start) {
                joined.start = held.start;
            }
        }
        if let Some(held) = self.ranges[first..last].last() {
            joined.end = joined.end.later(held.end);
        }
        self.ranges.splice(first..last, [joined]);
        true
    }

    /// Takes out the range that begins at or before `next`, if there is one,
    /// and returns where it ends; `next` otherwise.
    pub(super) fn take_until(&mut self, next: SeqNumber) -> SeqNumber {
        match self.ranges.first() {
            Some(&held) if !held.start.is_after(next) => {
                self.ranges.remove(0);
                held.end.later(next)
            }
            _ => next,
        }
    }
}

/// Each range as `start..end`.
impl fmt::Display for Reassembly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, range) in self.ranges.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(f, "{space}{}..{}", range.start, range.end)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn range(start: u32, end: u32) -> SeqRange {
        SeqRange { start: SeqNumber::new(start), end: SeqNumber::new(end) }
    }

    #[test]
    fn ranges_join_when_they_touch() {
        let mut held = Reassembly::default();
        assert!(held.insert(range(30, 40)));
        assert!(held.insert(range(10, 20)));
        assert_eq!(held.to_string(), "10..20 30..40");
        assert!(!held.insert(range(12, 18)));
        assert!(held.insert(range(20, 25)));
        assert_eq!(held.to_string(), "10..25 30..40");
        assert!(held.insert(range(25, 30)));
        assert_eq!(held.to_string(), "10..40");
        assert_eq!(held.take_until(SeqNumber::new(9)).get(), 9);
        assert_eq!(held.take_until(SeqNumber::new(10)).get(), 40);
        assert!(held.is_empty());
    }

    proptest! {
        /// Against a plain set of bytes, across the wrap of the sequence space.
        #[test]
        fn agrees_with_a_set_of_bytes(pieces in prop::collection::vec((0u32..60, 1u32..12), 1..40)) {
            let base = SeqNumber::new(u32::MAX - 20);
            let (mut held, mut bytes) = (Reassembly::default(), [false; 80]);
            for (start, len) in pieces {
                let piece = &mut bytes[start as usize..(start + len) as usize];
                let is_new = piece.iter().any(|had| !had);
                piece.fill(true);
                prop_assert_eq!(held.insert(SeqRange::new(base + start, len)), is_new);
                let runs = bytes.chunk_by(|a, b| a == b).filter(|run| run[0]).count();
                prop_assert_eq!(held.ranges.len(), runs, "{}", held);
                let total: u32 = held.ranges.iter().map(|range| range.len()).sum();
                prop_assert_eq!(total as usize, bytes.iter().filter(|had| **had).count());
            }
        }
    }
}
