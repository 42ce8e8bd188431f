//! Each rule about a scenario as a whole.

use netjoule_transport::tcp::{InitialWindow, InitialWindowFormula, Options};
use netjoule_units::{Bytes, Duration};

use super::{SMALL, brief, only, small_with, toml};
use crate::{LinkLayer, Medium, Notices, Pace, Run, Source, Trace, load, parse_toml};

#[test]
fn defaults_are_filled_in() {
    let scenario = toml(SMALL).unwrap();
    assert_eq!(scenario.title, "");
    assert_eq!(scenario.run, Run::default());
    assert_eq!(scenario.trace, Trace::default());
    assert_eq!(scenario.nodes[0].buffer, Bytes::MAX);
    assert_eq!(scenario.nodes[0].link_layer, LinkLayer::Reliable);
    assert_eq!(scenario.nodes[0].notices, Notices::AsHeard);
    assert_eq!(scenario.links[0].between, [0, 1]);
    assert_eq!(scenario.connections[0].variant.name, "reno");
    assert_eq!(scenario.connections[0].tcp, Options::default());
}

#[test]
fn a_router_has_defaults_of_its_own() {
    let text = format!("{SMALL}\n[[node]]\nname = \"r\"\nkind = \"router\"");
    let router = &toml(&text).unwrap().nodes[2];
    assert_eq!((router.link_layer, router.notices), (LinkLayer::Unreliable, Notices::Never));
}

#[test]
fn options_come_from_the_connection_then_from_all() {
    let text = format!(
        "[tcp]\nvariant = \"tahoe\"\nmss = \"1 KiB\"\ndupthresh = 5\n{SMALL}\n\
         [connection.tcp]\nmss = \"512 B\"\n\
         [[connection]]\nfrom = \"b\"\nto = \"a\"\ntransfer = \"1 B\"\nvariant = \"newreno\""
    );
    let scenario = toml(&text).unwrap();
    let [first, second] = scenario.connections.as_slice() else { panic!("two connections") };
    assert_eq!((first.variant.name, second.variant.name), ("tahoe", "newreno"));
    assert_eq!((first.tcp.mss, second.tcp.mss), (Bytes::new(512), Bytes::from_kib(1)));
    assert_eq!((first.tcp.dupthresh, second.tcp.dupthresh), (5, 5));
}

#[test]
fn a_profile_is_what_the_other_options_change() {
    let current = toml(&format!("[tcp]\nprofile = \"current\"\n{SMALL}")).unwrap();
    assert_eq!(current.connections[0].tcp, Options::current());
    let plain = toml(&format!("[tcp]\nprofile = \"plain\"\n{SMALL}")).unwrap();
    assert_eq!(plain, toml(SMALL).unwrap());
    // What is set for all holds in either profile.
    let text = format!(
        "[tcp]\nprofile = \"current\"\nnagle = false\nmss = \"1 KiB\"\n{SMALL}\n\
         [connection.tcp]\nmss = \"512 B\"\n\
         [[connection]]\nfrom = \"b\"\nto = \"a\"\ntransfer = \"1 B\"\nprofile = \"plain\""
    );
    let scenario = toml(&text).unwrap();
    let mss = Bytes::new(512);
    let expected = [
        Options { nagle: false, mss, ..Options::current() },
        Options { nagle: false, mss: Bytes::from_kib(1), ..Options::default() },
    ];
    assert_eq!([&scenario.connections[0].tcp, &scenario.connections[1].tcp], expected.each_ref());
    assert_eq!(
        only(toml(&format!("[tcp]\nprofile = \"curent\"\n{SMALL}"))),
        "2:11 tcp.profile: found \"curent\", expected one of `plain`, `current`"
    );
}

