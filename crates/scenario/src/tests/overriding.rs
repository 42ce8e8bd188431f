//! Settings from outside the file.

use netjoule_energy::battery;
use netjoule_link::arq::Discipline;
use netjoule_transport::tcp::InitialWindow;
use netjoule_units::{BitRate, Bytes, Duration, Energy};

use super::{SMALL, brief, overrides};
use crate::{BASE_STATION, Medium, Override, OverrideError, Scenario, Source, parse_toml};

fn base_station(settings: &[&str]) -> Scenario {
    let source = Source::new("base-station.toml", BASE_STATION);
    parse_toml(&source, &overrides(settings)).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn refused(setting: &str, expected: &str) {
    let error = parse_toml(&Source::new("test.toml", SMALL), &overrides(&[setting])).unwrap_err();
    assert_eq!(brief(&error), [expected], "{error}");
    assert_eq!(error.diagnostics()[0].file, "override");
}

#[test]
fn settings_replace_and_add() {
    let capacity = Energy::from_joules(5);
    let battery = battery::Config::Ideal(battery::ideal::Config { capacity });
    let scenario = base_station(&[
        "title=Something else",
        "node.213.battery=none",
        "node.213.battery={ model = \"ideal\", capacity = \"5 J\" }",
        "run.seed = 7",
        "trace.attributes=[\"seqno\"]",
        "tcp.receive_window=8 KiB",
        "tcp.variant=tahoe",
        "node.212.queue=fifo",
        "node.212.buffer=\"20 kB\"",
        "link.102.channel.mean_bad=1.5 s",
        "link.102.arq.retries=2",
        "link.*.rate=5 Mbit/s",
        "connection.*.transfer=1 MiB",
        "connection.0.tcp.mss=512 B",
        "tcp.profile=current",
        "tcp.initial_window=rfc3390",
        "tcp.initial_window=4",
        "connection.0.handshake=true",
    ]);
    assert_eq!(scenario.title, "Something else");
    assert_eq!(scenario.nodes[2].battery, Some(battery));
    assert_eq!(scenario.run.seed, 7);
    assert_eq!(scenario.trace.attributes.len(), 1);
    assert_eq!(scenario.nodes[1].queue, Discipline::Fifo);
    assert_eq!(scenario.nodes[1].buffer, Bytes::new(20_000));
    assert!(scenario.links.iter().all(|link| link.rate == BitRate::from_mbit_per_s(5)));
    let Medium::Wireless { channel, arq } = &scenario.links[1].medium else { panic!("wireless") };
    assert_eq!(channel.mean_bad, Duration::from_millis(1_500));
    assert_eq!(arq.retries, 2);
    let connection = &scenario.connections[0];
    assert_eq!(connection.variant.name, "tahoe");
    assert_eq!(connection.transfer, Bytes::from_kib(1024));
    assert_eq!(connection.tcp.receive_window, Bytes::from_kib(8));
    assert_eq!(connection.tcp.mss, Bytes::new(512));
    assert!(connection.tcp.timestamps && connection.handshake);
    // A number may take the place of a name.
    assert_eq!(connection.tcp.initial_window, InitialWindow::Segments(4));
}

#[test]
fn a_later_setting_wins_and_a_wrong_value_in_the_file_does_not_matter() {
    assert_eq!(base_station(&["run.seed=1", "run.seed=2"]).run.seed, 2);
    let source = Source::new("test.toml", SMALL.replace("10 ms", "10"));
    assert!(parse_toml(&source, &overrides(&["link.wire.delay=5 ms"])).is_ok());
}

#[test]
fn a_name_of_digits_needs_no_quotes() {
    let scenario = base_station(&["connection.0.from=213", "connection.0.to=211"]);
    assert_eq!((scenario.connections[0].from, scenario.connections[0].to), (2, 0));
}

#[test]
fn what_does_not_fit_is_refused_with_the_override_named() {
    refused("ruun.seed=1", "1:1 ruun.seed: nothing is called `ruun`");
    refused("node.c.queue=fifo", "1:1 node.c.queue: there is no node `c`");
    refused("connection.1.start=1 s", "1:1 connection.1.start: there is no connection `1`");
    refused("link.wire=5", "1:1 link.wire: write for example link.*.key=value");
    refused("link.wire.delay.x=5", "1:1 link.wire.delay.x: `delay` is not a table");
    refused("run.sed=5", "1:1 run.sed: there is no such key");
    refused(
        "run.clock_step=5",
        "1:16 run.clock_step: found 5, expected a time with its unit, \
                                 for example \"50 ms\"",
    );
    refused(
        "connection.0.transfer=5",
        "1:23 connection.0.transfer: `5` has no unit; the units \
                                        here are B, kB, MB, GB, KiB, MiB, GiB",
    );
    refused(
        "connection.0.variant=vegas",
        "1:22 connection.0.variant: found \"vegas\", expected one of `tahoe`, `reno`, \
         `newreno`, `sack`, `simple-icmp`, `refined-icmp`, `newreno-refined-icmp`",
    );
    refused("node=5", "1:1 node: write for example node.*.key=value");
}

#[test]
fn an_override_has_a_key_and_a_value() {
    for text in ["run.seed", "=5", "run..seed=5", "", "run.=5"] {
        assert_eq!(
            text.parse::<Override>().unwrap_err(),
            text.parse::<Override>().unwrap_err(),
            "{text}"
        );
    }
    let error: OverrideError = "run.seed".parse::<Override>().unwrap_err();
    assert_eq!(error.to_string(), "`run.seed` is not an override; write for example run.seed=7");
}
