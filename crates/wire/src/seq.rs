//! TCP sequence numbers (RFC 9293 section 3.4).

use core::fmt;
use core::ops::{Add, AddAssign, Sub};

/// A sequence number modulo 2^32.
///
/// It has no `Ord`: "less" means nothing on a circle. [`SeqNumber::is_before`]
/// and its kin compare numbers less than 2^31 apart, as the standard does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SeqNumber(u32);

/// A run of the sequence space from `start` up to, not including, `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeqRange {
    /// The first sequence number of the range.
    pub start: SeqNumber,
    /// The sequence number after the last one.
    pub end: SeqNumber,
}

impl SeqNumber {
    /// The sequence number `value`.
    #[must_use]
    pub const fn new(value: u32) -> Self {
        Self(value)
    }

    /// The value, 0 to 2^32 - 1.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The signed distance from `other` to `self` around the circle.
    #[must_use]
    pub const fn distance_from(self, other: Self) -> i32 {
        self.0.wrapping_sub(other.0).cast_signed()
    }

    /// Whether `self` comes before `other`.
    #[must_use]
    pub const fn is_before(self, other: Self) -> bool {
        self.distance_from(other) < 0
    }

    /// Whether `self` comes after `other`.
    #[must_use]
    pub const fn is_after(self, other: Self) -> bool {
        self.distance_from(other) > 0
    }

    /// The later of the two.
    #[must_use]
    pub const fn later(self, other: Self) -> Self {
        if self.is_before(other) { other } else { self }
    }

    /// The earlier of the two.
    #[must_use]
    pub const fn earlier(self, other: Self) -> Self {
        if self.is_after(other) { other } else { self }
    }
}

impl Add<u32> for SeqNumber {
    type Output = Self;
    fn add(self, bytes: u32) -> Self {
        Self(self.0.wrapping_add(bytes))
    }
}

impl AddAssign<u32> for SeqNumber {
    fn add_assign(&mut self, bytes: u32) {
        *self = *self + bytes;
    }
}

impl Sub for SeqNumber {
    type Output = u32;
    /// Bytes from `earlier` to `self`, going forward around the circle.
    fn sub(self, earlier: Self) -> u32 {
        self.0.wrapping_sub(earlier.0)
    }
}

impl Sub<u32> for SeqNumber {
    type Output = Self;
    fn sub(self, bytes: u32) -> Self {
        Self(self.0.wrapping_sub(bytes))
    }
}

impl fmt::Display for SeqNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl SeqRange {
    /// Nothing.
    pub const EMPTY: Self = Self { start: SeqNumber::new(0), end: SeqNumber::new(0) };

    /// The `len` bytes from `start`.
    #[must_use]
    pub fn new(start: SeqNumber, len: u32) -> Self {
        Self { start, end: start + len }
    }

    /// The number of bytes in the range.
    #[must_use]
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether the range holds nothing.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn comparison_survives_the_wrap() {
        let before = SeqNumber::new(u32::MAX - 10);
        let after = before + 20;
        assert_eq!(after.get(), 9);
        assert!(before.is_before(after) && after.is_after(before));
        assert_eq!(after - before, 20);
        assert_eq!(before.later(after), after);
        assert_eq!(SeqRange::new(before, 20).end, after);
        assert_eq!(SeqRange::new(before, 20).len(), 20);
    }

    proptest! {
        #[test]
        fn order_is_that_of_the_distance(start: u32, step in 1u32..1 << 31) {
            let (a, b) = (SeqNumber::new(start), SeqNumber::new(start) + step);
            // At exactly half the circle both distances are the same negative number.
            prop_assert!(a.is_before(b));
            prop_assert!(!a.is_after(b));
            prop_assert_eq!(b - a, step);
        }
    }
}
