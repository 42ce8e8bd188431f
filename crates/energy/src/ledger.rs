//! What energy was spent on: times and energies that only grow.

use core::ops::{Add, AddAssign};

use netjoule_units::{Duration, Energy, Power};

/// What a frame, or the work on a packet, is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// Data that were not sent before.
    Payload,
    /// Data that the transport sends again.
    Retransmission,
    /// Acknowledgments of the transport.
    Acknowledgment,
    /// What opens and closes connections, and notices of the network.
    Control,
    /// What the link layer sends again.
    Repetition,
    /// What the link layer sends for its own sake: ACK, RTS, CTS.
    LinkControl,
    /// Beacons, polls and announcements.
    PowerSave,
    /// What is for others.
    Others,
}

impl Purpose {
    /// Every purpose.
    pub const ALL: [Self; 8] = [
        Self::Payload,
        Self::Retransmission,
        Self::Acknowledgment,
        Self::Control,
        Self::Repetition,
        Self::LinkControl,
        Self::PowerSave,
        Self::Others,
    ];

    /// Its name in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Payload => "payload",
            Self::Retransmission => "retransmission",
            Self::Acknowledgment => "acknowledgment",
            Self::Control => "control",
            Self::Repetition => "repetition",
            Self::LinkControl => "link_control",
            Self::PowerSave => "power_save",
            Self::Others => "others",
        }
    }
}

/// Time, and the energy that went by in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// The time.
    pub time: Duration,
    /// The energy, exactly.
    pub energy: Energy,
}

impl Spent {
    /// `power` for `time`.
    pub(crate) fn book(&mut self, power: Power, time: Duration) {
        self.time += time;
        self.energy += power * time;
    }
}

impl Add for Spent {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { time: self.time + other.time, energy: self.energy + other.energy }
    }
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// What was spent, by purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByPurpose([Spent; Purpose::ALL.len()]);

impl AddAssign for ByPurpose {
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own += other);
    }
}

impl ByPurpose {
    /// What was spent on `purpose`.
    #[must_use]
    pub const fn of(&self, purpose: Purpose) -> Spent {
        self.0[purpose as usize]
    }

    /// What was spent on each purpose.
    pub fn iter(&self) -> impl Iterator<Item = (Purpose, Spent)> {
        Purpose::ALL.into_iter().zip(self.0)
    }

    /// What was spent in all.
    #[must_use]
    pub fn total(&self) -> Spent {
        self.0.into_iter().fold(Spent::default(), Add::add)
    }

    pub(crate) fn book(&mut self, purpose: Purpose, power: Power, time: Duration) {
        self.0[purpose as usize].book(power, time);
    }

    /// Energy that takes no time.
    pub(crate) fn book_energy(&mut self, purpose: Purpose, energy: Energy) {
        self.0[purpose as usize].energy += energy;
    }
}
