//! Channels between two stations.

use std::collections::{BTreeMap, BTreeSet};

use crate::build::nodes::Nodes;
use crate::build::{Context, Part, links};
use crate::document::Table;
use crate::model::{Air, AirChannel, Connection, Link};
use crate::read::{join, keys_of, read};
use crate::schema;

/// Puts the channels of `table` into `air`. Without that only what is wrong with
/// each by itself is found.
pub(super) fn build(
    table: &Table,
    path: &str,
    air: Option<&mut Air>,
    nodes: &Nodes<'_>,
    context: &mut Context<'_>,
) {
    let mut channels = Vec::new();
    for (index, table) in table.tables("channel") {
        let path = join(path, &format!("channel.{index}"));
        channels.push(channel(table, &path, air.as_deref(), nodes, context));
    }
    if let Some(air) = air {
        check_pairs(&channels, table, path, context);
        air.channels = channels.into_iter().flatten().collect();
    }
}

/// The channel of `table` between two stations of `air`.
fn channel(
    table: &Table,
    path: &str,
    air: Option<&Air>,
    nodes: &Nodes<'_>,
    context: &mut Context<'_>,
) -> Option<AirChannel> {
    let keys = keys_of::<schema::AirChannel>();
    let read: schema::AirChannel = read(&table.only(keys), path, context.report);
    let channel = links::channel(table, path, keys, context);
    context.check_time(table, path, "delay", read.delay.unwrap_or_default());
    let between = context.required(read.between, table, path, "between", "[\"base\", \"a\"]")?;
    let [a, b] = links::pair(&between, table, path, nodes, context)?;
    let air = air?;
    for (node, name) in [(a, &between[0]), (b, &between[1])] {
        if !air.stations.contains(&node) {
            let message = format!("`{name}` is not among the stations");
            context.wrong(table, path, "between", message);
        }
    }
    if a == b {
        context.wrong(table, path, "between", "a channel is between two stations");
    } else if air.access_point.is_some_and(|center| center != a && center != b) {
        let message = "no frame goes from one to the other but through the access point";
        context.wrong(table, path, "between", message);
    }
    let name = read.name.unwrap_or_else(|| format!("{}-{}-{}", air.name, between[0], between[1]));
    let delay = read.delay.unwrap_or(air.delay);
    Some(AirChannel { name, between: [a, b], delay, random_seed: read.random_seed, channel })
}

/// Refuses a second channel between the same two stations.
fn check_pairs(
    channels: &[Option<AirChannel>],
    table: &Table,
    path: &str,
    context: &mut Context<'_>,
) {
    let mut pairs = BTreeSet::new();
    for ((index, table), channel) in table.tables("channel").zip(channels) {
        let Some(AirChannel { between: [a, b], .. }) = channel else { continue };
        if !pairs.insert((a.min(b), a.max(b))) {
            let path = join(path, &format!("channel.{index}"));
            context.wrong(table, &path, "between", "these two have a channel already");
        }
    }
}

/// Refuses names of channels that are malformed, or that a link or another
/// channel has.
pub(in crate::build) fn check_names(
    links: &[Part<'_, Link>],
    airs: &[Part<'_, Air>],
    context: &mut Context<'_>,
) {
    let mut names = BTreeMap::new();
    for link in links {
        if let Some(name) = &link.name {
            names.entry(name.as_str()).or_insert_with(|| link.table.site_of("name"));
        }
    }
    for part in airs {
        let Some(air) = &part.built else { continue };
        for ((index, table), channel) in part.table.tables("channel").zip(&air.channels) {
            let path = join(&part.path, &format!("channel.{index}"));
            context.check_name(&channel.name, &path, table.site_of("name"), &mut names);
        }
    }
}

/// Checks that channels do not change their state too fast, as those of links.
pub(in crate::build) fn check_stays(
    airs: &[Part<'_, Air>],
    connections: &[Option<Connection>],
    context: &mut Context<'_>,
) {
    let Some(packet) = links::largest_packet(connections) else { return };
    for part in airs {
        let Some(air) = &part.built else { continue };
        for ((index, table), own) in part.table.tables("channel").zip(&air.channels) {
            let path = join(&part.path, &format!("channel.{index}"));
            links::check_stay(table, &path, &own.channel, (packet, air.dot11.rate), context);
        }
    }
}
