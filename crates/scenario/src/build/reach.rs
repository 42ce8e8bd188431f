//! Who can reach whom.

use std::collections::BTreeSet;

use crate::model::{Link, NodeKind};

/// The nodes that a host can send to. Packets are forwarded by routers and base
/// stations; hosts only send and receive.
pub(super) struct Reach {
    /// For each node the islands it belongs to: those of the forwarding nodes
    /// it is linked with, or its own.
    islands: Vec<BTreeSet<usize>>,
    /// Links between two nodes, in both directions.
    direct: BTreeSet<(usize, usize)>,
}

impl Reach {
    pub(super) fn new(kinds: &[NodeKind], links: &[&Link]) -> Self {
        let forwards = |node: usize| kinds[node] != NodeKind::Host;
        let mut neighbours = vec![Vec::new(); kinds.len()];
        let mut direct = BTreeSet::new();
        for &&Link { between: [a, b], .. } in links {
            neighbours[a].push(b);
            neighbours[b].push(a);
            direct.extend([(a, b), (b, a)]);
        }
        let mut islands = vec![BTreeSet::new(); kinds.len()];
        for start in (0..kinds.len()).filter(|&node| forwards(node)) {
            if !islands[start].is_empty() {
                continue;
            }
            islands[start].insert(start);
            let mut waiting = vec![start];
            while let Some(node) = waiting.pop() {
                for &next in &neighbours[node] {
                    if islands[next].insert(start) && forwards(next) {
                        waiting.push(next);
                    }
                }
            }
        }
        Self { islands, direct }
    }

    pub(super) fn connects(&self, from: usize, to: usize) -> bool {
        self.direct.contains(&(from, to)) || !self.islands[from].is_disjoint(&self.islands[to])
    }
}
