use core::net::SocketAddr;
use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

fn tuple(number: u32) -> Tuple {
    let [_, net, host, port] = number.to_be_bytes();
    let remote = SocketAddr::new([192, 168, net, host].into(), 1024 + u16::from(port));
    Tuple::new("10.0.0.1:80".parse().unwrap(), remote)
}

#[test]
fn the_connection_found_last_is_a_hit() {
    let mut table = Chains::fixed(&[7; 16], 1);
    for number in 0..3 {
        table.insert(tuple(number), number);
    }
    assert_eq!(table.find(&tuple(1)), Found::Miss(1));
    assert_eq!(table.find(&tuple(1)), Found::Hit(1));
    assert_eq!(table.find(&tuple(9)), Found::Absent);
    assert!(table.contains(&tuple(0)));
    assert_eq!(table.find(&tuple(1)), Found::Hit(1));
    table.remove(&tuple(1), 1);
    assert_eq!(table.find(&tuple(1)), Found::Absent);
    // Its number is another's now.
    table.insert(tuple(8), 1);
    assert_eq!(table.find(&tuple(1)), Found::Absent);
    assert_eq!(table.find(&tuple(8)), Found::Miss(1));
}

#[test]
fn chains_stay_short_as_connections_come() {
    let mut table = Chains::new(b"0123456789abcdef");
    for number in 0..10_000 {
        table.insert(tuple(number), number);
    }
    let mut longest = 0;
    for chain in &table.chains {
        let (mut at, mut len) = (chain.first, 0);
        while at != NONE {
            at = table.nodes[at as usize].next;
            len += 1;
        }
        longest = longest.max(len);
    }
    assert!(table.chains.len() >= 10_000);
    // 10,000 balls in 16,384 bins: a bin with 9 is a matter of 1 in 5,000.
    assert!(longest <= 9, "a chain of {longest}");
}

#[test]
fn another_key_makes_other_chains() {
    let together = |key: &[u8; 16]| {
        let table = Chains::fixed(key, 64);
        (0..2_000).filter(|number| table.chain(&tuple(*number)) == 0).collect::<Vec<_>>()
    };
    let (a, b) = (together(&[1; 16]), together(b"another key: 16."));
    assert!(a.iter().filter(|number| b.contains(number)).count() < a.len() / 4);
}

proptest! {
    #[test]
    fn agrees_with_a_map(
        steps in prop::collection::vec((any::<bool>(), 0u32..300), 1..600),
        fixed in any::<bool>(),
    ) {
        let key = b"0123456789abcdef";
        let mut table = if fixed { Chains::fixed(key, 8) } else { Chains::new(key) };
        let mut map = BTreeMap::new();
        for (insert, name) in steps {
            let free = (0..).find(|number| !map.values().any(|other| other == number)).unwrap();
            if let Some(number) = map.get(&name).copied() {
                if insert {
                    prop_assert!(matches!(
                        table.find(&tuple(name)),
                        Found::Hit(n) | Found::Miss(n) if n == number
                    ));
                } else {
                    table.remove(&tuple(name), number);
                    map.remove(&name);
                }
            } else {
                prop_assert_eq!(table.find(&tuple(name)), Found::Absent);
                table.insert(tuple(name), free);
                map.insert(name, free);
            }
            prop_assert_eq!(table.len(), map.len());
            prop_assert_eq!(table.is_empty(), map.is_empty());
            for name in map.keys() {
                prop_assert!(table.contains(&tuple(*name)));
            }
        }
    }
}
