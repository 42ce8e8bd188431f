//! Power save (section 10.2): stations that doze, and what is kept for them
//! meanwhile.
//!
//! The whole cell knows the target beacon transmission times (TBTT): clocks are
//! taken to agree. With an access point, that keeps frames and tells of them in
//! its beacons (`tim`). Without one, each sender does, in the ATIM window that
//! every beacon interval begins with (`atim`).

mod atim;
mod tim;

pub(super) use atim::Announcement;

use netjoule_deadlines::PartId;
use netjoule_energy::ledger::Purpose;
use netjoule_units::{Duration, Instant};

use super::air::Air;
use super::frame::{Frame, Kind, To, Transmission};
use super::sending::Outgoing;
use super::station::{Activity, Reception, Role, Serving};

/// The keys of queues that wait for somebody who may doze are above those of
/// connections.
const KEPT: u32 = 1 << 31;

impl<F: Clone> Air<F> {
    /// The key of the queue in which `station` keeps `frame`, if that is for
    /// somebody who may doze.
    pub(super) fn key_of_kept(&self, station: usize, frame: &Frame<F>) -> Option<u32> {
        let keeps = match self.access_point {
            Some(access_point) => station == access_point,
            None => self.has_windows(),
        };
        let saves = |at: usize| at != station && self.stations[at].role == Role::PowerSaver;
        let key = match frame.to {
            _ if !keeps => return None,
            To::Station(to) if saves(to) => to,
            To::All if (0..self.stations.len()).any(saves) => self.stations.len(),
            _ => return None,
        };
        Some(self::key(key))
    }

    /// Wakes `station` up if it dozes.
    pub(super) fn stay_awake(&mut self, now: Instant, station: usize) {
        let it = &mut self.stations[station];
        if it.awake_from == Instant::NEVER && !it.is_off {
            it.awake_from = now;
            it.stats.dozed += now.saturating_since(it.dozing_from);
            if let Some(radio) = &mut self.radios[station] {
                radio.wake(now);
            }
        }
    }

    /// Lets `station` doze if it saves power, has nothing to do and need not
    /// listen.
    pub(super) fn doze(&mut self, now: Instant, station: usize) {
        let it = &mut self.stations[station];
        if it.role == Role::PowerSaver
            && !it.is_off
            && !it.is_tracked()
            && !it.must_listen
            && matches!(it.activity, Activity::Listening)
        {
            it.awake_from = Instant::NEVER;
            it.dozing_from = now;
            if let Some(radio) = &mut self.radios[station] {
                radio.doze(now);
            }
        }
    }

    /// Calls for what comes next at a time that the whole cell knows, if it has
    /// such times.
    pub(super) fn call_cell(&mut self) {
        if self.access_point.is_none() && !self.has_windows() {
            return;
        }
        let beacon = Instant::ZERO + self.config.power_save.beacon_interval * (self.beacons + 1);
        let at = self.window_until.unwrap_or(beacon);
        #[expect(clippy::cast_possible_truncation, reason = "as many as there are deadlines")]
        self.deadlines.set(PartId(self.stations.len() as u32), Some(at));
    }

    /// A time that the whole cell knows.
    pub(super) fn on_cell_time(&mut self, now: Instant) {
        if self.window_until.is_some() {
            self.close_window(now);
        } else {
            self.beacons += 1;
            match self.access_point {
                Some(access_point) => self.begin_beacon_interval(now, access_point),
                None => self.open_window(now),
            }
        }
        self.call_cell();
    }

    /// The beacon, the poll or the announcement that `station` owes, which goes
    /// before data.
    pub(super) fn power_frame(&mut self, now: Instant, station: usize) -> Option<Serving> {
        let it = &self.stations[station];
        if it.owes_beacon {
            let psdu = match self.access_point {
                Some(_) => tim::beacon_size(self.stations.len()),
                None => atim::BEACON_SIZE,
            };
            let queue = usize::MAX;
            return Some(Serving { kind: Kind::Beacon, queue, mpdus: 0, psdu, to: To::All });
        }
        match self.access_point {
            Some(access_point) => it.owes_poll.map(|_| tim::poll(access_point)),
            None => self.next_announcement(now, station),
        }
    }

    /// Sends what [`power_frame`](Self::power_frame) has chosen.
    pub(super) fn send_power_frame(&mut self, now: Instant, station: usize, serving: &Serving) {
        let &Serving { kind, to, psdu, .. } = serving;
        if kind == Kind::Beacon {
            self.stations[station].owes_beacon = false;
            match self.access_point {
                Some(_) => self.announce(station),
                // It stays awake: somebody has to answer those who look for the
                // cell (section 10.2.2.3).
                None => self.stations[station].is_called = true,
            }
        }
        let (mode, duration) = match to {
            To::All => (self.broadcast_mode, Duration::ZERO),
            // A poll has the Duration of one that an ACK answers, too (section
            // 8.3.1.5).
            To::Station(_) => {
                let mode = self.control_mode(station);
                (mode, self.spaces.sifs + self.airtime(&mode, Kind::Ack.fixed_size()))
            }
        };
        let purpose = Purpose::PowerSave;
        self.send(now, station, &Outgoing { to, kind, mode, psdu, duration, mpdus: 0, purpose });
    }

    /// An exchange that is not one of data has failed. Returns whether
    /// `station` tries again.
    pub(super) fn on_power_frame_failed(&mut self, station: usize, kind: Kind) -> bool {
        let limit = self.config.short_retry_limit;
        match kind {
            Kind::Atim => self.announce_again(station, limit),
            _ => self.ask_again(station, limit),
        }
    }

    /// A beacon or an announcement for all has ended: those who could decode it
    /// follow.
    pub(super) fn heed(&mut self, ended: &Transmission) {
        for word in 0..self.hearing.words(ended.from) {
            for at in self.hearing.decoded_by(ended.from, word) {
                if self.reception(ended, at) != Reception::Decoded {
                    continue;
                }
                match (ended.kind, self.access_point) {
                    (Kind::Atim, _) => self.stations[at].is_called = true,
                    (_, Some(_)) => self.heed_beacon(ended.end, at),
                    (_, None) => self.leave_beacon_to_other(ended.end, at),
                }
            }
        }
    }
}

/// The key of the queue for the station of that index, or for all behind the
/// last.
fn key(station: usize) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "memory ends before")]
    let station = station as u32;
    KEPT + station
}
