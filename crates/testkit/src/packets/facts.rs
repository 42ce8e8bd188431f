//! What can be claimed of a connection.

use netjoule_stack::Info;
use netjoule_units::Duration;

use super::script::{ONE, Relation, Value};

/// The field of `info` called `name`; times are in seconds, amounts in bytes,
/// and what is or is not so is 1 or 0. Round trips are 0 before the first.
pub(super) fn named(info: &Info, name: &str) -> Option<Value> {
    let Info { agreed, stats, .. } = info;
    Some(match name {
        "state" => Value::Name(info.state.to_string().replace('-', "_")),
        "mss" => count(info.mss),
        "path_mtu" => count(info.path_mtu),
        "cwnd" => count(info.cwnd),
        "ssthresh" => count(info.ssthresh),
        "srtt" => time(info.srtt.unwrap_or_default()),
        "rttvar" => time(info.rttvar.unwrap_or_default()),
        "rto" => time(info.rto),
        "backoff" => count(info.backoff),
        "unsent" => count(info.unsent.get()),
        "unacked" => count(info.unacked),
        "sacked" => count(info.sacked),
        "lost" => count(info.lost),
        "snd_wnd" => count(info.snd_wnd),
        "rcv_wnd" => count(info.rcv_wnd),
        "unread" => count(info.unread),
        "window_scale" => count(agreed.window_scale),
        "sack" => count(agreed.sack),
        "timestamps" => count(agreed.timestamps),
        "ecn" => count(agreed.ecn),
        "segments_sent" => count(stats.segments_sent),
        "segments_retransmitted" => count(stats.segments_retransmitted),
        "timeouts" => count(stats.timeouts),
        "fast_retransmits" => count(stats.fast_retransmits),
        "acks_sent" => count(stats.acks_sent),
        "segments_received" => count(stats.segments_received),
        "duplicates_received" => count(stats.duplicates_received),
        "paws_rejected" => count(stats.paws_rejected),
        "challenge_acks" => count(stats.challenge_acks),
        "dsacks_received" => count(stats.dsacks_received),
        "marks_received" => count(stats.marks_received),
        _ => return None,
    })
}

fn count(count: impl Into<u64>) -> Value {
    Value::Number(i128::from(count.into()) * ONE)
}

fn time(span: Duration) -> Value {
    Value::Number(i128::from(span.as_nanos()))
}

/// Whether `fact` stands in this relation to `value`. Names are only equal or
/// not.
pub(super) fn holds(fact: &Value, relation: Relation, value: &Value) -> bool {
    match (fact, value) {
        (Value::Number(fact), Value::Number(value)) => match relation {
            Relation::Equal => fact == value,
            Relation::NotEqual => fact != value,
            Relation::Less => fact < value,
            Relation::AtMost => fact <= value,
            Relation::More => fact > value,
            Relation::AtLeast => fact >= value,
        },
        (Value::Name(fact), Value::Name(value)) => match relation {
            Relation::Equal => fact == value,
            Relation::NotEqual => fact != value,
            _ => false,
        },
        _ => false,
    }
}
