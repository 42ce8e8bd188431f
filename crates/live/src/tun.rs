//! A TUN device: the kernel on one side, our stack on the other.

use core::net::IpAddr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use tun_rs::{DeviceBuilder, SyncDevice};

use crate::netlink::Netlink;
use crate::{Error, Subnet};

/// The least MTU with which the kernel speaks IPv6 on a device (RFC 8200
/// section 5).
pub const LEAST_IPV6_MTU: u32 = 1280;

/// Settings of a device.
#[derive(Clone, Debug)]
pub struct Config {
    /// Its name; one of the kernel's choice without.
    pub name: Option<String>,
    /// What the kernel calls itself there, at most one of each family. Those
    /// of IPv6 are left out if the MTU is too small for it.
    pub kernel: Vec<Subnet>,
    /// The addresses that our stack answers for.
    pub addresses: Vec<IpAddr>,
    /// The largest packet in bytes, 68 to 65535.
    pub mtu: u32,
    /// How many packets of the kernel's wait for us before it drops more.
    pub queue: u32,
}

/// A TUN device that is up. It goes when it is dropped.
pub struct Device {
    device: SyncDevice,
    name: String,
}

impl Device {
    /// Makes the device with its addresses and routes.
    ///
    /// # Errors
    /// If that is not allowed, or the name or an address is taken.
    pub fn open(config: &Config) -> Result<Self, Error> {
        let mut builder = DeviceBuilder::new().enable(false);
        if let Some(name) = &config.name {
            builder = builder.name(name);
        }
        let called = config.name.as_ref().map_or(String::new(), |name| format!(" {name}"));
        let made = builder.build_sync().and_then(|device| {
            device.set_nonblocking(true)?;
            let name = device.name()?;
            Ok(Self { device, name })
        });
        let this = made.map_err(|error| {
            Error::new(format!("make the TUN device{called}"), error).if_denied(
                "inside `netjoule netns` users may, if they may read and write /dev/net/tun",
            )
        })?;
        this.set_up(config)?;
        Ok(this)
    }

    fn set_up(&self, config: &Config) -> Result<(), Error> {
        let mut netlink = Netlink::open()?;
        let index = Netlink::index(&self.name)?;
        netlink.set_size(index, config.mtu, config.queue)?;
        netlink.set_up(index)?;
        let carried = |address: IpAddr| address.is_ipv4() || config.mtu >= LEAST_IPV6_MTU;
        for subnet in config.kernel.iter().filter(|subnet| carried(subnet.address)) {
            netlink.add_address(index, subnet)?;
        }
        let near = |address| config.kernel.iter().any(|subnet| subnet.contains(address));
        let far = config.addresses.iter().filter(|address| carried(**address) && !near(**address));
        far.copied().try_for_each(|address| netlink.add_route(index, address))
    }

    /// What the system calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads the next packet from the kernel into `packet` and says how long it
    /// is; nothing if there is none.
    ///
    /// # Errors
    /// If the device is gone or down.
    pub fn receive(&self, packet: &mut [u8]) -> io::Result<Option<usize>> {
        loop {
            match self.device.recv(packet) {
                Ok(length) => return Ok(Some(length)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Gives `packet` to the kernel, and says whether it took it.
    ///
    /// # Errors
    /// If the device is gone or down.
    pub fn send(&self, packet: &[u8]) -> io::Result<bool> {
        loop {
            match self.device.send(packet) {
                Ok(_) => return Ok(true),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // A packet whose version was changed on the way is no packet
                // to the kernel.
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Ok(false),
                Err(error) => return Err(error),
            }
        }
    }
}

impl AsFd for Device {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.device.as_fd()
    }
}
