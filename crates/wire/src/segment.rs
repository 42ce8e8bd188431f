//! TCP segments as values: the header's fields and the length of the payload.

use core::fmt;
use core::ops::{BitOr, BitOrAssign};

use crate::{SeqNumber, SeqRange};

/// The control bits of a TCP header (RFC 9293 section 3.1, RFC 3168 section
/// 6.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(u8);

impl Flags {
    /// None set.
    pub const NONE: Self = Self(0);
    /// No more data from the sender.
    pub const FIN: Self = Self(0x01);
    /// Synchronise sequence numbers.
    pub const SYN: Self = Self(0x02);
    /// Reset the connection.
    pub const RST: Self = Self(0x04);
    /// Push: the application wrote up to here.
    pub const PSH: Self = Self(0x08);
    /// The acknowledgment field counts.
    pub const ACK: Self = Self(0x10);
    /// The urgent pointer counts.
    pub const URG: Self = Self(0x20);
    /// ECN echo.
    pub const ECE: Self = Self(0x40);
    /// Congestion window reduced.
    pub const CWR: Self = Self(0x80);

    /// The flags of the header's fourteenth byte.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The header's fourteenth byte.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether all of `other` are set.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any of `other` is set.
    #[must_use]
    pub const fn has_any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// These without `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitOr for Flags {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// As tcpdump has them: `S.`, `P.`, `F.`, `R`, `.`; `E` and `W` for ECE and
/// CWR, `-` for none.
impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LETTERS: [(Flags, &str); 8] = [
            (Flags::SYN, "S"),
            (Flags::FIN, "F"),
            (Flags::RST, "R"),
            (Flags::PSH, "P"),
            (Flags::URG, "U"),
            (Flags::ECE, "E"),
            (Flags::CWR, "W"),
            (Flags::ACK, "."),
        ];
        if *self == Self::NONE {
            return f.write_str("-");
        }
        LETTERS
            .iter()
            .filter(|(flag, _)| self.has(*flag))
            .try_for_each(|(_, letter)| f.write_str(letter))
    }
}

/// The timestamps option (RFC 7323 section 3.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timestamps {
    /// `TSval`: the sender's clock.
    pub value: u32,
    /// `TSecr`: what the sender heard last from its peer.
    pub echo: u32,
}

/// The blocks of a SACK option, in its order (RFC 2018 section 3).
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct SackBlocks {
    count: u8,
    blocks: [SeqRange; Self::MAX],
}

impl SackBlocks {
    /// As many as fit into the 40 bytes that TCP options can have.
    pub const MAX: usize = 4;

    /// No blocks: the option is absent.
    pub const NONE: Self = Self { count: 0, blocks: [SeqRange::EMPTY; Self::MAX] };

    /// Adds `block` at the end. Returns whether there was room.
    pub fn push(&mut self, block: SeqRange) -> bool {
        let Some(free) = self.blocks.get_mut(usize::from(self.count)) else { return false };
        *free = block;
        self.count += 1;
        true
    }

    /// Keeps the first `count` blocks.
    pub fn truncate(&mut self, count: usize) {
        while self.len() > count {
            self.count -= 1;
            self.blocks[usize::from(self.count)] = SeqRange::EMPTY;
        }
    }

    /// The blocks.
    #[must_use]
    pub fn as_slice(&self) -> &[SeqRange] {
        &self.blocks[..usize::from(self.count)]
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl FromIterator<SeqRange> for SackBlocks {
    /// The first [`SackBlocks::MAX`] of `blocks`.
    fn from_iter<I: IntoIterator<Item = SeqRange>>(blocks: I) -> Self {
        let mut all = Self::NONE;
        blocks.into_iter().take(Self::MAX).for_each(|block| {
            all.push(block);
        });
        all
    }
}

impl fmt::Debug for SackBlocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

/// The options of a TCP header that netjoule knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TcpOptions {
    /// Maximum segment size in bytes (RFC 9293 section 3.7.1); SYN only.
    pub mss: Option<u16>,
    /// The shift of the window field (RFC 7323 section 2.2); SYN only.
    pub window_scale: Option<u8>,
    /// Whether SACK is permitted (RFC 2018 section 2); SYN only.
    pub sack_permitted: bool,
    /// Timestamps.
    pub timestamps: Option<Timestamps>,
    /// What has arrived out of order.
    pub sack: SackBlocks,
}

/// TCP header without options (RFC 9293 section 3.1).
pub const TCP_HEADER_BYTES: u32 = 20;

impl TcpOptions {
    /// No options.
    pub const NONE: Self = Self {
        mss: None,
        window_scale: None,
        sack_permitted: false,
        timestamps: None,
        sack: SackBlocks::NONE,
    };

