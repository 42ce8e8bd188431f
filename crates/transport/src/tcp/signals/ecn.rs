//! Explicit congestion notification (RFC 3168 section 6.1): the sender's part
//! and the receiver's.

use netjoule_wire::{Ecn, Flags, SeqNumber};

/// The sending half: answers echoes, at most once for each window of data.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct EcnSender {
    enabled: bool,
    /// What was outstanding at the last reduction lies before.
    recover: SeqNumber,
    /// Whether the receiver still has to hear of the reduction.
    cwr_due: bool,
}

/// The receiving half: echoes marks until the sender has answered.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::tcp) struct EcnReceiver {
    enabled: bool,
    echo: bool,
}

impl EcnSender {
    pub(in crate::tcp) const fn new(enabled: bool, iss: SeqNumber) -> Self {
        Self { enabled, recover: iss, cwr_due: false }
    }

    pub(in crate::tcp) const fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// An ACK for `snd_una` has ECE. Returns whether the window shall shrink.
    pub(in crate::tcp) fn on_echo(&mut self, snd_una: SeqNumber, snd_max: SeqNumber) -> bool {
        // Section 6.1.2: "at most once in response to one or more" marks in a
        // window of data.
        let due = self.enabled && !snd_una.is_before(self.recover) && snd_una != snd_max;
        if due {
            self.on_reduction(snd_max);
        }
        due
    }

    /// The window has shrunk, for whatever reason: the next new data says so.
    pub(in crate::tcp) const fn on_reduction(&mut self, snd_max: SeqNumber) {
        self.recover = snd_max;
        self.cwr_due = self.enabled;
    }

    /// Everything before `snd_una` is acknowledged: the last reduction must not
    /// seem to lie ahead after half the sequence space.
    pub(in crate::tcp) fn on_new_ack(&mut self, snd_una: SeqNumber) {
        self.recover = self.recover.later(snd_una);
    }

    /// How a segment of new data leaves: its mark, and CWR if it is due. Those
    /// sent again leave without (section 6.1.5).
    pub(in crate::tcp) const fn mark_new_data(&mut self) -> (Ecn, Flags) {
        if !self.enabled {
            return (Ecn::NotEct, Flags::NONE);
        }
        let flags = if self.cwr_due { Flags::CWR } else { Flags::NONE };
        self.cwr_due = false;
        (Ecn::Ect0, flags)
    }
}

impl EcnReceiver {
    pub(in crate::tcp) const fn new(enabled: bool) -> Self {
        Self { enabled, echo: false }
    }

    /// A data segment has come with a mark or without. CWR ends the echo, a
    /// mark on the same packet begins it anew (section 6.1.3).
    pub(in crate::tcp) fn on_data(&mut self, ecn: Ecn, flags: Flags) {
        if self.enabled {
            self.echo = ecn == Ecn::Ce || (self.echo && !flags.has(Flags::CWR));
        }
    }

    /// ECE as long as there is something to echo.
    pub(in crate::tcp) const fn flags(&self) -> Flags {
        if self.echo { Flags::ECE } else { Flags::NONE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_shrinks_once_for_a_window_of_data() {
        let at = SeqNumber::new;
        let mut ecn = EcnSender::new(true, at(0));
        assert!(ecn.on_echo(at(10), at(100)));
        assert!(!ecn.on_echo(at(20), at(110)));
        assert_eq!(ecn.mark_new_data(), (Ecn::Ect0, Flags::CWR));
        assert_eq!(ecn.mark_new_data(), (Ecn::Ect0, Flags::NONE));
        assert!(ecn.on_echo(at(100), at(200)));
        assert!(!EcnSender::new(false, at(0)).on_echo(at(10), at(100)));
    }

    #[test]
    fn a_mark_is_echoed_until_the_sender_has_answered() {
        let mut ecn = EcnReceiver::new(true);
        ecn.on_data(Ecn::Ect0, Flags::ACK);
        assert_eq!(ecn.flags(), Flags::NONE);
        ecn.on_data(Ecn::Ce, Flags::ACK);
        ecn.on_data(Ecn::Ect0, Flags::ACK);
        assert_eq!(ecn.flags(), Flags::ECE);
        ecn.on_data(Ecn::Ect0, Flags::ACK | Flags::CWR);
        assert_eq!(ecn.flags(), Flags::NONE);
        ecn.on_data(Ecn::Ce, Flags::ACK | Flags::CWR);
        assert_eq!(ecn.flags(), Flags::ECE);
    }
}
