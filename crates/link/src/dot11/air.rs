//! The shared medium with its stations: the distributed coordination function
//! (section 9.3).

use std::collections::VecDeque;

use netjoule_deadlines::{Deadlines, PartId};
use netjoule_energy::radio::RadioMeter;
use netjoule_units::{BitRate, Instant};

use super::backoff::Window;
use super::config::Config;
use super::frame::{Frame, Kind, Output, Transmission};
use super::hearing::{Hearing, Position, Set};
use super::history::History;
use super::phy::{Mode, Phy};
use super::reception::Noise;
use super::station::{Activity, Entry, Fate, Role, Spaces, Station, StationSetup, Stats, View};
use crate::queues::Queues;
use crate::two_state::Channel;

/// One shared medium and the stations on it; the [drive contract](crate) holds.
///
/// A frame arrives everywhere at once: there is no propagation delay. A station
/// needs a slot to notice a frame and to turn round, so whoever is due within a
/// slot of a frame's beginning sends too, and collides. After an ACK time-out
/// (SIFS, a slot, and the PHY's delay until it tells of a preamble) slots count
/// as soon as the medium has been idle for DIFS.
///
/// Time goes from one beginning or end of a frame to the next. What it costs to
/// simulate grows with the stations that hear a frame and have something to
/// send themselves, and with those that it is for; the others learn what they
/// have missed when they get something to send.
#[derive(Clone, Debug)]
pub struct Air<F> {
    pub(super) config: Config,
    pub(super) phy: &'static Phy,
    pub(super) spaces: Spaces,
    pub(super) broadcast_mode: Mode,
    pub(super) stations: Vec<Station<F>>,
    pub(super) hearing: Hearing,
    pub(super) history: History,
    /// The radio of each station, where somebody wants to know what it draws.
    pub(super) radios: Vec<Option<RadioMeter>>,
    /// The stations with such a radio; none at all if there is none.
    pub(super) metered: Option<Set>,
    /// Stations that are told what they hear while it happens.
    pub(super) tracked: Set,
    pub(super) deadlines: Deadlines,
    pub(super) outputs: VecDeque<Output<F>>,
    /// When the last thing happened.
    now: Instant,
    pub(super) noise: Noise,
    /// The channels between pairs of stations, sorted by pair.
    pub(super) channels: Vec<([usize; 2], Channel)>,
    pub(super) access_point: Option<usize>,
    /// How many beacons have been due.
    pub(super) beacons: u64,
    /// The end of the ATIM window, while it is open.
    pub(super) window_until: Option<Instant>,
    /// Whether frames for all follow the last beacon.
    pub(super) is_all_announced: bool,
}

impl<F: Clone> Air<F> {
    /// A silent medium. `noise` sets the draws of frame errors apart from those
    /// of other media.
    ///
    /// # Panics
    /// If `config` or a station's rate does not pass [`Config::validate`].
    #[must_use]
    pub fn new(config: &Config, stations: Vec<StationSetup>, noise: u64) -> Self {
        let phy = config.phy.phy();
        let mode = |rate| config.mode(rate).expect("a rate of the PHY");
        let positions: Vec<Position> = stations.iter().map(|station| station.position).collect();
        let lowest = mode(phy.basic[0]);
        let ack = phy.airtime(&lowest, config.preamble, Kind::Ack.fixed_size());
        let spaces = Spaces {
            slot: phy.slot,
            sifs: phy.sifs,
            difs: phy.difs(),
            eifs: phy.sifs + ack + phy.difs(),
        };
        let count = stations.len();
        let access_point = stations.iter().position(|it| it.role == Role::AccessPoint);
        let stations = stations.into_iter().map(|setup| Station {
            queues: Queues::new(setup.discipline),
            role: setup.role,
            is_off: false,
            awake_from: Instant::ZERO,
            dozing_from: Instant::NEVER,
            owes_beacon: false,
            must_listen: setup.role == Role::PowerSaver,
            is_called: false,
            owes_poll: None,
            announcements: VecDeque::new(),
            mode: mode(setup.rate.unwrap_or(config.rate)),
            window: Window::new(config.backoff, config.contention_windows()),
            rng: setup.rng,
            view: View::default(),
            access: None,
            activity: Activity::Listening,
            serving: None,
            wake: Instant::NEVER,
            stats: Stats::default(),
        });
        let mut air = Self {
            config: config.clone(),
            phy,
            spaces,
            broadcast_mode: config.broadcast_rate.map_or(lowest, mode),
            stations: stations.collect(),
            hearing: Hearing::new(config, &positions),
            history: History::default(),
            radios: vec![None; count],
            metered: None,
            tracked: Set::new(count),
            deadlines: Deadlines::new(count + 1),
            outputs: VecDeque::new(),
            now: Instant::ZERO,
            noise: Noise::new(config, noise),
            channels: Vec::new(),
            access_point,
            beacons: 0,
            window_until: None,
            is_all_announced: false,
        };
        air.call_cell();
        air
    }

