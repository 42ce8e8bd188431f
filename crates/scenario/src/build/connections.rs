//! Transfers.

use netjoule_transport::tcp::{Options, VARIANTS, Variant};

use super::nodes::Nodes;
use super::reach::Reach;
use super::{Context, Part};
use crate::diagnostics::Site;
use crate::document::{Entry, Table};
use crate::model::{Air, Connection, Link, NodeKind, Pace};
use crate::nearest;
use crate::read::{assemble, clean, join, keys_of, read};
use crate::schema::{self, Profile, VARIANT};

/// The variant of a connection that names none.
const DEFAULT_VARIANT: &str = "reno";

/// A key with its value.
type Setting<'d> = (&'d String, &'d Entry);

/// What `[tcp]` says for every connection.
struct Defaults<'d> {
    table: Option<&'d Table>,
    options: Vec<Setting<'d>>,
    variant: Option<&'static Variant>,
    profile: Profile,
    handshake: bool,
    /// The options of the profile that is not plain.
    current: Table,
}

impl<'d> Defaults<'d> {
    fn of(table: Option<&'d Table>, context: &mut Context<'_>) -> Self {
        let keys = keys_of::<schema::Tcp>();
        let clean = |table| clean::<Options>(table, "tcp", keys, context.report);
        let options = table.map(clean).unwrap_or_default();
        let read = |table: &Table| read::<schema::Tcp>(&table.only(keys), "tcp", context.report);
        let tcp = table.map(read).unwrap_or_default();
        let variant = table.zip(tcp.variant).and_then(|(table, name)| {
            variant(&name, table.site_of(VARIANT), join("tcp", VARIANT), context)
        });
        Self {
            table,
            options,
            variant,
            profile: tcp.profile.unwrap_or_default(),
            handshake: tcp.handshake.unwrap_or_default(),
            current: Table::of(&Profile::Current.options()),
        }
    }

    /// The settings that `profile` has in place of the plain ones.
    fn base(&self, profile: Profile) -> Vec<Setting<'_>> {
        match profile {
            Profile::Plain => Vec::new(),
            Profile::Current => self.current.entries.iter().collect(),
        }
    }
}

