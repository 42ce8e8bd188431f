//! One station: what it has heard, when it may send, what it is doing.

use std::collections::VecDeque;

use netjoule_units::{BitRate, Bytes, Duration, Instant};
use rand::RngExt;
use rand_pcg::Pcg64;

use super::backoff::Window;
use super::frame::{Frame, Kind, To, Transmission};
use super::hearing::Position;
use super::phy::Mode;
use super::power_save::Announcement;
use crate::queues::{Discipline, Queues};

/// What a station is to the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// One among equals, always awake.
    #[default]
    Station,
    /// It sends beacons, and keeps frames for those that are not awake. There is
    /// one at most.
    AccessPoint,
    /// It dozes when it has nothing to do, and wakes for beacons; in an ad hoc
    /// cell, if that has an ATIM window.
    PowerSaver,
}

/// A station before it is on the air.
#[derive(Clone, Debug)]
pub struct StationSetup {
    /// Where it stands.
    pub position: Position,
    /// What it is to the others.
    pub role: Role,
    /// The order in which it serves connections.
    pub discipline: Discipline,
    /// The rate of its data frames to one station, in place of the medium's.
    pub rate: Option<BitRate>,
    /// The random stream of its backoffs.
    pub rng: Pcg64,
}

/// What a station has done, in frames. Each counter only grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Frames put on the air, in the order of [`Kind::ALL`].
    pub sent: [u64; Kind::ALL.len()],
    /// Time spent sending them.
    pub airtime: Duration,
    /// Attempts, RTS or data, that called for an answer and got none.
    pub unanswered: u64,
    /// Packets acknowledged, or sent to all.
    pub acknowledged: u64,
    /// Packets given up.
    pub given_up: u64,
    /// Time spent dozing, up to its last awakening.
    pub dozed: Duration,
}

/// The spaces between frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spaces {
    pub(super) slot: Duration,
    pub(super) sifs: Duration,
    pub(super) difs: Duration,
    pub(super) eifs: Duration,
}

/// What came of a frame at one station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reception {
    /// It was received.
    Decoded,
    /// It began to be received and was destroyed.
    Undecodable,
    /// It was too weak to be more than noise, or the station was sending.
    Unnoticed,
}

/// The medium as one station has heard it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct View {
    /// The last moment of what it has heard or sent (physical carrier sense).
    pub(super) busy_until: Instant,
    /// The network allocation vector (virtual carrier sense).
    pub(super) nav_until: Instant,
    /// The end of the extended space after a frame that it could not decode.
    pub(super) eifs_until: Instant,
}

/// The wait for the medium.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    /// Slots that are still to pass.
    pub(super) slots: u32,
    /// Nothing counts before: the failure became known only then.
    pub(super) from: Instant,
    /// Whether `slots` were drawn. A station that finds the medium idle draws
    /// none.
    pub(super) drawn: bool,
    /// The moment at which it will send whatever it hears: it is too late to
    /// notice what has begun.
    pub(super) committed: Option<Instant>,
}

/// What a station is about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Activity {
    /// Nothing but the wait for the medium, if it has something to send.
    Listening,
    /// A transmission is on the air; its number.
    Sending(u64),
    /// It waits for an answer.
    Awaiting {
        answer: Kind,
        /// An answer begins before this.
        begins_by: Instant,
        /// The frame that has begun in time, if one has.
        heard: Option<u64>,
    },
    /// It turns from receiving to sending.
    Turning(Answer),
}

/// What is sent one SIFS after what it answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) kind: Kind,
    pub(super) to: usize,
    pub(super) mode: Mode,
    pub(super) mpdus: u64,
    pub(super) nav: Instant,
}

/// A packet in a queue.
#[derive(Clone, Debug)]
pub(super) struct Entry<F> {
    pub(super) frame: Frame<F>,
    /// Failed attempts in all.
    pub(super) failures: u32,
    /// Those since the last CTS of frames up to the RTS threshold, and of RTS.
    pub(super) short_retries: u32,
    /// Those of longer frames.
    pub(super) long_retries: u32,
    /// Whether its receiver has it. The receiver's memory of the last sequence
    /// number of this queue tells it the same, since each is sent until it is
    /// done with: a repeated one is acknowledged and dropped.
    pub(super) received: bool,
    /// Whether it has been passed on, in its turn.
    pub(super) released: bool,
    pub(super) fate: Fate,
}

/// How a packet stands with its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It has yet to be sent, or sent again.
    Waiting,
    /// Its receiver is known to have it.
    Acknowledged,
    /// It is not sent any more.
    Abandoned,
}

impl<F> Entry<F> {
    pub(super) const fn new(frame: Frame<F>) -> Self {
        Self {
            frame,
            failures: 0,
            short_retries: 0,
            long_retries: 0,
            received: false,
            released: false,
            fate: Fate::Waiting,
        }
    }

    /// Whether it can still be passed on to its receiver's network layer.
    pub(super) fn is_in_flight(&self) -> bool {
        !self.released && (self.received || self.fate == Fate::Waiting)
    }
}

