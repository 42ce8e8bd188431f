use super::super::script::TcpOption;
use super::*;

fn ends(ip: u8) -> Ends {
    let address = |last: u8| -> IpAddr {
        if ip == 4 {
            Ipv4Addr::new(192, 0, 2, last).into()
        } else {
            Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, last.into()).into()
        }
    };
    Ends { peer: (address(1), 1), stack: (address(2), 2) }
}

#[test]
fn what_is_written_is_read() {
    let options = vec![
        TcpOption::Mss(1_000),
        TcpOption::Nop,
        TcpOption::WindowScale(3),
        TcpOption::SackPermitted,
        TcpOption::Timestamps { value: 1, echo: u32::MAX },
        TcpOption::Sack(vec![(1, 2)]),
        TcpOption::Other { kind: 99, len: 3 },
    ];
    let segment = Segment {
        flags: Flags::ACK | Flags::URG | Flags::CWR,
        seq: 7,
        len: 3,
        ack: Some(8),
        window: Some(9),
        urgent: Some(1),
        options: Some(options),
        fill: None,
        corrupt: false,
    };
    for ip in [4, 6] {
        let packet = Packet {
            flow: 0,
            ecn: Ecn::Ect1,
            dont_fragment: Some(true),
            body: Body::Tcp(segment.clone()),
        };
        let bytes = write(ends(ip), &packet, b"abc");
        let (read_back, back, payload) = read(&bytes).unwrap();
        assert_eq!(back, ends(ip).reversed());
        assert_eq!(payload, b"abc");
        assert_eq!(read_back, packet);
    }
}

#[test]
fn a_wrong_checksum_is_seen() {
    let segment = Segment {
        flags: Flags::SYN,
        seq: 0,
        len: 0,
        ack: None,
        window: Some(1),
        urgent: None,
        options: None,
        fill: None,
        corrupt: true,
    };
    let body = Body::Tcp(segment);
    let packet = Packet { flow: 0, ecn: Ecn::NotEct, dont_fragment: None, body };
    let bytes = write(ends(4), &packet, b"");
    assert_eq!(read(&bytes).unwrap_err(), "the TCP checksum is wrong");
}
