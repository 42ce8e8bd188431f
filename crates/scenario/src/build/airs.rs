//! Media that stations share by IEEE 802.11.

pub(super) mod channels;

use std::collections::BTreeMap;

use netjoule_link::dot11;
use netjoule_units::{BitRate, Bytes};
use netjoule_wire::Headers;

use super::nodes::{Nodes, check_names};
use super::reach::Reach;
use super::{Context, Part, links};
use crate::diagnostics::Site;
use crate::document::Table;
use crate::model::{Air, Connection, Link};
use crate::nearest;
use crate::read::{assemble, clean, join, keys_of, read};
use crate::schema;

/// Stations that one air can have: the association identifiers of IEEE 802.11
/// (section 9.4.1.8) end there.
const MOST_STATIONS: usize = 2_007;

/// Stations of all airs together.
const MOST_STATIONS_IN_ALL: usize = 10_000;

/// The longest MSDU (IEEE Std 802.11-2012 section 8.2.3, 2304 B) has LLC and SNAP
/// in front of the packet.
const LONGEST_PACKET: Bytes = Bytes::new(2_304 - 8);

/// Keys of `[[air]]` without which every station hears every other.
const NEEDS_POSITIONS: [&str; 4] = ["range", "carrier_sense_range", "capture", "radio"];

pub(super) fn build<'d>(
    document: &'d Table,
    nodes: &Nodes<'_>,
    context: &mut Context<'_>,
) -> Vec<Part<'d, Air>> {
    let in_all: usize =
        document.tables("air").map(|(_, table)| table.item_sites("stations").len()).sum();
    if in_all > MOST_STATIONS_IN_ALL {
        let message =
            format!("found {in_all} stations in all, expected at most {MOST_STATIONS_IN_ALL}");
        context.wrong(document, "", "air", message);
        return Vec::new();
    }
    let parts: Vec<_> =
        document.tables("air").map(|(index, table)| air(index, table, nodes, context)).collect();
    check_names(&parts, context);
    parts
}

fn air<'d>(
    index: usize,
    table: &'d Table,
    nodes: &Nodes<'_>,
    context: &mut Context<'_>,
) -> Part<'d, Air> {
    let label = table.string("name").map_or_else(|| index.to_string(), Into::into);
    let path = format!("air.{label}");
    let keys = keys_of::<schema::Air>();
    let read: schema::Air = read(&table.only(keys), &path, context.report);
    let errors = context.report.count();
    let settings = clean::<dot11::Config>(table, &path, keys, context.report);
    let dot11: dot11::Config = assemble(&settings, &path, context.report);
    if context.report.count() == errors {
        check_settings(table, &path, &dot11, context);
    }
    let is_right = context.report.count() == errors;
    let name = context.required(read.name, table, &path, "name", "\"cell\"");
    let example = "[\"base\", \"a\"]";
    let stations = context.required(read.stations, table, &path, "stations", example);
    context.check_time(table, &path, "delay", read.delay);
    let mut stations =
        stations.and_then(|names| self::stations(&names, table, &path, nodes, context));
    if let Some(stations) = &stations {
        check_positions(stations, table, &path, nodes, context);
    }
    let rates = stations
        .as_ref()
        .map(|stations| rates(&read.rates, stations, &dot11, table, &path, nodes, context));
    let power_savers = stations.as_ref().map(|stations| {
        power_savers(
            &read.power_savers,
            stations,
            read.access_point.as_ref(),
            !dot11.power_save.atim_window.is_zero(),
            table,
            &path,
            nodes,
            context,
        )
    });
    let mut access_point = None;
    if let Some(name) = &read.access_point {
        let (site, key) = (table.site_of("access_point"), join(&path, "access_point"));
        access_point = context.node_index(nodes, name, site, key);
        if access_point.zip(stations.as_ref()).is_some_and(|(node, all)| !all.contains(&node)) {
            let message = format!("`{name}` is not among the stations");
            context.wrong(table, &path, "access_point", message);
            stations = None;
        }
    }
    let mut built = (|| {
        Some(Air {
            name: name.clone()?,
            stations: stations?,
            rates: rates?,
            power_savers: power_savers?,
            access_point,
            dot11: is_right.then_some(dot11)?,
            delay: read.delay,
            random_seed: read.random_seed,
            channels: Vec::new(),
        })
    })();
    channels::build(table, &path, built.as_mut(), nodes, context);
    Part { table, path, name, built }
}

/// Records the settings that are out of range; those in tables by their own
/// names.
fn check_settings(table: &Table, path: &str, dot11: &dot11::Config, context: &mut Context<'_>) {
    let mut wrong = dot11.validate().err().unwrap_or_default();
    if let (Some(radio), Some(own)) = (&dot11.radio, table.table("radio")) {
        wrong.retain(|(key, _)| *key != "radio");
        context.check_settings(own, &join(path, "radio"), radio.validate());
    }
    if let Some(own) = table.table("power_save") {
        wrong.retain(|(key, _)| *key != "power_save");
        context.check_settings(own, &join(path, "power_save"), dot11.power_save.validate());
    }
    context.check_settings(table, path, Err(wrong));
}

