//! The variants: a name for each combination of the separate parts.

use crate::tcp::{recovery, signals};

/// One way to run TCP: which part answers a loss, and what the sender makes of
/// the network's notices. Options are free for every row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The name in scenario files, on the command line and in results.
    pub name: &'static str,
    /// What tables for people call it.
    pub title: &'static str,
    /// How a loss is detected and repaired.
    pub recovery: recovery::Kind,
    /// What the sender makes of ICMP-DEFER and ICMP-RETRANSMIT.
    pub signals: signals::Kind,
    /// Where it comes from.
    pub source: &'static str,
}

/// Every variant there is.
pub const VARIANTS: [Variant; 7] = [
    Variant {
        name: "tahoe",
        title: "Tahoe",
        recovery: recovery::Kind::Tahoe,
        signals: signals::Kind::None,
        source: "Jacobson 1988: fast retransmit, then slow start",
    },
    Variant {
        name: "reno",
        title: "Unmodified (Reno)",
        recovery: recovery::Kind::Reno,
        signals: signals::Kind::None,
        source: "4.3BSD Reno, RFC 5681 section 3.2; the Unmodified TCP of goel1997",
    },
    Variant {
        name: "newreno",
        title: "NewReno",
        recovery: recovery::Kind::NewReno,
        signals: signals::Kind::None,
        source: "RFC 6582",
    },
    Variant {
        name: "sack",
        title: "SACK",
        recovery: recovery::Kind::Sack,
        signals: signals::Kind::None,
        source: "RFC 6675 with the blocks of RFC 2018",
    },
    Variant {
        name: "simple-icmp",
        title: "Simple ICMP",
        recovery: recovery::Kind::Reno,
        signals: signals::Kind::IcmpDefer,
        source: "goel1997 section 5.4.1",
    },
    Variant {
        name: "refined-icmp",
        title: "Refined ICMP",
        recovery: recovery::Kind::Reno,
        signals: signals::Kind::IcmpRetransmit,
        source: "goel1997 section 5.5.2",
    },
    Variant {
        name: "newreno-refined-icmp",
        title: "NewReno + Refined ICMP",
        recovery: recovery::Kind::NewReno,
        signals: signals::Kind::IcmpRetransmit,
        source: "the notices of goel1997 section 5.5.2 on RFC 6582",
    },
];

impl Variant {
    /// The variant called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        VARIANTS.iter().find(|variant| variant.name == name)
    }
}
