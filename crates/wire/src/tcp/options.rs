//! The options of a TCP header (RFC 9293 section 3.2, 7323, 2018).

use crate::malformed::Malformed;
use crate::{SackBlocks, SeqNumber, SeqRange, TcpOptions, Timestamps};

const END: u8 = 0;
const NOP: u8 = 1;
const MSS: u8 = 2;
const WINDOW_SCALE: u8 = 3;
const SACK_PERMITTED: u8 = 4;
const SACK: u8 = 5;
const TIMESTAMPS: u8 = 8;

/// The largest window scale (RFC 7323 section 2.3).
const MAX_WINDOW_SCALE: u8 = 14;

/// What stands before the two values of an aligned timestamps option (RFC 7323
/// appendix A): by far the most frequent options of all.
pub(super) const ALIGNED_TIMESTAMPS: [u8; 4] = [NOP, NOP, TIMESTAMPS, 10];

/// Reads options into `options`. Most segments have none, or timestamps alone;
/// these are recognised at a glance.
#[inline]
pub(super) fn parse(bytes: &[u8], options: &mut TcpOptions) -> Result<(), Malformed> {
    *options = TcpOptions::NONE;
    if bytes.is_empty() {
        return Ok(());
    }
    if let Ok(&[a, b, c, d, ref values @ ..]) = <&[u8; 12]>::try_from(bytes)
        && [a, b, c, d] == ALIGNED_TIMESTAMPS
    {
        options.timestamps = Some(timestamps(*values));
        return Ok(());
    }
    parse_any(bytes, options)
}

#[inline(never)]
fn parse_any(mut bytes: &[u8], options: &mut TcpOptions) -> Result<(), Malformed> {
    while let &[kind, ref rest @ ..] = bytes {
        match kind {
            END => break,
            NOP => bytes = rest,
            _ => {
                let len = rest.first().map_or(0, |&len| usize::from(len));
                let option = bytes.split_at_checked(len);
                let (option, after) =
                    option.filter(|_| len >= 2).ok_or(Malformed::TcpOption(kind))?;
                one(kind, &option[2..], options);
                bytes = after;
            }
        }
    }
    Ok(())
}

/// Takes an option with the given `data` after its length into `options`.
fn one(kind: u8, data: &[u8], options: &mut TcpOptions) {
    match (kind, data) {
        (MSS, &[a, b]) => options.mss = Some(u16::from_be_bytes([a, b])),
        (WINDOW_SCALE, &[shift]) => options.window_scale = Some(shift.min(MAX_WINDOW_SCALE)),
        (SACK_PERMITTED, []) => options.sack_permitted = true,
        (TIMESTAMPS, data) => {
            if let Ok(data) = data.try_into() {
                options.timestamps = Some(timestamps(data));
            }
        }
        (SACK, data) if data.len() % 8 == 0 => {
            options.sack = data.as_chunks().0.iter().copied().map(block).collect();
        }
        _ => {}
    }
}

fn timestamps(data: [u8; 8]) -> Timestamps {
    let [value, echo] = pair(data);
    Timestamps { value, echo }
}

fn block(data: [u8; 8]) -> SeqRange {
    let [start, end] = pair(data).map(SeqNumber::new);
    SeqRange { start, end }
}

/// Two fields of four bytes.
const fn pair([a, b, c, d, e, f, g, h]: [u8; 8]) -> [u32; 2] {
    [u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h])]
}

/// Writes `options` in the order MSS, timestamps, SACK-permitted, window scale,
/// SACK; `bytes` has the length [`TcpOptions::wire_len`].
pub(super) fn emit(options: &TcpOptions, bytes: &mut [u8]) {
    let mut words = bytes.as_chunks_mut().0.iter_mut();
    let mut put = |word: [u8; 4]| {
        *words.next().expect("the options' length is that of what is written") = word;
    };
    if let Some(mss) = options.mss {
        let [high, low] = mss.to_be_bytes();
        put([MSS, 4, high, low]);
    }
    if let Some(Timestamps { value, echo }) = options.timestamps {
        let permitted = [SACK_PERMITTED, 2, TIMESTAMPS, 10];
        put(if options.sack_permitted { permitted } else { ALIGNED_TIMESTAMPS });
        put(value.to_be_bytes());
        put(echo.to_be_bytes());
    } else if options.sack_permitted {
        put([NOP, NOP, SACK_PERMITTED, 2]);
    }
    if let Some(shift) = options.window_scale {
        put([NOP, WINDOW_SCALE, 3, shift.min(MAX_WINDOW_SCALE)]);
    }
    if !options.sack.is_empty() {
        #[expect(clippy::cast_possible_truncation, reason = "four blocks at most")]
        put([NOP, NOP, SACK, 2 + 8 * options.sack.len() as u8]);
        for block in options.sack.as_slice() {
            put(block.start.get().to_be_bytes());
            put(block.end.get().to_be_bytes());
        }
    }
}

/// As many blocks as an option can carry fit into the value.
const _: () = assert!(SackBlocks::MAX == (super::MAX_OPTIONS as usize - 2) / 8);
