//! Static routes: Dijkstra's algorithm on hop count (goel1997 4.2).

use netjoule_scenario::Scenario;
use netjoule_wire::Address;
use petgraph::algo::dijkstra;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::unionfind::UnionFind;
use petgraph::visit::{EdgeFiltered, EdgeRef};

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

/// The routes of every node toward each of `destinations`. `neighbours[n]`
/// lists the nodes at the ends of the interfaces of node `n`; only nodes that
/// forward are on the way to others. Of several shortest paths the one over the
/// lowest interface is taken.
pub(crate) fn routes(
    neighbours: &[Vec<usize>],
    forwards: &[bool],
    destinations: &[usize],
) -> Vec<Routes> {
    let graph = graph(neighbours);
    let mut routes = vec![Routes::default(); neighbours.len()];
    for &destination in destinations {
        // The search runs from the destination against the packets' direction.
        let may_pass_on = |node: usize| node == destination || forwards[node];
        let passable = EdgeFiltered::from_fn(&graph, |edge| may_pass_on(edge.source().index()));
        let hops = dijkstra(&passable, NodeIndex::new(destination), None, |_| 1u32);
        let reached: Vec<usize> = hops.keys().map(|node| node.index()).collect();
        for node in reached.into_iter().filter(|&node| node != destination) {
            let ways = neighbours[node].iter().enumerate();
            let nearest = ways
                .filter(|&(_, &next)| may_pass_on(next))
                .filter_map(|(interface, &next)| {
                    Some((hops.get(&NodeIndex::new(next))?, interface))
                })
                .min();
            if let Some((_, interface)) = nearest {
                routes[node].entries.push((Address::of_node(destination), interface));
            }
        }
    }
    for node in &mut routes {
        node.entries.sort_unstable();
    }
    routes
}

/// The island of each node, and how many there are. Nodes that links or
/// airs connect are on the same island; islands are numbered by their first node.
pub(crate) fn islands(scenario: &Scenario) -> (Vec<usize>, usize) {
    let mut joined = UnionFind::<usize>::new(scenario.nodes.len());
    for link in &scenario.links {
        joined.union(link.between[0], link.between[1]);
    }
    // Stations that cannot reach each other may still disturb each other.
    for air in &scenario.airs {
        for pair in air.stations.windows(2) {
            joined.union(pair[0], pair[1]);
        }
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

fn graph(neighbours: &[Vec<usize>]) -> DiGraph<(), ()> {
    let mut graph = DiGraph::new();
    for _ in neighbours {
        graph.add_node(());
    }
    for (node, next) in neighbours.iter().enumerate() {
        for &next in next {
            graph.add_edge(NodeIndex::new(node), NodeIndex::new(next), ());
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
        let neighbours = [vec![1, 4], vec![0, 2], vec![1, 3], vec![2, 4], vec![0, 3]];
        let routes = routes(&neighbours, &[true; 5], &[0, 3]);
        assert_eq!(routes[0].toward(Address::of_node(3)), Some(1));
        assert_eq!(routes[3].toward(Address::of_node(0)), Some(1));
        assert_eq!(routes[1].toward(Address::of_node(3)), Some(1));
        assert_eq!(routes[2].toward(Address::of_node(0)), Some(0));
        assert_eq!(routes[0].toward(Address::of_node(0)), None);
        assert_eq!(routes[0].toward(Address::of_node(2)), None);
    }

    #[test]
    fn no_path_leads_through_a_host_that_does_not_forward() {
        // The short cut of the test above is node 4.
        let neighbours = [vec![1, 4], vec![0, 2], vec![1, 3], vec![2, 4], vec![0, 3]];
        let routes = routes(&neighbours, &[false, true, true, false, false], &[0, 3]);
        assert_eq!(routes[0].toward(Address::of_node(3)), Some(0));
        assert_eq!(routes[3].toward(Address::of_node(0)), Some(0));
        // It reaches its own neighbours all the same.
        assert_eq!(routes[4].toward(Address::of_node(3)), Some(1));
    }
}
