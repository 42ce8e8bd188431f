//! What stations do when a frame ends: answer it, go on with the exchange, end
//! it well or badly.

use netjoule_units::Instant;

use super::aggregate::{self, positions};
use super::air::Air;
use super::frame::{Kind, Output, To, Transmission};
use super::station::{Activity, Answer, Fate, Reception, Serving};

impl<F: Clone> Air<F> {
    /// Transmission `number` of `station` is over.
    pub(super) fn end(&mut self, station: usize, number: u64) {
        self.history.end(number);
        let ended = *self.history.get(number);
        let mut place = 0;
        while let Some((next, stations)) = self.hearing.heard_by(station, place, &self.tracked) {
            place = next;
            for at in stations {
                if ended.to != To::Station(at) {
                    self.overhear(&ended, at);
                }
            }
        }
        match ended.to {
            To::Station(at) => self.receive(&ended, at),
            To::All => self.receive_by_all(&ended),
        }
        self.go_on(&ended);
    }

    /// A frame for somebody else has ended at `at`.
    fn overhear(&mut self, ended: &Transmission, at: usize) {
        let reception = self.reception(ended, at);
        let station = &mut self.stations[at];
        station.view.on_end(ended, reception, false, &self.spaces);
        match station.activity {
            Activity::Awaiting { heard: Some(number), .. } if number == ended.number => {
                self.fail(ended.end, at);
            }
            Activity::Listening => self.call_earlier(at),
            _ => {}
        }
    }

    /// What `station` has decoded may have ended its extended space.
    fn call_earlier(&mut self, station: usize) {
        let at = self.stations[station].access_at(&self.spaces);
        if at.is_some_and(|at| at < self.stations[station].wake) {
            self.call(station, at);
        }
    }

    /// A frame for `at` has ended.
    fn receive(&mut self, ended: &Transmission, at: usize) {
        let now = ended.end;
        let mut reception = self.reception(ended, at);
        let mut came = 0;
        if ended.kind == Kind::Data {
            came = self.take_data(ended, reception);
            if came == 0 && reception == Reception::Decoded {
                // Noise has destroyed every MPDU.
                reception = Reception::Undecodable;
                self.history.lose(ended.number);
            }
        }
        let station = &mut self.stations[at];
        if station.is_tracked() {
            station.view.on_end(ended, reception, true, &self.spaces);
        }
        let is_decoded = reception == Reception::Decoded;
        if let Activity::Awaiting { answer, heard, .. } = station.activity {
            let serving = station.serving;
            let is_peer = serving.is_some_and(|it| it.to == To::Station(ended.from));
            match serving {
                Some(serving) if is_decoded && is_peer && serving.kind == Kind::PsPoll => {
                    self.take_what_was_kept(now, at, &serving);
                }
                Some(serving) if is_decoded && is_peer && answer == ended.kind => {
                    self.proceed(ended, at, &serving);
                    return;
                }
                _ if is_decoded || heard == Some(ended.number) => self.fail(now, at),
                _ => {}
            }
        }
        if !matches!(self.stations[at].activity, Activity::Listening) {
            return;
        }
        let answer = match ended.kind {
            Kind::Data => Some((aggregate::answer(ended.mpdus), came)),
            // A station whose NAV is set leaves an RTS without an answer
            // (section 9.3.2.6).
            Kind::Rts if self.nav_until(at) <= now => Some((Kind::Cts, 0)),
            Kind::PsPoll if is_decoded => Some(self.look_up_what_is_kept(ended.from)),
            Kind::Atim if is_decoded => {
                self.stations[at].is_called = true;
                Some((Kind::Ack, 0))
            }
            _ => None,
        };
        match answer {
            Some((kind, mpdus)) if is_decoded => {
                let mode = self.control_mode(ended.from);
                let answer = Answer { kind, to: ended.from, mode, mpdus, nav: ended.nav };
                self.turn(now, at, answer);
            }
            _ => self.call_earlier(at),
        }
    }

