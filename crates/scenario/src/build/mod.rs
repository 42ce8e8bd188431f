//! Fills in every default, resolves names and checks the whole: from the
//! tables of a document to the model.

mod airs;
mod connections;
mod devices;
mod links;
mod nodes;
mod reach;

use std::collections::BTreeMap;
use std::path::Path;

use netjoule_units::{Duration, Instant};
use serde::de::DeserializeOwned;

use self::nodes::Nodes;
use crate::diagnostics::{Report, Site};
use crate::document::Table;
use crate::model::{Run, Scenario, Trace};
use crate::nearest;
use crate::read::{join, read};
use crate::schema;

/// Longer times are refused, so that sums of a few of them fit in 64 bits of
/// nanoseconds.
const LONGEST_TIME: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

/// Nodes, links, airs and connections of a scenario, each.
const MOST_PARTS: usize = 10_000;

/// Characters of a name of a node or link.
const LONGEST_NAME: usize = 64;

/// What the parts of a scenario are built with.
pub(crate) struct Context<'c> {
    /// Where errors go.
    pub(crate) report: &'c mut Report,
    /// Where files that the scenario names are looked for.
    pub(crate) directory: Option<&'c Path>,
}

/// The scenario that `document` describes; `None` after an error.
pub(crate) fn scenario(document: &Table, context: &mut Context<'_>) -> Option<Scenario> {
    let root: schema::Document = read(document, "", context.report);
    if root.title.contains(char::is_control) {
        let site = document.site_of("title");
        context.report.error(site, "title", "found a control character, expected one line");
    }
    for key in ["node", "link", "air", "connection"] {
        let count = document.item_sites(key).len();
        if count > MOST_PARTS {
            let message = format!("found {count}, expected at most {MOST_PARTS}");
            context.wrong(document, "", key, message);
            return None;
        }
    }
    let run = run(document, context);
    let nodes = nodes::build(document, context);
    let links = links::build(document, &nodes, context);
    let airs = airs::build(document, &nodes, context);
    airs::channels::check_names(&links, &airs, context);
    let connections = connections::build(document, &nodes, &links, &airs, context);
    links::check_stays(&links, &connections, context);
    airs::channels::check_stays(&airs, &connections, context);
    if !airs.is_empty() {
        airs::check_packets(document, run.headers, &nodes, &links, &connections, context);
    }
    if run.wire_fidelity {
        connections::check_packets(document, &connections, context);
    }
    let trace = trace(document, context);
    if !context.report.is_clean() {
        return None;
    }
    let scenario = Scenario {
        title: root.title,
        run,
        trace,
        nodes: nodes.parts.into_iter().filter_map(|part| part.built).collect(),
        links: links.into_iter().filter_map(|part| part.built).collect(),
        airs: airs.into_iter().filter_map(|part| part.built).collect(),
        connections: connections.into_iter().flatten().collect(),
    };
    check_channel_file(document, &scenario, context);
    Some(scenario)
}

/// A node, link or air. Its index in the document is its index in the model, for
/// there is no model after an error.
struct Part<'d, T> {
    table: &'d Table,
    /// Its path in diagnostics.
    path: String,
    name: Option<String>,
    /// `None` after an error in it.
    built: Option<T>,
}

fn run(document: &Table, context: &mut Context<'_>) -> Run {
    let run: Run = subtable(document, "run", context);
    let Some(table) = document.table("run") else { return run };
    context.check_time(table, "run", "time_limit", run.time_limit);
    context.check_time(table, "run", "clock_step", run.clock_step);
    for (key, zero) in [
        ("clock_step", run.clock_step.is_zero()),
        ("time_limit", run.time_limit.is_zero()),
        ("event_budget", run.event_budget == 0),
    ] {
        if zero {
            context.wrong(table, "run", key, "found zero, expected more");
        }
    }
    run
}

