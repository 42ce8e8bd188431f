//! The link models between our stack and the device, both ways.

use netjoule_link::dot11;
use netjoule_link::impair::{self, Impaired, Output};
use netjoule_link::two_state::{self, Channel};
use netjoule_units::{Bytes, Duration, Instant};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use crate::air::Air;

/// What a station on a shared medium holds at most: as many full packets as a
/// network card of Linux does.
const STATION_QUEUE: Bytes = Bytes::new(1_000 * 1_500);

/// Settings of the line between our stack and the device.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// What happens to packets, in each direction by itself.
    pub each_way: impair::Config,
    /// The two-state channel that both directions share, if there is one.
    pub channel: Option<two_state::Config>,
    /// The medium that both directions contend for, behind all that happens to
    /// packets each way, if there is one.
    pub air: Option<dot11::Config>,
    /// The seed of all draws.
    pub seed: u64,
}

/// Which way a packet goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// From our stack to the device.
    Out,
    /// From the device to our stack.
    In,
}

/// What became of the packets of both directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tallies {
    /// From our stack to the device.
    pub out: impair::Tally,
    /// From the device to our stack.
    pub inward: impair::Tally,
    /// What our station and the device's have done on the shared medium.
    pub air: Option<[dot11::Stats; 2]>,
}

/// The line at work. Buffers of packets that have left it are used again.
pub(crate) struct Line {
    out: Impaired<Vec<u8>>,
    inward: Impaired<Vec<u8>>,
    channel: Option<Channel>,
    air: Option<Air>,
    spare: Vec<Vec<u8>>,
}

impl Line {
    /// A line as `config` says; none if it would change nothing.
    pub(crate) fn new(config: &Config) -> Option<Self> {
        let Config { each_way, channel, air, seed } = config;
        if channel.is_none() && air.is_none() && *each_way == impair::Config::default() {
            return None;
        }
        let mut rng = Pcg64::seed_from_u64(*seed);
        let mut stream = || Pcg64::from_rng(&mut rng);
        let mut channel = channel
            .as_ref()
            .map(|channel| Channel::new(channel, Duration::ZERO, stream(), stream()));
        Some(Self {
            out: Impaired::new(each_way, stream()),
            inward: Impaired::new(each_way, stream()),
            // A shared medium has the channel between its stations.
            air: air.as_ref().map(|air| Air::new(air, channel.take(), STATION_QUEUE, &mut rng)),
            channel,
            spare: Vec::new(),
        })
    }

    /// Takes a copy of `packet` to carry.
    pub(crate) fn offer(&mut self, now: Instant, way: Way, packet: &[u8]) {
        let mut frame = self.spare.pop().unwrap_or_default();
        frame.clear();
        frame.extend_from_slice(packet);
        let size = Bytes::new(packet.len() as u64);
        let line = match way {
            Way::Out => &mut self.out,
            Way::In => &mut self.inward,
        };
        if let Err(frame) = line.offer(now, frame, size, self.channel.as_mut()) {
            self.spare.push(frame);
        }
    }

    /// The next packet that has come through by `now`, as it arrives; the
    /// caller gives it back to [`recycle`](Self::recycle).
    pub(crate) fn poll(&mut self, now: Instant) -> Option<(Way, Vec<u8>)> {
        loop {
            if let Some(air) = &mut self.air
                && let Some(arrived) = air.poll(now, &mut self.spare)
            {
                return Some(arrived);
            }
            let (way, output) = if let Some(output) = self.out.poll(now) {
                (Way::Out, output)
            } else {
                (Way::In, self.inward.poll(now)?)
            };
            let frame = match output {
                Output::Delivered(frame) => frame,
                Output::Corrupted { mut frame, bit } => {
                    flip(&mut frame, bit);
                    frame
                }
                Output::Lost(frame) => {
                    self.spare.push(frame);
                    continue;
                }
            };
            match &mut self.air {
                None => return Some((way, frame)),
                Some(air) => {
                    if let Err(refused) = air.offer(now, way, frame) {
                        self.spare.push(refused);
                    }
                }
            }
        }
    }

    /// Takes back a packet's buffer.
    pub(crate) fn recycle(&mut self, frame: Vec<u8>) {
        self.spare.push(frame);
    }

    /// When the next packet comes through.
    pub(crate) fn poll_timeout(&self) -> Option<Instant> {
        let due = earliest(self.out.poll_timeout(), self.inward.poll_timeout());
        earliest(due, self.air.as_ref().and_then(Air::poll_timeout))
    }

    /// What has happened so far.
    pub(crate) fn tallies(&self) -> Tallies {
        let air = self.air.as_ref().map(Air::stats);
        Tallies { out: *self.out.tally(), inward: *self.inward.tally(), air }
    }
}

