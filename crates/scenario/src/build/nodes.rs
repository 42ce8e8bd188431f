//! Hosts, routers and base stations.

use std::collections::BTreeMap;

use netjoule_link::arq::Discipline;
use netjoule_link::dot11::Position;
use netjoule_units::Bytes;

use super::devices::Devices;
use super::{Context, Part};
use crate::document::Table;
use crate::model::{LinkLayer, Node, NodeKind, Notices};
use crate::read::read;
use crate::schema;

/// Every node, and the indices of those that have a name.
pub(super) struct Nodes<'d> {
    pub(super) parts: Vec<Part<'d, Node>>,
    pub(super) by_name: BTreeMap<String, usize>,
}

pub(super) fn build<'d>(document: &'d Table, context: &mut Context<'_>) -> Nodes<'d> {
    let mut devices = Devices::default();
    let parts: Vec<_> = document
        .tables("node")
        .map(|(index, table)| node(index, table, &mut devices, context))
        .collect();
    if document.lacks("node") {
        let site = document.site_of("node");
        context.report.error(site, "node", "a scenario needs at least one [[node]]");
    }
    check_names(&parts, context);
    // Of two nodes with one name the first has it: it is put in last.
    let named = parts.iter().enumerate().rev();
    let named = named.filter_map(|(index, part)| Some((part.name.clone()?, index)));
    Nodes { by_name: named.collect(), parts }
}

fn node<'d>(
    index: usize,
    table: &'d Table,
    devices: &mut Devices,
    context: &mut Context<'_>,
) -> Part<'d, Node> {
    let label = table.string("name").map_or_else(|| index.to_string(), Into::into);
    let path = format!("node.{label}");
    let read: schema::Node = read(table, &path, context.report);
    let name = context.required(read.name, table, &path, "name", "\"host\"");
    let kind = context.required(read.kind, table, &path, "kind", "\"host\"");
    context.check_time(table, &path, "processing_delay", read.processing_delay);
    let equipment = devices.of_node(read.device, table, &path, context);
    let built = name.clone().zip(kind).map(|(name, kind)| {
        let forwards_only = kind == NodeKind::Router;
        Node {
            name,
            kind,
            buffer: read.buffer.unwrap_or(Bytes::MAX),
            processing_delay: read.processing_delay,
            link_layer: read.link_layer.unwrap_or(if forwards_only {
                LinkLayer::Unreliable
            } else {
                LinkLayer::Reliable
            }),
            queue: read.queue.unwrap_or(Discipline::RoundRobin),
            shared_transmitter: read.shared_transmitter,
            notices: read.notices.unwrap_or(if forwards_only {
                Notices::Never
            } else {
                Notices::AsHeard
            }),
            duplicate_acks: read.duplicate_acks,
            position: read.position.map(|[x, y]| Position { x, y }),
            device: equipment.device,
            device_file: equipment.file,
            battery: equipment.battery,
            interrupts: equipment.interrupts,
        }
    });
    Part { table, path, name, built }
}

/// Refuses names that are malformed or taken.
pub(super) fn check_names<T>(parts: &[Part<'_, T>], context: &mut Context<'_>) {
    let mut names = BTreeMap::new();
    for part in parts {
        if let Some(name) = &part.name {
            context.check_name(name, &part.path, part.table.site_of("name"), &mut names);
        }
    }
}
