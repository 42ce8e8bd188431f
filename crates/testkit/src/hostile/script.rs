//! Decisions read from bytes.

/// Reads decisions from the front of its bytes; zeros when they have run out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Script<'a>(&'a [u8]);

impl<'a> Script<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(super) const fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn byte(&mut self) -> u8 {
        let [byte] = self.take();
        byte
    }

    pub(super) fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    pub(super) fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    pub(super) fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    /// A number that is often zero or small, sometimes anything.
    pub(super) fn offset(&mut self) -> u32 {
        let kind = self.byte();
        match kind % 8 {
            0..=2 => 0,
            3 => u32::from(self.byte()),
            4 => u32::from(self.u16()),
            5 => u32::from(self.byte()).wrapping_neg(),
            6 => u32::from(self.u16()).wrapping_neg(),
            _ => self.u32(),
        }
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (head, tail) = self.0.split_at(N.min(self.0.len()));
        self.0 = tail;
        let mut bytes = [0; N];
        bytes[..head.len()].copy_from_slice(head);
        bytes
    }
}
