//! What a scenario wants recorded, in the terms of the observers.

use netjoule_scenario::{Medium, Scenario};
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
        attributes: trace.attributes.iter().copied().collect(),
        events: trace.events.iter().copied().collect(),
        csv: trace.csv,
        switches: trace.channel_file.then(wireless).flatten(),
    }
}
