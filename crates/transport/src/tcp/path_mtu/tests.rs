use super::*;

const NOW: Instant = Instant::from_millis(5_000);

fn seq(packet: u32) -> SeqNumber {
    SeqNumber::new(u32::MAX - 3_000) + packet * 10_000
}

fn range(packet: u32) -> SeqRange {
    SeqRange::new(seq(packet), 10_000)
}

fn state(mode: PathMtu, interface: u32) -> PathMtuState {
    PathMtuState::new(mode, interface, 20)
}

/// Sends `packets` packets from `from` on, as large as the state allows.
fn send(state: &mut PathMtuState, from: u32, packets: u32) {
    for packet in from..from + packets {
        state.on_sent(range(packet), state.size());
    }
}

#[test]
fn a_claim_about_an_unproven_size_holds_at_once() {
    let mut path = state(PathMtu::Icmp, 1_500);
    send(&mut path, 0, 3);
    assert_eq!(path.on_too_big(NOW, seq(0), 1_400), Some(1_400));
    assert_eq!(path.size(), 1_400);
    assert!(path.dont_fragment());
    // The same for the rest of the flight, and what is too large to be true.
    assert_eq!(path.on_too_big(NOW, seq(1), 1_400), None);
    assert_eq!(path.on_too_big(NOW, seq(2), 1_500), None);
    assert_eq!(path.on_too_big(NOW, seq(2), 9_000), None);
    // A second narrow link farther on.
    send(&mut path, 0, 3);
    assert_eq!(path.on_too_big(NOW, seq(0), 1_300), Some(1_300));
}

#[test]
fn a_claim_against_proven_sizes_waits_for_the_timer() {
    let proven = || {
        let mut path = state(PathMtu::Icmp, 1_500);
        send(&mut path, 0, 3);
        path.on_new_ack(seq(1));
        assert_eq!(path.on_too_big(NOW, seq(1), 600), None);
        path
    };
    // RFC 5927 section 7.2: the packet arrives, so the claim was forged.
    let mut path = proven();
    path.on_new_ack(seq(2));
    assert_eq!(path.on_timeout(NOW, range(2), 1_500), None);
    assert_eq!(path.size(), 1_500);
    // It times out: the path has changed.
    let mut path = proven();
    assert_eq!(path.on_timeout(NOW, range(1), 1_500), Some(600));
    // Another one times out.
    let mut path = proven();
    assert_eq!(path.on_timeout(NOW, range(0), 1_500), None);
}

#[test]
fn bytes_that_went_again_in_small_packets_prove_nothing() {
    let mut path = state(PathMtu::Icmp, 1_500);
    send(&mut path, 0, 1);
    path.on_sent(SeqRange::new(seq(0), 100), 600);
    path.on_new_ack(seq(1));
    assert_eq!(path.on_too_big(NOW, seq(1), 1_400), Some(1_400));
}

#[test]
fn a_router_that_gives_no_size_means_the_next_plateau() {
    let mut path = state(PathMtu::Icmp, 1_500);
    let mut sizes = Vec::new();
    for _ in 0..4 {
        send(&mut path, 0, 1);
        sizes.extend(path.on_too_big(NOW, seq(0), 0));
    }
    assert_eq!(sizes, [1_492, 1_006, 552]);
}

#[test]
fn nobody_talks_us_below_the_least_size() {
    let mut ipv4 = state(PathMtu::Icmp, 1_500);
    send(&mut ipv4, 0, 1);
    assert_eq!(ipv4.on_too_big(NOW, seq(0), 68), Some(552));
    assert!(!ipv4.dont_fragment(), "or nothing would get through");
    let mut ipv6 = PathMtuState::new(PathMtu::Icmp, 1_500, 40);
    send(&mut ipv6, 0, 1);
    assert_eq!(ipv6.on_too_big(NOW, seq(0), 600), Some(1_280));
    assert!(ipv6.dont_fragment());
    // A first link that is narrower still is what it is.
    let mut narrow = state(PathMtu::Icmp, 500);
    send(&mut narrow, 0, 1);
    assert_eq!(narrow.on_too_big(NOW, seq(0), 300), None);
    assert_eq!((narrow.size(), narrow.dont_fragment()), (500, false));
}

#[test]
fn timeouts_in_a_row_lead_out_of_a_black_hole() {
    let mut path = state(PathMtu::Fallback, 9_000);
    let mut sizes = Vec::new();
    for _ in 0..8 {
        send(&mut path, 0, 1);
        sizes.push(path.size());
        path.on_timeout(NOW, range(0), path.size());
    }
    assert_eq!(sizes, [9_000, 9_000, 8_166, 4_352, 2_002, 1_492, 1_024, 1_024]);
    // Something got through in between; a short segment; the mode.
    let mut path = state(PathMtu::Fallback, 1_500);
    send(&mut path, 0, 3);
    assert_eq!(path.on_timeout(NOW, range(0), 1_500), None);
    path.on_new_ack(seq(1));
    assert_eq!(path.on_timeout(NOW, range(1), 1_500), None);
    assert_eq!(path.on_timeout(NOW, range(1), 1_200), None);
    assert_eq!(path.on_timeout(NOW, range(1), 1_500), Some(1_492));
    let mut path = state(PathMtu::Icmp, 1_500);
    send(&mut path, 0, 1);
    (0..5).for_each(|_| assert_eq!(path.on_timeout(NOW, range(0), 1_500), None));
}

/// The peer's MSS keeps packets below what the first link carries.
#[test]
fn full_sized_is_what_was_sent() {
    let mut path = state(PathMtu::Fallback, 65_535);
    path.on_sent(range(0), 1_500);
    assert_eq!(path.on_timeout(NOW, range(0), 1_500), None);
    assert_eq!(path.on_timeout(NOW, range(0), 1_500), Some(1_492));
    path.on_sent(range(0), 1_492);
    assert_eq!(path.on_too_big(NOW, seq(0), 0), Some(1_006));
}

#[test]
fn a_larger_size_is_tried_after_ten_minutes() {
    let mut path = state(PathMtu::Icmp, 1_500);
    send(&mut path, 0, 1);
    assert_eq!(path.poll(NOW), None);
    assert_eq!(path.on_too_big(NOW, seq(0), 300), Some(552));
    assert_eq!(path.poll(NOW + Duration::from_secs(599)), None);
    let later = NOW + Duration::from_secs(600);
    assert_eq!(path.poll(later), Some(1_500));
    assert!(path.dont_fragment());
    assert_eq!(path.poll(later + Duration::from_secs(3_600)), None);
    // It is still too large: believed at once.
    send(&mut path, 1, 1);
    assert_eq!(path.on_too_big(later, seq(1), 1_000), Some(1_000));
}

#[test]
fn without_discovery_nothing_changes() {
    let mut path = state(PathMtu::Off, 1_500);
    send(&mut path, 0, 1);
    assert_eq!(path.on_too_big(NOW, seq(0), 600), None);
    assert_eq!(path.size(), 1_500);
    assert!(!path.dont_fragment());
}
