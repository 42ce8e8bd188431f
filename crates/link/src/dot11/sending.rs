//! Frames on their way into the air.

use netjoule_energy::ledger::Purpose;
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
    pub(super) purpose: Purpose,
}

impl<F: Clone> Air<F> {
    /// Sends the packets of an exchange.
    pub(super) fn send_data(&mut self, now: Instant, station: usize, serving: &Serving) {
        let &Serving { queue, mpdus, psdu, to, .. } = serving;
        let (mode, duration) = match to {
            To::All => (self.broadcast_mode, Duration::ZERO),
            To::Station(_) => {
                (self.stations[station].mode, self.spaces.sifs + self.answer_time(station, mpdus))
            }
        };
        let first = &self.stations[station].queues.get(queue)[mpdus.trailing_zeros() as usize];
        let purpose = if first.failures > 0 { Purpose::Repetition } else { first.frame.purpose };
        let kind = Kind::Data;
        self.send(now, station, &Outgoing { to, kind, mode, psdu, duration, mpdus, purpose });
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
        let (to, purpose) = (To::Station(to), Purpose::LinkControl);
        self.send(now, station, &Outgoing { to, kind, mode, psdu, duration, mpdus, purpose });
    }

    /// A frame begins.
    pub(super) fn send(&mut self, now: Instant, from: usize, outgoing: &Outgoing) {
        let &Outgoing { to, kind, mode, psdu, duration, mpdus, purpose } = outgoing;
        let airtime = self.airtime(&mode, psdu);
        let end = now + airtime;
        let lost = match to {
            To::Station(to) => self.channel(from, to).is_some_and(|it| it.loses(now, now, airtime)),
            To::All => false,
        };
        let number = self.history.next_number();
        let nav = end + duration;
        let transmission = Transmission {
            number,
            from,
            to,
            kind,
            start: now,
            end,
            nav,
            mode,
            psdu,
            purpose,
            mpdus,
            lost,
        };
        let matters_until = (nav + self.spaces.difs).max(end + self.spaces.eifs);
        self.history.begin(transmission, matters_until);
        self.meter(&transmission);
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

    /// Tells the radios that have a meter.
    fn meter(&mut self, sent: &Transmission) {
        let Some(metered) = &self.metered else { return };
        let &Transmission { from, to, start, end, mode, purpose, .. } = sent;
        if let Some(radio) = &mut self.radios[from] {
            radio.transmit(start, end, mode.rate, purpose);
        }
        let mut place = 0;
        while let Some((next, stations)) = self.hearing.decoded_by_some(from, place, metered) {
            place = next;
            for at in stations {
                let is_for_it = matches!(to, To::All) || to == To::Station(at);
                let purpose = if is_for_it { purpose } else { Purpose::Others };
                if let Some(radio) = &mut self.radios[at] {
                    radio.receive(start, end, mode.rate, purpose);
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
