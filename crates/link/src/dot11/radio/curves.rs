//! Frame error rates by the ratio of signal to noise, in white noise.
//!
//! The ratio is that of whole powers in the width of a channel: 22 MHz for DSSS
//! and CCK, 20 MHz for OFDM. Its meaning and the curves are those with which
//! ns-3's models were validated (G. Pei, T. Henderson: Validation of ns-3
//! 802.11b PHY model, 2009; Validation of OFDM error rate model in ns-3, 2010).

use core::f64::consts::{PI, SQRT_2};

use netjoule_units::Bytes;

use crate::dot11::phy::rows::{CCK_5_5, DSSS_1, DSSS_2};
use crate::dot11::phy::{CodeRate, Coding, Constellation, Mode, Modulation};

/// Chips, hence hertz, per bit at 1 and 2 Mbit/s: 22 MHz by the rate.
const SPREAD_1: f64 = 22.0;
const SPREAD_2: f64 = 11.0;

/// The probability that a frame of `psdu` bytes has an error at `snr`, a ratio
/// of powers.
pub(super) fn frame_error(mode: &Mode, psdu: Bytes, snr: f64) -> f64 {
    let bits = psdu.get() as f64 * 8.0;
    match mode.modulation {
        Modulation::Dsss if *mode == DSSS_1 => any_of(bits, dbpsk(snr * SPREAD_1)),
        Modulation::Dsss if *mode == DSSS_2 => any_of(bits, dqpsk(snr * SPREAD_2)),
        Modulation::Dsss => 0.0,
        Modulation::Cck if *mode == CCK_5_5 => any_of(bits / 4.0, codeword(&CCK_16, snr)),
        Modulation::Cck => any_of(bits / 8.0, codeword(&CCK_256, snr)),
        Modulation::ErpOfdm(coding) | Modulation::HtMixed(coding, _) => {
            any_of(bits, decoded(coding, snr))
        }
    }
}

/// The probability that at least one of `count` independent events of
/// probability `each` happens.
fn any_of(count: f64, each: f64) -> f64 {
    if each >= 1.0 { 1.0 } else { -libm::expm1(count * libm::log1p(-each)) }
}

/// The tail of the normal distribution.
fn q(x: f64) -> f64 {
    0.5 * libm::erfc(x / SQRT_2)
}

/// Bit errors of DBPSK at Eb/N0 (J. Proakis, Digital Communications, 5.2).
fn dbpsk(eb_n0: f64) -> f64 {
    0.5 * libm::exp(-eb_n0)
}

/// Bit errors of DQPSK with Gray coding at Eb/N0: the asymptote of the exact
/// formula (Proakis, same section), which is above one half where it no longer
/// holds.
fn dqpsk(eb_n0: f64) -> f64 {
    let factor = (SQRT_2 + 1.0) / (8.0 * PI * SQRT_2).sqrt();
    (factor / eb_n0.sqrt() * libm::exp(-(2.0 - SQRT_2) * eb_n0)).min(0.5)
}

/// Codewords of 5.5 Mbit/s by their distance from a given one: half the square
/// of the distance in chips, and how many have it.
pub(super) const CCK_16: [(f64, f64); 2] = [(8.0, 14.0), (16.0, 1.0)];
/// Codewords of 11 Mbit/s.
pub(super) const CCK_256: [(f64, f64); 6] =
    [(4.0, 24.0), (6.0, 16.0), (8.0, 174.0), (10.0, 16.0), (12.0, 24.0), (16.0, 1.0)];

/// Errors of a CCK codeword: the union bound over the others (IEEE Std
/// 802.15.2-2003, model of the 802.11b PHY). A coherent receiver matched to the
/// chips would need half the signal; cards are nearer to this.
fn codeword(spectrum: &[(f64, f64)], snr: f64) -> f64 {
    let others = spectrum.iter().map(|(distance, count)| count * q((distance * snr).sqrt()));
    others.sum::<f64>().min(1.0)
}