#[test]
fn a_handshake_is_for_all_or_for_one() {
    let text = format!(
        "[tcp]\nhandshake = true\n{SMALL}\n\
         [[connection]]\nfrom = \"b\"\nto = \"a\"\ntransfer = \"1 B\"\nhandshake = false"
    );
    let handshakes: Vec<_> =
        toml(&text).unwrap().connections.iter().map(|it| it.handshake).collect();
    assert_eq!(handshakes, [true, false]);
    assert!(!toml(SMALL).unwrap().connections[0].handshake);
    assert_eq!(
        only(toml(&format!("[tcp]\nhandshake = 3\n{SMALL}"))),
        "2:13 tcp.handshake: found 3, expected true or false"
    );
}

#[test]
fn whole_packets_are_no_longer_than_ip_has_them() {
    let with = |mss: u32, handshake| {
        toml(&format!(
            "[run]\nwire_fidelity = true\n[tcp]\nhandshake = {handshake}\nmss = \"{mss} B\"\n\
             receive_window = \"1 MiB\"\ninitial_ssthresh = \"1 MiB\"\n{SMALL}"
        ))
    };
    assert_eq!(
        only(with(65_496, false)),
        "2:17 run.wire_fidelity: the mss of connection 0 must be 65495 B at most, or it must have \
         a handshake: IP packets are no longer than 65535 B"
    );
    assert!(with(65_495, false).is_ok() && with(65_535, true).is_ok());
}

#[test]
fn an_initial_window_is_a_number_or_a_name() {
    let window = |value: &str| {
        toml(&format!("[tcp]\ninitial_window = {value}\n{SMALL}"))
            .map(|scenario| scenario.connections[0].tcp.initial_window)
    };
    assert_eq!(window("10").unwrap(), InitialWindow::Segments(10));
    assert_eq!(
        window("\"rfc3390\"").unwrap(),
        InitialWindow::Formula(InitialWindowFormula::Rfc3390)
    );
    for (value, found) in [
        ("0", "0"),
        ("1001", "1001"),
        ("-3", "-3"),
        ("5000000000", "5000000000"),
        ("\"rfc6929\"", "\"rfc6929\""),
        ("\"10 kB\"", "\"10 kB\""),
        ("true", "true"),
        ("1.5", "1.5"),
        ("[10]", "an array"),
    ] {
        assert_eq!(
            brief(&window(value).unwrap_err()),
            [format!(
                "2:18 tcp.initial_window: found {found}, expected 1 to 1000 segments, \
                 \"rfc3390\" or \"rfc6928\""
            )]
        );
    }
}

#[test]
fn lifetimes_are_a_week_at_most() {
    for key in ["keep_alive", "keep_alive_interval", "user_timeout", "msl"] {
        let text = |hours| format!("[tcp]\n{key} = \"{hours} h\"\n{SMALL}");
        assert!(toml(&text(168)).is_ok());
        let at = key.len() + 4;
        assert_eq!(
            only(toml(&text(169))),
            format!("2:{at} tcp.{key}: found \"169 h\", expected at most 604800 s")
        );
    }
}

#[test]
fn ranges_of_options_are_told_where_they_are_set_and_once() {
    let text = format!(
        "[tcp]\nreceive_window = \"1 KiB\"\ndupthresh = 0\n{SMALL}\n\
         [[connection]]\nfrom = \"b\"\nto = \"a\"\ntransfer = \"1 B\"\n\
         [connection.tcp]\nmax_rto = \"1 ms\"\n"
    );
    assert_eq!(
        brief(&toml(&text).unwrap_err()),
        [
            "2:18 tcp.receive_window: found \"1 KiB\", expected at least the mss (1460 B) and \
             less than 1 GiB",
            "3:13 tcp.dupthresh: found 0, expected at least 1",
            "28:1 connection.1.tcp.initial_rto: expected between min_rto and max_rto",
            "29:11 connection.1.tcp.max_rto: found \"1 ms\", expected at least min_rto",
        ]
    );
}

#[test]
fn an_unknown_option_is_told_at_its_place() {
    let text = format!("{SMALL}tcp = {{ mms = \"1 KiB\" }}");
    assert_eq!(only(toml(&text)), "20:9 connection.0.tcp.mms: there is no such key");
}

