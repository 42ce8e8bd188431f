//! Samples of what nodes draw.

use netjoule_des::PartId;
use netjoule_scenario::Scenario;
use netjoule_trace::{Event, Observer};
use netjoule_units::{Duration, Energy, Instant};

use crate::energy::Bill;
use crate::network::Network;

/// A node with a device, and what has been told of it.
#[derive(Debug)]
struct Sampled {
    node: usize,
    /// When it was sampled last.
    at: Instant,
    /// What it had drawn by then: its radios, and everything.
    drawn: [Energy; 2],
}

/// Samples nodes at regular intervals, each as long as its island goes on.
#[derive(Debug)]
pub(super) struct PowerWatch {
    interval: Duration,
    pub(super) next: Instant,
    nodes: Vec<Sampled>,
}

impl PowerWatch {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let interval = scenario.trace.power_interval;
        let all = scenario.nodes.iter().enumerate();
        let metered = all.filter(|(_, node)| !interval.is_zero() && node.device.is_some());
        let nodes = metered
            .map(|(node, _)| Sampled { node, at: Instant::ZERO, drawn: [Energy::ZERO; 2] })
            .collect::<Vec<_>>();
        let next = if nodes.is_empty() { Instant::NEVER } else { Instant::ZERO + interval };
        Self { interval, next, nodes }
    }
}

impl<M: Bill> Network<'_, M> {
    /// Samples every node at the moment that is due. What happens in it, or has
    /// happened, is in this sample; the next is planned.
    pub(super) fn sample<O: Observer>(&mut self, observer: &mut O) {
        let Some(watch) = &mut self.watch else { return };
        let power = &mut watch.power;
        let at = power.next;
        power.next += power.interval;
        let mut nodes = core::mem::take(&mut power.nodes);
        for sampled in &mut nodes {
            self.sample_node(at, sampled, observer);
        }
        if let Some(watch) = &mut self.watch {
            watch.power.nodes = nodes;
        }
    }

    /// The nodes of an island, or all that are left, draw nothing after `end`:
    /// what they have drawn since their last sample is their last one.
    pub(crate) fn sample_last<O: Observer>(
        &mut self,
        end: Instant,
        island: Option<PartId>,
        observer: &mut O,
    ) {
        let Some(watch) = &mut self.watch else { return };
        let is_meant = |node: usize| island.is_none_or(|it| self.island_of[node] == it.0 as usize);
        let (last, rest): (Vec<_>, Vec<_>) =
            watch.power.nodes.drain(..).partition(|sampled| is_meant(sampled.node));
        if rest.is_empty() {
            watch.power.next = Instant::NEVER;
        }
        watch.power.nodes = rest;
        for mut sampled in last {
            self.sample_node(end, &mut sampled, observer);
        }
    }

    fn sample_node<O: Observer>(&mut self, at: Instant, sampled: &mut Sampled, observer: &mut O) {
        let over = at.saturating_since(sampled.at);
        if over.is_zero() {
            return;
        }
        let node = sampled.node;
        let drawn = self.drawn(at, node);
        let [radio, system] = [0, 1].map(|of| drawn[of] - sampled.drawn[of]);
        (sampled.at, sampled.drawn) = (at, drawn);
        observer.record(at, &Event::Power { node, over, radio, system });
    }
}
