//! Static routes: Dijkstra's algorithm on hop count (goel1997 4.2).

use netjoule_scenario::Scenario;
use netjoule_wire::Address;
use petgraph::algo::dijkstra;
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::unionfind::UnionFind;

/// Where a node sends packets for each destination it may meet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Routes {
    /// Destination and index of the node's interface, sorted by destination.
    entries: Vec<(Address, usize)>,
}

impl Routes {
    /// The interface toward `destination`. Every host that has a connection
    /// can be reached from every node on its side of the network.
    pub(crate) fn toward(&self, destination: Address) -> Option<usize> {
        let at = self.entries.binary_search_by_key(&destination, |entry| entry.0).ok()?;
        Some(self.entries[at].1)
    }
}

/// The routes of every one of `nodes` toward each of `destinations`.
/// `interfaces[n]` lists the neighbours of node `n`. Of several shortest paths
/// the one over the lowest interface is taken.
pub(crate) fn routes(interfaces: &[Vec<usize>], destinations: &[usize]) -> Vec<Routes> {
    let graph = graph(interfaces);
    let mut routes = vec![Routes::default(); interfaces.len()];
    for &destination in destinations {
        let hops = dijkstra(&graph, NodeIndex::new(destination), None, |_| 1u32);
        let hops_from = |node: usize| hops.get(&NodeIndex::new(node)).copied();
        let reached: Vec<usize> = hops.keys().map(|node| node.index()).collect();
        for node in reached.into_iter().filter(|&node| node != destination) {
            let nearest = (0..interfaces[node].len())
                .min_by_key(|&interface| hops_from(interfaces[node][interface]));
            if let Some(interface) = nearest {
                routes[node].entries.push((address(destination), interface));
            }
        }
    }
    for node in &mut routes {
        node.entries.sort_unstable();
        node.entries.dedup();
    }
    routes
}

/// The island of each node, and how many there are. Nodes that links connect
/// are on the same island; islands are numbered by their first node.
pub(crate) fn islands(scenario: &Scenario) -> (Vec<usize>, usize) {
    let mut joined = UnionFind::<usize>::new(scenario.nodes.len());
    for link in &scenario.links {
        joined.union(link.between[0], link.between[1]);
    }
    let mut number = vec![None; scenario.nodes.len()];
    let mut count = 0;
    let island_of = joined.into_labeling().into_iter().map(|label| {
        *number[label].get_or_insert_with(|| {
            count += 1;
            count - 1
        })
    });
    (island_of.collect(), count)
}

/// The address of the node at `index`.
pub(crate) fn address(index: usize) -> Address {
    Address(u32::try_from(index).unwrap_or(u32::MAX))
}

fn graph(interfaces: &[Vec<usize>]) -> UnGraph<(), ()> {
    let mut graph = UnGraph::default();
    for _ in interfaces {
        graph.add_node(());
    }
    for (node, neighbours) in interfaces.iter().enumerate() {
        for &neighbour in neighbours.iter().filter(|&&neighbour| neighbour > node) {
            graph.add_edge(NodeIndex::new(node), NodeIndex::new(neighbour), ());
        }
    }
    graph
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_path_wins_and_ties_go_to_the_first_interface() {
        // 0-1-2-3 and the short cut 0-4-3; two equal ways from 2 to 0.
        let interfaces =
            [vec![1, 4], vec![0, 2], vec![1, 3], vec![2, 4], vec![0, 3]].map(Vec::from);
        let routes = routes(&interfaces, &[0, 3]);
        assert_eq!(routes[0].toward(address(3)), Some(1));
        assert_eq!(routes[3].toward(address(0)), Some(1));
        assert_eq!(routes[1].toward(address(3)), Some(1));
        assert_eq!(routes[2].toward(address(0)), Some(0));
        assert_eq!(routes[0].toward(address(0)), None);
        assert_eq!(routes[0].toward(address(2)), None);
    }
}
