//! What becomes of a frame at a station: collisions, capture, noise.

use netjoule_units::{Bytes, PowerLevel};

use super::air::Air;
use super::config::Config;
use super::frame::{To, Transmission, mpdu_size};
use super::radio::Radio;
use super::station::Reception;

/// Frame errors without a collision.
#[derive(Clone, Debug)]
pub(super) struct Noise {
    radio: Option<Radio>,
    key: u64,
}

impl Noise {
    pub(super) fn new(config: &Config, key: u64) -> Self {
        Self { radio: config.radio.as_ref().map(Radio::new), key }
    }
}

/// A number from 0 to below 1 that depends on `words` only: whoever asks about
/// a frame, and in whatever order, gets the same answer (`SplitMix64`, Steele,
/// Lea and Flood 2014, over the words in turn).
fn draw(words: [u64; 4]) -> f64 {
    let mut state = 0u64;
    for word in words {
        state = (state ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15);
        state = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        state ^= state >> 31;
    }
    #[expect(clippy::cast_precision_loss, reason = "53 bits are what a float holds")]
    let numerator = (state >> 11) as f64;
    numerator / (1u64 << 53) as f64
}

impl<F: Clone> Air<F> {
    /// What has come of `ended` at station `at`. An A-MPDU counts as decoded if
    /// nothing but noise has touched it; see [`Self::mpdu_survives`].
    pub(super) fn reception(&self, ended: &Transmission, at: usize) -> Reception {
        let was_awake = self.stations[at].awake_from <= ended.start;
        if !was_awake || !self.hearing.decodes(ended.from, at) {
            return Reception::Unnoticed;
        }
        let mut collides = false;
        let mut interference_mw = 0.0;
        for other in self.history.overlapping(ended) {
            if other.from == at {
                // It was sending itself.
                return Reception::Unnoticed;
            }
            if self.hearing.hears(other.from, at) {
                // A receiver does not leave what it has begun to receive.
                let is_locked = other.start < ended.start && self.hearing.decodes(other.from, at);
                collides |= is_locked || self.config.capture.is_none();
                interference_mw += self.hearing.level(other.from, at).map_or(0.0, milliwatts);
            }
        }
        let is_weaker = || {
            let level = self.hearing.level(ended.from, at).map_or(0.0, milliwatts);
            let ratio = self.config.capture.map_or(0.0, |ratio| ratio.db());
            level < interference_mw * libm::pow(10.0, ratio / 10.0)
        };
        let is_lost = ended.lost && ended.to == To::Station(at);
        let is_noisy = || ended.mpdus.count_ones() <= 1 && self.is_noisy(ended, ended.psdu, 0, at);
        if collides || is_lost || (interference_mw > 0.0 && is_weaker()) || is_noisy() {
            Reception::Undecodable
        } else {
            Reception::Decoded
        }
    }

    /// Whether the packet at `place` of a decoded frame is whole. In an A-MPDU
    /// each has a check sequence of its own.
    pub(super) fn mpdu_survives(&self, ended: &Transmission, queue: usize, place: usize) -> bool {
        let To::Station(at) = ended.to else { return true };
        if ended.mpdus.count_ones() <= 1 {
            return true;
        }
        let size = self.stations[ended.from].queues.get(queue)[place].frame.size;
        let mpdu = mpdu_size(size, self.config.phy, self.config.wep);
        !self.is_noisy(ended, mpdu, place as u64 + 1, at)
    }

    /// Whether noise destroys the `part` of `ended` with `size` bytes at `at`.
    fn is_noisy(&self, ended: &Transmission, size: Bytes, part: u64, at: usize) -> bool {
        let (Some(radio), Some(level)) = (&self.noise.radio, self.hearing.level(ended.from, at))
        else {
            return false;
        };
        let errors = radio.frame_error(&ended.mode, size, level);
        !errors.is_zero() && draw([self.noise.key, ended.number, at as u64, part]) < errors.get()
    }
}

fn milliwatts(level: PowerLevel) -> f64 {
    libm::pow(10.0, level.dbm() / 10.0)
}
