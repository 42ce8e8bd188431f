//! Random options: every knob there is, within what makes sense on small
//! networks.

use netjoule_transport::tcp::{
    AvoidanceIncrement, BackoffEnd, EcnMode, InitialWindow, InitialWindowFormula, Options, PathMtu,
    Paws, Sack, SsthreshBase, TimerKind,
};
use netjoule_units::{Bytes, Duration};
use proptest::prelude::*;
use proptest::sample::select;

use crate::MS;

/// Options of one connection, with any of the knobs at any position.
pub(super) fn options() -> impl Strategy<Value = Options> {
    with_lifetime(with_times(with_acks(with_modes(with_sender(sizes())))))
}

/// The sizes of segments and windows.
fn sizes() -> impl Strategy<Value = Options> {
    let path_mtu = select(vec![PathMtu::Off, PathMtu::Icmp, PathMtu::Fallback]);
    let initial_window = prop_oneof![
        (1u32..5).prop_map(InitialWindow::Segments),
        select(vec![InitialWindowFormula::Rfc3390, InitialWindowFormula::Rfc6928])
            .prop_map(InitialWindow::Formula),
    ];
    (200u64..3_000, 1u64..40, 2u64..64, path_mtu, initial_window).prop_map(
        |(mss, window, ssthresh, path_mtu, initial_window)| Options {
            mss: Bytes::new(mss),
            receive_window: Bytes::new(mss * window),
            initial_ssthresh: Bytes::new(mss * ssthresh),
            path_mtu,
            initial_window,
            ..Options::default()
        },
    )
}

/// What a sender does with windows and losses.
fn with_sender(options: impl Strategy<Value = Options>) -> impl Strategy<Value = Options> {
    let rules = (
        select(vec![AvoidanceIncrement::Standard, AvoidanceIncrement::Bsd43]),
        select(vec![SsthreshBase::FlightSize, SsthreshBase::Window]),
    );
    let counts = (0u32..4, 0u32..4, 1u32..5);
    (options, rules, counts, any::<[bool; 4]>()).prop_map(|(options, rules, counts, on)| Options {
        avoidance_increment: rules.0,
        ssthresh_base: rules.1,
        byte_counting: counts.0,
        burst_limit: counts.1,
        dupthresh: counts.2,
        limited_transmit: on[0],
        nagle: on[1],
        sws_avoidance: on[2],
        idle_restart: on[3],
        ..options
    })
}

/// Options of the header, and the short paths.
fn with_modes(options: impl Strategy<Value = Options>) -> impl Strategy<Value = Options> {
    let modes = (
        select(vec![Sack::Variant, Sack::On, Sack::Off]),
        select(vec![Paws::BeforePrediction, Paws::AfterPrediction, Paws::Off]),
        select(vec![EcnMode::Off, EcnMode::Accept, EcnMode::On]),
    );
    (options, modes, any::<[bool; 5]>()).prop_map(|(options, (sack, paws, ecn), on)| Options {
        sack,
        paws,
        ecn,
        window_scale: on[0],
        dsack: on[1],
        timestamps: on[2],
        header_prediction: on[3],
        header_template: on[4],
        ..options
    })
}

/// When a receiver acknowledges.
fn with_acks(options: impl Strategy<Value = Options>) -> impl Strategy<Value = Options> {
    (options, 0u32..5, 1u64..500, 0u32..4, any::<[bool; 2]>()).prop_map(
        |(options, ack_every, ack_delay, ack_stretch_limit, on)| Options {
            ack_every,
            ack_delay: MS * ack_delay,
            ack_stretch_limit,
            ack_window_update: on[0],
            ack_dynamic: on[1],
            ..options
        },
    )
}

/// Timers of the sender.
fn with_times(options: impl Strategy<Value = Options>) -> impl Strategy<Value = Options> {
    let rtos = [10u64..1_000, 10..3_000, 1_000..60_000];
    let kinds = (
        select(vec![TimerKind::Fine, TimerKind::Ticking]),
        select(vec![BackoffEnd::Sample, BackoffEnd::NewAck]),
        select(vec![1u64, 10, 500]),
    );
    (options, rtos, kinds).prop_map(|(options, [min, initial, max], kinds)| Options {
        min_rto: MS * min,
        initial_rto: MS * min.max(initial),
        max_rto: MS * min.max(initial).max(max),
        timers: kinds.0,
        backoff_end: kinds.1,
        timer_granularity: MS * kinds.2,
        ..options
    })
}

/// How long a connection lives when nothing happens.
fn with_lifetime(options: impl Strategy<Value = Options>) -> impl Strategy<Value = Options> {
    let seconds = |least: u64, most: u64| {
        let some = (least..most).prop_map(Duration::from_secs);
        prop_oneof![3 => Just(Duration::ZERO), 1 => some]
    };
    let keep_alive = (seconds(1, 100), 1u64..10, 1u32..10);
    (options, keep_alive, seconds(1, 300), 0u64..60, 1u32..20).prop_map(
        |(options, keep_alive, user_timeout, msl, challenge_ack_limit)| Options {
            keep_alive: keep_alive.0,
            keep_alive_interval: Duration::from_secs(keep_alive.1),
            keep_alive_probes: keep_alive.2,
            user_timeout,
            msl: Duration::from_secs(msl),
            challenge_ack_limit,
            ..options
        },
    )
}
