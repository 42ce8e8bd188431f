//! Headers of which most is written once (agarwal2000 3.4).

use super::options::ALIGNED_TIMESTAMPS;
use super::{HEADER, control};
use crate::checksum::Sum;
use crate::ip::{self, IPV4_HEADER_BYTES, IPV6_HEADER_BYTES, IpHeader, Protocol};
use crate::{Ecn, Flags, Segment, TcpOptions, Timestamps};

/// An aligned timestamps option, in bytes.
const TIMESTAMPS: usize = 12;

/// The IP and TCP header of a connection's ordinary segments: those without
/// SYN and URG, with or without timestamps, without other options. Between two
/// of them only lengths, sequence numbers, control bits, window, timestamps and
/// checksums differ; the rest is copied, and summed once.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    ip: Ip,
    source_port: u16,
    destination_port: u16,
    /// Whether the segments have timestamps.
    timestamps: bool,
    /// The sum of pseudo-header and TCP header without what differs.
    tcp: Sum,
}

/// An IP header without what differs.
#[derive(Clone, Copy, Debug)]
enum Ip {
    V4([u8; IPV4_HEADER_BYTES], Sum),
    V6([u8; IPV6_HEADER_BYTES]),
}

impl Template {
    /// The template of segments between two ports in packets like `ip`, whose
    /// length, protocol and ECN field do not count.
    ///
    /// # Panics
    /// If the addresses of `ip` are of two versions.
    #[must_use]
    pub fn new(ip: &IpHeader, source_port: u16, destination_port: u16, timestamps: bool) -> Self {
        let ip = IpHeader { protocol: Protocol::Tcp, ecn: Ecn::NotEct, payload_len: 0, ..*ip };
        let pseudo = ip::pseudo(ip.source, ip.destination, Protocol::Tcp);
        let tcp = pseudo.add_u16(source_port).add_u16(destination_port);
        Self {
            ip: Ip::new(&ip),
            source_port,
            destination_port,
            timestamps,
            tcp: if timestamps { tcp.then(Sum::of(&ALIGNED_TIMESTAMPS), false) } else { tcp },
        }
    }

    /// Whether `segment`, which goes from the one port to the other, is of the
    /// kind that the template is for.
    #[inline]
    #[must_use]
    pub fn suits(&self, segment: &Segment) -> bool {
        let TcpOptions { mss, window_scale, sack_permitted, timestamps, sack } = &segment.options;
        // Together, not one after the other: they hold nearly always.
        let others = mss.is_some() | window_scale.is_some() | sack_permitted | !sack.is_empty();
        !others
            && timestamps.is_some() == self.timestamps
            && !segment.flags.has_any(Flags::SYN | Flags::URG)
    }

    /// The length of the IP and TCP header in bytes.
    #[must_use]
    pub const fn header_len(&self) -> usize {
        let ip = match self.ip {
            Ip::V4(..) => IPV4_HEADER_BYTES,
            Ip::V6(_) => IPV6_HEADER_BYTES,
        };
        ip + HEADER + if self.timestamps { TIMESTAMPS } else { 0 }
    }

    /// Writes the headers of `segment` to the first [`Template::header_len`]
    /// bytes of `packet`, as [`ip::emit`] and [`super::emit`] would. The
    /// segment's payload, of which `payload` is the sum, belongs after them.
    ///
    /// # Panics
    /// If there is no room for the headers.
    #[inline(always)]
    pub fn fill(
        &self,
        segment: &Segment,
        ecn: Ecn,
        identification: u16,
        payload: Sum,
        packet: &mut [u8],
    ) {
        debug_assert!(self.suits(segment), "the template is for {segment:?}");
        debug_assert_eq!(
            (segment.source_port, segment.destination_port),
            (self.source_port, self.destination_port),
            "the template is for one connection"
        );
        let header_len = HEADER + if self.timestamps { TIMESTAMPS } else { 0 };
        #[expect(clippy::cast_possible_truncation, reason = "IP packets are shorter than 2^16")]
        let tcp_len = (header_len as u32 + segment.len) as u16;
        let tcp = self.ip.fill(tcp_len, ecn, identification, packet);
        let (fixed, options) = tcp.split_first_chunk_mut().expect(NO_ROOM);
        #[expect(clippy::cast_possible_truncation, reason = "32 at most")]
        let control = control(segment, header_len as u32);
        let (seq, ack) = (segment.seq.get(), segment.ack.get());
        let mut own = Sum::of_words([seq, ack, control, tcp_len.into()]);
        if self.timestamps {
            let Timestamps { value, echo } = segment.options.timestamps.unwrap_or_default();
            own = own.then(Sum::of_words([value, echo]), false);
            let option = [u32::from_be_bytes(ALIGNED_TIMESTAMPS), value, echo];
            put::<TIMESTAMPS>(options.first_chunk_mut().expect(NO_ROOM), option);
        }
        let checksum = self.tcp.then(own, false).then(payload, false).finish();
        let ports = u32::from(self.source_port) << 16 | u32::from(self.destination_port);
        put::<HEADER>(fixed, [ports, seq, ack, control, u32::from(checksum) << 16]);
    }
}

const NO_ROOM: &str = "the packet has room for its headers";

/// Writes `words` in network order.
#[inline(always)]
fn put<const BYTES: usize>(to: &mut [u8; BYTES], words: impl IntoIterator<Item = u32>) {
    for (to, word) in to.as_chunks_mut().0.iter_mut().zip(words) {
        *to = word.to_be_bytes();
    }
}

impl Ip {
    fn new(ip: &IpHeader) -> Self {
        let mut header = [0; IPV6_HEADER_BYTES];
        ip::emit(ip, 0, &mut header);
        if ip.source.is_ipv6() {
            return Self::V6(header);
        }
        // Length and checksum differ.
        header[2..4].fill(0);
        header[10..12].fill(0);
        let header = core::array::from_fn(|at| header[at]);
        Self::V4(header, Sum::of(&header))
    }

    /// Writes the header of a packet with `tcp_len` bytes of TCP, and returns
    /// where these belong.
    #[inline(always)]
    fn fill<'p>(
        &self,
        tcp_len: u16,
        ecn: Ecn,
        identification: u16,
        packet: &'p mut [u8],
    ) -> &'p mut [u8] {
        match self {
            Self::V4(header, sum) => {
                let (to, tcp) = packet.split_first_chunk_mut().expect(NO_ROOM);
                #[expect(clippy::cast_possible_truncation, reason = "20")]
                let total = tcp_len.saturating_add(IPV4_HEADER_BYTES as u16);
                let own = [u32::from(ecn.bits()) << 16 | u32::from(total), identification.into()];
                let checksum = sum.then(Sum::of_words(own), false).finish();
                *to = *header;
                to[1] = ecn.bits();
                to[2..4].copy_from_slice(&total.to_be_bytes());
                to[4..6].copy_from_slice(&identification.to_be_bytes());
                to[10..12].copy_from_slice(&checksum.to_be_bytes());
                tcp
            }
            Self::V6(header) => {
                let (to, tcp) = packet.split_first_chunk_mut().expect(NO_ROOM);
                *to = *header;
                to[1] |= ecn.bits() << 4;
                to[4..6].copy_from_slice(&tcp_len.to_be_bytes());
                tcp
            }
        }
    }
}
