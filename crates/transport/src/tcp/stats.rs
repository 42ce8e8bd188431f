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
    /// Segments received, of every kind.
    pub segments_received: u64,
    /// Data segments received that held nothing new.
    pub duplicates_received: u64,
    /// Segments refused as old duplicates (RFC 7323 section 5).
    pub paws_rejected: u64,
    /// Challenge ACKs sent (RFC 5961).
    pub challenge_acks: u64,
    /// Duplicates that the peer has reported (RFC 2883).
    pub dsacks_received: u64,
    /// Packets received with a mark of congestion (RFC 3168).
    pub marks_received: u64,
}
