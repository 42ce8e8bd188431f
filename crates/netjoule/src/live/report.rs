//! What is told at the end of a transfer.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use netjoule_link::dot11::{Kind, Stats};
use netjoule_link::impair;
use netjoule_live::apps::Transfer;
use netjoule_live::line::Tallies;
use netjoule_stack::Info;
use netjoule_transport::cost::Operation;
use serde::Serialize;

use super::{Knobs, Session};

/// A transfer and what it took. Scripts rely on the names: fields are added,
/// never renamed.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) role: &'static str,
    pub(crate) variant: &'static str,
    pub(crate) profile: &'static str,
    pub(crate) local: SocketAddr,
    pub(crate) remote: SocketAddr,
    /// Whether every byte arrived and the connection ended in order.
    pub(crate) completed: bool,
    /// How it ended.
    pub(crate) end: String,
    pub(crate) bytes: u64,
    /// From the end of the handshake to the last byte (recv) or its
    /// acknowledgment (send).
    pub(crate) time_s: Option<f64>,
    pub(crate) goodput_bit_per_s: Option<f64>,
    pub(crate) sha256: Option<String>,
    #[serde(flatten)]
    pub(crate) connection: Option<Connection>,
    /// What the stack has done, in this connection and besides.
    pub(crate) operations: BTreeMap<&'static str, u64>,
    pub(crate) device: Device,
    /// What the line in front of the device has done to packets.
    pub(crate) line: Option<Line>,
}

/// What was last known of the connection.
#[derive(Debug, Serialize)]
pub(crate) struct Connection {
    pub(crate) segments_sent: u64,
    pub(crate) segments_retransmitted: u64,
    pub(crate) timeouts: u64,
    pub(crate) fast_retransmits: u64,
    pub(crate) acks_sent: u64,
    pub(crate) segments_received: u64,
    pub(crate) duplicates_received: u64,
    pub(crate) dsacks_received: u64,
    pub(crate) paws_rejected: u64,
    pub(crate) challenge_acks: u64,
    pub(crate) marks_received: u64,
    pub(crate) negotiated: Negotiated,
    pub(crate) cwnd_bytes: u32,
    pub(crate) ssthresh_bytes: u32,
    pub(crate) srtt_s: Option<f64>,
    pub(crate) rttvar_s: Option<f64>,
    pub(crate) rto_s: f64,
    pub(crate) path_mtu_bytes: u32,
}

/// What the handshake has settled.
#[derive(Debug, Serialize)]
pub(crate) struct Negotiated {
    pub(crate) mss_bytes: u32,
    pub(crate) peer_mss_bytes: u32,
    pub(crate) window_scale: bool,
    /// The shift of the windows that the peer offers.
    pub(crate) window_shift_peer: u8,
    /// The shift of the windows that we offer.
    pub(crate) window_shift_own: u8,
    pub(crate) sack: bool,
    pub(crate) timestamps: bool,
    pub(crate) ecn: bool,
}

/// What the loop has done with the device.
#[derive(Debug, Serialize)]
pub(crate) struct Device {
    pub(crate) packets_in: u64,
    pub(crate) packets_out: u64,
    pub(crate) packets_refused: u64,
    pub(crate) reads: u64,
    pub(crate) writes: u64,
    /// Packets with a wrong checksum.
    pub(crate) damaged: u64,
    /// Packets that were wrong otherwise, or not understood.
    pub(crate) malformed: u64,
    /// Resets in answer to segments of no connection.
    pub(crate) resets_sent: u64,
}

/// What the line has done, each way.
#[derive(Debug, Serialize)]
pub(crate) struct Line {
    pub(crate) out: impair::Tally,
    #[serde(rename = "in")]
    pub(crate) inward: impair::Tally,
    /// What our station and the device's have done on a shared medium.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) air: Option<[Station; 2]>,
}

/// What a station has done.
#[derive(Debug, Serialize)]
pub(crate) struct Station {
    pub(crate) data_frames: u64,
    pub(crate) acks: u64,
    pub(crate) rts: u64,
    pub(crate) unanswered: u64,
    pub(crate) packets_given_up: u64,
    pub(crate) airtime_s: f64,
}

