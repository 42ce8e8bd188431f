//! Types and codes of ICMP messages, for each version of IP.

use super::{Error, Unreachable};
use crate::NoticeKind;

/// ICMP for IPv4 (RFC 792).
pub(super) mod v4 {
    pub(super) const UNREACHABLE: u8 = 3;
    pub(in crate::icmp) const SOURCE_QUENCH: u8 = 4;
    pub(super) const TIME_EXCEEDED: u8 = 11;
    pub(super) const PARAMETER_PROBLEM: u8 = 12;
    /// For experiments (RFC 4727): ICMP-DEFER and ICMP-RETRANSMIT.
    pub(super) const NOTICES: [u8; 2] = [253, 254];
    /// The code of an unreachable destination whose path needs fragments.
    pub(super) const FRAGMENTATION_NEEDED: u8 = 4;
}

/// ICMPv6 (RFC 4443).
mod v6 {
    pub(super) const UNREACHABLE: u8 = 1;
    pub(super) const TOO_BIG: u8 = 2;
    pub(super) const TIME_EXCEEDED: u8 = 3;
    pub(super) const PARAMETER_PROBLEM: u8 = 4;
    /// For private experiments (section 2.1): ICMP-DEFER and ICMP-RETRANSMIT.
    pub(super) const NOTICES: [u8; 2] = [100, 101];
}

/// Codes and their meanings for unreachable destinations in IPv4 (RFC 792,
/// RFC 1122 section 3.2.2.1).
const UNREACHABLE_V4: [(u8, Unreachable); 5] = [
    (0, Unreachable::Network),
    (1, Unreachable::Host),
    (2, Unreachable::Protocol),
    (3, Unreachable::Port),
    // RFC 1812 section 5.2.7.1.
    (13, Unreachable::Prohibited),
];

/// The same in IPv6 (RFC 4443 section 3.1). It has no code for a protocol that
/// is not spoken: that is a parameter problem there.
const UNREACHABLE_V6: [(u8, Unreachable); 4] = [
    (0, Unreachable::Network),
    (1, Unreachable::Prohibited),
    (3, Unreachable::Host),
    (4, Unreachable::Port),
];

const NOTICES: [NoticeKind; 2] = [NoticeKind::Defer, NoticeKind::Retransmit];

/// The error of a message with this type, this code, and this value of the four
/// bytes after the checksum. `None` if it is not an error.
pub(super) fn error_of_v4(kind: u8, code: u8, rest: u32) -> Option<Error> {
    Some(match (kind, code) {
        (v4::UNREACHABLE, v4::FRAGMENTATION_NEEDED) => Error::TooBig { mtu: rest & 0xffff },
        (v4::UNREACHABLE, _) => Error::Unreachable(meaning(&UNREACHABLE_V4, code)),
        (v4::SOURCE_QUENCH, _) => Error::SourceQuench,
        (v4::TIME_EXCEEDED, _) => Error::TimeExceeded,
        (v4::PARAMETER_PROBLEM, _) => Error::ParameterProblem { pointer: rest >> 24 },
        _ => Error::Notice(notice(v4::NOTICES, kind)?),
    })
}

/// As [`error_of_v4`].
pub(super) fn error_of_v6(kind: u8, code: u8, rest: u32) -> Option<Error> {
    Some(match kind {
        v6::UNREACHABLE => Error::Unreachable(meaning(&UNREACHABLE_V6, code)),
        v6::TOO_BIG => Error::TooBig { mtu: rest },
        v6::TIME_EXCEEDED => Error::TimeExceeded,
        v6::PARAMETER_PROBLEM => Error::ParameterProblem { pointer: rest },
        _ => Error::Notice(notice(v6::NOTICES, kind)?),
    })
}

/// Type, code and the value of the four bytes after the checksum. `None` for
/// the one that nobody shall send any more (RFC 6633 section 3).
pub(super) fn of_error_v4(error: Error) -> Option<(u8, u8, u32)> {
    Some(match error {
        Error::Unreachable(why) => (v4::UNREACHABLE, code(&UNREACHABLE_V4, why), 0),
        Error::TooBig { mtu } => (v4::UNREACHABLE, v4::FRAGMENTATION_NEEDED, mtu.min(0xffff)),
        Error::TimeExceeded => (v4::TIME_EXCEEDED, 0, 0),
        Error::ParameterProblem { pointer } => (v4::PARAMETER_PROBLEM, 0, pointer << 24),
        Error::SourceQuench => return None,
        Error::Notice(kind) => (number(v4::NOTICES, kind), 0, 0),
    })
}

/// As [`of_error_v4`].
pub(super) fn of_error_v6(error: Error) -> Option<(u8, u8, u32)> {
    Some(match error {
        Error::Unreachable(why) => (v6::UNREACHABLE, code(&UNREACHABLE_V6, why), 0),
        Error::TooBig { mtu } => (v6::TOO_BIG, 0, mtu),
        Error::TimeExceeded => (v6::TIME_EXCEEDED, 0, 0),
        Error::ParameterProblem { pointer } => (v6::PARAMETER_PROBLEM, 0, pointer),
        Error::SourceQuench => return None,
        Error::Notice(kind) => (number(v6::NOTICES, kind), 0, 0),
    })
}

fn meaning(table: &[(u8, Unreachable)], code: u8) -> Unreachable {
    let known = table.iter().find(|entry| entry.0 == code);
    known.map_or(Unreachable::Other(code), |entry| entry.1)
}

/// The code of a reason, 0 where this version of IP has none for it.
fn code(table: &[(u8, Unreachable)], why: Unreachable) -> u8 {
    if let Unreachable::Other(code) = why {
        return code;
    }
    table.iter().find(|entry| entry.1 == why).map_or(0, |entry| entry.0)
}

fn notice(types: [u8; 2], kind: u8) -> Option<NoticeKind> {
    let index = types.iter().position(|&notice| notice == kind)?;
    Some(NOTICES[index])
}

fn number(types: [u8; 2], kind: NoticeKind) -> u8 {
    match kind {
        NoticeKind::Defer => types[0],
        NoticeKind::Retransmit => types[1],
    }
}
