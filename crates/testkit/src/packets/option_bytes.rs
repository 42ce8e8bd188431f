//! TCP options as bytes, in the order in which they stand, padding included.

use super::script::TcpOption;

/// The bytes of `options`, filled up to whole words with zeros.
pub(super) fn write(options: &[TcpOption]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for option in options {
        match option {
            TcpOption::End => bytes.push(0),
            TcpOption::Nop => bytes.push(1),
            TcpOption::Mss(mss) => {
                bytes.extend([2, 4]);
                bytes.extend(mss.to_be_bytes());
            }
            TcpOption::WindowScale(shift) => bytes.extend([3, 3, *shift]),
            TcpOption::SackPermitted => bytes.extend([4, 2]),
            TcpOption::Sack(blocks) => {
                let len = 2 + 8 * blocks.len();
                bytes.extend([5, u8::try_from(len).unwrap_or(u8::MAX)]);
                for (start, end) in blocks {
                    bytes.extend(start.to_be_bytes());
                    bytes.extend(end.to_be_bytes());
                }
            }
            TcpOption::Timestamps { value, echo } => {
                bytes.extend([8, 10]);
                bytes.extend(value.to_be_bytes());
                bytes.extend(echo.to_be_bytes());
            }
            TcpOption::Other { kind, len } => {
                bytes.extend([*kind, *len]);
                bytes.extend(core::iter::repeat_n(0, usize::from(*len).saturating_sub(2)));
            }
        }
    }
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// The options in `bytes`. Zeros after the last one are padding.
pub(super) fn read(mut bytes: &[u8]) -> Result<Vec<TcpOption>, String> {
    let mut options = Vec::new();
    while let Some((&kind, after_kind)) = bytes.split_first() {
        if kind <= 1 {
            options.push(if kind == 0 { TcpOption::End } else { TcpOption::Nop });
            bytes = after_kind;
            continue;
        }
        let len = usize::from(*after_kind.first().ok_or("an option without a length")?);
        if len < 2 || len > bytes.len() {
            return Err(format!("an option of kind {kind} with length {len}"));
        }
        let (option, rest) = bytes.split_at(len);
        options.push(meaning(kind, &option[2..])?);
        bytes = rest;
    }
    while options.last() == Some(&TcpOption::End) {
        options.pop();
    }
    Ok(options)
}

fn meaning(kind: u8, value: &[u8]) -> Result<TcpOption, String> {
    let word = |at: usize| {
        value[at..at + 4].iter().fold(0, |word: u32, byte| word << 8 | u32::from(*byte))
    };
    let wrong = || format!("an option of kind {kind} with {} bytes of value", value.len());
    Ok(match (kind, value.len()) {
        (2, 2) => TcpOption::Mss(u16::from_be_bytes([value[0], value[1]])),
        (3, 1) => TcpOption::WindowScale(value[0]),
        (4, 0) => TcpOption::SackPermitted,
        (5, len) if len > 0 && len % 8 == 0 => {
            TcpOption::Sack((0..len / 8).map(|i| (word(8 * i), word(8 * i + 4))).collect())
        }
        (8, 8) => TcpOption::Timestamps { value: word(0), echo: word(4) },
        (2..=5 | 8, _) => return Err(wrong()),
        (kind, len) => TcpOption::Other { kind, len: u8::try_from(len + 2).map_err(|_| wrong())? },
    })
}
