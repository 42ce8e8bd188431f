//! The packets of a stack as a pcapng file.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::rc::Rc;

use netjoule_trace::{Direction, PcapWriter};
use netjoule_units::{Duration, Instant};

use crate::{Clock, Sniffer};

/// Writes what it sees into a file, with the date and time of each packet.
///
/// The file is as complete as it can be whenever the loop sleeps: whoever ends
/// the program from outside loses nothing.
pub struct Capture {
    file: Shared,
    writer: PcapWriter<Shared>,
    /// The moment zero since 1970.
    epoch: Duration,
}

/// A file that can be flushed while a writer has it.
#[derive(Clone)]
struct Shared(Rc<RefCell<BufWriter<File>>>);

impl Capture {
    /// Begins the file at `path`; `name` is what the interface is called there.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path, name: &str, clock: &Clock) -> io::Result<Self> {
        let file = Shared(Rc::new(RefCell::new(BufWriter::new(File::create(path)?))));
        let writer = PcapWriter::new(file.clone(), [name])?;
        Ok(Self { file, writer, epoch: clock.epoch()? })
    }
}

impl Sniffer for Capture {
    fn packet(&mut self, now: Instant, packet: &[u8], outbound: bool) -> io::Result<()> {
        let direction = if outbound { Direction::Out } else { Direction::In };
        self.writer.packet(0, now + self.epoch, Some(direction), packet)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}
