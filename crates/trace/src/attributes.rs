//! Two-column files of attributes over time (goel1997 B.4).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, Write};
use std::path::PathBuf;

use netjoule_units::Instant;

use crate::decimal::millis;
use crate::patient::Patient;
use crate::pending::PendingFile;
use crate::sample::{Owner, Sample, Sampler};
use crate::{Attribute, Event, Names, Observer, Set};

/// One file for each attribute of each node and channel that has any value:
/// `211-congestion` for a source or `212-router_pkt_arrival` for a router,
/// `211.1025-congestion` for a further connection of a host, by its port,
/// `wless_state-212-213` for the channel between
/// two nodes (and `wless_state-212-213-LINK` when several links join them).
///
/// Each line holds a time in milliseconds and the value from then on: bytes,
/// a sequence number that counts from the first byte of data, or 1 for GOOD and
/// 0 for BAD. gnuplot plots a file as it is, `with steps` for the states.
pub struct AttributeFiles<'n> {
    names: &'n Names,
    directory: PathBuf,
    sampler: Sampler,
    files: Patient<BTreeMap<(Owner, Attribute), PendingFile>>,
}

impl<'n> AttributeFiles<'n> {
    /// Files for the attributes `wanted`, in `directory`, which exists.
    #[must_use]
    pub fn new(names: &'n Names, wanted: Set<Attribute>, directory: PathBuf) -> Self {
        let sampler = Sampler::new(names, wanted);
        Self { names, directory, sampler, files: Patient::new(BTreeMap::new()) }
    }

    /// Ends the writing. The files get their names when all of them are
    /// complete.
    ///
    /// # Errors
    /// The first error of any file; no file is left then.
    pub fn finish(self) -> io::Result<()> {
        self.complete()?.into_iter().try_for_each(PendingFile::commit)
    }

    /// The complete files, still under their temporary names.
    pub(crate) fn complete(self) -> io::Result<Vec<PendingFile>> {
        let mut files: Vec<_> = self.files.finish()?.into_values().collect();
        files.iter_mut().try_for_each(Write::flush)?;
        Ok(files)
    }
}

impl Observer for AttributeFiles<'_> {
    fn record(&mut self, now: Instant, event: &Event<'_>) {
        let Self { names, directory, sampler, files } = self;
        sampler.take(now, event, &mut |sample| {
            files.write(|files| {
                let file = match files.entry((sample.owner, sample.attribute)) {
                    Entry::Occupied(entry) => entry.into_mut(),
                    Entry::Vacant(entry) => {
                        let name = file_name(names, sample.owner, sample.attribute);
                        entry.insert(PendingFile::create(directory, &name)?)
                    }
                };
                write_line(file, &sample)
            });
        });
    }
}

/// One line of a file: the time in milliseconds and the value.
pub(crate) fn write_line(out: &mut impl Write, sample: &Sample) -> io::Result<()> {
    writeln!(out, "{} {}", millis(sample.at), sample.value)
}

