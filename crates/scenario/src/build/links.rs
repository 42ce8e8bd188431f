//! Cables and radio links.

use netjoule_link::{arq, two_state};
use netjoule_units::{BitRate, Bytes, Duration, Instant, Probability};

use super::nodes::{Nodes, check_names};
use super::{Context, Part};
use crate::channel_file;
use crate::document::Table;
use crate::model::{Connection, Link, Medium};
use crate::read::{assemble, clean, join, read};
use crate::schema::{self, CHANNEL_FILES, LinkKind};

/// A link layer that adds more to a packet is a mistake in the unit.
const LARGEST_FRAMING: Bytes = Bytes::from_kib(64);

/// What the headers of TCP and IP add to a segment.
pub(super) const HEADERS: Bytes = Bytes::new(40);

/// Mean stays that a frame's airtime may span.
const CHANGES_PER_FRAME: u64 = 10_000;

pub(super) fn build<'d>(
    document: &'d Table,
    nodes: &Nodes<'_>,
    context: &mut Context<'_>,
) -> Vec<Part<'d, Link>> {
    let parts: Vec<_> =
        document.tables("link").map(|(index, table)| link(index, table, nodes, context)).collect();
    check_names(&parts, context);
    parts
}

fn link<'d>(
    index: usize,
    table: &'d Table,
    nodes: &Nodes<'_>,
    context: &mut Context<'_>,
) -> Part<'d, Link> {
    let label = table.string("name").map_or_else(|| index.to_string(), Into::into);
    let path = format!("link.{label}");
    let read: schema::Link = read(table, &path, context.report);
    let name = context.required(read.name, table, &path, "name", "\"air\"");
    let kind = context.required(read.kind, table, &path, "kind", "\"wireless\"");
    let between = context.required(read.between, table, &path, "between", "[\"a\", \"b\"]");
    let rate = context.required(read.rate, table, &path, "rate", "\"11 Mbit/s\"");
    let delay = context.required(read.delay, table, &path, "delay", "\"1 ms\"");
    context.check_time(table, &path, "delay", delay.unwrap_or_default());
    let between = between.and_then(|names| ends(&names, table, &path, nodes, context));
    let medium = kind.map(|kind| match kind {
        LinkKind::Wired => wired(read.loss, table, &path, context),
        LinkKind::Wireless => wireless(table, &path, context),
    });
    let built = (|| {
        Some(Link {
            name: name.clone()?,
            between: between?,
            rate: rate?,
            delay: delay?,
            medium: medium?,
            random_seed: read.random_seed,
        })
    })();
    Part { table, path, name, built }
}

/// The indices of the two nodes that a link connects.
fn ends(
    names: &[String; 2],
    table: &Table,
    path: &str,
    nodes: &Nodes<'_>,
    context: &mut Context<'_>,
) -> Option<[usize; 2]> {
    let [a, b] = pair(names, table, path, nodes, context)?;
    if a == b {
        context.wrong(table, path, "between", "a link leads from one node to another");
        return None;
    }
    Some([a, b])
}

/// The indices of the two nodes that `between` names.
pub(super) fn pair(
    names: &[String; 2],
    table: &Table,
    path: &str,
    nodes: &Nodes<'_>,
    context: &mut Context<'_>,
) -> Option<[usize; 2]> {
    let sites = table.item_sites("between");
    let site = |end: usize| sites.get(end).copied().unwrap_or_else(|| table.site_of("between"));
    let key = join(path, "between");
    let a = context.node_index(nodes, &names[0], site(0), key.clone());
    let b = context.node_index(nodes, &names[1], site(1), key);
    Some([a?, b?])
}

fn wired(
    loss: Option<Probability>,
    table: &Table,
    path: &str,
    context: &mut Context<'_>,
) -> Medium {
    for key in ["channel", "arq"] {
        if table.get(key).is_some() {
            let message = "is for wireless links; a wired link has `loss`";
            context.wrong(table, path, key, message);
        }
    }
    Medium::Wired { loss: loss.unwrap_or(Probability::ZERO) }
}

fn wireless(table: &Table, path: &str, context: &mut Context<'_>) -> Medium {
    if table.get("loss").is_some() {
        let message = "is for wired links; a wireless link has `channel.loss_good`";
        context.wrong(table, path, "loss", message);
    }
    let channel = table.table("channel").map(|channel| {
        let path = join(path, "channel");
        self::channel(channel, &path, &[], context)
    });
    let arq = table.table("arq").map(|arq| {
        let path = join(path, "arq");
        self::arq(arq, &path, context)
    });
    Medium::Wireless { channel: channel.unwrap_or_default(), arq: arq.unwrap_or_default() }
}

