use std::num::NonZeroUsize;

use netjoule_energy::device::Kind;
use netjoule_units::BitRate;

use super::published::{claims, table};
use super::setting::{Acks, Interference, Supply};
use super::*;
use crate::papers::{Request, Verdict, reproduce};

fn quick(item: &str) -> Request {
    Request { item: Some(item.into()), effort: Effort::Quick, ..Request::new(&PAPER) }
}

fn figures(item: &str) -> Vec<Figure> {
    reproduce(&quick(item), &|_| {}).unwrap().figures
}

#[test]
fn every_figure_of_the_text_is_reproduced() {
    let items = campaign(Effort::Quick).unwrap().items();
    for claim in claims().unwrap() {
        assert!(items.contains(&claim.id), "{}", claim.id);
    }
    let rows: usize = items::all()
        .unwrap()
        .iter()
        .filter(|item| item.name.starts_with("table_5.1"))
        .map(|item| item.rows.len())
        .sum();
    assert_eq!((table().unwrap().len(), rows), (8, 16));
}

#[test]
fn assumptions_name_items_that_exist() {
    let items = campaign(Effort::Quick).unwrap().items();
    let assumptions = assumptions().unwrap();
    let named = assumptions
        .assumptions
        .iter()
        .flat_map(|assumption| &assumption.fitted_on)
        .chain(assumptions.contradictions.iter().flat_map(|it| &it.items));
    for name in named {
        assert!(items.contains(name), "{name}");
    }
    assert_eq!(assumptions.role("table_5.1_no_rts_bytes"), Role::Fitted);
    assert_eq!(assumptions.role("table_5.1_rts_bytes"), Role::Predicted);
    assert_eq!(assumptions.role("best_gain"), Role::Predicted);
}

/// What the fit chose is what the device's file says and what every figure here
/// rests on.
#[test]
fn the_file_of_the_device_is_what_is_used() {
    let file = machine::laptop().unwrap();
    let machine = Machine::of_file().unwrap();
    assert_eq!(machine.device().unwrap(), file);
    for (parameter, value) in PARAMETERS.iter().zip(machine.values()) {
        assert!((parameter.low..parameter.high).contains(&value), "{parameter:?}: {value}");
    }
    let fitted = ["activity", "active", "data_out", "data_in", "ack_in", "ack_out", "bytes_copied"];
    for name in fitted {
        let key = format!(".{name}");
        let value = file.values().into_iter().find(|value| value.key.ends_with(&key)).unwrap();
        assert_eq!(value.kind, Kind::Fitted, "{name}");
        assert!(value.source.contains("reproduce agarwal2000 fit"), "{name}");
    }
}

/// A minute with optimisation: cargo test --release -p netjoule-lab -- --ignored
#[test]
#[ignore = "takes a minute even with optimisation"]
fn the_file_of_the_device_has_the_result_of_the_fit() {
    let scenario = base_scenario().unwrap();
    let fit = Calibration::new(&scenario, BASE_SEED, None).unwrap().fit().unwrap();
    let machine = Machine::of_file().unwrap();
    for ((parameter, fitted), file) in PARAMETERS.iter().zip(&fit.values).zip(machine.values()) {
        // A rounded nanosecond moves packets, and the result by a percent; its
        // interval is far wider.
        assert!((fitted / file - 1.0).abs() < 0.03, "{}: {fitted}, {file}", parameter.name);
    }
}

#[test]
fn a_setting_changes_what_it_names() {
    let base = base_scenario().unwrap();
    let laptop = machine::laptop().unwrap();
    let apply =
        |setting: Setting| setting.apply(&base, &laptop, BitRate::from_mbit_per_s(1)).unwrap();
    let best = apply(Setting { rts: true, supply: Supply::Receiver, ..Setting::BEST });
    let tcp = &best.connections[0].tcp;
    assert_eq!((tcp.mss.get(), tcp.ack_every, tcp.timestamps), (2256, 0, false));
    assert_eq!(best.airs[0].dot11.rts_threshold.get(), 1_000);
    let batteries = best.nodes.iter().map(|node| node.device.as_ref().unwrap().battery.is_some());
    assert_eq!(batteries.collect::<Vec<_>>(), [false, true, false]);

    let third = |interference| {
        let scenario = apply(Setting { interference, ..Setting::MODIFIED });
        scenario.connections.get(1).and_then(|it| it.pace)
    };
    assert_eq!(third(Interference::None), None);
    // 8 KiB at 1 Mbit/s.
    let pace = third(Interference::Continuous).unwrap();
    assert_eq!((pace.bytes.get(), pace.every.as_nanos()), (8_192, 65_536_000));
    assert_eq!(third(Interference::Intermittent).unwrap().bytes.get(), 5_000_000);

    let alone = apply(Setting { supply: Supply::Nobody, ..Setting::UNMODIFIED });
    assert!(alone.nodes.iter().all(|node| node.device.is_none()));
    let pure = apply(Setting { acks: Acks::TimerAlone, ..Setting::UNMODIFIED });
    assert!(!pure.connections[0].tcp.ack_window_update);
}

#[test]
fn the_idle_laptop_lives_as_long_as_it_is_said_to() {
    let figures = figures("idle_lifetime");
    assert_eq!((figures[0].verdict, figures[0].role), (Some(Verdict::Holds), Some(Role::Fitted)));
    assert!((figures[0].mean.unwrap() - 223.0).abs() < 1e-6);
}

#[test]
fn the_gain_is_predicted_on_any_number_of_threads() {
    let request = |threads| Request { jobs: NonZeroUsize::new(threads), ..quick("best_gain") };
    assert_eq!(request(1).total_runs().unwrap(), 2 * SEEDS);
    let single = reproduce(&request(1), &|_| {}).unwrap();
    assert_eq!(single, reproduce(&request(2), &|_| {}).unwrap());
    let gain = &single.figures[0];
    assert_eq!((gain.verdict, gain.role), (Some(Verdict::Holds), Some(Role::Predicted)));
    assert!((20.0..38.0).contains(&gain.mean.unwrap()), "{gain:?}");
    // One item is not the paper.
    assert_eq!(single.summary.accepted, None);
    assert_eq!(single.summary.judged, Judged::ByTolerance);
}

#[test]
fn half_of_table_5_1_is_predicted() {
    for figure in figures("table_5.1_rts_bytes") {
        assert_eq!(figure.verdict, Some(Verdict::Holds), "{figure:?}");
        assert_eq!((figure.role, figure.n), (Some(Role::Predicted), SEEDS as usize));
        assert!(figure.relative_error.unwrap().abs() < 0.11);
    }
}

#[test]
fn a_timer_alone_stalls() {
    let stalled = figures("mac_goodput").into_iter().filter(|figure| figure.published.is_none());
    for figure in stalled {
        // A window of 32 KiB in half a second, and nothing else.
        let mbit_per_s = figure.mean.unwrap();
        assert!((0.45..0.53).contains(&mbit_per_s), "{figure:?}");
    }
}

#[test]
fn compressing_costs_the_old_laptop_more_than_it_saves() {
    let figures = figures("compression");
    assert_eq!(figures.len(), 6);
    for figure in &figures[..2] {
        assert_eq!(figure.verdict, Some(Verdict::Holds), "{figure:?}");
        assert!(figure.mean.unwrap() > 50.0, "{figure:?}");
    }
    // The tablet saves energy on a text, at either rate, and none on noise.
    let saves: Vec<bool> = figures[2..].iter().map(|it| it.mean.unwrap() < 0.0).collect();
    assert_eq!(saves, [true, false, true, false]);
}
