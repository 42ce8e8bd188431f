//! The recovery that figures 5.3 and 5.4 show: a fixed sequence of events.

use std::collections::BTreeMap;

use netjoule_scenario::{Medium, Scenario};
use netjoule_trace::{Event, Observer};
use netjoule_units::{Bytes, Duration, Instant};
use netjoule_wire::{Body, SeqNumber};
use serde::Deserialize;

use super::runs::Scheme;
use super::setting::Setting;
use crate::Error;
use crate::case::{Case, named};

/// A channel that is BAD at given times, and when the transfer starts on it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Replay {
    start_ms: u64,
    segments: u64,
    /// From GOOD at the start.
    switches_ms: Vec<u64>,
}

/// Watches a source recover from the segments that a link layer gives up.
struct Recovery {
    source: usize,
    /// When each segment was first sent.
    first_sent: BTreeMap<u32, Instant>,
    /// When the first lost segment was first sent, and the last one lost.
    lost: Option<(Instant, SeqNumber)>,
    /// When all of them were acknowledged.
    end: Option<Instant>,
}

impl Replay {
    /// `base` with `setting`, `scheme` and this channel.
    fn scenario(
        &self,
        base: &Scenario,
        setting: Setting,
        scheme: Scheme,
    ) -> Result<Scenario, Error> {
        let mut scenario = Case::Variant(named(scheme.variant())?).apply(&setting.apply(base))?;
        for link in &mut scenario.links {
            if let Medium::Wireless { channel, .. } = &mut link.medium {
                channel.switches =
                    self.switches_ms.iter().map(|&ms| Instant::from_millis(ms)).collect();
            }
        }
        for connection in &mut scenario.connections {
            connection.start = Instant::from_millis(self.start_ms);
            connection.transfer = Bytes::new(self.segments * connection.tcp.mss.get());
        }
        Ok(scenario)
    }

    /// From the sending of the first lost segment to the acknowledgment of all
    /// that were lost; `None` if either does not happen.
    pub(super) fn recovery_time(
        &self,
        base: &Scenario,
        setting: Setting,
        scheme: Scheme,
    ) -> Result<Option<Duration>, Error> {
        let scenario = self.scenario(base, setting, scheme)?;
        let mut recovery = Recovery {
            source: scenario.connections[0].from,
            first_sent: BTreeMap::new(),
            lost: None,
            end: None,
        };
        // Nothing is random: any seed does.
        netjoule_net::run(&scenario, 0, &mut recovery);
        let times = recovery.lost.zip(recovery.end);
        Ok(times.map(|((start, _), end)| end.saturating_since(start)))
    }
}

impl Observer for Recovery {
    fn record(&mut self, now: Instant, event: &Event<'_>) {
        match event {
            Event::Sent { node, packet, retransmission: None } if *node == self.source => {
                if let Body::Tcp(segment) = &packet.body {
                    self.first_sent.insert(segment.seq.get(), now);
                }
            }
            Event::GivenUp { frame, .. } => {
                let Body::Tcp(segment) = &frame.packet.body else { return };
                let Some(&sent) = self.first_sent.get(&segment.seq.get()) else { return };
                let (start, last) = self.lost.unwrap_or((sent, segment.seq));
                self.lost = Some((start, last.later(segment.seq)));
            }
            Event::Received { node, packet } if *node == self.source => {
                let Body::Tcp(segment) = &packet.body else { return };
                let recovered = self.lost.is_some_and(|(_, last)| segment.ack.is_after(last));
                if recovered && self.end.is_none() {
                    self.end = Some(now);
                }
            }
            _ => {}
        }
    }
}
