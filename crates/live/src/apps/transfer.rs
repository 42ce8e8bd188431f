//! What became of a transfer.

use core::fmt::{self, Write};
use core::net::SocketAddr;

use netjoule_stack::{ConnectionId, Info, Meter, Stack};
use netjoule_transport::tcp::Cause;
use netjoule_units::{Bytes, Duration, Instant};
use sha2::{Digest as _, Sha256};

/// One connection's worth of bytes in one direction.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The connection.
    pub id: ConnectionId,
    /// Our end.
    pub local: SocketAddr,
    /// The other end.
    pub remote: SocketAddr,
    /// Bytes taken from the source, or given to the sink.
    pub bytes: Bytes,
    /// The end of the handshake.
    pub connected: Option<Instant>,
    /// When the last byte was acknowledged to the sender, or the end reached
    /// the receiver.
    pub complete: Option<Instant>,
    /// How the connection ended; none if it is only half closed, or waits for
    /// the last packets to die (TIME-WAIT).
    pub cause: Option<Cause>,
    /// What was last known of the connection.
    pub info: Option<Info>,
    /// The content's SHA-256, if wanted.
    pub digest: Option<Digest>,
}

/// A SHA-256, complete or not.
#[derive(Clone, Debug, Default)]
pub struct Digest(Sha256);

impl Transfer {
    /// Nothing yet of what `id` carries.
    pub(super) fn new<M: Meter>(
        stack: &Stack<M>,
        id: ConnectionId,
        digest: Option<Digest>,
    ) -> Result<Self, netjoule_stack::Error> {
        Ok(Self {
            id,
            local: stack.local(id)?,
            remote: stack.remote(id)?,
            bytes: Bytes::ZERO,
            connected: None,
            complete: None,
            cause: None,
            info: None,
            digest,
        })
    }

    /// Counts `bytes`.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.bytes += Bytes::new(bytes.len() as u64);
        if let Some(digest) = &mut self.digest {
            digest.add(bytes);
        }
    }

    /// Looks at the connection while it is there.
    pub(super) fn look<M: Meter>(&mut self, stack: &Stack<M>) {
        if let Ok(info) = stack.info(self.id) {
            self.info = Some(info);
        }
    }

    /// From the end of the handshake to the last byte; none if there is not
    /// both.
    #[must_use]
    pub fn time(&self) -> Option<Duration> {
        Some(self.complete?.saturating_since(self.connected?))
    }

    /// Bits a second over that time; none if there is no such time.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a display value")]
    pub fn goodput_bit_per_s(&self) -> Option<f64> {
        let seconds = self.time().filter(|time| !time.is_zero())?.as_secs_f64();
        Some(self.bytes.bits() as f64 / seconds)
    }

    /// Whether all bytes arrived and the connection did not end before its
    /// time.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        self.complete.is_some() && self.cause.is_none_or(|cause| cause == Cause::Finished)
    }
}

impl Digest {
    /// Takes `bytes` in.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
}

impl fmt::Display for Digest {
    /// In hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.clone().finalize().iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").ok();
            text
        });
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_sha_256() {
        // FIPS 180-2, appendix B.1.
        let mut digest = Digest::default();
        digest.add(b"a");
        digest.add(b"bc");
        assert_eq!(
            digest.to_string(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
