//! Two hosts in one process and a bulk transfer between them: netjoule's
//! ([`ours`]), and smoltcp's for comparison. Packets of 1500 bytes, checksums made and
//! verified, an application copy on both sides, an ACK for every second
//! segment.

pub mod smoltcp;

use std::collections::VecDeque;

use netjoule_lab::cost::{BASELINE, Case, Pair};

/// Two of netjoule's hosts, with `idle` other connections: no timestamps and an
/// ACK for two segments, as smoltcp has it.
///
/// # Panics
/// Never: there is a baseline.
#[must_use]
pub fn ours(idle: usize) -> Pair {
    let mut setting = Case::named(BASELINE).expect("a baseline").setting();
    setting.idle = idle;
    Pair::new(&setting)
}

/// Payload of a full segment: 1500 bytes less both headers.
pub const MSS: usize = 1460;
/// Both buffers of the busy connection.
pub const BUFFER: usize = 64 * 1024;
/// What the application writes and reads at once.
pub const CHUNK: usize = 16 * 1024;
/// Virtual time of one round, in microseconds.
pub const ROUND_MICROS: u64 = 50;

/// One direction of a wire. Its vectors are used again.
#[derive(Debug, Default)]
pub struct Wire {
    under_way: VecDeque<Vec<u8>>,
    free: Vec<Vec<u8>>,
}

impl Wire {
    /// A vector for a packet, with what was in it before.
    pub fn take(&mut self) -> Vec<u8> {
        self.free.pop().unwrap_or_default()
    }

    /// A packet leaves.
    pub fn send(&mut self, packet: Vec<u8>) {
        self.under_way.push_back(packet);
    }

    /// The next packet that arrives.
    pub fn receive(&mut self) -> Option<Vec<u8>> {
        self.under_way.pop_front()
    }

    /// A vector is done with.
    pub fn give_back(&mut self, packet: Vec<u8>) {
        self.free.push(packet);
    }
}
