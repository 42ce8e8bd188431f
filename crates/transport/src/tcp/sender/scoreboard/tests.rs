use proptest::prelude::*;

use super::*;

/// Where the sequence space of these tests begins: it wraps within them.
const BASE: SeqNumber = SeqNumber::new(u32::MAX - 4);

fn seq(offset: usize) -> SeqNumber {
    BASE + u32::try_from(offset).unwrap()
}

fn range(start: usize, end: usize) -> SeqRange {
    SeqRange { start: seq(start), end: seq(end) }
}

fn count<'a>(bytes: impl IntoIterator<Item = &'a bool>, value: bool) -> u32 {
    u32::try_from(bytes.into_iter().filter(|byte| **byte == value).count()).unwrap()
}

/// The runs of reported bytes from `from` on, as offsets.
fn runs(bytes: &[bool], from: usize) -> Vec<(usize, usize)> {
    let mut at = from;
    let mut runs = Vec::new();
    for run in bytes[from..].chunk_by(|a, b| a == b) {
        if run[0] {
            runs.push((at, at + run.len()));
        }
        at += run.len();
    }
    runs
}

/// `IsLost` as RFC 6675 words it.
fn is_lost(bytes: &[bool], at: usize, dupthresh: u32, smss: u32) -> bool {
    runs(bytes, at).len() >= dupthresh as usize
        || count(&bytes[at..], true) > (dupthresh - 1) * smss
}

/// `SetPipe` as RFC 6675 words it, byte by byte.
fn pipe(bytes: &[bool], una: usize, high_rxt: usize, dupthresh: u32, smss: u32) -> u32 {
    let each = (una..bytes.len())
        .filter(|&at| !bytes[at])
        .map(|at| u32::from(!is_lost(bytes, at, dupthresh, smss)) + u32::from(at < high_rxt));
    each.sum()
}

fn board(bytes: &[bool]) -> Scoreboard {
    let mut board = Scoreboard::default();
    for (start, end) in runs(bytes, 0) {
        board.insert(range(start, end));
    }
    board
}

/// Every answer about every subset of ten bytes.
#[test]
fn agrees_with_a_set_of_bytes_on_everything() {
    const SPACE: usize = 10;
    for mask in 0..1u32 << SPACE {
        let bytes: Vec<bool> = (0..SPACE).map(|bit| mask >> bit & 1 == 1).collect();
        let board = board(&bytes);
        assert_eq!(board.sacked_bytes(), count(&bytes, true));
        assert_eq!(board.is_empty(), mask == 0);
        assert_eq!(board.highest(), runs(&bytes, 0).last().map(|run| seq(run.1)));
        let last_hole = (0..SPACE).rev().find(|&at| !bytes[at]).map(|last| {
            let start = bytes[..last].iter().rposition(|held| *held).map_or(0, |held| held + 1);
            range(start, last + 1)
        });
        assert_eq!(board.last_hole(BASE, seq(SPACE)), last_hole);
        for at in 0..SPACE {
            let end = runs(&bytes, at).first().filter(|run| run.0 == at).map(|run| seq(run.1));
            assert_eq!(board.sacked_end_at(seq(at)), end);
            assert_eq!(board.is_sacked(seq(at)), bytes[at]);
            assert_eq!(board.sacked_before(seq(at)), count(&bytes[..at], true));
            let hole = (at..SPACE).find(|&byte| !bytes[byte]).and_then(|start| {
                let next = runs(&bytes, start).first()?.0;
                Some(range(start, next))
            });
            assert_eq!(board.hole_at_or_after(seq(at)), hole, "{mask:b} {at}");
        }
        for (dupthresh, smss) in
            (1..=4).flat_map(|dupthresh| [1, 2, 3].map(|smss| (dupthresh, smss)))
        {
            let lost: Vec<usize> = (0..SPACE)
                .filter(|&at| !bytes[at] && is_lost(&bytes, at, dupthresh, smss))
                .collect();
            for at in (0..SPACE).filter(|&at| !bytes[at]) {
                assert_eq!(board.is_lost(seq(at), dupthresh, smss), lost.contains(&at));
            }
            assert_eq!(board.lost_bytes(BASE, dupthresh, smss) as usize, lost.len());
            for high_rxt in 0..=SPACE {
                assert_eq!(
                    board.pipe(BASE, seq(SPACE), seq(high_rxt), dupthresh, smss),
                    pipe(&bytes, 0, high_rxt, dupthresh, smss),
                    "{mask:b} {high_rxt} {dupthresh} {smss}"
                );
            }
        }
    }
}