/// The exchange that a station has begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Serving {
    /// Data, a beacon, a poll or an ATIM.
    pub(super) kind: Kind,
    /// Where the data are, those of an announcement too.
    pub(super) queue: usize,
    /// The packets' places in the queue, a bit each.
    pub(super) mpdus: u64,
    pub(super) psdu: Bytes,
    pub(super) to: To,
}

#[derive(Clone, Debug)]
pub(super) struct Station<F> {
    pub(super) queues: Queues<Entry<F>>,
    pub(super) role: Role,
    /// Whether it has gone off for ever.
    pub(super) is_off: bool,
    /// Since when it is awake; never for one that dozes or is off.
    pub(super) awake_from: Instant,
    /// Since when it dozes, if it does.
    pub(super) dozing_from: Instant,
    /// Whether a beacon is due.
    pub(super) owes_beacon: bool,
    /// Whether it stays awake even with nothing to do: a beacon or an ATIM may
    /// come, or what they have announced.
    pub(super) must_listen: bool,
    /// Whether the last beacon, or an ATIM since, has something for it.
    pub(super) is_called: bool,
    /// Whether it knows of that, and how often it has asked in vain.
    pub(super) owes_poll: Option<u32>,
    /// What it still has to announce in this window.
    pub(super) announcements: VecDeque<Announcement>,
    pub(super) mode: Mode,
    pub(super) window: Window,
    pub(super) rng: Pcg64,
    pub(super) view: View,
    pub(super) access: Option<Access>,
    pub(super) activity: Activity,
    pub(super) serving: Option<Serving>,
    /// When it is called next; never later than when it may send.
    pub(super) wake: Instant,
    pub(super) stats: Stats,
}

impl View {
    /// `self` has heard a frame that ends at `end` begin.
    pub(super) fn on_begin(&mut self, end: Instant) {
        self.busy_until = self.busy_until.max(end);
    }

    /// A frame for `is_for_it` or for others has ended.
    pub(super) fn on_end(
        &mut self,
        transmission: &Transmission,
        reception: Reception,
        is_for_it: bool,
        spaces: &Spaces,
    ) {
        match reception {
            Reception::Decoded => {
                // Whoever understands this is in step again (section
                // 9.3.2.3.7).
                self.eifs_until = Instant::ZERO;
                if !is_for_it {
                    self.nav_until = self.nav_until.max(transmission.nav);
                }
            }
            Reception::Undecodable => self.eifs_until = transmission.end + spaces.eifs,
            Reception::Unnoticed => {}
        }
    }

    /// From when on neither carrier sense reports anything.
    pub(super) fn idle_from(&self) -> Instant {
        self.busy_until.max(self.nav_until)
    }

    /// From when on slots count.
    pub(super) fn slots_from(&self, spaces: &Spaces) -> Instant {
        let idle = self.idle_from();
        // Before the first frame the medium has been idle for ever.
        let after_difs = if idle == Instant::ZERO { idle } else { idle + spaces.difs };
        after_difs.max(self.eifs_until)
    }
}

impl<F> Station<F> {
    /// Whether it has to be told what it hears.
    pub(super) const fn is_tracked(&self) -> bool {
        self.access.is_some() || self.serving.is_some()
    }

    /// From when on its slots count.
    fn slots_from(&self, access: &Access, spaces: &Spaces) -> Instant {
        self.view.slots_from(spaces).max(access.from)
    }

    /// When it will have waited long enough, as far as it knows now.
    pub(super) fn access_at(&self, spaces: &Spaces) -> Option<Instant> {
        let access = self.access.as_ref()?;
        let due = self.slots_from(access, spaces) + spaces.slot * u64::from(access.slots);
        Some(access.committed.unwrap_or(due))
    }

    /// A frame that it hears begins at `now` and ends at `end`.
    pub(super) fn on_begin(&mut self, now: Instant, end: Instant, spaces: &Spaces) {
        if let (Activity::Listening, Some(mut access)) = (self.activity, self.access)
            && access.committed.is_none()
        {
            let counted_from = self.slots_from(&access, spaces);
            let due = counted_from + spaces.slot * u64::from(access.slots);
            if due < now + spaces.slot {
                // A slot is the time that it takes to notice a frame and to
                // turn round (section 9.3.7).
                access.committed = Some(due);
            } else if access.drawn {
                let passed = now.saturating_since(counted_from).as_nanos() / spaces.slot.as_nanos();
                access.slots -= u32::try_from(passed).unwrap_or(u32::MAX);
            } else {
                access.slots = self.draw();
                access.drawn = true;
            }
            self.access = Some(access);
        }
        self.view.on_begin(end);
    }

    /// Draws slots, and waits for them from `from` on.
    pub(super) fn back_off(&mut self, from: Instant) {
        let slots = self.draw();
        self.access = Some(Access { slots, from, drawn: true, committed: None });
    }

    fn draw(&mut self) -> u32 {
        self.rng.random_range(0..=self.window.cw())
    }
}
