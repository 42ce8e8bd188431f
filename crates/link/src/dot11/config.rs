//! Settings of a shared medium and its stations.

use netjoule_units::{BitRate, Bytes, Decibels, Distance, Duration};
use serde::{Deserialize, Serialize};

use super::backoff::Rule;
use super::hearing::EVERYWHERE;
use super::phy::{Mode, Phy, PhyKind, Preamble};
use super::radio::{self, Radio};

/// The most MPDUs in an A-MPDU: what one block acknowledgment answers (section
/// 8.3.1.9).
pub const MOST_AGGREGATED: u32 = 64;

/// Beacons in quicker succession would leave no room for anything else.
const LEAST_BEACON_INTERVAL: Duration = Duration::from_millis(5);

/// Settings of a shared medium and of all its stations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The physical layer: slots, spaces, contention windows, rates.
    pub phy: PhyKind,
    /// The rate of data frames to one station.
    pub rate: BitRate,
    /// The rate of RTS, CTS and ACK; without it, the highest basic rate not
    /// above that of the data frame (section 9.7.6.5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_rate: Option<BitRate>,
    /// The rate of frames to all stations; the lowest basic rate without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broadcast_rate: Option<BitRate>,
    /// The preamble of DSSS and CCK frames.
    pub preamble: Preamble,
    /// Frames longer than this, MAC header and FCS included, are preceded by
    /// RTS and CTS (`dot11RTSThreshold`); none is longer than the default.
    pub rts_threshold: Bytes,
    /// Failures of a frame up to `rts_threshold`, or of its RTS, after which it
    /// is given up (`dot11ShortRetryLimit`).
    pub short_retry_limit: u32,
    /// Failures of a longer frame after which it is given up
    /// (`dot11LongRetryLimit`).
    pub long_retry_limit: u32,
    /// The least contention window, in slots; that of the PHY without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cw_min: Option<u32>,
    /// The largest contention window, in slots; that of the PHY without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cw_max: Option<u32>,
    /// How the contention window changes.
    pub backoff: Rule,
    /// How far frames can be decoded; without it, and without `radio`, by all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Distance>,
    /// How far a transmission makes the medium busy, and destroys others;
    /// `range` without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carrier_sense_range: Option<Distance>,
    /// Levels, errors and both ranges by distance, in place of the two above.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radio: Option<radio::Config>,
    /// By how much a frame has to be stronger than all that overlaps it
    /// together to be received; without it, any overlap destroys it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capture: Option<Decibels>,
    /// Whether frames carry the IV and the ICV of WEP.
    pub wep: bool,
    /// MPDUs in an A-MPDU at most; 1 for none. 802.11n only.
    pub aggregation: u32,
    /// When stations that save power wake up.
    pub power_save: PowerSave,
}

/// When stations that save power wake up (section 10.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PowerSave {
    /// From one target beacon transmission time to the next.
    pub beacon_interval: Duration,
    /// Beacon intervals from one beacon of the access point that a station wakes
    /// for to the next.
    pub listen_interval: u32,
    /// Beacon intervals from one beacon of the access point that frames for all
    /// follow to the next (DTIM).
    pub dtim_period: u32,
    /// How long, at the beginning of each beacon interval, stations without an
    /// access point tell each other what they keep; zero for no power save
    /// among them.
    pub atim_window: Duration,
}

impl Default for PowerSave {
    /// 100 time units of 1024 µs, every beacon, and no ATIM window.
    fn default() -> Self {
        let beacon_interval = Duration::from_micros(102_400);
        Self { beacon_interval, listen_interval: 1, dtim_period: 1, atim_window: Duration::ZERO }
    }
}