proptest! {
    /// Blocks and acknowledgments as they come, bad ones included.
    #[test]
    fn follows_a_set_of_bytes(
        steps in prop::collection::vec((prop::collection::vec((0usize..50, 0usize..50), 0..4), 0usize..3), 1..40)
    ) {
        let (max, mut una) = (40, 2);
        let (mut board, mut bytes) = (Scoreboard::default(), [false; 40]);
        for (blocks, acked) in steps {
            una = (una + acked).min(max);
            bytes[..una].fill(false);
            board.acknowledge(seq(una));
            let option: SackBlocks =
                blocks.iter().map(|&(start, end)| range(start, end)).collect();
            let update = board.update(&option, seq(una), seq(max));
            let mut added = 0;
            for &(start, end) in &blocks[usize::from(update.duplicate)..] {
                if una <= start && start < end && end <= max {
                    added += count(&bytes[start..end], false);
                    bytes[start..end].fill(true);
                }
            }
            prop_assert_eq!(update.newly_sacked, added);
            prop_assert_eq!(board.sacked_bytes(), count(&bytes, true));
            let expected: Vec<_> = runs(&bytes, 0).iter().map(|run| range(run.0, run.1)).collect();
            prop_assert_eq!(&board.ranges, &expected);
        }
    }
}

#[test]
fn duplicates_are_told_from_news() {
    let blocks = |of: &[(usize, usize)]| -> SackBlocks {
        of.iter().map(|&(start, end)| range(start, end)).collect()
    };
    let update = |of| Scoreboard::default().update(&blocks(of), seq(10), seq(40));
    let duplicate = |newly_sacked| Update { newly_sacked, duplicate: true };
    let news = |newly_sacked| Update { newly_sacked, duplicate: false };
    // RFC 2883 sections 4.1.1 to 4.2.3: below the acknowledgment, alone and
    // before a block; within the second block; and neither.
    assert_eq!(update(&[(4, 6)]), duplicate(0));
    assert_eq!(update(&[(4, 6), (20, 25)]), duplicate(5));
    assert_eq!(update(&[(21, 23), (20, 25)]), duplicate(5));
    assert_eq!(update(&[(20, 25), (20, 25)]), duplicate(5));
    assert_eq!(update(&[(30, 35), (20, 25)]), news(10));
    // Only the first block can report one.
    assert_eq!(update(&[(20, 25), (4, 6)]), news(5));
    // Nonsense: empty, backwards, of the future, and both.
    assert_eq!(update(&[(12, 12), (15, 13), (35, 41), (50, 60)]), news(0));
    assert_eq!(update(&[]), news(0));
}

#[test]
fn a_hostile_peer_cannot_make_it_grow() {
    let most = u32::try_from(MOST_RANGES).unwrap();
    let mut board = Scoreboard::default();
    for index in 0..2 * most {
        let block = SeqRange::new(BASE + 1 + 2 * index, 1);
        board.update(&[block].into_iter().collect(), BASE, BASE + 8 * most);
    }
    assert_eq!(board.ranges.len(), MOST_RANGES);
    assert_eq!(board.sacked_bytes(), most);
    // What joins ranges is still taken in.
    board.update(&[SeqRange::new(BASE, 2 * most)].into_iter().collect(), BASE, BASE + 8 * most);
    assert_eq!(board.ranges, [SeqRange::new(BASE, 2 * most)]);
    board.clear();
    assert!(board.is_empty() && board.sacked_bytes() == 0);
}
