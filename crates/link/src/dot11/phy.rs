//! The physical layers of IEEE 802.11 as a table: a row each, and how long a
//! frame is on the air in every one of their modes.
//!
//! A time here is the time on the air, to the nanosecond. The standard's TXTIME
//! of DSSS and CCK frames (17.3.4) is that rounded up to whole microseconds,
//! because the PLCP header counts in them; so does a Duration field.

mod ofdm;
pub(super) mod rows;

use netjoule_units::{BitRate, Bytes, Duration};
use serde::{Deserialize, Serialize};

pub use self::ofdm::{CodeRate, Coding, Constellation, Guard};

/// Which PLCP preamble DSSS and CCK frames have (17.2.2). A frame at 1 Mbit/s
/// always has the long one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preamble {
    /// 144 bits and a header of 48 bits, all at 1 Mbit/s: 192 µs.
    #[default]
    Long,
    /// 72 bits at 1 Mbit/s and a header of 48 bits at 2 Mbit/s: 96 µs.
    Short,
}

/// Names of the physical layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PhyKind {
    /// HR/DSSS (clause 17).
    #[serde(rename = "802.11b")]
    #[default]
    B,
    /// ERP (clause 19) in a cell without 802.11b stations.
    #[serde(rename = "802.11g")]
    G,
    /// HT (clause 20): 2.4 GHz, 20 MHz, one spatial stream, mixed format.
    #[serde(rename = "802.11n")]
    N,
}

/// How the payload of a frame is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modulation {
    /// Barker code, DBPSK or DQPSK (clause 16).
    Dsss,
    /// Complementary code keying (clause 17).
    Cck,
    /// OFDM on 48 data subcarriers (clauses 18 and 19).
    ErpOfdm(Coding),
    /// HT-mixed format on 52 data subcarriers (clause 20).
    HtMixed(Coding, Guard),
}

/// A rate of a physical layer, and what is behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// The rate by its usual name: 72.2 Mbit/s, not 650/9.
    pub rate: BitRate,
    /// How it is sent.
    pub modulation: Modulation,
}

/// A physical layer: its row of the table.
#[derive(Debug)]
pub struct Phy {
    /// Which one.
    pub kind: PhyKind,
    /// The name that scenario files use.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// aSlotTime.
    pub slot: Duration,
    /// aSIFSTime.
    pub sifs: Duration,
    /// Slots from the end of SIFS to the start of backoff: 2 is DIFS
    /// (9.3.2.3.5), 3 the AIFS of best effort (8.4.2.31).
    pub aifsn: u32,
    /// aCWmin, in slots.
    pub cw_min: u32,
    /// aCWmax, in slots.
    pub cw_max: u32,
    /// Silence behind every OFDM frame below 3 GHz, so that SIFS leaves a
    /// decoder the time that it has at 5 GHz (clauses 19 and 20).
    pub signal_extension: Duration,
    /// Its rates. MCS 6 with the short guard interval is not among them: it has
    /// the rate of MCS 7 with the long one.
    pub modes: &'static [Mode],
    /// Rates at which frames are answered unless a cell says otherwise, the
    /// lowest first.
    pub basic: &'static [BitRate],
}

/// OFDM: short and long training and the SIGNAL symbol (18.3.2).
const OFDM_PREAMBLE: Duration = Duration::from_micros(20);
/// An OFDM symbol with its guard interval of 800 ns.
const OFDM_SYMBOL: Duration = Duration::from_micros(4);
/// HT-mixed: the legacy preamble (20 µs), HT-SIG (8), HT-STF (4), one HT-LTF (4).
const HT_PREAMBLE: Duration = Duration::from_micros(36);
/// An HT symbol with its guard interval of 400 ns.
const HT_SHORT_SYMBOL: Duration = Duration::from_nanos(3_600);
/// Bits that an OFDM payload has around the PSDU: SERVICE and tail (18.3.5).
const SERVICE_AND_TAIL: u128 = 16 + 6;

impl Modulation {
    /// Data subcarriers of legacy symbols.
    pub const ERP_SUBCARRIERS: u32 = 48;
    /// Data subcarriers of HT symbols.
    pub const HT_SUBCARRIERS: u32 = 52;

    /// Whether its frames are answered in DSSS or CCK, not in OFDM (9.7.6.5).
    const fn is_single_carrier(self) -> bool {
        matches!(self, Self::Dsss | Self::Cck)
    }
}

