//! What nodes with a device spend.

use std::collections::BTreeMap;
use std::sync::Arc;

use netjoule_energy::battery::{self, kibam, peukert};
use netjoule_energy::device::Device;
use netjoule_energy::ledger::{Purpose, Spent};
use netjoule_net::{NodeOutcome, Outcome, Stop, run};
use netjoule_scenario::{Connection, Interrupts, Scenario};
use netjoule_testkit::{BaseStation, Chain, Log, laptop, on_battery, scenarios, working_laptop};
use netjoule_trace::{Event, Nobody, Observer};
use netjoule_units::{Bytes, Charge, Current, Duration, Energy, Instant, Power, Voltage};
use netjoule_wire::Headers;
use proptest::prelude::*;

fn outcome(scenario: &Scenario) -> Outcome {
    run(scenario, 1, &mut Nobody)
}

/// A flow over one hop of 802.11b, its ends with `device`.
fn hop(device: &Arc<Device>, segments: u64) -> Scenario {
    let mut chain = Chain { transfer: Bytes::new(1_460 * segments), ..Chain::default() };
    chain.tcp.mss = Bytes::new(1_460);
    let mut scenario = chain.scenario();
    for node in &mut scenario.nodes {
        node.device = Some(device.clone());
    }
    scenario
}

fn spent(power_mw: u64, time: Duration) -> Spent {
    Spent { time, energy: Power::from_milliwatts(power_mw) * time }
}

/// 1500 bytes of IP make an MPDU of 1536, and 40 make one of 76; preambles and
/// headers take 192 µs each, and an ACK at 2 Mbit/s has 14 bytes.
const DATA: Duration = Duration::from_nanos(192_000 + 1_117_091);
const TCP_ACK: Duration = Duration::from_nanos(192_000 + 55_273);
const ACK: Duration = Duration::from_nanos(192_000 + 56_000);

#[test]
fn each_kind_of_node_spends_what_its_closed_form_says() {
    let mut scenario = hop(&Arc::new(laptop()), 1);
    // One in hearing that has nothing to do with it, and one out of hearing.
    for x in ["100 m", "5 km"] {
        let mut node = scenario.nodes[0].clone();
        node.name = x.replace(' ', "-");
        node.position.as_mut().unwrap().x = x.parse().unwrap();
        scenario.nodes.push(node);
        scenario.airs[0].stations.push(scenario.nodes.len() - 1);
        scenario.airs[0].rates.push(None);
    }
    let outcome = outcome(&scenario);
    let end = outcome.connections[0].completion_time.unwrap();
    let [sender, receiver, bystander, distant] = &outcome.nodes[..] else { panic!() };
    // The run ends with the TCP ACK: no link ACK follows.
    assert_eq!(sender.radio.transmit.of(Purpose::Payload), spent(1_400, DATA));
    assert_eq!(sender.radio.receive.of(Purpose::LinkControl), spent(900, ACK));
    assert_eq!(sender.radio.receive.of(Purpose::Acknowledgment), spent(900, TCP_ACK));
    assert_eq!(receiver.radio.receive.of(Purpose::Payload), spent(900, DATA));
    assert_eq!(receiver.radio.transmit.of(Purpose::LinkControl), spent(1_400, ACK));
    assert_eq!(receiver.radio.transmit.of(Purpose::Acknowledgment), spent(1_400, TCP_ACK));
    let busy = DATA + ACK + TCP_ACK;
    assert_eq!(bystander.radio.receive.of(Purpose::Others), spent(900, busy));
    for node in [sender, receiver, bystander] {
        assert_eq!(node.radio.listen, spent(800, end.saturating_sub(busy)));
        assert_eq!(node.platform.base, spent(5_000, end));
    }
    assert_eq!(distant.radio.total(), spent(800, end).energy);
    let totals = [sender, receiver, bystander, distant].map(NodeOutcome::total);
    assert!(totals[0] > totals[2] && totals[1] > totals[2] && totals[2] > totals[3]);
    assert_eq!(sender.idealized(), sender.radio.total() - sender.radio.listen.energy);
}

