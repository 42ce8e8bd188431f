//! The four values that name a connection.

use core::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The addresses and ports of a connection's two ends. IPv4 addresses are
/// those of `::ffff:0:0/96` (RFC 4291 section 2.5.5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuple {
    local: u128,
    remote: u128,
    /// This host's and the other's.
    ports: u32,
}

#[expect(clippy::cast_possible_truncation, reason = "parts of words")]
impl Tuple {
    /// The connection between `local` and `remote`.
    #[must_use]
    pub const fn new(local: SocketAddr, remote: SocketAddr) -> Self {
        let addresses = (mapped(local.ip()), mapped(remote.ip()));
        Self::of(addresses, (local.port(), remote.port()))
    }

    /// The connection between these addresses and ports, this host's first.
    #[inline]
    #[must_use]
    pub const fn of(
        (local, remote): (Ipv6Addr, Ipv6Addr),
        (local_port, remote_port): (u16, u16),
    ) -> Self {
        Self {
            local: local.to_bits(),
            remote: remote.to_bits(),
            ports: (local_port as u32) << 16 | remote_port as u32,
        }
    }

    /// This host's end.
    #[must_use]
    pub const fn local(&self) -> SocketAddr {
        SocketAddr::new(Ipv6Addr::from_bits(self.local).to_canonical(), self.local_port())
    }

    /// The other end.
    #[must_use]
    pub const fn remote(&self) -> SocketAddr {
        let port = self.ports as u16;
        SocketAddr::new(Ipv6Addr::from_bits(self.remote).to_canonical(), port)
    }

    /// The port on this host.
    #[must_use]
    pub const fn local_port(&self) -> u16 {
        (self.ports >> 16) as u16
    }

    /// The same between another port of this host and the other end.
    pub(crate) const fn with_local_port(self, port: u16) -> Self {
        Self { ports: (port as u32) << 16 | self.ports & 0xffff, ..self }
    }

    /// All of it in five words, for hashing.
    #[inline]
    #[must_use]
    pub const fn words(&self) -> [u64; 5] {
        [
            (self.local >> 64) as u64,
            self.local as u64,
            (self.remote >> 64) as u64,
            self.remote as u64,
            self.ports as u64,
        ]
    }
}

/// `address` as one of IPv6.
#[inline]
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
