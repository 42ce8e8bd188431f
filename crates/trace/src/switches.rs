//! The changes of one channel, as `trace.dat` (goel1997 B.3.1).

use std::io::{self, Write};

use netjoule_units::Instant;

use crate::attributes::write_line;
use crate::patient::Patient;
use crate::sample::{Owner, Sample};
use crate::{Attribute, Event, LinkIndex, Observer};

/// Writes every change of a channel: the time in milliseconds, and 1 for GOOD
/// or 0 for BAD. The channel is GOOD before the first line.
pub struct Switches<W> {
    link: LinkIndex,
    out: Patient<W>,
}

impl<W: Write> Switches<W> {
    /// Writes the changes of `link`'s channel to `out`.
    #[must_use]
    pub fn new(link: LinkIndex, out: W) -> Self {
        Self { link, out: Patient::new(out) }
    }

    /// Ends the writing.
    ///
    /// # Errors
    /// The first error of the writer.
    pub fn finish(self) -> io::Result<W> {
        let mut out = self.out.finish()?;
        out.flush()?;
        Ok(out)
    }
}

impl<W: Write> Observer for Switches<W> {
    fn record(&mut self, at: Instant, event: &Event<'_>) {
        if let Event::Channel { link, good } = *event
            && link == self.link
        {
            let (owner, attribute) = (Owner::Link(link), Attribute::WlessState);
            let sample = Sample { at, owner, attribute, value: good.into() };
            self.out.write(|out| write_line(out, &sample));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::at;

    #[test]
    fn only_the_changes_of_that_channel() {
        let mut switches = Switches::new(1, Vec::new());
        for (ms, link, good) in [(930, 1, false), (935, 0, false), (1_040, 1, true)] {
            switches.record(at(ms), &Event::Channel { link, good });
        }
        switches.record(at(2_000), &Event::End { complete: true });
        assert_eq!(switches.finish().unwrap(), b"930 0\n1040 1\n");
    }
}