    /// Puts a two-state channel between stations `a` and `b`: what one sends to
    /// the other while it is BAD is lost, and so are answers. Others hear it
    /// all the same.
    pub fn set_channel(&mut self, a: usize, b: usize, channel: Channel) {
        let pair = [a.min(b), a.max(b)];
        match self.channels.binary_search_by_key(&pair, |(pair, _)| *pair) {
            Ok(place) => self.channels[place].1 = channel,
            Err(place) => self.channels.insert(place, (pair, channel)),
        }
    }

    /// Meters what the radio of `station` draws, from now, the start of time, on.
    pub fn set_radio(&mut self, station: usize, radio: RadioMeter) {
        self.radios[station] = Some(radio);
        let none = || Set::new(self.stations.len());
        self.metered.get_or_insert_with(none).insert(station);
    }

    /// The radio of `station`, if it is metered.
    pub fn radio_mut(&mut self, station: usize) -> Option<&mut RadioMeter> {
        self.radios[station].as_mut()
    }

    /// `station` goes off for ever: what it is sending breaks off, what waits
    /// stays where it is.
    pub fn switch_off(&mut self, now: Instant, station: usize) {
        let it = &mut self.stations[station];
        it.is_off = true;
        it.awake_from = Instant::NEVER;
        (it.access, it.serving) = (None, None);
        self.tracked.remove(station);
        if !matches!(it.activity, Activity::Sending(_)) {
            it.activity = Activity::Listening;
            self.call(station, None);
        }
        if let Some(radio) = &mut self.radios[station] {
            radio.switch_off(now);
        }
    }

    /// Whether `to` can decode what `from` sends.
    #[must_use]
    pub fn can_reach(&self, from: usize, to: usize) -> bool {
        from != to && self.hearing.decodes(from, to)
    }

    /// Takes a frame of connection `key`, below 2^31, into a queue of `station`.
    /// Only the caller's buffer bounds the queues.
    pub fn offer(&mut self, now: Instant, station: usize, key: u32, frame: Frame<F>) {
        // Under a real clock a packet may come before the driver is called.
        while self.deadlines.first().is_some_and(|(due, _)| due < now) {
            self.step();
        }
        let kept_key = self.key_of_kept(station, &frame);
        let queues = &mut self.stations[station].queues;
        if let Some(key) = kept_key {
            let queue = queues.keep(key, Entry::new(frame));
            if !self.announce_kept(station, queue) {
                return;
            }
        } else {
            queues.push(key, Entry::new(frame));
        }
        self.stay_awake(now, station);
        if !self.stations[station].is_tracked() {
            self.contend(now, station);
        }
    }

    /// What has happened by `now`, one thing at a time and in order.
    pub fn poll(&mut self, now: Instant) -> Option<Output<F>> {
        loop {
            if let Some(output) = self.outputs.pop_front() {
                return Some(output);
            }
            self.deadlines.first().filter(|(at, _)| *at <= now)?;
            self.step();
        }
    }

    /// The next thing happens.
    fn step(&mut self) {
        let Some((at, PartId(station))) = self.deadlines.first() else { return };
        self.now = at;
        if station as usize == self.stations.len() {
            self.on_cell_time(at);
        } else {
            self.wake(at, station as usize);
        }
    }

    /// When something happens next.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Instant> {
        if self.outputs.is_empty() {
            self.deadlines.first().map(|(at, _)| at)
        } else {
            Some(self.now)
        }
    }

    /// Frames in its care that have not been passed on.
    pub fn in_flight(&self) -> impl Iterator<Item = &Frame<F>> {
        let entries = self.stations.iter().flat_map(|station| station.queues.iter());
        entries.filter(|entry| entry.is_in_flight()).map(|entry| &entry.frame)
    }

    /// Frames that `station` is not done with: to its knowledge they have neither
    /// arrived nor been given up.
    pub fn unfinished(&self, station: usize) -> impl Iterator<Item = &Frame<F>> {
        let entries = self.stations[station].queues.iter();
        entries.filter(|entry| entry.fate == Fate::Waiting).map(|entry| &entry.frame)
    }

    /// The rate of data frames of `station` to another one.
    #[must_use]
    pub fn rate(&self, station: usize) -> BitRate {
        self.stations[station].mode.rate
    }

    /// What `station` has done.
    #[must_use]
    pub fn stats(&self, station: usize) -> &Stats {
        &self.stations[station].stats
    }

    /// What is on the air and what was of late, in the order of beginnings.
    pub fn transmissions(&self) -> impl Iterator<Item = &Transmission> {
        self.history.iter()
    }
}
