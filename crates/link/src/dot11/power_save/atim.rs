//! Power save without an access point (section 10.2.2): every beacon interval
//! begins with a window in which all are awake and nothing but beacons and
//! announcements (ATIM) is sent.
//!
//! Everybody waits a random delay to send the beacon; whoever hears that of
//! another first leaves it at that. Then those who keep something for a power
//! saver announce it. Who has announced something, or has been called by an
//! ATIM, or has sent the beacon, stays awake until the next window; the other
//! power savers doze when the window closes, and only then data are sent. What
//! could not be announced or sent waits for the next window.

use netjoule_units::{Bytes, Instant};
use rand::RngExt;

use super::super::air::Air;
use super::super::frame::{Kind, MAC_BYTES, To};
use super::super::station::{Access, Activity, Role, Serving};
use super::KEPT;

/// The length of a beacon of an ad hoc cell: MAC header and FCS, timestamp,
/// interval and capabilities, an SSID of eight letters, four rates, the channel,
/// the length of the ATIM window (section 8.3.3.2).
pub(super) const BEACON_SIZE: Bytes = Bytes::new(MAC_BYTES + 12 + 10 + 6 + 3 + 4);

/// Something that is kept, and whose receiver is to be told.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Announcement {
    /// The queue that it waits in.
    queue: usize,
    /// How often it was told in vain.
    failures: u32,
}

impl<F: Clone> Air<F> {
    /// Whether beacon intervals begin with a window.
    pub(super) fn has_windows(&self) -> bool {
        !self.config.power_save.atim_window.is_zero()
    }

    /// A frame has come into `queue` of `station`, for somebody who may doze.
    /// Returns whether the station has anything to do about it now.
    pub(in super::super) fn announce_kept(&mut self, station: usize, queue: usize) -> bool {
        if self.access_point.is_some() {
            return false;
        }
        let it = &mut self.stations[station];
        let is_held = it.queues.is_held(queue);
        let is_open = self.window_until.is_some();
        if is_held && is_open && it.announcements.iter().all(|other| other.queue != queue) {
            it.announcements.push_back(Announcement { queue, failures: 0 });
        }
        !is_held || is_open
    }

    /// A TBTT: everybody is awake, and what is kept has to be announced anew.
    pub(super) fn open_window(&mut self, now: Instant) {
        self.window_until = Some(now + self.config.power_save.atim_window);
        let [cw_min, _] = self.config.contention_windows();
        for station in 0..self.stations.len() {
            if self.stations[station].is_off {
                continue;
            }
            self.stay_awake(now, station);
            self.track(station);
            let it = &mut self.stations[station];
            it.must_listen = it.role == Role::PowerSaver;
            it.is_called = false;
            it.owes_beacon = true;
            let kept = it.queues.hold_from(KEPT);
            it.announcements.extend(kept.map(|queue| Announcement { queue, failures: 0 }));
            // The random delay of section 10.1.3.3 is in the place of a backoff.
            // Who is in the middle of an exchange waits for its turn after it.
            if it.serving.is_none() && it.access.is_none_or(|access| access.committed.is_none()) {
                let slots = it.rng.random_range(0..=2 * cw_min);
                it.access = Some(Access { slots, from: now, drawn: true, committed: None });
            }
            if matches!(it.activity, Activity::Listening) {
                self.listen(station);
            }
        }
    }

    /// Somebody else has sent the beacon: `station` goes on with what it has to
    /// announce.
    pub(super) fn leave_beacon_to_other(&mut self, now: Instant, station: usize) {
        let it = &mut self.stations[station];
        it.owes_beacon = false;
        if !it.announcements.is_empty()
            && it.serving.is_none()
            && it.access.is_some_and(|access| access.committed.is_none())
        {
            it.back_off(now);
            if matches!(it.activity, Activity::Listening) {
                self.listen(station);
            }
        }
    }

    /// What `station` announces next, if there is time for it before the window
    /// closes.
    pub(super) fn next_announcement(&mut self, now: Instant, station: usize) -> Option<Serving> {
        let it = &mut self.stations[station];
        // An exchange that went on into the window may have emptied a queue.
        let queues = &it.queues;
        while it.announcements.pop_front_if(|it| queues.get(it.queue).is_empty()).is_some() {}
        let queue = it.announcements.front()?.queue;
        let to = queues.get(queue).front()?.frame.to;
        let psdu = Kind::Atim.fixed_size();
        let takes = match to {
            To::All => self.airtime(&self.broadcast_mode, psdu),
            To::Station(_) => {
                let mode = self.control_mode(station);
                let ack = self.airtime(&mode, Kind::Ack.fixed_size());
                self.airtime(&mode, psdu) + self.spaces.sifs + ack
            }
        };
        let fits = now + takes <= self.window_until?;
        fits.then_some(Serving { kind: Kind::Atim, queue, mpdus: 0, psdu, to })
    }

    /// Those for whom the next announcement of `station` was know of it: they
    /// are awake for the rest of the interval, and so is the station.
    pub(in super::super) fn on_announced(&mut self, station: usize) {
        let it = &mut self.stations[station];
        if let Some(Announcement { queue, .. }) = it.announcements.pop_front() {
            it.queues.let_go(queue);
            it.is_called = true;
        }
    }

    /// An announcement of `station` has had no answer. Returns whether it tries
    /// again in this window.
    pub(super) fn announce_again(&mut self, station: usize, limit: u32) -> bool {
        let announcements = &mut self.stations[station].announcements;
        let Some(first) = announcements.front_mut() else { return false };
        first.failures += 1;
        let again = first.failures < limit;
        if !again {
            announcements.pop_front();
        }
        again
    }

    /// Data may be sent from `now` on, and who is not needed dozes.
    pub(super) fn close_window(&mut self, now: Instant) {
        self.window_until = None;
        for station in 0..self.stations.len() {
            let it = &mut self.stations[station];
            if !it.announcements.is_empty() {
                // It begins anew in the next window.
                it.announcements.clear();
                it.window.on_giving_up();
            }
            it.owes_beacon = false;
            it.must_listen = it.role == Role::PowerSaver && it.is_called;
            if it.queues.has_turns() && !it.is_tracked() && !it.is_off {
                // Others have waited for this moment too.
                self.track(station);
                self.stations[station].back_off(now);
                if matches!(self.stations[station].activity, Activity::Listening) {
                    self.listen(station);
                }
            }
            self.doze(now, station);
        }
    }
}
