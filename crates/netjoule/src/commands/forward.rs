//! `netjoule forward`

use std::io::Write;
use std::net::{Ipv6Addr, SocketAddr, TcpListener};

use netjoule_live::apps::{Forwarder, Side};

use crate::failure::Failure;
use crate::live::{Place, SessionArgs};

/// Connections that may wait to be accepted.
const BACKLOG: usize = 128;

/// Carries connections of other programs through our own TCP
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Address and port at which the kernel listens for programs, or a port of our TCP with
    /// --reverse (its address is any of ours)
    listen: SocketAddr,

    /// Address and port that our TCP connects to, or the kernel with --reverse
    target: SocketAddr,

    /// Our TCP listens, and the kernel connects to the target
    #[arg(long)]
    reverse: bool,

    /// Ends after so many connections
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    connections: Option<u64>,

    #[command(flatten)]
    session: SessionArgs,
}

const EXAMPLES: &str = "\
Examples:
  In a shell of `netjoule netns`: curl fetches over our TCP from a web server that uses the kernel's.
    python3 -m http.server 8000 &
    netjoule forward 127.0.0.1:8080 10.77.2.1:8000 &
    curl http://127.0.0.1:8080/

  The web server is reached over our TCP, which answers for 10.77.2.2:
    python3 -m http.server 8000 &
    netjoule forward --reverse 10.77.2.2:80 127.0.0.1:8000 &
    curl http://10.77.2.2/

  iperf3 with its data and control connections:
    iperf3 -s &
    netjoule forward 127.0.0.1:5202 10.77.2.1:5201 &
    iperf3 -c 127.0.0.1 -p 5202";

pub(crate) fn execute(args: &Args, out: &mut impl Write) -> Result<(), Failure> {
    let mut session = args.session.open(Place::Forward)?;
    let variant = args.session.knobs.variant();
    let side = if args.reverse {
        let ours = session.address_like(args.listen.ip());
        let local = if args.listen.ip().is_unspecified() {
            SocketAddr::new(Ipv6Addr::UNSPECIFIED.into(), args.listen.port())
        } else {
            args.listen
        };
        let listener =
            session.stack.listen(local, variant, &session.options, BACKLOG).map_err(|error| {
                let hint = ours.map_or(String::new(), |ours| format!(" (ours is {ours})"));
                Failure::Input(format!("cannot listen: {error}{hint}"))
            })?;
        Side::Ours { listener, target: args.target }
    } else {
        let listener = TcpListener::bind(args.listen).map_err(|error| {
            Failure::Input(format!("cannot listen on {}: {error}", args.listen))
        })?;
        let options = Box::new(session.options.clone());
        Side::Kernel { listener, target: args.target, variant, options }
    };
    let mut forwarder = Forwarder::new(side, args.connections)?;
    session.driver.run(&mut session.stack, &mut forwarder, |_| {})?;
    let tally = forwarder.tally();
    writeln!(
        out,
        "{} connections: {} finished, {} broken off; {} bytes into our TCP, {} out of it",
        tally.accepted, tally.finished, tally.broken, tally.bytes_in, tally.bytes_out
    )?;
    Ok(())
}