#[test]
fn a_medium_has_its_own_keys_only() {
    assert_eq!(
        only(small_with("delay = \"10 ms\"", "delay = \"10 ms\"\narq = {}")),
        "15:7 link.wire.arq: is for wireless links; a wired link has `loss`"
    );
    assert_eq!(
        only(small_with("\"wired\"", "\"wireless\"\nloss = 0.5")),
        "12:8 link.wire.loss: is for wired links; a wireless link has `channel.loss_good`"
    );
    assert!(small_with("\"wired\"", "\"wireless\"").is_ok());
}

#[test]
fn ends_must_be_two_hosts_with_a_path() {
    assert_eq!(
        only(small_with("to = \"b\"", "to = \"a\"")),
        "18:6 connection.0.to: a connection leads from one host to another"
    );
    let hosts_do_not_forward = SMALL.replace("to = \"b\"", "to = \"c\"")
        + "[[node]]\nname = \"c\"\nkind = \"host\"\n[[link]]\nname = \"on\"\nkind = \"wired\"\n\
           between = [\"b\", \"c\"]\nrate = \"1 Mbit/s\"\ndelay = \"0 s\"\n";
    assert_eq!(
        only(toml(&hosts_do_not_forward)),
        "18:6 connection.0.to: no path of links and airs leads there from the sender (hosts do not \
         forward packets)"
    );
    let over_a_router = hosts_do_not_forward
        .replace("name = \"b\"\nkind = \"host\"", "name = \"b\"\nkind = \"router\"");
    assert!(toml(&over_a_router).is_ok());
}

#[test]
fn a_link_needs_two_nodes() {
    assert_eq!(
        only(small_with("[\"a\", \"b\"]", "[\"a\"]")),
        "12:11 link.wire.between: found 1 elements, expected an array of length 2"
    );
}

#[test]
fn times_and_sizes_are_bounded() {
    assert_eq!(
        only(small_with("\"10 ms\"", "\"100000 h\"")),
        "14:9 link.wire.delay: found 360000000 s, expected at most 10 years"
    );
    assert_eq!(
        only(small_with("\"wired\"", "\"wireless\"\narq = { ack_size = \"65 KiB\" }")),
        "12:20 link.wire.arq.ack_size: found 65 KiB, expected at most 64 KiB"
    );
}

#[test]
fn a_channel_file_needs_one_channel() {
    let text = format!("[trace]\nchannel_file = true\n{SMALL}");
    assert_eq!(
        only(toml(&text)),
        "2:16 trace.channel_file: needs exactly one wireless channel, and there are 0"
    );
    let text = text.replace("\"wired\"", "\"wireless\"");
    assert!(toml(&text).unwrap().trace.channel_file);
}

#[test]
fn an_attribute_is_traced_once() {
    let text = format!("[trace]\nattributes = [\"seqno\", \"ackno\", \"seqno\"]\n{SMALL}");
    assert_eq!(only(toml(&text)), "2:14 trace.attributes: names something twice");
}

#[test]
fn a_title_is_one_line() {
    let text = format!("title = \"one\\ntwo\"\n{SMALL}");
    assert_eq!(only(toml(&text)), "1:9 title: found a control character, expected one line");
}

#[test]
fn an_empty_file_lacks_a_node_and_a_connection() {
    assert_eq!(
        brief(&toml("").unwrap_err()),
        [
            "1:1 connection: a scenario needs at least one [[connection]]",
            "1:1 node: a scenario needs at least one [[node]]",
        ]
    );
}

#[test]
fn a_byte_order_mark_is_no_content() {
    assert_eq!(toml(&format!("\u{feff}{SMALL}")).unwrap(), toml(SMALL).unwrap());
}

