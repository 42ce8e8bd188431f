//! What is recorded of a run, and where.

use std::fs;
use std::path::Path;

use netjoule_scenario::{Medium, Scenario};
use netjoule_trace::{LinkNames, Names, Pcap, PendingFile, Recorder, Vantage, Wanted};

use crate::failure::Failure;

/// The names of the scenario's nodes and links, and behind those of its
/// channels between stations.
pub(super) fn names(scenario: &Scenario) -> Names {
    let links = scenario.links.iter().map(|link| LinkNames {
        name: link.name.clone(),
        between: link.between,
        wireless: matches!(link.medium, Medium::Wireless { .. }),
    });
    let channels = scenario.airs.iter().flat_map(|air| &air.channels);
    let channels = channels.map(|channel| LinkNames {
        name: channel.name.clone(),
        between: channel.between,
        wireless: true,
    });
    Names {
        nodes: scenario.nodes.iter().map(|node| node.name.clone()).collect(),
        links: links.chain(channels).collect(),
    }
}

/// Records in `directory`, which is made if it is missing.
pub(super) fn trace<'n>(
    scenario: &Scenario,
    names: &'n Names,
    directory: &Path,
) -> Result<Recorder<'n>, Failure> {
    fs::create_dir_all(directory).map_err(|error| {
        Failure::Input(format!("cannot make the directory {}: {error}", directory.display()))
    })?;
    Ok(Recorder::new(names, wanted(scenario), directory)?)
}

/// Where packets are captured: at their senders, or at the node called `at`.
pub(super) fn vantage(
    scenario: &Scenario,
    names: &Names,
    at: Option<&str>,
) -> Result<Vantage, Failure> {
    if let Some(index) = scenario.connections.iter().position(|it| !it.fits_into_packets()) {
        return Err(Failure::Input(format!(
            "--pcap: the mss of connection {index} must be 65495 B at most, or it must have a \
             handshake: IP packets are no longer than 65535 B"
        )));
    }
    let Some(name) = at else { return Ok(Vantage::Senders) };
    let index = names.nodes.iter().position(|node| node == name);
    let unknown = || Failure::Input(format!("--pcap-at: there is no node `{name}`"));
    Ok(Vantage::Node(index.ok_or_else(unknown)?))
}

/// Captures in the file at `path`.
pub(super) fn pcap(
    names: &Names,
    vantage: Vantage,
    path: &Path,
) -> Result<Pcap<PendingFile>, Failure> {
    Pcap::create(names, vantage, path).map_err(|error| {
        Failure::Input(format!("--pcap: cannot write {}: {error}", path.display()))
    })
}

/// What its `[trace]` table asks for.
fn wanted(scenario: &Scenario) -> Wanted {
    let trace = &scenario.trace;
    // A scenario with `channel_file` has exactly one channel.
    let only = || scenario.channels().next().map(|channel| channel.index);
    Wanted {
        attributes: trace.attributes.iter().copied().collect(),
        events: trace.events.iter().copied().collect(),
        csv: trace.csv,
        switches: trace.channel_file.then(only).flatten(),
    }
}
