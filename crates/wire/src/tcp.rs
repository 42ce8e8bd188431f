//! TCP segments as bytes (RFC 9293 section 3.1).

mod options;
mod template;

use crate::checksum::Sum;
use crate::malformed::{Malformed, Part};
use crate::{Flags, Segment, SeqNumber, TCP_HEADER_BYTES};

pub use template::Template;

/// Header without options, in bytes.
const HEADER: usize = TCP_HEADER_BYTES as usize;
/// As many bytes of options as the data offset can express.
const MAX_OPTIONS: u32 = 40;

/// Where the checksum is in a header.
const CHECKSUM_AT: usize = 16;

/// Reads a segment and verifies its checksum. `pseudo` is the sum of the
/// pseudo-header ([`crate::ip::IpHeader::pseudo`]).
///
/// Unknown options, and known ones with a length that is not theirs, are
/// skipped; reserved bits are ignored. A window scale above 14 is read as 14
/// (RFC 7323 section 2.3).
///
/// # Errors
/// What is wrong. An option without a possible length spoils the segment: where
/// the next one begins is not known (RFC 9293 section 3.1, MUST-7, suggests a
/// reset there; a segment that is dropped does less harm when it is forged).
#[inline]
pub fn parse(bytes: &[u8], pseudo: Sum) -> Result<(Segment, &[u8]), Malformed> {
    if !pseudo.then(Sum::of(bytes), false).is_valid() {
        return Err(Malformed::Checksum(Part::Tcp));
    }
    let (segment, _, payload) = read(bytes)?;
    Ok((segment, payload))
}

/// Reads a segment whose checksum the caller verifies, and returns its header
/// and its payload as bytes: the sum of the payload can be taken while it is
/// copied.
///
/// # Errors
/// As [`parse`], except for the checksum.
#[inline]
pub fn read(bytes: &[u8]) -> Result<(Segment, &[u8], &[u8]), Malformed> {
    let mut segment = Segment::default();
    let (header, payload) = read_into(&mut segment, bytes)?;
    Ok((segment, header, payload))
}

/// As [`read`], into `segment`: a segment is large, and where it is made it can
/// stay.
///
/// # Errors
/// As [`read`]; `segment` is then anything.
#[inline]
pub fn read_into<'b>(
    segment: &mut Segment,
    bytes: &'b [u8],
) -> Result<(&'b [u8], &'b [u8]), Malformed> {
    let fixed: &[u8; HEADER] = bytes.first_chunk().ok_or(Malformed::Truncated(Part::Tcp))?;
    let header_len = usize::from(fixed[12] >> 4) * 4;
    let split = bytes.split_at_checked(header_len).filter(|(header, _)| header.len() >= HEADER);
    let (header, payload) =
        split.ok_or(Malformed::HeaderLength { part: Part::Tcp, len: header_len })?;
    let word = |at: usize| {
        SeqNumber::new(u32::from_be_bytes([fixed[at], fixed[at + 1], fixed[at + 2], fixed[at + 3]]))
    };
    let half = |at: usize| u16::from_be_bytes([fixed[at], fixed[at + 1]]);
    segment.source_port = half(0);
    segment.destination_port = half(2);
    segment.seq = word(4);
    segment.ack = word(8);
    segment.flags = Flags::from_bits(fixed[13]);
    segment.window = half(14);
    segment.urgent = half(18);
    segment.len = u32::try_from(payload.len())
        .map_err(|_| Malformed::Length { part: Part::Tcp, len: bytes.len() })?;
    options::parse(&header[HEADER..], &mut segment.options)?;
    Ok((header, payload))
}

/// Writes the header of `segment` to the first [`Segment::header_len`] bytes of
/// `bytes`; its payload, of which `payload` is the sum, belongs after it.
/// `pseudo` is the sum of the pseudo-header ([`crate::ip::IpHeader::pseudo`]).
///
/// # Panics
/// If there is no room for the header, or the options take more than 40 bytes.
pub fn emit(segment: &Segment, pseudo: Sum, payload: Sum, bytes: &mut [u8]) {
    let options_len = segment.options.wire_len();
    assert!(options_len <= MAX_OPTIONS, "options of {options_len} bytes fit into a TCP header");
    let header = &mut bytes[..segment.header_len() as usize];
    let (fixed, options) =
        header.split_first_chunk_mut::<HEADER>().expect("a header holds its fixed part");
    let words = words(segment, segment.header_len());
    for (to, word) in fixed.as_chunks_mut().0.iter_mut().zip(words) {
        *to = word.to_be_bytes();
    }
    options::emit(&segment.options, options);
    let sum = pseudo.then(Sum::of_words(words), false).then(Sum::of(options), false);
    let checksum = sum.then(payload, false).finish();
    header[CHECKSUM_AT..CHECKSUM_AT + 2].copy_from_slice(&checksum.to_be_bytes());
}

/// The fixed part of a header, with a checksum of zero.
const fn words(segment: &Segment, header_len: u32) -> [u32; 5] {
    [
        (segment.source_port as u32) << 16 | segment.destination_port as u32,
        segment.seq.get(),
        segment.ack.get(),
        control(segment, header_len),
        segment.urgent as u32,
    ]
}

/// The word of data offset, control bits and window.
const fn control(segment: &Segment, header_len: u32) -> u32 {
    (header_len / 4) << 28 | (segment.flags.bits() as u32) << 16 | segment.window as u32
}

#[cfg(test)]
mod tests;
