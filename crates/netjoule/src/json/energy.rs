//! What nodes with a device have spent.

use std::collections::BTreeMap;

use netjoule_energy::cause::Cause;
use netjoule_energy::ledger::{ByPurpose, Purpose};
use netjoule_lab::energy::{self, Yardstick};
use netjoule_net::NodeOutcome;
use netjoule_units::{Duration, Instant};
use serde::Serialize;

use crate::commands::run::Finished;

/// What a node with a device has spent, from the start of time to the end of its
/// part of the network. Bits and megabytes are of the payload that all
/// connections have delivered.
#[derive(Serialize)]
pub(super) struct Node<'a> {
    node: &'a str,
    /// The name of its device.
    device: &'a str,
    /// How long it was on.
    on_s: f64,
    /// All of it: the sum of the three that follow.
    energy_system_j: f64,
    energy_radio_j: f64,
    energy_processor_j: f64,
    energy_platform_j: f64,
    /// E_A of singh2002: radio and processor.
    energy_awake_j: f64,
    /// E_I: E_A without listening, dozing and an idle processor.
    energy_idealized_j: f64,
    /// Null if no bit was delivered.
    energy_awake_uj_per_bit: Option<f64>,
    energy_idealized_uj_per_bit: Option<f64>,
    /// E_A as a multiple of L0 of all bits; null without one.
    times_limit: Option<f64>,
    /// All of it by cause; the causes of `compare`.
    by_cause_j: BTreeMap<&'static str, f64>,
    /// While the radio sent, by purpose. This and the eleven that follow add up
    /// to all of it as well.
    transmit_j: BTreeMap<&'static str, f64>,
    /// While it received, overheard frames as `others`.
    receive_j: BTreeMap<&'static str, f64>,
    listen_j: f64,
    doze_j: f64,
    /// What awakenings of the radio have taken on top.
    radio_wake_ups_j: f64,
    /// What going from listening to work has taken on top.
    promotions_j: f64,
    /// While the processor worked, by purpose.
    processing_j: BTreeMap<&'static str, f64>,
    /// For frames, on top of that.
    frames_j: BTreeMap<&'static str, f64>,
    processor_idle_j: f64,
    /// What awakenings of the processor have taken on top.
    processor_wake_ups_j: f64,
    platform_base_j: f64,
    /// What the platform took on top while there was data to move.
    platform_activity_j: f64,
    /// Times of the radio; of all radios together if there are several.
    transmit_s: f64,
    receive_s: f64,
    overhear_s: f64,
    listen_s: f64,
    doze_s: f64,
    processor_active_s: f64,
    /// How often work came to the processor while it had none.
    wake_ups: u64,
    wake_ups_per_mb: Option<f64>,
    /// Null on the mains.
    battery: Option<Battery>,
    /// When the battery was empty; null if it was not.
    died_at_s: Option<f64>,
}

#[derive(Serialize)]
struct Battery {
    delivered_j: f64,
    remaining_j: f64,
    /// 1 to 0.
    state_of_charge: f64,
    /// Until it was empty, or will be if it goes on like that; null if never.
    lifetime_s: Option<f64>,
    /// What connections that end at the node deliver in that time.
    bytes_per_charge: Option<f64>,
}

/// A line for each node with a device.
pub(super) fn nodes<'a>(finished: &'a Finished<'_>) -> impl Iterator<Item = Node<'a>> {
    let Finished { scenario, outcome, .. } = finished;
    let yardstick = Yardstick::of(outcome);
    outcome.nodes.iter().map(move |node| {
        let settings = &scenario.nodes[node.node];
        let NodeOutcome { radio, processor, platform, .. } = node;
        let overheard = radio.receive.of(Purpose::Others).time;
        let received = radio.receive.total().time.saturating_sub(overheard);
        let split = node.split();
        let by_cause = Cause::ALL.map(|cause| (cause.name(), split.by(cause).as_joules_f64()));
        let own = energy::bytes_at(scenario, outcome, node.node);
        Node {
            node: &settings.name,
            device: settings.device.as_ref().map_or("", |device| &device.name),
            on_s: node.was_on().as_secs_f64(),
            energy_system_j: node.total().as_joules_f64(),
            energy_radio_j: radio.total().as_joules_f64(),
            energy_processor_j: processor.total().as_joules_f64(),
            energy_platform_j: platform.total().as_joules_f64(),
            energy_awake_j: node.awake().as_joules_f64(),
            energy_idealized_j: node.idealized().as_joules_f64(),
            energy_awake_uj_per_bit: yardstick.uj_per_bit(node.awake()),
            energy_idealized_uj_per_bit: yardstick.uj_per_bit(node.idealized()),
            times_limit: yardstick.times_limit(node.awake()),
            by_cause_j: by_cause.into_iter().collect(),
            transmit_j: by_purpose(&radio.transmit),
            receive_j: by_purpose(&radio.receive),
            listen_j: radio.listen.energy.as_joules_f64(),
            doze_j: radio.doze.energy.as_joules_f64(),
            radio_wake_ups_j: radio.wake_ups.as_joules_f64(),
            promotions_j: radio.promotions.as_joules_f64(),
            processing_j: by_purpose(&processor.active),
            frames_j: by_purpose(&processor.frames),
            processor_idle_j: processor.idle.energy.as_joules_f64(),
            processor_wake_ups_j: processor.wake_ups.as_joules_f64(),
            platform_base_j: platform.base.energy.as_joules_f64(),
            platform_activity_j: platform.activity.energy.as_joules_f64(),
            transmit_s: radio.transmit.total().time.as_secs_f64(),
            receive_s: received.as_secs_f64(),
            overhear_s: overheard.as_secs_f64(),
            listen_s: radio.listen.time.as_secs_f64(),
            doze_s: radio.doze.time.as_secs_f64(),
            processor_active_s: processor.active.total().time.as_secs_f64(),
            wake_ups: processor.wake_up_count,
            wake_ups_per_mb: yardstick.per_megabyte(processor.wake_up_count),
            battery: node.battery.map(|battery| Battery {
                delivered_j: battery.delivered.as_joules_f64(),
                remaining_j: battery.remaining.as_joules_f64(),
                state_of_charge: battery.state_of_charge,
                lifetime_s: energy::lifetime(node).map(Duration::as_secs_f64),
                bytes_per_charge: energy::bytes_per_charge(node, own),
            }),
            died_at_s: node.died.map(Instant::as_secs_f64),
        }
    })
}

fn by_purpose(spent: &ByPurpose) -> BTreeMap<&'static str, f64> {
    spent.iter().map(|(purpose, spent)| (purpose.name(), spent.energy.as_joules_f64())).collect()
}
