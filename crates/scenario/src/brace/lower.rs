//! From components to the tables of a TOML scenario.

use netjoule_units::Bytes;

use super::components::ComponentKind;
use super::parser::Parsed;
use crate::diagnostics::{Report, Site};
use crate::document::{Located, Table, Value};

/// What `read_from_trace` asks for (goel1997 B.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TraceMode {
    /// 0: changes of state come from `trace.dat`.
    Read,
    /// 1: changes of state are random, and written to `trace.dat`.
    Write,
    /// 2: BAD periods are those of `patch.dat`, where goel1997 had them
    /// compiled in; changes of state are written to `trace.dat`.
    Force,
}

/// The tables that `components` and the `implied` settings stand for.
pub(super) fn lower(
    number: usize,
    components: &[Parsed],
    implied: Table,
    report: &mut Report,
) -> Table {
    let mut lowering = Lowering { root: Table::new(Site::new(number, &(0..0))), implied, report };
    for key in ["run", "tcp"] {
        if let Some(entry) = lowering.implied.entries.get(key) {
            lowering.root.entries.insert(key.into(), entry.clone());
        }
    }
    lowering.simulator(components);
    let shared = lowering.shared_links(components);
    for (index, parsed) in components.iter().enumerate() {
        match parsed.component.kind {
            ComponentKind::Simulator | ComponentKind::SharedLinks => {}
            ComponentKind::WiredSource => lowering.source(parsed, "unreliable"),
            ComponentKind::WirelessSource => lowering.source(parsed, "reliable"),
            ComponentKind::WiredSink => lowering.host(parsed, "unreliable"),
            ComponentKind::WirelessSink => lowering.host(parsed, "reliable"),
            ComponentKind::Router => lowering.router(parsed, "router"),
            ComponentKind::BaseStation => lowering.router(parsed, "base_station"),
            ComponentKind::WiredLink => lowering.wired_link(parsed),
            ComponentKind::WirelessLink if shared.contains(&index) => {}
            ComponentKind::WirelessLink => lowering.wireless_link(parsed),
        }
    }
    lowering.root
}

pub(super) struct Lowering<'l> {
    pub(super) root: Table,
    implied: Table,
    pub(super) report: &'l mut Report,
}

/// Copies attributes of `parsed` into `table` under the names given.
pub(super) fn copy(parsed: &Parsed, table: &mut Table, names: &[(&str, &str)]) {
    for (from, to) in names {
        if let Some((site, value)) = parsed.get(from) {
            table.set(to, site, value.clone());
        }
    }
}

