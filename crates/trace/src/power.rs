//! Files of power over time.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, Write};
use std::path::PathBuf;

use netjoule_units::{Energy, Instant};

use crate::decimal::{seconds, watts};
use crate::patient::Patient;
use crate::pending::PendingFile;
use crate::{Event, Names, NodeIndex, Observer};

/// One file for each node whose power is sampled: `power-phone.dat`.
///
/// Each line holds a time in seconds, and what the node has drawn on average
/// since the line before, in watts: its radios, and everything. gnuplot plots a
/// file `with fsteps` as it is; its first line is a comment that names the columns.
/// Exact energies are in the CSV of events.
pub struct PowerFiles<'n> {
    names: &'n Names,
    directory: PathBuf,
    files: Patient<BTreeMap<NodeIndex, PendingFile>>,
}

impl<'n> PowerFiles<'n> {
    /// Files in `directory`, which exists.
    #[must_use]
    pub fn new(names: &'n Names, directory: PathBuf) -> Self {
        Self { names, directory, files: Patient::new(BTreeMap::new()) }
    }

    /// The complete files, still under their temporary names.
    pub(crate) fn complete(self) -> io::Result<Vec<PendingFile>> {
        let mut files: Vec<_> = self.files.finish()?.into_values().collect();
        files.iter_mut().try_for_each(Write::flush)?;
        Ok(files)
    }
}

impl Observer for PowerFiles<'_> {
    fn record(&mut self, now: Instant, event: &Event<'_>) {
        let &Event::Power { node, over, radio, system } = event else { return };
        let Self { names, directory, files } = self;
        files.write(|files| {
            let file = match files.entry(node) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    let name = format!("power-{}.dat", names.node(node)).replace(['/', '\\'], "_");
                    let mut file = PendingFile::create(directory, &name)?;
                    writeln!(file, "# time_s radio_w system_w")?;
                    entry.insert(file)
                }
            };
            let [radio, system] = [radio, system].map(|energy: Energy| watts(energy.over(over)));
            writeln!(file, "{} {radio} {system}", seconds(now))
        });
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use netjoule_units::{Duration, Power};

    use super::*;
    use crate::fixture::{self, at, listed};

    #[test]
    fn each_line_has_the_mean_power_since_the_one_before() {
        let (names, directory) = (fixture::names(), tempfile::tempdir().unwrap());
        let mut files = PowerFiles::new(&names, directory.path().into());
        for (ms, node, over, mw) in [(10, 1, 10, 900), (10, 2, 10, 50), (12, 1, 2, 1_400)] {
            let over = Duration::from_millis(over);
            let radio = Power::from_milliwatts(mw) * over;
            let system = radio + Power::from_watts(10) * over;
            files.record(at(ms), &Event::Power { node, over, radio, system });
        }
        files.complete().unwrap().into_iter().try_for_each(PendingFile::commit).unwrap();
        assert_eq!(listed(directory.path()), ["power-212.dat", "power-213.dat"]);
        assert_eq!(
            fs::read_to_string(directory.path().join("power-212.dat")).unwrap(),
            "# time_s radio_w system_w\n0.01 0.9 10.9\n0.012 1.4 11.4\n"
        );
    }
}