/// The name of the file for an attribute.
fn file_name(names: &Names, owner: Owner, attribute: Attribute) -> String {
    let attribute = attribute.name();
    let name = match owner {
        Owner::Node(node) => format!("{}-{attribute}", names.node(node)),
        Owner::Connection(node, port) => format!("{}-{attribute}", names.connection(node, port)),
        Owner::Link(link) => {
            let name = |link| format!("{attribute}-{}", names.ends(link).join("-"));
            let own = name(link);
            let twins = names.wireless().filter(|&other| name(other) == own).count();
            if twins > 1 { format!("{own}-{}", names.link(link)) } else { own }
        }
    };
    // A name must not lead out of the directory.
    name.replace(['/', '\\'], "_")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use netjoule_wire::{FIRST_PORT, Flags};

    use super::*;
    use crate::fixture::{self, at, listed};
    use crate::{LinkNames, SourceState};

    fn read(directory: &Path, name: &str) -> String {
        fs::read_to_string(directory.join(name)).unwrap()
    }

    fn every() -> Set<Attribute> {
        Attribute::ALL.into_iter().collect()
    }

    #[test]
    fn a_segment_and_its_ack_leave_their_marks_in_the_files_of_the_thesis() {
        let (names, directory) = (fixture::names(), tempfile::tempdir().unwrap());
        let mut files = AttributeFiles::new(&names, every(), directory.path().into());
        let (data, ack) = (fixture::data(15_360), fixture::ack(16_384));
        let state = SourceState { cwnd: 2048, ssthresh: 65_536, flight_size: 1024 };
        let quiet = SourceState { flight_size: 0, ..state };
        for (ms, event) in [
            (900, Event::Sent { node: 0, packet: &data, retransmission: None }),
            (900, Event::Source { node: 0, port: FIRST_PORT, state }),
            (901, Event::ArrivedAtRouter { node: 1, packet: &data }),
            (920, Event::Received { node: 2, packet: &data }),
            (920, Event::Sent { node: 2, packet: &ack, retransmission: None }),
            (921, Event::ArrivedAtRouter { node: 1, packet: &ack }),
            (1100, Event::Received { node: 0, packet: &ack }),
            (1100, Event::Source { node: 0, port: FIRST_PORT, state: quiet }),
            (1200, Event::End { complete: true }),
        ] {
            files.record(at(ms), &event);
        }
        files.finish().unwrap();

        let directory = directory.path();
        assert_eq!(
            listed(directory),
            [
                "211-ackno",
                "211-congestion",
                "211-seqno",
                "211-swnd_size",
                "211-threshold",
                "212-router_pkt_arrival",
                "wless_state-212-213",
            ]
        );
        assert_eq!(read(directory, "211-seqno"), "900 15360\n");
        assert_eq!(read(directory, "211-ackno"), "1100 16384\n");
        assert_eq!(read(directory, "212-router_pkt_arrival"), "901 15360\n");
        // States are written when they change, and once more at the end.
        assert_eq!(read(directory, "211-congestion"), "900 2048\n1200 2048\n");
        assert_eq!(read(directory, "211-threshold"), "900 65536\n1200 65536\n");
        assert_eq!(read(directory, "211-swnd_size"), "900 1024\n1100 0\n1200 0\n");
        assert_eq!(read(directory, "wless_state-212-213"), "0 1\n1200 1\n");
    }

    #[test]
    fn numbers_count_from_the_first_byte_after_a_handshake() {
        let (names, directory) = (fixture::names(), tempfile::tempdir().unwrap());
        let mut files = AttributeFiles::new(&names, every(), directory.path().into());
        let iss = u32::MAX;
        let packets = [
            fixture::control(Flags::SYN, iss, 0),
            fixture::data(iss.wrapping_add(1)),
            fixture::data(iss.wrapping_add(1025)),
        ];
        let syn_ack = fixture::back(fixture::control(Flags::SYN | Flags::ACK, 5, 0));
        let acks = [fixture::ack(iss.wrapping_add(1025)), fixture::ack(iss.wrapping_add(2049))];
        for packet in &packets {
            files.record(at(1), &Event::Sent { node: 0, packet, retransmission: None });
            files.record(at(2), &Event::ArrivedAtRouter { node: 1, packet });
        }
        files.record(at(2), &Event::Sent { node: 2, packet: &syn_ack, retransmission: None });
        for packet in acks.iter().chain([&syn_ack]) {
            files.record(at(3), &Event::Received { node: 0, packet });
        }
        // What the sink hears is no acknowledgment of data.
        let ack = fixture::control(Flags::ACK, 0, 6);
        files.record(at(4), &Event::Received { node: 2, packet: &ack });
        files.finish().unwrap();
        let directory = directory.path();
        assert_eq!(read(directory, "211-seqno"), "1 0\n1 1024\n");
        assert_eq!(read(directory, "212-router_pkt_arrival"), "2 0\n2 1024\n");
        assert_eq!(read(directory, "211-ackno"), "3 1024\n3 2048\n3 0\n");
        assert!(!listed(directory).contains(&"213-ackno".to_owned()));
    }

    #[test]
    fn a_channel_is_good_at_first_and_steps_down_and_up() {
        let (names, directory) = (fixture::names(), tempfile::tempdir().unwrap());
        let wanted = Set::from_iter([Attribute::WlessState]);
        let mut files = AttributeFiles::new(&names, wanted, directory.path().into());
        for (ns, good) in [(930_000_000, false), (1_040_250_000, true)] {
            files.record(Instant::from_nanos(ns), &Event::Channel { link: 1, good });
        }
        files.record(at(2_000), &Event::End { complete: true });
        files.finish().unwrap();
        assert_eq!(
            read(directory.path(), "wless_state-212-213"),
            "0 1\n930 0\n1040.25 1\n2000 1\n"
        );
    }

    #[test]
    fn a_second_connection_of_a_host_has_files_of_its_own() {
        let (names, directory) = (fixture::names(), tempfile::tempdir().unwrap());
        let wanted = Set::from_iter([Attribute::Congestion]);
        let mut files = AttributeFiles::new(&names, wanted, directory.path().into());
        for (port, cwnd) in [(FIRST_PORT, 1024), (FIRST_PORT + 1, 2048)] {
            let state = SourceState { cwnd, ssthresh: 65_536, flight_size: 0 };
            files.record(at(5), &Event::Source { node: 0, port, state });
        }
        files.record(at(9), &Event::End { complete: false });
        files.finish().unwrap();
        assert_eq!(listed(directory.path()), ["211-congestion", "211.1025-congestion"]);
        assert_eq!(read(directory.path(), "211.1025-congestion"), "5 2048\n9 2048\n");
    }

    #[test]
    fn only_what_is_wanted_is_written() {
        let (names, directory) = (fixture::names(), tempfile::tempdir().unwrap());
        let wanted = Set::from_iter([Attribute::Ackno]);
        let mut files = AttributeFiles::new(&names, wanted, directory.path().into());
        files.record(at(5), &Event::Received { node: 0, packet: &fixture::ack(1024) });
        files.record(at(5), &Event::Channel { link: 1, good: false });
        files.record(at(9), &Event::End { complete: false });
        files.finish().unwrap();
        assert_eq!(listed(directory.path()), ["211-ackno"]);
    }

    #[test]
    fn an_interrupted_run_leaves_nothing() {
        let (names, directory) = (fixture::names(), tempfile::tempdir().unwrap());
        let mut files = AttributeFiles::new(&names, every(), directory.path().into());
        files.record(at(5), &Event::Received { node: 0, packet: &fixture::ack(1024) });
        drop(files);
        assert!(listed(directory.path()).is_empty());
    }

    #[test]
    fn an_error_waits_for_the_end() {
        let (names, directory) = (fixture::names(), tempfile::tempdir().unwrap());
        let missing = directory.path().join("missing");
        let mut files = AttributeFiles::new(&names, every(), missing);
        files.record(at(5), &Event::Received { node: 0, packet: &fixture::ack(1024) });
        let error = files.finish().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn channels_between_the_same_nodes_have_files_of_their_own() {
        let mut names = fixture::names();
        names.nodes[1] = "../212".into();
        assert_eq!(
            file_name(&names, Owner::Link(1), Attribute::WlessState),
            "wless_state-.._212-213"
        );
        names.links.push(LinkNames { name: "103".into(), ..names.links[1].clone() });
        assert_eq!(
            file_name(&names, Owner::Link(2), Attribute::WlessState),
            "wless_state-.._212-213-103"
        );
    }
}
