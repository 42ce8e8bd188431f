//! What a host is.

use core::net::IpAddr;
use core::ops::Range;

use netjoule_units::Bytes;

/// The settings of a host; those of a connection are `transport`'s `Options`.
#[derive(Clone, Debug)]
pub struct Config {
    /// The addresses that are its own. Packets to others are not for it.
    pub addresses: Vec<IpAddr>,
    /// The largest IP packet of its interface in bytes, 68 to 65535.
    pub mtu: u32,
    /// The key of initial sequence numbers, timestamps and lookup (RFC 6528
    /// section 3): unknown to others, the same for the life of the host.
    pub secret: [u8; 16],
    /// The ports from which connections get theirs (RFC 6335 section 6).
    pub ephemeral_ports: Range<u16>,
    /// How many connections there can be, those in TIME-WAIT included.
    pub max_connections: usize,
    /// How many hash chains connections are looked up in, a power of two;
    /// `None` for as many as there are connections.
    pub lookup_chains: Option<usize>,
    /// How much an application can write before it is acknowledged, for each
    /// connection; less than 1 GiB.
    pub send_buffer: Bytes,
}

impl Config {
    /// A host with `addresses` on an Ethernet: 1500 bytes, ports from 49152 up,
    /// 65536 connections with send buffers of 256 KiB.
    #[must_use]
    pub const fn new(addresses: Vec<IpAddr>, secret: [u8; 16]) -> Self {
        Self {
            addresses,
            mtu: 1500,
            secret,
            ephemeral_ports: 49_152..65_535,
            max_connections: 65_536,
            lookup_chains: None,
            send_buffer: Bytes::from_kib(256),
        }
    }
}