impl Report {
    pub(crate) fn new(
        role: &'static str,
        knobs: &Knobs,
        transfer: &Transfer,
        session: &Session,
    ) -> Self {
        let work = session.driver.work();
        let counters = session.stack.counters();
        let mut counts = *session.stack.meter();
        if let Ok(own) = session.stack.meter_of(transfer.id) {
            counts.add(own);
        }
        let mut operations: BTreeMap<_, _> =
            counts.iter().map(|(operation, count)| (operation.name(), count)).collect();
        // Only the loop knows when it was woken.
        operations.insert(Operation::WakeUp.name(), work.wake_ups);
        Self {
            role,
            variant: knobs.variant().name,
            profile: knobs.profile().name(),
            local: transfer.local,
            remote: transfer.remote,
            completed: transfer.succeeded(),
            end: end(transfer),
            bytes: transfer.bytes.get(),
            time_s: transfer.time().map(|time| time.as_secs_f64()),
            goodput_bit_per_s: transfer.goodput_bit_per_s(),
            sha256: transfer.digest.as_ref().map(ToString::to_string),
            connection: transfer.info.as_ref().map(Connection::from),
            operations,
            device: Device {
                packets_in: work.packets_in,
                packets_out: work.packets_out,
                packets_refused: work.packets_refused,
                reads: work.reads,
                writes: work.writes,
                damaged: counters.damaged,
                malformed: counters.malformed,
                resets_sent: counters.resets_sent,
            },
            line: session.driver.tallies().map(|Tallies { out, inward, air }| {
                let air = air.map(|stations| stations.map(|stats| Station::from(&stats)));
                Line { out, inward, air }
            }),
        }
    }
}

fn end(transfer: &Transfer) -> String {
    match (transfer.cause, &transfer.info) {
        (Some(cause), _) => cause.to_string(),
        (None, Some(info)) => info.state.to_string(),
        (None, None) => "unknown".into(),
    }
}

impl From<&Stats> for Station {
    fn from(stats: &Stats) -> Self {
        let sent = |kind: Kind| stats.sent[kind as usize];
        Self {
            data_frames: sent(Kind::Data),
            acks: sent(Kind::Ack) + sent(Kind::BlockAck),
            rts: sent(Kind::Rts),
            unanswered: stats.unanswered,
            packets_given_up: stats.given_up,
            airtime_s: stats.airtime.as_secs_f64(),
        }
    }
}

impl From<&Info> for Connection {
    fn from(info: &Info) -> Self {
        let stats = &info.stats;
        let (window_shift_peer, window_shift_own) = info.agreed.window_shifts;
        Self {
            segments_sent: stats.segments_sent,
            segments_retransmitted: stats.segments_retransmitted,
            timeouts: stats.timeouts,
            fast_retransmits: stats.fast_retransmits,
            acks_sent: stats.acks_sent,
            segments_received: stats.segments_received,
            duplicates_received: stats.duplicates_received,
            dsacks_received: stats.dsacks_received,
            paws_rejected: stats.paws_rejected,
            challenge_acks: stats.challenge_acks,
            marks_received: stats.marks_received,
            negotiated: Negotiated {
                mss_bytes: info.agreed.smss,
                peer_mss_bytes: info.agreed.peer_mss,
                window_scale: info.agreed.window_scale,
                window_shift_peer,
                window_shift_own,
                sack: info.agreed.sack,
                timestamps: info.agreed.timestamps,
                ecn: info.agreed.ecn,
            },
            cwnd_bytes: info.cwnd,
            ssthresh_bytes: info.ssthresh,
            srtt_s: info.srtt.map(|srtt| srtt.as_secs_f64()),
            rttvar_s: info.rttvar.map(|rttvar| rttvar.as_secs_f64()),
            rto_s: info.rto.as_secs_f64(),
            path_mtu_bytes: info.path_mtu,
        }
    }
}
