//! Word by word.

use super::Sum;

/// Bytes in a word.
const WORD: usize = 8;

/// The sum of `bytes`. The carries of whole words are collected above them.
#[inline]
pub(super) fn of(bytes: &[u8]) -> Sum {
    let (words, _) = bytes.as_chunks::<WORD>();
    let sum = words.iter().fold(0, |sum, &word| sum + u128::from(u64::from_ne_bytes(word)));
    Sum::from_u128(sum).plus(rest_of(bytes))
}

/// The sum of what is left after the last whole word: a word with zeros after
/// it.
#[inline(always)]
fn rest_of(bytes: &[u8]) -> Sum {
    let rest = bytes.len() % WORD;
    let word = match bytes.last_chunk() {
        _ if rest == 0 => 0,
        // The last eight bytes, less those that belong to the word before.
        Some(&word) => (u64::from_le_bytes(word) >> (8 * (WORD - rest))).to_le(),
        None => padded(bytes),
    };
    Sum(word)
}

/// Fewer than eight bytes, and zeros.
fn padded(bytes: &[u8]) -> u64 {
    let mut word = [0; WORD];
    for (to, &from) in word.iter_mut().zip(bytes) {
        *to = from;
    }
    u64::from_ne_bytes(word)
}
