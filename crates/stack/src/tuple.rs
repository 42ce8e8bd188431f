//! The four values that name a connection.

use core::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The addresses and ports of a connection's two ends. IPv4 addresses are
/// those of `::ffff:0:0/96` (RFC 4291 section 2.5.5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuple {
    /// This host's address.
    pub local: Ipv6Addr,
    /// The other end's address.
    pub remote: Ipv6Addr,
    /// The port on this host.
    pub local_port: u16,
    /// The other end's port.
    pub remote_port: u16,
}

impl Tuple {
    /// The connection between `local` and `remote`.
    #[must_use]
    pub fn new(local: SocketAddr, remote: SocketAddr) -> Self {
        Self {
            local: mapped(local.ip()),
            remote: mapped(remote.ip()),
            local_port: local.port(),
            remote_port: remote.port(),
        }
    }

    /// This host's end.
    #[must_use]
    pub const fn local(&self) -> SocketAddr {
        SocketAddr::new(self.local.to_canonical(), self.local_port)
    }

    /// The other end.
    #[must_use]
    pub const fn remote(&self) -> SocketAddr {
        SocketAddr::new(self.remote.to_canonical(), self.remote_port)
    }

    /// Both ports in one word.
    pub(crate) const fn ports(&self) -> u32 {
        (self.local_port as u32) << 16 | self.remote_port as u32
    }

    /// All of it in five words, for hashing.
    #[must_use]
    pub const fn words(&self) -> [u64; 5] {
        let (local, remote) = (self.local.to_bits(), self.remote.to_bits());
        [(local >> 64) as u64, low(local), (remote >> 64) as u64, low(remote), self.ports() as u64]
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half is what is wanted")]
const fn low(address: u128) -> u64 {
    address as u64
}

/// `address` as one of IPv6.
pub(crate) const fn mapped(address: IpAddr) -> Ipv6Addr {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped(),
        IpAddr::V6(address) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_both_families_come_back() {
        for (local, remote) in
            [("10.0.0.1:80", "192.0.2.7:50000"), ("[fd00::1]:80", "[2001:db8::7]:50000")]
        {
            let (local, remote) = (local.parse().unwrap(), remote.parse().unwrap());
            let tuple = Tuple::new(local, remote);
            assert_eq!((tuple.local(), tuple.remote()), (local, remote));
            assert_eq!(tuple.words()[4], 80 << 16 | 50_000);
        }
    }
}
