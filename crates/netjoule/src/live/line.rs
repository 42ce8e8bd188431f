//! The link models of the live commands.

use netjoule_link::{impair, two_state};
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

    /// Seed of all draws
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl LineArgs {
    /// The line's settings.
    pub(crate) fn config(&self) -> Result<line::Config, String> {
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
        Ok(line::Config { each_way, channel, seed: self.seed })
    }
}
