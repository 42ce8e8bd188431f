//! What nodes with a device have spent.

use std::io::{self, Write};

use netjoule_energy::ledger::{ByPurpose, Purpose, Spent};
use netjoule_lab::energy::{self, Energies, Yardstick};
use netjoule_net::NodeOutcome;
use netjoule_units::{Duration, Energy, Instant};

use super::{COLUMNS, joule_decimals, results};
use crate::commands::run::Finished;

/// A line of the table: what nodes have of something.
struct Line {
    label: String,
    decimals: usize,
    values: Vec<Option<f64>>,
}

impl Line {
    /// Whether it says anything.
    fn is_worth_it(&self) -> bool {
        self.values.iter().any(|value| value.is_some_and(|value| value > 0.0))
    }

    fn cells(&self) -> Vec<String> {
        let shown = |value: &Option<f64>| {
            value.map_or_else(|| "–".into(), |value| format!("{value:.*}", self.decimals))
        };
        [self.label.clone()].into_iter().chain(self.values.iter().map(shown)).collect()
    }
}

/// Writes a column for each node that has a device, if any has, and a line about
/// all of them.
pub(super) fn energy(out: &mut impl Write, finished: &Finished<'_>) -> io::Result<()> {
    let Finished { scenario, outcome, .. } = finished;
    let Some(all) = Energies::of(outcome) else { return Ok(()) };
    for nodes in outcome.nodes.chunks(COLUMNS) {
        let of = |node: &NodeOutcome| &scenario.nodes[node.node];
        let mut header = vec![String::new()];
        header.extend(nodes.iter().map(|node| of(node).name.clone()));
        let mut device = vec!["device".to_owned()];
        device.extend(nodes.iter().map(|node| {
            of(node).device.as_ref().map_or_else(String::new, |device| device.name.clone())
        }));
        let lines = lines(nodes, finished, all.yardstick);
        let lines = lines.iter().filter(|line| line.is_worth_it()).map(Line::cells);
        writeln!(out, "{}\n", results(header, [device].into_iter().chain(lines)))?;
    }
    let per_bit = |energy| {
        let value = all.yardstick.uj_per_bit(energy);
        value.map_or_else(|| "none".into(), |value| format!("{value:.4} µJ per bit"))
    };
    write!(out, "all nodes: E_A {}, E_I {}", per_bit(all.awake), per_bit(all.idealized))?;
    if let Some(times) = all.yardstick.times_limit(all.awake) {
        write!(out, "; E_A is {times:.2} times the limit L0")?;
    }
    writeln!(out, "\nBits are those of the payload that all connections together have delivered.\n")
}

fn lines(nodes: &[NodeOutcome], finished: &Finished<'_>, yardstick: Yardstick) -> Vec<Line> {
    let line = |label: &str, decimals, value: &dyn Fn(&NodeOutcome) -> Option<f64>| Line {
        label: label.into(),
        decimals,
        values: nodes.iter().map(value).collect(),
    };
    let most = nodes.iter().map(|node| node.total().as_joules_f64()).fold(0.0, f64::max);
    let decimals = joule_decimals(most);
    let joules = |label: &str, energy: &dyn Fn(&NodeOutcome) -> Energy| {
        line(label, decimals, &|node| Some(energy(node).as_joules_f64()))
    };
    let share = |label: &str, time: &dyn Fn(&NodeOutcome) -> Duration| {
        line(label, 2, &|node| percent(time(node), radio_time(node)))
    };
    let mut lines = vec![
        joules("energy in all, J", &NodeOutcome::total),
        joules("of it: radio, J", &|node| node.radio.total()),
        joules("of it: processor, J", &|node| node.processor.total()),
        joules("of it: platform, J", &|node| node.platform.total()),
        joules("E_A, J", &NodeOutcome::awake),
        joules("E_I, J", &NodeOutcome::idealized),
        line("E_A, µJ per bit", 4, &|node| yardstick.uj_per_bit(node.awake())),
        line("E_I, µJ per bit", 4, &|node| yardstick.uj_per_bit(node.idealized())),
        line("E_A, times the limit L0", 3, &|node| yardstick.times_limit(node.awake())),
        share("radio: sending, %", &|node| node.radio.transmit.total().time),
        share("radio: receiving, %", &|node| {
            node.radio.receive.total().time.saturating_sub(overheard(node).time)
        }),
        share("radio: overhearing, %", &|node| overheard(node).time),
        share("radio: listening, %", &|node| node.radio.listen.time),
        share("radio: dozing, %", &|node| node.radio.doze.time),
    ];
    let both = |node: &NodeOutcome, purpose| {
        node.radio.transmit.of(purpose).energy + node.radio.receive.of(purpose).energy
    };
    lines.extend(Purpose::ALL.map(|purpose| {
        joules(&format!("on the air: {}, J", title(purpose)), &|node| both(node, purpose))
    }));
    lines.extend([
        joules("idle: radio, J", &|node| {
            let Spent { energy, .. } = node.radio.listen + node.radio.doze;
            energy + node.radio.wake_ups + node.radio.promotions
        }),
        joules("idle: processor, J", &|node| node.processor.idle.energy + node.processor.wake_ups),
    ]);
    let worked = |node: &NodeOutcome, purpose| {
        let of = |spent: &ByPurpose| spent.of(purpose).energy;
        of(&node.processor.active) + of(&node.processor.frames)
    };
    lines.extend(Purpose::ALL.map(|purpose| {
        joules(&format!("processing: {}, J", title(purpose)), &|node| worked(node, purpose))
    }));
    let Finished { scenario, outcome, .. } = finished;
    lines.extend([
        line("wake-ups per MB", 1, &|node| yardstick.per_megabyte(node.processor.wake_up_count)),
        line("battery lasts, min", 1, &|node| Some(energy::lifetime(node)?.as_secs_f64() / 60.0)),
        line("own MB per charge", 1, &|node| {
            let own = energy::bytes_at(scenario, outcome, node.node);
            Some(energy::bytes_per_charge(node, own)? / 1e6)
        }),
        line("died at, s", 3, &|node| node.died.map(Instant::as_secs_f64)),
    ]);
    lines
}

fn overheard(node: &NodeOutcome) -> Spent {
    node.radio.receive.of(Purpose::Others)
}

/// The time of all radios of `node` together.
fn radio_time(node: &NodeOutcome) -> Duration {
    let radio = &node.radio;
    (radio.transmit.total() + radio.receive.total() + radio.listen + radio.doze).time
}

fn percent(part: Duration, whole: Duration) -> Option<f64> {
    (!whole.is_zero()).then(|| 100.0 * part.as_secs_f64() / whole.as_secs_f64())
}

fn title(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Payload => "payload",
        Purpose::Retransmission => "TCP's repetitions",
        Purpose::Acknowledgment => "ACKs",
        Purpose::Control => "opening, closing, notices",
        Purpose::Repetition => "the link's repetitions",
        Purpose::LinkControl => "link control",
        Purpose::PowerSave => "power save",
        Purpose::Others => "others' frames",
    }
}
