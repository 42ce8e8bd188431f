//! Tables of connections and the traffic on them (agarwal2000 3.2).

use core::net::{IpAddr, SocketAddr};
use std::collections::HashMap;

use netjoule_stack::Tuple;
use netjoule_stack::demux::{Chains, Found};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Packets of one measured run.
pub const PACKETS: usize = 1 << 16;

/// Where to look for a connection.
pub trait Table {
    /// Its name in results.
    const NAME: &'static str;
    /// A table with `tuples`, numbered as they come.
    fn with(tuples: &[Tuple]) -> Self;
    /// The connection `tuple`, and whether a cache had it.
    fn find(&mut self, tuple: &Tuple) -> (u32, bool);
}

/// Hash chains whose number follows that of the connections.
pub struct Growing(Chains);
/// The 64 hash chains of a system of the 1990s.
pub struct Fixed(Chains);
/// A list searched from its beginning, with a cache of one entry: 4.3BSD Reno.
pub struct Flat {
    tuples: Vec<Tuple>,
    last_found: usize,
}
/// The standard library's table: SipHash-1-3, no cache.
pub struct Standard(HashMap<[u64; 5], u32>);

const KEY: &[u8; 16] = b"a key of sixteen";

fn fill(mut chains: Chains, tuples: &[Tuple]) -> Chains {
    (0..).zip(tuples).for_each(|(number, tuple)| chains.insert(*tuple, number));
    chains
}

fn look(chains: &mut Chains, tuple: &Tuple) -> (u32, bool) {
    match chains.find(tuple) {
        Found::Hit(number) => (number, true),
        Found::Miss(number) => (number, false),
        Found::Absent => unreachable!("every packet belongs to a connection"),
    }
}

impl Table for Growing {
    const NAME: &'static str = "growing chains";
    fn with(tuples: &[Tuple]) -> Self {
        Self(fill(Chains::new(KEY), tuples))
    }
    #[inline]
    fn find(&mut self, tuple: &Tuple) -> (u32, bool) {
        look(&mut self.0, tuple)
    }
}

impl Table for Fixed {
    const NAME: &'static str = "64 chains";
    fn with(tuples: &[Tuple]) -> Self {
        Self(fill(Chains::fixed(KEY, 64), tuples))
    }
    #[inline]
    fn find(&mut self, tuple: &Tuple) -> (u32, bool) {
        look(&mut self.0, tuple)
    }
}

impl Table for Flat {
    const NAME: &'static str = "flat";
    fn with(tuples: &[Tuple]) -> Self {
        Self { tuples: tuples.to_vec(), last_found: 0 }
    }
    #[inline]
    fn find(&mut self, tuple: &Tuple) -> (u32, bool) {
        let hit = self.tuples[self.last_found] == *tuple;
        if !hit {
            let at = self.tuples.iter().position(|other| other == tuple);
            self.last_found = at.expect("every packet belongs to a connection");
        }
        (u32::try_from(self.last_found).expect("few connections"), hit)
    }
}

impl Table for Standard {
    const NAME: &'static str = "std HashMap";
    fn with(tuples: &[Tuple]) -> Self {
        Self((0..).zip(tuples).map(|(number, tuple)| (tuple.words(), number)).collect())
    }
    #[inline]
    fn find(&mut self, tuple: &Tuple) -> (u32, bool) {
        (self.0[&tuple.words()], false)
    }
}

/// How packets follow each other.
#[derive(Clone, Copy, Debug)]
pub enum Traffic {
    /// Each from any connection: the worst that can be.
    Uniform,
    /// In trains of eight on average, each of any connection.
    Trains,
}

/// Connections of a server: clients of many networks to one address and port.
#[must_use]
pub fn tuples(connections: usize) -> Vec<Tuple> {
    let mut random = Pcg64::seed_from_u64(1);
    (0..connections)
        .map(|_| {
            let address: IpAddr = random.next_u32().to_be_bytes().into();
            let remote = SocketAddr::new(address, random.random_range(1024..=u16::MAX));
            Tuple::new(SocketAddr::new([10, 0, 0, 1].into(), 80), remote)
        })
        .collect()
}

/// The connections of [`PACKETS`] packets.
#[must_use]
pub fn packets(tuples: &[Tuple], traffic: Traffic) -> Vec<Tuple> {
    let mut random = Pcg64::seed_from_u64(2);
    let mut current = tuples[0];
    (0..PACKETS)
        .map(|_| {
            let same = matches!(traffic, Traffic::Trains) && !random.random_ratio(1, 8);
            if !same {
                current = tuples[random.random_range(0..tuples.len())];
            }
            current
        })
        .collect()
}

/// Looks all `packets` up; how many of them a cache had.
pub fn find_all<T: Table>(table: &mut T, packets: &[Tuple]) -> u32 {
    packets.iter().map(|tuple| u32::from(core::hint::black_box(table.find(tuple)).1)).sum()
}