    /// A frame for all has ended.
    fn receive_by_all(&mut self, ended: &Transmission) {
        let from = ended.from;
        if ended.kind != Kind::Data {
            self.heed(ended);
            return;
        }
        let Some(Serving { queue, .. }) = self.stations[from].serving else { return };
        for word in 0..self.hearing.words(from) {
            for at in self.hearing.decoded_by(from, word) {
                if self.reception(ended, at) == Reception::Decoded {
                    for place in positions(ended.mpdus) {
                        let frame = self.stations[from].queues.get(queue)[place].frame.clone();
                        self.outputs.push_back(Output::Delivered { from, at, frame });
                    }
                }
            }
        }
    }

    /// Data have come to the station that they are for, or have not. Returns
    /// which of the packets it has now.
    fn take_data(&mut self, ended: &Transmission, reception: Reception) -> u64 {
        let from = ended.from;
        let Some(Serving { queue, .. }) = self.stations[from].serving else { return 0 };
        let mut came = 0;
        for place in positions(ended.mpdus) {
            let survives =
                reception == Reception::Decoded && self.mpdu_survives(ended, queue, place);
            let entry = &mut self.stations[from].queues.get_mut(queue)[place];
            if survives {
                entry.received = true;
                came |= 1 << place;
            } else {
                let frame = entry.frame.clone();
                self.outputs.push_back(Output::Corrupted { from, frame });
            }
        }
        self.release(from, queue);
        came
    }

    /// Passes on what has come, as far as nothing is missing before it (the
    /// reordering buffer of section 9.21.7; without aggregation there is never
    /// anything missing).
    fn release(&mut self, from: usize, queue: usize) {
        let entries = self.stations[from].queues.get_mut(queue).iter_mut();
        for entry in entries {
            match (entry.received, entry.fate) {
                (true, _) if !entry.released => {
                    entry.released = true;
                    let frame = entry.frame.clone();
                    if let To::Station(at) = frame.to {
                        self.outputs.push_back(Output::Delivered { from, at, frame });
                    }
                }
                (false, Fate::Waiting) => break,
                _ => {}
            }
        }
    }

    /// The answer that `station` has waited for is there.
    fn proceed(&mut self, ended: &Transmission, station: usize, serving: &Serving) {
        let now = ended.end;
        match ended.kind {
            Kind::Cts => {
                let entries = self.stations[station].queues.get_mut(serving.queue);
                positions(serving.mpdus).for_each(|place| entries[place].short_retries = 0);
                let mode = self.stations[station].mode;
                let &Serving { mpdus, .. } = serving;
                let answer =
                    Answer { kind: Kind::Data, to: ended.from, mode, mpdus, nav: ended.nav };
                self.turn(now, station, answer);
            }
            Kind::BlockAck => self.succeed(now, station, serving, ended.mpdus),
            _ => self.succeed(now, station, serving, serving.mpdus),
        }
    }

    /// Turns `station` round to send `answer`.
    fn turn(&mut self, now: Instant, station: usize, answer: Answer) {
        let it = &mut self.stations[station];
        it.activity = Activity::Turning(answer);
        if let Some(access) = &mut it.access {
            // An answer comes before whatever it was about to send.
            access.committed = None;
        }
        self.call(station, Some(now + self.spaces.sifs));
    }

