//! Packets that leave.

use netjoule_transport::cost::Meter;
use netjoule_units::Instant;

use super::Stack;

impl<M: Meter> Stack<M> {
    /// The next packet to send, if any: it takes the place of what is in
    /// `packet`. Connections take turns, packet by packet.
    ///
    /// A driver that passes the same vector again spares filling it with zeros.
    #[inline(always)]
    pub fn poll_transmit(&mut self, now: Instant, packet: &mut Vec<u8>) -> bool {
        // A driver asks at least once too often for each packet that comes.
        if self.agenda.ready.is_empty() && self.replies.is_empty() {
            self.is_idle = true;
            return false;
        }
        self.next_packet(now, packet)
    }

    fn next_packet(&mut self, now: Instant, packet: &mut Vec<u8>) -> bool {
        if let Some(reply) = self.replies.pop() {
            *packet = reply;
            self.counters.packets_out += 1;
            return true;
        }
        while let Some(&index) = self.agenda.ready.front() {
            let Some((_, entry)) = self.connections.at(index) else {
                self.agenda.ready.pop_front();
                continue;
            };
            let any = entry.transmit(now, self.identification, &mut self.transmission, packet);
            if any {
                self.identification = self.identification.wrapping_add(1);
                self.counters.packets_out += 1;
            }
            if !any || entry.engine.is_quiet() {
                self.agenda.ready.pop_front();
                if self.agenda.rest(index, entry) {
                    self.retire(index);
                }
            } else if self.agenda.ready.len() > 1 {
                self.agenda.ready.rotate_left(1);
            }
            if any {
                return true;
            }
        }
        self.is_idle = true;
        false
    }
}
