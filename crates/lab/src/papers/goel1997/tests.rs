use std::sync::atomic::{AtomicU64, Ordering};

use super::setting::Variation;
use super::*;
use crate::papers::{Request, Role, Verdict, reproduce};

fn built_in(effort: Effort) -> Box<dyn Campaign> {
    campaign(effort).unwrap()
}

#[test]
fn the_tables_have_ninety_cells_of_the_plans_grid() {
    let plan = Plan::built_in().unwrap();
    let (items, left_out) = items::all(&plan).unwrap();
    let tables: Vec<&Item> = items.iter().filter(|item| item.kind == Kind::Table).collect();
    assert_eq!(tables.len(), 9);
    let cells: Vec<&Entry> = tables.iter().flat_map(|table| &table.entries).collect();
    assert_eq!(cells.len(), 90);

    let of_tables: BTreeSet<Setting> = cells.iter().flat_map(|cell| cell.needed()).collect();
    let grid = plan.figures_5_8_to_5_16.settings(Variation::AsAssumed);
    assert_eq!(of_tables, grid.into_iter().collect());

    assert!(left_out.is_empty(), "{left_out:?}");
    assert_eq!(items.iter().filter(|item| item.kind == Kind::Claim).count(), 16);
    assert_eq!(items.iter().filter(|item| item.kind == Kind::Replay).count(), 2);
}

#[test]
fn assumptions_name_items_that_exist() {
    let plan = Plan::built_in().unwrap();
    let (items, left_out) = items::all(&plan).unwrap();
    let known: Vec<&str> = items
        .iter()
        .map(|item| item.name.as_str())
        .chain(left_out.iter().map(String::as_str))
        .collect();
    let assumptions = assumptions().unwrap();
    let named = assumptions
        .assumptions
        .iter()
        .flat_map(|assumption| &assumption.fitted_on)
        .chain(assumptions.contradictions.iter().flat_map(|it| &it.items));
    for name in named {
        assert!(known.contains(&name.as_str()), "{name}");
    }
    assert_eq!(assumptions.role("max_refined_492ms"), Role::Fitted);
    assert_eq!(assumptions.role("table_5.4"), Role::Predicted);
}

#[test]
fn a_setting_changes_what_it_names() {
    let base = base_scenario().unwrap();
    let setting = Setting {
        wired_delay_ms: 75,
        mean_bad_ms: 300,
        window_kib: 48,
        variation: Variation::HonestTiming,
    };
    let scenario = setting.apply(&base);
    assert_eq!(scenario.links[0].delay.to_string(), "75 ms");
    assert_eq!(scenario.links[1].delay, base.links[1].delay);
    assert_eq!(scenario.connections[0].tcp.receive_window.get(), 48 * 1024);
    assert_ne!(scenario.run.headers, base.run.headers);
    assert_eq!(scenario.run.clock_step.as_nanos(), 1);
    assert_eq!(scenario.connections[0].transfer.get(), 10_000 * 1024);
    let assumed = Setting { variation: Variation::AsAssumed, ..setting }.apply(&base);
    assert_eq!(assumed.run, base.run);
    for variation in Variation::OTHERS {
        assert_ne!(Setting { variation, ..setting }.apply(&base), assumed, "{variation:?}");
    }
}

#[test]
fn totals_are_known_in_advance() {
    // Each of 45 + 4 + 1 settings of figures and 4 · (5 + 4) of variations runs
    // once without loss, and on every seed with three schemes; two recoveries.
    let everything = built_in(Effort::Runs(2));
    assert_eq!(everything.total_runs(&everything.items()), (45 + 4 + 1 + 36) * (1 + 3 * 2) + 2);
    assert_eq!(everything.total_runs(&["w4_170ms_simple_time".into()]), 7);
    // With what it is compared to.
    assert_eq!(everything.total_runs(&["honest_timing".into()]), 18 * 7);
}

#[test]
fn one_item_is_reproduced_the_same_on_any_number_of_threads() {
    let request = |threads| Request {
        item: Some("w4_170ms_simple_time".into()),
        effort: Effort::Runs(3),
        jobs: NonZeroUsize::new(threads),
        ..Request::new(&PAPER)
    };
    let done = AtomicU64::new(0);
    let progress = |n| {
        done.fetch_add(n, Ordering::Relaxed);
    };
    let single = reproduce(&request(1), &progress).unwrap();
    assert_eq!(done.into_inner(), request(1).total_runs().unwrap());
    assert_eq!(single, reproduce(&request(3), &|_| {}).unwrap());

    let figure = &single.figures[0];
    assert_eq!((figure.n, figure.incomplete), (3, 0));
    assert_eq!(figure.published, Some(945.579));
    assert_eq!(figure.case.get("window_kb"), Some(&Value::Integer(4)));
    assert_eq!(figure.verdict, Some(Verdict::NotResolvable));
    assert_eq!(single.summary.figures, 1);
    assert_eq!(single.summary.cells, 0);
    assert_eq!(single.summary.accepted, None);
    // A window of 4 KB per round trip of about 0.35 s.
    let time = figure.mean.unwrap();
    assert!((875.0..1_100.0).contains(&time), "{time} s");
}

#[test]
fn recoveries_take_the_published_times() {
    for item in ["fig_5_3_simple_recovery", "fig_5_4_unmodified_recovery"] {
        let request = Request { item: Some(item.into()), ..Request::new(&PAPER) };
        assert_eq!(request.total_runs().unwrap(), 1);
        let reproduction = reproduce(&request, &|_| {}).unwrap();
        let figure = &reproduction.figures[0];
        assert_eq!((figure.verdict, figure.n), (Some(Verdict::Holds), 1), "{figure:?}");
        assert_eq!(figure.role, Some(Role::Fitted));
    }
}

#[test]
fn figures_serialise_under_their_names() {
    let label = Label {
        paper: KEY,
        item: "table_5.4".into(),
        source: "table 5.4".into(),
        case: super::super::Setting::default().with("window_kb", Value::Integer(4)),
        unit: "percent",
    };
    let figure = Figure::measured(label, &Sample::new(vec![Some(1.0)]));
    let table = toml::Value::try_from(&figure).unwrap();
    assert_eq!(table["item"].as_str(), Some("table_5.4"));
    assert_eq!(table["case"]["window_kb"].as_integer(), Some(4));
    assert_eq!(table["n"].as_integer(), Some(1));
}