fn trace(document: &Table, context: &mut Context<'_>) -> Trace {
    let trace: Trace = subtable(document, "trace", context);
    let Some(table) = document.table("trace") else { return trace };
    context.check_time(table, "trace", "state_interval", trace.state_interval);
    context.check_time(table, "trace", "power_interval", trace.power_interval);
    let mut attributes = trace.attributes.clone();
    let mut events = trace.events.clone();
    attributes.sort_unstable();
    events.sort_unstable();
    for (key, twice) in [
        ("attributes", attributes.windows(2).any(|pair| pair[0] == pair[1])),
        ("events", events.windows(2).any(|pair| pair[0] == pair[1])),
    ] {
        if twice {
            context.wrong(table, "trace", key, "names something twice");
        }
    }
    trace
}

/// Checks that a channel file holds the changes of the one channel.
fn check_channel_file(document: &Table, scenario: &Scenario, context: &mut Context<'_>) {
    let channels = scenario.channels().count();
    if let (true, Some(table)) = (scenario.trace.channel_file, document.table("trace"))
        && channels != 1
    {
        let message = format!("needs exactly one wireless channel, and there are {channels}");
        context.wrong(table, "trace", "channel_file", message);
    }
}

/// The table under `key` of the document's root, or its default.
fn subtable<T: DeserializeOwned + Default>(
    document: &Table,
    key: &str,
    context: &mut Context<'_>,
) -> T {
    document.table(key).map(|table| read(table, key, context.report)).unwrap_or_default()
}

impl Context<'_> {
    /// Records that the value of `key` in `table` is wrong.
    fn wrong(&mut self, table: &Table, path: &str, key: &str, message: impl Into<String>) {
        self.report.error(table.site_of(key), join(path, key), message);
    }

    /// Records that `key` is missing, unless it is there and wrong.
    fn required<T>(
        &mut self,
        value: Option<T>,
        table: &Table,
        path: &str,
        key: &str,
        example: &str,
    ) -> Option<T> {
        if value.is_none() && table.get(key).is_none() {
            let message = format!("is missing; write for example {key} = {example}");
            self.report.error(table.site, join(path, key), message);
        }
        value
    }

    fn check_time(&mut self, table: &Table, path: &str, key: &str, time: Duration) {
        if time > LONGEST_TIME {
            self.wrong(table, path, key, format!("found {time}, expected at most 10 years"));
        }
    }

    fn check_moment(&mut self, table: &Table, path: &str, key: &str, moment: Instant) {
        self.check_time(table, path, key, moment.saturating_since(Instant::ZERO));
    }

    /// Records the settings that a crate's own check refuses.
    fn check_settings(
        &mut self,
        table: &Table,
        path: &str,
        checked: Result<(), Vec<(&'static str, String)>>,
    ) {
        for (key, expected) in checked.err().into_iter().flatten() {
            let found = table.get(key).map(|found| format!("found {}, ", found.value));
            let message = format!("{}expected {expected}", found.unwrap_or_default());
            self.wrong(table, path, key, message);
        }
    }

    /// Checks that `name` can be part of a file's name, as those of traces are,
    /// and that `others`, who were there first, do not have it.
    fn check_name<'n>(
        &mut self,
        name: &'n str,
        path: &str,
        site: Site,
        others: &mut BTreeMap<&'n str, Site>,
    ) {
        let fits = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(fits) {
            let message = format!(
                "found \"{name}\", expected 1 to {LONGEST_NAME} ASCII letters, digits, `-` and `_`"
            );
            self.report.error(site, join(path, "name"), message);
        } else if let Some(&first) = others.get(name) {
            self.report
                .error(site, join(path, "name"), format!("`{name}` is taken"))
                .related(first, "by this one");
        } else {
            others.insert(name, site);
        }
    }

    /// The index of the node called `name`, which stands at `site`.
    fn node_index(
        &mut self,
        nodes: &Nodes<'_>,
        name: &str,
        site: Site,
        key: String,
    ) -> Option<usize> {
        let found = nodes.by_name.get(name).copied();
        if found.is_none() {
            self.report
                .error(site, key, format!("there is no node `{name}`"))
                .help(|| nearest::help(name, nodes.by_name.keys().map(String::as_str)));
        }
        found
    }
}
