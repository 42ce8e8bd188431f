//! Writing where nobody can deal with an error.

use std::io;

/// A writer that keeps its first error for later and writes nothing after it.
pub(crate) struct Patient<W> {
    out: W,
    error: Option<io::Error>,
}

impl<W> Patient<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, error: None }
    }

    /// Lets `action` write, unless something has already failed.
    pub(crate) fn write(&mut self, action: impl FnOnce(&mut W) -> io::Result<()>) {
        if self.error.is_none() {
            self.error = action(&mut self.out).err();
        }
    }

    /// The writer, if nothing has failed.
    pub(crate) fn finish(self) -> io::Result<W> {
        self.error.map_or(Ok(self.out), Err)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn the_first_error_is_kept_and_ends_the_writing() {
        let mut room = [0; 4];
        let mut out = Patient::new(&mut room[..]);
        out.write(|out| out.write_all(b"abc"));
        out.write(|out| out.write_all(b"defg"));
        out.write(|_| panic!("nothing is written after an error"));
        assert_eq!(out.finish().unwrap_err().kind(), io::ErrorKind::WriteZero);
    }
}
