//! Power save with an access point (section 10.2.1): beacons whose TIM says for
//! whom something is kept, and stations that doze between them.
//!
//! A power saver wakes at every TBTT that its listen interval names, and
//! whenever it has something to send. It stays awake until it has decoded a
//! beacon; if the TIM names it, it asks with a PS-Poll for one packet after the
//! other, each of which comes a SIFS after the poll. Frames for all wait for the
//! beacons of the DTIM period, after which nobody dozes until the next beacon.

use netjoule_units::{Bytes, Instant};

use super::super::aggregate;
use super::super::air::Air;
use super::super::frame::{Kind, MAC_BYTES, To};
use super::super::station::{Fate, Role, Serving};
use super::{KEPT, key};

/// The length of a beacon that tells of `stations`: MAC header and FCS,
/// timestamp, interval and capabilities, an SSID of eight letters, four rates,
/// the channel, the TIM with its bitmap (section 8.3.3.2).
pub(super) fn beacon_size(stations: usize) -> Bytes {
    Bytes::new(MAC_BYTES + 12 + 10 + 6 + 3 + 5 + stations.div_ceil(8) as u64)
}

/// A poll of the access point.
pub(super) const fn poll(access_point: usize) -> Serving {
    let psdu = Kind::PsPoll.fixed_size();
    let to = To::Station(access_point);
    Serving { kind: Kind::PsPoll, queue: usize::MAX, mpdus: 0, psdu, to }
}

impl<F: Clone> Air<F> {
    /// A TBTT of the access point.
    pub(super) fn begin_beacon_interval(&mut self, now: Instant, access_point: usize) {
        if self.beacons.is_multiple_of(u64::from(self.config.power_save.listen_interval)) {
            for station in 0..self.stations.len() {
                if self.stations[station].role == Role::PowerSaver {
                    self.stations[station].must_listen = true;
                    self.stay_awake(now, station);
                }
            }
        }
        self.stations[access_point].owes_beacon = true;
        if !self.stations[access_point].is_tracked() {
            self.contend(now, access_point);
        }
    }

    /// Fills in the TIM, and lets go of the frames for all behind a DTIM.
    pub(super) fn announce(&mut self, access_point: usize) {
        for station in 0..self.stations.len() {
            self.stations[station].is_called = self.is_something_kept(station);
        }
        let is_dtim = self.beacons.is_multiple_of(u64::from(self.config.power_save.dtim_period));
        let queues = &mut self.stations[access_point].queues;
        self.is_all_announced = false;
        if let Some(queue) = queues.find(key(self.hearing.len())).filter(|_| is_dtim) {
            while let Some(entry) = queues.get_mut(queue).pop_front() {
                queues.push(KEPT - 1, entry);
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
        self.stations[self.access_point?].queues.find(key(station))
    }

    /// `station` has decoded a beacon.
    pub(super) fn heed_beacon(&mut self, now: Instant, station: usize) {
        let it = &mut self.stations[station];
        if it.role != Role::PowerSaver {
            return;
        }
        it.must_listen = self.is_all_announced;
        if it.is_called && it.owes_poll.is_none() {
            it.owes_poll = Some(0);
            if !it.is_tracked() {
                // Others may have been named too (section 10.2.1.8).
                self.track(station);
                self.stations[station].back_off(now);
                self.listen(station);
            }
        }
        self.doze(now, station);
    }

    /// The access point has been asked by `station`: what it answers.
    pub(in super::super) fn look_up_what_is_kept(&mut self, station: usize) -> (Kind, u64) {
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
    pub(in super::super) fn take_what_was_kept(
        &mut self,
        now: Instant,
        station: usize,
        poll: &Serving,
    ) {
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
    pub(super) fn ask_again(&mut self, station: usize, limit: u32) -> bool {
        let it = &mut self.stations[station];
        it.owes_poll = it.owes_poll.map(|polls| polls + 1).filter(|polls| *polls < limit);
        it.owes_poll.is_some()
    }
}
