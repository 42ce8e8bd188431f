//! What differs from one of the thesis's runs to another.

use netjoule_link::arq;
use netjoule_link::two_state::Exposure;
use netjoule_scenario::{Medium, Run, Scenario, Source};
use netjoule_transport::tcp::AvoidanceIncrement;
use netjoule_units::{Bytes, Duration};
use netjoule_wire::Headers;

use super::{KEY, SCENARIO};
use crate::Error;
use crate::papers::figure::{self, Value};

const FILE: &str = "goel1997/scenario.toml";

/// A combination of the thesis's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Setting {
    /// Propagation delay of the wired link, in milliseconds.
    pub(super) wired_delay_ms: u64,
    /// Mean stay in BAD, in milliseconds.
    pub(super) mean_bad_ms: u64,
    /// The receiver's advertised window, in KiB.
    pub(super) window_kib: u64,
    /// The set of assumptions.
    pub(super) variation: Variation,
}

/// A set of assumptions: the one in use, or that with one replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Variation {
    /// What every published figure is compared with.
    AsAssumed,
    /// Nanoseconds, standard headers and link frames with theirs.
    HonestTiming,
    /// Eight attempts of the link layer.
    EightAttempts,
    /// The window grows by the extra eighth of a segment of 4.3BSD.
    BsdIncrement,
    /// Only a frame's first moment is exposed to the channel.
    StartExposure,
}

/// The built-in scenario.
pub(super) fn base_scenario() -> Result<Scenario, Error> {
    let wrong = |reason| Error::PaperFile { file: FILE, reason };
    let scenario = netjoule_scenario::parse_toml(&Source::new(FILE, SCENARIO), &[])
        .map_err(|error| wrong(error.to_string()))?;
    let media: Vec<_> = scenario.links.iter().map(|link| &link.medium).collect();
    match (media.as_slice(), scenario.connections.len()) {
        ([Medium::Wired { .. }, Medium::Wireless { .. }], 1) => Ok(scenario),
        _ => Err(wrong("expected a wired link, a wireless one and a connection".into())),
    }
}

impl Variation {
    /// All but the one in use.
    pub(super) const OTHERS: [Self; 4] =
        [Self::HonestTiming, Self::EightAttempts, Self::BsdIncrement, Self::StartExposure];

    /// Name of the item that shows what it changes.
    pub(super) const fn item(self) -> &'static str {
        match self {
            Self::AsAssumed => KEY,
            Self::HonestTiming => "honest_timing",
            Self::EightAttempts => "eight_attempts",
            Self::BsdIncrement => "bsd_increment",
            Self::StartExposure => "start_exposure",
        }
    }

    /// What it replaces.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::AsAssumed => "as assumed",
            Self::HonestTiming => "nanoseconds and headers in place of milliseconds and none",
            Self::EightAttempts => "eight attempts of the link layer in place of nine",
            Self::BsdIncrement => "growth by 1/cwnd and mss/8 in place of 1/cwnd",
            Self::StartExposure => "only a frame's first moment is exposed, in place of all of it",
        }
    }

    fn apply(self, scenario: &mut Scenario) {
        let channels = scenario.links.iter_mut().filter_map(|link| match &mut link.medium {
            Medium::Wired { .. } => None,
            Medium::Wireless { channel, arq } => Some((channel, arq)),
        });
        match self {
            Self::AsAssumed => {}
            Self::HonestTiming => {
                let arq::Config { ack_size, frame_header, .. } = arq::Config::default();
                for (_, arq) in channels {
                    *arq = arq::Config { ack_size, frame_header, ..arq.clone() };
                }
                scenario.run.clock_step = Run::default().clock_step;
                scenario.run.headers = Headers::Standard;
            }
            Self::EightAttempts => channels.for_each(|(_, arq)| arq.retries = 7),
            Self::BsdIncrement => {
                for connection in &mut scenario.connections {
                    connection.tcp.avoidance_increment = AvoidanceIncrement::Bsd43;
                }
            }
            Self::StartExposure => {
                channels.for_each(|(channel, _)| channel.exposure = Exposure::Start);
            }
        }
    }
}

impl Setting {
    /// `base` with this setting.
    pub(super) fn apply(self, base: &Scenario) -> Scenario {
        let mut scenario = base.clone();
        for link in &mut scenario.links {
            match &mut link.medium {
                Medium::Wired { .. } => link.delay = Duration::from_millis(self.wired_delay_ms),
                Medium::Wireless { channel, .. } => {
                    channel.mean_bad = Duration::from_millis(self.mean_bad_ms);
                }
            }
        }
        for connection in &mut scenario.connections {
            connection.tcp.receive_window = Bytes::from_kib(self.window_kib);
        }
        self.variation.apply(&mut scenario);
        scenario
    }

    /// As a row shows it: the parameters that all of `settings` have in common.
    pub(super) fn common(settings: &[Self]) -> figure::Setting {
        let common = |parameter: fn(&Self) -> u64| {
            let first = settings.first().map(parameter);
            first.filter(|value| settings.iter().all(|setting| parameter(setting) == *value))
        };
        let mut case = figure::Setting::default();
        if let Some(ms) = common(|setting| setting.wired_delay_ms) {
            case = case.with("wired_delay_ms", Value::Integer(ms));
        }
        if let Some(ms) = common(|setting| setting.mean_bad_ms) {
            let seconds = Duration::from_millis(ms).as_secs_f64();
            case = case.with("mean_bad_s", Value::Number(seconds));
        }
        if let Some(kib) = common(|setting| setting.window_kib) {
            case = case.with("window_kb", Value::Integer(kib));
        }
        case
    }
}
