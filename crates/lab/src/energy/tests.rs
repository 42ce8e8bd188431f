use netjoule_energy::device::builtin;
use netjoule_net::run;
use netjoule_trace::Nobody;

use super::*;
use crate::fixture;
use crate::metrics::Measured;

/// The wireless nodes are laptops, with processor and battery.
fn metered() -> (Scenario, Outcome) {
    let mut scenario = fixture::lossy_scenario();
    for node in &mut scenario.nodes[1..] {
        node.device = builtin("wavelan-p90");
    }
    let outcome = run(&scenario, 1, &mut Nobody);
    (scenario, outcome)
}

#[track_caller]
fn close(actual: Option<f64>, expected: f64) {
    let actual = actual.unwrap();
    assert!((actual / expected - 1.0).abs() < 1e-12, "{actual}, expected {expected}");
}

#[test]
fn causes_add_up_to_all_that_was_drawn() {
    let (_, outcome) = metered();
    let energies = Energies::of(&outcome).unwrap();
    let total: Energy = outcome.nodes.iter().map(NodeOutcome::total).sum();
    assert_eq!(energies.split.total(), total);
    let platforms: Energy = outcome.nodes.iter().map(|node| node.platform.total()).sum();
    assert_eq!(energies.awake + platforms, total);
    for cause in Cause::ALL {
        let is_there = energies.split.by(cause) > Energy::ZERO;
        assert_eq!(is_there, cause != Cause::Overhearing, "{cause:?}");
    }
    let run = Measured::of(&outcome);
    let parts = [
        Metric::EnergyAirtime,
        Metric::EnergyRetransmission,
        Metric::EnergyOverhearing,
        Metric::EnergyIdle,
        Metric::EnergyProcessing,
        Metric::EnergyPlatform,
    ];
    for (cause, part) in Cause::ALL.into_iter().zip(parts) {
        assert_eq!(part.name(), format!("energy_{}_j", cause.name()));
    }
    let sum = parts.into_iter().map(|part| run.get(part).unwrap()).sum();
    close(run.get(Metric::EnergySystem), sum);
}

#[test]
fn energies_are_set_against_all_bits() {
    let (_, outcome) = metered();
    let run = Measured::of(&outcome);
    let bits = 400.0 * 8_192.0;
    let sum = |of: fn(&NodeOutcome) -> Energy| {
        outcome.nodes.iter().map(|node| of(node).as_joules_f64()).sum::<f64>()
    };
    close(run.get(Metric::EnergyAwakePerBit), sum(NodeOutcome::awake) * 1e6 / bits);
    close(run.get(Metric::EnergyIdealizedPerBit), sum(NodeOutcome::idealized) * 1e6 / bits);
    // 1.4 W at 1 Mbit/s, sent once.
    close(run.get(Metric::TimesLimit), sum(NodeOutcome::awake) / (1.4e-6 * bits));
    let wake_ups: u64 = outcome.nodes.iter().map(|node| node.processor.wake_up_count).sum();
    close(run.get(Metric::WakeUpsPerMb), exact(wake_ups) / 0.4096);
}

#[test]
fn the_first_battery_to_be_empty_counts() {
    let (scenario, mut outcome) = metered();
    let longer = Energies::of(&outcome).unwrap();
    let [base, _] = &mut outcome.nodes[..] else { panic!() };
    base.battery.as_mut().unwrap().lifetime = Duration::from_secs(1_000);
    let run = Measured::of(&outcome);
    close(run.get(Metric::Lifetime), 1_000.0);
    assert!(longer.get(Metric::Lifetime).unwrap() > 1_000.0);
    let seconds = outcome.end.as_secs_f64();
    close(run.get(Metric::BytesPerCharge), 409_600.0 * 1_000.0 / seconds);
    // The base station passes on, and moves nothing of its own.
    assert_eq!([1, 2].map(|node| bytes_at(&scenario, &outcome, node)), [0, 409_600]);
    outcome.nodes[0].battery.as_mut().unwrap().lifetime = Duration::MAX;
    assert_eq!(lifetime(&outcome.nodes[0]), None);
}

#[test]
fn what_is_not_there_has_no_value() {
    let outcome = run(&fixture::lossy_scenario(), 1, &mut Nobody);
    let without = Measured::of(&outcome);
    assert!(without.is_complete());
    for metric in Metric::ALL {
        assert_eq!(without.get(metric).is_some(), !metric.is_of_devices(), "{metric:?}");
    }
    let mut scenario = fixture::lossy_scenario();
    let mut card = (*builtin("wavelan-p90").unwrap()).clone();
    (card.processor, card.battery) = (None, None);
    scenario.nodes[2].device = Some(card.into());
    let card = Measured::of(&run(&scenario, 1, &mut Nobody));
    for (metric, is_there) in [
        (Metric::EnergySystem, true),
        (Metric::EnergyProcessing, true),
        (Metric::TimesLimit, false),
        (Metric::Lifetime, false),
        (Metric::BytesPerCharge, false),
        (Metric::WakeUpsPerMb, false),
    ] {
        assert_eq!(card.get(metric).is_some(), is_there, "{metric:?}");
    }
}
