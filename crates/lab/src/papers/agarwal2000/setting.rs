//! What differs from one of the thesis's experiments to another.

use std::sync::Arc;

use netjoule_energy::device::Device;
use netjoule_link::dot11::{Position, radio};
use netjoule_scenario::{Connection, Pace, Scenario, Source};
use netjoule_transport::tcp::{Paws, Variant};
use netjoule_units::{BitRate, Bytes, Distance, Duration, Instant};

use super::SCENARIO;
use crate::Error;
use crate::papers::figure::{self, Value};

const FILE: &str = "agarwal2000/scenario.toml";

/// Bytes of an IP and a TCP header without options.
const HEADERS: u64 = 40;

/// What the third laptop writes at a time when it sends all the time.
const PORTION: Bytes = Bytes::from_kib(8);

/// "About 5 MB of data every 5 minutes" (5.11).
const INTERMITTENT: Pace = Pace { bytes: Bytes::new(5_000_000), every: Duration::from_secs(300) };

/// When the receiver acknowledges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Acks {
    /// Two full segments, or a window that can be doubled, or 500 ms: Linux 2.2.
    EverySecond,
    /// The same without the first clause: what is left of Linux 2.2 when its
    /// count of two is taken out (5.6).
    Timed,
    /// 500 ms and nothing else.
    TimerAlone,
}

/// What the third laptop sends to the receiver (5.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Interference {
    /// It is switched off.
    None,
    /// About 5 MB every 5 minutes.
    Intermittent,
    /// All the time, at the fitted rate.
    Continuous,
}

/// Which laptops there are and what becomes of their energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Supply {
    /// The sender is on its battery.
    Sender,
    /// The receiver is (5.9).
    Receiver,
    /// Nobody asks, and processing takes no time: 802.11b alone.
    Nobody,
}

/// One experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Setting {
    /// The largest IP packet, in bytes; the thesis calls it MSS.
    pub(super) mtu: u64,
    pub(super) sack: bool,
    pub(super) window_scale: bool,
    pub(super) timestamps: bool,
    /// Whether PAWS comes before header prediction, as in Linux, or after.
    pub(super) paws_first: bool,
    pub(super) acks: Acks,
    /// Whether frames over 1000 B are preceded by RTS and CTS.
    pub(super) rts: bool,
    /// The rate of RTS, CTS and ACK, in Mbit/s.
    pub(super) control_rate_mbit: u64,
    pub(super) interference: Interference,
    pub(super) supply: Supply,
    /// Whether anything is sent.
    pub(super) sends: bool,
    /// Whether there are levels by distance, and the receiver is 10 m away (5.8).
    pub(super) distance_m: Option<u64>,
}

impl Setting {
    /// Linux as it was (5.7), with an MTU of 1500 B.
    pub(super) const UNMODIFIED: Self = Self {
        mtu: 1500,
        sack: true,
        window_scale: true,
        timestamps: true,
        paws_first: true,
        acks: Acks::EverySecond,
        rts: false,
        control_rate_mbit: 2,
        interference: Interference::None,
        supply: Supply::Sender,
        sends: true,
        distance_m: None,
    };

    /// Every modification of 5.7 but the MTU: what table 5.1 has, too.
    pub(super) const MODIFIED: Self =
        Self { sack: false, timestamps: false, acks: Acks::Timed, ..Self::UNMODIFIED };

    /// All of them.
    pub(super) const BEST: Self = Self { mtu: 2296, ..Self::MODIFIED };

    /// Nothing is sent.
    pub(super) const IDLE: Self = Self { sends: false, ..Self::UNMODIFIED };

