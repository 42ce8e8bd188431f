//! Power save with an access point (section 10.2.1): beacons whose TIM says for
//! whom something is kept, and stations that doze between them.
//!
//! A power saver wakes at every target beacon transmission time that its listen
//! interval names, and whenever it has something to send. It stays awake until
//! it has decoded a beacon; if the TIM names it, it asks with a PS-Poll for one
//! packet after the other, each of which comes a SIFS after the poll. Frames for
//! all wait for the beacons of the DTIM period, after which nobody dozes until
//! the next beacon.

use netjoule_deadlines::PartId;
use netjoule_units::{Duration, Instant};

use super::aggregate;
use super::air::Air;
use super::frame::{Frame, Kind, To, Transmission, beacon_size};
use super::sending::Outgoing;
use super::station::{Activity, Entry, Fate, Reception, Role, Serving};

/// The keys of queues that wait until they are asked for are above those of
/// connections.
const KEPT: u32 = 1 << 31;

impl<F: Clone> Air<F> {
    /// Keeps `frame` at the access point if it is for somebody who may doze.
    pub(super) fn keep(&mut self, station: usize, frame: &Frame<F>) -> bool {
        if self.stations[station].role != Role::AccessPoint {
            return false;
        }
        let saves = |role: &Role| *role == Role::PowerSaver;
        let key = match frame.to {
            To::Station(to) if saves(&self.stations[to].role) => to,
            To::All if self.stations.iter().any(|it| saves(&it.role)) => self.stations.len(),
            _ => return false,
        };
        #[expect(clippy::cast_possible_truncation, reason = "memory ends before")]
        let key = KEPT + key as u32;
        let queue = self.stations[station].queues.hold(key, Entry::new(frame.clone()));
        if frame.to == To::All {
            self.kept_for_all = Some(queue);
        }
        true
    }

    /// Wakes `station` up if it dozes.
    pub(super) fn stay_awake(&mut self, now: Instant, station: usize) {
        let it = &mut self.stations[station];
        if it.awake_from == Instant::NEVER {
            it.awake_from = now;
            it.stats.dozed += now.saturating_since(it.dozing_from);
        }
    }

    /// Lets `station` doze if it saves power, has nothing to do and no beacon
    /// is due.
    pub(super) fn doze(&mut self, now: Instant, station: usize) {
        let it = &mut self.stations[station];
        if it.role == Role::PowerSaver
            && !it.is_tracked()
            && !it.awaits_beacon
            && matches!(it.activity, Activity::Listening)
        {
            it.awake_from = Instant::NEVER;
            it.dozing_from = now;
        }
    }

    /// Calls for the next beacon.
    pub(super) fn call_beacon(&mut self) {
        let at = Instant::ZERO + self.config.power_save.beacon_interval * (self.beacons + 1);
        #[expect(clippy::cast_possible_truncation, reason = "as many as there are deadlines")]
        self.deadlines.set(PartId(self.stations.len() as u32), Some(at));
    }

    /// A target beacon transmission time.
    pub(super) fn begin_beacon_interval(&mut self, now: Instant) {
        self.beacons += 1;
        self.call_beacon();
        if self.beacons.is_multiple_of(u64::from(self.config.power_save.listen_interval)) {
            for station in 0..self.stations.len() {
                if self.stations[station].role == Role::PowerSaver {
                    self.stations[station].awaits_beacon = true;
                    self.stay_awake(now, station);
                }
            }
        }
        if let Some(access_point) = self.access_point {
            self.stations[access_point].owes_beacon = true;
            if !self.stations[access_point].is_tracked() {
                self.contend(now, access_point);
            }
        }
    }

    /// The beacon or the poll that `station` owes, which goes before data.
    pub(super) fn power_frame(&self, station: usize) -> Option<Serving> {
        let it = &self.stations[station];
        let serving =
            |kind, to, psdu| Some(Serving { kind, queue: usize::MAX, mpdus: 0, psdu, to });
        if it.owes_beacon {
            return serving(Kind::Beacon, To::All, beacon_size(self.stations.len()));
        }
        it.owes_poll?;
        serving(Kind::PsPoll, To::Station(self.access_point?), Kind::PsPoll.control_size())
    }

