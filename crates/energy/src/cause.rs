//! What energy goes by: the parts into which a total, and the difference of two
//! totals, is split.

use core::ops::AddAssign;

use netjoule_units::Energy;

use crate::ledger::{ByPurpose, Purpose};
use crate::platform::PlatformAccount;
use crate::processor::ProcessorAccount;
use crate::radio::RadioAccount;

/// Why energy was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The radio sent or received what had to be on the air.
    Airtime,
    /// It sent or received what the transport or the link layer sent again.
    Retransmission,
    /// It received what was for others.
    Overhearing,
    /// Radio and processor waited: listening, dozing, and the ways between rest
    /// and work.
    Idle,
    /// The processor worked.
    Processing,
    /// Everything but radio and processor.
    Platform,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Self; 6] = [
        Self::Airtime,
        Self::Retransmission,
        Self::Overhearing,
        Self::Idle,
        Self::Processing,
        Self::Platform,
    ];

    /// Its name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Airtime => "airtime",
            Self::Retransmission => "retransmission",
            Self::Overhearing => "overhearing",
            Self::Idle => "idle",
            Self::Processing => "processing",
            Self::Platform => "platform",
        }
    }

    /// That of a radio's work for `purpose`.
    #[must_use]
    pub const fn of_work_for(purpose: Purpose) -> Self {
        match purpose {
            Purpose::Payload
            | Purpose::Acknowledgment
            | Purpose::Control
            | Purpose::LinkControl
            | Purpose::PowerSave => Self::Airtime,
            Purpose::Retransmission | Purpose::Repetition => Self::Retransmission,
            Purpose::Others => Self::Overhearing,
        }
    }
}

/// An energy by cause. Every attojoule of the accounts has one cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Split([Energy; Cause::ALL.len()]);

impl Split {
    /// What a device has drawn.
    #[must_use]
    pub fn of(
        radio: &RadioAccount,
        processor: &ProcessorAccount,
        platform: &PlatformAccount,
    ) -> Self {
        let mut split = Self::default();
        for (purpose, spent) in radio.transmit.iter().chain(radio.receive.iter()) {
            split.book(Cause::of_work_for(purpose), spent.energy);
        }
        for energy in [radio.listen.energy, radio.doze.energy, radio.wake_ups, radio.promotions] {
            split.book(Cause::Idle, energy);
        }
        split.book(Cause::Idle, processor.idle.energy);
        split.book(Cause::Idle, processor.wake_ups);
        let work = |spent: &ByPurpose| spent.total().energy;
        split.book(Cause::Processing, work(&processor.active) + work(&processor.frames));
        split.book(Cause::Platform, platform.total());
        split
    }

    /// What went by `cause`.
    #[must_use]
    pub const fn by(&self, cause: Cause) -> Energy {
        self.0[cause as usize]
    }

    /// All of it.
    #[must_use]
    pub fn total(&self) -> Energy {
        self.0.into_iter().sum()
    }

    fn book(&mut self, cause: Cause, energy: Energy) {
        self.0[cause as usize] += energy;
    }
}

impl AddAssign for Split {
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own += other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Spent;

    fn nano(nj: u128) -> Energy {
        Energy::from_attojoules(nj * 1_000_000_000)
    }

    fn spent(nj: u128) -> Spent {
        Spent { energy: nano(nj), ..Spent::default() }
    }

    /// Each entry has another power of two, so that each is in one place.
    #[test]
    fn every_entry_has_one_cause() {
        let mut next = 0;
        let mut bit = || {
            next += 1;
            1 << (next - 1)
        };
        let by_purpose = |bit: &mut dyn FnMut() -> u128| {
            let mut spent = ByPurpose::default();
            Purpose::ALL.into_iter().for_each(|it| spent.book_energy(it, nano(bit())));
            spent
        };
        let radio = RadioAccount {
            transmit: by_purpose(&mut bit),
            receive: by_purpose(&mut bit),
            listen: spent(bit()),
            doze: spent(bit()),
            wake_ups: nano(bit()),
            promotions: nano(bit()),
        };
        let processor = ProcessorAccount {
            active: by_purpose(&mut bit),
            frames: by_purpose(&mut bit),
            idle: spent(bit()),
            wake_ups: nano(bit()),
            wake_up_count: 0,
        };
        let platform = PlatformAccount { base: spent(bit()), activity: spent(bit()) };
        let split = Split::of(&radio, &processor, &platform);
        let both = |bits: u128| bits | bits << 8;
        assert_eq!(split.by(Cause::Airtime), nano(both(0b0110_1101)));
        assert_eq!(split.by(Cause::Retransmission), nano(both(0b0001_0010)));
        assert_eq!(split.by(Cause::Overhearing), nano(both(0b1000_0000)));
        assert_eq!(split.by(Cause::Idle), nano(0b1111 << 16 | 0b11 << 36));
        assert_eq!(split.by(Cause::Processing), nano(0xFFFF << 20));
        assert_eq!(split.by(Cause::Platform), nano(0b11 << 38));
        assert_eq!(split.total(), radio.total() + processor.total() + platform.total());
        assert_eq!(split.total(), nano((1 << 40) - 1));
    }

    #[test]
    fn causes_stand_at_their_own_place() {
        for (index, cause) in Cause::ALL.into_iter().enumerate() {
            assert_eq!(cause as usize, index, "{cause:?}");
        }
    }
}
