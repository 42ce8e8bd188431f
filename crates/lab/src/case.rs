//! One scenario in several ways.

use netjoule_scenario::Scenario;
use netjoule_transport::tcp::{VARIANTS, Variant};

use crate::Error;

/// A way to run a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// Every channel lossless and every connection running Reno: what remains
    /// without losses on the air (the No loss case of goel1997 5.4.2).
    NoLoss,
    /// Every connection running one variant.
    Variant(&'static Variant),
}

/// The variants of goel1997, the first of which is the baseline.
pub const DEFAULT_VARIANTS: [&str; 3] = ["reno", "simple-icmp", "refined-icmp"];

/// Runs when the channels lose nothing.
const REFERENCE_VARIANT: &str = "reno";

impl Case {
    /// Its name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoLoss => "no-loss",
            Self::Variant(variant) => variant.name,
        }
    }

    /// What tables for people call it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::NoLoss => "No loss",
            Self::Variant(variant) => variant.title,
        }
    }

    /// `scenario` with this case's variant on every connection.
    ///
    /// # Errors
    /// [`Error::UnknownVariant`] if the reference's variant is missing.
    pub fn apply(self, scenario: &Scenario) -> Result<Scenario, Error> {
        let mut scenario = scenario.clone();
        let variant = match self {
            Self::Variant(variant) => variant,
            Self::NoLoss => {
                scenario.channels_mut().for_each(|channel| *channel = channel.lossless());
                named(REFERENCE_VARIANT)?
            }
        };
        for connection in &mut scenario.connections {
            connection.variant = variant;
        }
        Ok(scenario)
    }
}

/// The variant called `name`.
///
/// # Errors
/// [`Error::UnknownVariant`], with the names there are.
pub fn named(name: &str) -> Result<&'static Variant, Error> {
    Variant::named(name).ok_or_else(|| Error::UnknownVariant {
        name: name.into(),
        known: VARIANTS.map(|variant| variant.name).join(", "),
    })
}
