//! What a scenario wants recorded, in the terms of the observers.

use netjoule_scenario::{Attribute, EventKind, Medium, Scenario};
use netjoule_trace::{LinkNames, Names, Wanted};

/// The names of the scenario's nodes and links.
pub(super) fn names(scenario: &Scenario) -> Names {
    let links = scenario.links.iter().map(|link| LinkNames {
        name: link.name.clone(),
        between: link.between,
        wireless: matches!(link.medium, Medium::Wireless { .. }),
    });
    Names {
        nodes: scenario.nodes.iter().map(|node| node.name.clone()).collect(),
        links: links.collect(),
    }
}

/// What its `[trace]` table asks for.
pub(super) fn wanted(scenario: &Scenario) -> Wanted {
    let trace = &scenario.trace;
    // A scenario with `channel_file` has exactly one wireless link.
    let wireless =
        || scenario.links.iter().position(|link| matches!(link.medium, Medium::Wireless { .. }));
    Wanted {
        attributes: trace.attributes.iter().copied().map(attribute).collect(),
        events: trace.events.iter().copied().map(event_kind).collect(),
        csv: trace.csv,
        switches: trace.channel_file.then(wireless).flatten(),
    }
}

fn attribute(attribute: Attribute) -> netjoule_trace::Attribute {
    use netjoule_trace::Attribute as To;
    match attribute {
        Attribute::Seqno => To::Seqno,
        Attribute::Ackno => To::Ackno,
        Attribute::Congestion => To::Congestion,
        Attribute::Threshold => To::Threshold,
        Attribute::SwndSize => To::SwndSize,
        Attribute::WlessState => To::WlessState,
        Attribute::RouterPktArrival => To::RouterPktArrival,
    }
}

fn event_kind(kind: EventKind) -> netjoule_trace::EventKind {
    use netjoule_trace::EventKind as To;
    match kind {
        EventKind::Sent => To::Sent,
        EventKind::Received => To::Received,
        EventKind::Forwarded => To::Forwarded,
        EventKind::Corrupted => To::Corrupted,
        EventKind::Dropped => To::Dropped,
        EventKind::Retransmitted => To::Retransmitted,
        EventKind::Timeout => To::Timeout,
        EventKind::Notice => To::Notice,
        EventKind::Channel => To::Channel,
    }
}
