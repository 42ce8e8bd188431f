//! Frames on their way into the air.

use netjoule_units::{Bytes, Duration, Instant};

use super::aggregate;
use super::air::Air;
use super::frame::{Kind, To, Transmission};
use super::phy::Mode;
use super::station::{Activity, Answer, Serving};
use crate::two_state::Channel;

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
    pub(super) fn answer(&mut self, now: Instant, station: usize, answer: &Answer) {
        let &Answer { kind, to, mode, mpdus, nav } = answer;
        // Data answer a CTS or a poll.
        if kind == Kind::Data {
            if let Some(serving) = self.stations[station].serving {
                self.send_data(now, station, &serving);
            }
            return;
        }
        let psdu = kind.fixed_size();
        let end = now + self.airtime(&mode, psdu);
        let duration = nav.saturating_since(end);
        self.send(
            now,
            station,
            &Outgoing { to: To::Station(to), kind, mode, psdu, duration, mpdus },
        );
    }

    /// A frame begins.
    pub(super) fn send(&mut self, now: Instant, from: usize, outgoing: &Outgoing) {
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
        let mut place = 0;
        while let Some((next, stations)) = self.hearing.heard_by(from, place, &self.tracked) {
            place = next;
            for at in stations {
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
    pub(super) fn answer_time(&self, station: usize, mpdus: u64) -> Duration {
        let answer = aggregate::answer(mpdus);
        self.airtime(&self.control_mode(station), answer.fixed_size())
    }

    /// The rate and modulation of the control frames of an exchange that
    /// `station` has begun.
    pub(super) fn control_mode(&self, station: usize) -> Mode {
        let rate = self.stations[station].mode.rate;
        let rate = self.config.control_rate.unwrap_or_else(|| self.phy.answer_rate(rate));
        self.config.mode(rate).expect("a rate of the PHY")
    }
}
