//! Slow start, and additive increase with multiplicative decrease (RFC 5681
//! section 3.1).

use crate::tcp::{AvoidanceIncrement, Options, SsthreshBase};

/// The window policy of Jacobson 1988 and its successors.
#[derive(Clone, Copy, Debug)]
pub struct Aimd {
    smss: u32,
    increment: AvoidanceIncrement,
    base: SsthreshBase,
}

impl Aimd {
    /// The policy for segments of `smss` bytes.
    #[must_use]
    pub const fn new(smss: u32, options: &Options) -> Self {
        Self { smss, increment: options.avoidance_increment, base: options.ssthresh_base }
    }

    /// cwnd after an ACK of new data, in bytes.
    #[must_use]
    pub fn after_ack(&self, cwnd: u32, ssthresh: u32) -> u32 {
        let increment = if cwnd <= ssthresh {
            // Slow start; at equality either is allowed, and goel1997 2.2
            // chooses this.
            self.smss
        } else {
            let smss = u64::from(self.smss);
            // Equation 3, at least one byte. The quotient is at most SMSS.
            let standard = u32::try_from(smss * smss / u64::from(cwnd)).unwrap_or(self.smss).max(1);
            match self.increment {
                AvoidanceIncrement::Standard => standard,
                AvoidanceIncrement::Bsd43 => standard + self.smss / 8,
            }
        };
        cwnd.saturating_add(increment)
    }

    /// ssthresh after a loss, in bytes: half of what `SsthreshBase` names, and
    /// at least two segments.
    #[must_use]
    pub fn ssthresh_after_loss(&self, cwnd: u32, snd_wnd: u32, flight_size: u32) -> u32 {
        let half = match self.base {
            SsthreshBase::FlightSize => flight_size / 2,
            SsthreshBase::Window => cwnd.min(snd_wnd) / 2 / self.smss * self.smss,
        };
        half.max(2 * self.smss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMSS: u32 = 1_000;

    fn aimd(options: &Options) -> Aimd {
        Aimd::new(SMSS, options)
    }

    #[test]
    fn a_window_of_acks_doubles_cwnd_or_adds_one_segment() {
        let aimd = aimd(&Options::default());
        let after_window = |cwnd: u32, ssthresh| {
            (0..cwnd / SMSS).fold(cwnd, |cwnd, _| aimd.after_ack(cwnd, ssthresh))
        };
        assert_eq!(after_window(8_000, 64_000), 16_000);
        let grown = after_window(8_000, 4_000);
        assert!((8_900..=9_000).contains(&grown), "{grown}");
    }

    #[test]
    fn bsd_adds_an_eighth_of_a_segment() {
        let bsd =
            aimd(&Options { avoidance_increment: AvoidanceIncrement::Bsd43, ..Options::default() });
        assert_eq!(bsd.after_ack(8_000, 4_000), 8_000 + 125 + 125);
    }

    #[test]
    fn a_loss_halves_what_was_chosen() {
        let flight = aimd(&Options::default());
        let window = aimd(&Options { ssthresh_base: SsthreshBase::Window, ..Options::default() });
        assert_eq!(flight.ssthresh_after_loss(20_000, 16_000, 9_000), 4_500);
        assert_eq!(window.ssthresh_after_loss(20_000, 16_000, 9_000), 8_000);
        assert_eq!(window.ssthresh_after_loss(7_900, 16_000, 7_000), 3_000);
        assert_eq!(flight.ssthresh_after_loss(1_000, 16_000, 1_000), 2_000);
    }
}
