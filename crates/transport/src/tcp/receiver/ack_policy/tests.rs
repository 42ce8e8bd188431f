use netjoule_units::Bytes;

use super::*;

const WINDOW: u32 = 32 * 1024;
/// A segment per millisecond arrives.
const MS: Duration = Duration::from_millis(1);
const PLENTY: Windows = Windows { could_offer: WINDOW, left: WINDOW };

fn options(ack_every: u32, mss: u32) -> Options {
    Options { ack_every, mss: Bytes::new(u64::from(mss)), ..Options::default() }
}

/// Linux 2.2's receiver, with its count or, as agarwal2000 has it, without.
fn linux(ack_every: u32, mss: u32) -> Options {
    let ack_delay = Duration::from_millis(500);
    Options { ack_window_update: true, ack_delay, ..options(ack_every, mss) }
}

/// A receiver whose application reads at once, and a sender that sends a
/// segment each millisecond as long as the window lasts. Returns how many
/// segments each acknowledgment covers, and when the last one left.
fn acknowledgments(options: &Options, segments: u32) -> (Vec<u32>, Instant) {
    let mss = u32::try_from(options.mss.get()).unwrap();
    let mut policy = AckPolicy::new(options);
    let (mut counts, mut count, mut left) = (Vec::new(), 0, WINDOW);
    let (mut now, mut timer) = (Instant::ZERO, Instant::NEVER);
    let mut sent = 0;
    while sent < segments {
        now += MS;
        let mut due = timer <= now;
        if left >= mss {
            (sent, count, left) = (sent + 1, count + 1, left - mss);
            let unread = Windows { could_offer: WINDOW - mss, left };
            match policy.on_in_order(now, mss, unread) {
                Acknowledge::Now => due = true,
                Acknowledge::Within(span) => timer = timer.min(now + span),
            }
            due |= policy.on_read(Windows { could_offer: WINDOW, left });
        }
        if due {
            policy.on_ack_sent();
            counts.push(count);
            (count, left, timer) = (0, WINDOW, Instant::NEVER);
        }
    }
    (counts, now)
}

#[test]
fn without_the_count_linux_acknowledges_half_windows() {
    for (mtu, segments) in [(500, 36), (1_000, 18), (1_500, 12), (2_296, 8)] {
        let (counts, _) = acknowledgments(&linux(0, mtu - 40), 1_000);
        assert!(counts.iter().all(|&count| count == segments), "{mtu}: {counts:?}");
        assert_eq!(counts.len(), 1_000 / segments as usize);
        let (counts, _) = acknowledgments(&linux(2, mtu - 40), 1_000);
        assert!(counts.iter().all(|&count| count == 2), "{mtu}: {counts:?}");
    }
}

#[test]
fn the_timer_alone_stalls_every_window() {
    let by_time = Options { ack_window_update: false, ..linux(0, 1_460) };
    let (counts, end) = acknowledgments(&by_time, 22 * 10);
    // 22 segments fit into the window; the timer starts with the first.
    assert!(counts.iter().all(|&count| count == 22), "{counts:?}");
    assert!((4_500..4_600).contains(&end.as_millis()), "{end}");
}

#[test]
fn one_acknowledges_everything_and_a_count_only_full_segments() {
    let now = |options: &Options, lens: &[u32]| {
        let mut policy = AckPolicy::new(options);
        lens.iter().all(|&len| policy.on_in_order(Instant::ZERO, len, PLENTY) == Acknowledge::Now)
    };
    assert!(now(&options(1, 1_460), &[1, 10, 1_460]));
    let mut policy = AckPolicy::new(&options(2, 1_460));
    for _ in 0..20 {
        let wait = Acknowledge::Within(Options::default().ack_delay);
        assert_eq!(policy.on_in_order(Instant::ZERO, 100, PLENTY), wait);
    }
}

/// Acknowledgments for `lens`, as 1 or 0 each.
fn pattern(policy: &mut AckPolicy, lens: &[u32]) -> Vec<u8> {
    let each = lens.iter().map(|&len| {
        let now = policy.on_in_order(Instant::ZERO, len, PLENTY) == Acknowledge::Now;
        if now {
            policy.on_ack_sent();
        }
        u8::from(now)
    });
    each.collect()
}

#[test]
fn full_sized_is_what_the_peer_sends() {
    // The interface would take more than the path does: two in a row show it.
    let mut policy = AckPolicy::new(&options(2, 65_495));
    assert_eq!(pattern(&mut policy, &[1_448; 6]), [0, 1, 0, 1, 0, 1]);
    assert_eq!(pattern(&mut policy, &[9_000, 9_000, 9_000]), [0, 1, 0]);
    // The peer has named a smaller MSS.
    let mut policy = AckPolicy::new(&options(2, 1_460));
    policy.expect_segments_of(460);
    assert_eq!(pattern(&mut policy, &[460; 4]), [0, 1, 0, 1]);
    // Messages are not taken for full-sized segments.
    let mut policy = AckPolicy::new(&options(2, 1_460));
    assert_eq!(pattern(&mut policy, &[100; 4]), [0; 4]);
}

#[test]
fn the_stretch_limit_holds_whatever_the_other_rules_say() {
    for (every, limit, per_ack) in [(0, 3, 3), (8, 3, 3), (2, 3, 2)] {
        let options = Options { ack_stretch_limit: limit, ..linux(every, 460) };
        let (counts, _) = acknowledgments(&options, 300);
        assert!(counts.iter().all(|&count| count == per_ack), "{counts:?}");
    }
}

#[test]
fn dynamic_counts_follow_the_load() {
    // A segment per millisecond; a quarter of 40 ms holds ten.
    let ack_delay = Duration::from_millis(40);
    let dynamic = |every| Options { ack_dynamic: true, ack_delay, ..options(every, 1_000) };
    let (counts, _) = acknowledgments(&dynamic(0), 200);
    assert_eq!(counts[..9], [1; 9], "nothing is known at first");
    assert!(counts[12..].iter().all(|&count| count == 10), "{counts:?}");
    let (counts, _) = acknowledgments(&dynamic(4), 200);
    assert!(counts[12..].iter().all(|&count| count == 4), "{counts:?}");
    // A slow peer is answered at once.
    let mut policy = AckPolicy::new(&dynamic(0));
    for at in 0..10 {
        let at = Instant::from_millis(at * 15);
        assert_eq!(policy.on_in_order(at, 1_000, PLENTY), Acknowledge::Now);
        policy.on_ack_sent();
    }
}
