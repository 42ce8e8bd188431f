//! A stack on its device, ready to run.

use std::net::IpAddr;
use std::path::PathBuf;

use netjoule_live::{Capture, Clock, Driver, secret, tun};
use netjoule_stack::{Config, Stack};
use netjoule_transport::cost::Counts;
use netjoule_transport::tcp::Options;
use netjoule_units::Bytes;

use super::{DeviceArgs, Knobs, LineArgs, Place};
use crate::failure::Failure;

/// What every live command can be told.
#[derive(Debug, clap::Args)]
pub(crate) struct SessionArgs {
    #[command(flatten)]
    device: DeviceArgs,

    #[command(flatten)]
    line: LineArgs,

    #[command(flatten)]
    pub(crate) knobs: Knobs,

    /// How much our TCP takes from the application before it is acknowledged
    #[arg(long, value_name = "SIZE", default_value = "1 MiB", help_heading = "Device")]
    send_buffer: Bytes,

    /// Writes every packet of our TCP into FILE, for Wireshark
    #[arg(long, value_name = "FILE", help_heading = "Device")]
    pcap: Option<PathBuf>,
}

/// A stack on its device.
pub(crate) struct Session {
    pub(crate) stack: Stack<Counts>,
    pub(crate) driver: Driver,
    pub(crate) options: Options,
}

impl SessionArgs {
    /// Makes the device and a stack on it.
    pub(crate) fn open(&self, place: Place) -> Result<Session, Failure> {
        let options = self.knobs.options(self.device.mtu)?;
        let line = self.line.config(self.device.mtu).map_err(Failure::Input)?;
        let device = self.device.config(place).map_err(Failure::Input)?;
        let mut config = Config::new(device.addresses.clone(), secret()?);
        config.mtu = device.mtu;
        config.send_buffer = self.send_buffer;
        let clock = Clock::start()?;
        let mut driver = Driver::new(tun::Device::open(&device)?, clock, &line);
        if let Some(path) = &self.pcap {
            let capture =
                Capture::create(path, driver.device().name(), &clock).map_err(|error| {
                    Failure::Input(format!("cannot write {}: {error}", path.display()))
                })?;
            driver.sniff(Box::new(capture));
        }
        Ok(Session { stack: Stack::new(config), driver, options })
    }
}

impl Session {
    /// The address of ours that is of the same family as `other`.
    pub(crate) fn address_like(&self, other: IpAddr) -> Option<IpAddr> {
        let ours = &self.stack.config().addresses;
        ours.iter().copied().find(|address| address.is_ipv4() == other.is_ipv4())
    }
}
