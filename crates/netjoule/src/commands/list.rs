//! `netjoule list`

use std::io::Write;
use std::sync::Arc;

use clap::ValueEnum;
use netjoule_energy::device::{self, Device};
use netjoule_lab::papers::PAPERS;
use netjoule_transport::tcp::VARIANTS;

use crate::failure::Failure;
use crate::{live, tables};

/// Lists what there is to choose from
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// What to list
    what: What,

    /// Of devices one, with the kind and the source of every value
    name: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// The variants of TCP
    Variants,
    /// The options of TCP: keys of a scenario's `tcp` table, flags of the live commands
    Options,
    /// Devices that a scenario's nodes can have, and what they draw
    Devices,
    /// The papers whose figures can be reproduced
    Papers,
}

const EXAMPLES: &str = "\
Examples:
  The variants that `compare` and scenarios know:
    netjoule list variants

  Every knob of a connection, with its default today and in plain TCP:
    netjoule list options

  What the laptop of agarwal2000 draws, and who says so:
    netjoule list devices wavelan-p90";

pub(crate) fn execute(args: &Args, out: &mut impl Write) -> Result<(), Failure> {
    let table = match args.what {
        What::Devices => match &args.name {
            Some(name) => tables::device(&*named(name)?),
            None => tables::devices(device::all()),
        },
        _ if args.name.is_some() => {
            return Err(Failure::Input("only devices can be listed by name".into()));
        }
        What::Variants => tables::listing(
            ["VARIANT", "TITLE", "SOURCE"],
            VARIANTS
                .iter()
                .map(|variant| [variant.name, variant.title, variant.source].map(String::from)),
        ),
        What::Options => {
            tables::listing(["OPTION", "CURRENT", "PLAIN", "WHAT IT IS"], live::listed())
        }
        What::Papers => tables::listing(
            ["PAPER", "TITLE", "ITEMS"],
            PAPERS
                .iter()
                .map(|paper| Ok([paper.key.into(), paper.title.into(), paper.items()?.join("\n")]))
                .collect::<Result<Vec<_>, Failure>>()?,
        ),
    };
    writeln!(out, "{table}")?;
    Ok(())
}

fn named(name: &str) -> Result<Arc<Device>, Failure> {
    device::builtin(name).ok_or_else(|| {
        let names: Vec<_> = device::names().collect();
        Failure::Input(format!("there is no device `{name}`; there are {}", names.join(", ")))
    })
}
