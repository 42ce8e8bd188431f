//! The knobs that are measured.

use netjoule_transport::tcp::{
    EcnMode, InitialWindow, InitialWindowFormula, Options, PathMtu, Paws, Sack, VARIANTS, Variant,
};
use netjoule_units::{Bytes, Duration};

use super::pair::BUFFER;
use super::{Case, Setting};

/// The name of the case that most others are compared with.
pub const BASELINE: &str = "baseline";

/// Plain TCP over Ethernet: no timestamps, no SACK, an acknowledgment for every
/// second segment, header prediction and header template.
pub(super) fn baseline() -> Setting {
    Setting {
        variant: variant("newreno"),
        options: Options {
            receive_window: BUFFER,
            window_scale: false,
            sack: Sack::Off,
            ack_every: 2,
            ack_delay: Duration::from_millis(40),
            initial_window: InitialWindow::Formula(InitialWindowFormula::Rfc6928),
            initial_ssthresh: Bytes::from_kib(1024),
            min_rto: Duration::from_millis(200),
            ..Options::default()
        },
        mtu: 1_500,
        ipv6: false,
        idle: 0,
        loss_every: 0,
    }
}

fn variant(name: &str) -> &'static Variant {
    Variant::named(name).unwrap_or(&VARIANTS[0])
}

const fn case(
    name: &'static str,
    title: &'static str,
    against: &'static str,
    change: fn(&mut Setting),
) -> Case {
    Case { name, title, against, change }
}

/// One packet of data in so many is lost in the cases with loss.
const LOSS_EVERY: u64 = 100;

/// Every case, the baseline first.
pub const CASES: &[Case] = &[
    case(BASELINE, "plain TCP, MTU 1500, an ACK for two segments", BASELINE, |_| {}),
    case("mtu-500", "MTU 500", BASELINE, |it| it.mtu = 500),
    case("mtu-1000", "MTU 1000", BASELINE, |it| it.mtu = 1_000),
    case("mtu-2296", "MTU 2296, the largest of 802.11 in the thesis", BASELINE, |it| {
        it.mtu = 2_296;
        it.options.mss = Bytes::new(2_256);
    }),
    case("mtu-9000", "MTU 9000", BASELINE, |it| {
        it.mtu = 9_000;
        it.options.mss = Bytes::new(8_960);
    }),
    case("ipv6", "IPv6", BASELINE, |it| it.ipv6 = true),
    case("no-header-prediction", "header prediction off", BASELINE, |it| {
        it.options.header_prediction = false;
    }),
    case("no-header-template", "header template off", BASELINE, |it| {
        it.options.header_template = false;
    }),
    case("window-scale", "window scaling", BASELINE, |it| it.options.window_scale = true),
    case("timestamps", "timestamps, PAWS before header prediction", BASELINE, |it| {
        it.options.timestamps = true;
    }),
    case("paws-after", "timestamps, PAWS after header prediction", "timestamps", |it| {
        it.options.paws = Paws::AfterPrediction;
    }),
    case("paws-off", "timestamps, no PAWS", "timestamps", |it| it.options.paws = Paws::Off),
    case("sack", "SACK, nothing lost", BASELINE, |it| {
        it.variant = variant("sack");
        it.options.sack = Sack::On;
    }),
    case("ecn", "ECN, nothing marked", BASELINE, |it| it.options.ecn = EcnMode::On),
    case("path-mtu", "path MTU discovery", BASELINE, |it| it.options.path_mtu = PathMtu::Fallback),
    case("nagle", "Nagle's algorithm", BASELINE, |it| it.options.nagle = true),
    case("byte-counting", "byte counting, L = 2", BASELINE, |it| it.options.byte_counting = 2),
    case("user-timeout", "a user timeout", BASELINE, |it| {
        it.options.user_timeout = Duration::from_secs(900);
    }),
    case("ack-every-1", "an ACK for every segment", BASELINE, |it| it.options.ack_every = 1),
    case("ack-every-4", "an ACK for four segments", BASELINE, |it| it.options.ack_every = 4),
    case("ack-every-8", "an ACK for eight segments", BASELINE, |it| it.options.ack_every = 8),
    case("ack-window", "an ACK by time or window update", BASELINE, |it| {
        it.options.ack_every = 0;
        it.options.ack_window_update = true;
    }),
    case("ack-dynamic", "ACKs by load, up to one for eight segments", BASELINE, |it| {
        it.options.ack_every = 8;
        it.options.ack_dynamic = true;
    }),
    case("idle-1000", "1000 idle connections", BASELINE, |it| it.idle = 1_000),
    case("current", "what hosts do today", BASELINE, |it| {
        it.variant = variant("sack");
        it.options = Options { receive_window: BUFFER, ..Options::current() };
    }),
    case("loss", "one packet in a hundred lost, NewReno", BASELINE, |it| {
        it.loss_every = LOSS_EVERY;
    }),
    case("loss-sack", "one packet in a hundred lost, SACK", "loss", |it| {
        it.variant = variant("sack");
        it.options.sack = Sack::On;
    }),
    case("loss-limited-transmit", "the same with limited transmit", "loss", |it| {
        it.options.limited_transmit = true;
    }),
];
