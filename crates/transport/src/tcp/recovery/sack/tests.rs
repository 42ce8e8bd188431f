use std::collections::VecDeque;

use netjoule_wire::SackBlocks;
use proptest::prelude::*;

use super::*;

/// Sequence numbers of these tests count segments: SMSS is one byte.
const BASE: SeqNumber = SeqNumber::new(u32::MAX - 9);

fn range(start: u32, end: u32) -> SeqRange {
    SeqRange { start: BASE + start, end: BASE + end }
}

fn view(snd_una: u32, snd_max: u32) -> View {
    View { smss: 1, snd_una: BASE + snd_una, snd_max: BASE + snd_max, ssthresh: 5, dupthresh: 3 }
}

fn board(ranges: &[(u32, u32)], view: &View) -> Scoreboard {
    let mut board = Scoreboard::default();
    for &(start, end) in ranges {
        board.update(&[range(start, end)].into_iter().collect(), view.snd_una, view.snd_max);
    }
    board
}

fn recovering(view: &View) -> Sack {
    let mut sack = Sack::new(BASE);
    sack.enter(view);
    sack.on_retransmitted(SeqRange::new(view.snd_una, 1));
    sack
}

#[test]
fn a_loss_is_three_duplicates_or_three_segments_above() {
    let (view, sack) = (view(0, 20), Sack::new(BASE));
    let verdict = |count, ranges: &[_]| sack.on_duplicate(count, &board(ranges, &view), &view);
    assert_eq!(verdict(2, &[(1, 3)]), DuplicateAck::Wait);
    assert_eq!(verdict(3, &[(1, 3)]), DuplicateAck::EnterRecovery);
    // Fewer duplicates, since ACKs were lost (step 2).
    assert_eq!(verdict(1, &[(1, 4)]), DuplicateAck::EnterRecovery);
    assert_eq!(verdict(1, &[(4, 5), (7, 8)]), DuplicateAck::Wait);
    assert_eq!(verdict(1, &[(2, 3), (4, 5), (7, 8)]), DuplicateAck::EnterRecovery);
}

#[test]
fn the_four_rules_in_their_order() {
    let view = view(0, 20);
    let sack = recovering(&view);
    let lost = board(&[(1, 4), (6, 9)], &view);
    // Rule 1: 4 and 5 are lost, with 0 sent again already.
    assert_eq!(sack.next_seg(&lost, &view, true), NextSeg::Retransmit(range(4, 5)));
    // 0 is in the network again, 4 and 5 are not, 9 to 19 are.
    assert_eq!(sack.pipe(&lost, &view), 1 + 11);
    let unsure = board(&[(1, 4), (6, 7)], &view);
    // Rules 2 and 3: 4 is missing, with only one segment above it.
    assert_eq!(sack.next_seg(&unsure, &view, true), NextSeg::New);
    assert_eq!(sack.next_seg(&unsure, &view, false), NextSeg::Retransmit(range(4, 5)));
    // Rule 4, not before the first retransmission is acknowledged, and once.
    let mut sack = sack;
    sack.on_retransmitted(range(4, 6));
    assert_eq!(sack.next_seg(&unsure, &view, false), NextSeg::Nothing);
    let partial = View { snd_una: BASE + 4, ..view };
    assert_eq!(sack.next_seg(&unsure, &partial, false), NextSeg::Rescue(range(19, 20)));
    sack.on_rescued();
    assert_eq!(sack.next_seg(&unsure, &partial, false), NextSeg::Nothing);
    // With everything reported but what is under way again: that.
    let mut sack = recovering(&view);
    sack.on_retransmitted(range(4, 6));
    let rest = board(&[(1, 4), (6, 20)], &view);
    assert_eq!(sack.next_seg(&rest, &partial, false), NextSeg::Rescue(range(5, 6)));
}

#[test]
fn segments_end_where_the_hole_does() {
    let view = View { smss: 4, ..view(0, 40) };
    let mut sack = Sack::new(BASE);
    sack.enter(&view);
    let lost = board(&[(10, 20), (22, 40)], &view);
    sack.on_retransmitted(range(0, 8));
    assert_eq!(sack.next_seg(&lost, &view, true), NextSeg::Retransmit(range(8, 10)));
    sack.on_retransmitted(range(8, 10));
    assert_eq!(sack.next_seg(&lost, &view, true), NextSeg::Retransmit(range(20, 22)));
}

#[test]
fn a_recovery_ends_where_it_began_and_a_timeout_forbids_the_next() {
    let early = view(0, 20);
    let mut sack = recovering(&early);
    assert_eq!(sack.on_new_ack(BASE + 19, &early), NewAck::Partial { restart_timer: true });
    assert!(sack.is_active());
    assert_eq!(sack.on_new_ack(BASE + 20, &early), NewAck::Leave { cwnd: 5 });
    assert!(!sack.is_active());

    let mut sack = recovering(&early);
    sack.on_timeout(&early);
    let all = board(&[(11, 20)], &early);
    assert_eq!(sack.on_duplicate(5, &all, &view(10, 25)), DuplicateAck::Wait);
    assert_eq!(sack.on_new_ack(BASE + 20, &view(10, 25)), NewAck::Grow);
    assert_eq!(sack.on_duplicate(3, &all, &view(20, 25)), DuplicateAck::EnterRecovery);
}

