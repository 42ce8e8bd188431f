//! Who can reach whom.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Air, Link, Node, NodeKind};

/// The nodes that a host can send to. Packets are forwarded by routers and base
/// stations; hosts only send and receive.
pub(super) struct Reach {
    /// For each node the islands it belongs to: those of the forwarding nodes
    /// it is a neighbour of, or its own.
    islands: Vec<BTreeSet<usize>>,
    /// Neighbours by one link, in both directions.
    linked: BTreeSet<(usize, usize)>,
    /// For each node those on the same air whom it reaches.
    on_air: BTreeMap<usize, Vec<usize>>,
}

impl Reach {
    pub(super) fn new(nodes: &[Node], links: &[&Link], airs: &[&Air]) -> Self {
        let forwards = |node: usize| nodes[node].kind != NodeKind::Host;
        let mut neighbours = vec![Vec::new(); nodes.len()];
        let mut linked = BTreeSet::new();
        for &&Link { between: [a, b], .. } in links {
            neighbours[a].push(b);
            neighbours[b].push(a);
            linked.extend([(a, b), (b, a)]);
        }
        let mut on_air = BTreeMap::<usize, Vec<usize>>::new();
        for air in airs {
            for &station in &air.stations {
                on_air.entry(station).or_default().extend(air.neighbours(nodes, station));
            }
        }
        let mut islands = vec![BTreeSet::new(); nodes.len()];
        for start in (0..nodes.len()).filter(|&node| forwards(node)) {
            if !islands[start].is_empty() {
                continue;
            }
            islands[start].insert(start);
            let mut waiting = vec![start];
            while let Some(node) = waiting.pop() {
                for &next in neighbours[node].iter().chain(on_air.get(&node).into_iter().flatten())
                {
                    if islands[next].insert(start) && forwards(next) {
                        waiting.push(next);
                    }
                }
            }
        }
        Self { islands, linked, on_air }
    }

    pub(super) fn connects(&self, from: usize, to: usize) -> bool {
        self.linked.contains(&(from, to))
            || self.on_air.get(&from).is_some_and(|others| others.contains(&to))
            || !self.islands[from].is_disjoint(&self.islands[to])
    }
}
