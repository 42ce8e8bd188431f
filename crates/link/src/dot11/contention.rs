//! The wait for the medium (section 9.3.4), and what a station that has not
//! waited knows about it.

use netjoule_deadlines::PartId;
use netjoule_energy::ledger::Purpose;
use netjoule_units::Instant;

use super::aggregate::{self, positions};
use super::air::Air;
use super::frame::{Kind, To, Transmission};
use super::sending::Outgoing;
use super::station::{Access, Activity, Serving, View};

impl<F: Clone> Air<F> {
    /// A station that was silent wants to send.
    pub(super) fn contend(&mut self, now: Instant, station: usize) {
        if self.stations[station].is_off {
            return;
        }
        // What has begun less than a slot ago it has not noticed.
        let noticed = |it: &&Transmission| it.start + self.spaces.slot <= now || it.end <= now;
        let view = self.view_of(station, noticed);
        let access = Access { slots: 0, from: now, drawn: false, committed: None };
        let it = &mut self.stations[station];
        // It may be about to answer somebody.
        let is_listening = matches!(it.activity, Activity::Listening);
        let is_idle = is_listening && view.idle_from() <= now;
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
        if is_listening {
            self.listen(station);
        }
    }

    /// From now on `station` is told what it hears.
    pub(super) fn track(&mut self, station: usize) {
        if !self.stations[station].is_tracked() {
            self.stations[station].view = self.remembered(station);
            self.tracked.insert(station);
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
    pub(super) fn wake(&mut self, now: Instant, station: usize) {
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
        self.stations[station].access = None;
        if let Some(serving) = self.power_frame(now, station) {
            self.stations[station].serving = Some(serving);
            self.send_power_frame(now, station, &serving);
            return;
        }
        let it = &mut self.stations[station];
        // Data wait for the window to close.
        let turn = if self.window_until.is_some() { None } else { it.queues.take_turn() };
        let Some(queue) = turn else {
            self.tracked.remove(station);
            self.call(station, None);
            self.doze(now, station);
            return;
        };
        let (mpdus, psdu) = aggregate::choose(
            it.queues.get(queue),
            |psdu| self.phy.airtime(&it.mode, self.config.preamble, psdu),
            &self.config,
        );
        let to = it.queues.get(queue)[positions(mpdus).next().unwrap_or(0)].frame.to;
        let serving = Serving { kind: Kind::Data, queue, mpdus, psdu, to };
        it.serving = Some(serving);
        if to != To::All && psdu > self.config.rts_threshold {
            let mode = self.control_mode(station);
            let cts = self.airtime(&mode, Kind::Cts.fixed_size());
            let data = self.airtime(&self.stations[station].mode, psdu);
            let duration = self.spaces.sifs * 3 + cts + data + self.answer_time(station, mpdus);
            let psdu = Kind::Rts.fixed_size();
            let (kind, purpose) = (Kind::Rts, Purpose::LinkControl);
            let rts = Outgoing { to, kind, mode, psdu, duration, mpdus: 0, purpose };
            self.send(now, station, &rts);
        } else {
            self.send_data(now, station, &serving);
        }
    }
}
