//! The shared medium with its stations: the distributed coordination function
//! (section 9.3).

use std::collections::VecDeque;

use netjoule_deadlines::{Deadlines, PartId};
use netjoule_units::{Bytes, Duration, Instant};

use super::aggregate::{self, positions};
use super::backoff::Window;
use super::config::Config;
use super::frame::{Frame, Kind, Output, To, Transmission};
use super::hearing::{Hearing, Position, Set};
use super::history::History;
use super::phy::{Mode, Phy};
use super::reception::Noise;
use super::station::{
    Access, Activity, Answer, Entry, Serving, Spaces, Station, StationSetup, Stats, View,
};
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
    /// Stations that are told what they hear while it happens.
    pub(super) tracked: Set,
    pub(super) deadlines: Deadlines,
    pub(super) outputs: VecDeque<Output<F>>,
    /// When the last thing happened.
    now: Instant,
    pub(super) noise: Noise,
    /// The channels between pairs of stations, sorted by pair.
    channels: Vec<([usize; 2], Channel)>,
}

/// A frame that is to be sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outgoing {
    pub(super) to: To,
    pub(super) kind: Kind,
    pub(super) mode: Mode,
    pub(super) psdu: Bytes,
    /// How long after its end others defer.
    pub(super) duration: Duration,
    pub(super) mpdus: u64,
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
        let ack = phy.airtime(&lowest, config.preamble, Kind::Ack.control_size());
        let spaces = Spaces {
            slot: phy.slot,
            sifs: phy.sifs,
            difs: phy.difs(),
            eifs: phy.sifs + ack + phy.difs(),
        };
        let count = stations.len();
        let stations = stations.into_iter().map(|setup| Station {
            queues: Queues::new(setup.discipline),
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
        Self {
            config: config.clone(),
            phy,
            spaces,
            broadcast_mode: config.broadcast_rate.map_or(lowest, mode),
            stations: stations.collect(),
            hearing: Hearing::new(config, &positions),
            history: History::default(),
            tracked: Set::new(count),
            deadlines: Deadlines::new(count),
            outputs: VecDeque::new(),
            now: Instant::ZERO,
            noise: Noise::new(config, noise),
            channels: Vec::new(),
        }
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

    /// Whether `to` can decode what `from` sends.
    #[must_use]
    pub fn can_reach(&self, from: usize, to: usize) -> bool {
        from != to && self.hearing.decodes(from, to)
    }

    /// Takes a frame of connection `key` into a queue of `station`. Only the
    /// caller's buffer bounds the queues.
    pub fn offer(&mut self, now: Instant, station: usize, key: u32, frame: Frame<F>) {
        self.stations[station].queues.push(key, Entry::new(frame));
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
            let (at, PartId(station)) = self.deadlines.first().filter(|(at, _)| *at <= now)?;
            self.now = at;
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

    /// What `station` has done.
    #[must_use]
    pub fn stats(&self, station: usize) -> &Stats {
        &self.stations[station].stats
    }

    /// What is on the air and what was of late, in the order of beginnings.
    pub fn transmissions(&self) -> impl Iterator<Item = &Transmission> {
        self.history.iter()
    }

    /// A station that was silent wants to send.
    fn contend(&mut self, now: Instant, station: usize) {
        // What has begun less than a slot ago it has not noticed.
        let noticed = |it: &&Transmission| it.start + self.spaces.slot <= now || it.end <= now;
        let view = self.view_of(station, noticed);
        let access = Access { slots: 0, from: now, drawn: false, committed: None };
        // Whoever turns round to answer, or does, has no idle medium.
        let is_listening = matches!(self.stations[station].activity, Activity::Listening);
        let is_idle = is_listening && view.idle_from() <= now;
        let it = &mut self.stations[station];
        it.view = view;
        if is_idle {
            it.access = Some(access);
        } else {
            it.back_off(now);
        }
        let unnoticed: Vec<[Instant; 2]> = self
            .heard(station)
            .filter(|it| !noticed(it))
            .map(|heard| [heard.start, heard.end])
            .collect();
        for [start, end] in unnoticed {
            self.stations[station].on_begin(start, end, &self.spaces);
        }
        self.tracked.insert(station);
        // The wait goes on after an answer.
        if is_listening {
            self.listen(station);
        }
    }

    /// What `station` has heard or sent, in the order of beginnings.
    fn heard(&self, station: usize) -> impl Iterator<Item = &Transmission> {
        let hears =
            move |it: &&Transmission| it.from == station || self.hearing.hears(it.from, station);
        self.history.iter().filter(hears)
    }

    /// The medium as `station` knows it if it has listened all along and has
    /// noticed the transmissions that `notices` says.
    fn view_of(&self, station: usize, notices: impl Fn(&&Transmission) -> bool) -> View {
        let mut view = View::default();
        for heard in self.heard(station).filter(notices) {
            view.on_begin(heard.end);
        }
        for ended in self.history.ended() {
            if ended.from != station && self.hearing.hears(ended.from, station) {
                let reception = self.reception(ended, station);
                let is_for_it = ended.to == To::Station(station);
                view.on_end(ended, reception, is_for_it, &self.spaces);
            }
        }
        view
    }

    /// The medium as `station` knows it if it has listened all along.
    pub(super) fn remembered(&self, station: usize) -> View {
        self.view_of(station, |_| true)
    }

    /// Until when others make `station` defer without a carrier.
    pub(super) fn nav_until(&self, station: usize) -> Instant {
        if self.stations[station].is_tracked() {
            return self.stations[station].view.nav_until;
        }
        self.remembered(station).nav_until
    }

    /// Back to listening, and to the wait for the medium if there is one.
    pub(super) fn listen(&mut self, station: usize) {
        self.stations[station].activity = Activity::Listening;
        let at = self.stations[station].access_at(&self.spaces);
        self.call(station, at);
    }

    /// Calls `station` at a time.
    pub(super) fn call(&mut self, station: usize, at: Option<Instant>) {
        self.stations[station].wake = at.unwrap_or(Instant::NEVER);
        #[expect(clippy::cast_possible_truncation, reason = "as many as there are deadlines")]
        self.deadlines.set(PartId(station as u32), at);
    }

    /// The time of `station` has come.
    fn wake(&mut self, now: Instant, station: usize) {
        match self.stations[station].activity {
            Activity::Listening => match self.stations[station].access_at(&self.spaces) {
                // What it has heard since it set its deadline puts it off.
                Some(at) if at > now => self.call(station, Some(at)),
                Some(_) => self.access(now, station),
                None => self.call(station, None),
            },
            Activity::Sending(number) => self.end(station, number),
            Activity::Awaiting { .. } => self.fail(now, station),
            Activity::Turning(answer) => self.answer(now, station, &answer),
        }
    }

    /// The medium is its own: sends what is next, if there is anything.
    fn access(&mut self, now: Instant, station: usize) {
        let it = &mut self.stations[station];
        it.access = None;
        let Some(queue) = it.queues.take_turn() else {
            self.tracked.remove(station);
            self.call(station, None);
            return;
        };
        let (mpdus, psdu) = aggregate::choose(
            it.queues.get(queue),
            |psdu| self.phy.airtime(&it.mode, self.config.preamble, psdu),
            &self.config,
        );
        let to = it.queues.get(queue)[positions(mpdus).next().unwrap_or(0)].frame.to;
        let serving = Serving { queue, mpdus, psdu, to };
        it.serving = Some(serving);
        if to != To::All && psdu > self.config.rts_threshold {
            let mode = self.control_mode(station);
            let cts = self.airtime(&mode, Kind::Cts.control_size());
            let data = self.airtime(&self.stations[station].mode, psdu);
            let duration = self.spaces.sifs * 3 + cts + data + self.answer_time(station, mpdus);
            let psdu = Kind::Rts.control_size();
            self.send(
                now,
                station,
                &Outgoing { to, kind: Kind::Rts, mode, psdu, duration, mpdus: 0 },
            );
        } else {
            self.send_data(now, station, &serving);
        }
    }

    /// Sends the packets of an exchange.
    pub(super) fn send_data(&mut self, now: Instant, station: usize, serving: &Serving) {
        let &Serving { mpdus, psdu, to, .. } = serving;
        let (mode, duration) = match to {
            To::All => (self.broadcast_mode, Duration::ZERO),
            To::Station(_) => {
                (self.stations[station].mode, self.spaces.sifs + self.answer_time(station, mpdus))
            }
        };
        self.send(now, station, &Outgoing { to, kind: Kind::Data, mode, psdu, duration, mpdus });
    }

    /// Sends an answer.
    fn answer(&mut self, now: Instant, station: usize, answer: &Answer) {
        let &Answer { kind, to, mode, mpdus, nav } = answer;
        if kind == Kind::Data {
            if let Some(serving) = self.stations[station].serving {
                self.send_data(now, station, &serving);
            }
            return;
        }
        let psdu = kind.control_size();
        let end = now + self.airtime(&mode, psdu);
        let duration = nav.saturating_since(end);
        self.send(
            now,
            station,
            &Outgoing { to: To::Station(to), kind, mode, psdu, duration, mpdus },
        );
    }

    /// A frame begins.
    fn send(&mut self, now: Instant, from: usize, outgoing: &Outgoing) {
        let &Outgoing { to, kind, mode, psdu, duration, mpdus } = outgoing;
        let airtime = self.airtime(&mode, psdu);
        let end = now + airtime;
        let lost = match to {
            To::Station(to) => self.channel(from, to).is_some_and(|it| it.loses(now, now, airtime)),
            To::All => false,
        };
        let number = self.history.next_number();
        let nav = end + duration;
        let transmission =
            Transmission { number, from, to, kind, start: now, end, nav, mode, psdu, mpdus, lost };
        let matters_until = (nav + self.spaces.difs).max(end + self.spaces.eifs);
        self.history.begin(transmission, matters_until);
        let station = &mut self.stations[from];
        station.stats.sent[kind as usize] += 1;
        station.stats.airtime += airtime;
        station.view.on_begin(end);
        station.activity = Activity::Sending(number);
        self.call(from, Some(end));
        for word in 0..self.hearing.words(from) {
            for at in self.hearing.heard_by(from, word, &self.tracked) {
                let station = &mut self.stations[at];
                station.on_begin(now, end, &self.spaces);
                if let Activity::Awaiting { begins_by, heard: heard @ None, .. } =
                    &mut station.activity
                    && now <= *begins_by
                    && self.hearing.decodes(from, at)
                {
                    *heard = Some(number);
                    self.call(at, None);
                }
            }
        }
    }

    fn channel(&mut self, a: usize, b: usize) -> Option<&mut Channel> {
        let pair = [a.min(b), a.max(b)];
        let place = self.channels.binary_search_by_key(&pair, |(pair, _)| *pair).ok()?;
        Some(&mut self.channels[place].1)
    }

    pub(super) fn airtime(&self, mode: &Mode, psdu: Bytes) -> Duration {
        self.phy.airtime(mode, self.config.preamble, psdu)
    }

    /// How long the answer to a data frame takes.
    fn answer_time(&self, station: usize, mpdus: u64) -> Duration {
        let answer = aggregate::answer(mpdus);
        self.airtime(&self.control_mode(station), answer.control_size())
    }

    /// The rate and modulation of the control frames of an exchange that
    /// `station` has begun.
    pub(super) fn control_mode(&self, station: usize) -> Mode {
        let rate = self.stations[station].mode.rate;
        let rate = self.config.control_rate.unwrap_or_else(|| self.phy.answer_rate(rate));
        self.config.mode(rate).expect("a rate of the PHY")
    }
}
