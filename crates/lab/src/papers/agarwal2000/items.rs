//! The published figures as statistics of runs.

use super::published::{Claim, claims, table};
use super::runs::{Metric, Results};
use super::setting::{Acks, Interference, Setting, Supply};
use crate::Error;
use crate::papers::figure::{self, Value};
use crate::papers::sample::Sample;
use crate::papers::tolerance::Expectation;

/// How far off a lifetime may be: lifetimes of one stack in different
/// experiments of the thesis are 110, 111, 106 and 122 minutes.
pub(super) const LIFETIME_TOLERANCE: f64 = 0.09;

/// How far off bytes may be: as lifetimes, and the goodput by some percent.
pub(super) const BYTES_TOLERANCE: f64 = 0.11;

const LIFETIME: Expectation = Expectation::Within(LIFETIME_TOLERANCE);
const BYTES: Expectation = Expectation::Within(BYTES_TOLERANCE);

/// Of what 802.11b alone comes to.
const GOODPUT: Expectation = Expectation::Within(0.08);

/// The gain of all modifications is from 1.20 to 1.38 if it is 1.29.
const GAIN: Expectation = Expectation::Apart(9.0);

/// A change of less than a percent is almost nothing.
const NOTHING: Expectation = Expectation::Zero(1.0);

/// Lifetimes that differ by less than that are alike.
const ALIKE: Expectation = Expectation::Zero(7.0);

/// Lifetimes of one stack differ by more from one experiment to the next.
const CHANGE: Expectation = Expectation::Change(7.0);

/// Name of the item that has what 802.11b alone comes to.
pub(super) const GOODPUTS: &str = "mac_goodput";

/// Something that the thesis says, or that explains it.
pub(super) struct Item {
    pub(super) name: String,
    /// Place in the text, or what it is.
    pub(super) place: String,
    pub(super) rows: Vec<Row>,
}

/// A figure of an item.
pub(super) struct Row {
    pub(super) case: figure::Setting,
    pub(super) unit: &'static str,
    pub(super) published: Option<f64>,
    pub(super) expectation: Option<Expectation>,
    /// Why another part of the text excludes this row of the item.
    pub(super) excluded: Option<&'static str>,
    pub(super) statistic: Statistic,
}

/// How a figure follows from the runs of one seed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Statistic {
    /// A quantity of one setting.
    Of(Metric, Setting),
    /// By how much it changes from one setting to another, in percent.
    Change(Metric, [Setting; 2]),
    /// By how much the second change is larger than the first, in points.
    Excess(Metric, [[Setting; 2]; 2]),
    /// By how much it falls from one setting to another, as a share of how much
    /// the energy of a megabyte falls, in percent.
    Share(Metric, [Setting; 2]),
}

impl Statistic {
    /// The settings that it needs.
    pub(super) fn settings(self) -> Vec<Setting> {
        match self {
            Self::Of(_, setting) => vec![setting],
            Self::Change(_, pair) | Self::Share(_, pair) => pair.to_vec(),
            Self::Excess(_, pairs) => pairs.concat(),
        }
    }

    /// Its value on each seed.
    pub(super) fn sample(self, results: &Results) -> Sample {
        let change = |metric, [from, to]: [Setting; 2]| {
            let (from, to) = (results.metric(from, metric), results.metric(to, metric));
            from.zip_with(&to, |from, to| 100.0 * (to / from - 1.0))
        };
        let saved = |metric, [from, to]: [Setting; 2]| {
            let (from, to) = (results.metric(from, metric), results.metric(to, metric));
            from.zip_with(&to, |from, to| from - to)
        };
        match self {
            Self::Of(metric, setting) => results.metric(setting, metric),
            Self::Change(metric, pair) => change(metric, pair),
            Self::Excess(metric, [first, second]) => {
                change(metric, first).zip_with(&change(metric, second), |a, b| b - a)
            }
            Self::Share(metric, pair) => {
                let all = saved(Metric::Energy, pair);
                saved(metric, pair).zip_with(&all, |part, all| 100.0 * part / all)
            }
        }
    }
}

fn text(name: &'static str, value: &'static str) -> figure::Setting {
    figure::Setting::default().with(name, Value::Text(value))
}

impl Row {
    fn figure(
        statistic: Statistic,
        unit: &'static str,
        published: Option<f64>,
        expectation: Expectation,
    ) -> Self {
        let case = statistic.settings().last().map(|it| it.label()).unwrap_or_default();
        let expectation = Some(expectation);
        Self { case, unit, published, expectation, excluded: None, statistic }
    }

    fn lifetime(setting: Setting, published: Option<f64>) -> Self {
        Self::figure(Statistic::Of(Metric::Lifetime, setting), "min", published, LIFETIME)
    }

