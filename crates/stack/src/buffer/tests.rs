use proptest::prelude::*;

use super::*;

fn text(seq: SeqNumber, len: usize) -> Vec<u8> {
    (0..narrow(len)).map(|offset| ((seq + offset).get() % 251) as u8).collect()
}

fn contents(ring: &Ring, range: SeqRange) -> Vec<u8> {
    let (first, second) = ring.pieces(range);
    [first, second].concat()
}

#[test]
fn memory_is_taken_as_needed_up_to_the_bound() {
    let start = SeqNumber::new(u32::MAX - 100);
    let mut ring = Ring::new(start, 10_000);
    assert_eq!((ring.bytes.len(), ring.room()), (0, 10_000));
    assert_eq!(ring.append(&text(start, 1)), 1);
    assert_eq!(ring.bytes.len(), LEAST);
    assert_eq!(ring.append(&text(start + 1, 20_000)), 9_999);
    assert_eq!((ring.bytes.len(), ring.room()), (16_384, 0));
    assert_eq!(ring.append_with(|_| unreachable!("there is no room")), 0);
    assert_eq!(contents(&ring, SeqRange::new(start, 10_000)), text(start, 10_000));
    ring.clear();
    assert_eq!((ring.bytes.len(), ring.len()), (0, 0));
}

#[test]
fn what_is_beyond_the_end_is_not_released() {
    let start = SeqNumber::new(7);
    let mut ring = Ring::new(start, 100);
    ring.append(b"abc");
    ring.release(start + 2);
    assert_eq!(contents(&ring, SeqRange::new(start + 2, 1)), b"c");
    ring.release(start);
    assert_eq!(ring.start(), start + 2);
    // A FIN is acknowledged with a number that is no byte's.
    ring.release(start + 4);
    assert_eq!((ring.start(), ring.len()), (start + 3, 0));
}

#[test]
fn a_copy_counts_when_it_is_put_in() {
    let start = SeqNumber::new(u32::MAX - 5);
    let mut ring = Ring::new(start, 20_000);
    let (damaged, whole) = (text(start + 1, 9_001), text(start, 9_001));
    assert_eq!(ring.copy_beyond(&damaged).finish(), Sum::of(&damaged).finish());
    assert!(ring.expects(start) && ring.len() == 0);
    assert_eq!(ring.copy_beyond(&whole).finish(), Sum::of(&whole).finish());
    ring.extend(start + 9_001);
    assert!(ring.expects(start + 9_001));
    ring.release(start + 8_000);
    // Around the ring's end, at an odd place.
    let more = text(start + 9_001, 9_000);
    assert_eq!(ring.copy_beyond(&more).finish(), Sum::of(&more).finish());
    ring.extend(start + 18_001);
    assert_eq!(contents(&ring, SeqRange::new(start + 8_000, 10_001)), text(start + 8_000, 10_001));
}

#[test]
#[should_panic(expected = "outside of the ring")]
fn bytes_outside_of_the_bound_are_refused() {
    Ring::new(SeqNumber::new(0), 100).put(SeqNumber::new(1), &[0; 100]);
}

#[test]
#[should_panic(expected = "not in the ring")]
fn bytes_that_were_never_put_in_are_not_there() {
    let mut ring = Ring::new(SeqNumber::new(0), 100);
    ring.append(&[0; 10]);
    let _ = ring.pieces(SeqRange::new(SeqNumber::new(5), 6));
}

proptest! {
    /// Whatever is appended, in place or not, and released, what is in between
    /// is there.
    #[test]
    fn a_send_ring_keeps_what_is_not_released(
        start: u32,
        bound in 1usize..40_000,
        steps in prop::collection::vec((any::<bool>(), 0usize..9_000, 0u32..9_000), 1..60),
    ) {
        let mut ring = Ring::new(SeqNumber::new(start), bound);
        let mut end = SeqNumber::new(start);
        for (in_place, len, acked) in steps {
            let data = text(end, len);
            let appended = if in_place {
                ring.append_with(|free| {
                    let len = len.min(free.len());
                    free[..len].copy_from_slice(&data[..len]);
                    len
                })
            } else {
                ring.append(&data)
            };
            prop_assert!(appended <= len);
            end += narrow(appended);
            prop_assert!(ring.len() <= bound);
            ring.release(ring.start() + acked);
            let kept = SeqRange { start: ring.start(), end };
            prop_assert_eq!(contents(&ring, kept), text(kept.start, kept.len() as usize));
        }
    }

    /// Pieces put in any order, also before the ring has grown, are there in
    /// the end.
    #[test]
    fn a_receive_ring_takes_pieces_in_any_order(
        start: u32,
        sizes in prop::collection::vec(1usize..3_000, 1..20),
        order in any::<prop::sample::Index>(),
    ) {
        let start = SeqNumber::new(start);
        let total: usize = sizes.iter().sum();
        let mut pieces = Vec::new();
        let mut at = start;
        for len in sizes {
            pieces.push((at, len));
            at += narrow(len);
        }
        let turn = order.index(pieces.len());
        pieces.rotate_left(turn);
        pieces.reverse();
        let mut ring = Ring::new(start, total);
        for (seq, len) in pieces {
            ring.put(seq, &text(seq, len));
        }
        prop_assert_eq!(contents(&ring, SeqRange { start, end: at }), text(start, total));
    }
}