    /// `base` with this setting, its laptops being `laptop`, and the third one
    /// sending at `continuous` where it does so all the time.
    pub(super) fn apply(
        self,
        base: &Scenario,
        laptop: &Arc<Device>,
        continuous: BitRate,
    ) -> Result<Scenario, Error> {
        let mut scenario = base.clone();
        self.apply_supply(&mut scenario, laptop);
        for air in &mut scenario.airs {
            air.dot11.control_rate = Some(BitRate::from_mbit_per_s(self.control_rate_mbit));
            air.dot11.rts_threshold = Bytes::new(if self.rts { 1_000 } else { 65_535 });
            if let Some(metres) = self.distance_m {
                air.dot11.radio = Some(radio::Config::default());
                let away = Distance::from_millimetres(metres * 1_000);
                scenario.nodes[1].position = Some(Position { x: away, ..Position::default() });
            }
        }
        let name = if self.sack { "sack" } else { "newreno" };
        let variant = Variant::named(name)
            .ok_or_else(|| wrong(format!("there is no variant `{name}` any more")))?;
        for connection in &mut scenario.connections {
            connection.variant = variant;
            let tcp = &mut connection.tcp;
            tcp.mss = Bytes::new(self.mtu - HEADERS);
            tcp.window_scale = self.window_scale;
            tcp.timestamps = self.timestamps;
            tcp.paws = if self.paws_first { Paws::BeforePrediction } else { Paws::AfterPrediction };
            tcp.ack_every = if self.acks == Acks::EverySecond { 2 } else { 0 };
            tcp.ack_window_update = self.acks != Acks::TimerAlone;
            if !self.sends {
                connection.start = Instant::ZERO + scenario.run.time_limit;
            }
        }
        let pace = match self.interference {
            Interference::None => None,
            Interference::Intermittent => Some(INTERMITTENT),
            Interference::Continuous => {
                let nanos = PORTION.bits() * 1_000_000_000 / u128::from(continuous.bit_per_s());
                let every = Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX));
                Some(Pace { bytes: PORTION, every })
            }
        };
        if let Some(pace) = pace {
            let third = Connection { from: 2, pace: Some(pace), ..scenario.connections[0].clone() };
            scenario.connections.push(third);
        }
        Ok(scenario)
    }

    fn apply_supply(self, scenario: &mut Scenario, laptop: &Arc<Device>) {
        let on_battery = match self.supply {
            Supply::Sender => 0,
            Supply::Receiver => 1,
            Supply::Nobody => {
                scenario.nodes.iter_mut().for_each(|node| node.device = None);
                return;
            }
        };
        let on_mains = Arc::new(Device { battery: None, ..Device::clone(laptop) });
        for (index, node) in scenario.nodes.iter_mut().enumerate() {
            let is_on_battery = index == on_battery;
            node.device = Some(Arc::clone(if is_on_battery { laptop } else { &on_mains }));
        }
    }

    /// As a row shows it.
    pub(super) fn label(self) -> figure::Setting {
        let case = figure::Setting::default();
        if !self.sends {
            return case.with("traffic", Value::Text("idle"));
        }
        let acks = match self.acks {
            Acks::EverySecond => "ack2",
            Acks::Timed => "timed",
            Acks::TimerAlone => "500ms-alone",
        };
        let timestamps = match (self.timestamps, self.paws_first) {
            (true, true) => "ts",
            (true, false) => "ts-paws-late",
            (false, _) => "no-ts",
        };
        let mut case = case
            .with("mtu", Value::Integer(self.mtu))
            .with("sack", Value::Text(if self.sack { "sack" } else { "no-sack" }))
            .with("timestamps", Value::Text(timestamps))
            .with("acks", Value::Text(acks));
        if self.rts {
            case = case.with("rts", Value::Text("rts"));
        }
        match self.interference {
            Interference::None => case,
            Interference::Intermittent => case.with("interference", Value::Text("intermittent")),
            Interference::Continuous => case.with("interference", Value::Text("continuous")),
        }
    }
}

fn wrong(reason: String) -> Error {
    Error::PaperFile { file: FILE, reason }
}

/// The built-in scenario: the sender, the receiver and the third laptop on one
/// air, and the sender's connection.
pub(super) fn base_scenario() -> Result<Scenario, Error> {
    let scenario = netjoule_scenario::parse_toml(&Source::new(FILE, SCENARIO), &[])
        .map_err(|error| wrong(error.to_string()))?;
    let names: Vec<&str> = scenario.nodes.iter().map(|node| node.name.as_str()).collect();
    let ends = scenario.connections.first().map(|it| (it.from, it.to));
    if names == ["sender", "receiver", "third"] && scenario.airs.len() == 1 && ends == Some((0, 1))
    {
        Ok(scenario)
    } else {
        Err(wrong("expected sender, receiver and third on an air, and a connection".into()))
    }
}
