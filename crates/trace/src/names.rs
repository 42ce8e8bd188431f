//! What nodes and links are called.

use std::borrow::Cow;

use netjoule_wire::{Address, FIRST_PORT};

use crate::{LinkIndex, NodeIndex};

/// The names of a scenario's nodes and links, by index. The address of a node
/// is [`Address::of_node`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Each node's name.
    pub nodes: Vec<String>,
    /// Each link.
    pub links: Vec<LinkNames>,
}

/// What is known of a link by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkNames {
    /// Its name.
    pub name: String,
    /// The nodes at its ends.
    pub between: [NodeIndex; 2],
    /// Whether it has a channel whose state can be traced.
    pub wireless: bool,
}

/// What stands for a name that the scenario does not have.
const UNKNOWN: &str = "?";

impl Names {
    /// The name of a node.
    #[must_use]
    pub fn node(&self, node: NodeIndex) -> &str {
        self.nodes.get(node).map_or(UNKNOWN, String::as_str)
    }

    /// What a host's connection is called: as the host if it is its first, as
    /// in goel1997, and with its port if not: `211.1025`.
    #[must_use]
    pub fn connection(&self, node: NodeIndex, port: u16) -> Cow<'_, str> {
        let node = self.node(node);
        if port == FIRST_PORT { node.into() } else { format!("{node}.{port}").into() }
    }

    /// The name of the host at `address`.
    #[must_use]
    pub fn host(&self, address: Address) -> &str {
        address.node().map_or(UNKNOWN, |node| self.node(node))
    }

    /// The name of a link.
    #[must_use]
    pub fn link(&self, link: LinkIndex) -> &str {
        self.links.get(link).map_or(UNKNOWN, |link| link.name.as_str())
    }

    /// The names of the nodes at a link's ends.
    #[must_use]
    pub fn ends(&self, link: LinkIndex) -> [&str; 2] {
        self.links.get(link).map_or([UNKNOWN; 2], |link| link.between.map(|end| self.node(end)))
    }

    /// The links that have a channel.
    pub fn wireless(&self) -> impl Iterator<Item = LinkIndex> {
        (0..self.links.len()).filter(|&link| self.links[link].wireless)
    }
}