pub(super) fn build(
    document: &Table,
    nodes: &Nodes<'_>,
    links: &[Part<'_, Link>],
    airs: &[Part<'_, Air>],
    context: &mut Context<'_>,
) -> Vec<Option<Connection>> {
    let defaults = Defaults::of(document.table("tcp"), context);
    // Without a mistake in nodes, links and airs it is known who can reach whom.
    let ways = built(links).zip(built(airs));
    let known = nodes.parts.iter().map(|part| part.built.clone()).collect::<Option<Vec<_>>>();
    let reach = known.zip(ways).map(|(nodes, (links, airs))| Reach::new(&nodes, &links, &airs));
    let connections: Vec<_> = document
        .tables("connection")
        .map(|(index, table)| {
            let path = format!("connection.{index}");
            connection(table, &path, nodes, reach.as_ref(), &defaults, context)
        })
        .collect();
    if document.lacks("connection") {
        let site = document.site_of("connection");
        context.report.error(site, "connection", "a scenario needs at least one [[connection]]");
    }
    connections
}

/// The parts, if nothing is wrong with any.
fn built<'p, T>(parts: &'p [Part<'_, T>]) -> Option<Vec<&'p T>> {
    parts.iter().map(|part| part.built.as_ref()).collect()
}

/// Checks that every segment can be made into an IP packet.
pub(super) fn check_packets(
    document: &Table,
    connections: &[Option<Connection>],
    context: &mut Context<'_>,
) {
    let too_long = connections.iter().flatten().position(|it| !it.fits_into_packets());
    if let (Some(index), Some(run)) = (too_long, document.table("run")) {
        let message = format!(
            "the mss of connection {index} must be 65495 B at most, or it must have a handshake: \
             IP packets are no longer than 65535 B"
        );
        context.wrong(run, "run", "wire_fidelity", message);
    }
}

fn connection(
    table: &Table,
    path: &str,
    nodes: &Nodes<'_>,
    reach: Option<&Reach>,
    defaults: &Defaults<'_>,
    context: &mut Context<'_>,
) -> Option<Connection> {
    let read: schema::Connection = read(table, path, context.report);
    let from = context.required(read.from, table, path, "from", "\"a\"");
    let to = context.required(read.to, table, path, "to", "\"b\"");
    let transfer = context.required(read.transfer, table, path, "transfer", "\"10 MiB\"");
    if transfer.is_some_and(|transfer| transfer.get() == 0) {
        context.wrong(table, path, "transfer", "found nothing to transfer, expected 1 B and more");
    }
    context.check_moment(table, path, "start", read.start);
    if let Some(Pace { bytes, every }) = read.pace {
        if bytes.get() == 0 || every.is_zero() {
            context.wrong(table, path, "pace", "found zero, expected bytes and a time");
        }
        context.check_time(table, path, "pace", every);
    }
    let from = from.and_then(|name| end(&name, "from", table, path, nodes, context));
    let to = to.and_then(|name| end(&name, "to", table, path, nodes, context));
    if let (Some(from), Some(to)) = (from, to) {
        if from == to {
            context.wrong(table, path, "to", "a connection leads from one host to another");
        } else if reach.is_some_and(|reach| !reach.connects(from, to)) {
            let message = "no path of links and airs leads there from the sender \
                           (hosts do not forward packets)";
            context.wrong(table, path, "to", message);
        }
    }
    let variant = match read.variant.as_deref() {
        Some(name) => {
            let site = table.site_of(VARIANT);
            variant(name, site, join(path, VARIANT), context)
        }
        None => defaults.variant.or_else(|| Variant::named(DEFAULT_VARIANT)),
    };
    let profile = read.profile.unwrap_or(defaults.profile);
    let tcp = options(table, path, profile, defaults, context);
    Some(Connection {
        from: from?,
        to: to?,
        transfer: transfer?,
        start: read.start,
        pace: read.pace,
        variant: variant?,
        handshake: read.handshake.unwrap_or(defaults.handshake),
        tcp,
    })
}

/// The index of the host called `name` at one end of a connection.
fn end(
    name: &str,
    key: &str,
    table: &Table,
    path: &str,
    nodes: &Nodes<'_>,
    context: &mut Context<'_>,
) -> Option<usize> {
    let index = context.node_index(nodes, name, table.site_of(key), join(path, key))?;
    let kind = nodes.parts[index].built.as_ref().map(|node| node.kind);
    if kind.is_some_and(|kind| kind != NodeKind::Host) {
        let message = format!("`{name}` is not a host, and only hosts have connections");
        context.wrong(table, path, key, message);
    }
    Some(index)
}

fn variant(
    name: &str,
    site: Site,
    key: String,
    context: &mut Context<'_>,
) -> Option<&'static Variant> {
    let found = Variant::named(name);
    if found.is_none() {
        let names: Vec<_> = VARIANTS.iter().map(|variant| variant.name).collect();
        let message = format!("found \"{name}\", expected one of {}", nearest::list(&names));
        context.report.error(site, key, message).help(|| nearest::did_you_mean(name, names));
    }
    found
}

/// The options of a connection: its own over those of `[tcp]`, and both over
/// those of `profile`.
fn options(
    table: &Table,
    path: &str,
    profile: Profile,
    defaults: &Defaults<'_>,
    context: &mut Context<'_>,
) -> Options {
    let path = join(path, "tcp");
    let own_table = table.table("tcp");
    let errors = context.report.count();
    let own =
        own_table.map(|own| clean::<Options>(own, &path, &[], context.report)).unwrap_or_default();
    let merged = over(&own, over(&defaults.options, defaults.base(profile)));
    let options: Options = assemble(&merged, &path, context.report);
    // The place of a setting is the table that sets it.
    let place = |key: &str| match (own_table, defaults.table) {
        (Some(own), _) if own.get(key).is_some() => (own, path.as_str()),
        (_, Some(all)) if all.get(key).is_some() => (all, "tcp"),
        (own, _) => (own.unwrap_or(table), path.as_str()),
    };
    if context.report.count() == errors {
        // Other times have bounds of their own.
        for (key, time) in [
            ("ack_delay", options.ack_delay),
            ("initial_rto", options.initial_rto),
            ("min_rto", options.min_rto),
            ("max_rto", options.max_rto),
            ("timer_granularity", options.timer_granularity),
        ] {
            let (table, path) = place(key);
            context.check_time(table, path, key, time);
        }
        for (key, expected) in options.validate().err().into_iter().flatten() {
            let (table, path) = place(key);
            context.check_settings(table, path, Err(vec![(key, expected)]));
        }
    }
    options
}

/// `settings`, and those of `base` that they do not replace.
fn over<'s>(settings: &[Setting<'s>], base: Vec<Setting<'s>>) -> Vec<Setting<'s>> {
    let replaced = |key: &String| settings.iter().any(|(other, _)| *other == key);
    let kept = base.into_iter().filter(|(key, _)| !replaced(key));
    kept.chain(settings.iter().copied()).collect()
}
