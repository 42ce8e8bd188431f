//! Values print in the notation in which scripts have them.

use core::fmt;

use netjoule_units::Instant;
use netjoule_wire::Ecn;

use super::script::{Body, Icmp, IcmpKind, Outcome, Packet, Segment, TcpOption, Value};

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Number(number) => {
                let sign = if *number < 0 { "-" } else { "" };
                let (whole, rest) =
                    (number.unsigned_abs() / 1_000_000_000, number.unsigned_abs() % 1_000_000_000);
                let digits = format!("{rest:09}");
                let fraction = digits.trim_end_matches('0');
                let point = if fraction.is_empty() { "" } else { "." };
                write!(f, "{sign}{whole}{point}{fraction}")
            }
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(value) => value.fmt(f),
            Self::Error(name) => write!(f, "-1 {name}"),
        }
    }
}

impl fmt::Display for Packet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.flow > 0 {
            write!(f, "{}", self.flow)?;
        }
        let ecn = match self.ecn {
            Ecn::NotEct => None,
            Ecn::Ect0 => Some("ect0"),
            Ecn::Ect1 => Some("ect1"),
            Ecn::Ce => Some("ce"),
        };
        let fragment = self.dont_fragment.map(|df| if df { "df" } else { "nodf" });
        match (ecn, fragment) {
            (Some(ecn), Some(fragment)) => write!(f, " [{ecn},{fragment}]")?,
            (Some(mark), None) | (None, Some(mark)) => write!(f, " [{mark}]")?,
            (None, None) => {}
        }
        match &self.body {
            Body::Tcp(segment) => write!(f, " {segment}"),
            Body::Icmp(icmp) => write!(f, " {icmp}"),
        }
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { flags, seq, len, .. } = self;
        write!(f, "{flags} {seq}:{}({len})", seq.wrapping_add(*len))?;
        if let Some(ack) = self.ack {
            write!(f, " ack {ack}")?;
        }
        if let Some(window) = self.window {
            write!(f, " win {window}")?;
        }
        if let Some(urgent) = self.urgent {
            write!(f, " urg {urgent}")?;
        }
        match &self.options {
            None => f.write_str(" <...>")?,
            Some(options) if options.is_empty() => {}
            Some(options) => {
                let options: Vec<String> = options.iter().map(ToString::to_string).collect();
                write!(f, " <{}>", options.join(","))?;
            }
        }
        if let Some(fill) = self.fill {
            write!(f, " fill \"{}\"", char::from(fill))?;
        }
        if self.corrupt { f.write_str(" badsum") } else { Ok(()) }
    }
}

impl fmt::Display for TcpOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End => f.write_str("eol"),
            Self::Nop => f.write_str("nop"),
            Self::Mss(mss) => write!(f, "mss {mss}"),
            Self::WindowScale(shift) => write!(f, "wscale {shift}"),
            Self::SackPermitted => f.write_str("sackOK"),
            Self::Timestamps { value, echo } => write!(f, "TS val {value} ecr {echo}"),
            Self::Other { kind, len } => write!(f, "opt {kind} {len}"),
            Self::Sack(blocks) => {
                f.write_str("sack")?;
                blocks.iter().try_for_each(|(start, end)| write!(f, " {start}:{end}"))
            }
        }
    }
}

impl fmt::Display for Icmp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            IcmpKind::FragNeeded(mtu) => write!(f, "icmp unreachable frag_needed mtu {mtu}")?,
            kind => {
                let name = IcmpKind::NAMES.iter().find(|(_, named)| *named == kind);
                write!(f, "icmp {}", name.map_or("", |(name, _)| name))?;
            }
        }
        write!(f, " [{}:{}({})]", self.seq, self.seq.wrapping_add(self.len), self.len)
    }
}

/// A moment as scripts have it: seconds.
pub(super) struct Seconds(pub(super) Instant);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Value::Number(i128::from(self.0.as_nanos())).fmt(f)
    }
}
