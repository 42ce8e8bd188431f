//! Packets that leave.

use netjoule_transport::cost::Meter;
use netjoule_units::Instant;

use super::Stack;

impl<M: Meter> Stack<M> {
    /// The next packet to send, if any: it takes the place of what is in
    /// `packet`. Connections take turns, packet by packet.
    ///
    /// A driver that passes the same vector again spares filling it with zeros.
    pub fn poll_transmit(&mut self, now: Instant, packet: &mut Vec<u8>) -> bool {
        if let Some(reply) = self.replies.pop() {
            *packet = reply;
            self.counters.packets_out += 1;
            return true;
        }
        while let Some(&index) = self.ready.front() {
            if let Some((_, entry)) = self.connections.at(index)
                && entry.transmit(now, self.identification, &mut self.transmission, packet)
            {
                self.identification = self.identification.wrapping_add(1);
                self.counters.packets_out += 1;
                if entry.engine.is_quiet() {
                    self.ready.pop_front();
                    if super::rest(index, entry, &mut self.deadlines) {
                        self.retire(index);
                    }
                } else if self.ready.len() > 1 {
                    self.ready.rotate_left(1);
                }
                return true;
            }
            self.ready.pop_front();
            self.rest(index);
        }
        self.is_idle = true;
        false
    }
}
