//! Round-trip time and the retransmission timeout (RFC 6298).

use netjoule_units::{Duration, Instant};
use netjoule_wire::SeqNumber;

use super::{BackoffEnd, Options, TimerKind};

/// The RTO after a lost SYN, at least (RFC 6298 section 5.7).
const CAREFUL_RTO: Duration = Duration::from_secs(3);

/// Estimates the round-trip time from one timed segment at a time, and says
/// when a retransmission timer started now runs out.
#[derive(Clone, Debug)]
pub(super) struct RttEstimator {
    kind: TimerKind,
    /// G of RFC 6298.
    granularity: Duration,
    min_rto: Duration,
    max_rto: Duration,
    backoff_end: BackoffEnd,
    /// SRTT and RTTVAR, once there is a sample.
    smoothed: Option<(Duration, Duration)>,
    /// RTO without back-off.
    rto: Duration,
    /// How many times the RTO is doubled.
    backoff: u32,
    /// The sequence number whose acknowledgment ends the sample, and when the
    /// segment before it was sent.
    timed: Option<(SeqNumber, Instant)>,
}

impl RttEstimator {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            kind: options.timers,
            granularity: options.timer_granularity,
            min_rto: options.min_rto,
            max_rto: options.max_rto,
            backoff_end: options.backoff_end,
            smoothed: None,
            rto: options.initial_rto,
            backoff: 0,
            timed: None,
        }
    }

    /// New data up to `end` leaves: times it unless another segment is timed.
    pub(super) fn on_send(&mut self, now: Instant, end: SeqNumber) {
        if self.timed.is_none() {
            self.timed = Some((end, now));
        }
    }

    /// Something is sent again: its acknowledgment, and those that wait for
    /// it, no longer tell the round-trip time (Karn's algorithm, section 3).
    pub(super) fn on_retransmit(&mut self) {
        self.timed = None;
    }

    /// Data up to `ack` is acknowledged for the first time. `round_trip` is what
    /// the timestamp of the ACK tells, if it has one (RFC 7323 section 4).
    #[inline(always)]
    pub(super) fn on_ack(&mut self, now: Instant, ack: SeqNumber, round_trip: Option<Duration>) {
        if self.backoff_end == BackoffEnd::NewAck {
            self.backoff = 0;
        }
        if let Some(round_trip) = round_trip {
            self.timed = None;
            self.take_in(round_trip);
            return;
        }
        if let Some((end, sent)) = self.timed
            && !ack.is_before(end)
        {
            self.timed = None;
            self.sample(now, sent);
        }
    }

    /// The timer ran out (section 5.5).
    pub(super) fn on_timeout(&mut self) {
        // 2^16 times the least RTO is beyond any maximum in use.
        self.backoff = (self.backoff + 1).min(16);
        self.on_retransmit();
    }

    /// A SYN had to be sent again: the first RTO for data is 3 s at least
    /// (section 5.7).
    pub(super) fn after_lost_syn(&mut self) {
        self.backoff = 0;
        self.rto = self.rto.max(CAREFUL_RTO).min(self.max_rto);
    }

    /// What made the RTO grow is over.
    pub(super) const fn end_backoff(&mut self) {
        self.backoff = 0;
    }

    /// How often the RTO is doubled.
    pub(super) const fn backoff(&self) -> u32 {
        self.backoff
    }

    /// SRTT and RTTVAR, once there is a sample.
    pub(super) const fn smoothed(&self) -> Option<(Duration, Duration)> {
        self.smoothed
    }

    /// The current RTO, back-off included.
    pub(super) fn rto(&self) -> Duration {
        self.rto.saturating_mul(1 << self.backoff).min(self.max_rto)
    }

    /// When a retransmission timer started now runs out.
    pub(super) fn deadline(&self, now: Instant) -> Instant {
        self.deadline_after(now, self.rto())
    }

    /// When a timer for `span` started now runs out: at a tick if time is
    /// counted in ticks.
    pub(super) fn deadline_after(&self, now: Instant, span: Duration) -> Instant {
        match self.kind {
            TimerKind::Fine => now + span,
            TimerKind::Ticking => now.floor_to(self.granularity) + span.ceil_to(self.granularity),
        }
    }

    /// What was sent at `sent` is acknowledged, and was not sent again.
    pub(super) fn sample(&mut self, now: Instant, sent: Instant) {
        self.take_in(match self.kind {
            TimerKind::Fine => now - sent,
            // Ticks that have passed, as a counter would show.
            TimerKind::Ticking => now.floor_to(self.granularity) - sent.floor_to(self.granularity),
        });
    }

    /// A round trip took `r`.
    fn take_in(&mut self, r: Duration) {
        let (srtt, rttvar) = match self.smoothed {
            // Section 2.2.
            None => (r, r / 2),
            // Section 2.3: alpha = 1/8, beta = 1/4.
            Some((srtt, rttvar)) => ((srtt * 7 + r) / 8, (rttvar * 3 + srtt.abs_diff(r)) / 4),
        };
        self.smoothed = Some((srtt, rttvar));
        let rto = srtt + self.granularity.max(rttvar * 4);
        self.rto = rto.ceil_to(self.granularity).clamp(self.min_rto, self.max_rto);
        self.backoff = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn at(ms: u64) -> Instant {
        Instant::from_millis(ms)
    }

    fn rtt(options: &Options) -> RttEstimator {
        RttEstimator::new(&Options { min_rto: ms(1), ..options.clone() })
    }

    fn measure(rtt: &mut RttEstimator, from: u64, to: u64) {
        rtt.on_send(at(from), SeqNumber::new(1));
        rtt.on_ack(at(to), SeqNumber::new(1), None);
    }

    #[test]
    fn the_first_samples_by_hand() {
        let mut rtt = rtt(&Options::default());
        assert_eq!(rtt.rto(), ms(1_000));
        // SRTT 200, RTTVAR 100: RTO 200 + 400.
        measure(&mut rtt, 0, 200);
        assert_eq!(rtt.rto(), ms(600));
        // RTTVAR (3·100 + |200 - 280|) / 4 = 95, SRTT (7·200 + 280) / 8 = 210.
        measure(&mut rtt, 1_000, 1_280);
        assert_eq!(rtt.rto(), ms(210 + 380));
    }

    #[test]
    fn a_retransmission_spoils_the_sample() {
        let mut rtt = rtt(&Options::default());
        rtt.on_send(at(0), SeqNumber::new(1));
        rtt.on_retransmit();
        rtt.on_ack(at(5), SeqNumber::new(1), None);
        assert_eq!(rtt.rto(), ms(1_000));
    }

    #[test]
    fn back_off_doubles_to_the_maximum_and_ends_as_chosen() {
        for (backoff_end, after_ack) in
            [(BackoffEnd::Sample, ms(60_000)), (BackoffEnd::NewAck, ms(1_000))]
        {
            let mut rtt = rtt(&Options { backoff_end, ..Options::default() });
            let rtos: Vec<_> = (0..7)
                .map(|_| {
                    rtt.on_timeout();
                    rtt.rto().as_nanos() / 1_000_000
                })
                .collect();
            assert_eq!(rtos, [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
            // The ACK of a retransmission is no sample.
            rtt.on_ack(at(70_000), SeqNumber::new(1), None);
            assert_eq!(rtt.rto(), after_ack);
            measure(&mut rtt, 80_000, 80_100);
            assert_eq!(rtt.rto(), ms(300));
        }
    }

    #[test]
    fn ticking_timers_measure_and_expire_in_ticks() {
        let mut rtt = RttEstimator::new(&Options {
            timers: TimerKind::Ticking,
            timer_granularity: ms(500),
            ..Options::default()
        });
        // From 499 to 501 one tick passes: SRTT 500, RTTVAR 250.
        measure(&mut rtt, 499, 501);
        assert_eq!(rtt.rto(), ms(1_500));
        // Started at 1499, it ticks at 1500, 2000 and 2500.
        assert_eq!(rtt.deadline(at(1_499)), at(2_500));
        assert_eq!(rtt.deadline_after(at(1_499), ms(200)), at(1_500));
    }
}
