//! Word by word.

use super::Sum;

/// Bytes in a word.
const WORD: usize = 8;

/// The sum of `bytes`.
#[inline]
pub(super) fn of(bytes: &[u8]) -> Sum {
    whole_words(bytes).plus(rest_of(bytes))
}

/// The sum of the whole words of `bytes`. The carries are collected above them.
#[inline(always)]
pub(super) fn whole_words(bytes: &[u8]) -> Sum {
    let (words, _) = bytes.as_chunks::<WORD>();
    let sum = words.iter().fold(0, |sum, &word| sum + u128::from(u64::from_ne_bytes(word)));
    Sum::from_u128(sum)
}

/// As [`whole_words`], while copying; the lengths are equal.
#[inline(always)]
pub(super) fn copy_whole_words(to: &mut [u8], from: &[u8]) -> Sum {
    let ((to, _), (from, _)) = (to.as_chunks_mut::<WORD>(), from.as_chunks::<WORD>());
    let sum = to.iter_mut().zip(from).fold(0, |sum, (to, &word)| {
        *to = word;
        sum + u128::from(u64::from_ne_bytes(word))
    });
    Sum::from_u128(sum)
}

/// The sum of what is left after the last whole word: a word with zeros after
/// it.
#[inline(always)]
pub(super) fn rest_of(bytes: &[u8]) -> Sum {
    let rest = bytes.len() % WORD;
    let word = match bytes.last_chunk() {
        _ if rest == 0 => 0,
        // The last eight bytes, less those that belong to the word before.
        Some(&word) => (u64::from_le_bytes(word) >> (8 * (WORD - rest))).to_le(),
        None => padded(bytes),
    };
    Sum(word)
}

/// Copies the last word: what is left after the whole ones, if there are any,
/// and of these some bytes once more.
#[inline(always)]
pub(super) fn copy_last_word(to: &mut [u8], from: &[u8]) {
    if let (Some(to), Some(from)) = (to.last_chunk_mut::<WORD>(), from.last_chunk()) {
        *to = *from;
    }
}

/// Fewer than eight bytes, and zeros.
fn padded(bytes: &[u8]) -> u64 {
    let mut word = [0; WORD];
    for (to, &from) in word.iter_mut().zip(bytes) {
        *to = from;
    }
    u64::from_ne_bytes(word)
}
