//! Rings of bytes whose places are named by sequence numbers.
//!
//! A byte's place is its sequence number modulo the capacity, which is a power
//! of two: so both rings of a connection speak the language of its engine, and
//! the circle of sequence numbers closes where the ring does. Memory is taken
//! as it is needed, up to a bound.

use netjoule_wire::checksum::Sum;
use netjoule_wire::{SeqNumber, SeqRange};

/// What a ring takes first.
const LEAST: usize = 4096;

/// The part of the sequence space from `start` on, as far as the ring's bound.
#[derive(Clone, Debug)]
pub(crate) struct Ring {
    /// A power of two of them, or none.
    bytes: Vec<u8>,
    /// The first sequence number that is of interest.
    start: SeqNumber,
    /// The sequence number after the last byte that was put in.
    end: SeqNumber,
    /// How far `end` may be from `start`.
    bound: usize,
}

impl Ring {
    /// An empty ring for at most `bound` bytes from `start` on.
    ///
    /// # Panics
    /// If `bound` is more than 1 GiB, beyond which sequence numbers could not
    /// be told apart.
    pub(crate) fn new(start: SeqNumber, bound: usize) -> Self {
        assert!(bound <= 1 << 30, "rings hold at most 1 GiB, not {bound} bytes");
        Self { bytes: Vec::new(), start, end: start, bound }
    }

    /// The first sequence number of interest.
    pub(crate) const fn start(&self) -> SeqNumber {
        self.start
    }

    /// Bytes between the first and the last, holes included.
    pub(crate) fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// How many bytes can be appended.
    pub(crate) fn room(&self) -> usize {
        self.bound - self.len()
    }

    /// Forgets everything before `seq`. What lies beyond the end is ignored.
    #[inline]
    pub(crate) fn release(&mut self, seq: SeqNumber) {
        self.start = seq.earlier(self.end).later(self.start);
    }

    /// Gives the memory back; nothing is of interest any more.
    pub(crate) fn clear(&mut self) {
        *self = Self { bytes: Vec::new(), start: self.end, end: self.end, bound: 0 };
    }

    /// Appends as much of `data` as there is room for, and says how much that
    /// was.
    pub(crate) fn append(&mut self, data: &[u8]) -> usize {
        let len = data.len().min(self.room());
        self.put(self.end, &data[..len]);
        len
    }

    /// Lets `fill` write to the free bytes after the end that lie in one piece,
    /// and appends as many of them as it says.
    pub(crate) fn append_with(&mut self, fill: impl FnOnce(&mut [u8]) -> usize) -> usize {
        let room = self.room();
        if room == 0 {
            return 0;
        }
        if self.len() == self.bytes.len() {
            self.reach(self.len() + 1);
        }
        let from = self.place(self.end);
        let len = room.min(self.bytes.len() - self.len()).min(self.bytes.len() - from);
        let filled = fill(&mut self.bytes[from..from + len]).min(len);
        self.end += narrow(filled);
        filled
    }

    /// Whether `seq` comes after everything that was put in.
    #[inline]
    pub(crate) fn expects(&self, seq: SeqNumber) -> bool {
        seq == self.end
    }

    /// Copies `data` behind the end without putting it in, and returns its sum:
    /// whether it is undamaged is known only after the copy.
    ///
    /// # Panics
    /// If there is no room for it.
    #[inline(always)]
    pub(crate) fn copy_beyond(&mut self, data: &[u8]) -> Sum {
        let reach = self.len() + data.len();
        assert!(reach <= self.bound, "{} bytes at {}: outside of the ring", data.len(), self.end);
        if reach > self.bytes.len() {
            self.reach(reach);
        }
        if data.is_empty() {
            return Sum::default();
        }
        let from = self.place(self.end);
        match self.bytes.get_mut(from..from + data.len()) {
            Some(here) => Sum::copying(here, data),
            None => {
                let (rest, here) = self.bytes.split_at_mut(from);
                let (first, second) = data.split_at(here.len());
                let sum = Sum::copying(here, first);
                let at_odd_offset = first.len() % 2 == 1;
                sum.then(Sum::copying(&mut rest[..second.len()], second), at_odd_offset)
            }
        }
    }

    /// Puts in what was copied behind the end, up to `end`.
    #[inline]
    pub(crate) fn extend(&mut self, end: SeqNumber) {
        self.end = self.end.later(end);
    }

    /// Puts `data` where it belongs, which may leave a hole before it.
    ///
    /// # Panics
    /// If it lies before the start or beyond the bound.
    #[inline]
    pub(crate) fn put(&mut self, seq: SeqNumber, data: &[u8]) {
        if data.is_empty() {
            return;
        }
        let offset = seq - self.start;
        let reach = offset as usize + data.len();
        assert!(reach <= self.bound, "{} bytes at {seq}: outside of the ring", data.len());
        if reach > self.bytes.len() {
            self.reach(reach);
        }
        let from = self.place(seq);
        let first = data.len().min(self.bytes.len() - from);
        self.bytes[from..from + first].copy_from_slice(&data[..first]);
        if first < data.len() {
            self.bytes[..data.len() - first].copy_from_slice(&data[first..]);
        }
        self.end = self.end.later(seq + narrow(data.len()));
    }

    /// The bytes of `range` in the order of their sequence numbers: the second
    /// piece is empty unless they go round the ring's end.
    ///
    /// # Panics
    /// If some of them were never put in.
    #[inline]
    pub(crate) fn pieces(&self, range: SeqRange) -> (&[u8], &[u8]) {
        let len = range.len() as usize;
        if len == 0 {
            return (&[], &[]);
        }
        let offset = (range.start - self.start) as usize;
        assert!(
            offset.saturating_add(len) <= self.len(),
            "{len} bytes at {}: not in the ring",
            range.start
        );
        let from = self.place(range.start);
        match self.bytes.get(from..from + len) {
            Some(all) => (all, &[]),
            None => {
                let (rest, first) = self.bytes.split_at(from);
                (first, &rest[..len - first.len()])
            }
        }
    }

    /// Where `seq` is. Means something only when there are bytes.
    #[inline]
    fn place(&self, seq: SeqNumber) -> usize {
        seq.get() as usize & self.bytes.len().wrapping_sub(1)
    }

    /// Makes the ring hold at least `reach` bytes.
    #[cold]
    fn reach(&mut self, reach: usize) {
        let mut bytes = vec![0; reach.next_power_of_two().max(LEAST)];
        let (first, second) = self.pieces(SeqRange { start: self.start, end: self.end });
        let mask = bytes.len() - 1;
        let mut at = self.start.get() as usize;
        for piece in [first, second] {
            // A larger ring can split a piece of the smaller one only at its end.
            let from = at & mask;
            let here = piece.len().min(bytes.len() - from);
            bytes[from..from + here].copy_from_slice(&piece[..here]);
            bytes[..piece.len() - here].copy_from_slice(&piece[here..]);
            at += piece.len();
        }
        self.bytes = bytes;
    }
}

/// A length within the ring as a distance of sequence numbers.
#[expect(clippy::cast_possible_truncation, reason = "a ring holds at most 1 GiB")]
const fn narrow(len: usize) -> u32 {
    len as u32
}

#[cfg(test)]
mod tests;