impl Lowering<'_> {
    /// The one `simulator` component: `run` and `trace`.
    fn simulator(&mut self, components: &[Parsed]) {
        let kind = |kind| move |parsed: &&Parsed| parsed.component.kind == kind;
        let mut simulators = components.iter().filter(kind(ComponentKind::Simulator));
        let Some(simulator) = simulators.next() else {
            self.report.error(self.root.site, "simulator", "the file has no such component");
            return;
        };
        for second in simulators {
            self.report
                .error(second.site, "simulator", "only one such component can be there")
                .related(simulator.site, "this one");
        }
        let mut run = self.root.table("run").cloned().unwrap_or_default();
        copy(simulator, &mut run, &[("system_simulation_time", "time_limit")]);
        self.root.set("run", simulator.site, Value::Table(run));

        let mut trace = Table::new(simulator.site);
        copy(simulator, &mut trace, &[("print_interval", "state_interval")]);
        let Some((site, mode)) = simulator.get("read_from_trace") else { return };
        let wireless = components.iter().filter(kind(ComponentKind::WirelessLink)).count();
        let mode = match mode {
            Value::Integer(0) => TraceMode::Read,
            Value::Integer(1) => TraceMode::Write,
            _ => TraceMode::Force,
        };
        if mode != TraceMode::Write && wireless != 1 {
            let message = format!(
                "0 and 2 need exactly one wireless link, and there are {wireless}; 1 is for any"
            );
            self.report.error(site, "simulator.read_from_trace", message);
        }
        // A trace holds one channel, and 1 is the value for all other networks.
        if mode != TraceMode::Read && wireless == 1 {
            trace.set("channel_file", site, Value::Boolean(true));
        }
        self.root.set("trace", simulator.site, Value::Table(trace));
        // The place is that of the attribute that asks for the file.
        let file = match mode {
            TraceMode::Read => Some(("trace", "trace.dat")),
            TraceMode::Force => Some(("bad_periods", "patch.dat")),
            TraceMode::Write => None,
        };
        if let Some((key, file)) = file {
            self.channel_setting(key, site, file.into());
        }
    }

    /// Adds to the implied settings of each wireless channel.
    fn channel_setting(&mut self, key: &str, site: Site, value: Value) {
        let mut wireless = self.implied.table("wireless").cloned().unwrap_or_default();
        let mut channel = wireless.table("channel").cloned().unwrap_or_default();
        channel.set(key, site, value);
        wireless.set("channel", channel.site, Value::Table(channel));
        self.implied.set("wireless", wireless.site, Value::Table(wireless));
    }

    fn node(parsed: &Parsed, kind: &str) -> Table {
        let mut node = Table::new(parsed.site);
        copy(parsed, &mut node, &[("node_id", "name")]);
        node.set("kind", parsed.site, kind.into());
        node
    }

    fn host(&mut self, parsed: &Parsed, link_layer: &str) {
        let mut node = Self::node(parsed, "host");
        node.set("link_layer", parsed.site, link_layer.into());
        self.root.push("node", node);
    }

    fn router(&mut self, parsed: &Parsed, kind: &str) {
        let mut node = Self::node(parsed, kind);
        let names = [("buffer_size", "buffer"), ("processing_delay", "processing_delay")];
        copy(parsed, &mut node, &names);
        self.root.push("node", node);
    }

    /// A host and its connection.
    fn source(&mut self, parsed: &Parsed, link_layer: &str) {
        self.host(parsed, link_layer);
        let mut connection = Table::new(parsed.site);
        let names = [("node_id", "from"), ("dest_id", "to"), ("start_time", "start")];
        copy(parsed, &mut connection, &names);
        let mut tcp = Table::new(parsed.site);
        copy(parsed, &mut tcp, &[("pkt_size", "mss"), ("recv_wnd_size", "receive_window")]);
        connection.set("tcp", parsed.site, Value::Table(tcp));
        if let (Some((site, Value::Integer(count))), Some((_, Value::String(size)))) =
            (parsed.get("num_of_pkts_to_send"), parsed.get("pkt_size"))
        {
            match transfer(*count, size) {
                Some(bytes) => connection.set("transfer", site, bytes.into()),
                None => {
                    let message = format!("{count} packets of {size} are more than 2^64 bytes");
                    self.report.error(site, "num_of_pkts_to_send", message);
                }
            }
        }
        self.root.push("connection", connection);
    }

    fn link(parsed: &Parsed, kind: &str) -> Table {
        let mut link = Table::new(parsed.site);
        let names = [
            ("link_id", "name"),
            ("bandwidth", "rate"),
            ("latency", "delay"),
            ("random_seed", "random_seed"),
            ("loss_probability", "loss"),
        ];
        copy(parsed, &mut link, &names);
        link.set("kind", parsed.site, kind.into());
        link.set("between", parsed.site, Self::between(parsed));
        link
    }

    /// The nodes at the ends of a link.
    pub(super) fn between(parsed: &Parsed) -> Value {
        let ends = ["node_id1", "node_id2"];
        let ends = ends.iter().filter_map(|end| parsed.get(end));
        let ends = ends.map(|(site, value)| Located { site, value: value.clone() });
        Value::Array(ends.collect())
    }

    fn wired_link(&mut self, parsed: &Parsed) {
        self.root.push("link", Self::link(parsed, "wired"));
    }

    fn wireless_link(&mut self, parsed: &Parsed) {
        let mut link = Self::link(parsed, "wireless");
        link.set("channel", parsed.site, Value::Table(self.channel(parsed)));
        link.set("arq", parsed.site, Value::Table(self.implied(&["wireless", "arq"])));
        self.root.push("link", link);
    }

    /// The settings of a wireless link's channel.
    pub(super) fn channel(&self, parsed: &Parsed) -> Table {
        let mut channel = self.implied(&["wireless", "channel"]);
        let names = [
            ("mean_exp_distrib_good_state", "mean_good"),
            ("mean_exp_distrib_bad_state", "mean_bad"),
        ];
        copy(parsed, &mut channel, &names);
        channel
    }

    /// The implied settings at `path`.
    pub(super) fn implied(&self, path: &[&str]) -> Table {
        let table = path.iter().try_fold(&self.implied, |table, key| table.table(key));
        table.cloned().unwrap_or_default()
    }
}

/// The bytes of `count` packets of `size`, a number of B.
fn transfer(count: i128, size: &str) -> Option<String> {
    let size: Bytes = size.parse().ok()?;
    let bytes = u64::try_from(count).ok()?.checked_mul(size.get())?;
    Some(format!("{bytes} B"))
}
