//! How OFDM modes turn bits into subcarriers.

/// How many bits one subcarrier of an OFDM symbol holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constellation {
    /// One bit.
    Bpsk,
    /// Two bits.
    Qpsk,
    /// Four bits.
    Qam16,
    /// Six bits.
    Qam64,
}

/// The rate of the convolutional code: data bits per coded bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeRate {
    /// 1/2.
    Half,
    /// 2/3.
    TwoThirds,
    /// 3/4.
    ThreeQuarters,
    /// 5/6.
    FiveSixths,
}

/// How an OFDM mode turns bits into subcarriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coding {
    /// The constellation.
    pub constellation: Constellation,
    /// The code.
    pub code: CodeRate,
}

/// The guard interval of HT symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// 800 ns: a symbol of 4 µs.
    Long,
    /// 400 ns: a symbol of 3.6 µs.
    Short,
}

impl Coding {
    /// The eight codings of clause 18, the slowest first; 802.11n has another
    /// list.
    pub(super) const ERP: [Self; 8] = {
        use {CodeRate as Code, Constellation as Points};
        [
            Self::of(Points::Bpsk, Code::Half),
            Self::of(Points::Bpsk, Code::ThreeQuarters),
            Self::of(Points::Qpsk, Code::Half),
            Self::of(Points::Qpsk, Code::ThreeQuarters),
            Self::of(Points::Qam16, Code::Half),
            Self::of(Points::Qam16, Code::ThreeQuarters),
            Self::of(Points::Qam64, Code::TwoThirds),
            Self::of(Points::Qam64, Code::ThreeQuarters),
        ]
    };
    /// MCS 0 to 7.
    pub(super) const HT: [Self; 8] = {
        use {CodeRate as Code, Constellation as Points};
        [
            Self::of(Points::Bpsk, Code::Half),
            Self::of(Points::Qpsk, Code::Half),
            Self::of(Points::Qpsk, Code::ThreeQuarters),
            Self::of(Points::Qam16, Code::Half),
            Self::of(Points::Qam16, Code::ThreeQuarters),
            Self::of(Points::Qam64, Code::TwoThirds),
            Self::of(Points::Qam64, Code::ThreeQuarters),
            Self::of(Points::Qam64, Code::FiveSixths),
        ]
    };

    const fn of(constellation: Constellation, code: CodeRate) -> Self {
        Self { constellation, code }
    }

    /// Data bits in a symbol on `subcarriers` (N_DBPS).
    #[must_use]
    pub const fn bits_per_symbol(self, subcarriers: u32) -> u32 {
        let (numerator, denominator) = self.code.fraction();
        subcarriers * self.constellation.bits() * numerator / denominator
    }
}

impl Constellation {
    /// Bits per subcarrier (N_BPSC).
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bpsk => 1,
            Self::Qpsk => 2,
            Self::Qam16 => 4,
            Self::Qam64 => 6,
        }
    }
}

impl CodeRate {
    /// Data bits and the coded bits that carry them.
    #[must_use]
    pub const fn fraction(self) -> (u32, u32) {
        match self {
            Self::Half => (1, 2),
            Self::TwoThirds => (2, 3),
            Self::ThreeQuarters => (3, 4),
            Self::FiveSixths => (5, 6),
        }
    }
}
