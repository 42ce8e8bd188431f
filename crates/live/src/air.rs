//! A shared medium between our stack and the device: the same stations as in
//! the simulator, in real time.

use netjoule_energy::ledger::Purpose;
use netjoule_link::arq::Discipline;
use netjoule_link::dot11::{self, Frame, Output, Position, Role, StationSetup, Stats, To};
use netjoule_link::two_state::Channel;
use netjoule_units::{Bytes, Instant};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use crate::line::Way;

/// Two stations next to each other: our stack is one, the device the other. ACKs
/// contend with data for the medium, as they do in the field.
pub(crate) struct Air {
    medium: dot11::Air<u32>,
    /// What frames carry, by their payload; empty once it has arrived.
    packets: Vec<Vec<u8>>,
    free: Vec<u32>,
    /// What waits at each station, and how much may.
    held: [Bytes; 2],
    queue: Bytes,
}

impl Air {
    /// A silent medium with draws from `rng`, whose stations hold packets of
    /// `queue` each at most.
    pub(crate) fn new(
        config: &dot11::Config,
        channel: Option<Channel>,
        queue: Bytes,
        rng: &mut Pcg64,
    ) -> Self {
        let mut station = || StationSetup {
            position: Position::default(),
            role: Role::Station,
            discipline: Discipline::Fifo,
            rate: None,
            rng: Pcg64::from_rng(rng),
        };
        let mut medium = dot11::Air::new(config, vec![station(), station()], 0);
        if let Some(channel) = channel {
            medium.set_channel(0, 1, channel);
        }
        Self { medium, packets: Vec::new(), free: Vec::new(), held: [Bytes::ZERO; 2], queue }
    }

    /// Takes `packet` to carry, or gives it back if its station's queue is full.
    pub(crate) fn offer(&mut self, now: Instant, way: Way, packet: Vec<u8>) -> Result<(), Vec<u8>> {
        let size = Bytes::new(packet.len() as u64);
        let from = way as usize;
        if self.held[from] + size > self.queue {
            return Err(packet);
        }
        self.held[from] += size;
        let payload = self.free.pop().unwrap_or_else(|| {
            self.packets.push(Vec::new());
            u32::try_from(self.packets.len() - 1).expect("the queue's bound is below")
        });
        self.packets[payload as usize] = packet;
        let (to, purpose) = (To::Station(1 - from), Purpose::Payload);
        self.medium.offer(now, from, 0, Frame { payload, size, to, purpose });
        Ok(())
    }

    /// The next packet that has arrived by `now`. Those given up are put into
    /// `lost`.
    pub(crate) fn poll(&mut self, now: Instant, lost: &mut Vec<Vec<u8>>) -> Option<(Way, Vec<u8>)> {
        while let Some(output) = self.medium.poll(now) {
            match output {
                Output::Delivered { from, frame, .. } => {
                    let way = if from == Way::Out as usize { Way::Out } else { Way::In };
                    let packet = core::mem::take(&mut self.packets[frame.payload as usize]);
                    return Some((way, packet));
                }
                Output::Acknowledged { from, frame } => self.release(from, &frame),
                Output::GivenUp { from, frame, delivered, .. } => {
                    if !delivered {
                        lost.push(core::mem::take(&mut self.packets[frame.payload as usize]));
                    }
                    self.release(from, &frame);
                }
                Output::Corrupted { .. } | Output::Deferred { .. } => {}
            }
        }
        None
    }

    /// When something happens next.
    pub(crate) fn poll_timeout(&self) -> Option<Instant> {
        self.medium.poll_timeout()
    }

    /// What our station and the other have done.
    pub(crate) fn stats(&self) -> [Stats; 2] {
        [Way::Out, Way::In].map(|way| *self.medium.stats(way as usize))
    }

    fn release(&mut self, from: usize, frame: &Frame<u32>) {
        self.held[from] -= frame.size;
        self.free.push(frame.payload);
    }
}