impl PhyKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::B, Self::G, Self::N];

    /// Its row.
    #[must_use]
    pub const fn phy(self) -> &'static Phy {
        match self {
            Self::B => &rows::B,
            Self::G => &rows::G,
            Self::N => &rows::N,
        }
    }
}

impl Phy {
    /// DIFS: how long the medium has to be idle before backoff counts; in
    /// 802.11n the AIFS of best effort.
    #[must_use]
    pub fn difs(&self) -> Duration {
        self.sifs + self.slot * u64::from(self.aifsn)
    }

    /// The mode of `rate`; `None` if this layer does not have it.
    #[must_use]
    pub fn mode(&self, rate: BitRate) -> Option<&'static Mode> {
        self.modes.iter().find(|mode| mode.rate == rate)
    }

    /// The mode of any rate in DSSS: a cell of 1997 may have a radio that the
    /// table does not know. Such a mode has no error curve.
    #[must_use]
    pub fn mode_of(rate: BitRate) -> Mode {
        rows::B.mode(rate).copied().unwrap_or(Mode { rate, modulation: Modulation::Dsss })
    }

    /// How long a frame with `psdu` bytes behind the PHY's header takes: to the
    /// moment from which SIFS counts. An A-MPDU is one PSDU.
    #[must_use]
    pub fn airtime(&self, mode: &Mode, preamble: Preamble, psdu: Bytes) -> Duration {
        match mode.modulation {
            Modulation::Dsss | Modulation::Cck => {
                plcp(mode, preamble) + mode.rate.transmission_time(psdu)
            }
            Modulation::ErpOfdm(coding) => {
                let symbols = symbols(psdu, coding.bits_per_symbol(Modulation::ERP_SUBCARRIERS));
                OFDM_PREAMBLE + OFDM_SYMBOL * symbols + self.signal_extension
            }
            Modulation::HtMixed(coding, guard) => {
                let symbols = symbols(psdu, coding.bits_per_symbol(Modulation::HT_SUBCARRIERS));
                let data = match guard {
                    Guard::Long => OFDM_SYMBOL * symbols,
                    // L-SIG announces whole legacy symbols (20.4.3).
                    Guard::Short => (HT_SHORT_SYMBOL * symbols).ceil_to(OFDM_SYMBOL),
                };
                HT_PREAMBLE + data + self.signal_extension
            }
        }
    }

    /// aPHY-RX-START-Delay of a frame in `mode`: how long after its start a
    /// receiver says that one is coming in. An answer that has not begun to
    /// come in SIFS, a slot and this after the end of the question is missing
    /// (ACKTimeout, 9.3.2.8).
    #[must_use]
    pub fn rx_start_delay(&self, mode: &Mode, preamble: Preamble) -> Duration {
        match mode.modulation {
            Modulation::Dsss | Modulation::Cck => plcp(mode, preamble),
            Modulation::ErpOfdm(_) => Duration::from_micros(25),
            Modulation::HtMixed(..) => Duration::from_micros(33),
        }
    }

    /// The rate of the answer (ACK, CTS) to a frame at `rate`: the highest
    /// basic rate of its kind of modulation that is not above it, or `rate`
    /// where there is none (9.7.6.5). HT frames are answered in legacy OFDM.
    #[must_use]
    pub fn answer_rate(&self, rate: BitRate) -> BitRate {
        let single = |rate| self.mode(rate).is_none_or(|mode| mode.modulation.is_single_carrier());
        let fits = |basic: &&BitRate| **basic <= rate && single(**basic) == single(rate);
        self.basic.iter().rfind(fits).copied().unwrap_or(rate)
    }
}

/// PLCP preamble and header of a DSSS or CCK frame.
fn plcp(mode: &Mode, preamble: Preamble) -> Duration {
    match preamble {
        Preamble::Short if mode.rate > rows::DSSS_1.rate => Duration::from_micros(96),
        Preamble::Short | Preamble::Long => Duration::from_micros(192),
    }
}

/// OFDM symbols for `psdu` bytes (18.3.5.4).
fn symbols(psdu: Bytes, bits_per_symbol: u32) -> u64 {
    let symbols = (SERVICE_AND_TAIL + psdu.bits()).div_ceil(u128::from(bits_per_symbol));
    u64::try_from(symbols).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