    /// Their length in the header, padded to whole words as [`crate::tcp`]
    /// writes them: 0 to 40 bytes.
    ///
    /// MSS takes 4 bytes; window scale, SACK-permitted, timestamps and SACK
    /// blocks are preceded by NOPs so that each ends on a word (RFC 7323
    /// appendix A), except that SACK-permitted takes the place of the two NOPs
    /// before timestamps.
    #[must_use]
    pub const fn wire_len(&self) -> u32 {
        let mss = if self.mss.is_some() { 4 } else { 0 };
        let scale = if self.window_scale.is_some() { 4 } else { 0 };
        let timestamps = if self.timestamps.is_some() { 12 } else { 0 };
        let permitted = if self.sack_permitted && self.timestamps.is_none() { 4 } else { 0 };
        let sack = if self.sack.is_empty() { 0 } else { 4 + 8 * self.sack.count as u32 };
        mss + scale + timestamps + permitted + sack
    }
}

/// A TCP segment: its header, and how much payload follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// The sender's port.
    pub source_port: u16,
    /// The receiver's port.
    pub destination_port: u16,
    /// SEG.SEQ: the sequence number of the SYN, or of the first payload byte.
    pub seq: SeqNumber,
    /// SEG.ACK: the next sequence number the sender of this segment expects,
    /// if ACK is set.
    pub ack: SeqNumber,
    /// The control bits.
    pub flags: Flags,
    /// The window field as it is on the wire: SEG.WND before scaling.
    pub window: u16,
    /// SEG.UP: offset from `seq` to the byte after urgent data (RFC 6093
    /// section 3.1), if URG is set.
    pub urgent: u16,
    /// The options.
    pub options: TcpOptions,
    /// Payload bytes.
    pub len: u32,
}

impl Segment {
    /// Whether it carries payload.
    #[must_use]
    pub const fn is_data(&self) -> bool {
        self.len > 0
    }

    /// Whether it opens, closes or resets a connection.
    #[must_use]
    pub const fn is_control(&self) -> bool {
        self.flags.has_any(Flags(Flags::SYN.0 | Flags::FIN.0 | Flags::RST.0))
    }

    /// The sequence numbers of its payload.
    #[must_use]
    pub fn range(&self) -> SeqRange {
        let syn = u32::from(self.flags.has(Flags::SYN));
        SeqRange::new(self.seq + syn, self.len)
    }

    /// SEG.LEN of RFC 9293 section 3.4: payload bytes, and one each for SYN and
    /// FIN.
    #[must_use]
    pub fn seq_len(&self) -> u32 {
        self.len + u32::from(self.flags.has(Flags::SYN)) + u32::from(self.flags.has(Flags::FIN))
    }

    /// Length of its TCP header with options, in bytes.
    #[must_use]
    pub const fn header_len(&self) -> u32 {
        TCP_HEADER_BYTES + self.options.wire_len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_padded_to_words() {
        let timestamps = Some(Timestamps { value: 1, echo: 0 });
        let block = SeqRange::new(SeqNumber::new(7), 9);
        let syn = TcpOptions {
            mss: Some(1460),
            window_scale: Some(7),
            sack_permitted: true,
            timestamps,
            sack: SackBlocks::NONE,
        };
        assert_eq!(syn.wire_len(), 20);
        assert_eq!(TcpOptions { timestamps: None, ..syn }.wire_len(), 12);
        assert_eq!(TcpOptions::NONE.wire_len(), 0);
        let sack: SackBlocks = [block; 3].into_iter().collect();
        let ack = TcpOptions { timestamps, sack, ..TcpOptions::NONE };
        assert_eq!(ack.wire_len(), 12 + 4 + 24);
        let mut four: SackBlocks = [block; 5].into_iter().collect();
        assert_eq!(four.len(), 4);
        assert_eq!(TcpOptions { sack: four, ..TcpOptions::NONE }.wire_len(), 36);
        four.truncate(1);
        assert_eq!(four, [block].into_iter().collect());
    }

    #[test]
    fn flags_read_as_in_tcpdump() {
        assert_eq!((Flags::SYN | Flags::ACK).to_string(), "S.");
        assert_eq!((Flags::PSH | Flags::ACK | Flags::ECE).to_string(), "PE.");
        assert_eq!(Flags::NONE.to_string(), "-");
    }

    #[test]
    fn syn_and_fin_take_a_sequence_number_each() {
        let flags = Flags::SYN | Flags::FIN;
        let segment = Segment { seq: SeqNumber::new(10), len: 5, flags, ..Segment::default() };
        assert_eq!(segment.seq_len(), 7);
        assert_eq!(segment.range().start.get(), 11);
    }
}