/// A sender over a path that keeps the order.
struct Transfer {
    sack: Sack,
    board: Scoreboard,
    view: View,
    cwnd: u32,
    duplicates: u32,
    total: u32,
    /// Segments under way, as offsets.
    path: VecDeque<u32>,
    received: Vec<bool>,
    /// Segments that the path loses, the first time only.
    to_lose: Vec<bool>,
    lost: Vec<u32>,
}

impl Transfer {
    fn send(&mut self, offset: u32) {
        if std::mem::take(&mut self.to_lose[offset as usize]) {
            self.lost.push(offset);
        } else {
            self.path.push_back(offset);
        }
    }

    fn send_new(&mut self) {
        self.send(self.view.snd_max - BASE);
        self.view.snd_max += 1;
    }

    fn can_send_new(&self) -> bool {
        self.view.snd_max - BASE < self.total
    }

    /// Step C, with retransmissions that must be of lost segments where they
    /// are said to be lost.
    fn fill_pipe(&mut self) {
        while self.cwnd > self.sack.pipe(&self.board, &self.view) {
            let next = if self.sack.is_active() {
                self.sack.next_seg(&self.board, &self.view, self.can_send_new())
            } else if self.can_send_new() {
                NextSeg::New
            } else {
                NextSeg::Nothing
            };
            match next {
                NextSeg::New => self.send_new(),
                NextSeg::Retransmit(range) => {
                    let offset = range.start - BASE;
                    assert!(!self.can_send_new() || self.lost.contains(&offset), "{offset}");
                    self.sack.on_retransmitted(range);
                    self.send(offset);
                }
                NextSeg::Rescue(range) => {
                    self.sack.on_rescued();
                    self.send(range.start - BASE);
                }
                NextSeg::Nothing => break,
            }
        }
    }

    fn arrive(&mut self, offset: u32) {
        self.received[offset as usize] = true;
        let next = self.received.iter().position(|had| !had).unwrap_or(self.received.len());
        let ack = BASE + u32::try_from(next).unwrap();
        let mut runs: Vec<SeqRange> = (0u32..)
            .zip(&self.received)
            .skip(next)
            .filter_map(|(at, had)| had.then_some(range(at, at + 1)))
            .collect();
        runs.sort_by_key(|run| offset.abs_diff(run.start - BASE));
        let blocks: SackBlocks = runs.into_iter().take(3).collect();

        if ack != self.view.snd_una {
            let verdict = self.sack.on_new_ack(ack, &self.view);
            self.view.snd_una = ack;
            self.board.acknowledge(ack);
            self.duplicates = 0;
            if verdict == NewAck::Grow {
                self.cwnd += 1;
            }
        }
        let update = self.board.update(&blocks, ack, self.view.snd_max);
        if update.newly_sacked > 0 {
            self.duplicates += 1;
            let verdict = self.sack.on_duplicate(self.duplicates, &self.board, &self.view);
            if verdict == DuplicateAck::EnterRecovery {
                self.cwnd = (self.cwnd / 2).max(2);
                self.view.ssthresh = self.cwnd;
                self.sack.enter(&self.view);
                self.sack.on_retransmitted(SeqRange::new(ack, 1));
                self.send(ack - BASE);
            }
        }
        self.fill_pipe();
    }
}

proptest! {
    /// Whatever a window loses once is repaired without a timeout, if three
    /// segments arrive after it; and nothing is sent twice in vain while there
    /// is new data.
    #[test]
    fn repairs_a_window(
        mut to_lose in prop::collection::vec(prop::bool::weighted(0.4), 6..40),
        total in 40usize..80,
    ) {
        let cwnd = to_lose.len();
        to_lose[cwnd - 3..].fill(false);
        to_lose.resize(total, false);
        let mut transfer = Transfer {
            sack: Sack::new(BASE),
            board: Scoreboard::default(),
            view: view(0, 0),
            cwnd: u32::try_from(cwnd).unwrap(),
            duplicates: 0,
            total: u32::try_from(total).unwrap(),
            path: VecDeque::new(),
            received: vec![false; total],
            to_lose,
            lost: Vec::new(),
        };
        transfer.fill_pipe();
        while let Some(offset) = transfer.path.pop_front() {
            transfer.arrive(offset);
        }
        prop_assert!(transfer.received.iter().all(|had| *had), "lost {:?}", transfer.lost);
        prop_assert!(!transfer.sack.is_active());
    }
}
