//! Each rule about media that stations share.

use netjoule_link::dot11::{self, Position};
use netjoule_units::{BitRate, Distance, Duration};

use super::{brief, only, overrides, toml};
use crate::{Error, Scenario, Source, parse_toml};

/// An access point between two hosts, and a third out of its range.
const CELL: &str = r#"[[node]]
name = "base"
kind = "base_station"
position = ["0 m", "0 m"]

[[node]]
name = "a"
kind = "host"
position = ["40 m", "30 m"]

[[node]]
name = "b"
kind = "host"
position = ["0 m", "50 m"]

[[node]]
name = "far"
kind = "host"
position = ["0 m", "51 m"]

[[air]]
name = "cell"
stations = ["base", "a", "b", "far"]
access_point = "base"
range = "50 m"

[[air.channel]]
between = ["base", "a"]
mean_bad = "50 ms"

[[connection]]
from = "a"
to = "b"
transfer = "1 MiB"
"#;

fn with(from: &str, to: &str) -> Result<Scenario, Error> {
    assert!(CELL.contains(from), "{from}");
    toml(&CELL.replacen(from, to, 1))
}

#[test]
fn an_air_has_defaults() {
    let scenario = toml(CELL).unwrap();
    let [air] = scenario.airs.as_slice() else { panic!("one air") };
    assert_eq!((air.stations.as_slice(), air.access_point), (&[0, 1, 2, 3][..], Some(0)));
    assert_eq!((air.delay, air.random_seed), (Duration::ZERO, 0));
    assert_eq!(air.rates, [None; 4]);
    let range = air.dot11.range;
    assert_eq!(air.dot11, dot11::Config { range, ..dot11::Config::default() });
    let [channel] = air.channels.as_slice() else { panic!("one channel") };
    assert_eq!((channel.name.as_str(), channel.between), ("cell-base-a", [0, 1]));
    assert_eq!(channel.channel.mean_bad, Duration::from_millis(50));
    let channels: Vec<_> = scenario.channels().map(|it| (it.index, it.name)).collect();
    assert_eq!(channels, [(0, "cell-base-a")]);
    let metres = |x: u64| format!("{x} m").parse::<Distance>().unwrap();
    assert_eq!(scenario.nodes[1].position, Some(Position { x: metres(40), y: metres(30) }));
    assert_eq!(toml(&scenario.to_toml()).unwrap(), scenario);
}

#[test]
fn stations_may_have_rates_of_their_own() {
    let scenario = with("range", "rates = { b = \"1 Mbit/s\" }\nrange").unwrap();
    let slow = Some(BitRate::from_mbit_per_s(1));
    assert_eq!(scenario.airs[0].rates, [None, None, slow, None]);
    assert_eq!(toml(&scenario.to_toml()).unwrap(), scenario);
    assert_eq!(
        only(with("range", "rates = { c = \"1 Mbit/s\" }\nrange")),
        "25:11 air.cell.rates.c: there is no such station"
    );
    assert_eq!(
        only(with(
            "range",
            "phy = \"802.11g\"\nrate = \"6 Mbit/s\"\nrates.b = \"5 Mbit/s\"\nrange"
        )),
        "27:11 air.cell.rates.b: found 5 Mbit/s, expected a rate of 802.11g"
    );
}

#[test]
fn a_path_leads_over_neighbours_only() {
    let unreachable = |to: &str| {
        assert_eq!(
            only(toml(to)),
            "33:6 connection.0.to: no path of links and airs leads there from the sender (hosts \
             do not forward packets)"
        );
    };
    // 50 m is just within the range.
    unreachable(&CELL.replace("to = \"b\"", "to = \"far\""));
    // Without an access point they are too far from each other, and a router
    // in between forwards all the same.
    let ad_hoc = CELL.replace("access_point = \"base\"", "");
    assert!(toml(&ad_hoc).is_ok());
    let host = CELL.replace("base_station", "host");
    unreachable(&host);
    // Next to each other they need nobody, unless there is an access point.
    let near = host.replace("\"0 m\", \"50 m\"", "\"40 m\", \"31 m\"");
    unreachable(&near);
    assert!(toml(&near.replace("access_point = \"base\"", "")).is_ok());
}

#[test]
fn stations_are_nodes_and_each_is_there_once() {
    assert_eq!(
        brief(&with("\"b\", \"far\"]", "\"bose\", \"a\"]").unwrap_err()),
        [
            "23:26 air.cell.stations: there is no node `bose`",
            "23:34 air.cell.stations: names `a` twice",
        ]
    );
    assert_eq!(
        only(with("[\"base\", \"a\", \"b\", \"far\"]", "[\"base\"]")),
        "23:12 air.cell.stations: found 1, expected 2 to 2007"
    );
    assert_eq!(
        brief(
            &with("name = \"cell\"\nstations = [\"base\", \"a\", \"b\", \"far\"]", "").unwrap_err()
        ),
        [
            "21:1 air.0.name: is missing; write for example name = \"cell\"",
            "21:1 air.0.stations: is missing; write for example stations = [\"base\", \"a\"]",
        ]
    );
}

