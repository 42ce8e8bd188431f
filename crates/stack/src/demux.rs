//! Which connection a segment belongs to.
//!
//! Hash chains, each with a cache of the connection found last (agarwal2000
//! 3.2, after McKenney and Dove 1992). The number of chains follows that of the
//! connections, or is fixed as in the systems that the papers measured.

use crate::tuple::Tuple;

/// No connection.
const NONE: u32 = u32::MAX;
/// Chains of an empty table.
const LEAST_CHAINS: usize = 16;

/// The connections of a host by their four-tuples.
#[derive(Clone, Debug)]
pub struct Chains {
    key: [u64; 2],
    /// A power of two of them.
    chains: Vec<Chain>,
    /// By the number of the connection.
    nodes: Vec<Node>,
    len: usize,
    grows: bool,
}

/// How a connection was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It is the one that was found last in its chain.
    Hit(u32),
    /// It was searched for, and found.
    Miss(u32),
    /// There is no such connection.
    Absent,
}

#[derive(Clone, Copy, Debug)]
struct Chain {
    last_found: u32,
    first: u32,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    tuple: Tuple,
    next: u32,
}

impl Chains {
    /// No connections. Whoever does not know `key` cannot choose connections
    /// that share a chain.
    #[must_use]
    pub fn new(key: &[u8; 16]) -> Self {
        Self::with(key, LEAST_CHAINS, true)
    }

    /// The same with a number of chains that stays what it is.
    ///
    /// # Panics
    /// If it is not a power of two.
    #[must_use]
    pub fn fixed(key: &[u8; 16], chains: usize) -> Self {
        assert!(chains.is_power_of_two(), "{chains} chains: expected a power of two");
        Self::with(key, chains, false)
    }

    fn with(key: &[u8; 16], chains: usize, grows: bool) -> Self {
        let (low, high) = key.split_at(8);
        let word =
            |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        Self {
            key: [word(low), word(high)],
            chains: vec![Chain::EMPTY; chains],
            nodes: Vec::new(),
            len: 0,
            grows,
        }
    }

    /// How many connections there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Enters the connection `number`, which must not be in use, under `tuple`,
    /// which must not be there.
    pub fn insert(&mut self, tuple: Tuple, number: u32) {
        if self.grows && self.len == self.chains.len() {
            self.grow();
        }
        let index = number as usize;
        let node = Node { tuple, next: NONE };
        if index >= self.nodes.len() {
            self.nodes.resize(index + 1, node);
        }
        self.nodes[index] = node;
        self.link(number);
        self.len += 1;
    }

    /// Takes out the connection `number`, if it is there under `tuple`.
    pub fn remove(&mut self, tuple: &Tuple, number: u32) {
        let chain = self.chain(tuple);
        let next = match self.nodes.get(number as usize) {
            Some(node) if node.tuple == *tuple => node.next,
            _ => return,
        };
        if self.chains[chain].last_found == number {
            self.chains[chain].last_found = NONE;
        }
        if self.chains[chain].first == number {
            self.chains[chain].first = next;
            self.len -= 1;
            return;
        }
        let mut at = self.chains[chain].first;
        while at != NONE {
            let node = &mut self.nodes[at as usize];
            if node.next == number {
                node.next = next;
                self.len -= 1;
                return;
            }
            at = node.next;
        }
    }

    /// Looks for the connection `tuple`.
    #[inline]
    pub fn find(&mut self, tuple: &Tuple) -> Found {
        let index = self.chain(tuple);
        let Chain { last_found, first } = self.chains[index];
        if let Some(node) = self.nodes.get(last_found as usize)
            && node.tuple == *tuple
        {
            return Found::Hit(last_found);
        }
        match self.search(first, tuple) {
            Some(number) => {
                self.chains[index].last_found = number;
                Found::Miss(number)
            }
            None => Found::Absent,
        }
    }

    /// Whether there is a connection `tuple`. What was found last stays.
    #[must_use]
    pub fn contains(&self, tuple: &Tuple) -> bool {
        self.search(self.chains[self.chain(tuple)].first, tuple).is_some()
    }

    fn search(&self, mut at: u32, tuple: &Tuple) -> Option<u32> {
        while let Some(node) = self.nodes.get(at as usize) {
            if node.tuple == *tuple {
                return Some(at);
            }
            at = node.next;
        }
        None
    }

    /// Twice as many chains.
    fn grow(&mut self) {
        let old = core::mem::take(&mut self.chains);
        self.chains = vec![Chain::EMPTY; old.len() * 2];
        for chain in old {
            let mut at = chain.first;
            while at != NONE {
                let next = self.nodes[at as usize].next;
                self.link(at);
                at = next;
            }
        }
    }

    /// Puts the node `number` at the head of its chain.
    fn link(&mut self, number: u32) {
        let index = self.chain(&self.nodes[number as usize].tuple);
        let chain = &mut self.chains[index];
        self.nodes[number as usize].next = chain.first;
        chain.first = number;
    }

    /// The chain of `tuple`: two keyed products of 128 bits, folded. Not a
    /// cryptographic hash; but without the key nobody can tell which tuples
    /// meet, and with SipHash-1-3, as in the standard library's table, a lookup
    /// takes four times as long (`benches/demux.rs`).
    #[inline]
    fn chain(&self, tuple: &Tuple) -> usize {
        let [local_high, local_low, remote_high, remote_low, ports] = tuple.words();
        let [a, b] = self.key;
        let remote = fold(remote_low ^ a, remote_high ^ ports.rotate_left(32) ^ b);
        let hash = fold(remote ^ local_low, local_high ^ ports ^ a.rotate_left(32));
        #[expect(clippy::cast_possible_truncation, reason = "only the chains' bits are used")]
        let hash = hash as usize;
        hash & (self.chains.len() - 1)
    }
}

impl Chain {
    const EMPTY: Self = Self { last_found: NONE, first: NONE };
}

/// Both halves of a product, mixed.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests;