fn arq(table: &Table, path: &str, context: &mut Context<'_>) -> arq::Config {
    let config: arq::Config = read(table, path, context.report);
    context.check_time(table, path, "ack_margin", config.ack_margin);
    for (key, size) in [("ack_size", config.ack_size), ("frame_header", config.frame_header)] {
        if size > LARGEST_FRAMING {
            let message = format!("found {size}, expected at most {LARGEST_FRAMING}");
            context.wrong(table, path, key, message);
        }
    }
    config
}

/// The channel that `table` describes. The keys `beside` its own are known to
/// the caller alone.
pub(super) fn channel(
    table: &Table,
    path: &str,
    beside: &[&str],
    context: &mut Context<'_>,
) -> two_state::Config {
    let others = [&CHANNEL_FILES, beside].concat();
    let good = clean::<two_state::Config>(table, path, &others, context.report);
    let mut config: two_state::Config = assemble(&good, path, context.report);
    let drawn = config.switches.is_empty();
    let mut sources = ["switches", CHANNEL_FILES[0], CHANNEL_FILES[1]]
        .into_iter()
        // An empty list is what `show` writes for a channel that draws its stays.
        .filter(|&key| table.get(key).is_some() && !(key == "switches" && drawn));
    let source = sources.next();
    if let (Some(first), Some(second)) = (source, sources.next()) {
        let message = format!("the changes of state are given by `{first}` already");
        context.wrong(table, path, second, message);
    }
    match source {
        Some("trace") => {
            config.switches = from_file(table, path, "trace", channel_file::TRACE, context);
            // A channel without changes stays GOOD; it does not draw any.
            if config.switches.is_empty() {
                config.mean_bad = Duration::ZERO;
            }
        }
        Some(key @ "bad_periods") => {
            // Forced periods stand in place of random ones (goel1997 B.3.1).
            if !config.mean_bad.is_zero() {
                let message =
                    format!("found {}, expected 0 where BAD periods are forced", config.mean_bad);
                context.wrong(table, path, "mean_bad", message);
            }
            config.switches = from_file(table, path, key, channel_file::BAD_PERIODS, context);
        }
        _ => {}
    }
    context.check_time(table, path, "mean_good", config.mean_good);
    context.check_time(table, path, "mean_bad", config.mean_bad);
    context.check_settings(table, path, config.validate());
    config
}

/// Checks that channels do not change their state so fast that the largest
/// frame would span more than [`CHANGES_PER_FRAME`] mean stays.
pub(super) fn check_stays(
    links: &[Part<'_, Link>],
    connections: &[Option<Connection>],
    context: &mut Context<'_>,
) {
    let Some(packet) = largest_packet(connections) else { return };
    for part in links {
        let Some(Link { rate, medium: Medium::Wireless { channel, arq }, .. }) = &part.built else {
            continue;
        };
        let frame = Bytes::new(packet.get().saturating_add(arq.frame_header.get()));
        // Without a table of its own, the channel has defaults.
        let table = part.table.table("channel").unwrap_or(part.table);
        check_stay(table, &join(&part.path, "channel"), channel, (frame, *rate), context);
    }
}

/// The longest packet of any connection.
pub(super) fn largest_packet(connections: &[Option<Connection>]) -> Option<Bytes> {
    let mss = connections.iter().flatten().map(|it| it.tcp.mss).max()?;
    Some(Bytes::new(mss.get().saturating_add(HEADERS.get())))
}

/// Checks the stays of one channel that carries frames of this length at this
/// rate.
pub(super) fn check_stay(
    table: &Table,
    path: &str,
    channel: &two_state::Config,
    (frame, rate): (Bytes, BitRate),
    context: &mut Context<'_>,
) {
    if !channel.switches.is_empty() || channel.mean_bad.is_zero() {
        return;
    }
    let airtime = rate.transmission_time(frame).as_nanos();
    let least = Duration::from_nanos(airtime.div_ceil(CHANGES_PER_FRAME));
    for (key, mean) in [("mean_good", channel.mean_good), ("mean_bad", channel.mean_bad)] {
        if mean < least {
            let message = format!(
                "found {mean}, expected at least {least}, a ten-thousandth of the airtime of the \
                 largest frame ({frame} at {rate})"
            );
            context.wrong(table, path, key, message);
        }
    }
}

/// The changes of state in the file that `key` names.
fn from_file(
    table: &Table,
    path: &str,
    key: &str,
    format: channel_file::Format,
    context: &mut Context<'_>,
) -> Vec<Instant> {
    let Some(file) = table.string(key) else {
        context.wrong(table, path, key, "expected the name of a file");
        return Vec::new();
    };
    let site = table.site_of(key);
    let key = join(path, key);
    let Some(directory) = context.directory else {
        let message = format!("no directory is known to look for the file \"{file}\" in");
        context.report.error(site, key, message);
        return Vec::new();
    };
    channel_file::load(&directory.join(file), site, &key, format, context.report)
}