#[test]
fn a_link_of_ones_own_is_metered_too() {
    let setting = BaseStation { segments: 1, wired_delay_ms: 5, ..BaseStation::default() };
    let mut scenario = setting.scenario();
    for node in &mut scenario.nodes {
        node.device = Some(Arc::new(laptop()));
    }
    let outcome = outcome(&scenario);
    let [server, base, mobile] = &outcome.nodes[..] else { panic!() };
    // No headers, whole milliseconds: 1058 bytes at 1 Mbit/s are 8, an ACK of 34
    // is none.
    let ms = Duration::from_millis;
    assert_eq!(server.radio.total(), Energy::ZERO);
    assert_eq!(base.radio.transmit.of(Purpose::Payload), spent(1_400, ms(8)));
    assert_eq!(mobile.radio.receive.of(Purpose::Payload), spent(900, ms(8)));
    assert_eq!(mobile.radio.receive.total().time, ms(8));
    let end = outcome.connections[0].completion_time.unwrap();
    assert_eq!(base.radio.listen.time, end.saturating_sub(ms(8)));
}

/// While the base station sends a segment it acknowledges, as a link layer, the
/// TCP ACK of the one before.
#[test]
fn what_is_sent_at_once_on_a_link_of_ones_own_cuts_nothing_short() {
    let setting = BaseStation { segments: 50, wired_delay_ms: 5, ..BaseStation::default() };
    let mut scenario = setting.scenario();
    scenario.run.headers = Headers::Standard;
    scenario.run.clock_step = Duration::from_nanos(1);
    for node in &mut scenario.nodes {
        node.device = Some(Arc::new(laptop()));
    }
    let outcome = outcome(&scenario);
    let [_, base, mobile] = &outcome.nodes[..] else { panic!() };
    // 1024 bytes with headers of 40, at 1 Mbit/s; the link layer has none here.
    let segments = spent(1_400, us(1_064 * 8) * 50);
    assert_eq!(base.radio.transmit.of(Purpose::Payload), segments);
    assert_eq!(mobile.radio.receive.of(Purpose::Payload).time, segments.time);
}

#[test]
fn work_takes_time_and_energy() {
    let costs = [("data_out", 700), ("data_in", 500), ("ack_out", 300), ("ack_in", 200)];
    let busy = outcome(&hop(&Arc::new(working_laptop(&costs)), 1));
    let time = |outcome: &Outcome| outcome.connections[0].completion_time.unwrap();
    // By the time that the receiver has worked the link ACK is over, and the
    // medium has been idle for long.
    assert_eq!(time(&busy), us(700) + DATA + us(500 + 300) + TCP_ACK + us(200));
    let [sender, receiver] = &busy.nodes[..] else { panic!() };
    assert_eq!(sender.processor.active.of(Purpose::Payload), spent(3_000, us(700)));
    assert_eq!(receiver.processor.active.of(Purpose::Payload), spent(3_000, us(500)));
    assert_eq!(receiver.processor.active.of(Purpose::Acknowledgment), spent(3_000, us(300)));
    assert_eq!(receiver.processor.idle, spent(1_000, time(&busy).saturating_sub(us(800))));
    // The sender is at it from the first moment.
    assert_eq!([sender, receiver].map(|node| node.processor.wake_up_count), [1, 1]);
}

fn us(us: u64) -> Duration {
    Duration::from_micros(us)
}

/// A processor that takes 4 ms for a segment lets one through every 4 ms.
#[test]
fn a_slow_processor_is_the_bottleneck() {
    let outcome = outcome(&hop(&Arc::new(working_laptop(&[("data_out", 4_000)])), 500));
    let seconds = outcome.connections[0].completion_time.unwrap().as_secs_f64();
    assert!((2.0..2.03).contains(&seconds), "{seconds}");
    let sender = &outcome.nodes[0];
    assert_eq!(sender.processor.active.of(Purpose::Payload).time, us(4_000) * 500);
}

#[test]
fn interrupts_bring_several_packets_at_once() {
    let costs = [("wake_ups", 100), ("data_in", 50)];
    let with = |frames| {
        let mut scenario = hop(&Arc::new(working_laptop(&costs)), 400);
        scenario.nodes[1].interrupts = Interrupts { frames, delay: Duration::from_millis(20) };
        outcome(&scenario)
    };
    let work = |outcome: &Outcome| outcome.nodes[1].processor.active.total().time;
    let [each, four] = [1, 4].map(with);
    // 400 segments, and a link ACK is none of the processor's business.
    assert_eq!(work(&each), us(150) * 400);
    assert!((us(100) * 100..us(100) * 130).contains(&work(&four).saturating_sub(us(50) * 400)));
    assert!(four.nodes[1].processor.wake_up_count < each.nodes[1].processor.wake_up_count / 3);
}