#[test]
fn a_frame_does_not_span_millions_of_changes() {
    // 1460 B, 40 B and 34 B are on the air for 12.272 ms.
    let with = |channel: &str| {
        small_with("\"wired\"", &format!("\"wireless\"\nchannel = {{ {channel} }}"))
    };
    assert_eq!(
        brief(&with("mean_good = \"1 us\", mean_bad = \"1227 ns\"").unwrap_err()),
        [
            "12:25 link.wire.channel.mean_good: found 1 us, expected at least 1228 ns, a \
             ten-thousandth of the airtime of the largest frame (1534 B at 1 Mbit/s)",
            "12:44 link.wire.channel.mean_bad: found 1227 ns, expected at least 1228 ns, a \
             ten-thousandth of the airtime of the largest frame (1534 B at 1 Mbit/s)",
        ]
    );
    assert!(with("mean_good = \"1228 ns\", mean_bad = \"1228 ns\"").is_ok());
    // Nothing is drawn.
    assert!(with("mean_good = \"1 ns\", mean_bad = \"0 s\"").is_ok());
    assert!(with("mean_good = \"1 ns\", switches = [\"1 s\"]").is_ok());
    let slow = SMALL.replace("\"wired\"", "\"wireless\"").replace("1 Mbit/s", "1 bit/s");
    assert_eq!(
        only(toml(&slow)),
        "9:1 link.wire.channel.mean_bad: found 100 ms, expected at least 1227200 us, a \
         ten-thousandth of the airtime of the largest frame (1534 B at 1 bit/s)"
    );
}

#[test]
fn changes_of_state_have_one_source() {
    let channel = "\"wireless\"\nchannel = { switches = [\"1 s\"], trace = \"t\" }";
    assert_eq!(
        only(small_with("\"wired\"", channel)),
        "12:41 link.wire.channel.trace: the changes of state are given by `switches` already"
    );
}

#[test]
fn files_are_read_only_from_a_known_directory() {
    let channel = "\"wireless\"\nchannel = { trace = \"trace.dat\" }";
    assert_eq!(
        only(small_with("\"wired\"", channel)),
        "12:21 link.wire.channel.trace: no directory is known to look for the file \
         \"trace.dat\" in"
    );
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/legacy/replay");
    let text = SMALL.replace("\"wired\"", channel);
    let source = Source { directory: Some(directory.into()), ..Source::new("test.toml", text) };
    let scenario = parse_toml(&source, &[]).unwrap();
    let Medium::Wireless { channel, .. } = &scenario.links[0].medium else { panic!("wireless") };
    assert_eq!(channel.switches.len(), 2);
    assert_eq!(channel.mean_bad, Duration::from_millis(100));
}

#[test]
fn forced_bad_periods_stand_alone() {
    let channel = "\"wireless\"\nchannel = { bad_periods = \"patch.dat\" }";
    assert_eq!(
        brief(&small_with("\"wired\"", channel).unwrap_err()),
        [
            "12:11 link.wire.channel.mean_bad: found 100 ms, expected 0 where BAD periods are \
             forced",
            "12:27 link.wire.channel.bad_periods: no directory is known to look for the file \
             \"patch.dat\" in",
        ]
    );
}

#[test]
fn a_directory_is_no_scenario() {
    assert!(load(env!("CARGO_MANIFEST_DIR").as_ref(), &[]).is_err());
}

#[test]
fn an_application_writes_something_and_waits() {
    let paced = |pace: &str| {
        let text = SMALL.replace("[[connection]]", &format!("[[connection]]\npace = {pace}"));
        toml(&text)
    };
    let pace = paced("{ bytes = \"5 MB\", every = \"5 min\" }").unwrap().connections[0].pace;
    let every = Duration::from_secs(300);
    assert_eq!(pace, Some(Pace { bytes: Bytes::new(5_000_000), every }));
    for wrong in ["{ bytes = \"0 B\", every = \"1 s\" }", "{ bytes = \"1 B\", every = \"0 s\" }"] {
        assert!(only(paced(wrong)).contains("pace: found zero"), "{wrong}");
    }
}
