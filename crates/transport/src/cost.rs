//! What an engine does, counted for the processor's bill.
//!
//! An engine reports its operations to a [`Meter`]. With [`Off`], which is the
//! default, the reports compile to nothing.

/// An operation that costs a processor time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// A segment with payload was taken in.
    DataIn,
    /// A segment with payload was sent.
    DataOut,
    /// A segment without payload, SYN, FIN or RST was taken in.
    AckIn,
    /// A segment without payload, SYN, FIN or RST was sent.
    AckOut,
    /// A segment with SYN, FIN or RST and no payload was taken in.
    ControlIn,
    /// A segment with SYN, FIN or RST and no payload was sent.
    ControlOut,
    /// A segment was sent again.
    Retransmission,
    /// Header prediction held (agarwal2000 3.4).
    FastPath,
    /// A segment went through all the steps of RFC 9293 section 3.10.7.
    SlowPath,
    /// Timestamps were compared for old duplicates (RFC 7323 section 5).
    PawsCheck,
    /// Bytes of TCP options were read.
    OptionBytesIn,
    /// Bytes of TCP options were written.
    OptionBytesOut,
    /// SACK blocks were entered into the scoreboard.
    SackBlockIn,
    /// SACK blocks were reported.
    SackBlockOut,
    /// A timer was set or stopped.
    TimerChange,
    /// A timer ran out.
    TimerExpiry,
    /// Bytes of payload were copied.
    BytesCopied,
    /// Bytes were added up for a checksum.
    BytesSummed,
    /// A header was made by changing a template.
    HeaderFromTemplate,
    /// A header was made from nothing.
    HeaderFromScratch,
    /// The connection of a segment was at the head of its chain.
    LookupHit,
    /// The connection of a segment had to be searched for.
    LookupMiss,
    /// The driver was woken, by a packet, a timer or the application.
    WakeUp,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 23] = [
        Self::DataIn,
        Self::DataOut,
        Self::AckIn,
        Self::AckOut,
        Self::ControlIn,
        Self::ControlOut,
        Self::Retransmission,
        Self::FastPath,
        Self::SlowPath,
        Self::PawsCheck,
        Self::OptionBytesIn,
        Self::OptionBytesOut,
        Self::SackBlockIn,
        Self::SackBlockOut,
        Self::TimerChange,
        Self::TimerExpiry,
        Self::BytesCopied,
        Self::BytesSummed,
        Self::HeaderFromTemplate,
        Self::HeaderFromScratch,
        Self::LookupHit,
        Self::LookupMiss,
        Self::WakeUp,
    ];

    /// The name in tables and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::DataIn => "data_in",
            Self::DataOut => "data_out",
            Self::AckIn => "ack_in",
            Self::AckOut => "ack_out",
            Self::ControlIn => "control_in",
            Self::ControlOut => "control_out",
            Self::Retransmission => "retransmissions",
            Self::FastPath => "fast_path",
            Self::SlowPath => "slow_path",
            Self::PawsCheck => "paws_checks",
            Self::OptionBytesIn => "option_bytes_in",
            Self::OptionBytesOut => "option_bytes_out",
            Self::SackBlockIn => "sack_blocks_in",
            Self::SackBlockOut => "sack_blocks_out",
            Self::TimerChange => "timer_changes",
            Self::TimerExpiry => "timer_expiries",
            Self::BytesCopied => "bytes_copied",
            Self::BytesSummed => "bytes_summed",
            Self::HeaderFromTemplate => "headers_from_template",
            Self::HeaderFromScratch => "headers_from_scratch",
            Self::LookupHit => "lookup_hits",
            Self::LookupMiss => "lookup_misses",
            Self::WakeUp => "wake_ups",
        }
    }
}

/// Takes note of operations.
pub trait Meter: Default {
    /// Whether anything is noted. Work that serves the meter only is left out
    /// when it is `false`.
    const ON: bool = true;

    /// `operation` was done `times` times, or on so many bytes.
    fn note(&mut self, operation: Operation, times: u64);
}

/// Counts nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Off;

impl Meter for Off {
    const ON: bool = false;
    #[inline(always)]
    fn note(&mut self, _: Operation, _: u64) {}
}

/// Counts every operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([u64; Operation::ALL.len()]);

impl Counts {
    /// How often `operation` was done, or on how many bytes.
    #[must_use]
    pub const fn of(&self, operation: Operation) -> u64 {
        self.0[operation as usize]
    }

    /// Every operation with its count.
    pub fn iter(&self) -> impl Iterator<Item = (Operation, u64)> {
        Operation::ALL.into_iter().zip(self.0)
    }

    /// Adds what `other` has counted.
    pub fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }
}

impl Meter for Counts {
    fn note(&mut self, operation: Operation, times: u64) {
        self.0[operation as usize] += times;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_counted_each_by_itself() {
        let mut counts = Counts::default();
        for (index, operation) in Operation::ALL.into_iter().enumerate() {
            counts.note(operation, index as u64);
        }
        counts.add(&counts.clone());
        for (index, (operation, count)) in counts.iter().enumerate() {
            assert_eq!(operation as usize, index);
            assert_eq!(count, 2 * index as u64, "{}", operation.name());
        }
    }

    #[test]
    fn a_meter_that_is_off_takes_no_room() {
        assert_eq!(size_of::<Off>(), 0);
    }
}
