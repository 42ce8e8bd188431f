//! The options of our TCP as flags: one for each field of
//! [`Options`].

use std::collections::BTreeMap;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, FromArgMatches, ValueEnum};
use netjoule_scenario::tcp_options;
use netjoule_transport::tcp::{KNOBS, Options, VARIANTS, Variant};
use netjoule_units::Bytes;

use crate::failure::Failure;

/// What today's hosts run: loss recovery with SACK.
const DEFAULT_VARIANT: &str = "sack";

/// IPv4 and TCP headers: what an MTU has more than an MSS (RFC 6691).
const HEADER_BYTES: u64 = 40;

/// Where options begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// What hosts do today
    #[default]
    Current,
    /// TCP as the texts of the 1990s had it
    Plain,
}

/// A variant and every option of our TCP.
#[derive(Debug)]
pub(crate) struct Knobs {
    profile: Profile,
    variant: &'static Variant,
    /// Keys and values given.
    settings: Vec<(&'static str, String)>,
}

impl Profile {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Plain => "plain",
        }
    }

    fn options(self) -> Options {
        match self {
            Self::Current => Options::current(),
            Self::Plain => Options::default(),
        }
    }

    /// Its options as the command line takes them.
    fn values(self) -> BTreeMap<String, String> {
        // Every field is one that JSON has.
        let values = serde_json::to_value(self.options()).unwrap_or_default();
        let values = values.as_object().into_iter().flatten();
        values
            .map(|(key, value)| {
                (key.clone(), value.as_str().map_or_else(|| value.to_string(), String::from))
            })
            .collect()
    }
}

/// Every option: its flag, its default in each profile, and what it is.
pub(crate) fn listed() -> impl Iterator<Item = [String; 4]> {
    let [current, plain] = [Profile::Current, Profile::Plain].map(Profile::values);
    KNOBS.into_iter().map(move |knob| {
        let value =
            |values: &BTreeMap<String, String>| values.get(knob.key).cloned().unwrap_or_default();
        [flag(knob.key), value(&current), value(&plain), knob.help.into()]
    })
}

fn flag(key: &str) -> String {
    format!("--{}", key.replace('_', "-"))
}

impl Knobs {
    pub(crate) const fn profile(&self) -> Profile {
        self.profile
    }

    pub(crate) const fn variant(&self) -> &'static Variant {
        self.variant
    }

    /// The options for an interface with packets of `mtu` bytes: the MSS is
    /// what fits, unless it is given.
    pub(crate) fn options(&self, mtu: u32) -> Result<Options, Failure> {
        let base =
            Options { mss: Bytes::new(u64::from(mtu) - HEADER_BYTES), ..self.profile.options() };
        let settings: Vec<_> =
            self.settings.iter().map(|(key, value)| (flag(key), *key, value.as_str())).collect();
        Ok(tcp_options(&base, &settings)?)
    }
}

impl clap::Args for Knobs {
    fn augment_args(command: Command) -> Command {
        let command = command
            .next_help_heading("TCP options (values as in scenario files)")
            .arg(
                Arg::new("variant")
                    .long("variant")
                    .value_name("NAME")
                    .value_parser(PossibleValuesParser::new(VARIANTS.map(|variant| variant.name)))
                    .hide_possible_values(true)
                    .default_value(DEFAULT_VARIANT)
                    .help("Loss recovery and reaction to notices; see netjoule list variants"),
            )
            .arg(
                Arg::new("profile")
                    .long("profile")
                    .value_name("NAME")
                    .value_parser(clap::builder::EnumValueParser::<Profile>::new())
                    .default_value(Profile::default().name())
                    .help("Where the options below begin"),
            );
        listed().zip(KNOBS).fold(command, |command, ([flag, current, plain, what], knob)| {
            let defaults = match knob.key {
                "mss" => "what fits the MTU".into(),
                _ if current == plain => current,
                _ => format!("{current}, plain {plain}"),
            };
            command.arg(
                Arg::new(knob.key)
                    .long(flag.trim_start_matches("--").to_owned())
                    .value_name("VALUE")
                    .help(format!("{what} [default: {defaults}]")),
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Knobs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let named = matches.get_one::<String>("variant").and_then(|name| Variant::named(name));
        let settings = KNOBS
            .iter()
            .filter_map(|knob| Some((knob.key, matches.get_one::<String>(knob.key)?.clone())));
        Ok(Self {
            profile: matches.get_one("profile").copied().unwrap_or_default(),
            variant: named.ok_or_else(|| clap::Error::new(clap::error::ErrorKind::InvalidValue))?,
            settings: settings.collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
