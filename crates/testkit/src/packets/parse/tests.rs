use super::super::script::{Body, Call, Claim, Outcome, Relation, Value};
use super::*;

fn read(text: &str) -> (When, Statement) {
    line.parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn message(text: &str) -> String {
    script(text).unwrap_err()[0].message.clone()
}

#[test]
fn packets_print_as_they_are_read() {
    for text in [
        "< S 0:0(0) win 65535 <mss 1460,sackOK,TS val 100 ecr 0,nop,wscale 7>",
        "< SEW 0:0(0) win 65535 <mss 1460,opt 99 4,eol>",
        "> [ect0,df] P. 1:1001(1000) ack 1 <nop,nop,sack 2001:3001 4001:5001>",
        "< [ce] . 4294967290:4(10) ack 1 <...>",
        "<2 R 0:0(0)",
        "< PU. 1:11(10) ack 1 urg 5",
        "< . 1:11(10) ack 1 fill \"x\" badsum",
        "< - 1:11(10)",
        "< icmp unreachable frag_needed mtu 1400 [1:1461(1460)]",
        "< icmp ttl_exceeded [1:1461(1460)]",
        "> [nodf] F. 1:1(0) ack 1",
    ] {
        let (when, statement) = read(text);
        assert_eq!(when, NOW);
        let (Statement::Inbound(packet) | Statement::Outbound(packet)) = statement else {
            panic!("{text} is not a packet");
        };
        assert_eq!(format!("{}{packet}", &text[..1]), text, "{packet:?}");
    }
}

#[test]
fn times_are_exact() {
    let span = netjoule_units::Duration::from_millis;
    assert_eq!(read("+0.1 silence").0, When::After(span(100), span(100)));
    assert_eq!(read("+.1~+.25 silence").0, When::After(span(100), span(250)));
    let at = netjoule_units::Instant::from_millis;
    assert_eq!(read("2.5 silence").0, When::At(at(2_500), at(2_500)));
    assert_eq!(read("2~3 silence").0, When::At(at(2_000), at(3_000)));
    assert_eq!(read("* silence").0, When::Any);
}

#[test]
fn calls_and_claims() {
    let (_, statement) = read("+0 write(4, ..., 1000) = 1000");
    assert_eq!(
        statement,
        Statement::Call(Call::Write { fd: 4, amount: 1_000 }, Outcome::Value(1_000))
    );
    let (_, statement) = read("+0 read(4, \"x\", 10) = -1 ECONNRESET");
    assert_eq!(
        statement,
        Statement::Call(
            Call::Read { fd: 4, fill: Some(b'x'), amount: 10 },
            Outcome::Error("ECONNRESET".into())
        )
    );
    let (_, statement) = read("assert cwnd == 10 * 1000 + 500, srtt >= 0.1, state != CLOSED");
    let claim = |field: &str, relation, value| Claim { field: field.into(), relation, value };
    assert_eq!(
        statement,
        Statement::Assert(vec![
            claim("cwnd", Relation::Equal, Value::Number(10_500_000_000_000)),
            claim("srtt", Relation::AtLeast, Value::Number(100_000_000)),
            claim("state", Relation::NotEqual, Value::Name("CLOSED".into())),
        ])
    );
}

#[test]
fn mistakes_are_shown_where_they_are() {
    assert!(message("+0 > . 1:1001(999) ack 1").contains("that agree"));
    assert!(message("+0 > . 1:1(0)").contains("`ack`"));
    assert!(message("+0 > S 0:0(0) <mss>").contains("at `mss>`"));
    assert!(message("+0 lisen(3, 1) = 0").contains("a call"));
    assert!(message("+0 close(3)").contains('='));
    let wrong = script("--mss = 5\n\n+0 x\n+0 silence\n+0 y").unwrap_err();
    let lines: Vec<usize> = wrong.iter().map(|wrong| wrong.line).collect();
    assert_eq!(lines, [3, 5, 1]);
}

#[test]
fn the_default_window_is_not_compared() {
    let Statement::Outbound(packet) = read("> . 1:1(0) ack 1").1 else { panic!() };
    let Body::Tcp(segment) = packet.body else { panic!() };
    assert_eq!(segment.window, None);
    assert_eq!(segment.options, Some(Vec::new()));
}
