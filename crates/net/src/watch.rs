//! What a run does for its observers only.

mod power;

use netjoule_des::Streams;
use netjoule_link::two_state::{Channel, State};
use netjoule_scenario::Scenario;
use netjoule_trace::{Event, Observer, SourceState};
use netjoule_transport::tcp::Snapshot;
use netjoule_units::{Duration, Instant};

use crate::build::channel_of;
use crate::energy::Bill;
use crate::network::Network;
use crate::node::EndpointPart;
use power::PowerWatch;

/// A copy of a channel: the run's own looks ahead.
#[derive(Debug)]
struct Followed {
    link: usize,
    channel: Channel,
    /// Its next change that has not been recorded, if one is known.
    next: Option<(Instant, State)>,
}

/// Follows the channels, and keeps the times of the next dump of all sources and
/// of the next sample of all powers.
#[derive(Debug)]
pub(crate) struct Watch {
    channels: Vec<Followed>,
    dump_interval: Duration,
    next_dump: Instant,
    power: PowerWatch,
}

impl Watch {
    pub(crate) fn new(scenario: &Scenario, seed: u64) -> Self {
        let streams = Streams::new(seed);
        let channels = scenario.channels().map(|own| Followed {
            link: own.index,
            channel: channel_of(scenario, &streams, &own),
            next: None,
        });
        let dump_interval = scenario.trace.state_interval;
        Self {
            channels: channels.collect(),
            dump_interval,
            next_dump: if dump_interval.is_zero() {
                Instant::NEVER
            } else {
                Instant::ZERO + dump_interval
            },
            power: PowerWatch::new(scenario),
        }
    }

    /// The first change of any channel up to `until` that has not been recorded.
    fn next_change(&mut self, until: Instant) -> Option<(Instant, usize, State)> {
        for followed in &mut self.channels {
            if followed.next.is_none() {
                followed.next = followed.channel.poll_switch(until);
            }
        }
        let due = self.channels.iter_mut().filter(|it| it.next.is_some_and(|(at, _)| at <= until));
        let first = due.min_by_key(|followed| followed.next.map(|(at, _)| at))?;
        let (at, state) = first.next.take()?;
        Some((at, first.link, state))
    }
}

impl<M: Bill> Network<'_, M> {
    /// Records the changes of channels and the dumps that are due by `now`, and
    /// the samples that are due before, in the order of their times. A sample
    /// waits until its moment has passed, so that whatever takes energy in no
    /// time is in it.
    pub(crate) fn watch_until<O: Observer>(&mut self, now: Instant, observer: &mut O) {
        while let Some(watch) = &mut self.watch {
            let (dump, sample) = (watch.next_dump, watch.power.next);
            while let Some((at, link, state)) = watch.next_change(dump.min(sample).min(now)) {
                observer.record(at, &Event::Channel { link, good: state == State::Good });
            }
            if sample < now && sample <= dump {
                self.sample(observer);
            } else if dump <= now {
                watch.next_dump += watch.dump_interval;
                for endpoint in &self.endpoints {
                    endpoint.dump(dump, observer);
                }
            } else {
                break;
            }
        }
    }
}

impl<M: Bill> EndpointPart<M> {
    /// Shows a source's state if it differs from what was shown last. Sinks
    /// have none to show.
    pub(crate) fn show<O: Observer>(&mut self, now: Instant, observer: &mut O) {
        let snapshot = self.engine.snapshot();
        if self.is_source() && self.shown != Some(snapshot) {
            self.shown = Some(snapshot);
            let (node, port) = (self.node, self.port);
            observer.record(now, &Event::Source { node, port, state: state(&snapshot) });
        }
    }

    fn dump<O: Observer>(&self, at: Instant, observer: &mut O) {
        if self.is_source() {
            let Snapshot { snd_una, snd_nxt, rto, .. } = self.engine.snapshot();
            let state = state(&self.engine.snapshot());
            let (node, port) = (self.node, self.port);
            observer.record(at, &Event::Snapshot { node, port, snd_una, snd_nxt, state, rto });
        }
    }

    fn is_source(&self) -> bool {
        self.engine.stats().segments_sent > 0
    }
}

fn state(snapshot: &Snapshot) -> SourceState {
    SourceState {
        cwnd: snapshot.cwnd,
        ssthresh: snapshot.ssthresh,
        flight_size: snapshot.flight_size,
    }
}
