use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// The definition: big-endian 16-bit words, the last byte padded, every carry
/// added at once.
fn by_definition(bytes: &[u8]) -> u16 {
    bytes.chunks(2).fold(0u16, |sum, word| {
        let word = u16::from_be_bytes([word[0], word.get(1).copied().unwrap_or(0)]);
        let (sum, carry) = sum.overflowing_add(word);
        sum + u16::from(carry)
    })
}

#[test]
fn the_example_of_rfc_1071_section_3() {
    let bytes = [0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7];
    assert_eq!(by_definition(&bytes), 0xddf2);
    assert_eq!(Sum::of(&bytes).finish(), !0xddf2);
}

#[test]
fn the_sum_of_zeros_is_zero_and_every_other_zero_is_all_ones() {
    assert_eq!(Sum::default().finish(), 0xffff);
    assert_eq!(Sum::of(&[0; 3000]).finish(), 0xffff);
    assert!(!Sum::of(&[0; 20]).is_valid());
    for len in [2, 40, 1460] {
        assert_eq!(Sum::of(&vec![0xff; len]).finish(), 0);
        assert!(Sum::of(&vec![0xff; len]).is_valid());
    }
}

#[test]
fn every_length_up_to_3000() {
    let bytes: Vec<u8> = (0..3000u32).map(|at| (at * at / 7) as u8 | 0x80).collect();
    let mut copy = vec![0; bytes.len()];
    for len in 0..bytes.len() {
        let bytes = &bytes[bytes.len() - len..];
        let expected = !by_definition(bytes);
        assert_eq!(Sum::of(bytes).finish(), expected, "{len} bytes");
        // As on a machine without these vectors.
        assert_eq!(words::of(bytes).finish(), expected, "{len} bytes");
        copy.fill(0);
        assert_eq!(Sum::copying(&mut copy[..len], bytes).finish(), expected, "{len} bytes");
        assert_eq!(&copy[..len], bytes);
        assert!(copy[len..].iter().all(|&byte| byte == 0));
    }
}

#[test]
fn the_lanes_hold_the_longest_runs_of_ones() {
    let bytes = vec![0xff; 1 << 20];
    assert_eq!(Sum::of(&bytes).finish(), 0);
}

proptest! {
    #[test]
    fn any_bytes_at_any_alignment(bytes in vec(any::<u8>(), 0..3000), from in 0usize..64) {
        let bytes = bytes.get(from..).unwrap_or_default();
        prop_assert_eq!(Sum::of(bytes).finish(), !by_definition(bytes));
    }

    #[test]
    fn pieces_join(pieces in vec(vec(any::<u8>(), 0..300), 0..8)) {
        let whole = pieces.concat();
        let mut at = 0;
        let joined = pieces.iter().fold(Sum::default(), |sum, piece| {
            let odd = at % 2 == 1;
            at += piece.len();
            sum.then(Sum::of(piece), odd)
        });
        prop_assert_eq!(joined.finish(), !by_definition(&whole));
    }

    #[test]
    fn fields_add_like_their_bytes(short: u16, long: u32, bytes in vec(any::<u8>(), 0..100)) {
        let mut whole = [&short.to_be_bytes()[..], &long.to_be_bytes()].concat();
        whole.extend(&bytes);
        let sum = Sum::of(&bytes).add_u16(short).add_u32(long);
        prop_assert_eq!(sum.finish(), !by_definition(&whole));
    }

    #[test]
    fn a_field_changes_without_another_look_at_the_rest(
        mut words in vec(any::<u16>(), 1..30),
        at: prop::sample::Index,
        new: u16,
    ) {
        let at = at.index(words.len());
        let bytes = |words: &[u16]| words.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<_>>();
        let before = Sum::of(&bytes(&words)).finish();
        let old = std::mem::replace(&mut words[at], new);
        let after = updated(before, old, new);
        // A sum of zeros has two spellings; both are right for a receiver.
        let sum = Sum::of(&bytes(&words)).add_u16(after);
        prop_assert!(sum.is_valid() || words.iter().all(|&word| word == 0));
    }

    #[test]
    fn a_damaged_byte_is_noticed(
        mut bytes in vec(any::<u8>(), 2..2000),
        at: prop::sample::Index,
        damage in 1u8..255,
    ) {
        if bytes.len() % 2 == 1 {
            bytes.pop();
        }
        let checksum = Sum::of(&bytes).finish();
        prop_assert!(Sum::of(&bytes).add_u16(checksum).is_valid());
        let at = at.index(bytes.len());
        bytes[at] ^= damage;
        prop_assert!(!Sum::of(&bytes).add_u16(checksum).is_valid());
    }
}
