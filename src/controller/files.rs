//! The files that commands read and write, for whoever owns the controller.

use crate::controller::{Controller, Effect};
use std::{
    fs::File,
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
};

/// A script longer than this is none.
const LONGEST: u64 = 16 << 20;

/// The log that is being written.
#[derive(Debug, Default)]
pub struct Files {
    log: Option<File>,
}

impl Files {
    /// Does what the controller asks for.
    pub fn serve(&mut self, controller: &mut Controller) {
        // Serving one may ask for more: a file may run a file.
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
                    Effect::Log(command, None) => {
                        self.log = None;
                        controller.provide(command, Ok(String::new()));
                    }
                    Effect::Log(command, Some(path)) => {
                        let opened = File::options().create(true).append(true).open(&path);
                        let outcome = match opened {
                            Ok(file) => {
                                self.log = Some(file);
                                Ok(String::new())
                            }
                            Err(error) => Err(format!("cannot write to {path}: {error}")),
                        };
                        controller.provide(command, outcome);
                    }
                }
            }
        }
    }

    /// Writes lines to the log, when there is one. A log that cannot be written to is given up; the sentence says so.
    pub fn record<'a>(&mut self, lines: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
        let Some(file) = &mut self.log else { return Ok(()) };
        let text: String = lines.into_iter().flat_map(|line| [line, "\n"]).collect();
        file.write_all(text.as_bytes()).map_err(|error| {
            self.log = None;
            format!("the log is no longer written: {error}")
        })
    }
}

/// Writes a file of commands; there is nothing to run then.
fn write_script(path: &str, text: &str) -> Result<String, String> {
    let fault = |error: std::io::Error| format!("cannot write {path}: {error}");
    if let Some(directory) = Path::new(path).parent() {
        std::fs::create_dir_all(directory).map_err(fault)?;
    }
    std::fs::write(path, text).map_err(fault)?;
    Ok(String::new())
}

/// Where the files of commands are that are kept for programs.
pub fn saved_directory() -> Option<PathBuf> {
    let directories = directories::ProjectDirs::from("", "", "rankscope")?;
    Some(directories.state_dir().unwrap_or(directories.data_dir()).join("programs"))
}

/// The text of a file of commands.
pub fn read_script(path: &str) -> Result<String, String> {
    let fault = |error: std::io::Error| format!("cannot read {path}: {error}");
    let mut text = String::new();
    File::open(path).map_err(fault)?.take(LONGEST).read_to_string(&mut text).map_err(fault)?;
    Ok(text)
}
