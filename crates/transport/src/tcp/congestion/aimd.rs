//! Slow start, and additive increase with multiplicative decrease (RFC 5681
//! section 3.1), by the ACK or by the byte (RFC 3465).

use crate::tcp::{AvoidanceIncrement, Options, SsthreshBase};

/// The largest cwnd in bytes: no window can be larger (RFC 7323 section 2.3).
const MOST_CWND: u32 = 1 << 30;

/// The window policy of Jacobson 1988 and its successors.
#[derive(Clone, Copy, Debug)]
pub struct Aimd {
    smss: u32,
    increment: AvoidanceIncrement,
    base: SsthreshBase,
    /// L of RFC 3465; zero counts ACKs.
    byte_counting: u32,
    /// `bytes_acked`: acknowledged in congestion avoidance and not yet counted
    /// for a growth.
    bytes_acked: u32,
    /// Whether slow start is under way after a loss.
    after_loss: bool,
}

impl Aimd {
    /// The policy for segments of `smss` bytes.
    #[must_use]
    pub const fn new(smss: u32, options: &Options) -> Self {
        Self {
            smss,
            increment: options.avoidance_increment,
            base: options.ssthresh_base,
            byte_counting: options.byte_counting,
            bytes_acked: 0,
            after_loss: false,
        }
    }

    /// Segments have `smss` bytes from now on.
    pub const fn set_smss(&mut self, smss: u32) {
        self.smss = smss;
    }

    /// cwnd after an ACK of `acked` bytes of new data, in bytes.
    #[must_use]
    pub fn after_ack(&mut self, cwnd: u32, ssthresh: u32, acked: u32) -> u32 {
        // At equality either is allowed, and goel1997 2.2 chooses slow start.
        let increment = if cwnd <= ssthresh {
            self.slow_start_increment(acked)
        } else {
            self.after_loss = false;
            let bsd = match self.increment {
                AvoidanceIncrement::Standard => 0,
                AvoidanceIncrement::Bsd43 => self.smss / 8,
            };
            bsd + self.avoidance_increment(cwnd, acked)
        };
        cwnd.saturating_add(increment).min(MOST_CWND.max(cwnd))
    }

    /// One SMSS per ACK, or what it acknowledges: at most L segments, and after
    /// a loss one, since what the ACK covers may have left the network long
    /// ago (RFC 3465 sections 2.2 and 2.3).
    fn slow_start_increment(&self, acked: u32) -> u32 {
        match (self.byte_counting, self.after_loss) {
            (0, _) => self.smss,
            (_, true) => acked.min(self.smss),
            (limit, false) => acked.min(limit.saturating_mul(self.smss)),
        }
    }

    /// One SMSS per window.
    fn avoidance_increment(&mut self, cwnd: u32, acked: u32) -> u32 {
        let smss = u64::from(self.smss);
        if self.byte_counting == 0 {
            // RFC 5681 equation 3, at least one byte. The quotient is at most
            // SMSS.
            return u32::try_from(smss * smss / u64::from(cwnd)).unwrap_or(self.smss).max(1);
        }
        // RFC 3465 section 2.1.
        self.bytes_acked = self.bytes_acked.saturating_add(acked);
        if self.bytes_acked < cwnd {
            return 0;
        }
        // One ACK grows the window once; what it covers beyond that would
        // count for windows that were never sent.
        self.bytes_acked = (self.bytes_acked - cwnd).min(cwnd);
        self.smss
    }

    /// Slow start begins anew after a loss (RFC 3465 section 2.3).
    pub const fn restart(&mut self) {
        self.after_loss = true;
        self.bytes_acked = 0;
    }

    /// ssthresh after a loss, in bytes: half of what `SsthreshBase` names, and
    /// at least two segments.
    #[must_use]
    pub fn ssthresh_after_loss(&mut self, cwnd: u32, snd_wnd: u32, flight_size: u32) -> u32 {
        let half = match self.base {
            SsthreshBase::FlightSize => flight_size / 2,
            SsthreshBase::Window => cwnd.min(snd_wnd) / 2 / self.smss * self.smss,
        };
        // What was acknowledged before belongs to the window before.
        self.bytes_acked = 0;
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
        for byte_counting in [0, 1, 2] {
            let after_window = |cwnd: u32, ssthresh| {
                let mut aimd = aimd(&Options { byte_counting, ..Options::default() });
                (0..cwnd / SMSS).fold(cwnd, |cwnd, _| aimd.after_ack(cwnd, ssthresh, SMSS))
            };
            assert_eq!(after_window(8_000, 64_000), 16_000);
            let grown = after_window(8_000, 4_000);
            assert!((8_900..=9_000).contains(&grown), "{grown}");
        }
    }