#[test]
fn a_run_can_last_as_long_as_a_battery() {
    let mut scenario = hop(&Arc::new(laptop()), 1 << 40);
    scenario.nodes[0].device = Some(on_battery(&laptop(), Energy::from_joules(60)));
    let back = Connection { from: 1, to: 0, ..scenario.connections[0].clone() };
    scenario.connections.push(back);
    let closed = outcome(&scenario);
    assert_eq!(closed.stop, Stop::Closed);
    scenario.run.until_depleted = true;
    let depleted = outcome(&scenario);
    assert_eq!(depleted.stop, Stop::Depleted);
    assert_eq!(Some(depleted.end), depleted.nodes[0].died);
    assert_eq!(depleted.nodes[0], closed.nodes[0]);
}

#[test]
fn an_empty_battery_ends_it() {
    let mut scenario = hop(&Arc::new(laptop()), 1 << 40);
    scenario.nodes[0].device = Some(on_battery(&laptop(), Energy::from_joules(60)));
    let outcome = outcome(&scenario);
    assert_eq!(outcome.stop, Stop::Closed);
    let [sender, receiver] = &outcome.nodes[..] else { panic!() };
    let died = sender.died.unwrap().as_secs_f64();
    // Between 5.8 W and 6.4 W.
    assert!((60.0 / 6.4..60.0 / 5.8).contains(&died), "{died}");
    assert_eq!(outcome.end, sender.died.unwrap());
    assert_eq!(receiver.died, None);
    let battery = sender.battery.unwrap();
    assert_eq!(battery.delivered, sender.total());
    assert_eq!(battery.delivered + battery.remaining, Energy::from_joules(60));
    assert!(battery.remaining < "20 mJ".parse().unwrap());
    assert_eq!(Some(Instant::ZERO + battery.lifetime), sender.died);
    // 4.6 Mbit/s until then.
    let bytes = outcome.connections[0].bytes_delivered.get() as f64;
    assert!((4.4..4.8).contains(&(bytes * 8.0 / died / 1e6)), "{bytes}");
}

#[test]
fn a_lifetime_is_foretold_from_the_mean_power() {
    let mut scenario = hop(&Arc::new(laptop()), 1_000);
    scenario.nodes[0].device = Some(on_battery(&laptop(), Energy::from_joules(36_000)));
    let outcome = outcome(&scenario);
    let sender = &outcome.nodes[0];
    let power = sender.total().as_joules_f64() / outcome.end.as_secs_f64();
    let lifetime = sender.battery.unwrap().lifetime.as_secs_f64();
    assert!((lifetime * power / 36_000.0 - 1.0).abs() < 1e-6, "{lifetime} {power}");
    // 1.4 W at 11 Mbit/s.
    let least = outcome.connections[0].least_energy_per_bit.unwrap().as_joules_f64();
    assert!((least * 1e6 - 0.1273).abs() < 1e-4, "{least}");
}

/// What all samples of each node come to: time, and the energies of radios and
/// of everything.
#[derive(Default)]
struct Powers {
    nodes: BTreeMap<usize, (Duration, [Energy; 2])>,
    samples: usize,
}

impl Observer for Powers {
    fn record(&mut self, now: Instant, event: &Event<'_>) {
        if let &Event::Power { node, over, radio, system } = event {
            let (time, energies) = self.nodes.entry(node).or_default();
            *time += over;
            energies[0] += radio;
            energies[1] += system;
            assert_eq!(Instant::ZERO + *time, now, "samples follow one another");
            self.samples += 1;
        }
    }
}

impl Powers {
    /// The samples of `outcome` integrate to its accounts, to the attojoule.
    #[track_caller]
    fn check(&self, outcome: &Outcome) {
        for node in &outcome.nodes {
            let (_, energies) = self.nodes.get(&node.node).copied().unwrap_or_default();
            assert_eq!(energies, [node.radio.total(), node.total()], "{}", node.node);
        }
    }
}

