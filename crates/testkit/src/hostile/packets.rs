//! Packets of any bytes.

use netjoule_wire::checksum::Sum;
use netjoule_wire::ip::{self, IpHeader, Protocol};
use netjoule_wire::{icmp, packet, tcp};

/// Reads `bytes` as a packet, in every format that takes it.
///
/// # Panics
/// If a parser does, or what it makes of a segment does not read back as the
/// same once it is written.
pub fn read(bytes: &[u8]) {
    // What simulated packets are made of takes part of what hosts do.
    let _ = packet::parse(bytes);
    if let Ok((header, payload)) = ip::parse(bytes) {
        assert!(payload.len() <= bytes.len());
        read_payload(&header, payload);
    }
    // Without the luck of a right checksum.
    rewrite(bytes);
}

fn read_payload(header: &IpHeader, payload: &[u8]) {
    match header.protocol {
        Protocol::Tcp => {
            let _ = tcp::parse(payload, header.pseudo());
            rewrite(payload);
        }
        Protocol::Icmp | Protocol::Icmpv6 => {
            let _ = icmp::parse(payload, header);
        }
        Protocol::Other(_) => {}
    }
}

/// A segment that was read, written and read again is the same.
fn rewrite(bytes: &[u8]) {
    let Ok((segment, _, payload)) = tcp::read(bytes) else { return };
    assert!(segment.len as usize == payload.len());
    let header = segment.header_len() as usize;
    if header > 60 {
        // Options that fit only in another order, or with other padding.
        return;
    }
    let mut written = vec![0; header + payload.len()];
    written[header..].copy_from_slice(payload);
    tcp::emit(&segment, Sum::default(), Sum::of(payload), &mut written[..header]);
    let (again, same_payload) =
        tcp::parse(&written, Sum::default()).expect("what was written is well formed");
    assert_eq!(again, segment);
    assert_eq!(same_payload, payload);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn no_bytes_break_a_parser(mut bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            read(&bytes);
            // Something that looks like a packet.
            if bytes.len() >= 20 {
                bytes[0] = 0x45;
                bytes[9] = if bytes[1] & 1 == 0 { 6 } else { 1 };
                read(&bytes);
            }
        }
    }
}
