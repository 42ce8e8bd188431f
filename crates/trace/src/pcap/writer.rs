//! The blocks of a pcapng file.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Duration;

use netjoule_units::Instant;
use pcap_file::pcapng::blocks::enhanced_packet::{EnhancedPacketBlock, EnhancedPacketOption};
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption, InterfaceTsResolution,
};
use pcap_file::pcapng::blocks::section_header::{SectionHeaderBlock, SectionHeaderOption};
use pcap_file::pcapng::{PcapNgWriteError, PcapNgWriter};
use pcap_file::{DataLink, Endianness};

/// What is written as the program that made the file.
const APPLICATION: &str = concat!("netjoule ", env!("CARGO_PKG_VERSION"));

/// The longest IP packet, in bytes.
const LONGEST: u32 = 65_535;

/// Whether a packet comes or goes at the interface where it is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// It comes.
    In,
    /// It goes.
    Out,
}

/// Writes raw IP packets, of version 4 and 6, as a pcapng file whose times are
/// exact to the nanosecond. What the file says depends on nothing but what is
/// given: there is no date and no machine in it.
pub struct PcapWriter<W: Write> {
    out: PcapNgWriter<W>,
}

impl<W: Write> PcapWriter<W> {
    /// Begins a file with the named `interfaces`.
    ///
    /// # Errors
    /// The writer's.
    pub fn new<'n>(out: W, interfaces: impl IntoIterator<Item = &'n str>) -> io::Result<Self> {
        let section = SectionHeaderBlock {
            // The same bytes on every machine.
            endianness: Endianness::Little,
            options: vec![SectionHeaderOption::UserApplication(APPLICATION.into())],
            ..SectionHeaderBlock::default()
        };
        let mut out = PcapNgWriter::with_section_header(out, section).map_err(io_error)?;
        for name in interfaces {
            let interface = InterfaceDescriptionBlock {
                // LINKTYPE_RAW, 101: packets begin with their IP header.
                linktype: DataLink::RAW,
                snaplen: LONGEST,
                options: vec![
                    InterfaceDescriptionOption::IfName(name.into()),
                    InterfaceDescriptionOption::IfTsResol(InterfaceTsResolution::NANO),
                ],
            };
            out.write_pcapng_block(interface).map_err(io_error)?;
        }
        Ok(Self { out })
    }

    /// Adds a packet that is seen at the interface with this index. `at` counts
    /// from the beginning of 1970, or of a simulated run.
    ///
    /// # Errors
    /// The writer's; an interface that the file does not have.
    pub fn packet(
        &mut self,
        interface: usize,
        at: Instant,
        direction: Option<Direction>,
        bytes: &[u8],
    ) -> io::Result<()> {
        let too_large = |_| io::Error::from(io::ErrorKind::InvalidInput);
        let block = EnhancedPacketBlock {
            interface_id: interface.try_into().map_err(too_large)?,
            timestamp: Duration::from_nanos(at.as_nanos()),
            original_len: bytes.len().try_into().map_err(too_large)?,
            data: Cow::Borrowed(bytes),
            options: direction
                .map(|direction| {
                    // The two low bits of the flags word.
                    EnhancedPacketOption::Flags(match direction {
                        Direction::In => 0b01,
                        Direction::Out => 0b10,
                    })
                })
                .into_iter()
                .collect(),
        };
        self.out.write_pcapng_block(block).map(drop).map_err(io_error)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// The writer's.
    pub fn finish(self) -> io::Result<W> {
        let mut out = self.out.into_inner();
        out.flush()?;
        Ok(out)
    }
}

/// The system's error where there is one.
fn io_error(error: PcapNgWriteError) -> io::Error {
    match error {
        PcapNgWriteError::Io(error) => error,
        other => io::Error::new(io::ErrorKind::InvalidInput, other),
    }
}