#[test]
fn power_samples_integrate_to_the_accounts() {
    let costs = [("data_out", 700), ("data_in", 500), ("ack_out", 300), ("ack_in", 200)];
    // Two flows that have nothing to do with each other, of different length.
    let mut scenario = hop(&Arc::new(working_laptop(&costs)), 40);
    let other = hop(&Arc::new(laptop()), 4);
    scenario.nodes.extend(other.nodes.into_iter().enumerate().map(|(index, mut node)| {
        node.name = format!("other-{index}");
        node
    }));
    scenario.airs.extend(other.airs.into_iter().map(|mut air| {
        air.name = "other".into();
        air.stations.iter_mut().for_each(|node| *node += 2);
        air
    }));
    scenario.connections.extend(other.connections.into_iter().map(|mut connection| {
        (connection.from, connection.to) = (connection.from + 2, connection.to + 2);
        connection
    }));
    let plain = outcome(&scenario);
    scenario.trace.power_interval = Duration::from_millis(1);
    let mut powers = Powers::default();
    assert_eq!(run(&scenario, 1, &mut powers), plain);
    powers.check(&plain);
    let ends = plain.connections.iter().map(|it| it.completion_time.unwrap());
    let ends: Vec<_> = ends.collect();
    assert!(ends[1] * 2 < ends[0]);
    for (node, (time, _)) in &powers.nodes {
        assert_eq!(*time, ends[node / 2]);
    }
    let whole = ends.iter().map(|end| 2 * (end.as_nanos().div_ceil(1_000_000)));
    assert_eq!(powers.samples as u64, whole.sum::<u64>());
}

/// All five kinds of account, at random nodes.
fn devices() -> impl Strategy<Value = [Option<Arc<Device>>; 3]> {
    let costs = [("data_out", 300), ("data_in", 200), ("ack_in", 100), ("wake_ups", 20)];
    let device = (0usize..6, 1u64..2_000).prop_map(move |(kind, joules)| {
        let device = working_laptop(&costs);
        let charge = Charge::from_attocoulombs(u128::from(joules) << 60);
        let voltage = Voltage::from_millivolts(10_000);
        let config = match kind {
            0 => return None,
            1 => return Some(Arc::new(laptop())),
            2 => return Some(Arc::new(device)),
            3 => return Some(on_battery(&device, Energy::from_joules(joules))),
            4 => battery::Config::Kibam(kibam::Config {
                capacity: charge,
                c: 0.6,
                k_per_h: 4.0,
                voltage,
            }),
            _ => battery::Config::Peukert(peukert::Config {
                capacity: charge,
                rated_current: Current::from_milliamperes(200),
                exponent: 1.2,
                voltage,
            }),
        };
        let mut device = (*on_battery(&device, Energy::from_joules(1))).clone();
        device.battery.as_mut().unwrap().value = config;
        Some(Arc::new(device))
    });
    prop::array::uniform3(device)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Every moment of every radio is in one state; what the battery has given is
    /// what was spent, to the attojoule; and to look changes nothing.
    #[test]
    fn energy_is_conserved(
        scenario in scenarios(),
        devices in devices(),
        interval_us in 10_000u64..3_000_000,
        seed: u64,
    ) {
        let mut scenario = scenario;
        scenario.run.event_budget = 5_000_000;
        for (node, device) in scenario.nodes.iter_mut().zip(devices) {
            node.device = device;
        }
        let outcome = run(&scenario, seed, &mut Nobody);
        for node in &outcome.nodes {
            let life = node.died.unwrap_or(outcome.end).saturating_since(Instant::ZERO);
            prop_assert_eq!(node.platform.base.time, life);
            let radio = &node.radio;
            let states = [radio.transmit.total(), radio.receive.total(), radio.listen, radio.doze];
            let time = states.iter().fold(Duration::ZERO, |sum, state| sum + state.time);
            prop_assert!(time == life || time.is_zero(), "{:?} of {:?}", time, life);
            if let Some(battery) = node.battery {
                prop_assert_eq!(battery.delivered, node.total());
            }
        }
        scenario.trace.power_interval = Duration::from_micros(interval_us);
        let mut observers = (Log::default(), Powers::default());
        prop_assert_eq!(&run(&scenario, seed, &mut observers), &outcome);
        observers.1.check(&outcome);
        // Who has no processor and no battery moves as if nobody asked.
        let is_idle = |node: &netjoule_scenario::Node| {
            node.device.as_ref().is_none_or(|it| it.processor.is_none() && it.battery.is_none())
        };
        if scenario.nodes.iter().all(is_idle) {
            for node in &mut scenario.nodes {
                node.device = None;
            }
            let unmetered = run(&scenario, seed, &mut Nobody);
            let mut metered = outcome.connections;
            metered.iter_mut().for_each(|it| it.least_energy_per_bit = None);
            prop_assert_eq!(unmetered.fingerprint, outcome.fingerprint);
            prop_assert_eq!(unmetered.connections, metered);
        }
    }
}
