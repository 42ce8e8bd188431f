//! Where received bytes go.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};

/// A pipe that is ready takes so much without waiting (`PIPE_BUF` of
/// pipe(7)).
const SURELY_TAKEN: usize = 4096;

/// Where received bytes go.
#[derive(Debug)]
pub struct Sink(Kind);

#[derive(Debug)]
enum Kind {
    Nowhere,
    File {
        file: File,
        /// Whether a write may have to wait.
        waits: bool,
        /// Whether a short one would not wait now.
        ready: bool,
    },
}

impl Sink {
    /// Nowhere: bytes are forgotten.
    #[must_use]
    pub const fn nowhere() -> Self {
        Self(Kind::Nowhere)
    }

    /// Into a file, or pipe.
    ///
    /// # Errors
    /// If nothing is known about it.
    pub fn file(file: File) -> io::Result<Self> {
        let waits = !file.metadata()?.is_file();
        Ok(Self(Kind::File { file, waits, ready: !waits }))
    }

    /// To standard output.
    ///
    /// # Errors
    /// If there is none.
    pub fn stdout() -> io::Result<Self> {
        Self::file(File::from(io::stdout().as_fd().try_clone_to_owned()?))
    }

    /// Whether a write would not wait.
    pub(super) const fn is_ready(&self) -> bool {
        match &self.0 {
            Kind::Nowhere => true,
            Kind::File { ready, .. } => *ready,
        }
    }

    /// A write will not wait.
    pub(super) const fn set_ready(&mut self) {
        if let Kind::File { ready, .. } = &mut self.0 {
            *ready = true;
        }
    }

    /// Takes what it can of `bytes` without waiting, and says how much that
    /// was.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Kind::Nowhere => Ok(bytes.len()),
            Kind::File { file, waits, ready } => {
                *ready = !*waits;
                let most = if *waits { SURELY_TAKEN.min(bytes.len()) } else { bytes.len() };
                loop {
                    match file.write(&bytes[..most]) {
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        result => return result,
                    }
                }
            }
        }
    }

    /// The descriptor to wait for before the next write, if there is one.
    pub(super) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        match &self.0 {
            Kind::File { file, ready: false, .. } => Some(file.as_fd()),
            Kind::File { .. } | Kind::Nowhere => None,
        }
    }
}
