//! What the receiver holds beyond the acknowledgment, as its SACK blocks say
//! (RFC 6675 sections 3 and 4, RFC 2883).

use netjoule_wire::{SackBlocks, SeqNumber, SeqRange};

/// The most ranges that are remembered. Blocks that would add another one are
/// passed over: their data counts as not reported, so that it is at worst sent
/// once more. A window of 2,048 segments with every second one lost fits.
const MOST_RANGES: usize = 1_024;

/// Disjoint ranges with holes between them, in order, all between `snd_una`
/// and `snd_max`.
#[derive(Clone, Debug, Default)]
pub(in crate::tcp) struct Scoreboard {
    ranges: Vec<SeqRange>,
    /// Bytes in `ranges`.
    sacked: u32,
}

/// What the blocks of one acknowledgment have added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::tcp) struct Update {
    /// Bytes reported for the first time.
    pub(in crate::tcp) newly_sacked: u32,
    /// Whether the first block reports a duplicate (RFC 2883 section 4).
    pub(in crate::tcp) duplicate: bool,
}

impl Scoreboard {
    /// Takes in the blocks of an acknowledgment that has already moved
    /// `snd_una` (Update of RFC 6675 section 4). An acknowledgment older than
    /// `snd_una` must not come here: its first block would look like a
    /// duplicate's.
    ///
    /// Blocks that are not within `snd_una..snd_max` are passed over, whole.
    pub(in crate::tcp) fn update(
        &mut self,
        blocks: &SackBlocks,
        snd_una: SeqNumber,
        snd_max: SeqNumber,
    ) -> Update {
        let mut blocks = blocks.as_slice();
        let mut update = Update::default();
        if let Some((first, rest)) = blocks.split_first()
            && is_duplicate(*first, rest.first().copied(), snd_una)
        {
            update.duplicate = true;
            blocks = rest;
        }
        let outstanding = snd_max - snd_una;
        for block in blocks {
            let (start, end) = (block.start - snd_una, block.end - snd_una);
            if start < end && end <= outstanding {
                update.newly_sacked += self.insert(*block);
            }
        }
        update
    }

    /// Everything before `snd_una` is acknowledged.
    pub(in crate::tcp) fn acknowledge(&mut self, snd_una: SeqNumber) {
        let below = self.first_after(snd_una);
        for range in self.ranges.drain(..below) {
            self.sacked -= range.len();
        }
        if let Some(first) = self.ranges.first_mut()
            && first.start.is_before(snd_una)
        {
            self.sacked -= snd_una - first.start;
            first.start = snd_una;
        }
    }

    /// Forgets everything, as a timeout asks (RFC 2018 section 8: the receiver
    /// may have dropped what it reported).
    pub(in crate::tcp) fn clear(&mut self) {
        self.ranges.clear();
        self.sacked = 0;
    }

    pub(in crate::tcp) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Bytes that the receiver holds beyond the acknowledgment.
    pub(in crate::tcp) const fn sacked_bytes(&self) -> u32 {
        self.sacked
    }

    /// Those of them before `seq`.
    pub(in crate::tcp) fn sacked_before(&self, seq: SeqNumber) -> u32 {
        let below = self.ranges.iter().take_while(|range| range.start.is_before(seq));
        below.map(|range| range.end.earlier(seq) - range.start).sum()
    }

    /// The end of the last range: after the highest byte reported.
    pub(in crate::tcp) fn highest(&self) -> Option<SeqNumber> {
        self.ranges.last().map(|range| range.end)
    }

    pub(in crate::tcp) fn is_sacked(&self, seq: SeqNumber) -> bool {
        self.sacked_end_at(seq).is_some()
    }

    /// Where the range that covers `seq` ends, if one does.
    pub(in crate::tcp) fn sacked_end_at(&self, seq: SeqNumber) -> Option<SeqNumber> {
        let range = self.ranges.get(self.first_after(seq))?;
        (!range.start.is_after(seq)).then_some(range.end)
    }

    /// Where the first range after `seq` begins.
    pub(in crate::tcp) fn next_start(&self, seq: SeqNumber) -> Option<SeqNumber> {
        let after = self.ranges.partition_point(|range| !range.start.is_after(seq));
        self.ranges.get(after).map(|range| range.start)
    }

    /// What is missing at `seq`, or first after it, with something reported
    /// above it. `seq` is not before `snd_una`.
    pub(in crate::tcp) fn hole_at_or_after(&self, seq: SeqNumber) -> Option<SeqRange> {
        let index = self.first_after(seq);
        let above = self.ranges.get(index)?;
        if above.start.is_after(seq) {
            return Some(SeqRange { start: seq, end: above.start });
        }
        let next = self.ranges.get(index + 1)?;
        Some(SeqRange { start: above.end, end: next.start })
    }

