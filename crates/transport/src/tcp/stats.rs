//! Counters of one connection.

/// What a connection has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Data segments sent, retransmissions included.
    pub segments_sent: u64,
    /// Data segments sent again, whole or in part.
    pub segments_retransmitted: u64,
    /// Retransmission timers that ran out.
    pub timeouts: u64,
    /// Fast retransmits.
    pub fast_retransmits: u64,
    /// Pure acknowledgments sent.
    pub acks_sent: u64,
    /// Data segments received that held nothing new.
    pub duplicates_received: u64,
}
