//! The states of a connection, and how they follow each other (RFC 9293
//! section 3.3.2, figure 5).

use core::fmt;

/// A connection's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// There is no connection (any more).
    Closed,
    /// Waiting for a SYN.
    Listen,
    /// SYN sent, waiting for the peer's.
    SynSent,
    /// SYN sent and received, waiting for the acknowledgment of ours.
    SynReceived,
    /// Open both ways.
    Established,
    /// We have closed; our FIN is not acknowledged.
    FinWait1,
    /// Our FIN is acknowledged; the peer may go on sending.
    FinWait2,
    /// The peer has closed; we may go on sending.
    CloseWait,
    /// Both have closed at the same time; our FIN is not acknowledged.
    Closing,
    /// The peer closed first; our FIN is not acknowledged.
    LastAck,
    /// Waiting until no old segment can be on its way.
    TimeWait,
}

/// What makes a connection change its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trigger {
    /// The application listens.
    PassiveOpen,
    /// The application connects.
    ActiveOpen,
    /// A SYN has come that does not acknowledge ours.
    Syn,
    /// A SYN has come that acknowledges ours.
    SynAck,
    /// Our SYN is acknowledged.
    SynAcknowledged,
    /// The application has nothing more to send.
    Close,
    /// The peer's FIN has been reached.
    Fin,
    /// Our FIN is acknowledged.
    FinAcknowledged,
    /// Twice the maximum segment lifetime has passed.
    TimeWaitOver,
    /// A reset, sent or received, or a timeout that ends everything.
    Abort,
}

/// Every transition but `Abort`, which leads from anywhere to `Closed`.
pub const TRANSITIONS: [(State, Trigger, State); 16] = [
    (State::Closed, Trigger::PassiveOpen, State::Listen),
    (State::Closed, Trigger::ActiveOpen, State::SynSent),
    (State::Listen, Trigger::Syn, State::SynReceived),
    (State::SynSent, Trigger::Syn, State::SynReceived),
    (State::SynSent, Trigger::SynAck, State::Established),
    (State::SynReceived, Trigger::SynAcknowledged, State::Established),
    (State::Established, Trigger::Close, State::FinWait1),
    (State::Established, Trigger::Fin, State::CloseWait),
    (State::FinWait1, Trigger::FinAcknowledged, State::FinWait2),
    (State::FinWait1, Trigger::Fin, State::Closing),
    (State::FinWait2, Trigger::Fin, State::TimeWait),
    (State::CloseWait, Trigger::Close, State::LastAck),
    (State::Closing, Trigger::FinAcknowledged, State::TimeWait),
    (State::LastAck, Trigger::FinAcknowledged, State::Closed),
    (State::TimeWait, Trigger::TimeWaitOver, State::Closed),
    // A retransmitted FIN starts the wait anew (RFC 9293 section 3.10.7.4).
    (State::TimeWait, Trigger::Fin, State::TimeWait),
];

impl State {
    /// The state after `trigger`; `None` if it means nothing here.
    #[must_use]
    pub fn after(self, trigger: Trigger) -> Option<Self> {
        if trigger == Trigger::Abort {
            return Some(Self::Closed);
        }
        TRANSITIONS
            .iter()
            .find(|(from, by, _)| (*from, *by) == (self, trigger))
            .map(|(_, _, to)| *to)
    }

    /// Whether both ends know each other's sequence numbers (RFC 9293 section
    /// 3.5).
    #[must_use]
    pub const fn is_synchronized(self) -> bool {
        !matches!(self, Self::Closed | Self::Listen | Self::SynSent | Self::SynReceived)
    }

    /// Whether data or a FIN can be on its way, or leave.
    #[must_use]
    pub const fn can_send(self) -> bool {
        matches!(
            self,
            Self::Established | Self::FinWait1 | Self::CloseWait | Self::Closing | Self::LastAck
        )
    }

    /// Whether the peer can still send data.
    #[must_use]
    pub const fn can_receive(self) -> bool {
        matches!(self, Self::Established | Self::FinWait1 | Self::FinWait2)
    }
}

/// The name in the RFC.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Closed => "CLOSED",
            Self::Listen => "LISTEN",
            Self::SynSent => "SYN-SENT",
            Self::SynReceived => "SYN-RECEIVED",
            Self::Established => "ESTABLISHED",
            Self::FinWait1 => "FIN-WAIT-1",
            Self::FinWait2 => "FIN-WAIT-2",
            Self::CloseWait => "CLOSE-WAIT",
            Self::Closing => "CLOSING",
            Self::LastAck => "LAST-ACK",
            Self::TimeWait => "TIME-WAIT",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(triggers: &[Trigger]) -> Vec<String> {
        let mut state = State::Closed;
        triggers
            .iter()
            .map(|trigger| {
                state = state.after(*trigger).expect("a transition of the figure");
                state.to_string()
            })
            .collect()
    }

    #[test]
    fn the_ways_through_figure_5() {
        use Trigger::{
            ActiveOpen, Close, Fin, FinAcknowledged, PassiveOpen, Syn, SynAck, SynAcknowledged,
            TimeWaitOver,
        };
        assert_eq!(
            walk(&[ActiveOpen, SynAck, Close, FinAcknowledged, Fin, TimeWaitOver]),
            ["SYN-SENT", "ESTABLISHED", "FIN-WAIT-1", "FIN-WAIT-2", "TIME-WAIT", "CLOSED"]
        );
        assert_eq!(
            walk(&[PassiveOpen, Syn, SynAcknowledged, Fin, Close, FinAcknowledged]),
            ["LISTEN", "SYN-RECEIVED", "ESTABLISHED", "CLOSE-WAIT", "LAST-ACK", "CLOSED"]
        );
        assert_eq!(
            walk(&[ActiveOpen, Syn, SynAcknowledged, Close, Fin, FinAcknowledged]),
            ["SYN-SENT", "SYN-RECEIVED", "ESTABLISHED", "FIN-WAIT-1", "CLOSING", "TIME-WAIT"]
        );
    }

    #[test]
    fn a_trigger_leads_to_one_state_at_most() {
        for (index, (from, by, _)) in TRANSITIONS.iter().enumerate() {
            let again = TRANSITIONS[..index].iter().any(|(f, b, _)| (f, b) == (from, by));
            assert!(!again, "{from} by {by:?} twice");
            assert_eq!(from.after(Trigger::Abort), Some(State::Closed));
        }
        assert_eq!(State::Listen.after(Trigger::Fin), None);
    }
}
