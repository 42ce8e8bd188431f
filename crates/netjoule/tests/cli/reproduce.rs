//! `netjoule reproduce`

use super::{fields, objects, succeed, workplace};

const ITEM: &str = "w4_170ms_simple_time";

#[test]
fn json_has_the_fields_that_scripts_rely_on() {
    let directory = workplace();
    let arguments = ["reproduce", "goel1997", ITEM, "--runs", "2", "--json"];
    let lines = succeed(directory.path(), &arguments);
    let objects = objects(&lines);
    let [figure, summary] = objects.as_slice() else { panic!("{lines}") };
    let promised = [
        "paper",
        "item",
        "case",
        "published",
        "unit",
        "n",
        "mean",
        "ci95_low",
        "ci95_high",
        "pi95_low",
        "pi95_high",
        "role",
        "inside",
        "sign_agrees",
        "verdict",
        "reason",
    ];
    for name in promised {
        assert!(fields(figure).contains(&name), "no {name} in {figure}");
    }
    assert_eq!(figure["item"], ITEM);
    // Two runs make no interval in which 95 of 100 lie.
    assert_eq!(figure["verdict"], "not_resolvable");
    assert_eq!(summary["summary"], true);
    assert_eq!(summary["figures"], 1);
    // One figure is not every cell.
    assert_eq!(summary["accepted"], serde_json::Value::Null);
}

#[test]
fn the_table_sets_published_and_measured_side_by_side() {
    let directory = workplace();
    let table = succeed(directory.path(), &["reproduce", "goel1997", ITEM, "--runs", "2"]);
    for expected in ["published", "mean ± 95 %", "verdict", "not resolvable", "too few"] {
        assert!(table.contains(expected), "no {expected} in\n{table}");
    }
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
}

#[test]
fn items_without_published_figures_have_no_verdict() {
    let directory = workplace();
    let arguments = ["reproduce", "goel1997", "start_exposure", "--runs", "1"];
    let table = succeed(directory.path(), &arguments);
    let (item, summary) = table.split_once("\n\nsingle runs: ").unwrap();
    assert!(item.contains("mean ± 95 %"), "{table}");
    assert!(!item.contains("published") && !item.contains("verdict"), "{table}");
    assert!(summary.contains("0 published figures"), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
}

#[test]
fn a_tolerance_decides_where_runs_hardly_scatter() {
    let directory = workplace();
    let arguments = ["reproduce", "agarwal2000", "table_5.1_rts_lifetime", "--quick"];
    let table = succeed(directory.path(), &arguments);
    for expected in ["published", "error", "predicted", "continuous", "of 4 figures within"] {
        assert!(table.contains(expected), "no {expected} in\n{table}");
    }
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");

    let arguments = ["reproduce", "agarwal2000", "delayed_ack_bytes", "--quick", "--json"];
    let lines = succeed(directory.path(), &arguments);
    let objects = objects(&lines);
    let [figure, summary] = objects.as_slice() else { panic!("{lines}") };
    assert_eq!((&figure["order"], &figure["verdict"]), (&"more".into(), &"holds".into()));
    assert_eq!(figure["published"], serde_json::Value::Null);
    assert_eq!(summary["judged"], "by_tolerance");
}
