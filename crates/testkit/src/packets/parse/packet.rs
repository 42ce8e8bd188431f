//! Packets.

use netjoule_wire::{Ecn, Flags};
use winnow::ascii::{dec_uint, space0, space1};
use winnow::combinator::{alt, cut_err, delimited, opt, preceded, repeat, separated_pair};
use winnow::error::{StrContext, StrContextValue};
use winnow::prelude::*;
use winnow::token::{any, one_of, take_while};

use super::super::script::{Body, Icmp, IcmpKind, Packet, Segment, TcpOption};
use super::{list, spaced};

pub(super) fn packet(input: &mut &str) -> ModalResult<Packet> {
    let flow = opt(dec_uint).map(Option::unwrap_or_default);
    let marks = opt(delimited('[', list(',', mark), ']')).map(Option::unwrap_or_default);
    let body = alt((
        preceded("icmp", cut_err(preceded(space1, icmp))).map(Body::Icmp),
        segment.map(Body::Tcp),
    ));
    let (flow, marks, body) = (flow, spaced(marks), spaced(body)).parse_next(input)?;
    let mut packet = Packet { flow, ecn: Ecn::NotEct, dont_fragment: None, body };
    for mark in marks {
        match mark {
            Mark::Ecn(ecn) => packet.ecn = ecn,
            Mark::DontFragment(df) => packet.dont_fragment = Some(df),
        }
    }
    Ok(packet)
}

/// What the IP header has.
#[derive(Clone, Copy)]
enum Mark {
    Ecn(Ecn),
    DontFragment(bool),
}

fn mark(input: &mut &str) -> ModalResult<Mark> {
    alt((
        "noecn".value(Mark::Ecn(Ecn::NotEct)),
        "ect0".value(Mark::Ecn(Ecn::Ect0)),
        "ect1".value(Mark::Ecn(Ecn::Ect1)),
        "ce".value(Mark::Ecn(Ecn::Ce)),
        "df".value(Mark::DontFragment(true)),
        "nodf".value(Mark::DontFragment(false)),
    ))
    .context(expected("ect0, ect1, ce, noecn, df or nodf"))
    .parse_next(input)
}

fn segment(input: &mut &str) -> ModalResult<Segment> {
    let flags = flags.parse_next(input)?;
    let (seq, len) = cut_err(spaced(range)).parse_next(input)?;
    let number = |name: &'static str| opt(preceded((space0, name, space1), dec_uint));
    let ack: Option<u32> = number("ack").parse_next(input)?;
    let window = opt(preceded((space0, "win", space1), dec_uint)).parse_next(input)?;
    let urgent = opt(preceded((space0, "urg", space1), dec_uint)).parse_next(input)?;
    let mut options = opt(spaced(options)).map(|options| options.unwrap_or(Some(Vec::new())));
    let options = options.parse_next(input)?;
    let fill = opt(preceded((space0, "fill", space1), fill)).parse_next(input)?;
    let corrupt = opt(spaced("badsum")).map(|word| word.is_some()).parse_next(input)?;
    if flags.has(Flags::ACK) != ack.is_some() {
        return cut_err(winnow::combinator::fail)
            .context(expected("`ack` and a number if, and only if, the flags have `.`"))
            .parse_next(input);
    }
    Ok(Segment { flags, seq, len, ack, window, urgent, options, fill, corrupt })
}

/// Letters of [`Flags`]' own notation, in any order.
fn flags(input: &mut &str) -> ModalResult<Flags> {
    let letter = one_of(['S', 'F', 'R', 'P', 'U', 'E', 'W', '.']).map(|letter| match letter {
        'S' => Flags::SYN,
        'F' => Flags::FIN,
        'R' => Flags::RST,
        'P' => Flags::PSH,
        'U' => Flags::URG,
        'E' => Flags::ECE,
        'W' => Flags::CWR,
        _ => Flags::ACK,
    });
    let some = repeat(1.., letter).fold(|| Flags::NONE, |all, flag| all | flag);
    alt(('-'.value(Flags::NONE), some))
        .context(expected("flags such as `S`, `P.` or `-`"))
        .parse_next(input)
}

/// `1:1001(1000)`: a sequence number and a length.
fn range(input: &mut &str) -> ModalResult<(u32, u32)> {
    (separated_pair(dec_uint, ':', dec_uint), delimited('(', dec_uint, ')'))
        .verify_map(|((start, end), len): ((u32, u32), u32)| {
            (start.wrapping_add(len) == end).then_some((start, len))
        })
        .context(expected("start:end(length) that agree"))
        .parse_next(input)
}

/// `<mss 1460,...>`; `None` for any.
fn options(input: &mut &str) -> ModalResult<Option<Vec<TcpOption>>> {
    delimited(
        '<',
        cut_err(alt(("...".value(None), list(',', option).map(Some)))),
        cut_err('>'.context(expected("`>`"))),
    )
    .parse_next(input)
}

fn option(input: &mut &str) -> ModalResult<TcpOption> {
    let block = preceded(space1, separated_pair(dec_uint, ':', dec_uint));
    alt((
        "nop".value(TcpOption::Nop),
        "eol".value(TcpOption::End),
        "sackOK".value(TcpOption::SackPermitted),
        preceded(("mss", space1), dec_uint).map(TcpOption::Mss),
        preceded(("wscale", space1), dec_uint).map(TcpOption::WindowScale),
        (
            preceded(("TS", space1, "val", space1), dec_uint),
            preceded((space1, "ecr", space1), dec_uint),
        )
            .map(|(value, echo)| TcpOption::Timestamps { value, echo }),
        preceded("sack", repeat(1.., block)).map(TcpOption::Sack),
        (
            preceded(("opt", space1), dec_uint),
            preceded(space1, dec_uint.verify(|len: &u8| *len >= 2)),
        )
            .map(|(kind, len)| TcpOption::Other { kind, len }),
    ))
    .context(expected("mss, sackOK, wscale, TS val .. ecr .., sack, nop, eol or opt kind length"))
    .parse_next(input)
}

fn icmp(input: &mut &str) -> ModalResult<Icmp> {
    let kind = take_while(1.., |c: char| c.is_ascii_lowercase() || "_ ".contains(c)).verify_map(
        |words: &str| {
            let words = words.trim();
            IcmpKind::NAMES.iter().find(|(name, _)| *name == words).map(|(_, kind)| *kind)
        },
    );
    let too_big = preceded(("unreachable frag_needed mtu", space1), dec_uint);
    let kind = alt((too_big.map(IcmpKind::FragNeeded), kind))
        .context(expected("a kind such as `unreachable host_unreachable` or `ttl_exceeded`"))
        .parse_next(input)?;
    let (seq, len) = delimited((space0, '['), range, ']')
        .context(expected("the segment, as `[1:1001(1000)]`"))
        .parse_next(input)?;
    Ok(Icmp { kind, seq, len })
}

/// `"x"`.
pub(super) fn fill(input: &mut &str) -> ModalResult<u8> {
    delimited('"', any.verify_map(|c: char| u8::try_from(c).ok()), '"')
        .context(expected("one letter in quotes"))
        .parse_next(input)
}

pub(super) fn expected(what: &'static str) -> StrContext {
    StrContext::Expected(StrContextValue::Description(what))
}
