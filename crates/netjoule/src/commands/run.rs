//! `netjoule run`

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use netjoule_net::{ConnectionOutcome, Outcome, Stop};
use netjoule_scenario::{Override, Scenario};
use netjoule_trace::{Nobody, Pcap, PendingFile, Recorder};

use crate::failure::Failure;
use crate::input::ScenarioArgs;
use crate::{json, tables};

mod recording;

/// Runs a scenario once
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    scenario: ScenarioArgs,

    /// Seed of all random draws, in place of the scenario's
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Records the run in DIR: a two-column file for each attribute, the event trace in
    /// events.txt, and what else the scenario's `trace` table asks for
    #[arg(long, value_name = "DIR")]
    trace: Option<PathBuf>,

    /// Writes every packet, as its sender sends it, to FILE in pcapng, for Wireshark
    #[arg(long, value_name = "FILE")]
    pcap: Option<PathBuf>,

    /// Writes to the file of --pcap what this node sends and gets, as a capture on it would
    #[arg(long, value_name = "NODE", requires = "pcap")]
    pcap_at: Option<String>,

    /// Makes every packet into bytes and reads it again at every hop; results stay as they are
    #[arg(long)]
    wire_fidelity: bool,

    /// Writes one JSON object per connection, one per node with a device and one for the run
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  The same scenario over another course of the channel:
    netjoule run base.toml --seed 7

  Refined ICMP over a channel that is BAD for longer:
    netjoule run base.toml --set tcp.variant=refined-icmp --set \"link.102.channel.mean_bad=500 ms\"

  Record a run for gnuplot:
    netjoule run base.toml --trace traces

  Record a whole connection, from SYN to FIN, for Wireshark:
    netjoule run --set tcp.handshake=true --pcap run.pcapng";

/// Failed connections that are told one by one.
const MOST_FAILURES: usize = 10;

/// A run that is over.
pub(crate) struct Finished<'s> {
    pub(crate) scenario: &'s Scenario,
    pub(crate) seed: u64,
    pub(crate) outcome: Outcome,
    pub(crate) wall_time: Duration,
}

pub(crate) fn execute(args: &Args, out: &mut impl Write) -> Result<(), Failure> {
    let scenario = args.load()?;
    let seed = args.seed.unwrap_or(scenario.run.seed);
    let start = now();
    let outcome = if args.trace.is_some() || args.pcap.is_some() {
        recorded(&scenario, seed, args)?
    } else {
        netjoule_net::run(&scenario, seed, &mut Nobody)
    };
    let finished = Finished { scenario: &scenario, seed, outcome, wall_time: start.elapsed() };
    if args.json {
        json::run(out, &finished)?;
    } else {
        tables::run(out, &finished)?;
    }
    complete(&finished)
}

#[expect(clippy::disallowed_methods, reason = "wall time is measured here, outside of the run")]
fn now() -> Instant {
    Instant::now()
}

impl Args {
    fn load(&self) -> Result<Scenario, Failure> {
        let wire_fidelity = "run.wire_fidelity=true".parse::<Override>();
        let more: Vec<_> = wire_fidelity.into_iter().filter(|_| self.wire_fidelity).collect();
        self.scenario.load_with(&more)
    }
}

/// Runs `scenario` and records it in the files that `args` asks for.
fn recorded(scenario: &Scenario, seed: u64, args: &Args) -> Result<Outcome, Failure> {
    let names = recording::names(scenario);
    let capture = |path| {
        let vantage = recording::vantage(scenario, &names, args.pcap_at.as_deref())?;
        Ok::<_, Failure>((vantage, path))
    };
    let capture = args.pcap.as_deref().map(capture).transpose()?;
    let record = |directory| recording::trace(scenario, &names, directory);
    let trace = args.trace.as_deref().map(record).transpose()?;
    // The file may be in the directory of the trace.
    let open = |(vantage, path)| recording::pcap(&names, vantage, path);
    let mut observers = (trace, capture.map(open).transpose()?);
    let outcome = netjoule_net::run(scenario, seed, &mut observers);
    let (trace, pcap) = observers;
    let pcap = pcap.map(Pcap::finish).transpose()?;
    trace.map_or(Ok(()), Recorder::finish)?;
    pcap.map_or(Ok(()), PendingFile::commit)?;
    Ok(outcome)
}