impl PowerSave {
    /// Checks every range.
    ///
    /// # Errors
    /// Every setting that is out of range, as its name and what was expected.
    pub fn validate(&self) -> Result<(), Vec<(&'static str, String)>> {
        let &Self { beacon_interval, listen_interval, dtim_period, atim_window } = self;
        let rules = [
            (
                beacon_interval >= LEAST_BEACON_INTERVAL,
                "beacon_interval",
                format!("{LEAST_BEACON_INTERVAL} or more"),
            ),
            (listen_interval > 0, "listen_interval", "1 or more".into()),
            (dtim_period > 0, "dtim_period", "1 or more".into()),
            (
                atim_window < beacon_interval,
                "atim_window",
                format!("less than the beacon interval of {beacon_interval}"),
            ),
        ];
        let wrong = rules.into_iter().filter(|(holds, ..)| !holds);
        let wrong: Vec<_> = wrong.map(|(_, key, expected)| (key, expected)).collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            phy: PhyKind::B,
            rate: BitRate::from_mbit_per_s(11),
            control_rate: None,
            broadcast_rate: None,
            preamble: Preamble::Long,
            rts_threshold: Bytes::new(65_535),
            short_retry_limit: 7,
            long_retry_limit: 4,
            cw_min: None,
            cw_max: None,
            backoff: Rule::Exponential,
            range: None,
            carrier_sense_range: None,
            radio: None,
            capture: None,
            wep: false,
            aggregation: 1,
            power_save: PowerSave::default(),
        }
    }
}

impl Config {
    /// Checks every range.
    ///
    /// # Errors
    /// Every setting that is out of range, as its name and what was expected.
    pub fn validate(&self) -> Result<(), Vec<(&'static str, String)>> {
        let phy = self.phy.phy();
        let mut wrong = Vec::new();
        let mut check = |holds: bool, key, expected: String| {
            if !holds {
                wrong.push((key, expected));
            }
        };
        for (key, rate) in [
            ("rate", Some(self.rate)),
            ("control_rate", self.control_rate),
            ("broadcast_rate", self.broadcast_rate),
        ] {
            if let Some(rate) = rate {
                check(self.mode(rate).is_some(), key, format!("a rate of {}", phy.name));
            }
        }
        check(self.short_retry_limit > 0, "short_retry_limit", "1 or more".into());
        check(self.long_retry_limit > 0, "long_retry_limit", "1 or more".into());
        let [cw_min, cw_max] = self.contention_windows();
        check((1..=65_535).contains(&cw_min), "cw_min", "1 to 65535 slots".into());
        check((cw_min..=65_535).contains(&cw_max), "cw_max", format!("{cw_min} to 65535 slots"));
        let most = if self.phy == PhyKind::N { MOST_AGGREGATED } else { 1 };
        check((1..=most).contains(&self.aggregation), "aggregation", format!("1 to {most}"));
        let power_save = self.power_save.validate();
        check(power_save.is_ok(), "power_save", "settings within their ranges".into());
        if let Some(radio) = &self.radio {
            check(radio.validate().is_ok(), "radio", "settings within their ranges".into());
            check(self.range.is_none(), "range", "none where `radio` decides".into());
            let sense = self.carrier_sense_range;
            check(sense.is_none(), "carrier_sense_range", "none where `radio` decides".into());
        } else if let Some(sense) = self.carrier_sense_range {
            let range = self.range.unwrap_or(EVERYWHERE);
            check(sense >= range, "carrier_sense_range", "no less than `range`".into());
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    /// How frames at `rate` are sent; `None` if the PHY cannot. Beside those of
    /// the table, an 802.11b cell can have any rate up to the highest, in DSSS:
    /// goel1997 has radios of its own.
    #[must_use]
    pub fn mode(&self, rate: BitRate) -> Option<Mode> {
        let phy = self.phy.phy();
        let own = self.phy == PhyKind::B && phy.modes.iter().any(|mode| mode.rate > rate);
        phy.mode(rate).copied().or_else(|| own.then(|| Phy::mode_of(rate)))
    }

    /// Whether a frame can be decoded at `distance`.
    #[must_use]
    pub fn reaches(&self, distance: Distance) -> bool {
        match self.radio.as_ref().map(Radio::new) {
            Some(radio) => radio.locks(radio.received(distance)),
            None => distance <= self.range.unwrap_or(EVERYWHERE),
        }
    }

    /// The least contention window and the largest, in slots.
    #[must_use]
    pub fn contention_windows(&self) -> [u32; 2] {
        let phy = self.phy.phy();
        let cw_min = self.cw_min.unwrap_or(phy.cw_min);
        [cw_min, self.cw_max.unwrap_or_else(|| phy.cw_max.max(cw_min))]
    }
}