    #[test]
    fn counted_bytes_make_up_for_delayed_acks() {
        let after_window = |byte_counting, per_ack: u32, ssthresh| {
            let mut aimd = aimd(&Options { byte_counting, ..Options::default() });
            let acks = 12_000 / per_ack;
            (0..acks).fold(12_000, |cwnd, _| aimd.after_ack(cwnd, ssthresh, per_ack))
        };
        // Slow start with an ACK per two segments, and per four.
        assert_eq!(after_window(0, 2_000, 64_000), 18_000);
        assert_eq!(after_window(1, 2_000, 64_000), 18_000);
        assert_eq!(after_window(2, 2_000, 64_000), 24_000);
        assert_eq!(after_window(2, 4_000, 64_000), 18_000);
        // An ACK of half a segment is worth no more than that.
        assert_eq!(after_window(0, 500, 64_000), 36_000);
        assert_eq!(after_window(2, 500, 64_000), 24_000);
        // Congestion avoidance: one segment per window either way.
        assert_eq!(after_window(2, 4_000, 4_000), 13_000);
        assert_eq!(after_window(2, 500, 4_000), 13_000);
    }

    #[test]
    fn after_a_loss_an_ack_is_worth_one_segment_until_slow_start_ends() {
        let mut aimd = aimd(&Options { byte_counting: 2, ..Options::default() });
        aimd.restart();
        assert_eq!(aimd.after_ack(1_000, 4_000, 5_000), 2_000);
        assert_eq!(aimd.after_ack(4_000, 4_000, 5_000), 5_000);
        assert_eq!(aimd.after_ack(5_000, 4_000, 1_000), 5_000);
        assert_eq!(aimd.after_ack(3_000, 4_000, 5_000), 5_000);
    }

    #[test]
    fn a_loss_and_a_long_ack_start_the_count_of_bytes_anew() {
        let mut aimd = aimd(&Options { byte_counting: 2, ..Options::default() });
        assert_eq!(aimd.after_ack(8_000, 4_000, 7_999), 8_000);
        assert_eq!(aimd.ssthresh_after_loss(8_000, 64_000, 8_000), 4_000);
        assert_eq!(aimd.after_ack(8_000, 4_000, 7_999), 8_000);
        assert_eq!(aimd.after_ack(8_000, 4_000, 1), 9_000);
        // The ACK of a hole that was filled late covers many windows.
        assert_eq!(aimd.after_ack(9_000, 4_000, 90_000), 10_000);
        assert_eq!(aimd.after_ack(10_000, 4_000, 1_000), 11_000);
        assert_eq!(aimd.after_ack(11_000, 4_000, 1_000), 11_000);
    }

    #[test]
    fn cwnd_stays_below_what_any_window_can_be() {
        let mut aimd = aimd(&Options::default());
        assert_eq!(aimd.after_ack(MOST_CWND - 1, u32::MAX, SMSS), MOST_CWND);
        assert_eq!(aimd.after_ack(MOST_CWND, u32::MAX, SMSS), MOST_CWND);
        // An initial window above that is left alone.
        assert_eq!(aimd.after_ack(u32::MAX, u32::MAX, SMSS), u32::MAX);
    }

    #[test]
    fn bsd_adds_an_eighth_of_a_segment() {
        let mut bsd =
            aimd(&Options { avoidance_increment: AvoidanceIncrement::Bsd43, ..Options::default() });
        assert_eq!(bsd.after_ack(8_000, 4_000, SMSS), 8_000 + 125 + 125);
    }

    #[test]
    fn a_loss_halves_what_was_chosen() {
        let mut flight = aimd(&Options::default());
        let mut window =
            aimd(&Options { ssthresh_base: SsthreshBase::Window, ..Options::default() });
        assert_eq!(flight.ssthresh_after_loss(20_000, 16_000, 9_000), 4_500);
        assert_eq!(window.ssthresh_after_loss(20_000, 16_000, 9_000), 8_000);
        assert_eq!(window.ssthresh_after_loss(7_900, 16_000, 7_000), 3_000);
        assert_eq!(flight.ssthresh_after_loss(1_000, 16_000, 1_000), 2_000);
    }
}
