//! Header prediction: whether a segment is just what is expected next
//! (agarwal2000 3.4; Jacobson 1990).
//!
//! Five comparisons tell a segment of a smooth transfer from one that needs all
//! the steps of RFC 9293 section 3.10.7.4. What they let through would pass
//! those steps with the same result.

use netjoule_wire::{Flags, Segment, SeqNumber};

/// What is expected of the next segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prediction {
    /// RCV.NXT.
    pub(super) rcv_nxt: SeqNumber,
    /// The window field of the segment before.
    pub(super) window: u16,
    /// SND.UNA.
    pub(super) snd_una: SeqNumber,
    /// SND.MAX.
    pub(super) snd_max: SeqNumber,
}

/// A segment that is as expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// The next data, with nothing acknowledged.
    Data,
    /// An acknowledgment of new data, and nothing else.
    Ack,
}

impl Prediction {
    /// Whether `segment` is one of the two kinds that a transfer in one
    /// direction is made of. The state is ESTABLISHED, nothing is being
    /// repaired, and nothing is held out of order.
    #[inline]
    pub(super) fn holds(&self, segment: &Segment) -> Option<Expected> {
        let usual = segment.flags.without(Flags::PSH) == Flags::ACK
            && segment.seq == self.rcv_nxt
            && segment.options.sack.is_empty();
        if !usual {
            return None;
        }
        if segment.len > 0 {
            let offers_nothing = segment.window == self.window;
            (segment.ack == self.snd_una && offers_nothing).then_some(Expected::Data)
        } else {
            let acked = segment.ack - self.snd_una;
            (acked > 0 && acked <= self.snd_max - self.snd_una).then_some(Expected::Ack)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_two_usual_kinds_are_expected() {
        let at = SeqNumber::new;
        let prediction =
            Prediction { rcv_nxt: at(100), window: 50, snd_una: at(7), snd_max: at(20) };
        let ack = Segment {
            seq: at(100),
            ack: at(20),
            flags: Flags::ACK,
            window: 50,
            ..Segment::default()
        };
        let data = Segment { ack: at(7), len: 10, flags: Flags::ACK | Flags::PSH, ..ack };
        assert_eq!(prediction.holds(&ack), Some(Expected::Ack));
        assert_eq!(prediction.holds(&data), Some(Expected::Data));
        // A reader that is behind offers less with every ACK.
        assert_eq!(prediction.holds(&Segment { window: 49, ..ack }), Some(Expected::Ack));
        for other in [
            Segment { ack: at(7), ..ack },
            Segment { ack: at(21), ..ack },
            Segment { ack: at(8), ..data },
            Segment { seq: at(101), ..data },
            Segment { window: 51, ..data },
            Segment { flags: Flags::ACK | Flags::FIN, ..data },
            Segment { flags: Flags::ACK | Flags::ECE, ..ack },
        ] {
            assert_eq!(prediction.holds(&other), None, "{other:?}");
        }
    }
}
