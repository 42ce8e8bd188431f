//! Batteries: five models of how long a charge lasts.
//!
//! A battery is told what is drawn, as a constant power over a span of time, and
//! says when it is empty. It asks for no clock and allocates nothing; what a draw
//! costs is bounded however long it is and whatever came before. docs/batteries.md
//! has the equations and their sources.
//!
//! # From power to current
//!
//! Devices are described by power, batteries by current. [`Ideal`](ideal) needs
//! none; [`Peukert`](peukert), [`KiBaM`](kibam) and
//! [`Rakhmatov–Vrudhula`](rakhmatov_vrudhula) divide by a nominal voltage that
//! stays as it is until the battery is empty; [`Shepherd`](shepherd) solves for
//! the current at the voltage that it has under just that load.

mod config;
pub mod ideal;
pub mod kibam;
pub mod peukert;
pub mod rakhmatov_vrudhula;
mod relaxation;
pub mod shepherd;

use netjoule_units::{Duration, Energy, Power};

pub use config::Config;

/// A battery, full at first.
#[derive(Clone, Debug)]
pub struct Battery {
    model: Model,
    delivered: Energy,
    depleted: bool,
}

/// What differs between batteries. Those who ask pass what has been delivered,
/// which is exact.
trait Discharge {
    /// Draws `load` for `span`, unless that could empty the battery: then
    /// nothing changes, and the answer is no. It may be no by caution, for the
    /// last billionth of a charge; [`lasts`](Self::lasts) decides.
    fn draw_safely(&mut self, delivered: Energy, load: Power, span: Duration) -> bool;

    /// Draws `load` for `span`, which is not longer than the battery lasts.
    fn draw(&mut self, load: Power, span: Duration);

    /// The first whole nanosecond by whose end `load` has emptied the battery,
    /// one or more; `None` if that is beyond every [`Duration`].
    fn lasts(&self, delivered: Energy, load: Power) -> Option<Duration>;

    /// The share of its charge that is still in it, 0 to 1.
    fn state_of_charge(&self, delivered: Energy) -> f64;

    /// What the remaining charge is worth.
    fn remaining(&self, delivered: Energy) -> Energy;
}

#[derive(Clone, Debug)]
enum Model {
    Ideal(ideal::Ideal),
    Peukert(peukert::Peukert),
    Kibam(kibam::Kibam),
    RakhmatovVrudhula(rakhmatov_vrudhula::RakhmatovVrudhula),
    Shepherd(shepherd::Shepherd),
}

/// The same call on whichever model it is.
macro_rules! delegate {
    ($model:expr, $part:ident => $call:expr) => {
        match $model {
            Model::Ideal($part) => $call,
            Model::Peukert($part) => $call,
            Model::Kibam($part) => $call,
            Model::RakhmatovVrudhula($part) => $call,
            Model::Shepherd($part) => $call,
        }
    };
}

impl Battery {
    /// A full battery as `config` has it, which is valid.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let model = match config {
            Config::Ideal(config) => Model::Ideal(ideal::Ideal::new(config)),
            Config::Peukert(config) => Model::Peukert(peukert::Peukert::new(config)),
            Config::Kibam(config) => Model::Kibam(kibam::new(config)),
            Config::RakhmatovVrudhula(config) => {
                Model::RakhmatovVrudhula(rakhmatov_vrudhula::new(config))
            }
            Config::Shepherd(config) => Model::Shepherd(shepherd::Shepherd::new(config)),
        };
        Self { model, delivered: Energy::ZERO, depleted: false }
    }

    /// Draws `load` for `span` and returns for how long it was supplied: `span`,
    /// or less if the battery was empty before that. A load of zero is a rest.
    ///
    /// A battery is empty at the end of the first whole nanosecond by which it
    /// has given everything, so that one nanosecond of the load may exceed its
    /// capacity. Once empty it stays so, for the device has gone off; what would
    /// have recovered is of no use.
    pub fn draw(&mut self, load: Power, span: Duration) -> Duration {
        if self.depleted || span.is_zero() {
            return Duration::ZERO;
        }
        let mut supplied = span;
        if !delegate!(&mut self.model, model => model.draw_safely(self.delivered, load, span)) {
            if let Some(lasts) = self.lasts(load)
                && lasts <= span
            {
                supplied = lasts;
                self.depleted = true;
            }
            delegate!(&mut self.model, model => model.draw(load, supplied));
        }
        self.delivered += load * supplied;
        supplied
    }

    /// How long a constant `load` is supplied from now on; `None` if for ever,
    /// or longer than any [`Duration`]. Drawing exactly that empties the
    /// battery, one nanosecond less does not.
    ///
    /// Under loads that change but never exceed `load` it lasts at least as
    /// long: whoever knows the greatest power of a device need not ask at every
    /// change.
    #[must_use]
    pub fn lasts(&self, load: Power) -> Option<Duration> {
        if self.depleted {
            return Some(Duration::ZERO);
        }
        delegate!(&self.model, model => model.lasts(self.delivered, load))
    }

    /// Whether it has been empty.
    #[must_use]
    pub const fn is_depleted(&self) -> bool {
        self.depleted
    }

    /// The share of its charge that has not been drawn, 1 to 0, never rising.
    /// Under a heavy load a battery is empty with charge left in it.
    #[must_use]
    pub fn state_of_charge(&self) -> f64 {
        delegate!(&self.model, model => model.state_of_charge(self.delivered)).clamp(0.0, 1.0)
    }

    /// What has been drawn: the sum of power times time, to the attojoule.
    #[must_use]
    pub const fn delivered(&self) -> Energy {
        self.delivered
    }

    /// What the remaining charge is worth: what an ideal battery would still
    /// give, KiBaM, Rakhmatov–Vrudhula and Shepherd to a vanishing load, Peukert
    /// at its rated current. Under another load it is `load` times
    /// [`lasts`](Self::lasts).
    #[must_use]
    pub fn remaining(&self) -> Energy {
        delegate!(&self.model, model => model.remaining(self.delivered))
    }
}

/// The share of `full` that is left after `delivered`.
fn share_left(full: Energy, delivered: Energy) -> f64 {
    full.saturating_sub(delivered).as_joules_f64() / full.as_joules_f64()
}

#[cfg(test)]
mod tests;