    /// Sends what [`power_frame`](Self::power_frame) has chosen.
    pub(super) fn send_power_frame(&mut self, now: Instant, station: usize, serving: &Serving) {
        let &Serving { kind, to, psdu, .. } = serving;
        let (mode, duration) = if kind == Kind::Beacon {
            self.announce(station);
            (self.broadcast_mode, Duration::ZERO)
        } else {
            // As long as an acknowledgment takes (section 8.3.1.5).
            let mode = self.control_mode(station);
            (mode, self.spaces.sifs + self.airtime(&mode, Kind::Ack.control_size()))
        };
        self.send(now, station, &Outgoing { to, kind, mode, psdu, duration, mpdus: 0 });
    }

    /// Fills in the TIM, and lets go of the frames for all behind a DTIM.
    fn announce(&mut self, access_point: usize) {
        for station in 0..self.stations.len() {
            self.stations[station].is_announced = self.is_something_kept(station);
        }
        let it = &mut self.stations[access_point];
        it.owes_beacon = false;
        let is_dtim = self.beacons.is_multiple_of(u64::from(self.config.power_save.dtim_period));
        self.is_all_announced = false;
        if let Some(queue) = self.kept_for_all.filter(|_| is_dtim) {
            while let Some(entry) = it.queues.get_mut(queue).pop_front() {
                it.queues.push(KEPT - 1, entry);
                self.is_all_announced = true;
            }
        }
    }

    /// Whether the access point keeps a packet for `station` that it has not
    /// got.
    fn is_something_kept(&self, station: usize) -> bool {
        let (Some(access_point), Some(queue)) = (self.access_point, self.kept_for(station)) else {
            return false;
        };
        let entries = self.stations[access_point].queues.get(queue);
        entries.iter().any(|entry| entry.fate == Fate::Waiting)
    }

    /// The queue of what the access point keeps for `station`.
    fn kept_for(&self, station: usize) -> Option<usize> {
        #[expect(clippy::cast_possible_truncation, reason = "memory ends before")]
        let key = KEPT + station as u32;
        self.stations[self.access_point?].queues.find(key)
    }

    /// A beacon has come to those who could decode it.
    pub(super) fn heed_beacon(&mut self, ended: &Transmission) {
        for word in 0..self.hearing.words(ended.from) {
            for at in self.hearing.decoded_by(ended.from, word) {
                if self.stations[at].role != Role::PowerSaver
                    || self.reception(ended, at) != Reception::Decoded
                {
                    continue;
                }
                let it = &mut self.stations[at];
                it.awaits_beacon = self.is_all_announced;
                if it.is_announced && it.owes_poll.is_none() {
                    it.owes_poll = Some(0);
                    if !it.is_tracked() {
                        // Others may have been named too (section 10.2.1.8).
                        self.track(at);
                        self.stations[at].back_off(ended.end);
                        self.listen(at);
                    }
                }
                self.doze(ended.end, at);
            }
        }
    }

    /// The access point has been asked by `station`: what it answers.
    pub(super) fn look_up_what_is_kept(&mut self, station: usize) -> (Kind, u64) {
        let (Some(access_point), Some(queue)) = (self.access_point, self.kept_for(station)) else {
            return (Kind::Ack, 0);
        };
        let it = &self.stations[access_point];
        let airtime = |psdu| self.airtime(&it.mode, psdu);
        let (mpdus, psdu) = aggregate::choose(it.queues.get(queue), airtime, &self.config);
        if mpdus == 0 {
            return (Kind::Ack, 0);
        }
        self.track(access_point);
        let to = To::Station(station);
        self.stations[access_point].serving =
            Some(Serving { kind: Kind::Data, queue, mpdus, psdu, to });
        (Kind::Data, mpdus)
    }

    /// The poll of `station` has been answered: asks again if there is more.
    pub(super) fn take_what_was_kept(&mut self, now: Instant, station: usize, poll: &Serving) {
        let entries = self.access_point.zip(self.kept_for(station));
        let more = entries.is_some_and(|(access_point, queue)| {
            let entries = self.stations[access_point].queues.get(queue);
            entries.iter().any(|entry| entry.fate == Fate::Waiting && !entry.received)
        });
        self.stations[station].owes_poll = more.then_some(0);
        self.succeed(now, station, poll, 0);
    }

    /// A poll of `station` has had no answer. Returns whether it asks again
    /// before the next beacon.
    pub(super) fn ask_again(&mut self, station: usize) -> bool {
        let limit = self.config.short_retry_limit;
        let it = &mut self.stations[station];
        it.owes_poll = it.owes_poll.map(|polls| polls + 1).filter(|polls| *polls < limit);
        it.owes_poll.is_some()
    }
}