/// Errors that a convolutional code makes where it errs at all: how many bits
/// are wrong on all paths of one weight, from the least weight on.
pub(super) struct Spectrum {
    pub(super) least: u32,
    pub(super) step: u32,
    pub(super) wrong_bits: [f64; 10],
    /// Data bits in a period of the puncturing.
    pub(super) period: u32,
}

impl Spectrum {
    /// The code (133, 171) of the standard, of constraint length 7, and what
    /// puncturing (18.3.5.6, 20.3.11.6) makes of it. Known from J. Conan, IEEE
    /// Trans. Commun. 32 (1984), and D. Haccoun, G. Bégin, same 37 (1989);
    /// their later terms for punctured codes are greater by up to 0.3 %, for
    /// they count paths that meet the right one within a period as going on.
    pub(super) const fn of(code: CodeRate) -> &'static Self {
        match code {
            CodeRate::Half => &Self {
                least: 10,
                step: 2,
                wrong_bits: [
                    36.0,
                    211.0,
                    1_404.0,
                    11_633.0,
                    77_433.0,
                    502_690.0,
                    3_322_763.0,
                    21_292_910.0,
                    134_365_911.0,
                    843_425_871.0,
                ],
                period: 1,
            },
            CodeRate::TwoThirds => &Self {
                least: 6,
                step: 1,
                wrong_bits: [
                    3.0,
                    70.0,
                    285.0,
                    1_276.0,
                    6_160.0,
                    27_128.0,
                    117_019.0,
                    498_835.0,
                    2_103_480.0,
                    8_781_268.0,
                ],
                period: 2,
            },
            CodeRate::ThreeQuarters => &Self {
                least: 5,
                step: 1,
                wrong_bits: [
                    42.0,
                    201.0,
                    1_492.0,
                    10_469.0,
                    62_935.0,
                    379_546.0,
                    2_252_394.0,
                    13_064_540.0,
                    75_080_308.0,
                    427_474_864.0,
                ],
                period: 3,
            },
            CodeRate::FiveSixths => &Self {
                least: 4,
                step: 1,
                wrong_bits: [
                    92.0,
                    528.0,
                    8_694.0,
                    79_453.0,
                    791_795.0,
                    7_369_828.0,
                    67_809_347.0,
                    609_896_348.0,
                    5_416_272_113.0,
                    47_544_404_956.0,
                ],
                period: 5,
            },
        }
    }

    /// The union bound on wrong bits per data bit, where a path of weight w is
    /// taken with probability x^w / 2.
    fn bound(&self, x: f64) -> f64 {
        let power = |exponent| (0..exponent).fold(1.0, |product, _| product * x);
        let step = power(self.step);
        // Not `powi`, whose rounding is the machine's own.
        let sum = self.wrong_bits.iter().rev().fold(0.0, |sum, bits| sum * step + bits);
        power(self.least) * sum / (2.0 * f64::from(self.period))
    }
}

/// Bit errors of a subcarrier before decoding, Gray coding.
fn raw(constellation: Constellation, snr: f64) -> f64 {
    match constellation {
        Constellation::Bpsk => q((2.0 * snr).sqrt()),
        Constellation::Qpsk => q(snr.sqrt()),
        Constellation::Qam16 => 0.75 * q((snr / 5.0).sqrt()),
        Constellation::Qam64 => 7.0 / 12.0 * q((snr / 21.0).sqrt()),
    }
}

/// Bit errors of OFDM after a decoder that takes hard decisions: the union bound
/// with Chernoff's bound on a pair (L. Miller: Validation of 802.11a/UWB
/// Coexistence Simulation, NIST, 2003).
fn decoded(coding: Coding, snr: f64) -> f64 {
    let raw = raw(coding.constellation, snr);
    Spectrum::of(coding.code).bound((4.0 * raw * (1.0 - raw)).sqrt()).min(1.0)
}
