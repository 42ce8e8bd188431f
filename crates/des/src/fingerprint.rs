//! A hash of a run's trajectory.

use netjoule_units::Instant;

use crate::PartId;

/// Takes in every event of a run. Equal runs have equal fingerprints; that two
/// fingerprints are equal proves only that the same parts were called at the
/// same times, not that what they did is right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint(u64);

/// An odd constant with well-spread bits: 2^64 divided by the golden ratio.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

impl Fingerprint {
    /// Takes in that `part` was called at `at`.
    pub fn mix(&mut self, at: Instant, part: PartId) {
        let event = at.as_nanos() ^ (u64::from(part.0) << 40);
        self.join(Self(event));
    }

    /// Takes in the fingerprint of a part of the run that went by itself.
    pub fn join(&mut self, part: Self) {
        self.0 = (self.0 ^ part.0).wrapping_mul(MIX).rotate_left(29);
    }

    /// The hash so far.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_parts_do_not_cancel() {
        let joined = |part: u64, times: usize| {
            let mut fingerprint = Fingerprint::default();
            (0..times).for_each(|_| fingerprint.join(Fingerprint(part)));
            fingerprint
        };
        for times in [2, 64, 128] {
            assert_ne!(joined(1, times), joined(2, times));
            assert_ne!(joined(1, times), Fingerprint::default());
        }
    }

    #[test]
    fn time_part_and_order_all_count() {
        let of = |events: &[(u64, u32)]| {
            let mut fingerprint = Fingerprint::default();
            for &(at, part) in events {
                fingerprint.mix(Instant::from_nanos(at), PartId(part));
            }
            fingerprint
        };
        let base = of(&[(1, 1), (2, 2)]);
        assert_eq!(base, of(&[(1, 1), (2, 2)]));
        for other in [[(1, 1), (2, 3)], [(1, 1), (3, 2)], [(2, 2), (1, 1)]] {
            assert_ne!(base, of(&other));
        }
    }
}
