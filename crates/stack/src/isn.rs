//! Where sequence numbers and timestamps begin: a moving clock, and a keyed
//! hash of the connection that no one outside can guess.

use core::hash::Hasher;

use netjoule_units::Instant;
use netjoule_wire::SeqNumber;
use siphasher::sip::SipHasher24;

use crate::tuple::Tuple;

/// Makes the beginnings of a host's connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beginnings {
    sequence: SipHasher24,
    timestamp: SipHasher24,
    port: SipHasher24,
}

/// The clock of initial sequence numbers ticks every 4 µs (RFC 9293 section
/// 3.4.1).
const TICK_NANOS: u64 = 4_000;

impl Beginnings {
    /// Those of the host with `secret`.
    pub(crate) fn new(secret: &[u8; 16]) -> Self {
        // One key for three purposes: each hash begins with its own byte.
        let purpose = |byte| {
            let mut hasher = SipHasher24::new_with_key(secret);
            hasher.write_u8(byte);
            hasher
        };
        Self { sequence: purpose(1), timestamp: purpose(2), port: purpose(3) }
    }

    /// ISN = M + F(connection, secret) of RFC 6528 section 3.
    pub(crate) fn sequence(&self, now: Instant, tuple: &Tuple) -> SeqNumber {
        SeqNumber::new(fold(self.sequence, tuple)) + low(now.as_nanos() / TICK_NANOS)
    }

    /// What is added to the clock in a connection's timestamps: the same for
    /// all connections between these ends (RFC 7323 section 5.4), so that the
    /// next goes on where the last one ended (section 5.5), and not known to
    /// others (section 7.1).
    pub(crate) fn timestamp(&self, tuple: &Tuple) -> u32 {
        fold(self.timestamp, tuple)
    }

    /// The place in the range of ephemeral ports from which a free one is
    /// looked for (RFC 6056 section 3.3.3). The tuple's local port is not
    /// chosen yet and must be zero.
    pub(crate) fn port(&self, tuple: &Tuple) -> u32 {
        fold(self.port, tuple)
    }
}

fn fold(mut hasher: SipHasher24, tuple: &Tuple) -> u32 {
    tuple.words().into_iter().for_each(|word| hasher.write(&word.to_le_bytes()));
    low(hasher.finish())
}

/// The lower half: sequence numbers and hashes are modulo 2^32.
#[expect(clippy::cast_possible_truncation, reason = "the lower half is what is wanted")]
const fn low(word: u64) -> u32 {
    word as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuple(remote_port: u16) -> Tuple {
        Tuple::new(
            "10.0.0.1:80".parse().unwrap(),
            core::net::SocketAddr::new([10, 0, 0, 2].into(), remote_port),
        )
    }

    #[test]
    fn sequence_numbers_of_a_connection_follow_the_clock() {
        let beginnings = Beginnings::new(&[7; 16]);
        let at = |ns| beginnings.sequence(Instant::from_nanos(ns), &tuple(1));
        assert_eq!(at(3_999), at(0));
        assert_eq!(at(4_000), at(0) + 1);
        // Once around in 4.77 hours.
        assert_eq!(at(4_000 << 32), at(0));
    }

    #[test]
    fn connections_and_secrets_begin_elsewhere() {
        let (a, b) = (Beginnings::new(&[7; 16]), Beginnings::new(&[8; 16]));
        let sequence = |of: &Beginnings, port| of.sequence(Instant::ZERO, &tuple(port)).get();
        assert_ne!(sequence(&a, 1), sequence(&a, 2));
        assert_ne!(sequence(&a, 1), sequence(&b, 1));
        assert_ne!(a.timestamp(&tuple(1)), a.timestamp(&tuple(2)));
        assert_eq!(a.timestamp(&tuple(1)), a.timestamp(&tuple(1)));
        // One value does not give away another.
        assert_ne!(sequence(&a, 1), a.timestamp(&tuple(1)));
        assert_ne!(a.port(&tuple(1)), a.timestamp(&tuple(1)));
    }
}
