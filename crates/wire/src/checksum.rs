//! The Internet checksum (RFC 1071) in the widest words the machine has.
//!
//! A one's complement sum of 16-bit words may be taken over wider words, and in
//! the machine's own byte order, and folded at the end (RFC 1071 section 2,
//! agarwal2000 3.3). So the sum runs over vectors of 64-bit words, and
//! bytes that are to be copied are read only once for both.

/// Bytes in a word.
const WORD: usize = 8;
/// Words from which on it is worth a call to ask which instructions there are.
const VECTOR_FROM: usize = 32;

/// A one's complement sum as it accumulates, in the machine's byte order. The
/// sum of nothing is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum(
    /// Congruent to the sum of all 16-bit words modulo 2^16 - 1, and 0 only if
    /// all of them are. Folding 32 bits to 16 is left to the end.
    u32,
);

impl Sum {
    /// The sum of `bytes`; a byte left over at the end counts as the first of
    /// its word (RFC 1071 section 4.1). Exact up to 2^34 bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks();
        let sum = if words.len() < VECTOR_FROM {
            in_turn(words)
        } else {
            vectorised(
                #[inline(always)]
                || Halves::of(words),
            )
            .sum()
        };
        sum.plus(rest_of(bytes))
    }

    /// Copies `from` to `to` and returns the sum of what was copied.
    ///
    /// # Panics
    /// If the lengths differ.
    #[must_use]
    pub fn copying(to: &mut [u8], from: &[u8]) -> Self {
        assert_eq!(to.len(), from.len(), "source and destination have one length");
        let sum = rest_of(from);
        if from.len() < VECTOR_FROM * WORD {
            to.copy_from_slice(from);
            return sum.plus(in_turn(from.as_chunks().0));
        }
        // The last word overlaps the others if it is not a whole one.
        if let (Some(to), Some(from)) = (to.last_chunk_mut::<WORD>(), from.last_chunk()) {
            *to = *from;
        }
        let (to, _) = to.as_chunks_mut();
        let (from, _) = from.as_chunks();
        let words = vectorised(
            #[inline(always)]
            || Halves::copying(to, from),
        );
        sum.plus(words.sum())
    }

    /// This sum and that of the bytes that follow, which begin `at_odd_offset`
    /// or not: there the halves of all their words trade places (RFC 1071
    /// section 2, B).
    #[must_use]
    pub const fn then(self, next: Self, at_odd_offset: bool) -> Self {
        // Eight bits to the left is a factor of 2^8, around the corner too:
        // 2^16 - 1 divides 2^32 - 1.
        self.plus(if at_odd_offset { Self(next.0.rotate_left(8)) } else { next })
    }

    /// This sum and a 16-bit field of value `field`.
    #[must_use]
    pub const fn add_u16(self, field: u16) -> Self {
        self.plus(Self(field.to_be() as u32))
    }

    /// This sum and a 32-bit field of value `field`.
    #[must_use]
    pub const fn add_u32(self, field: u32) -> Self {
        self.plus(Self(field.to_be()))
    }

    /// The sum of 32-bit fields with these values.
    #[must_use]
    pub const fn of_words<const N: usize>(fields: [u32; N]) -> Self {
        let mut sum = 0;
        let mut at = 0;
        while at < N {
            sum += fields[at].to_be() as u64;
            at += 1;
        }
        Self::from_u64(sum)
    }

    /// The value of the checksum field: the complement of the sum.
    #[must_use]
    pub const fn finish(self) -> u16 {
        u16::from_be(!self.folded())
    }

    /// Whether this, the sum of everything including the checksum field, is
    /// that of undamaged bytes: all ones, which is one of the two zeros.
    #[must_use]
    pub const fn is_valid(self) -> bool {
        self.folded() == u16::MAX
    }

    /// One's complement addition: the carry comes back in at the bottom.
    const fn plus(self, other: Self) -> Self {
        let (sum, carry) = self.0.overflowing_add(other.0);
        // After a carry the sum is at most 2^32 - 2.
        Self(sum.wrapping_add(carry as u32))
    }

    const fn folded(self) -> u16 {
        let once = (self.0 >> 16) + (self.0 & 0xffff);
        #[expect(clippy::cast_possible_truncation, reason = "the carry is added, then cut off")]
        let folded = (once + (once >> 16)) as u16;
        folded
    }

    const fn from_u64(sum: u64) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
        let (high, low) = ((sum >> 32) as u32, sum as u32);
        Self(high).plus(Self(low))
    }
}

/// The checksum field of a header in which a field `old` has become `new`,
/// without another look at the rest (RFC 1624 equation 3).
#[must_use]
pub const fn updated(checksum: u16, old: u16, new: u16) -> u16 {
    Sum(0).add_u16(!checksum).add_u16(!old).add_u16(new).finish()
}

/// Runs `work`, which is inlined, with the widest instructions that this
/// machine has.
fn vectorised<T>(work: impl FnOnce() -> T) -> T {
    pulp::Arch::new().dispatch(work)
}

/// The sums of the words' lower and upper halves, while they are taken.
///
/// A carry out of 64 bits would be costly to catch in a vector. So one sum is
/// that of whole words modulo 2^64, the other that of the upper halves; both
/// follow from these exactly for up to 2^31 words. That makes three operations
/// for each vector, in a loop that a compiler sees through: the widths of the
/// vectors are its business.
struct Halves {
    all: u64,
    high: u64,
}

impl Halves {
    const ZERO: Self = Self { all: 0, high: 0 };

    #[inline(always)]
    fn of(words: &[[u8; WORD]]) -> Self {
        words.iter().fold(Self::ZERO, |sums, &word| sums.and(word))
    }

    #[inline(always)]
    fn copying(to: &mut [[u8; WORD]], from: &[[u8; WORD]]) -> Self {
        to.iter_mut().zip(from).fold(Self::ZERO, |sums, (to, &from)| {
            *to = from;
            sums.and(from)
        })
    }

    #[inline(always)]
    const fn and(self, word: [u8; WORD]) -> Self {
        let word = u64::from_ne_bytes(word);
        Self { all: self.all.wrapping_add(word), high: self.high + (word >> 32) }
    }

    fn sum(&self) -> Sum {
        let low = self.all.wrapping_sub(self.high << 32);
        Sum::from_u64(low).plus(Sum::from_u64(self.high))
    }
}

/// The sum of a few words, carry by carry.
fn in_turn(words: &[[u8; WORD]]) -> Sum {
    Sum::from_u64(words.iter().fold(0, |sum: u64, &word| {
        let (sum, carry) = sum.overflowing_add(u64::from_ne_bytes(word));
        sum.wrapping_add(u64::from(carry))
    }))
}

/// The sum of what is left after the last whole word: a word with zeros after
/// it.
fn rest_of(bytes: &[u8]) -> Sum {
    let rest = bytes.len() % WORD;
    let word = match bytes.last_chunk() {
        _ if rest == 0 => return Sum::default(),
        // The last eight bytes, less those that belong to the word before.
        Some(&word) => (u64::from_le_bytes(word) >> (8 * (WORD - rest))).to_le(),
        None => {
            let mut word = [0; WORD];
            for (to, &from) in word.iter_mut().zip(bytes) {
                *to = from;
            }
            u64::from_ne_bytes(word)
        }
    };
    Sum::from_u64(word)
}

#[cfg(test)]
mod tests;