/// Fails for a run that stopped before its transfers were complete.
fn complete(finished: &Finished<'_>) -> Result<(), Failure> {
    let Finished { scenario, outcome, .. } = finished;
    let reason = match outcome.stop {
        Stop::Complete | Stop::Depleted => return Ok(()),
        Stop::Closed => return Err(Failure::Unsuccessful(failures(finished).join("\n"))),
        Stop::TimeLimit => format!("at its run.time_limit ({})", scenario.run.time_limit),
        Stop::EventBudget => format!(
            "at its run.event_budget ({} events in a part of the network that no link connects \
             to the rest)",
            scenario.run.event_budget
        ),
        Stop::Idle => "because nothing would ever happen any more,".into(),
    };
    let incomplete = outcome.connections.iter().filter(|c| c.completion_time.is_none()).count();
    let stopped = format!(
        "the run stopped {reason} with {incomplete} of {} transfers incomplete",
        outcome.connections.len()
    );
    let lines: Vec<_> = [stopped].into_iter().chain(failures(finished)).collect();
    Err(Failure::Unsuccessful(lines.join("\n")))
}

/// What has ended connections before their transfers were complete, at most
/// [`MOST_FAILURES`] of them.
fn failures(finished: &Finished<'_>) -> Vec<String> {
    let Finished { scenario, outcome, .. } = finished;
    let connections = outcome.connections.iter().zip(&scenario.connections).enumerate();
    let deaths = outcome.nodes.iter().filter_map(|node| {
        let (name, died) = (&scenario.nodes[node.node].name, node.died?);
        Some(format!("the battery of {name} was empty after {:.3} s", died.as_secs_f64()))
    });
    let closed = connections.filter(|(_, (of, _))| of.completion_time.is_none()).filter_map(
        |(index, (of, connection))| {
            let [from, to] = [connection.from, connection.to].map(|it| &scenario.nodes[it].name);
            let (cause, delivered) = (of.closed?, of.bytes_delivered);
            Some(format!(
                "connection {index} ({from} → {to}) closed: {cause}, with {delivered} of {} \
                 delivered",
                connection.transfer
            ))
        },
    );
    let mut lines: Vec<_> = deaths.chain(closed).collect();
    let more = lines.len().saturating_sub(MOST_FAILURES);
    if more > 0 {
        lines.truncate(MOST_FAILURES);
        lines.push(format!("and {more} more"));
    }
    lines
}

/// ICMP messages among all packets of a connection; zero if there are none.
#[expect(clippy::cast_precision_loss, reason = "counts of a run are far below 2^53")]
pub(crate) fn icmp_share_percent(connection: &ConnectionOutcome) -> f64 {
    let notices = connection.notices.sent;
    let packets = connection.data.sent + connection.acks.sent + connection.control.sent + notices;
    if packets == 0 { 0.0 } else { 100.0 * notices as f64 / packets as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_says_why_it_stopped() {
        let scenario = ScenarioArgs::built_in().load().unwrap();
        let told = |stop| {
            let outcome = Outcome {
                connections: Vec::new(),
                nodes: Vec::new(),
                stop,
                end: scenario.connections[0].start,
                events: 0,
                fingerprint: 0,
            };
            let wall_time = Duration::ZERO;
            complete(&Finished { scenario: &scenario, seed: 1, outcome, wall_time })
                .map_err(|failure| failure.to_string())
        };
        assert_eq!(told(Stop::Complete), Ok(()));
        assert_eq!(told(Stop::Depleted), Ok(()), "that was asked for");
        for (stop, expected) in [
            (Stop::TimeLimit, "at its run.time_limit (86400 s) with 0"),
            (Stop::EventBudget, "at its run.event_budget (1000000000000 events in a part"),
            (Stop::Idle, "because nothing would ever happen any more, with 0"),
        ] {
            let told = told(stop).unwrap_err();
            assert!(told.contains(expected), "{told}");
        }
    }
}
