//! Every knob with every value of every other: rows in which each pair of
//! values occurs at least once.

use libtest_mimic::Trial;
use netjoule_transport::tcp::KNOBS;

use crate::transfers::{MEGABYTE, Role, Transfer};
use crate::trial;

/// A setting, and the values that it can have.
type Factor = (&'static str, &'static [&'static str]);

/// What is not a knob of TCP: who sends, over what.
const SURROUNDINGS: [Factor; 4] = [
    ("role", &["send", "recv"]),
    ("family", &["4", "6"]),
    ("--mtu", &["1500", "540", "9000", "65535"]),
    ("line", &["good", "--loss", "--duplicate", "--reorder", "--corrupt"]),
];

/// The knobs. Times are short, so that the tests are.
const FACTORS: [Factor; 38] = [
    ("--variant", &["sack", "newreno", "reno", "tahoe"]),
    ("--path-mtu", &["fallback", "icmp", "off"]),
    ("--receive-window", &["1 MiB", "64 KiB"]),
    ("--window-scale", &["true", "false"]),
    ("--sack", &["on", "off", "variant"]),
    ("--dsack", &["true", "false"]),
    ("--timestamps", &["true", "false"]),
    ("--paws", &["before_prediction", "after_prediction", "off"]),
    ("--ecn", &["on", "off", "accept"]),
    ("--header-prediction", &["true", "false"]),
    ("--header-template", &["true", "false"]),
    ("--nagle", &["true", "false"]),
    ("--sws-avoidance", &["true", "false"]),
    ("--initial-window", &["rfc6928", "1", "rfc3390"]),
    ("--initial-ssthresh", &["1 GiB", "128 KiB"]),
    ("--avoidance-increment", &["standard", "bsd43"]),
    ("--byte-counting", &["2", "0"]),
    ("--ssthresh-base", &["flight_size", "window"]),
    ("--idle-restart", &["true", "false"]),
    ("--burst-limit", &["0", "4"]),
    ("--dupthresh", &["3", "5"]),
    ("--limited-transmit", &["true", "false"]),
    ("--ack-every", &["2", "1", "0", "8"]),
    ("--ack-delay", &["40 ms", "5 ms"]),
    ("--ack-window-update", &["false", "true"]),
    ("--ack-dynamic", &["false", "true"]),
    ("--ack-stretch-limit", &["0", "4"]),
    ("--initial-rto", &["1 s", "200 ms"]),
    ("--min-rto", &["200 ms", "20 ms"]),
    ("--max-rto", &["60 s", "2 s"]),
    ("--timers", &["fine", "ticking"]),
    ("--timer-granularity", &["1 ms", "10 ms"]),
    ("--backoff-end", &["sample", "new_ack"]),
    ("--keep-alive", &["0 s", "100 ms"]),
    ("--keep-alive-interval", &["75 s", "1 s"]),
    ("--keep-alive-probes", &["9", "2"]),
    ("--user-timeout", &["900 s", "0 s"]),
    ("--challenge-ack-limit", &["10", "100"]),
];

/// Knobs without a place here: the size of segments follows the MTU, and
/// nobody waits for TIME-WAIT to end.
const ELSEWHERE: [&str; 2] = ["mss", "msl"];

pub(crate) fn trials() -> Vec<Trial> {
    let factors: Vec<Factor> = SURROUNDINGS.into_iter().chain(FACTORS).collect();
    let mut trials = vec![trial("pairwise: every knob is there", every_knob_is_there)];
    trials.extend(rows(&factors).into_iter().enumerate().map(|(number, row)| {
        let values: Vec<(&str, &str)> =
            factors.iter().zip(row).map(|((name, values), value)| (*name, values[value])).collect();
        trial(format!("pairwise: row {number}"), move || run(number, &values))
    }));
    trials
}

fn every_knob_is_there() {
    for knob in KNOBS {
        let flag = format!("--{}", knob.key.replace('_', "-"));
        let here = FACTORS.iter().any(|(name, values)| *name == flag && values.len() > 1);
        assert!(here != ELSEWHERE.contains(&knob.key), "{flag}");
    }
}

fn run(number: usize, values: &[(&str, &str)]) {
    let value = |name: &str| values.iter().find(|(other, _)| *other == name).unwrap().1;
    let role = if value("role") == "send" { Role::Send } else { Role::Recv };
    let mut transfer = Transfer::new(role, MEGABYTE, &["--seed", &number.to_string()]);
    transfer.v6 = value("family") == "6";
    match value("line") {
        "good" => {}
        flag => transfer.arguments.extend([flag.into(), "0.01".into()]),
    }
    // IPv6 needs 1280 bytes.
    let mtu = if transfer.v6 && value("--mtu") == "540" { "1280" } else { value("--mtu") };
    transfer.arguments.extend(["--mtu".into(), mtu.into()]);
    for (name, value) in &values[SURROUNDINGS.len()..] {
        transfer.arguments.extend([(*name).into(), (*value).into()]);
    }
    transfer.run();
}

/// Rows of values in which each pair of values of two factors occurs. Each row
/// takes, factor by factor, the value with which most pairs are new.
fn rows(factors: &[Factor]) -> Vec<Vec<usize>> {
    let mut missing: Vec<[(usize, usize); 2]> = Vec::new();
    for (a, (_, values)) in factors.iter().enumerate() {
        for (b, (_, others)) in factors.iter().enumerate().skip(a + 1) {
            missing.extend(
                (0..values.len()).flat_map(|x| (0..others.len()).map(move |y| [(a, x), (b, y)])),
            );
        }
    }
    let mut rows = Vec::new();
    // Each row begins with a pair that is missing, and so there is an end.
    while let Some(&[first, second]) = missing.first() {
        let mut row: Vec<Option<usize>> = vec![None; factors.len()];
        row[first.0] = Some(first.1);
        row[second.0] = Some(second.1);
        for (factor, (_, values)) in factors.iter().enumerate() {
            if row[factor].is_some() {
                continue;
            }
            let gain = |value: usize| {
                let fits = |at: (usize, usize)| at == (factor, value) || row[at.0] == Some(at.1);
                let is_new = |pair: &&[(usize, usize); 2]| {
                    pair.contains(&(factor, value)) && pair.iter().all(|at| fits(*at))
                };
                missing.iter().filter(is_new).count()
            };
            // Of equals the one whose turn it is, so that the defaults do not
            // prevail.
            let turn = rows.len() % values.len();
            let order = (0..values.len()).map(|step| (turn + step) % values.len());
            row[factor] = order.rev().max_by_key(|value| gain(*value));
        }
        let row: Vec<usize> = row.into_iter().flatten().collect();
        missing.retain(|pair| !pair.iter().all(|(factor, value)| row[*factor] == *value));
        rows.push(row);
    }
    rows
}
