//! The link models between our stack and the device, both ways.

use netjoule_link::impair::{self, Impaired, Output};
use netjoule_link::two_state::{self, Channel};
use netjoule_units::{Bytes, Duration, Instant};
use rand::SeedableRng;
use rand_pcg::Pcg64;

/// Settings of the line between our stack and the device.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// What happens to packets, in each direction by itself.
    pub each_way: impair::Config,
    /// The air that both directions share, if there is one.
    pub channel: Option<two_state::Config>,
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
}

/// The line at work. Buffers of packets that have left it are used again.
pub(crate) struct Line {
    out: Impaired<Vec<u8>>,
    inward: Impaired<Vec<u8>>,
    channel: Option<Channel>,
    spare: Vec<Vec<u8>>,
}

impl Line {
    /// A line as `config` says; none if it would change nothing.
    pub(crate) fn new(config: &Config) -> Option<Self> {
        if config.channel.is_none() && config.each_way == impair::Config::default() {
            return None;
        }
        let mut rng = Pcg64::seed_from_u64(config.seed);
        let mut stream = || Pcg64::from_rng(&mut rng);
        let channel = config
            .channel
            .as_ref()
            .map(|channel| Channel::new(channel, Duration::ZERO, stream(), stream()));
        Some(Self {
            out: Impaired::new(&config.each_way, stream()),
            inward: Impaired::new(&config.each_way, stream()),
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
            let (way, output) = if let Some(output) = self.out.poll(now) {
                (Way::Out, output)
            } else {
                (Way::In, self.inward.poll(now)?)
            };
            match output {
                Output::Delivered(frame) => return Some((way, frame)),
                Output::Corrupted { mut frame, bit } => {
                    flip(&mut frame, bit);
                    return Some((way, frame));
                }
                Output::Lost(frame) => self.spare.push(frame),
            }
        }
    }

    /// Takes back a packet's buffer.
    pub(crate) fn recycle(&mut self, frame: Vec<u8>) {
        self.spare.push(frame);
    }

    /// When the next packet comes through.
    pub(crate) fn poll_timeout(&self) -> Option<Instant> {
        earliest(self.out.poll_timeout(), self.inward.poll_timeout())
    }

    /// What has happened so far.
    pub(crate) const fn tallies(&self) -> Tallies {
        Tallies { out: *self.out.tally(), inward: *self.inward.tally() }
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
        Line::new(&Config { each_way, channel: None, seed: 1 }).unwrap()
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
    fn losses_leave_the_seed_s_mark() {
        let loss = Probability::new(0.5).unwrap();
        let course = |seed| {
            let each_way = impair::Config { loss, ..impair::Config::default() };
            let mut line = Line::new(&Config { each_way, channel: None, seed }).unwrap();
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
