//! The Internet checksum (RFC 1071) in the widest words that serve.
//!
//! A one's complement sum of 16-bit words may be taken over wider words, and in
//! the machine's own byte order, and folded at the end (RFC 1071 section 2,
//! agarwal2000 3.3). So the sum runs over 64-bit words with a carry, or over
//! vectors of them, and bytes that are to be copied are read only once for both.

#[cfg(target_arch = "x86_64")]
mod vector;
#[cfg(not(target_arch = "x86_64"))]
mod vector {
    //! Only x86-64 has another way than words.
    pub(super) fn of(_: &[u8]) -> Option<super::Sum> {
        None
    }
    pub(super) fn copying(_: &mut [u8], _: &[u8]) -> Option<super::Sum> {
        None
    }
}
mod words;

/// Bytes from which on vectors are worth asking for.
const VECTOR_FROM: usize = 128;

/// A one's complement sum as it accumulates, in the machine's byte order. The
/// sum of nothing is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum(
    /// Congruent to the sum of all 16-bit words modulo 2^16 - 1, and 0 only if
    /// all of them are. Folding 64 bits to 16 is left to the end.
    u64,
);

impl Sum {
    /// The sum of `bytes`; a byte left over at the end counts as the first of
    /// its word (RFC 1071 section 4.1). Exact up to 2^35 bytes.
    #[inline]
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let long = if bytes.len() < VECTOR_FROM { None } else { vector::of(bytes) };
        long.unwrap_or_else(|| words::of(bytes))
    }

    /// The sum of a header, nearly all of which have no options: then the
    /// `FIXED` bytes are known when this is compiled, and no loop is needed.
    #[inline(always)]
    #[must_use]
    pub fn of_header<const FIXED: usize>(header: &[u8]) -> Self {
        match header.as_array::<FIXED>() {
            Some(fixed) => words::of(fixed),
            None => Self::of(header),
        }
    }

    /// Copies `from` to `to` and returns the sum of what was copied.
    ///
    /// # Panics
    /// If the lengths differ.
    #[inline(always)]
    #[must_use]
    pub fn copying(to: &mut [u8], from: &[u8]) -> Self {
        assert!(to.len() == from.len(), "source and destination have one length");
        let long = if from.len() < VECTOR_FROM { None } else { vector::copying(to, from) };
        long.unwrap_or_else(|| {
            to.copy_from_slice(from);
            words::of(from)
        })
    }

    /// This sum and that of the bytes that follow, which begin `at_odd_offset`
    /// or not: there the halves of all their words trade places (RFC 1071
    /// section 2, B).
    #[must_use]
    pub const fn then(self, next: Self, at_odd_offset: bool) -> Self {
        // Eight bits to the left is a factor of 2^8, around the corner too:
        // 2^16 - 1 divides 2^64 - 1.
        self.plus(if at_odd_offset { Self(next.0.rotate_left(8)) } else { next })
    }

    /// This sum and a 16-bit field of value `field`.
    #[must_use]
    pub const fn add_u16(self, field: u16) -> Self {
        self.plus(Self(field.to_be() as u64))
    }

    /// This sum and a 32-bit field of value `field`.
    #[must_use]
    pub const fn add_u32(self, field: u32) -> Self {
        self.plus(Self(field.to_be() as u64))
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
        Self(sum)
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
    #[inline(always)]
    const fn plus(self, other: Self) -> Self {
        let (sum, carry) = self.0.overflowing_add(other.0);
        // After a carry the sum is at most 2^64 - 2.
        Self(sum.wrapping_add(carry as u64))
    }

    /// To 16 bits. Each step adds the halves; the upper half of what comes out
    /// has the carry of the lower one in it.
    const fn folded(self) -> u16 {
        let word = (self.0.wrapping_add(self.0.rotate_left(32)) >> 32) as u32;
        (word.wrapping_add(word.rotate_left(16)) >> 16) as u16
    }

    /// The sum of 64-bit words with all their carries.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    const fn from_u128(sum: u128) -> Self {
        Self((sum >> 64) as u64).plus(Self(sum as u64))
    }
}

/// The checksum field of a header in which a field `old` has become `new`,
/// without another look at the rest (RFC 1624 equation 3).
#[must_use]
pub const fn updated(checksum: u16, old: u16, new: u16) -> u16 {
    Sum(0).add_u16(!checksum).add_u16(!old).add_u16(new).finish()
}

#[cfg(test)]
mod tests;