/// The indices of the stations.
fn stations(
    names: &[String],
    table: &Table,
    path: &str,
    nodes: &Nodes<'_>,
    context: &mut Context<'_>,
) -> Option<Vec<usize>> {
    if !(2..=MOST_STATIONS).contains(&names.len()) {
        let message = format!("found {}, expected 2 to {MOST_STATIONS}", names.len());
        context.wrong(table, path, "stations", message);
        return None;
    }
    let sites = table.item_sites("stations");
    let mut first = BTreeMap::<&str, Site>::new();
    let mut stations = Vec::new();
    for (name, site) in names.iter().zip(sites) {
        let key = join(path, "stations");
        if let Some(&first) = first.get(name.as_str()) {
            context.report.error(site, key, format!("names `{name}` twice")).related(first, "here");
            continue;
        }
        first.insert(name, site);
        stations.extend(context.node_index(nodes, name, site, key));
    }
    (stations.len() == names.len()).then_some(stations)
}

/// The indices of the stations that save power: any but the access point.
#[expect(clippy::too_many_arguments, reason = "what is checked, and where it stands")]
fn power_savers(
    names: &[String],
    stations: &[usize],
    access_point: Option<&String>,
    has_windows: bool,
    table: &Table,
    path: &str,
    nodes: &Nodes<'_>,
    context: &mut Context<'_>,
) -> Vec<usize> {
    if !names.is_empty() && access_point.is_none() && !has_windows {
        let message = "needs an access point, which keeps frames for them, or an `atim_window` \
                       in `power_save`, to announce them in";
        context.wrong(table, path, "power_savers", message);
    }
    if access_point.is_some() && has_windows {
        let message = "found an `atim_window`, expected none beside an access point";
        context.wrong(table, path, "power_save", message);
    }
    let mut found = Vec::new();
    for (name, site) in names.iter().zip(table.item_sites("power_savers")) {
        let node = nodes.by_name.get(name).copied().filter(|node| stations.contains(node));
        let message = match node {
            None => format!("`{name}` is not among the stations"),
            Some(_) if access_point == Some(name) => "the access point is always awake".into(),
            Some(node) if found.contains(&node) => format!("names `{name}` twice"),
            Some(node) => {
                found.push(node);
                continue;
            }
        };
        context.report.error(site, join(path, "power_savers"), message);
    }
    found
}

/// The rate of each station that has one of its own.
fn rates(
    rates: &BTreeMap<String, BitRate>,
    stations: &[usize],
    dot11: &dot11::Config,
    table: &Table,
    path: &str,
    nodes: &Nodes<'_>,
    context: &mut Context<'_>,
) -> Vec<Option<BitRate>> {
    let mut found = vec![None; stations.len()];
    let Some(own) = table.table("rates") else { return found };
    let path = join(path, "rates");
    for (name, &rate) in rates {
        let node = nodes.by_name.get(name);
        match stations.iter().position(|station| Some(station) == node) {
            Some(place) => found[place] = Some(rate),
            None => {
                let names = stations.iter().filter_map(|&it| nodes.parts[it].name.as_deref());
                let site = own.entries.get(name).map_or(own.site, |entry| entry.key_site);
                context
                    .report
                    .error(site, join(&path, name), "there is no such station")
                    .help(|| nearest::help(name, names));
            }
        }
        let config = dot11::Config { rate, ..dot11.clone() };
        let wrong = config.validate().err().into_iter().flatten();
        for (_, expected) in wrong.filter(|(key, _)| *key == "rate") {
            context.wrong(own, &path, name, format!("found {rate}, expected {expected}"));
        }
    }
    found
}

/// Checks that every station is somewhere if distances matter.
fn check_positions(
    stations: &[usize],
    table: &Table,
    path: &str,
    nodes: &Nodes<'_>,
    context: &mut Context<'_>,
) {
    let Some(key) = NEEDS_POSITIONS.into_iter().find(|key| table.get(key).is_some()) else {
        return;
    };
    for (&station, site) in stations.iter().zip(table.item_sites("stations")) {
        let Some(node) = &nodes.parts[station].built else { continue };
        if node.position.is_none() {
            let message = format!("`{}` has no position, and `{key}` needs one", node.name);
            context.report.error(site, join(path, "stations"), message).help(|| {
                Some(format!("give the node one: position = [\"0 m\", \"10 m\"] in {}", {
                    &nodes.parts[station].path
                }))
            });
        }
    }
}

/// Checks that the packets of connections which need an air fit into frames.
pub(super) fn check_packets(
    document: &Table,
    headers: Headers,
    nodes: &Nodes<'_>,
    links: &[Part<'_, Link>],
    connections: &[Option<Connection>],
    context: &mut Context<'_>,
) {
    let links: Option<Vec<_>> = links.iter().map(|part| part.built.as_ref()).collect();
    let nodes: Option<Vec<_>> = nodes.parts.iter().map(|part| part.built.clone()).collect();
    let (Some(nodes), Some(links)) = (nodes, links) else { return };
    let over_links = Reach::new(&nodes, &links, &[]);
    let most = match headers {
        Headers::None => LONGEST_PACKET,
        Headers::Standard => LONGEST_PACKET - links::HEADERS,
    };
    for ((index, table), connection) in document.tables("connection").zip(connections) {
        let Some(connection) = connection else { continue };
        let mss = connection.tcp.mss;
        if mss <= most || over_links.connects(connection.from, connection.to) {
            continue;
        }
        let message = format!("found {mss}, expected at most {most}, to fit into frames on an air");
        let own = table.table("tcp").filter(|own| own.get("mss").is_some());
        match (own, document.table("tcp")) {
            (None, Some(all)) => context.wrong(all, "tcp", "mss", message),
            _ => context.wrong(
                own.unwrap_or(table),
                &format!("connection.{index}.tcp"),
                "mss",
                message,
            ),
        }
    }
}