    /// What a station does after a frame of its own.
    fn go_on(&mut self, ended: &Transmission) {
        let Transmission { from, end, mpdus, .. } = *ended;
        if self.stations[from].is_off {
            self.stations[from].activity = Activity::Listening;
            self.call(from, None);
            return;
        }
        let answer = match (ended.kind, ended.to) {
            (Kind::Rts, _) => Kind::Cts,
            (Kind::PsPoll, _) => Kind::Data,
            (Kind::Atim, To::Station(_)) => Kind::Ack,
            (Kind::Data, To::Station(_)) => aggregate::answer(mpdus),
            (_, To::All) => {
                if let Some(serving) = self.stations[from].serving {
                    self.succeed(end, from, &serving, mpdus);
                }
                return;
            }
            _ => {
                self.listen(from);
                self.doze(end, from);
                return;
            }
        };
        let begins_by = end + self.spaces.sifs + self.spaces.slot;
        let mode = self.control_mode(from);
        let told_after = self.phy.rx_start_delay(&mode, self.config.preamble);
        self.stations[from].activity = Activity::Awaiting { answer, begins_by, heard: None };
        self.call(from, Some(begins_by + told_after));
    }

    /// An exchange has ended well: `got` of its packets are acknowledged.
    pub(super) fn succeed(&mut self, now: Instant, station: usize, serving: &Serving, got: u64) {
        match serving.kind {
            Kind::Data => {
                let is_short = serving.psdu <= self.config.rts_threshold;
                self.settle(station, serving, got, is_short);
            }
            Kind::Atim => self.on_announced(station),
            _ => {}
        }
        self.stations[station].window.on_success();
        self.finish(now, station, serving);
    }

    /// The answer that `station` waited for has not come.
    pub(super) fn fail(&mut self, now: Instant, station: usize) {
        let it = &mut self.stations[station];
        let (Activity::Awaiting { answer, .. }, Some(serving)) = (it.activity, it.serving) else {
            return;
        };
        it.stats.unanswered += 1;
        let is_short = answer == Kind::Cts || serving.psdu <= self.config.rts_threshold;
        let again = if serving.kind == Kind::Data {
            self.settle(station, &serving, 0, is_short)
        } else {
            self.on_power_frame_failed(station, serving.kind)
        };
        if again {
            self.stations[station].window.on_failure();
        } else {
            self.stations[station].window.on_giving_up();
        }
        self.finish(now, station, &serving);
    }

    /// Ends an exchange: the next backoff, and whatever is next.
    fn finish(&mut self, now: Instant, station: usize, serving: &Serving) {
        let it = &mut self.stations[station];
        it.serving = None;
        if serving.kind == Kind::Data {
            it.queues.end_turn(serving.queue);
        }
        it.back_off(now);
        self.listen(station);
    }

    /// Tells what the end of an exchange means for its packets: those of `got`
    /// are acknowledged, the attempt of the others has failed. Returns whether
    /// any of them will be sent again.
    fn settle(&mut self, station: usize, serving: &Serving, got: u64, is_short: bool) -> bool {
        let from = station;
        let it = &mut self.stations[station];
        let entries = it.queues.get_mut(serving.queue);
        let mut again = false;
        for place in positions(serving.mpdus) {
            let entry = &mut entries[place];
            if got & 1 << place != 0 {
                entry.fate = Fate::Acknowledged;
                it.stats.acknowledged += 1;
                continue;
            }
            entry.failures += 1;
            let retries = if is_short { &mut entry.short_retries } else { &mut entry.long_retries };
            *retries += 1;
            let limits = [self.config.short_retry_limit, self.config.long_retry_limit];
            let frame = entry.frame.clone();
            if entry.short_retries >= limits[0] || entry.long_retries >= limits[1] {
                entry.fate = Fate::Abandoned;
                it.stats.given_up += 1;
                let (attempts, delivered) = (entry.failures, entry.received);
                self.outputs.push_back(Output::GivenUp { from, frame, attempts, delivered });
            } else {
                again = true;
                if entry.failures == 1 {
                    self.outputs.push_back(Output::Deferred { from, frame });
                }
            }
        }
        self.release(station, serving.queue);
        let entries = self.stations[station].queues.get_mut(serving.queue);
        while let Some(done) = entries.pop_front_if(|entry| entry.fate != Fate::Waiting) {
            if done.fate == Fate::Acknowledged {
                self.outputs.push_back(Output::Acknowledged { from, frame: done.frame });
            }
        }
        again
    }
}
