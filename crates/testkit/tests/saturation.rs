//! Saturated cells of IEEE 802.11b against the models of [`saturation`](netjoule_testkit::saturation).

use netjoule_link::dot11::Config;
use netjoule_link::dot11::phy::PhyKind;
use netjoule_testkit::saturation::{
    Cell, Contention, Costs, Countdown, Exchange, Freezing, to_one, together,
};
use netjoule_units::{Bytes, Duration};

/// An IP packet, and the MPDU that carries it.
const PACKET: Bytes = Bytes::new(1_500);
const MPDU: Bytes = Bytes::new(1_536);
const RTS: Bytes = Bytes::new(20);
const ANSWER: Bytes = Bytes::new(14);

/// 11 Mbit/s, all in range of all, and no frame is ever given up.
fn config(rts: bool) -> Config {
    Config {
        short_retry_limit: u32::MAX,
        long_retry_limit: u32::MAX,
        rts_threshold: if rts { Bytes::ZERO } else { Bytes::new(2_347) },
        ..Config::default()
    }
}

/// The times of an exchange: answers and RTS at 2 Mbit/s, EIFS as after an ACK
/// at 1 Mbit/s.
fn exchange(config: &Config) -> Exchange {
    let phy = PhyKind::B.phy();
    let airtime = |rate, size| {
        let mode = phy.mode(rate).expect("a rate of 802.11b");
        phy.airtime(mode, config.preamble, size)
    };
    let control = phy.answer_rate(config.rate);
    Exchange {
        rts: airtime(control, RTS),
        cts: airtime(control, ANSWER),
        data: airtime(config.rate, MPDU),
        ack: airtime(control, ANSWER),
        sifs: phy.sifs,
        difs: phy.difs(),
        after_collision: phy.sifs + airtime(phy.basic[0], ANSWER) + phy.difs(),
        propagation: Duration::ZERO,
    }
}

/// Throughput in bits per second, and collided attempts by all attempts.
#[derive(Clone, Copy, Debug)]
struct Found {
    throughput: f64,
    collisions: f64,
}

/// What theory says.
struct Theory {
    bianchi: Found,
    refined: Found,
    counters: Found,
}

fn theory(stations: u32, rts: bool) -> Theory {
    let config = config(rts);
    let phy = PhyKind::B.phy();
    let it = exchange(&config);
    let costs = if rts { Costs::rts_cts } else { Costs::basic }(phy.slot, PACKET, &it);
    let model = |freezing| {
        let contention = Contention { stations, window: 32, stages: 5, retries: None, freezing };
        let settled = contention.solve();
        Found { throughput: settled.throughput_bit_per_s(&costs), collisions: settled.collisions() }
    };

    let mode = phy.mode(phy.answer_rate(config.rate)).expect("a rate of 802.11b");
    // Whoever has sent waits for an answer only as long as one can begin, all
    // others for EIFS: colliders count 142 us, seven slots, ahead of them.
    let patience = phy.sifs + phy.slot + phy.rx_start_delay(mode, config.preamble);
    let contended = if rts { it.rts } else { it.data };
    let countdown = Countdown {
        stations: stations as usize,
        window: 32,
        stages: 5,
        slot: phy.slot,
        success: costs.success,
        collision: costs.collision,
        timeout: contended + patience,
    };
    let tally = countdown.play(400_000, 1);
    let counters = Found {
        throughput: tally.successes_per_s() * PACKET.bits() as f64,
        collisions: tally.collisions(),
    };
    Theory { bianchi: model(Freezing::Uniform), refined: model(Freezing::Exclusive), counters }
}

fn simulate(stations: u32, rts: bool) -> Found {
    let senders = stations as usize;
    // Rare collisions need more time.
    let time = Duration::from_secs(if stations <= 5 { 800 } else { 200 });
    let mut cell = Cell::new(&config(rts), together(senders + 1, 1), to_one(senders));
    cell.run(Duration::from_secs(2));
    let report = cell.measure(time);
    Found {
        throughput: (report.total() * PACKET.get() * 8) as f64 / time.as_secs_f64(),
        collisions: report.collisions(),
    }
}

/// Throughput is within 3 % of Bianchi's model, for every number of stations and
/// both kinds of access; what is found is within 1.3 %:
///
/// | Mbit/s, basic | 1 | 2 | 5 | 10 | 20 | 50 |
/// |---|---|---|---|---|---|---|
/// | simulated | 6.229 | 6.519 | 6.346 | 5.972 | 5.535 | 4.891 |
/// | Bianchi | 6.227 | 6.547 | 6.405 | 6.022 | 5.544 | 4.843 |
/// | refined | 6.227 | 6.511 | 6.353 | 5.977 | 5.514 | 4.832 |
/// | counters | 6.227 | 6.520 | 6.338 | 5.967 | 5.531 | 4.909 |
///
/// | Mbit/s, RTS/CTS | 1 | 2 | 5 | 10 | 20 | 50 |
/// |---|---|---|---|---|---|---|
/// | simulated | 4.865 | 5.111 | 5.177 | 5.113 | 5.002 | 4.797 |
/// | Bianchi | 4.864 | 5.125 | 5.209 | 5.146 | 5.025 | 4.800 |
/// | refined | 4.864 | 5.102 | 5.171 | 5.105 | 4.985 | 4.763 |
/// | counters | 4.864 | 5.110 | 5.174 | 5.108 | 4.995 | 4.795 |
///
/// The collision probability is within 1.3 percentage points of Bianchi's, but
/// in proportion 4 % above it for two stations and 3 % for five:
///
/// | collisions | 1 | 2 | 5 | 10 | 20 | 50 |
/// |---|---|---|---|---|---|---|
/// | simulated | 0 | 0.0592 | 0.1835 | 0.2926 | 0.3942 | 0.5206 |
/// | Bianchi | 0 | 0.0570 | 0.1781 | 0.2898 | 0.3988 | 0.5324 |
/// | refined | 0 | 0.0569 | 0.1765 | 0.2860 | 0.3931 | 0.5255 |
/// | counters | 0 | 0.0590 | 0.1841 | 0.2917 | 0.3924 | 0.5158 |
///
/// That is the models' error, not the standard's: in both, every attempt meets
/// the same probability, but of two stations that have just collided both are
/// known to draw from a longer window, and both count ahead of all others. The
/// counters alone, played out, know that, and are met within 3 % in
/// everything; what is found is within 1 %.
fn hold_against_theory(rts: bool) {
    for stations in [1, 2, 5, 10, 20, 50] {
        let found = simulate(stations, rts);
        let Theory { bianchi, refined, counters } = theory(stations, rts);
        let row = format!(
            "{stations:2} stations: found {found:.4?}, Bianchi {bianchi:.4?}, \
             refined {refined:.4?}, counters {counters:.4?}"
        );
        for model in [bianchi, refined, counters] {
            assert!((found.throughput / model.throughput - 1.0).abs() < 0.03, "{row}");
            assert!((found.collisions - model.collisions).abs() < 0.03, "{row}");
        }
        if stations == 1 {
            assert!(found.collisions == 0.0 && counters.collisions == 0.0, "{row}");
            continue;
        }
        assert!((found.collisions / counters.collisions - 1.0).abs() < 0.03, "{row}");
        let most = if stations <= 5 { 0.05 } else { 0.03 };
        assert!((found.collisions / bianchi.collisions - 1.0).abs() < most, "{row}");
    }
}

#[test]
fn basic_access_saturates_as_theory_says() {
    hold_against_theory(false);
}

#[test]
fn rts_and_cts_saturate_as_theory_says() {
    hold_against_theory(true);
}
