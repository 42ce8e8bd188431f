//! The link models of the live commands.

use netjoule_link::dot11::phy::PhyKind;
use netjoule_link::{dot11, impair, two_state};
use netjoule_live::line;
use netjoule_units::{BitRate, Bytes, Duration, Probability};

/// What happens to packets between our TCP and the device, each way.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Line between our TCP and the device, each way")]
pub(crate) struct LineArgs {
    /// Probability that a packet is lost
    #[arg(long, value_name = "P", default_value = "0")]
    loss: Probability,

    /// Probability that a packet arrives twice
    #[arg(long, value_name = "P", default_value = "0")]
    duplicate: Probability,

    /// Probability that a packet is held back, while others overtake it
    #[arg(long, value_name = "P", default_value = "0")]
    reorder: Probability,

    /// How long a packet is held back
    #[arg(long, value_name = "TIME", default_value = "10 ms")]
    reorder_delay: Duration,

    /// Probability that one bit of a packet is flipped
    #[arg(long, value_name = "P", default_value = "0")]
    corrupt: Probability,

    /// Least delay
    #[arg(long, value_name = "TIME", default_value = "0 s")]
    delay: Duration,

    /// Most that is added to the delay; packets keep their order
    #[arg(long, value_name = "TIME", default_value = "0 s")]
    jitter: Duration,

    /// Rate of the transmitter; no limit unless given
    #[arg(long, value_name = "RATE")]
    rate: Option<BitRate>,

    /// How much waits for the transmitter; a packet that does not fit is dropped
    #[arg(long, value_name = "SIZE", default_value = "1 MiB", requires = "rate")]
    queue: Bytes,

    /// Mean time that a two-state channel, shared by both ways, loses nothing
    #[arg(long, value_name = "TIME", requires = "mean_bad")]
    mean_good: Option<Duration>,

    /// Mean time that it loses everything
    #[arg(long, value_name = "TIME", requires = "mean_good")]
    mean_bad: Option<Duration>,

    /// A shared medium: our TCP is one station and the device the other
    #[arg(long, value_name = "PHY", value_parser = phy)]
    air: Option<PhyKind>,

    /// Rate of the stations' data frames; the highest of the PHY unless given
    #[arg(long, value_name = "RATE", requires = "air")]
    air_rate: Option<BitRate>,

    /// Frames longer than this are preceded by RTS and CTS
    #[arg(long, value_name = "SIZE", default_value = "65535 B", requires = "air")]
    rts_threshold: Bytes,

    /// Packets that a station may send in one frame; 802.11n only
    #[arg(long, value_name = "N", default_value_t = 1, requires = "air")]
    aggregation: u32,

    /// Seed of all draws
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl LineArgs {
    /// The line's settings, for packets of `mtu` bytes.
    pub(crate) fn config(&self, mtu: u32) -> Result<line::Config, String> {
        let each_way = impair::Config {
            loss: self.loss,
            duplicate: self.duplicate,
            reorder: self.reorder,
            reorder_delay: self.reorder_delay,
            corrupt: self.corrupt,
            delay: self.delay,
            jitter: self.jitter,
            rate: self.rate,
            queue: if self.rate.is_some() { self.queue } else { Bytes::MAX },
        };
        let channel = self.mean_good.zip(self.mean_bad).map(|(mean_good, mean_bad)| {
            two_state::Config { mean_good, mean_bad, ..two_state::Config::default() }
        });
        if self.mean_good.is_some_and(Duration::is_zero) {
            return Err("--mean-good: expected a time above zero".into());
        }
        // The time that a packet is held back is nothing without such packets.
        let each_way = if self.reorder.is_zero() {
            impair::Config { reorder_delay: impair::Config::default().reorder_delay, ..each_way }
        } else {
            each_way
        };
        let air = self.air.map(|phy| self.medium(phy, mtu)).transpose()?;
        Ok(line::Config { each_way, channel, air, seed: self.seed })
    }

    /// The settings of a shared medium.
    fn medium(&self, phy: PhyKind, mtu: u32) -> Result<dot11::Config, String> {
        if mtu > LARGEST_MTU {
            return Err(format!(
                "--mtu {mtu}: expected at most {LARGEST_MTU} with --air, what a frame of 802.11 \
                 carries behind LLC and SNAP"
            ));
        }
        let modes = phy.phy().modes.iter().map(|mode| mode.rate);
        let highest = modes.max().unwrap_or_else(|| dot11::Config::default().rate);
        let config = dot11::Config {
            phy,
            rate: self.air_rate.unwrap_or(highest),
            rts_threshold: self.rts_threshold,
            aggregation: self.aggregation,
            ..dot11::Config::default()
        };
        config.validate().map_err(|wrong| {
            let wrong = wrong.iter().map(|(key, expected)| match *key {
                "rate" => format!("--air-rate: expected {expected}"),
                key => format!("--{}: expected {expected}", key.replace('_', "-")),
            });
            wrong.collect::<Vec<_>>().join("; ")
        })?;
        Ok(config)
    }
}

/// The longest IP packet in a frame: an MSDU of 2304 bytes less LLC and SNAP.
const LARGEST_MTU: u32 = 2_296;

/// A physical layer by its name.
fn phy(name: &str) -> Result<PhyKind, String> {
    let known = PhyKind::ALL.map(|kind| kind.phy().name);
    let found = PhyKind::ALL.into_iter().find(|kind| kind.phy().name == name);
    found.ok_or_else(|| format!("expected one of {}", known.join(", ")))
}
