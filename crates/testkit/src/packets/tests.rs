use super::play_packets;

const HANDSHAKE: &str = "\
--header_prediction = true
--header_template = true
+0 listen(3, 1) = 0
+0 < S 0:0(0) win 65535 <mss 1000>
+0 > S. 0:0(0) ack 1 win 65535 <mss 1460>
+0.1 < . 1:1(0) ack 1
+0 accept(3) = 4
";

fn play(lines: &str) -> Result<(), String> {
    play_packets("it.pkt", &format!("{HANDSHAKE}{lines}"))
}

/// That `lines` do not hold: which of them, what was expected and found.
fn mismatch(lines: &str) -> String {
    play(lines).expect_err("it should not hold")
}

#[test]
fn what_is_sent_is_compared_in_every_part() {
    let write = "+0 write(4, ..., 500) = 500\n";
    assert_eq!(play(&format!("{write}+0 > P. 1:501(500) ack 1")), Ok(()));
    for other in [
        "+0 > . 1:501(500) ack 1",
        "+0 > P. 1:401(400) ack 1",
        "+0 > P. 2:502(500) ack 1",
        "+0 > P. 1:501(500) ack 2",
        "+0 > P. 1:501(500) ack 1 win 1",
        "+0 > P. 1:501(500) ack 1 <nop>",
        "+0 > [ect0] P. 1:501(500) ack 1",
        "+0 > [df] P. 1:501(500) ack 1",
        "+0 >1 P. 1:501(500) ack 1",
        "+0.001 > P. 1:501(500) ack 1",
    ] {
        let message = mismatch(&format!("{write}{other}"));
        assert!(message.starts_with("it.pkt:9:"), "{message}");
        assert!(message.contains(&format!("expected: {other}")), "{message}");
        assert!(message.contains("found: 0.1 > "), "{message}");
        assert!(message.contains(" P. 1:501(500) ack 1"), "{message}");
    }
}

#[test]
fn a_packet_more_or_less_is_a_mismatch() {
    let write = "+0 write(4, ..., 500) = 500\n";
    for next in ["", "+0 silence", "+0.5 < . 1:1(0) ack 501", "+0 close(4) = 0"] {
        let message = mismatch(&format!("{write}{next}"));
        assert!(message.starts_with("it.pkt:9:"), "{message}");
        assert!(message.contains("unexpected 0.1 >"), "{message}");
    }
    let message = mismatch("+0~+2 > P. 1:501(500) ack 1");
    assert!(message.contains("nothing is sent until 2.1; no timer runs"), "{message}");
    let late = format!("{write}+0 > P. 1:501(500) ack 1\n+0.5 > P. 1:501(500) ack 1");
    assert!(mismatch(&late).contains("the next timer runs out at 1.1"));
}

#[test]
fn calls_and_claims_are_compared() {
    assert!(mismatch("+0 read(4, ..., 10) = 0").contains("= -1 EAGAIN"));
    assert!(mismatch("+0 write(9, ..., 10) = 10").contains("= -1 EBADF"));
    let message = mismatch("+0 assert cwnd == 5, state == ESTABLISHED, rto != 1");
    assert!(message.contains("found: cwnd == 1000, rto == 1"), "{message}");
    assert!(mismatch("+0 assert cwmd == 5").contains("nothing is called `cwmd`"));
    assert!(mismatch("0.05 silence").contains("it is 0.1 already"));
}

#[test]
fn bytes_are_compared() {
    let message =
        mismatch("< . 1:11(10) ack 1 fill \"x\"\n> . 1:1(0) ack 11\nread(4, ..., 10) = 10");
    assert!(message.contains("byte 0 is another"), "{message}");
}

#[test]
fn lines_that_cannot_be_read_are_all_named() {
    let message = mismatch("+0 sned(4)\n+0 silence\n+0 > . 1:2(5) ack 1");
    assert!(message.contains("it.pkt:8: at `sned(4)`"), "{message}");
    assert!(message.contains("it.pkt:10: "), "{message}");
}