    /// What is missing last among what is outstanding, reported above or not.
    pub(in crate::tcp) fn last_hole(
        &self,
        snd_una: SeqNumber,
        snd_max: SeqNumber,
    ) -> Option<SeqRange> {
        let (mut start, mut end) = (self.highest().unwrap_or(snd_una), snd_max);
        if let [below @ .., last] = &self.ranges[..]
            && last.end == snd_max
        {
            end = last.start;
            start = below.last().map_or(snd_una, |range| range.end);
        }
        (start != end).then_some(SeqRange { start, end })
    }

    /// Whether `seq`, which has not been reported, is lost (`IsLost` of RFC
    /// 6675 section 4).
    pub(in crate::tcp) fn is_lost(&self, seq: SeqNumber, dupthresh: u32, smss: u32) -> bool {
        self.lost_before(dupthresh, smss).is_some_and(|edge| seq.is_before(edge))
    }

    /// Everything before this that has not been reported is lost: above it are
    /// `dupthresh` ranges, or more than `dupthresh - 1` segments of bytes.
    pub(in crate::tcp) fn lost_before(&self, dupthresh: u32, smss: u32) -> Option<SeqNumber> {
        let enough = u64::from(dupthresh.saturating_sub(1)) * u64::from(smss);
        let (mut count, mut bytes) = (0, 0);
        let edge = self.ranges.iter().rev().find(|range| {
            count += 1;
            bytes += u64::from(range.len());
            count >= dupthresh || bytes > enough
        });
        edge.map(|range| range.start)
    }

    /// Bytes that are in the network (`SetPipe` of RFC 6675 section 4): those
    /// neither reported nor lost, and those sent again. What has been is
    /// before `high_rxt`; with `snd_una` nothing has.
    pub(in crate::tcp) fn pipe(
        &self,
        snd_una: SeqNumber,
        snd_max: SeqNumber,
        high_rxt: SeqNumber,
        dupthresh: u32,
        smss: u32,
    ) -> u32 {
        let high_rxt = high_rxt.later(snd_una).earlier(snd_max);
        let resent = high_rxt - snd_una - self.sacked_before(high_rxt);
        let missing = snd_max - snd_una - self.sacked;
        missing - self.lost_bytes(snd_una, dupthresh, smss) + resent
    }

    /// Bytes that are lost, sent again or not.
    pub(in crate::tcp) fn lost_bytes(&self, snd_una: SeqNumber, dupthresh: u32, smss: u32) -> u32 {
        let edge = self.lost_before(dupthresh, smss);
        edge.map_or(0, |edge| edge - snd_una - self.sacked_before(edge))
    }

    /// The index of the first range that ends after `seq`.
    fn first_after(&self, seq: SeqNumber) -> usize {
        self.ranges.partition_point(|range| !range.end.is_after(seq))
    }

    /// Adds `block`, joining it with what it touches. Returns how many bytes
    /// are new.
    fn insert(&mut self, block: SeqRange) -> u32 {
        let first = self.ranges.partition_point(|range| range.end.is_before(block.start));
        let touched =
            self.ranges[first..].partition_point(|range| !range.start.is_after(block.end));
        let last = first + touched;
        if touched == 0 && self.ranges.len() == MOST_RANGES {
            return 0;
        }
        let mut joined = block;
        let mut before = 0;
        for range in &self.ranges[first..last] {
            joined.start = joined.start.earlier(range.start);
            joined.end = joined.end.later(range.end);
            before += range.len();
        }
        match &mut self.ranges[first..last] {
            [] => self.ranges.insert(first, joined),
            [range, rest @ ..] => {
                *range = joined;
                if !rest.is_empty() {
                    self.ranges.drain(first + 1..last);
                }
            }
        }
        let added = joined.len() - before;
        self.sacked += added;
        added
    }
}

/// Whether `first`, the first block of an acknowledgment, reports a duplicate:
/// it lies below the acknowledgment or within the second block (RFC 2883
/// section 4).
fn is_duplicate(first: SeqRange, second: Option<SeqRange>, snd_una: SeqNumber) -> bool {
    first.start.is_before(first.end)
        && (first.start.is_before(snd_una)
            || second.is_some_and(|second| {
                !first.start.is_before(second.start) && !first.end.is_after(second.end)
            }))
}

#[cfg(test)]
mod tests;
