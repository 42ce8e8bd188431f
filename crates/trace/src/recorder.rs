//! Every wanted sink at once.

use std::io;
use std::path::Path;

use netjoule_units::Instant;

use crate::pending::PendingFile;
use crate::{
    Attribute, AttributeCsv, AttributeFiles, Event, EventCsv, EventKind, EventText, LinkIndex,
    Names, Observer, PowerFiles, Set, Switches,
};

/// What to record of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The attributes to write.
    pub attributes: Set<Attribute>,
    /// The kinds of event to write as text.
    pub events: Set<EventKind>,
    /// Whether to write attributes and all events as CSV as well.
    pub csv: bool,
    /// The link whose channel's changes to write as `trace.dat`.
    pub switches: Option<LinkIndex>,
}

/// Records a run in a directory: the two-column files of [`AttributeFiles`], those
/// of [`PowerFiles`], `events.txt`, and when they are wanted `events.csv`, `attributes.csv` and
/// `trace.dat`. The files get their names when the run is over.
pub struct Recorder<'n> {
    attributes: AttributeFiles<'n>,
    powers: PowerFiles<'n>,
    text: EventText<'n, PendingFile>,
    events: Option<EventCsv<'n, PendingFile>>,
    table: Option<AttributeCsv<'n, PendingFile>>,
    switches: Option<Switches<PendingFile>>,
}

impl<'n> Recorder<'n> {
    /// Starts recording in `directory`, which exists.
    ///
    /// # Errors
    /// A file that cannot be created; no file is left then.
    pub fn new(names: &'n Names, wanted: Wanted, directory: &Path) -> io::Result<Self> {
        let file = |name| PendingFile::create(directory, name);
        let Wanted { attributes, events, csv, switches } = wanted;
        Ok(Self {
            attributes: AttributeFiles::new(names, attributes, directory.into()),
            powers: PowerFiles::new(names, directory.into()),
            text: EventText::new(names, events, file("events.txt")?),
            events: csv
                .then(|| Ok::<_, io::Error>(EventCsv::new(names, file("events.csv")?)))
                .transpose()?,
            table: csv
                .then(|| {
                    let out = file("attributes.csv")?;
                    Ok::<_, io::Error>(AttributeCsv::new(names, attributes, out))
                })
                .transpose()?,
            switches: switches
                .map(|link| Ok::<_, io::Error>(Switches::new(link, file("trace.dat")?)))
                .transpose()?,
        })
    }

    /// Ends the recording: once every file is complete, all get their names.
    ///
    /// # Errors
    /// The first error of any file; an error while writing leaves none behind.
    pub fn finish(self) -> io::Result<()> {
        let mut files = self.attributes.complete()?;
        files.extend(self.powers.complete()?);
        files.push(self.text.finish()?);
        files.extend(self.events.map(EventCsv::finish).transpose()?);
        files.extend(self.table.map(AttributeCsv::finish).transpose()?);
        files.extend(self.switches.map(Switches::finish).transpose()?);
        files.into_iter().try_for_each(PendingFile::commit)
    }
}

impl Observer for Recorder<'_> {
    fn record(&mut self, now: Instant, event: &Event<'_>) {
        self.attributes.record(now, event);
        self.powers.record(now, event);
        self.text.record(now, event);
        if let Some(events) = &mut self.events {
            events.record(now, event);
        }
        if let Some(table) = &mut self.table {
            table.record(now, event);
        }
        if let Some(switches) = &mut self.switches {
            switches.record(now, event);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::fixture::{self, at};

    const ALL: Wanted =
        Wanted { attributes: Set::EMPTY, events: Set::EMPTY, csv: true, switches: Some(1) };

    fn count(directory: &Path) -> usize {
        fs::read_dir(directory).unwrap().count()
    }

    #[test]
    fn every_sink_sees_the_run() {
        let (names, directory) = (fixture::names(), tempfile::tempdir().unwrap());
        let path = directory.path();
        let wanted = Wanted { attributes: Set::from_iter([Attribute::WlessState]), ..ALL };
        let mut recorder = Recorder::new(&names, wanted, path).unwrap();
        recorder.record(at(930), &Event::Channel { link: 1, good: false });
        recorder.record(at(1000), &Event::End { complete: true });
        recorder.finish().unwrap();

        let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
        assert_eq!(read("trace.dat"), "930 0\n");
        assert_eq!(read("wless_state-212-213"), "0 1\n930 0\n1000 0\n");
        assert!(read("events.txt").ends_with("Normal Termination.\n"));
        assert_eq!(read("events.csv").lines().count(), 3);
        assert_eq!(read("attributes.csv").lines().count(), 4);
        assert_eq!(count(path), 5);
    }

    #[test]
    fn what_is_not_wanted_is_not_made_and_an_unfinished_recording_leaves_nothing() {
        let (names, directory) = (fixture::names(), tempfile::tempdir().unwrap());
        let path = directory.path();
        drop(Recorder::new(&names, ALL, path).unwrap());
        assert_eq!(count(path), 0);

        let plain = Wanted { csv: false, switches: None, ..ALL };
        Recorder::new(&names, plain, path).unwrap().finish().unwrap();
        assert_eq!(count(path), 1);
    }
}
