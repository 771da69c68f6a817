//! Reads and writes the files that commands name, for the owner of the controller.

pub(crate) mod data_files;

use self::data_files::{DataFiles, read_data};
use crate::editing::Edit;
use crate::own_directories::own_directories;
use crate::runs::{keep_last, save_setup};
use crate::shell_commands::ShellCommands;
use crate::triage::write_report;
use controller::{Controller, Effect, LogOrder, SavedSetup};
use nix::fcntl::OFlag;
use std::{
    fs::File,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io::{self, Read as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

/// A longer file is not accepted as a script.
const LONGEST: u64 = 16 << 20;

/// The log being written, if there is one.
#[derive(Debug, Default)]
pub struct Files {
    log: Option<File>,
    /// True if a script writes to it only.
    redirects: bool,
    /// The commands of the shell that are running.
    pub(crate) shells: ShellCommands,
    /// The files of data that are not complete.
    data: DataFiles,
    /// Files that are waiting for the editor.
    edits: Vec<Edit>,
    /// True once the job is kept as the last one.
    has_kept_run: bool,
}

impl Files {
    /// Serves the controller's file requests.
    pub fn serve(&mut self, controller: &mut Controller) {
        if !self.has_kept_run && controller.state().has_started() {
            self.has_kept_run = true;
            keep_last();
        }
        // Serving one may create more: a script may run another script.
        loop {
            let effects = controller.take_effects();
            if effects.is_empty() {
                return;
            }
            for effect in effects {
                match effect {
                    Effect::Read(command, path) => controller.provide(command, read_script(&path)),
                    Effect::Write(command, path, text) => {
                        controller.provide(command, write_script(&path, &text));
                    }
                    Effect::SaveRun { command, name, arguments, changes, setup } => {
                        controller.provide(command, save_setup(&name, (&arguments, &changes), &setup));
                    }
                    Effect::WriteData(command, steps) => {
                        controller.provide(command, self.data.write(command, steps));
                    }
                    Effect::DropData(command) => self.data.drop_of(command),
                    Effect::ReadData { command, path, from, length } => {
                        controller.provide_data(command, read_data(&path, from, length));
                    }
                    Effect::WriteReport(command, directory, report) => {
                        controller.provide(command, write_report(&directory, *report));
                    }
                    Effect::Shell { command, line, input } => self.shells.start(command, line, input),
                    Effect::Edit { command, file, line } => self.edits.push(Edit { command, file, line }),
                    Effect::Log(command, None) => {
                        self.log = None;
                        self.redirects = false;
                        controller.provide(command, Ok(String::new()));
                    }
                    Effect::Log(command, Some(order)) => {
                        controller.provide(command, self.begin_log(&order));
                    }
                }
            }
        }
    }

    fn begin_log(&mut self, order: &LogOrder) -> Result<String, String> {
        let LogOrder { path, overwrite, redirect } = order;
        let mut options = File::options();
        let options = options.create(true).write(true).append(!overwrite).truncate(*overwrite);
        let file = options.open(path).map_err(|error| format!("cannot write to {path}: {error}"))?;
        (self.log, self.redirects) = (Some(file), *redirect);
        Ok(String::new())
    }

    /// True if what a script reports goes to the log only.
    pub fn redirects(&self) -> bool {
        self.redirects && self.log.is_some()
    }

    /// Takes the files to be edited.
    pub(crate) fn take_edits(&mut self) -> Vec<Edit> {
        std::mem::take(&mut self.edits)
    }

    /// Writes lines to the log, if there is one. Closes the log if writing fails; the error says so.
    pub fn record<'a>(&mut self, lines: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
        let Some(file) = &mut self.log else { return Ok(()) };
        let text: String = lines.into_iter().flat_map(|line| [line, "\n"]).collect();
        file.write_all(text.as_bytes()).map_err(|error| {
            self.log = None;
            format!("cannot write the log any longer: {error}")
        })
    }
}

/// Writes a file of commands; returns an empty text, since there is nothing to run.
fn write_script(path: &str, text: &str) -> Result<String, String> {
    let fault = |error: std::io::Error| format!("cannot write {path}: {error}");
    if let Some(directory) = Path::new(path).parent() {
        std::fs::create_dir_all(directory).map_err(fault)?;
    }
    std::fs::write(path, text).map_err(fault)?;
    Ok(String::new())
}

/// Returns the file of commands saved for a program; programs of the same name in different directories have different
/// files.
pub fn saved_setup(directory: &Path, program: &Path) -> SavedSetup {
    let whole = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let mut hasher = DefaultHasher::new();
    whole.hash(&mut hasher);
    let name = whole.file_name().map_or_else(|| "program".into(), |name| name.to_string_lossy());
    let path = directory.join(format!("{name}-{:08x}.rankscope", hasher.finish() as u32));
    SavedSetup { exists: path.is_file(), path, restores: false }
}

/// Returns the directory of the saved files of commands.
pub fn saved_directory() -> Option<PathBuf> {
    let directories = own_directories()?;
    Some(directories.state_dir().unwrap_or(directories.data_dir()).join("programs"))
}

/// Reads a file of commands. It may be a pipe: a shell's `<(…)` is one.
pub fn read_script(path: &str) -> Result<String, String> {
    let fault = |error: io::Error| format!("cannot read {path}: {error}");
    read_all(File::open(path).map_err(fault)?).map_err(fault)
}

/// Reads a regular file whose name comes from someone else, such as a process that requests a debugger. Devices and
/// pipes are refused: nothing may ever be written to a pipe.
pub fn read_regular(path: &Path) -> io::Result<String> {
    let not_regular = || io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file");
    // Opening a device may have side effects. A pipe that appears after this check does not block either: O_NONBLOCK.
    if !path.metadata()?.is_file() {
        return Err(not_regular());
    }
    let file = File::options().read(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(path)?;
    if file.metadata()?.is_file() { read_all(file) } else { Err(not_regular()) }
}

fn read_all(file: File) -> io::Result<String> {
    let mut text = String::new();
    file.take(LONGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST {
        let words = format!("it is longer than {} MiB", LONGEST >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, words));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_another_names_is_regular_and_not_too_long() {
        let place = tempfile::tempdir().unwrap();
        let pipe = place.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        for path in [&pipe, Path::new("/dev/zero"), place.path()] {
            let words = read_regular(path).unwrap_err().to_string();
            assert!(words.contains("not a regular file"), "{words}");
        }
        let path = place.path().join("file");
        std::fs::write(&path, "-n 2 ./a").unwrap();
        assert_eq!(read_regular(&path).unwrap(), "-n 2 ./a");
        File::options().write(true).open(&path).unwrap().set_len(LONGEST + 1).unwrap();
        assert!(read_regular(&path).unwrap_err().to_string().contains("longer than 16 MiB"));
        assert!(read_script(path.to_str().unwrap()).unwrap_err().contains("longer than 16 MiB"));
    }

    #[test]
    fn programs_of_one_name_have_files_of_their_own() {
        let of = |program: &str| saved_setup(Path::new("/state"), Path::new(program)).path;
        assert_ne!(of("/nowhere/a/ring"), of("/nowhere/b/ring"));
        assert_eq!(of("/nowhere/a/ring"), of("/nowhere/a/ring"));
        assert!(
            of("/nowhere/a/ring").starts_with("/state/") && of("/nowhere/a/ring").to_str().unwrap().contains("ring-")
        );
    }
}
