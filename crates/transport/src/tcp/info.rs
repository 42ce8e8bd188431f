//! What a connection looks like from outside, in the spirit of `TCP_INFO`.

use netjoule_units::{Bytes, Duration};

use super::{Agreed, State, Stats};

/// A connection at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    /// The state.
    pub state: State,
    /// What the handshake has settled.
    pub agreed: Agreed,
    /// SMSS: payload bytes of a full segment sent, after path MTU discovery.
    pub mss: u32,
    /// The longest IP packet that the path is thought to carry, in bytes.
    pub path_mtu: u32,
    /// cwnd in bytes.
    pub cwnd: u32,
    /// ssthresh in bytes.
    pub ssthresh: u32,
    /// SRTT; `None` before the first sample.
    pub srtt: Option<Duration>,
    /// RTTVAR; `None` before the first sample.
    pub rttvar: Option<Duration>,
    /// The current RTO, back-off included.
    pub rto: Duration,
    /// How often the RTO is doubled.
    pub backoff: u32,
    /// Bytes written and never sent.
    pub unsent: Bytes,
    /// `FlightSize`: bytes sent and not acknowledged.
    pub unacked: u32,
    /// Bytes among them that the peer's SACK blocks report.
    pub sacked: u32,
    /// Bytes among them that SACK tells are lost.
    pub lost: u32,
    /// The window that the peer offers, in bytes.
    pub snd_wnd: u32,
    /// What is left of the window offered to it, in bytes.
    pub rcv_wnd: u32,
    /// In-order bytes that the application has not read.
    pub unread: u32,
    /// What the connection has done so far.
    pub stats: Stats,
}