    fn order(metric: Metric, pair: [Setting; 2], expectation: Expectation) -> Self {
        Self::figure(Statistic::Change(metric, pair), "percent", None, expectation)
    }

    fn named(self, case: figure::Setting) -> Self {
        Self { case, ..self }
    }

    fn extra(statistic: Statistic, unit: &'static str, case: figure::Setting) -> Self {
        Self { case, unit, published: None, expectation: None, excluded: None, statistic }
    }
}

/// Every item, in the order in which it is shown.
pub(super) fn all() -> Result<Vec<Item>, Error> {
    let mut items = vec![goodputs()?];
    for claim in claims()? {
        if claim.id == "compression" {
            continue;
        }
        let rows = rows_of(&claim)?;
        items.push(Item { name: claim.id, place: claim.place, rows });
    }
    items.extend(table_items()?);
    items.extend([changes(), steps(), split(), fast_control_frames()?]);
    Ok(items)
}

const RTS: Setting = Setting { rts: true, ..Setting::UNMODIFIED };
const BEST_RTS: Setting = Setting { rts: true, ..Setting::BEST };
const LATE_PAWS: Setting = Setting { paws_first: false, ..Setting::UNMODIFIED };
const NO_TIMESTAMPS: Setting = Setting { timestamps: false, ..Setting::UNMODIFIED };
const TIMED: Setting = Setting { acks: Acks::Timed, ..Setting::UNMODIFIED };
/// Both are at 2296 B there, with RTS (5.9).
const RECEIVER: Setting = Setting { mtu: 2296, supply: Supply::Receiver, ..RTS };
const RECEIVER_BEST: Setting = Setting { supply: Supply::Receiver, ..BEST_RTS };

fn rows_of(claim: &Claim) -> Result<Vec<Row>, Error> {
    let unmodified = Setting::UNMODIFIED;
    let lifetime = |setting| vec![Row::lifetime(setting, claim.value)];
    let gain = |pair| {
        vec![Row::figure(Statistic::Change(Metric::Bytes, pair), "percent", claim.value, GAIN)]
    };
    let rows = match claim.id.as_str() {
        "idle_lifetime" => lifetime(Setting::IDLE),
        "sending_lifetime" | "unmodified_lifetime" | "timestamps_on_lifetime" => {
            lifetime(unmodified)
        }
        "header_prediction_normal_lifetime" => lifetime(unmodified),
        "header_prediction_modified_lifetime" => lifetime(LATE_PAWS),
        "timestamps_off_lifetime" => lifetime(NO_TIMESTAMPS),
        "delayed_ack_lifetime" => vec![
            Row::lifetime(unmodified, claim.value),
            Row::lifetime(TIMED, claim.value),
            Row::order(Metric::Lifetime, [unmodified, TIMED], ALIKE)
                .named(text("change", "of-lifetime")),
        ],
        "best_lifetime" => lifetime(Setting::BEST),
        "best_rts_lifetime" => lifetime(BEST_RTS),
        "unmodified_rts_lifetime" => lifetime(RTS),
        "receiver_unmodified_lifetime" => lifetime(RECEIVER),
        "receiver_best_lifetime" => lifetime(RECEIVER_BEST),
        "best_gain" => gain([unmodified, Setting::BEST]),
        "rts_gain_larger" => vec![Row::figure(
            Statistic::Excess(Metric::Bytes, [[unmodified, Setting::BEST], [RTS, BEST_RTS]]),
            "percent",
            None,
            Expectation::More,
        )],
        "mss_monotone" => sizes(),
        "sack_2296" => sack_by_size(),
        "wscale" => {
            let without = Setting { window_scale: false, ..unmodified };
            vec![Row::order(Metric::Bytes, [unmodified, without], NOTHING)]
        }
        "timestamps_vs_header_prediction" => vec![Row::figure(
            Statistic::Excess(
                Metric::Bytes,
                [[unmodified, LATE_PAWS], [unmodified, NO_TIMESTAMPS]],
            ),
            "percent",
            None,
            Expectation::More,
        )],
        "delayed_ack_bytes" => {
            vec![Row::order(Metric::Bytes, [unmodified, TIMED], Expectation::More)]
        }
        "distance" => {
            let near = Setting { distance_m: Some(0), ..unmodified };
            let far = Setting { distance_m: Some(10), ..unmodified };
            vec![
                Row::order(Metric::Bytes, [near, far], NOTHING).named(text("of", "bytes")),
                Row::order(Metric::Lifetime, [near, far], NOTHING).named(text("of", "lifetime")),
            ]
        }
        "retransmissions_mtu1500" => vec![Row::figure(
            Statistic::Of(Metric::Retransmissions, unmodified),
            "segments",
            claim.value,
            Expectation::Within(0.5),
        )],
        "sack_continuous_norts" => {
            let off = Setting { interference: Interference::Continuous, ..Setting::MODIFIED };
            let on = Setting { sack: true, ..off };
            vec![Row::order(Metric::Bytes, [on, off], Expectation::More)]
        }
        id => {
            return Err(Error::PaperFile {
                file: "agarwal2000/published/claims.csv",
                reason: format!("nothing reproduces `{id}`"),
            });
        }
    };
    Ok(rows)
}

