//! Named random streams.

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;

/// Makes the random streams of one run.
///
/// A stream is a PCG XSL RR 128/64 generator (O'Neill 2014; `Pcg64`), whose
/// output is specified and the same on every machine. Its 256-bit seed is four
/// outputs of `SplitMix64` (Steele, Lea and Flood 2014) started at the FNV-1a
/// hash of the name, xored with the run's seed multiplied by an odd constant.
/// A stream depends on the run's seed and its own name only: adding a part to
/// a network leaves the draws of all others alone.
#[derive(Clone, Copy, Debug)]
pub struct Streams {
    seed: u64,
}

impl Streams {
    /// The streams of the run with `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// The stream called `name`, from its beginning.
    #[must_use]
    pub fn stream(&self, name: &str) -> Pcg64 {
        let mut state = fnv1a(name.as_bytes()) ^ self.seed.wrapping_mul(0xD134_2543_DE82_EF95);
        let mut seed = [0; 32];
        for word in seed.chunks_exact_mut(8) {
            word.copy_from_slice(&split_mix(&mut state).to_le_bytes());
        }
        Pcg64::from_seed(seed)
    }

    /// The first 64 bits of the stream called `name`, where there is no need for
    /// more.
    #[must_use]
    pub fn first_word(&self, name: &str) -> u64 {
        self.stream(name).next_u64()
    }
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use rand::distr::Distribution;

    use super::*;

    #[test]
    fn the_hash_is_fnv1a() {
        // Test vectors of the FNV authors.
        assert_eq!(fnv1a(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn split_mix_is_the_published_one() {
        // The first outputs from state 1234567, as published with the algorithm.
        let mut state = 1_234_567;
        let outputs = [(); 3].map(|()| split_mix(&mut state));
        assert_eq!(
            outputs,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn streams_depend_on_seed_and_name_only() {
        let draw = |seed, name| Streams::new(seed).first_word(name);
        assert_eq!(draw(1, "link/102/stays"), draw(1, "link/102/stays"));
        assert_ne!(draw(1, "link/102/stays"), draw(2, "link/102/stays"));
        assert_ne!(draw(1, "link/102/stays"), draw(1, "link/103/stays"));
    }

    /// A new version of a dependency that changes draws would change every
    /// result: it shows here first.
    #[test]
    fn the_first_draws_stay_what_they_are() {
        let mut stream = Streams::new(1).stream("golden");
        let words = [(); 2].map(|()| stream.next_u64());
        let stays: [f64; 2] = [(); 2].map(|()| rand_distr::Exp1.sample(&mut stream));
        assert_eq!(words, GOLDEN_WORDS);
        assert_eq!(stays.map(f64::to_bits), GOLDEN_STAYS);
    }
    const GOLDEN_WORDS: [u64; 2] = [11_181_592_581_885_784_169, 17_658_883_836_006_793_635];
    /// The bits of the floats.
    const GOLDEN_STAYS: [u64; 2] = [4_616_560_029_062_872_790, 4_613_473_598_972_202_998];
}
