//! One line for each packet, in the manner of tcpdump.

use core::fmt::{self, Display, Formatter};
use core::net::Ipv4Addr;

use crate::{Address, Body, Flags, Flow, Notice, Packet, Segment, TcpOptions};

impl Display for Address {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Ipv4Addr::from_bits(self.0).fmt(f)
    }
}

impl Display for Flow {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { source, destination, source_port, destination_port } = self;
        write!(f, "{source}.{source_port} > {destination}.{destination_port}")
    }
}

/// `Flags [P.], seq 1:101, ack 1, win 512, options [TS val 7 ecr 5], length 100`.
impl Display for Segment {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Flags [{}], seq {}", self.flags, self.seq)?;
        if self.seq_len() > 0 {
            write!(f, ":{}", self.seq + self.seq_len())?;
        }
        if self.flags.has(Flags::ACK) {
            write!(f, ", ack {}", self.ack)?;
        }
        write!(f, ", win {}", self.window)?;
        if self.flags.has(Flags::URG) {
            write!(f, ", urg {}", self.urgent)?;
        }
        if self.options != TcpOptions::NONE {
            write!(f, ", options [{}]", self.options)?;
        }
        write!(f, ", length {}", self.len)
    }
}

impl Display for TcpOptions {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        let mut item = |f: &mut Formatter<'_>, item: fmt::Arguments<'_>| {
            write!(f, "{comma}{item}")?;
            comma = ",";
            Ok(())
        };
        if let Some(mss) = self.mss {
            item(f, format_args!("mss {mss}"))?;
        }
        if self.sack_permitted {
            item(f, format_args!("sackOK"))?;
        }
        if let Some(timestamps) = self.timestamps {
            item(f, format_args!("TS val {} ecr {}", timestamps.value, timestamps.echo))?;
        }
        if let Some(shift) = self.window_scale {
            item(f, format_args!("wscale {shift}"))?;
        }
        for block in self.sack.as_slice() {
            item(f, format_args!("sack {}:{}", block.start, block.end))?;
        }
        Ok(())
    }
}

impl Display for Notice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} about {} seq {}", self.kind, self.flow, self.seq)
    }
}

impl Display for Packet {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (&self.body, self.flow()) {
            (Body::Tcp(segment), Some(flow)) => write!(f, "{flow}: {segment}"),
            (Body::Tcp(segment), None) => segment.fmt(f),
            (Body::Icmp(notice), _) => {
                write!(f, "{} > {}: {notice}", self.source, self.destination)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ecn, NoticeKind, SeqNumber, SeqRange, Timestamps};

    #[test]
    fn packets_read_as_in_tcpdump() {
        let (source, destination) = (Address(0x0a00_0001), Address(0x0a00_0002));
        let flow = Flow { source, destination, source_port: 1024, destination_port: 80 };
        let sack = [SeqRange::new(SeqNumber::new(5), 4)].into_iter().collect();
        let syn = Segment {
            source_port: 1024,
            destination_port: 80,
            flags: Flags::SYN,
            window: 512,
            options: TcpOptions {
                mss: Some(1460),
                window_scale: Some(7),
                sack_permitted: true,
                timestamps: Some(Timestamps { value: 7, echo: 0 }),
                sack,
            },
            ..Segment::default()
        };
        let data = Segment {
            seq: SeqNumber::new(1),
            ack: SeqNumber::new(9),
            flags: Flags::PSH | Flags::ACK,
            len: 100,
            options: TcpOptions::NONE,
            ..syn
        };
        let line = |body| Packet { source, destination, ecn: Ecn::NotEct, body }.to_string();
        assert_eq!(
            line(Body::Tcp(syn)),
            "10.0.0.1.1024 > 10.0.0.2.80: Flags [S], seq 0:1, win 512, \
             options [mss 1460,sackOK,TS val 7 ecr 0,wscale 7,sack 5:9], length 0"
        );
        assert_eq!(
            line(Body::Tcp(data)),
            "10.0.0.1.1024 > 10.0.0.2.80: Flags [P.], seq 1:101, ack 9, win 512, length 100"
        );
        let notice = Notice { kind: NoticeKind::Defer, flow, seq: SeqNumber::new(1) };
        assert_eq!(
            line(Body::Icmp(notice)),
            "10.0.0.1 > 10.0.0.2: ICMP-DEFER about 10.0.0.1.1024 > 10.0.0.2.80 seq 1"
        );
    }
}
