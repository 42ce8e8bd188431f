//! Files that appear when they are complete.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file under a temporary name, `.NAME.partial`. [`PendingFile::commit`]
/// gives it its own; dropped without that, it is deleted. A run that is killed
/// leaves at most the temporary file, never half of a valid one.
#[derive(Debug)]
pub struct PendingFile {
    /// `None` once the file has been committed.
    out: Option<BufWriter<File>>,
    partial: PathBuf,
    path: PathBuf,
}

impl PendingFile {
    /// Opens the temporary file for `directory/name`.
    ///
    /// # Errors
    /// The system's error, with the name of the file.
    pub fn create(directory: &Path, name: &str) -> io::Result<Self> {
        let partial = directory.join(format!(".{name}.partial"));
        let path = directory.join(name);
        let out = File::create(&partial).map_err(|error| about(&partial, &error))?;
        Ok(Self { out: Some(BufWriter::new(out)), partial, path })
    }

    /// Opens the temporary file for `path`, in the directory where that is.
    ///
    /// # Errors
    /// The system's error, with the name of the file; that `path` names no file.
    pub fn at(path: &Path) -> io::Result<Self> {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| about(path, &io::ErrorKind::InvalidFilename.into()))?;
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        Self::create(directory.unwrap_or(Path::new(".")), name)
    }

    /// Gives the complete file its name, in place of one that has it.
    ///
    /// # Errors
    /// The system's error, with the name of the file; it is deleted then.
    pub fn commit(mut self) -> io::Result<()> {
        self.flush()?;
        fs::rename(&self.partial, &self.path).map_err(|error| about(&self.path, &error))?;
        self.out = None;
        Ok(())
    }

    fn out(&mut self) -> io::Result<&mut BufWriter<File>> {
        self.out.as_mut().ok_or_else(|| io::ErrorKind::BrokenPipe.into())
    }
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out()?.write(bytes);
        written.map_err(|error| about(&self.path, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out()?.flush();
        flushed.map_err(|error| about(&self.path, &error))
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if self.out.take().is_some() {
            // Whatever made the file useless is reported elsewhere; that it is
            // also in the way of its own deletion helps nobody.
            let _ = fs::remove_file(&self.partial);
        }
    }
}

/// `error` with the name of the file that it is about.
fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::listed;

    #[test]
    fn a_file_has_its_name_only_when_it_is_complete() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("a"), "of an earlier run").unwrap();

        let mut file = PendingFile::create(directory.path(), "a").unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(listed(directory.path()), [".a.partial", "a"]);
        assert_eq!(fs::read(directory.path().join("a")).unwrap(), b"of an earlier run");

        file.commit().unwrap();
        assert_eq!(listed(directory.path()), ["a"]);
        assert_eq!(fs::read(directory.path().join("a")).unwrap(), b"new");
    }

    #[test]
    fn an_unfinished_file_is_deleted() {
        let directory = tempfile::tempdir().unwrap();
        let mut file = PendingFile::create(directory.path(), "a").unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert!(listed(directory.path()).is_empty());
    }

    #[test]
    fn an_error_names_its_file() {
        let directory = tempfile::tempdir().unwrap();
        let error = PendingFile::create(&directory.path().join("none"), "a").unwrap_err();
        assert!(error.to_string().contains("none"), "{error}");
    }
}