/// Changes one bit, counted from the most significant of the first byte.
fn flip(frame: &mut [u8], bit: u64) {
    let byte = usize::try_from(bit / 8).ok().and_then(|index| frame.get_mut(index));
    if let Some(byte) = byte {
        *byte ^= 0x80 >> (bit % 8);
    }
}

/// The earlier of two moments, as far as there are any.
pub(crate) fn earliest(a: Option<Instant>, b: Option<Instant>) -> Option<Instant> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use netjoule_units::Probability;

    use super::*;

    fn line(each_way: impair::Config) -> Line {
        Line::new(&Config { each_way, seed: 1, ..Config::default() }).unwrap()
    }

    #[test]
    fn a_line_that_changes_nothing_is_none() {
        assert!(Line::new(&Config::default()).is_none());
    }

    #[test]
    fn packets_go_their_own_way_and_buffers_come_back() {
        let delay = Duration::from_millis(5);
        let mut line = line(impair::Config { delay, ..impair::Config::default() });
        line.offer(Instant::ZERO, Way::Out, b"there");
        line.offer(Instant::from_millis(1), Way::In, b"back");
        assert_eq!(line.poll_timeout(), Some(Instant::from_millis(5)));
        assert_eq!(line.poll(Instant::from_millis(4)), None);
        let (way, packet) = line.poll(Instant::from_millis(6)).unwrap();
        assert_eq!((way, packet.as_slice()), (Way::Out, b"there".as_slice()));
        line.recycle(packet);
        let (way, packet) = line.poll(Instant::from_millis(6)).unwrap();
        assert_eq!((way, packet.as_slice()), (Way::In, b"back".as_slice()));
        assert_eq!(line.poll_timeout(), None);
        assert_eq!(line.spare.len(), 1);
    }

    #[test]
    fn corruption_changes_one_bit() {
        let corrupt = Probability::ONE;
        let mut line = line(impair::Config { corrupt, ..impair::Config::default() });
        for _ in 0..100 {
            line.offer(Instant::ZERO, Way::In, &[0; 40]);
            let (_, packet) = line.poll(Instant::ZERO).unwrap();
            assert_eq!(packet.iter().map(|byte| byte.count_ones()).sum::<u32>(), 1);
            line.recycle(packet);
        }
    }

    #[test]
    fn both_ways_share_the_air() {
        let air = Some(dot11::Config::default());
        let mut line = Line::new(&Config { air, ..Config::default() }).unwrap();
        // 1064 bytes take 992 us, and the ACK of the link ends at 1250.
        line.offer(Instant::ZERO, Way::Out, &[1; 1_064]);
        assert_eq!(line.poll(Instant::ZERO), None);
        line.offer(Instant::from_nanos(100_000), Way::In, &[2; 40]);
        assert_eq!(line.poll(Instant::from_nanos(991_999)), None);
        let (way, packet) = line.poll(Instant::from_nanos(992_000)).unwrap();
        assert_eq!((way, packet.len()), (Way::Out, 1_064));
        line.recycle(packet);
        // The answer waits for the end of that, DIFS and a backoff.
        let arrived = loop {
            let now = line.poll_timeout().unwrap();
            if let Some((Way::In, packet)) = line.poll(now) {
                assert_eq!(packet, [2; 40]);
                break now;
            }
        };
        let earliest = 1_250_000 + 50_000 + 192_000 + 76 * 8_000 / 11;
        let backoff = arrived.as_nanos() - earliest;
        assert!(backoff % 20_000 < 1_000 && backoff / 20_000 < 32, "{backoff} ns");
        assert_eq!(line.tallies().air.map(|[own, other]| own.sent[0] + other.sent[0]), Some(2));
    }

    #[test]
    fn a_station_that_is_full_refuses() {
        let air = Some(dot11::Config::default());
        let mut line = Line::new(&Config { air, ..Config::default() }).unwrap();
        for _ in 0..2_000 {
            line.offer(Instant::ZERO, Way::Out, &[0; 1_500]);
            assert_eq!(line.poll(Instant::ZERO), None);
        }
        let mut arrived = 0;
        while let Some(now) = line.poll_timeout() {
            while let Some((_, packet)) = line.poll(now) {
                line.recycle(packet);
                arrived += 1;
            }
        }
        assert_eq!(arrived, 1_000);
    }

    #[test]
    fn losses_leave_the_seed_s_mark() {
        let loss = Probability::new(0.5).unwrap();
        let course = |seed| {
            let each_way = impair::Config { loss, ..impair::Config::default() };
            let mut line = Line::new(&Config { each_way, seed, ..Config::default() }).unwrap();
            (0..64)
                .map(|_| {
                    line.offer(Instant::ZERO, Way::Out, b"x");
                    line.poll(Instant::ZERO).is_some()
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(course(1), course(1));
        assert_ne!(course(1), course(2));
    }
}