#[test]
fn an_access_point_is_a_station() {
    assert_eq!(
        only(with("[\"base\", \"a\", \"b\", \"far\"]", "[\"a\", \"b\"]")),
        "24:16 air.cell.access_point: `base` is not among the stations"
    );
    assert_eq!(
        only(with("access_point = \"base\"", "access_point = \"bse\"")),
        "24:16 air.cell.access_point: there is no node `bse`"
    );
}

#[test]
fn power_savers_need_an_access_point_or_windows() {
    let with_savers = |savers: &str| with("range", &format!("power_savers = {savers}\nrange"));
    let scenario = with_savers("[\"b\", \"a\"]").unwrap();
    assert_eq!(scenario.airs[0].power_savers, [2, 1]);
    assert_eq!(toml(&scenario.to_toml()).unwrap(), scenario);
    assert_eq!(
        brief(&with_savers("[\"a\", \"base\", \"c\", \"a\"]").unwrap_err()),
        [
            "25:22 air.cell.power_savers: the access point is always awake",
            "25:30 air.cell.power_savers: `c` is not among the stations",
            "25:35 air.cell.power_savers: names `a` twice",
        ]
    );
    assert_eq!(
        only(with("access_point = \"base\"", "power_savers = [\"a\"]")),
        "24:16 air.cell.power_savers: needs an access point, which keeps frames for them, or an \
         `atim_window` in `power_save`, to announce them in"
    );
    let ad_hoc = "power_savers = [\"a\"]\npower_save = { atim_window = \"8 ms\" }";
    let scenario = with("access_point = \"base\"", ad_hoc).unwrap();
    assert_eq!(scenario.airs[0].access_point, None);
    assert_eq!(toml(&scenario.to_toml()).unwrap(), scenario);
    let both = format!("access_point = \"base\"\n{ad_hoc}");
    assert_eq!(
        only(with("access_point = \"base\"", &both)),
        "26:14 air.cell.power_save: found an `atim_window`, expected none beside an access point"
    );
    let long = ad_hoc.replace("8 ms", "110 ms");
    assert_eq!(
        only(with("access_point = \"base\"", &long)),
        "25:30 air.cell.power_save.atim_window: found \"110 ms\", expected less than the beacon \
         interval of 102400 us"
    );
}

#[test]
fn ranges_ask_for_positions() {
    let nowhere = CELL.replace("position = [\"40 m\", \"30 m\"]", "");
    let error = toml(&nowhere).unwrap_err();
    assert_eq!(
        brief(&error),
        ["23:21 air.cell.stations: `a` has no position, and `range` needs one"]
    );
    assert_eq!(
        error.diagnostics()[0].help.as_deref(),
        Some("give the node one: position = [\"0 m\", \"10 m\"] in node.a")
    );
    assert!(toml(&nowhere.replace("range = \"50 m\"", "")).is_ok());
}

#[test]
fn levels_take_the_place_of_ranges() {
    let radio = "radio = { tx_power = \"20 dBm\" }";
    assert!(with("range = \"50 m\"", radio).is_ok());
    assert_eq!(
        brief(&with("range = \"50 m\"", &format!("range = \"50 m\"\n{radio}")).unwrap_err()),
        ["25:9 air.cell.range: found \"50 m\", expected none where `radio` decides"]
    );
    assert_eq!(
        only(with("range = \"50 m\"", "radio = { path_loss_exponent = 11.0 }")),
        "25:32 air.cell.radio.path_loss_exponent: found 11, expected a number from 1 to 10"
    );
    assert_eq!(
        only(with("range = \"50 m\"", "radio = { tx_power = \"20 dB\" }")),
        "25:22 air.cell.radio: `20 dB` has the unit `dB`; the units here are dBm"
    );
    // 50 m are nothing for 20 dBm, and much for a millionth of it.
    let whisper = "radio = { tx_power = \"-40 dBm\" }";
    assert_eq!(
        only(with("range = \"50 m\"", whisper)),
        "33:6 connection.0.to: no path of links and airs leads there from the sender (hosts do \
         not forward packets)"
    );
}

#[test]
fn settings_of_the_medium_have_their_ranges() {
    assert_eq!(
        only(with("range = \"50 m\"", "short_retry_limit = 0")),
        "25:21 air.cell.short_retry_limit: found 0, expected 1 or more"
    );
    assert_eq!(
        only(with("range = \"50 m\"", "rnge = \"50 m\"")),
        "25:1 air.cell.rnge: there is no such key"
    );
    assert_eq!(
        only(with("range = \"50 m\"", "phy = \"802.11g\"\nrate = \"5 Mbit/s\"")),
        "26:8 air.cell.rate: found \"5 Mbit/s\", expected a rate of 802.11g"
    );
    assert_eq!(
        only(with("range = \"50 m\"", "delay = \"100000 h\"")),
        "25:9 air.cell.delay: found 360000000 s, expected at most 10 years"
    );
}

