//! The rows of the table.

use netjoule_units::{BitRate, Duration};

use super::{Coding, Guard, Mode, Modulation, Phy, PhyKind};

const fn kbit(kbit_per_s: u64) -> BitRate {
    BitRate::new(kbit_per_s * 1_000).expect("no rate of a table is zero")
}

const fn erp(mbit: u64, coding: usize) -> Mode {
    Mode { rate: kbit(mbit * 1_000), modulation: Modulation::ErpOfdm(Coding::ERP[coding]) }
}

const fn ht(rate_kbit: u64, mcs: usize, guard: Guard) -> Mode {
    Mode { rate: kbit(rate_kbit), modulation: Modulation::HtMixed(Coding::HT[mcs], guard) }
}

pub(in crate::dot11) const DSSS_1: Mode = Mode { rate: kbit(1_000), modulation: Modulation::Dsss };
pub(in crate::dot11) const DSSS_2: Mode = Mode { rate: kbit(2_000), modulation: Modulation::Dsss };
pub(in crate::dot11) const CCK_5_5: Mode = Mode { rate: kbit(5_500), modulation: Modulation::Cck };
pub(in crate::dot11) const CCK_11: Mode = Mode { rate: kbit(11_000), modulation: Modulation::Cck };

pub(super) static B: Phy = Phy {
    kind: PhyKind::B,
    name: "802.11b",
    title: "HR/DSSS, 2.4 GHz, 1 to 11 Mbit/s",
    slot: Duration::from_micros(20),
    sifs: Duration::from_micros(10),
    aifsn: 2,
    cw_min: 31,
    cw_max: 1023,
    signal_extension: Duration::ZERO,
    modes: &[DSSS_1, DSSS_2, CCK_5_5, CCK_11],
    basic: &[DSSS_1.rate, DSSS_2.rate],
};

pub(super) static G: Phy = Phy {
    kind: PhyKind::G,
    name: "802.11g",
    title: "ERP, 2.4 GHz, 6 to 54 Mbit/s in OFDM, and 802.11b's rates",
    slot: Duration::from_micros(9),
    sifs: Duration::from_micros(10),
    aifsn: 2,
    cw_min: 15,
    cw_max: 1023,
    signal_extension: Duration::from_micros(6),
    modes: &[
        DSSS_1,
        DSSS_2,
        CCK_5_5,
        CCK_11,
        erp(6, 0),
        erp(9, 1),
        erp(12, 2),
        erp(18, 3),
        erp(24, 4),
        erp(36, 5),
        erp(48, 6),
        erp(54, 7),
    ],
    basic: &OFDM_BASIC,
};

pub(super) static N: Phy = Phy {
    kind: PhyKind::N,
    name: "802.11n",
    title: "HT, 2.4 GHz, 20 MHz, one stream: 6.5 to 72.2 Mbit/s, and 802.11g's in OFDM",
    slot: Duration::from_micros(9),
    sifs: Duration::from_micros(10),
    aifsn: 3,
    cw_min: 15,
    cw_max: 1023,
    signal_extension: Duration::from_micros(6),
    modes: &[
        erp(6, 0),
        erp(9, 1),
        erp(12, 2),
        erp(18, 3),
        erp(24, 4),
        erp(36, 5),
        erp(48, 6),
        erp(54, 7),
        ht(6_500, 0, Guard::Long),
        ht(13_000, 1, Guard::Long),
        ht(19_500, 2, Guard::Long),
        ht(26_000, 3, Guard::Long),
        ht(39_000, 4, Guard::Long),
        ht(52_000, 5, Guard::Long),
        ht(58_500, 6, Guard::Long),
        ht(65_000, 7, Guard::Long),
        ht(7_200, 0, Guard::Short),
        ht(14_400, 1, Guard::Short),
        ht(21_700, 2, Guard::Short),
        ht(28_900, 3, Guard::Short),
        ht(43_300, 4, Guard::Short),
        ht(57_800, 5, Guard::Short),
        ht(72_200, 7, Guard::Short),
    ],
    basic: &OFDM_BASIC,
};

/// The mandatory rates of OFDM (18.2.2.3).
const OFDM_BASIC: [BitRate; 3] = [kbit(6_000), kbit(12_000), kbit(24_000)];
