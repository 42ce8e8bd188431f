use proptest::prelude::*;

use super::*;

/// Close to the wrap of the sequence space.
const BASE: SeqNumber = SeqNumber::new(u32::MAX - 6_000);

/// A receiver of segments of 500 bytes, as in the examples of both RFCs, from
/// sequence number 5000 on. Other pieces are given as ranges.
struct Receiver {
    rcv_nxt: SeqNumber,
    held: Reassembly,
    reports: SackReports,
}

impl Receiver {
    fn new(dsack: bool) -> Self {
        let reports = SackReports::new(dsack);
        Self { rcv_nxt: BASE + 5_000, held: Reassembly::default(), reports }
    }

    fn take(&mut self, start: u32, end: u32) {
        let range = SeqRange { start: BASE + start, end: BASE + end };
        self.reports.on_segment(range, self.rcv_nxt, &self.held);
        if range.end.is_after(self.rcv_nxt) {
            self.held.insert(range);
        }
        self.rcv_nxt = self.held.take_until(self.rcv_nxt);
    }

    fn report(&mut self, room: usize) -> String {
        let blocks = self.reports.fill(&self.held, room);
        let each = blocks
            .as_slice()
            .iter()
            .map(|block| format!("{}-{}", block.start - BASE, block.end - BASE));
        let ack = format!("{}", self.rcv_nxt - BASE);
        iter::once(ack).chain(each).collect::<Vec<_>>().join(" ")
    }

    fn on(&mut self, start: u32, end: u32) -> String {
        self.take(start, end);
        self.report(4)
    }
}

/// RFC 2018 section 5, cases 2 and 3.
#[test]
fn the_examples_of_rfc_2018() {
    let mut receiver = Receiver::new(true);
    assert_eq!(receiver.on(5_500, 6_000), "5000 5500-6000");
    assert_eq!(receiver.on(6_000, 6_500), "5000 5500-6500");
    assert_eq!(receiver.on(6_500, 7_000), "5000 5500-7000");

    let mut receiver = Receiver::new(true);
    receiver.take(5_000, 5_500);
    assert_eq!(receiver.on(6_000, 6_500), "5500 6000-6500");
    assert_eq!(receiver.on(7_000, 7_500), "5500 7000-7500 6000-6500");
    assert_eq!(receiver.on(8_000, 8_500), "5500 8000-8500 7000-7500 6000-6500");
    assert_eq!(receiver.on(6_500, 7_000), "5500 6000-7500 8000-8500");
    assert_eq!(receiver.on(5_500, 6_000), "7500 8000-8500");
}

/// RFC 2883 section 4: whole duplicates below the acknowledgment and above,
/// parts of segments.
#[test]
fn duplicates_come_first_and_once() {
    let mut receiver = Receiver::new(true);
    receiver.take(5_000, 5_500);
    assert_eq!(receiver.on(4_000, 4_500), "5500 4000-4500");
    assert_eq!(receiver.report(4), "5500");
    receiver.take(6_000, 6_500);
    assert_eq!(receiver.on(4_500, 5_000), "5500 4500-5000 6000-6500");
    // Within a block above: the block follows.
    receiver.take(6_500, 7_500);
    receiver.take(8_000, 8_500);
    assert_eq!(receiver.on(6_500, 7_000), "5500 6500-7000 6000-7500 8000-8500");
    assert_eq!(receiver.report(4), "5500 6000-7500 8000-8500");
    // Parts: the end of what is acknowledged, and the first of two runs.
    assert_eq!(receiver.on(5_400, 5_600), "5600 5400-5500 6000-7500 8000-8500");
    assert_eq!(receiver.on(7_000, 8_250), "5600 7000-7500 6000-8500");
    assert_eq!(Receiver::new(false).on(4_000, 4_500), "5000");
}

#[test]
fn room_is_kept_to_and_a_duplicate_waits_for_it() {
    let mut receiver = Receiver::new(true);
    for start in (6_000..11_000).step_by(1_000) {
        receiver.take(start, start + 500);
    }
    assert_eq!(receiver.report(4), "5000 10000-10500 9000-9500 8000-8500 7000-7500");
    assert_eq!(receiver.report(3), "5000 10000-10500 9000-9500 8000-8500");
    // The fifth block, reported long ago, comes back to fill.
    receiver.take(8_500, 9_000);
    receiver.take(9_500, 10_000);
    assert_eq!(receiver.report(4), "5000 8000-10500 7000-7500 6000-6500");
    receiver.take(4_000, 4_500);
    assert_eq!(receiver.report(0), "5000");
    assert_eq!(receiver.report(1), "5000 4000-4500");
}

proptest! {
    /// Whatever arrives: the first block has the last segment, none comes
    /// twice, all are held, and no room is left while another is.
    #[test]
    fn holds_the_rules(pieces in prop::collection::vec((1u32..60, 1u32..6), 1..60), room in 1usize..=4) {
        let mut receiver = Receiver::new(false);
        for (start, len) in pieces {
            let range = SeqRange::new(BASE + 5_000 + start, len);
            receiver.reports.on_segment(range, receiver.rcv_nxt, &receiver.held);
            receiver.held.insert(range);
            let blocks = receiver.reports.fill(&receiver.held, room);
            let blocks = blocks.as_slice();
            prop_assert_eq!(blocks.len(), receiver.held.iter().count().min(room));
            prop_assert_eq!(Some(blocks[0]), receiver.held.range_at(range.start));
            for (index, block) in blocks.iter().enumerate() {
                prop_assert!(receiver.held.iter().any(|held| held == *block));
                prop_assert!(!blocks[..index].contains(block));
            }
        }
    }
}
