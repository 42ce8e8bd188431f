//! `netjoule recv`

use std::fs::File;
use std::io::{self, Write};
use std::net::{Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};

use netjoule_live::apps::{Receiver, Sink};

use crate::failure::Failure;
use crate::live::{Place, Report, SessionArgs};
use crate::progress::Progress;
use crate::{json, tables};

/// ttcp's.
pub(super) const DEFAULT_PORT: u16 = 5001;

/// Connections that may wait while one is served.
const BACKLOG: usize = 16;

/// Receives over our own TCP what the next connection brings
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Port to listen on
    #[arg(long, value_name = "PORT", default_value_t = DEFAULT_PORT,
          value_parser = clap::value_parser!(u16).range(1..))]
    port: u16,

    /// File to write what is received into, - for standard output; it is forgotten without one
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Serves so many connections, one after the other
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "output",
          value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,

    /// Tells the SHA-256 of what was received
    #[arg(long)]
    hash: bool,

    /// Writes one JSON object for each connection
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    session: SessionArgs,
}

const EXAMPLES: &str = "\
Examples:
  In a shell of `netjoule netns`, from a program that uses the kernel's TCP:
    netjoule recv -o copy &
    nc -N 10.77.0.2 5001 < file

  From our own TCP, as JSON:
    netjoule recv --json &
    netjoule send 10.77.0.2 --bytes \"100 MB\"

  With an acknowledgment for every segment, and without SACK:
    netjoule recv --ack-every 1 --sack off";

pub(crate) fn execute(args: &Args, out: &mut impl Write) -> Result<(), Failure> {
    let mut session = args.session.open(Place::Recv)?;
    let local = SocketAddr::new(Ipv6Addr::UNSPECIFIED.into(), args.port);
    let variant = args.session.knobs.variant();
    let listener = session
        .stack
        .listen(local, variant, &session.options, BACKLOG)
        .map_err(|error| Failure::Input(error.to_string()))?;
    for _ in 0..args.repeat {
        let sink = sink(args.output.as_deref())?;
        let progress = Progress::of_bytes(None);
        let mut receiver = Receiver::new(listener, sink, args.hash);
        session.driver.run(&mut session.stack, &mut receiver, |receiver| {
            if let Some(transfer) = receiver.transfer() {
                progress.set_bytes(transfer.bytes);
            }
        })?;
        drop(progress);
        let Some(transfer) = receiver.transfer() else { continue };
        let report = Report::new("recv", &args.session.knobs, transfer, &session);
        // Where the content goes, the results do not.
        if args.output.as_deref() == Some(Path::new("-")) {
            conclude(&report, args.json, &mut io::stderr().lock())?;
        } else {
            conclude(&report, args.json, out)?;
            out.flush()?;
        }
    }
    Ok(())
}

fn sink(output: Option<&Path>) -> Result<Sink, Failure> {
    let Some(path) = output else { return Ok(Sink::nowhere()) };
    let sink = if path == Path::new("-") {
        Sink::stdout()
    } else {
        File::create(path).and_then(Sink::file)
    };
    sink.map_err(|error| Failure::Input(format!("cannot write {}: {error}", path.display())))
}

/// Tells what has become of a transfer, and fails if it failed.
pub(super) fn conclude(
    report: &Report,
    as_json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if as_json {
        json::lines(out, [report])?;
    } else {
        tables::transfer(out, report)?;
    }
    if report.completed {
        return Ok(());
    }
    Err(Failure::Unsuccessful(format!("the transfer failed: {}", report.end)))
}
