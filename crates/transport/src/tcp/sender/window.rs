//! The congestion window, and what becomes of it in a recovery.

use crate::tcp::Options;
use crate::tcp::congestion::Aimd;

/// cwnd and ssthresh in bytes, with the policy that moves them.
#[derive(Clone, Debug)]
pub(super) struct CongestionWindow {
    smss: u32,
    cwnd: u32,
    ssthresh: u32,
    /// IW.
    initial: u32,
    policy: Aimd,
    /// cwnd to return to after the recovery under way, if a signal has said
    /// that the loss does not count.
    kept: Option<u32>,
}

impl CongestionWindow {
    pub(super) fn new(options: &Options, smss: u32) -> Self {
        let initial = options.initial_window.bytes(smss);
        Self {
            smss,
            cwnd: initial,
            initial,
            ssthresh: u32::try_from(options.initial_ssthresh.get()).unwrap_or(u32::MAX),
            policy: Aimd::new(smss, options),
            kept: None,
        }
    }

    pub(super) const fn cwnd(&self) -> u32 {
        self.cwnd
    }

    pub(super) const fn ssthresh(&self) -> u32 {
        self.ssthresh
    }

    /// Segments are of `smss` bytes from now on. No window is left that one of
    /// them does not fit into: nothing would ever leave again.
    pub(super) fn set_smss(&mut self, smss: u32) {
        self.smss = smss;
        self.cwnd = self.cwnd.max(smss);
        self.ssthresh = self.ssthresh.max(smss.saturating_mul(2));
        self.kept = self.kept.map(|kept| kept.max(smss));
        self.policy.set_smss(smss);
    }

    /// A SYN had to be sent again: one segment to begin with (RFC 5681 section
    /// 3.1).
    pub(super) const fn after_lost_syn(&mut self) {
        self.cwnd = self.smss;
    }

    /// Nothing has been sent for longer than an RTO, so that cwnd says nothing of
    /// the network any more: the restart window (RFC 5681 section 4.1).
    pub(super) fn after_idle(&mut self) {
        self.cwnd = self.cwnd.min(self.initial);
    }

    /// An ACK of `acked` bytes of new data outside a recovery.
    pub(super) fn grow(&mut self, acked: u32) {
        self.cwnd = self.policy.after_ack(self.cwnd, self.ssthresh, acked);
    }

    /// A mark of congestion has halved the window.
    pub(super) fn after_mark(&mut self) {
        self.cwnd = self.ssthresh;
    }

    /// A loss that counts: ssthresh follows the policy.
    pub(super) fn reduce_ssthresh(&mut self, snd_wnd: u32, flight_size: u32) {
        self.ssthresh = self.policy.ssthresh_after_loss(self.cwnd, snd_wnd, flight_size);
        self.kept = None;
    }

    /// A loss that does not count: the recovery that begins will end with the
    /// cwnd of now.
    pub(super) fn keep_for_exit(&mut self) {
        self.kept = Some(self.cwnd);
    }

    /// Fast recovery begins after `duplicate_acks` that say no more than that
    /// (RFC 5681 section 3.2 step 3).
    pub(super) fn enter_recovery(&mut self, duplicate_acks: u32) {
        self.cwnd = self.ssthresh.saturating_add(duplicate_acks.saturating_mul(self.smss));
    }

    /// A segment has left the network (step 4).
    pub(super) fn inflate(&mut self) {
        self.cwnd = self.cwnd.saturating_add(self.smss);
    }

    /// A partial ACK of `acked` bytes (RFC 6582 section 3.2 step 3).
    pub(super) fn deflate(&mut self, acked: u32) {
        let back = if acked >= self.smss { self.smss } else { 0 };
        self.cwnd = self.cwnd.saturating_sub(acked).max(self.smss).saturating_add(back);
    }

    /// The recovery is over, with the `cwnd` of its algorithm or the one kept.
    pub(super) fn leave_recovery(&mut self, cwnd: u32) {
        self.cwnd = self.kept.take().unwrap_or(cwnd);
    }

    /// A timeout that does not count: the window is what it was before the
    /// recovery that it ends, or what that would have left, if `in_recovery`.
    pub(super) fn abandon_recovery(&mut self, in_recovery: bool) {
        match self.kept.take() {
            Some(kept) => self.cwnd = kept,
            None if in_recovery => self.cwnd = self.ssthresh,
            None => {}
        }
    }

    /// Slow start begins anew (RFC 5681 section 3.1: the loss window).
    pub(super) fn collapse(&mut self) {
        self.cwnd = self.smss;
        self.policy.restart();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_segment_fits_into_every_window() {
        let mut window = CongestionWindow::new(&Options::default(), 500);
        window.collapse();
        window.reduce_ssthresh(1_000, 1_000);
        window.keep_for_exit();
        assert_eq!((window.cwnd(), window.ssthresh()), (500, 1_000));
        window.set_smss(1_460);
        assert_eq!((window.cwnd(), window.ssthresh()), (1_460, 2_920));
        window.leave_recovery(0);
        assert_eq!(window.cwnd(), 1_460);
    }
}
