use super::*;

const SEGMENTS: u64 = 2_000;

/// For each segment: the application reads a whole window of 44 at once, and
/// that is told.
const WINDOW_UPDATES: f64 = 1.0 / 44.0;

fn cost(name: &str) -> Cost {
    count(&Case::named(name).expect("a case").setting(), SEGMENTS)
}

#[track_caller]
fn about(measured: f64, expected: f64) {
    assert!((measured - expected).abs() <= 0.05 * expected, "{measured} for {expected}");
}

#[test]
fn every_case_has_its_own_name_and_one_to_be_compared_with() {
    for (index, case) in CASES.iter().enumerate() {
        assert!(CASES[..index].iter().all(|other| other.name != case.name), "{}", case.name);
        let against = CASES.iter().position(|other| other.name == case.against);
        assert!(against.is_some_and(|at| at <= index), "{}", case.name);
    }
}

#[test]
fn every_case_transfers_everything() {
    for case in CASES {
        let cost = count(&case.setting(), 200);
        let sent = cost.counts.of(Operation::DataOut);
        assert!(sent >= 200, "{}: {sent} segments", case.name);
    }
}

/// Each segment is copied into the send buffer, into a packet, into the receive
/// buffer, and to the application; it is added up once by each end, as are the
/// headers.
#[test]
fn bytes_are_copied_and_summed_as_often_as_they_must() {
    let baseline = cost(BASELINE);
    about(baseline.per_segment(Operation::DataOut), 1.0);
    about(baseline.per_segment(Operation::AckOut), 0.5 + WINDOW_UPDATES);
    about(baseline.per_segment(Operation::BytesCopied), 4.0 * 1460.0);
    about(baseline.per_segment(Operation::HeaderFromTemplate), 1.5);
    assert!(baseline.per_segment(Operation::FastPath) > 1.4);
    assert!(baseline.per_segment(Operation::LookupHit) > 1.4);
}

#[test]
fn knobs_change_what_they_should() {
    assert!(cost("no-header-prediction").per_segment(Operation::FastPath) < 1e-9);
    assert!(cost("no-header-template").per_segment(Operation::HeaderFromTemplate) < 1e-9);
    about(cost("timestamps").per_segment(Operation::PawsCheck), 1.5);
    assert!(cost("paws-after").per_segment(Operation::PawsCheck) < 0.1);
    about(cost("ack-every-1").per_segment(Operation::AckOut), 1.0 + WINDOW_UPDATES);
    about(cost("ack-every-4").per_segment(Operation::AckOut), 0.25 + WINDOW_UPDATES);
    // One for each segment until the load is known, then one for eight.
    let by_load = cost("ack-dynamic").per_segment(Operation::AckOut);
    assert!((0.125..0.5).contains(&by_load), "{by_load}");
    assert!(cost("loss-sack").per_segment(Operation::SackBlockOut) > 0.01);
    assert!(cost("loss").per_segment(Operation::Retransmission) > 0.009);
}

#[test]
fn the_documentation_has_the_recorded_figures() {
    let page = include_str!("../../../../docs/tcp.md");
    for case in CASES {
        let recorded = recorded(case.name).expect("a figure for every knob");
        let row = format!("| {} | {recorded:.0} |", case.title);
        assert!(page.contains(&row), "docs/tcp.md has no row {row}");
    }
}

/// The costs of the device `host`, as times of operations, come to the
/// instructions of every case, at the 188 ns that those of the baseline take.
#[test]
fn the_device_host_has_the_recorded_figures() {
    let host = netjoule_energy::device::builtin("host").expect("a device");
    let costs = &host.processor.as_ref().expect("a processor").costs;
    let picoseconds = |name: &str| costs.get(name).map_or(0.0, |it| it.value.as_picos() as f64);
    for case in CASES {
        // The difference is free of what happens once, as is what is recorded.
        let [few, more] = [1_000, 5_000].map(|segments| count(&case.setting(), segments).counts);
        let times = |operation| (more.of(operation) - few.of(operation)) as f64 / 4_000.0;
        let costs = Operation::ALL.into_iter().map(|it| picoseconds(it.name()) * times(it));
        let time: f64 = costs.sum();
        let recorded = recorded(case.name).expect("a figure for every knob");
        let expected = 188_000.0 / 2_489.5 * recorded;
        assert!((time / expected - 1.0).abs() < 0.02, "{}: {time} for {expected}", case.name);
    }
}
