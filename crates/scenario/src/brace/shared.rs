//! Wireless links that share one medium (goel1997 B.3.10): an air for each
//! entry, with a channel for each of its links.

use std::collections::{BTreeMap, BTreeSet};

use netjoule_units::BitRate;

use super::components::ComponentKind;
use super::lower::{Lowering, copy};
use super::parser::Parsed;
use crate::diagnostics::Site;
use crate::document::{Located, Value};

/// A wireless link of an entry: what stands there, and the link.
#[derive(Clone, Copy)]
struct Member<'p> {
    site: Site,
    link: &'p Parsed,
}

impl Lowering<'_> {
    /// Makes an air of each `shared_links` entry. Returns the indices of the
    /// wireless links that are in one.
    pub(super) fn shared_links(&mut self, components: &[Parsed]) -> BTreeSet<usize> {
        // Where each of them is shared.
        let mut shared = BTreeMap::new();
        let mut number = 0;
        for (index, entry) in components.iter().enumerate() {
            if entry.component.kind != ComponentKind::SharedLinks {
                continue;
            }
            number += 1;
            let ids = entry.all("link_id");
            let members: Vec<_> =
                ids.filter_map(|id| self.member(components, index, id, &mut shared)).collect();
            if members.len() == entry.all("link_id").count()
                && let Some((first, others)) = members.split_first()
            {
                self.air(number, entry, components, *first, others);
            }
        }
        shared.into_keys().collect()
    }

    /// The wireless link that `id` names in the entry at `entry`.
    fn member<'p>(
        &mut self,
        components: &'p [Parsed],
        entry: usize,
        (site, id): (Site, &Value),
        shared: &mut BTreeMap<usize, Site>,
    ) -> Option<Member<'p>> {
        let is_it =
            |it: &Parsed| text(it, "link_id").is_some() && text(it, "link_id") == string(id);
        let wireless = |it: &Parsed| it.component.kind == ComponentKind::WirelessLink && is_it(it);
        let Some(index) = components[..entry].iter().position(wireless) else {
            let message = if components[entry..].iter().any(wireless) {
                "the wireless link must stand above this entry"
            } else {
                "there is no such wireless link"
            };
            self.report.error(site, "shared_links.link_id", message);
            return None;
        };
        if let Some(&first) = shared.get(&index) {
            self.report
                .error(site, "shared_links.link_id", "this link is shared already")
                .related(first, "here");
            return None;
        }
        shared.insert(index, site);
        Some(Member { site, link: &components[index] })
    }

    fn air(
        &mut self,
        number: usize,
        entry: &Parsed,
        components: &[Parsed],
        first: Member<'_>,
        others: &[Member<'_>],
    ) {
        for other in others {
            self.check_bandwidth(first, *other);
        }
        let Some(center) = self.center(components, first, others) else { return };
        let mut air = self.implied(&["shared"]);
        air.site = entry.site;
        air.set("name", entry.site, format!("shared-{number}").into());
        copy(first.link, &mut air, &[("bandwidth", "rate"), ("bandwidth", "control_rate")]);
        air.set("access_point", center.site, center.value.clone());
        let mut stations = vec![center.clone()];
        for member in core::iter::once(&first).chain(others) {
            if let Value::Array(ends) = Self::between(member.link) {
                let far =
                    ends.into_iter().filter(|end| string(&end.value) != string(&center.value));
                stations.extend(far);
            }
            let mut channel = self.channel(member.link);
            channel.site = member.link.site;
            let names = [("link_id", "name"), ("latency", "delay"), ("random_seed", "random_seed")];
            copy(member.link, &mut channel, &names);
            channel.set("between", member.link.site, Self::between(member.link));
            air.push("channel", channel);
        }
        air.set("stations", entry.site, Value::Array(stations));
        self.root.push("air", air);
    }

    /// The node that all links of an entry have in common: of the two ends of
    /// a single one, the base station.
    fn center(
        &mut self,
        components: &[Parsed],
        first: Member<'_>,
        others: &[Member<'_>],
    ) -> Option<Located> {
        let Value::Array(ends) = Lowering::between(first.link) else { return None };
        let is_base = |end: &Located| {
            let base = |it: &&Parsed| it.component.kind == ComponentKind::BaseStation;
            components.iter().filter(base).any(|it| text(it, "node_id") == string(&end.value))
        };
        let is_common = |end: &&Located| {
            let at = |member: &Member<'_>| {
                ["node_id1", "node_id2"]
                    .map(|key| text(member.link, key))
                    .contains(&string(&end.value))
            };
            others.iter().all(at)
        };
        let common: Vec<_> = ends.iter().filter(is_common).collect();
        let found = common.iter().find(|end| is_base(end)).or(common.first());
        if found.is_none() {
            let message = "the links have no node in common that could be their base station";
            self.report.error(first.site, "shared_links.link_id", message);
        }
        found.copied().cloned()
    }

    /// Checks that two links have the same bandwidth, that of their medium.
    fn check_bandwidth(&mut self, first: Member<'_>, other: Member<'_>) {
        let key = "bandwidth";
        let rate = |member: Member<'_>| text(member.link, key)?.parse::<BitRate>().ok();
        if let (Some(expected), Some(found)) = (rate(first), rate(other))
            && expected != found
            && let (Some((site, _)), Some((first_site, _))) =
                (other.link.get(key), first.link.get(key))
        {
            let message = format!("found {found}, expected {expected} as of all on this medium");
            self.report
                .error(site, "wireless_link.bandwidth", message)
                .related(first_site, "of the first");
        }
    }
}

fn string(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn text<'p>(parsed: &'p Parsed, key: &str) -> Option<&'p str> {
    parsed.get(key).and_then(|(_, value)| string(value))
}
