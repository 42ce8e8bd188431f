//! An address with its subnet.

use core::fmt;
use core::net::IpAddr;
use core::str::FromStr;

/// An address and the length of its subnet's prefix: `10.77.0.1/24`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subnet {
    /// The address.
    pub address: IpAddr,
    /// Bits of it that all hosts of the subnet share: 0 to 32 for IPv4, 0 to
    /// 128 for IPv6.
    pub prefix: u8,
}

/// A text that is not an address with its prefix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an address with the length of its prefix, such as 10.77.0.1/24 or fd77::1/64")]
pub struct SubnetError;

impl Subnet {
    /// Whether `other` is in the same subnet.
    #[must_use]
    pub fn contains(&self, other: IpAddr) -> bool {
        let common = |width: u8, a: u128, b: u128| {
            // Shifting out all bits is the same as there being none to compare.
            let rest = u32::from(width - self.prefix.min(width));
            a.checked_shr(rest).unwrap_or(0) == b.checked_shr(rest).unwrap_or(0)
        };
        match (self.address, other) {
            (IpAddr::V4(a), IpAddr::V4(b)) => common(32, a.to_bits().into(), b.to_bits().into()),
            (IpAddr::V6(a), IpAddr::V6(b)) => common(128, a.to_bits(), b.to_bits()),
            _ => false,
        }
    }
}

impl FromStr for Subnet {
    type Err = SubnetError;

    fn from_str(text: &str) -> Result<Self, SubnetError> {
        let (address, prefix) = text.split_once('/').ok_or(SubnetError)?;
        let address: IpAddr = address.parse().map_err(|_| SubnetError)?;
        let prefix = prefix.parse().map_err(|_| SubnetError)?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        if prefix <= most { Ok(Self { address, prefix }) } else { Err(SubnetError) }
    }
}

impl fmt::Display for Subnet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subnets_are_read_and_shown() {
        for text in ["10.77.0.1/24", "0.0.0.0/0", "fd77::1/64", "::1/128"] {
            assert_eq!(text.parse::<Subnet>().unwrap().to_string(), text);
        }
        for text in ["10.77.0.1", "10.77.0.1/33", "fd77::1/129", "10.77/24", "10.77.0.1/-1"] {
            assert_eq!(text.parse::<Subnet>(), Err(SubnetError), "{text}");
        }
    }

    #[test]
    fn neighbours_share_the_prefix() {
        let cases = [
            ("10.77.0.1/24", "10.77.0.200", true),
            ("10.77.0.1/24", "10.77.1.1", false),
            ("10.77.0.1/32", "10.77.0.1", true),
            ("10.77.0.1/32", "10.77.0.2", false),
            ("0.0.0.0/0", "200.1.2.3", true),
            ("fd77::1/64", "fd77::ffff:1", true),
            ("fd77::1/64", "fd77:0:0:1::1", false),
            ("::/0", "fd77::1", true),
            ("::/0", "10.0.0.1", false),
        ];
        for (subnet, address, inside) in cases {
            let subnet: Subnet = subnet.parse().unwrap();
            assert_eq!(subnet.contains(address.parse().unwrap()), inside, "{subnet} {address}");
        }
    }
}
