//! What the two SYNs settle (RFC 9293 section 3.7.1, RFC 7323 sections 2.2 and
//! 3.2, RFC 2018 section 2, RFC 3168 section 6.1.1, RFC 6691).

use netjoule_wire::{Flags, SackBlocks, Segment, TCP_HEADER_BYTES, TcpOptions};

use super::{EcnMode, Options, Sack, Variant};

/// Payload that every host takes, if its SYN says nothing (RFC 9293 section
/// 3.7.1): over IPv4, and over IPv6.
const DEFAULT_MSS_IPV4: u32 = 536;
const DEFAULT_MSS_IPV6: u32 = 1220;

/// Timestamps with their padding in every header (RFC 7323 appendix A).
const TIMESTAMPS_BYTES: u32 = 12;

/// IPv4 header without options.
const IPV4_HEADER_BYTES: u32 = 20;

/// What this end brings to a handshake.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    /// The MSS option.
    pub(super) mss: u16,
    /// The IP header's length.
    ip_header: u32,
    window_scale: Option<u8>,
    sack: bool,
    timestamps: bool,
    ecn: EcnMode,
}

/// What both ends have agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreed {
    /// The largest segment, header options included, that the peer takes, as
    /// its MSS option says (RFC 6691).
    pub peer_mss: u32,
    /// SMSS: payload bytes of a full segment.
    pub smss: u32,
    /// The shift of the windows that the peer offers; and of ours.
    pub window_shifts: (u8, u8),
    /// Whether windows are scaled.
    pub window_scale: bool,
    /// Whether SACK is in use.
    pub sack: bool,
    /// Whether every segment carries timestamps.
    pub timestamps: bool,
    /// Whether ECN is in use.
    pub ecn: bool,
}

impl Offer {
    /// For an interface of `mtu` bytes and IP headers of `ip_header`.
    pub(super) fn new(variant: &Variant, options: &Options, mtu: u32, ip_header: u32) -> Self {
        let fits = mtu.saturating_sub(ip_header + TCP_HEADER_BYTES).max(1);
        let mss = u32::try_from(options.mss.get()).unwrap_or(u32::MAX).min(fits);
        Self {
            mss: u16::try_from(mss).unwrap_or(u16::MAX),
            ip_header,
            window_scale: options.window_scale.then(|| options.window_shift()),
            sack: match options.sack {
                Sack::On => true,
                Sack::Off => false,
                Sack::Variant => variant.recovery.uses_sack(),
            },
            timestamps: options.timestamps,
            ecn: options.ecn,
        }
    }

    /// The options of a SYN, without the value of timestamps; `peer` is the SYN
    /// that it answers.
    pub(super) fn syn_options(&self, peer: Option<&TcpOptions>) -> TcpOptions {
        TcpOptions {
            mss: Some(self.mss),
            window_scale: self
                .window_scale
                .filter(|_| peer.is_none_or(|peer| peer.window_scale.is_some())),
            sack_permitted: self.sack && peer.is_none_or(|peer| peer.sack_permitted),
            timestamps: None,
            sack: SackBlocks::NONE,
        }
    }

    /// Whether a SYN that answers `peer` has timestamps.
    pub(super) fn has_timestamps(&self, peer: Option<&TcpOptions>) -> bool {
        self.timestamps && peer.is_none_or(|peer| peer.timestamps.is_some())
    }

    /// The ECN flags of a SYN (RFC 3168 section 6.1.1); `peer` are the flags of
    /// the SYN that it answers.
    pub(super) fn ecn_flags(&self, peer: Option<Flags>) -> Flags {
        match peer {
            None if self.ecn == EcnMode::On => Flags::ECE | Flags::CWR,
            Some(peer) if self.ecn != EcnMode::Off && peer.has(Flags::ECE | Flags::CWR) => {
                Flags::ECE
            }
            None | Some(_) => Flags::NONE,
        }
    }

    /// What follows from the peer's SYN or SYN-ACK.
    pub(super) fn agree(&self, syn: &Segment) -> Agreed {
        let peer = &syn.options;
        let default =
            if self.ip_header == IPV4_HEADER_BYTES { DEFAULT_MSS_IPV4 } else { DEFAULT_MSS_IPV6 };
        let timestamps = self.has_timestamps(Some(peer));
        // Zero would stop everything.
        let peer_mss = peer.mss.map_or(default, u32::from).max(1);
        let shifts = self.window_scale.zip(peer.window_scale.map(|shift| shift.min(14)));
        let ecn = if syn.flags.has(Flags::ACK) {
            self.ecn == EcnMode::On && syn.flags.has(Flags::ECE) && !syn.flags.has(Flags::CWR)
        } else {
            self.ecn_flags(Some(syn.flags)) != Flags::NONE
        };
        Agreed {
            peer_mss,
            smss: self.smss(peer_mss, timestamps),
            window_shifts: shifts.map_or((0, 0), |(ours, theirs)| (theirs, ours)),
            window_scale: shifts.is_some(),
            sack: self.sack && peer.sack_permitted,
            timestamps,
            ecn,
        }
    }

    /// What two ends with the same offer agree on.
    pub(super) fn agree_with_itself(&self) -> Agreed {
        let peer_mss = u32::from(self.mss);
        let shift = self.window_scale.unwrap_or(0);
        Agreed {
            peer_mss,
            smss: self.smss(peer_mss, self.timestamps),
            window_shifts: (shift, shift),
            window_scale: self.window_scale.is_some(),
            sack: self.sack,
            timestamps: self.timestamps,
            ecn: self.ecn == EcnMode::On,
        }
    }

    /// RFC 6691: the options that every segment has count as data.
    fn smss(&self, peer_mss: u32, timestamps: bool) -> u32 {
        let options = if timestamps { TIMESTAMPS_BYTES } else { 0 };
        peer_mss.min(u32::from(self.mss)).saturating_sub(options).max(1)
    }
}
