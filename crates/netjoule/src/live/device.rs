//! The TUN device on the command line.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use netjoule_live::{Subnet, tun};

/// How many packets of the kernel's wait for us: more than any window has.
const QUEUE: u32 = 4096;

/// The TUN device.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Device")]
pub(crate) struct DeviceArgs {
    /// Name of the TUN device; the kernel's choice unless given
    #[arg(long, value_name = "NAME")]
    tun: Option<String>,

    /// Address of our TCP, up to one of each family [default: host 2 of the subnets below]
    #[arg(long, value_name = "ADDRESS")]
    address: Vec<IpAddr>,

    /// Address of the kernel on the device with its prefix, up to one of each family [default:
    /// 10.77.N.1/24 and fd77:0:0:N::1/64, where N is 0 for recv, 1 for send, 2 for forward]
    #[arg(long, value_name = "ADDRESS/PREFIX")]
    gateway: Vec<Subnet>,

    /// Largest IP packet of the device in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 1500,
          value_parser = clap::value_parser!(u32).range(68..=65_535))]
    pub(crate) mtu: u32,
}

/// Which subnet a command has unless told otherwise: each its own, so that they
/// can talk to each other through the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Recv = 0,
    Send = 1,
    Forward = 2,
}

impl Place {
    /// The subnets, with the kernel's address in them.
    fn subnets(self) -> Vec<Subnet> {
        let place = self as u8;
        vec![
            Subnet { address: Ipv4Addr::new(10, 77, place, 1).into(), prefix: 24 },
            Subnet {
                address: Ipv6Addr::new(0xfd77, 0, 0, place.into(), 0, 0, 0, 1).into(),
                prefix: 64,
            },
        ]
    }
}

impl DeviceArgs {
    /// The device's settings.
    pub(crate) fn config(&self, place: Place) -> Result<tun::Config, String> {
        let kernel = if self.gateway.is_empty() { place.subnets() } else { self.gateway.clone() };
        let addresses = if self.address.is_empty() {
            kernel.iter().map(second_host).collect()
        } else {
            self.address.clone()
        };
        let kernels: Vec<IpAddr> = kernel.iter().map(|subnet| subnet.address).collect();
        one_of_each("--gateway", &kernels)?;
        one_of_each("--address", &addresses)?;
        if let Some(both) = addresses.iter().find(|address| kernels.contains(address)) {
            return Err(format!("{both} cannot be the kernel's address and ours"));
        }
        // What the device cannot carry is not ours either.
        let carried = |address: &IpAddr| address.is_ipv4() || self.mtu >= tun::LEAST_IPV6_MTU;
        let addresses = addresses.into_iter().filter(carried).collect();
        Ok(tun::Config { name: self.tun.clone(), kernel, addresses, mtu: self.mtu, queue: QUEUE })
    }
}

fn one_of_each(flag: &str, addresses: &[IpAddr]) -> Result<(), String> {
    let v4 = addresses.iter().filter(|address| address.is_ipv4()).count();
    if v4 > 1 || addresses.len() - v4 > 1 {
        return Err(format!("{flag}: expected at most one IPv4 and one IPv6 address"));
    }
    Ok(())
}

/// The next address after the kernel's.
fn second_host(subnet: &Subnet) -> IpAddr {
    match subnet.address {
        IpAddr::V4(address) => Ipv4Addr::from_bits(address.to_bits() ^ 3).into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() ^ 3).into(),
    }
}
