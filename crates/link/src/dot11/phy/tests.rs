//! The floors of energy per bit are arithmetic on airtimes. The figures here were
//! worked out apart from this code: for the card of agarwal2000 with and without
//! TCP ACKs, and for an 802.11n module.

use super::*;

const MAC: u64 = 24 + 4;
const LLC: u64 = 8;
const ACK: u64 = 14;
const CTS: u64 = 14;
const RTS: u64 = 20;
const TCP_IP: u64 = 40;
const TIMESTAMPS: u64 = 12;

fn rate(text: &str) -> BitRate {
    text.parse().unwrap()
}

fn us(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// A span of `tenths` tenths of a microsecond.
fn tenths(tenths: u64) -> Duration {
    Duration::from_nanos(tenths * 100)
}

/// What one exchange costs its two stations, in microseconds.
#[derive(Clone, Copy, Default)]
struct Exchange {
    sent: f64,
    answered: f64,
    /// Interframe spaces.
    spaces: f64,
    backoff: f64,
}

impl Exchange {
    fn cycle(self) -> f64 {
        self.sent + self.answered + self.spaces + self.backoff
    }
}

struct Powers {
    transmit_w: f64,
    receive_w: f64,
}

/// The card of agarwal2000.
const WAVELAN: Powers = Powers { transmit_w: 1.40, receive_w: 0.90 };
/// 200 and 63 mA at 3.3 V.
const ESP32_S2: Powers = Powers { transmit_w: 0.66, receive_w: 0.2079 };

fn airtime(phy: &Phy, at: &str, preamble: Preamble, psdu: u64) -> f64 {
    us(phy.airtime(phy.mode(rate(at)).unwrap(), preamble, Bytes::new(psdu)))
}

/// A packet of `packet` bytes at 11 Mbit/s, acknowledged at 2.
fn wavelan(packet: u64, preamble: Preamble) -> Exchange {
    let phy = PhyKind::B.phy();
    let answer = phy.answer_rate(rate("11 Mbit/s")).to_string();
    Exchange {
        sent: airtime(phy, "11 Mbit/s", preamble, packet + MAC + LLC),
        answered: airtime(phy, &answer, preamble, ACK),
        spaces: us(phy.difs() + phy.sifs),
        backoff: us(phy.slot * u64::from(phy.cw_min)) / 2.0,
    }
}

/// The same behind RTS and CTS at 1 Mbit/s.
fn with_rts(packet: u64) -> Exchange {
    let phy = PhyKind::B.phy();
    let data = wavelan(packet, Preamble::Long);
    Exchange {
        sent: data.sent + airtime(phy, "1 Mbit/s", Preamble::Long, RTS),
        answered: data.answered + airtime(phy, "1 Mbit/s", Preamble::Long, CTS),
        spaces: data.spaces + 2.0 * us(phy.sifs),
        ..data
    }
}

/// `value` with four significant digits, as the tables print.
fn four(value: f64) -> String {
    let digits = if value >= 1.0 { 3 } else { 4 };
    format!("{value:.digits$}")
}

/// Goodput in Mbit/s, E_I and E_A in µJ per bit.
fn floors(exchange: Exchange, powers: &Powers, payload: u64) -> [f64; 3] {
    let bits = payload as f64 * 8.0;
    let own = powers.transmit_w * exchange.sent + powers.receive_w * exchange.answered;
    let idle = powers.receive_w * (exchange.spaces + exchange.backoff);
    [bits / exchange.cycle(), own / bits, (own + idle) / bits]
}

#[test]
fn exchanges_of_the_reference_card() {
    let [short, long] = [1500, 2296].map(|packet| wavelan(packet, Preamble::Long));
    assert_eq!(format!("{:.1} {:.1}", short.sent, long.sent), "1309.1 1888.0");
    assert_eq!(format!("{:.0} {:.0}", short.answered, short.backoff), "248 310");
    assert_eq!(format!("{:.1} {:.1}", short.cycle(), long.cycle()), "1927.1 2506.0");
}

#[test]
fn floors_of_the_data_direction() {
    let row = |exchange, packet| {
        let [goodput, own, all] = floors(exchange, &WAVELAN, packet - TCP_IP);
        format!("{goodput:.2} {} {}", four(own), four(all))
    };
    let long = |packet| row(wavelan(packet, Preamble::Long), packet);
    let short = |packet| row(wavelan(packet, Preamble::Short), packet);
    assert_eq!(long(500), "3.07 0.2820 0.3725");
    assert_eq!(long(1000), "4.91 0.2014 0.2448");
    assert_eq!(long(1500), "6.06 0.1760 0.2045");
    assert_eq!(short(1500), "6.73 0.1571 0.1856");
    assert_eq!(long(2296), "7.20 0.1588 0.1773");
    assert_eq!(short(2296), "7.80 0.1466 0.1650");
    assert_eq!(row(with_rts(1500), 1500), "4.49 0.2416 0.2717");
    assert_eq!(row(with_rts(2296), 2296), "5.67 0.2013 0.2207");
}

/// E_I, E_A without and with backoff for data whose every `every`th packet
/// draws a TCP ACK.
fn with_tcp_acks(packet: u64, options: u64, every: u32) -> String {
    let data = wavelan(packet, Preamble::Long);
    // Seen from the data's sender: it hears the TCP ACK and answers it.
    let ack = wavelan(TCP_IP + options, Preamble::Long);
    let heard = Exchange { sent: ack.answered, answered: ack.sent, ..ack };
    let bits = (packet - TCP_IP - options) as f64 * 8.0;
    let cost = |exchange: Exchange, idle: fn(Exchange) -> f64| {
        WAVELAN.transmit_w * exchange.sent
            + WAVELAN.receive_w * (exchange.answered + idle(exchange))
    };
    [|_| 0.0, |e: Exchange| e.spaces, |e: Exchange| e.spaces + e.backoff]
        .map(|idle| four((cost(data, idle) + cost(heard, idle) / f64::from(every)) / bits))
        .join(" ")
}

#[test]
fn floors_with_tcp_acks() {
    assert_eq!(with_tcp_acks(1500, TIMESTAMPS, 2), "0.2024 0.2094 0.2455");
    assert_eq!(with_tcp_acks(1500, 0, 2), "0.2004 0.2073 0.2432");
    assert_eq!(with_tcp_acks(1500, 0, 16), "0.1791 0.1840 0.2094");
    assert_eq!(with_tcp_acks(2296, 0, 2), "0.1746 0.1791 0.2023");
    assert_eq!(with_tcp_acks(2296, 0, 16), "0.1608 0.1640 0.1804");
}

/// `count` packets of 1500 bytes in one frame of MCS 7: E_I, E_A, goodput.
fn high_throughput(count: u64) -> String {
    let phy = PhyKind::N.phy();
    // A QoS header has two bytes more. In an A-MPDU each MPDU has a delimiter
    // of four bytes and is padded to a multiple of four (8.6.1).
    let mpdu = 1500 + MAC + 2 + LLC;
    let block_ack = 32;
    let (psdu, answer) =
        if count == 1 { (mpdu, ACK) } else { (count * (4 + mpdu).next_multiple_of(4), block_ack) };
    let answer_rate = phy.answer_rate(rate("65 Mbit/s")).to_string();
    let exchange = Exchange {
        sent: airtime(phy, "65 Mbit/s", Preamble::Long, psdu),
        answered: airtime(phy, &answer_rate, Preamble::Long, answer),
        spaces: us(phy.difs() + phy.sifs),
        backoff: us(phy.slot * u64::from(phy.cw_min)) / 2.0,
    };
    let [goodput, own, all] = floors(exchange, &ESP32_S2, count * (1500 - TCP_IP));
    format!("{own:.4} {all:.4} {goodput:.1}")
}

/// These come out with the signal extension, behind data and answer, with the
/// answer at 24 Mbit/s, and with the QoS header.
#[test]
fn floors_of_high_throughput() {
    assert_eq!(high_throughput(1), "0.0138 0.0159 30.5");
    assert_eq!(high_throughput(8), "0.0111 0.0114 54.4");
    assert!(high_throughput(32).starts_with("0.0108 0.0109 "));
}

#[test]
fn interframe_spaces() {
    let difs = PhyKind::ALL.map(|kind| kind.phy().difs());
    assert_eq!(difs, [50, 28, 37].map(Duration::from_micros));
}

#[test]
fn symbols_by_hand() {
    let airtime = |kind: PhyKind, at, psdu| {
        let phy = kind.phy();
        phy.airtime(phy.mode(rate(at)).unwrap(), Preamble::Long, Bytes::new(psdu))
    };
    // An ACK at 6 Mbit/s: 16 + 112 + 6 = 134 bits are 6 symbols of 24.
    assert_eq!(airtime(PhyKind::G, "6 Mbit/s", 14), Duration::from_micros(20 + 24 + 6));
    // At 24 Mbit/s: 2 symbols of 96.
    assert_eq!(airtime(PhyKind::G, "24 Mbit/s", 14), Duration::from_micros(20 + 8 + 6));
    // 1536 bytes at 54 Mbit/s: 12 310 bits are 57 symbols of 216.
    assert_eq!(airtime(PhyKind::G, "54 Mbit/s", 1536), Duration::from_micros(20 + 228 + 6));
    // 24 bits fill a symbol at 6 Mbit/s to the last; one byte is 30 bits.
    assert_eq!(airtime(PhyKind::G, "6 Mbit/s", 1), Duration::from_micros(20 + 8 + 6));
    // 1538 bytes at MCS 7: 12 326 bits are 48 symbols of 260.
    assert_eq!(airtime(PhyKind::N, "65 Mbit/s", 1538), Duration::from_micros(36 + 192 + 6));
    // With the short guard interval 48 · 3.6 = 172.8 µs, announced as 176.
    assert_eq!(airtime(PhyKind::N, "72.2 Mbit/s", 1538), Duration::from_micros(36 + 176 + 6));
    // 802.11b in an ERP cell has no signal extension.
    assert_eq!(airtime(PhyKind::G, "11 Mbit/s", 11), Duration::from_micros(192 + 8));
}

#[test]
fn a_rate_is_what_its_symbols_carry() {
    for mode in PhyKind::N.phy().modes.iter().chain(PhyKind::G.phy().modes) {
        let (bits, symbol) = match mode.modulation {
            Modulation::ErpOfdm(coding) => (coding.bits_per_symbol(48), tenths(40)),
            Modulation::HtMixed(coding, Guard::Long) => (coding.bits_per_symbol(52), tenths(40)),
            Modulation::HtMixed(coding, Guard::Short) => (coding.bits_per_symbol(52), tenths(36)),
            Modulation::Dsss | Modulation::Cck => continue,
        };
        let bit_per_s = u64::from(bits) * 1_000_000_000 / symbol.as_nanos();
        assert!(bit_per_s.abs_diff(mode.rate.bit_per_s()) <= 50_000, "{}", mode.rate);
    }
}

#[test]
fn preambles() {
    let phy = PhyKind::B.phy();
    let start = |at, preamble| phy.rx_start_delay(phy.mode(rate(at)).unwrap(), preamble);
    assert_eq!(start("2 Mbit/s", Preamble::Long), Duration::from_micros(192));
    assert_eq!(start("2 Mbit/s", Preamble::Short), Duration::from_micros(96));
    assert_eq!(start("1 Mbit/s", Preamble::Short), Duration::from_micros(192));
    let phy = PhyKind::N.phy();
    let start = |at| phy.rx_start_delay(phy.mode(rate(at)).unwrap(), Preamble::Long);
    assert_eq!([start("24 Mbit/s"), start("65 Mbit/s")], [25, 33].map(Duration::from_micros));
}

#[test]
fn answers() {
    let answer = |kind: PhyKind, at: &str| kind.phy().answer_rate(rate(at)).bit_per_s() / 1_000;
    let b = ["1 Mbit/s", "2 Mbit/s", "5.5 Mbit/s", "11 Mbit/s", "8 Mbit/s", "19.2 kbit/s"];
    assert_eq!(b.map(|at| answer(PhyKind::B, at)), [1_000, 2_000, 2_000, 2_000, 2_000, 19]);
    let g = ["6 Mbit/s", "9 Mbit/s", "18 Mbit/s", "54 Mbit/s", "11 Mbit/s", "1 Mbit/s"];
    assert_eq!(g.map(|at| answer(PhyKind::G, at)), [6_000, 6_000, 12_000, 24_000, 11_000, 1_000]);
    let n = ["6.5 Mbit/s", "13 Mbit/s", "21.7 Mbit/s", "26 Mbit/s", "72.2 Mbit/s"];
    assert_eq!(n.map(|at| answer(PhyKind::N, at)), [6_000, 12_000, 12_000, 24_000, 24_000]);
}

#[test]
fn any_rate_is_a_mode_of_dsss() {
    let wireless = Phy::mode_of(rate("8 Mbit/s"));
    assert_eq!(wireless.modulation, Modulation::Dsss);
    let airtime = PhyKind::B.phy().airtime(&wireless, Preamble::Long, Bytes::new(1000));
    assert_eq!(airtime, Duration::from_micros(1_192));
    assert_eq!(Phy::mode_of(rate("11 Mbit/s")), rows::CCK_11);
}

#[test]
fn no_two_modes_of_a_row_have_one_rate() {
    for phy in PhyKind::ALL.map(PhyKind::phy) {
        for mode in phy.modes {
            assert_eq!(phy.mode(mode.rate), Some(mode), "{} {}", phy.name, mode.rate);
        }
        assert!(phy.basic.is_sorted() && phy.basic.iter().all(|rate| phy.mode(*rate).is_some()));
    }
}
