//! One deadline per part, the earliest first: for the parts of a simulated
//! network as for the connections of a host.

use netjoule_units::Instant;

/// A part that can be called at a time of its choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId(pub u32);

/// Children per node of the heap: four of them share a cache line.
const ARITY: usize = 4;
/// The position of a part without a deadline.
const ABSENT: u32 = u32::MAX;

/// A heap entry; the derived order is the order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    at: Instant,
    part: PartId,
}

/// The deadlines of a fixed set of parts: an indexed heap in which each part
/// stands at most once.
#[derive(Clone, Debug)]
pub struct Deadlines {
    heap: Vec<Entry>,
    /// Where each part stands in `heap`.
    position: Vec<u32>,
}

impl Deadlines {
    /// No deadlines, for parts 0 to `parts` - 1.
    ///
    /// # Panics
    /// If there are 2^32 - 1 parts or more.
    #[must_use]
    pub fn new(parts: usize) -> Self {
        assert!(u32::try_from(parts).is_ok_and(|n| n < ABSENT), "too many parts");
        Self { heap: Vec::with_capacity(parts), position: vec![ABSENT; parts] }
    }

    /// Makes room for parts up to `parts` - 1, without deadlines at first.
    ///
    /// # Panics
    /// If there are 2^32 - 1 parts or more.
    pub fn grow(&mut self, parts: usize) {
        assert!(u32::try_from(parts).is_ok_and(|n| n < ABSENT), "too many parts");
        if parts > self.position.len() {
            self.position.resize(parts, ABSENT);
        }
    }

    /// The earliest deadline and whose it is.
    #[must_use]
    #[inline]
    pub fn first(&self) -> Option<(Instant, PartId)> {
        self.heap.first().map(|entry| (entry.at, entry.part))
    }

    /// Sets, moves or (with `None`) removes the deadline of `part`.
    ///
    /// # Panics
    /// If there is no such part.
    #[inline]
    pub fn set(&mut self, part: PartId, at: Option<Instant>) {
        let position = self.position[part.0 as usize];
        match (position, at) {
            (ABSENT, None) => {}
            (ABSENT, Some(at)) => {
                self.heap.push(Entry { at, part });
                self.rise(self.heap.len() - 1);
            }
            (position, Some(at)) => {
                let index = position as usize;
                let old = self.heap[index].at;
                if at == old {
                    return;
                }
                self.heap[index].at = at;
                if at < old { self.rise(index) } else { self.sink(index) }
            }
            (position, None) => self.remove(position as usize),
        }
    }

    fn remove(&mut self, index: usize) {
        let removed = self.heap.swap_remove(index);
        self.position[removed.part.0 as usize] = ABSENT;
        if let Some(&moved) = self.heap.get(index) {
            if moved < removed { self.rise(index) } else { self.sink(index) }
        }
    }

    /// Moves the entry at `index` up to where it belongs, and notes where all
    /// that moved stand now.
    fn rise(&mut self, mut index: usize) {
        let entry = self.heap[index];
        while index > 0 {
            let parent = (index - 1) / ARITY;
            if self.heap[parent] <= entry {
                break;
            }
            self.put(index, self.heap[parent]);
            index = parent;
        }
        self.put(index, entry);
    }

    fn sink(&mut self, mut index: usize) {
        let entry = self.heap[index];
        loop {
            let first = index * ARITY + 1;
            let last = (first + ARITY).min(self.heap.len());
            let Some(least) = (first..last).min_by_key(|&child| self.heap[child]) else { break };
            if entry <= self.heap[least] {
                break;
            }
            self.put(index, self.heap[least]);
            index = least;
        }
        self.put(index, entry);
    }

    fn put(&mut self, index: usize, entry: Entry) {
        self.heap[index] = entry;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "`new` and `grow` bound the number of parts"
        )]
        let position = index as u32;
        self.position[entry.part.0 as usize] = position;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn simultaneous_deadlines_come_in_the_order_of_the_parts() {
        let mut deadlines = Deadlines::new(4);
        for part in [2, 0, 3, 1] {
            deadlines.set(PartId(part), Some(Instant::from_millis(5)));
        }
        for part in 0..4 {
            assert_eq!(deadlines.first(), Some((Instant::from_millis(5), PartId(part))));
            deadlines.set(PartId(part), None);
        }
        assert_eq!(deadlines.first(), None);
    }

    #[test]
    fn parts_can_be_added() {
        let mut deadlines = Deadlines::new(1);
        deadlines.set(PartId(0), Some(Instant::from_millis(5)));
        deadlines.grow(3);
        deadlines.set(PartId(2), Some(Instant::from_millis(4)));
        assert_eq!(deadlines.first(), Some((Instant::from_millis(4), PartId(2))));
        deadlines.grow(2);
        deadlines.set(PartId(2), None);
        assert_eq!(deadlines.first(), Some((Instant::from_millis(5), PartId(0))));
    }

    proptest! {
        /// The heap agrees with a plain list at every step, and never holds
        /// more entries than there are parts.
        #[test]
        fn agrees_with_a_list(steps in prop::collection::vec((0u32..20, prop::option::of(0u64..50)), 1..300)) {
            let mut deadlines = Deadlines::new(20);
            let mut list = [None; 20];
            for (part, at) in steps {
                let at = at.map(Instant::from_nanos);
                deadlines.set(PartId(part), at);
                list[part as usize] = at;
                let expected = (0u32..)
                    .zip(list)
                    .filter_map(|(part, at)| at.map(|at| (at, PartId(part))))
                    .min();
                prop_assert_eq!(deadlines.first(), expected);
                prop_assert_eq!(deadlines.heap.len(), list.iter().flatten().count());
            }
        }
    }
}