#[test]
fn a_channel_is_between_two_stations_that_send_to_each_other() {
    let between = |names: &str| with("between = [\"base\", \"a\"]", &format!("between = {names}"));
    let path = "28:11 air.cell.channel.0.between";
    assert_eq!(
        only(between("[\"a\", \"b\"]")),
        format!("{path}: no frame goes from one to the other but through the access point")
    );
    assert_eq!(
        only(between("[\"a\", \"a\"]")),
        format!("{path}: a channel is between two stations")
    );
    assert_eq!(
        only(between("[\"base\", \"c\"]")),
        "28:20 air.cell.channel.0.between: there is no node `c`"
    );
    let two = CELL
        .replace("[[connection]]", "[[air.channel]]\nbetween = [\"a\", \"base\"]\n[[connection]]");
    assert_eq!(
        brief(&toml(&two).unwrap_err()),
        ["32:11 air.cell.channel.1.between: these two have a channel already"]
    );
    assert_eq!(
        only(with("mean_bad = \"50 ms\"", "mean_bad = \"1 ns\"")),
        "29:12 air.cell.channel.0.mean_bad: found 1 ns, expected at least 110 ns, a ten-thousandth \
         of the airtime of the largest frame (1500 B at 11 Mbit/s)"
    );
    assert_eq!(
        only(with("mean_bad = \"50 ms\"", "rate = \"1 Mbit/s\"")),
        "29:1 air.cell.channel.0.rate: there is no such key"
    );
}

#[test]
fn names_of_channels_are_not_those_of_links() {
    let link = "[[link]]\nname = \"wire\"\nkind = \"wired\"\nbetween = [\"a\", \"b\"]\n\
                rate = \"1 Mbit/s\"\ndelay = \"1 ms\"\n";
    let text = CELL.replace("mean_bad", "name = \"wire\"\nmean_bad");
    assert!(toml(&text).is_ok());
    let error = toml(&format!("{text}{link}")).unwrap_err();
    assert_eq!(brief(&error), ["29:8 air.cell.channel.0.name: `wire` is taken"]);
    let two = format!("{CELL}[[air]]\nname = \"cell\"\nstations = [\"a\", \"b\"]\n");
    assert_eq!(only(toml(&two)), "36:8 air.cell.name: `cell` is taken");
}

#[test]
fn overrides_reach_airs_and_their_channels() {
    let read = |settings: &[&str]| {
        parse_toml(&Source::new("test.toml", CELL), &overrides(settings)).map_err(|it| brief(&it))
    };
    let scenario = read(&[
        "air.cell.rate=2 Mbit/s",
        "air.*.delay=1 ms",
        "air.cell.channel.0.mean_bad=0.2 s",
        "air.cell.channel.*.random_seed=7",
        "air.cell.rates.b=1 Mbit/s",
        "node.a.position=[\"1 m\", \"1 m\"]",
    ])
    .unwrap();
    let air = &scenario.airs[0];
    assert_eq!(air.dot11.rate, BitRate::from_mbit_per_s(2));
    assert_eq!(air.delay, Duration::from_millis(1));
    let channel = &air.channels[0];
    assert_eq!((channel.channel.mean_bad, channel.random_seed), (Duration::from_millis(200), 7));
    assert_eq!(
        read(&["air.cell.channel.x.mean_bad=1 s"]).unwrap_err(),
        ["1:1 air.cell.channel.x.mean_bad: there is no channel `x`"]
    );
    assert_eq!(
        read(&["air.cel.rate=1 Mbit/s"]).unwrap_err(),
        ["1:1 air.cel.rate: there is no air `cel`"]
    );
}

#[test]
fn packets_fit_into_frames() {
    let with_mss =
        |mss: u32, rest: &str| toml(&format!("{CELL}[connection.tcp]\nmss = \"{mss} B\"\n{rest}"));
    assert!(with_mss(2_256, "").is_ok());
    assert_eq!(
        only(with_mss(2_257, "")),
        "36:7 connection.0.tcp.mss: found 2257 B, expected at most 2256 B, to fit into frames on \
         an air"
    );
    assert!(with_mss(2_296, "[run]\nheaders = \"none\"").is_ok());
    assert_eq!(
        only(toml(&format!("{CELL}[tcp]\nmss = \"9000 B\"\n"))),
        "36:7 tcp.mss: found 9000 B, expected at most 2256 B, to fit into frames on an air"
    );
    // Who has a cable does not need the air.
    let link = "[[link]]\nname = \"wire\"\nkind = \"wired\"\nbetween = [\"a\", \"b\"]\n\
                rate = \"1 Mbit/s\"\ndelay = \"1 ms\"\n";
    assert!(with_mss(9_000, link).is_ok());
}
