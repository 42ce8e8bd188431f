//! Vectors of four 64-bit words, on machines that have AVX2.
//!
//! The vectors are written out and not left to the compiler: what it makes of a
//! plain loop ends with a detour for the last few vectors that costs a quarter
//! more for a segment of 1460 bytes. Vectors of eight words (AVX-512) are no
//! better: a copy is as fast as its stores, and those would be half as many but
//! cross a cache line each.

use pulp::x86::V3;
use pulp::{cast, u64x4};

use super::Sum;

/// Bytes in a vector.
const VECTOR: usize = 32;
/// Bytes in a round of the loop. It loads all of them before it stores any:
/// a load waits for a store shortly before whose address agrees with its own in
/// the low twelve bits.
const BLOCK: usize = 4 * VECTOR;

/// The sum of `bytes`, a vector or more; `None` without AVX2.
#[inline]
pub(super) fn of(bytes: &[u8]) -> Option<Sum> {
    let simd = V3::try_new()?;
    Some(simd.vectorize(
        #[inline(always)]
        || {
            let (blocks, tail) = bytes.as_chunks::<BLOCK>();
            let mut lanes = [Lanes::ZERO; 2];
            for block in blocks {
                lanes = add_block(simd, lanes, cast(*block));
            }
            let (vectors, rest) = tail.as_chunks::<VECTOR>();
            for vector in vectors {
                lanes[0] = lanes[0].and(simd, cast(*vector));
            }
            let last = bytes.last_chunk().expect(LONG);
            sum_with_rest(simd, lanes, last, rest.len())
        },
    ))
}

/// Copies `from`, a vector or more, to `to`, which has the same length, and
/// returns the sum; `None`, and nothing is copied, without AVX2.
#[inline(always)]
pub(super) fn copying(to: &mut [u8], from: &[u8]) -> Option<Sum> {
    let simd = V3::try_new()?;
    Some(simd.vectorize(
        #[inline(always)]
        || {
            let to = &mut to[..from.len()];
            let (to_blocks, to_tail) = to.as_chunks_mut::<BLOCK>();
            let (blocks, tail) = from.as_chunks::<BLOCK>();
            let mut lanes = [Lanes::ZERO; 2];
            for (to, block) in to_blocks.iter_mut().zip(blocks) {
                let loaded = cast(*block);
                *to = cast(loaded);
                lanes = add_block(simd, lanes, loaded);
            }
            let (to_vectors, _) = to_tail.as_chunks_mut::<VECTOR>();
            let (vectors, rest) = tail.as_chunks::<VECTOR>();
            for (to, vector) in to_vectors.iter_mut().zip(vectors) {
                *to = *vector;
                lanes[0] = lanes[0].and(simd, cast(*vector));
            }
            let last = from.last_chunk().expect(LONG);
            *to.last_chunk_mut().expect(LONG) = *last;
            sum_with_rest(simd, lanes, last, rest.len())
        },
    ))
}

const LONG: &str = "a vector or more";

/// The sum of `lanes`, and of the last `rest` bytes, fewer than a vector.
/// `last`, the last vector of all, has some bytes before those, which are
/// masked out.
#[inline(always)]
fn sum_with_rest(simd: V3, lanes: [Lanes; 2], last: &[u8; VECTOR], rest: usize) -> Sum {
    static MASKS: [u8; 2 * VECTOR] = {
        let mut masks = [0; 2 * VECTOR];
        masks.split_at_mut(VECTOR).1.copy_from_slice(&[u8::MAX; VECTOR]);
        masks
    };
    let mask: &[u8; VECTOR] = MASKS[rest % VECTOR..].first_chunk().expect(LONG);
    let masked = simd.and_u64x4(cast(*last), cast(*mask));
    if rest.is_multiple_of(2) {
        sum(simd, [lanes[0], lanes[1].and(simd, masked)])
    } else {
        // The words of the last vector begin in the midst of others.
        sum(simd, lanes).then(sum(simd, [Lanes::ZERO.and(simd, masked), Lanes::ZERO]), true)
    }
}

#[inline(always)]
fn add_block(simd: V3, [even, odd]: [Lanes; 2], [a, b, c, d]: [u64x4; 4]) -> [Lanes; 2] {
    [even.and(simd, a).and(simd, c), odd.and(simd, b).and(simd, d)]
}

/// The sums of words, lane by lane.
///
/// A carry out of 64 bits would be costly to catch in a vector. So one sum is
/// that of whole words modulo 2^64, the other that of their upper halves; the
/// sum of the lower halves follows from these exactly for up to 2^32 words.
/// That makes three operations for each vector.
#[derive(Clone, Copy)]
struct Lanes {
    all: u64x4,
    high: u64x4,
}

impl Lanes {
    const ZERO: Self = Self { all: u64x4(0, 0, 0, 0), high: u64x4(0, 0, 0, 0) };

    #[inline(always)]
    fn and(self, simd: V3, words: u64x4) -> Self {
        Self {
            all: simd.wrapping_add_u64x4(self.all, words),
            high: simd.wrapping_add_u64x4(self.high, simd.shr_const_u64x4::<32>(words)),
        }
    }
}

#[inline(always)]
fn sum(simd: V3, [even, odd]: [Lanes; 2]) -> Sum {
    let all = simd.wrapping_add_u64x4(even.all, odd.all);
    let high = simd.wrapping_add_u64x4(even.high, odd.high);
    // Both side by side, so that each addition serves them both.
    let (all, high) = (cast(all), cast(high));
    let low_lanes = simd.avx2._mm256_unpacklo_epi64(all, high);
    let high_lanes = simd.avx2._mm256_unpackhi_epi64(all, high);
    let pairs: [u64; 4] = cast(simd.avx2._mm256_add_epi64(low_lanes, high_lanes));
    let (all, high) = (pairs[0].wrapping_add(pairs[2]), pairs[1].wrapping_add(pairs[3]));
    // The lower halves, and the upper ones 32 bits to the left, around the
    // corner.
    Sum(all.wrapping_sub(high << 32)).plus(Sum(high.rotate_left(32)))
}