/// 5.1: each step up in size sends more bytes in less time.
fn sizes() -> Vec<Row> {
    const STEPS: [(&str, u64, u64); 3] =
        [("500-to-1000", 500, 1000), ("1000-to-1500", 1000, 1500), ("1500-to-2296", 1500, 2296)];
    let of = |mtu| Setting { mtu, ..Setting::UNMODIFIED };
    let row = |name: &'static str, metric, what: &'static str, order| {
        STEPS.map(|(step, from, to)| {
            Row::order(metric, [of(from), of(to)], order)
                .named(text("step", step).with(name, Value::Text(what)))
        })
    };
    let bytes = row("of", Metric::Bytes, "bytes", Expectation::More);
    let lifetimes = row("of", Metric::Lifetime, "lifetime", Expectation::Less);
    bytes.into_iter().chain(lifetimes).collect()
}

/// 5.2: what SACK off does to the bytes at each size.
fn sack_by_size() -> Vec<Row> {
    let sizes = [500, 1000, 1500, 2296].into_iter();
    sizes
        .map(|mtu| {
            let on = Setting { mtu, ..Setting::UNMODIFIED };
            let off = Setting { sack: false, ..on };
            let expected = if mtu == 2296 { Expectation::More } else { Expectation::Less };
            Row::order(Metric::Bytes, [on, off], expected)
        })
        .collect()
}

/// What 802.11b alone makes of table 5.1's intermittent half: bytes by lifetime,
/// unfitted, without the time of any processor.
fn goodputs() -> Result<Item, Error> {
    let mut rows = Vec::new();
    for (acks, name) in [(Acks::EverySecond, "ack2"), (Acks::Timed, "timed")] {
        for control_rate_mbit in [2, 11] {
            for cell in table()? {
                let setting = cell.setting();
                if setting.interference != Interference::Intermittent {
                    continue;
                }
                let alone = Setting { acks, control_rate_mbit, supply: Supply::Nobody, ..setting };
                let statistic = Statistic::Of(Metric::Goodput, alone);
                let published = Some(cell.goodput_mbit_per_s());
                let case = text("acks", name)
                    .with("control_mbit", Value::Integer(control_rate_mbit))
                    .with("rts", Value::Text(if setting.rts { "rts" } else { "no-rts" }))
                    .with("sack", Value::Text(if setting.sack { "sack" } else { "no-sack" }));
                rows.push(Row::figure(statistic, "Mbit/s", published, GOODPUT).named(case));
            }
        }
    }
    for rts in [false, true] {
        let alone =
            Setting { acks: Acks::TimerAlone, supply: Supply::Nobody, rts, ..Setting::MODIFIED };
        let case = text("acks", "500ms-alone")
            .with("control_mbit", Value::Integer(2))
            .with("rts", Value::Text(if rts { "rts" } else { "no-rts" }));
        rows.push(Row::extra(Statistic::Of(Metric::Goodput, alone), "Mbit/s", case));
    }
    Ok(Item {
        name: GOODPUTS.into(),
        place: "bytes by lifetime of table 5.1, intermittent; 802.11b alone, unfitted".into(),
        rows,
    })
}

/// Table 5.1: lifetimes and bytes, the half without RTS and that with it.
fn table_items() -> Result<Vec<Item>, Error> {
    let mut items = Vec::new();
    for (rts, half) in [(false, "no_rts"), (true, "rts")] {
        for (metric, unit, name) in
            [(Metric::Lifetime, "min", "lifetime"), (Metric::Bytes, "bytes", "bytes")]
        {
            let cells = table()?.into_iter().filter(|cell| cell.setting().rts == rts);
            let rows = cells.map(|cell| {
                let (published, tolerance) = match metric {
                    Metric::Lifetime => (cell.lifetime_min, LIFETIME),
                    _ => (cell.bytes, BYTES),
                };
                let statistic = Statistic::Of(metric, cell.setting());
                Row::figure(statistic, unit, Some(published), tolerance)
            });
            items.push(Item {
                name: format!("table_5.1_{half}_{name}"),
                place: "table 5.1".into(),
                rows: rows.collect(),
            });
        }
    }
    Ok(items)
}

