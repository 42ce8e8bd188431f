//! What a packet is on its way: a value, or the bytes of a real one.

use netjoule_wire::{Body, Packet, packet};

/// Carries packets over the boundary between nodes and links: as values, unless
/// the run asks for bytes.
#[derive(Debug)]
pub(crate) struct Carriage(Option<Box<AsBytes>>);

/// Packets become bytes and are read again, so that nothing travels but what is
/// on the wire.
#[derive(Debug, Default)]
struct AsBytes {
    bytes: Vec<u8>,
    /// The payload that a packet should have.
    payload: Vec<u8>,
}

impl Carriage {
    pub(crate) fn new(in_bytes: bool) -> Self {
        Self(in_bytes.then(Box::default))
    }

    /// Makes `packet` what it is on the other side.
    #[inline]
    pub(crate) fn carry(&mut self, packet: &mut Packet) {
        if let Some(carriage) = &mut self.0 {
            carriage.carry(packet);
        }
    }
}

impl AsBytes {
    /// # Panics
    /// If another packet comes out than goes in: the formats and the simulator
    /// would not mean the same.
    #[cold]
    fn carry(&mut self, packet: &mut Packet) {
        let Self { bytes, payload } = self;
        let read = packet::emit(packet, packet::pattern, bytes).and_then(|()| packet::parse(bytes));
        let received = read.unwrap_or_else(|error| panic!("{packet}: {error}"));
        assert!(received == *packet, "{packet} has become {received}");
        if let Body::Tcp(segment) = &received.body {
            payload.resize(segment.len as usize, 0);
            packet::pattern(segment.range(), payload);
            assert!(bytes.ends_with(payload), "{packet} carries other bytes");
        }
        *packet = received;
    }
}

#[cfg(test)]
mod tests {
    use netjoule_wire::{Address, Ecn, Segment, SeqNumber};

    use super::*;

    fn packet(len: u32) -> Packet {
        let seq = SeqNumber::new(u32::MAX - 5);
        Packet {
            source: Address::of_node(0),
            destination: Address::of_node(1),
            ecn: Ecn::Ect0,
            body: Body::Tcp(Segment { seq, len, ..Segment::default() }),
        }
    }

    #[test]
    fn a_packet_comes_out_as_it_goes_in() {
        let mut carriage = Carriage::new(true);
        for len in [0, 1, 1_000, 7, 65_495] {
            let mut carried = packet(len);
            carriage.carry(&mut carried);
            assert_eq!(carried, packet(len));
        }
    }

    #[test]
    #[should_panic(expected = "packet length")]
    fn a_packet_that_is_too_long_for_ip_is_none() {
        Carriage::new(true).carry(&mut packet(65_496));
    }
}
