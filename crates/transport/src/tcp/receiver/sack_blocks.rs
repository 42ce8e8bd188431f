//! What the receiver reports in SACK options (RFC 2018 section 4, RFC 2883
//! section 4).

use core::iter;

use netjoule_wire::{SackBlocks, SeqNumber, SeqRange};

use super::reassembly::Reassembly;

/// Chooses the blocks of each acknowledgment, and their order.
#[derive(Clone, Debug)]
pub(super) struct SackReports {
    /// Whether duplicates are reported.
    dsack: bool,
    /// A duplicate not yet reported.
    duplicate: Option<SeqRange>,
    /// Where the last segments out of order began, the latest first. Each
    /// names the block that it is in; more than fit into an option are not of
    /// use.
    recent: [Option<SeqNumber>; SackBlocks::MAX],
}

impl SackReports {
    pub(super) const fn new(dsack: bool) -> Self {
        Self { dsack, duplicate: None, recent: [None; SackBlocks::MAX] }
    }

    /// A segment with payload `range`, which does not go beyond the window, has
    /// arrived out of order, again, or while something was missing. `held`
    /// does not have it yet.
    pub(super) fn on_segment(&mut self, range: SeqRange, rcv_nxt: SeqNumber, held: &Reassembly) {
        if self.dsack
            && let Some(duplicate) = duplicate_part(range, rcv_nxt, held)
        {
            self.duplicate = Some(duplicate);
        }
        if range.start.is_after(rcv_nxt) {
            let is_apart = |seq: &SeqNumber| {
                let block = held.range_at(*seq);
                block.is_some_and(|block| {
                    block.end.is_before(range.start) || block.start.is_after(range.end)
                })
            };
            // To the front, and whatever joins it out.
            let others = self.recent.iter().flatten().copied().filter(is_apart);
            let mut recent = [None; SackBlocks::MAX];
            for (place, seq) in recent.iter_mut().zip(iter::once(range.start).chain(others)) {
                *place = Some(seq);
            }
            self.recent = recent;
        }
    }

    /// Whether a duplicate waits to be reported.
    pub(super) const fn has_duplicate(&self) -> bool {
        self.duplicate.is_some()
    }

    /// The blocks for an acknowledgment that leaves now, `room` at most: a
    /// duplicate, once; the block that the last segment went to; those
    /// reported before it; and then any other in order.
    pub(super) fn fill(&mut self, held: &Reassembly, room: usize) -> SackBlocks {
        let mut blocks = SackBlocks::NONE;
        if room == 0 {
            return blocks;
        }
        if let Some(duplicate) = self.duplicate.take() {
            blocks.push(duplicate);
        }
        let first = blocks.len();
        let recent = self.recent.iter().flatten().filter_map(|seq| held.range_at(*seq));
        for block in recent.chain(held.iter()) {
            if blocks.len() >= room {
                break;
            }
            if !blocks.as_slice()[first..].contains(&block) {
                blocks.push(block);
            }
        }
        blocks
    }
}

/// The first run of `range` that has been received before (RFC 2883 section
/// 4.3: one block reports one).
fn duplicate_part(range: SeqRange, rcv_nxt: SeqNumber, held: &Reassembly) -> Option<SeqRange> {
    if range.start.is_before(rcv_nxt) {
        return Some(SeqRange { start: range.start, end: range.end.earlier(rcv_nxt) });
    }
    let overlap = held.iter().find(|block| block.end.is_after(range.start))?;
    let part =
        SeqRange { start: overlap.start.later(range.start), end: overlap.end.earlier(range.end) };
    part.start.is_before(part.end).then_some(part)
}

#[cfg(test)]
mod tests;