/// Differences that the thesis draws conclusions from.
fn changes() -> Item {
    let unmodified = Setting::UNMODIFIED;
    let change = |name, pair, [from, to]: [f64; 2]| {
        let published = Some(100.0 * (to / from - 1.0));
        let statistic = Statistic::Change(Metric::Lifetime, pair);
        Row::figure(statistic, "percent", published, CHANGE).named(text("of", name))
    };
    let with_rts = |row| Row { excluded: Some(RTS_CONTRADICTION), ..row };
    Item {
        name: "lifetime_changes".into(),
        place: "5.4 to 5.9: changes of lifetimes".into(),
        rows: vec![
            change("timestamps-off", [unmodified, NO_TIMESTAMPS], [111.0, 115.0]),
            change("paws-late", [unmodified, LATE_PAWS], [111.0, 114.0]),
            change("all", [unmodified, Setting::BEST], [122.0, 113.0]),
            with_rts(change("all-with-rts", [RTS, BEST_RTS], [114.0, 113.0])),
            with_rts(change("rts-unmodified", [unmodified, RTS], [122.0, 114.0])),
            with_rts(change("rts-all", [Setting::BEST, BEST_RTS], [113.0, 113.0])),
            change("all-at-receiver", [RECEIVER, RECEIVER_BEST], [121.0, 120.0]),
        ],
    }
}

const RTS_CONTRADICTION: &str = "in 5.7 RTS shortens the life of the unmodified stack, or leaves \
                                 it; in table 5.1 it lengthens that of the modified one by 3 to \
                                 13 % in each of the four pairs";

/// What each modification alone gains.
fn steps() -> Item {
    let unmodified = Setting::UNMODIFIED;
    let mut rows = Vec::new();
    for (rts, word) in [(false, "no-rts"), (true, "rts")] {
        let steps = [
            ("mtu-2296", Setting { mtu: 2296, ..unmodified }),
            ("timed-acks", TIMED),
            ("timestamps-off", NO_TIMESTAMPS),
            ("paws-late", LATE_PAWS),
            ("sack-off", Setting { sack: false, ..unmodified }),
            ("all", Setting::BEST),
        ];
        rows.extend(steps.map(|(name, to)| {
            let pair = [unmodified, to].map(|it| Setting { rts, ..it });
            let case = text("alone", name).with("rts", Value::Text(word));
            Row::extra(Statistic::Change(Metric::Bytes, pair), "percent", case)
        }));
    }
    let at_receiver = Row::extra(
        Statistic::Change(Metric::Bytes, [RECEIVER, RECEIVER_BEST]),
        "percent",
        text("alone", "all-but-mtu").with("rts", Value::Text("rts-at-receiver")),
    );
    rows.push(at_receiver);
    Item {
        name: "gain_by_step".into(),
        place: "bytes of a charge gained by each modification alone".into(),
        rows,
    }
}

/// What the gain of all modifications is made of.
fn split() -> Item {
    let pairs = [
        ("no-rts", [Setting::UNMODIFIED, Setting::BEST]),
        ("rts", [RTS, BEST_RTS]),
        ("rts-at-receiver", [RECEIVER, RECEIVER_BEST]),
    ];
    let parts = [
        ("airtime", Metric::Airtime),
        ("acknowledgments", Metric::Acknowledgments),
        ("processing", Metric::Processing),
    ];
    let mut rows = Vec::new();
    for (name, pair) in pairs {
        let case = text("part", "change-of-energy-per-MB").with("rts", Value::Text(name));
        rows.push(Row::extra(Statistic::Change(Metric::Energy, pair), "percent", case));
        for (part, metric) in parts {
            let case = text("part", part).with("rts", Value::Text(name));
            rows.push(Row::extra(Statistic::Share(metric, pair), "percent", case));
        }
    }
    Item {
        name: "gain_split".into(),
        place: "shares of the energy that all modifications save on a megabyte".into(),
        rows,
    }
}

/// What the rate of control frames is worth.
fn fast_control_frames() -> Result<Item, Error> {
    let fast = |setting| Setting { control_rate_mbit: 11, ..setting };
    let mut rows = Vec::new();
    for cell in table()? {
        let setting = fast(cell.setting());
        let statistic = Statistic::Of(Metric::Bytes, setting);
        let row = Row::extra(statistic, "bytes", setting.label());
        rows.push(Row { published: Some(cell.bytes), ..row });
    }
    Ok(Item {
        name: "control_rate_11".into(),
        place: "table 5.1 with RTS, CTS and ACK at 11 Mbit/s".into(),
        rows,
    })
}
