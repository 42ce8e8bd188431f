//! Headers of which most is written once (agarwal2000 3.4).

use super::options::ALIGNED_TIMESTAMPS;
use super::{HEADER, control};
use crate::checksum::Sum;
use crate::ip::{self, IPV4_HEADER_BYTES, IPV6_HEADER_BYTES, IpHeader, Protocol};
use crate::{Ecn, Flags, Segment, TcpOptions, Timestamps};

/// The longest IP and TCP header that a template is for.
const MAX: usize = IPV6_HEADER_BYTES + HEADER + TIMESTAMPS;
/// An aligned timestamps option, in bytes.
const TIMESTAMPS: usize = 12;

/// The IP and TCP header of a connection's ordinary segments: those without
/// SYN, with or without timestamps, without other options. Between two of them
/// only lengths, sequence numbers, control bits, window, timestamps and
/// checksums differ; the rest is copied, and summed once.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    header: [u8; MAX],
    ip_len: usize,
    /// Whether the segments have timestamps.
    timestamps: bool,
    source_port: u16,
    destination_port: u16,
    /// The IPv4 header's sum without what differs.
    ip: Sum,
    /// The sum of pseudo-header and TCP header without what differs.
    tcp: Sum,
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
        let mut header = [0; MAX];
        ip::emit(&ip, 0, &mut header);
        let ip_len = ip.header_len();
        if ip_len == IPV4_HEADER_BYTES {
            header[2..4].fill(0);
            header[10..12].fill(0);
        }
        let ports = u32::from(source_port) << 16 | u32::from(destination_port);
        header[ip_len..][..4].copy_from_slice(&ports.to_be_bytes());
        if timestamps {
            header[ip_len + HEADER..][..4].copy_from_slice(&ALIGNED_TIMESTAMPS);
        }
        let pseudo = ip::pseudo(ip.source, ip.destination, Protocol::Tcp);
        Self {
            ip: Sum::of(&header[..ip_len]),
            tcp: pseudo.then(Sum::of(&header[ip_len..]), false),
            header,
            ip_len,
            timestamps,
            source_port,
            destination_port,
        }
    }

    /// Whether `segment` is of the kind that the template is for.
    #[must_use]
    pub fn suits(&self, segment: &Segment) -> bool {
        let TcpOptions { mss, window_scale, sack_permitted, timestamps, sack } = &segment.options;
        mss.is_none()
            && window_scale.is_none()
            && !sack_permitted
            && sack.is_empty()
            && timestamps.is_some() == self.timestamps
            && !segment.flags.has_any(Flags::SYN | Flags::URG)
            && segment.source_port == self.source_port
            && segment.destination_port == self.destination_port
    }

    /// The length of the IP and TCP header in bytes.
    #[must_use]
    pub const fn header_len(&self) -> usize {
        self.ip_len + HEADER + if self.timestamps { TIMESTAMPS } else { 0 }
    }

    /// Writes the headers of `segment` to the first [`Template::header_len`] bytes of
    /// `packet`, as [`ip::emit`] and [`super::emit`] would. The segment's
    /// payload, of which `payload` is the sum, belongs after them.
    ///
    /// # Panics
    /// If there is no room for the headers.
    pub fn fill(
        &self,
        segment: &Segment,
        ecn: Ecn,
        identification: u16,
        payload: Sum,
        packet: &mut [u8],
    ) {
        debug_assert!(self.suits(segment), "the template is for {segment:?}");
        let packet = &mut packet[..self.header_len()];
        packet.copy_from_slice(&self.header[..self.header_len()]);
        let (ip, tcp) = packet.split_at_mut(self.ip_len);
        #[expect(clippy::cast_possible_truncation, reason = "IP packets are shorter than 2^16")]
        let tcp_len = (tcp.len() as u32 + segment.len) as u16;
        self.fill_ip(ip, tcp_len, ecn, identification);
        self.fill_tcp(tcp, tcp_len, segment, payload);
    }

    fn fill_ip(&self, ip: &mut [u8], tcp_len: u16, ecn: Ecn, identification: u16) {
        if let Some(ip) = ip.first_chunk_mut::<IPV6_HEADER_BYTES>() {
            ip[1] |= ecn.bits() << 4;
            ip[4..6].copy_from_slice(&tcp_len.to_be_bytes());
        } else if let Some(ip) = ip.first_chunk_mut::<IPV4_HEADER_BYTES>() {
            #[expect(clippy::cast_possible_truncation, reason = "20")]
            let total = tcp_len.saturating_add(IPV4_HEADER_BYTES as u16);
            let own = [u32::from(ecn.bits()) << 16 | u32::from(total), identification.into()];
            let checksum = self.ip.then(Sum::of_words(own), false).finish();
            ip[1] = ecn.bits();
            ip[2..4].copy_from_slice(&total.to_be_bytes());
            ip[4..6].copy_from_slice(&identification.to_be_bytes());
            ip[10..12].copy_from_slice(&checksum.to_be_bytes());
        }
    }

    fn fill_tcp(&self, tcp: &mut [u8], tcp_len: u16, segment: &Segment, payload: Sum) {
        let control = control(segment, segment.header_len());
        let Timestamps { value, echo } = segment.options.timestamps.unwrap_or_default();
        let (seq, ack) = (segment.seq.get(), segment.ack.get());
        let own = Sum::of_words([seq, ack, control, value, echo, tcp_len.into()]);
        let checksum = self.tcp.then(own, false).then(payload, false).finish();
        let Some((fixed, options)) = tcp.split_first_chunk_mut::<HEADER>() else { return };
        fixed[4..8].copy_from_slice(&seq.to_be_bytes());
        fixed[8..12].copy_from_slice(&ack.to_be_bytes());
        fixed[12..16].copy_from_slice(&control.to_be_bytes());
        fixed[16..18].copy_from_slice(&checksum.to_be_bytes());
        if let Some(option) = options.first_chunk_mut::<TIMESTAMPS>() {
            option[4..8].copy_from_slice(&value.to_be_bytes());
            option[8..].copy_from_slice(&echo.to_be_bytes());
        }
    }
}
