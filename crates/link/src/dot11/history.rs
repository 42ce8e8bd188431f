//! What is on the air, and what was as long as it matters: from it, what any
//! station has heard can be told at any time, so that stations with nothing to
//! send need not be told while it happens.

use std::collections::VecDeque;

use netjoule_units::Instant;

use super::frame::Transmission;

#[derive(Clone, Copy, Debug)]
struct Entry {
    transmission: Transmission,
    /// Nobody can be affected by it, or by one that it overlaps, later on.
    matters_until: Instant,
}

/// The transmissions of the last milliseconds.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// In the order of their starts, which is that of their numbers.
    entries: VecDeque<Entry>,
    /// Numbers in the order of their ends.
    ended: VecDeque<u64>,
    /// The number of the next one.
    next: u64,
}

impl History {
    /// The number of the next transmission.
    pub(super) const fn next_number(&self) -> u64 {
        self.next
    }

    /// `transmission` begins. It matters to no one after `matters_until`, its
    /// overlaps aside. What does not matter any more is forgotten.
    pub(super) fn begin(&mut self, transmission: Transmission, matters_until: Instant) {
        let now = transmission.start;
        while self.entries.front().is_some_and(|entry| entry.matters_until <= now) {
            self.entries.pop_front();
        }
        let first = self.first();
        while self.ended.front().is_some_and(|number| *number < first) {
            self.ended.pop_front();
        }
        // Who destroyed what is told from those that overlap.
        for entry in self.entries.iter_mut().filter(|entry| entry.transmission.end > now) {
            entry.matters_until = entry.matters_until.max(matters_until);
        }
        self.entries.push_back(Entry { transmission, matters_until });
        self.next += 1;
    }

    /// `number` is over.
    pub(super) fn end(&mut self, number: u64) {
        self.ended.push_back(number);
    }

    /// Nothing of `number` has reached the station that it was for.
    pub(super) fn lose(&mut self, number: u64) {
        let place = self.place(number);
        self.entries[place].transmission.lost = true;
    }

    /// Transmission `number`, which still matters.
    pub(super) fn get(&self, number: u64) -> &Transmission {
        &self.entries[self.place(number)].transmission
    }

    fn place(&self, number: u64) -> usize {
        #[expect(clippy::cast_possible_truncation, reason = "the queue's length")]
        let place = (number - self.first()) as usize;
        place
    }

    /// Every transmission that matters, in the order of their starts.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Transmission> {
        self.entries.iter().map(|entry| &entry.transmission)
    }

    /// Those that overlap `transmission`, without itself.
    pub(super) fn overlapping(
        &self,
        transmission: &Transmission,
    ) -> impl Iterator<Item = &Transmission> {
        let Transmission { start, end, number, .. } = *transmission;
        self.iter()
            .filter(move |other| other.start < end && other.end > start && other.number != number)
    }

    /// Those that are over, in the order of their ends.
    pub(super) fn ended(&self) -> impl Iterator<Item = &Transmission> {
        // A short frame may end, and be remembered, before one that has begun
        // earlier and is forgotten.
        let first = self.first();
        self.ended.iter().filter(move |number| **number >= first).map(|number| self.get(*number))
    }

    /// The number of the oldest.
    fn first(&self) -> u64 {
        self.next - self.entries.len() as u64
    }
}
