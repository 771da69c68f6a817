//! Jobs that can be started again: a file for each, private to the user.

mod start_words;

use crate::cli::usage_error::UsageError;
use crate::files::data_files::read_part;
use crate::own_directories::own_directories;
use model::{StartChanges, raw_text, raw_word};
use serde::{Deserialize, Serialize};
use start_words::StartWords;
use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The name of the job that was started last, in any directory.
pub(crate) const LAST: &str = "last";
/// The name of the job that was started last in the present directory. Users cannot give it.
pub(crate) const HERE: &str = ".";
/// Beside the runs with names, those that were started last in each directory.
const LAST_OF: &str = "last-of-directories";
/// Directories whose last job is known.
const MOST_DIRECTORIES: usize = 200;
/// Longest file, in bytes.
const LONGEST: u64 = 1 << 20;
/// Longest name.
const LONGEST_NAME: usize = 64;

/// The job of this process, if `rankscope run` starts one.
static STARTED: OnceLock<Started> = OnceLock::new();

/// The job of this process, and the commands of the kept run that it repeats.
struct Started {
    run: SavedRun,
    setup: Option<String>,
}

/// A job that can be started again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedRun {
    /// The directory in which `rankscope run` was started.
    pub(crate) directory: String,
    /// The options of `rankscope run`, without those of the screen and of scripts.
    #[serde(default)]
    pub(crate) options: Vec<String>,
    /// The program and its arguments, or the launcher's line.
    pub(crate) command: Vec<String>,
    /// Variables that commands of the debugger set for the program; the rest of the environment is never kept.
    #[serde(default)]
    pub(crate) environment: BTreeMap<String, String>,
    /// Variables that commands of the debugger removed.
    #[serde(default)]
    pub(crate) unset: Vec<String>,
}

/// The directory of the files; `None` if the user's own directories are unknown.
fn directory() -> Option<PathBuf> {
    let directories = own_directories()?;
    Some(directories.state_dir().unwrap_or(directories.data_dir()).join("runs"))
}

/// Fails for a name that is no name of a file, or that another thing has.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    if name.is_empty() || name.len() > LONGEST_NAME || name.starts_with(['.', '-']) || !name.chars().all(plain) {
        return Err(format!("{name:?} cannot name a run: use letters, digits, and . _ - inside"));
    }
    Ok(())
}

fn place(name: &str) -> Result<PathBuf, String> {
    let runs = directory().ok_or("runs are not kept: HOME is not set")?;
    if name == HERE {
        let mut hasher = DefaultHasher::new();
        here().hash(&mut hasher);
        return Ok(runs.join(LAST_OF).join(format!("{:016x}.toml", hasher.finish())));
    }
    check_name(name)?;
    Ok(runs.join(format!("{name}.toml")))
}

/// The present directory.
fn here() -> String {
    std::env::current_dir().map_or_else(|_| "/".to_owned(), |at| raw_text(at.as_os_str()))
}

/// The file of commands of a run, with its breakpoints.
pub(crate) fn setup_of(name: &str) -> Option<PathBuf> {
    Some(place(name).ok()?.with_extension("rankscope"))
}

/// Reads a regular file.
fn read_regular(path: &Path) -> io::Result<String> {
    let read = read_part(path, 0, LONGEST + 1)?;
    if read.bytes.len() as u64 > LONGEST {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is longer than {} KiB", LONGEST >> 10)));
    }
    String::from_utf8(read.bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// Writes a file that only the user can read, in place of an older one.
fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let mut incomplete = path.as_os_str().to_owned();
    incomplete.push(format!(".{}", std::process::id()));
    let incomplete = PathBuf::from(incomplete);
    // What a killed process has left.
    let _ = fs::remove_file(&incomplete);
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(&incomplete)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| fs::rename(&incomplete, path));
    if written.is_err() {
        let _ = fs::remove_file(&incomplete);
    }
    written
}

impl SavedRun {
    /// Reads a run by its name.
    pub(crate) fn load(name: &str) -> Result<Self, String> {
        let place = place(name)?;
        if name != HERE {
            return Self::read(&place, name);
        }
        let here = here();
        // Another directory may have the same hash.
        let run = if place.exists() { Some(Self::read(&place, name)?) } else { None };
        run.filter(|run| run.directory == here).ok_or_else(|| match Self::load(LAST) {
            Ok(last) => format!(
                "nothing was started yet in {here} with rankscope run; the last run is {:?} in {}: \"rankscope run \
                    @{LAST}\" starts it",
                last.line(),
                last.directory
            ),
            Err(why) => why,
        })
    }

    fn read(path: &Path, name: &str) -> Result<Self, String> {
        let text = read_regular(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound if name == LAST => "nothing was started yet with rankscope run".to_owned(),
            io::ErrorKind::NotFound => format!("there is no run {name}: rankscope runs lists them"),
            _ => format!("cannot read {}: {error}", path.display()),
        })?;
        let damaged = |why: &str| {
            let place = path.display();
            match name {
                HERE => format!("{place} is damaged ({why}): remove it"),
                _ => format!("{place} is damaged ({why}): rankscope runs --forget {name} removes it"),
            }
        };
        let run: Self = toml::from_str(&text).map_err(|error| damaged(error.message()))?;
        if run.command.first().is_none_or(|program| program.is_empty() || program.starts_with(['-', '@'])) {
            return Err(damaged("it names no program"));
        }
        if run.environment.keys().chain(&run.unset).any(|name| name.is_empty() || name.contains(['=', '\0'])) {
            return Err(damaged("the name of a variable has \"=\" in it, or is empty"));
        }
        Ok(run)
    }

    /// Keeps the run under a name.
    pub(crate) fn save(&self, name: &str) -> Result<PathBuf, String> {
        let path = place(name)?;
        let text = toml::to_string(self).map_err(|error| format!("cannot save the run: {error}"))?;
        write_private(&path, &text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        Ok(path)
    }

    /// The run of `rankscope run` with these words, in the present directory.
    pub(crate) fn here(options: Vec<String>, command: Vec<String>) -> Self {
        Self { directory: here(), options, command, ..Self::default() }
    }

    /// The same with the changes that commands have made for the next start; `former`: the program's arguments.
    fn changed(mut self, former: &[String], changes: &StartChanges) -> Self {
        let words = StartWords { directory: &self.directory, options: &mut self.options, command: &mut self.command };
        words.change(former, changes);
        for (name, value) in &changes.environment {
            // A repeated run has changes of its own, which these replace.
            self.unset.retain(|known| known != name);
            self.environment.remove(name);
            match value {
                Some(value) => _ = self.environment.insert(name.clone(), value.clone()),
                None => self.unset.push(name.clone()),
            }
        }
        self
    }

    /// The words as they are typed, for lists.
    pub(crate) fn line(&self) -> String {
        let words = self.options.iter().chain(&self.command).map(String::as_str);
        words.collect::<Vec<_>>().join(" ")
    }

    /// The command that starts it again, with options for the screen and scripts, as the run `name`.
    pub(crate) fn command(&self, options: &[String], name: &str) -> std::process::Command {
        let own = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("rankscope"));
        let mut command = std::process::Command::new(own);
        let again = ["--again".to_owned(), name.to_owned()];
        let words = self.options.iter().chain(options).chain(&again);
        command.arg("run").args(words.map(|word| raw_word(word))).arg("--");
        command.args(self.command.iter().map(|word| raw_word(word))).current_dir(raw_word(&self.directory));
        self.unset.iter().for_each(|name| _ = command.env_remove(raw_word(name)));
        command.envs(self.environment.iter().map(|(name, value)| (raw_word(name), raw_word(value))));
        command
    }
}

/// Notes the job that this process starts, and keeps it under the given name. If it repeats a kept run, that one is kept,
/// with its variables and commands.
pub(crate) fn starting(run: SavedRun, again: Option<&str>, name: Option<&str>) -> Result<(), UsageError> {
    let repeated = again.and_then(|again| SavedRun::load(again).ok());
    let run = match repeated {
        Some(repeated) => SavedRun { environment: repeated.environment, unset: repeated.unset, ..run },
        None => run,
    };
    let setup = again.and_then(setup_of).and_then(|path| read_regular(&path).ok());
    if let Some(name) = name {
        keep(&run, name, setup.as_deref()).map_err(UsageError)?;
    }
    let _ = STARTED.set(Started { run, setup });
    Ok(())
}

/// Keeps the job of this process as the last one, now that it has started: a job that cannot start is not worth repeating.
pub(crate) fn keep_last() {
    let Some(Started { run, setup }) = STARTED.get() else { return };
    // A directory of state that cannot be written must not disturb the job.
    for last in [LAST, HERE] {
        if let Err(why) = keep(run, last, setup.as_deref()) {
            tracing::warn!("{why}");
        }
    }
    if let Ok(place) = place(HERE) {
        forget_oldest(place.parent().unwrap_or(&place), MOST_DIRECTORIES);
    }
}

/// Removes the runs of the directories in which nothing was started for the longest time.
fn forget_oldest(last_of: &Path, most: usize) {
    let entries = fs::read_dir(last_of).into_iter().flatten().flatten().map(|entry| entry.path());
    let runs = entries.filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    let mut aged: Vec<_> = runs.filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path))).collect();
    aged.sort();
    for (_, path) in aged.iter().take(aged.len().saturating_sub(most)) {
        let _ = fs::remove_file(path.with_extension("rankscope"));
        let _ = fs::remove_file(path);
    }
}

/// Keeps a run under a name with these commands, in place of those of an older run.
fn keep(run: &SavedRun, name: &str, setup: Option<&str>) -> Result<(), String> {
    let path = run.save(name)?.with_extension("rankscope");
    let kept = match setup {
        Some(text) => write_private(&path, text),
        None => fs::remove_file(&path).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        }),
    };
    kept.map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Keeps the job of this process under a name, with the changes for its start and a file of commands.
pub(crate) fn save_setup(
    name: &str,
    (former, changes): (&[String], &StartChanges),
    commands: &str,
) -> Result<String, String> {
    if name == LAST {
        return Err(format!("{LAST:?} is the run that was started last: choose another name"));
    }
    let Started { run, .. } = STARTED.get().ok_or("this session was not started here with rankscope run")?;
    let path = run.clone().changed(former, changes).save(name)?;
    let setup = path.with_extension("rankscope");
    write_private(&setup, commands).map_err(|error| format!("cannot write {}: {error}", setup.display()))?;
    Ok(String::new())
}

/// Returns the names of the kept runs, each with the run or the reason why it cannot be read.
pub(crate) fn all() -> Vec<(String, Result<SavedRun, String>)> {
    let entries = directory().and_then(|directory| fs::read_dir(directory).ok()).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".toml")?.to_owned()));
    let mut names: Vec<String> = names.filter(|name| check_name(name).is_ok()).collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), SavedRun::load(&name))).collect()
}

/// Removes a run and its commands.
pub(crate) fn forget(name: &str) -> Result<(), String> {
    check_name(name)?;
    let path = place(name)?;
    fs::remove_file(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("there is no run {name}: rankscope runs lists them"),
        _ => format!("cannot remove {}: {error}", path.display()),
    })?;
    match fs::remove_file(path.with_extension("rankscope")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(format!("cannot remove its commands: {error}")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_run_is_kept_in_a_private_file_and_read_again() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("runs/ring.toml");
        let run = SavedRun {
            directory: "/home/u".into(),
            options: vec!["-n".into(), "4".into()],
            command: vec!["./ring".into(), "-x".into(), "a b".into()],
            environment: [("OMP_NUM_THREADS".to_owned(), "2".to_owned())].into(),
            unset: vec!["A".into()],
        };
        write_private(&path, &toml::to_string(&run).unwrap()).unwrap();
        assert_eq!(SavedRun::read(&path, "ring"), Ok(run.clone()));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        assert_eq!(run.line(), "-n 4 ./ring -x a b");
        let changes = StartChanges {
            arguments: Some(vec!["new".into()]),
            environment: [("B".to_owned(), Some("1".to_owned())), ("C".to_owned(), None)].into(),
            input: Some("in.txt".into()),
            directory: Some("/tmp".into()),
            stop_at: None,
            randomise: Some(true),
        };
        let changed = run.changed(&["-x".to_owned(), "a b".to_owned()], &changes);
        assert_eq!(changed.line(), "-n 4 --stdin=/tmp/in.txt --cwd=/tmp --randomise /home/u/./ring new");
        assert_eq!((changed.environment.len(), &changed.unset), (2, &vec!["A".to_owned(), "C".to_owned()]));
        let environment = [("A".to_owned(), Some("2".to_owned())), ("B".to_owned(), None)].into();
        let again = changed.changed(&[], &StartChanges { environment, ..StartChanges::default() });
        assert_eq!(again.environment.keys().collect::<Vec<_>>(), ["A", "OMP_NUM_THREADS"]);
        assert_eq!(again.unset, ["C", "B"]);
        let again = again.changed(&[], &StartChanges { randomise: Some(false), ..StartChanges::default() });
        assert_eq!(again.line(), "-n 4 --stdin=/tmp/in.txt --cwd=/tmp /home/u/./ring new");
    }

    #[test]
    fn directories_in_which_nothing_was_started_for_long_are_forgotten() {
        let place = tempfile::tempdir().unwrap();
        for (age, name) in [(3, "c"), (1, "a"), (2, "b")] {
            let path = place.path().join(name);
            File::create(path.with_extension("rankscope")).unwrap();
            let file = File::create(path.with_extension("toml")).unwrap();
            file.set_modified(std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(age)).unwrap();
        }
        forget_oldest(place.path(), 2);
        let mut left: Vec<_> = fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["b.rankscope", "b.toml", "c.rankscope", "c.toml"]);
    }

    #[test]
    fn a_damaged_file_is_named_with_what_to_do() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("ring.toml");
        for text in [
            "directory = 3",
            "directory = \"/\"\ncommand = []",
            "directory = \"/\"\ncommand = [\"--batch\"]",
            "directory = \"/\"\ncommand = [\"a\"]\nenvironment = { \"a=b\" = \"c\" }",
            "\u{1b}[2J",
        ] {
            fs::write(&path, text).unwrap();
            let why = SavedRun::read(&path, "ring").unwrap_err();
            assert!(why.contains("is damaged") && why.contains("--forget ring"), "{why}");
        }
        let pipe = place.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert!(SavedRun::read(&pipe, "pipe").unwrap_err().contains("not a regular file"));
        assert!(SavedRun::read(&place.path().join("none"), "none").unwrap_err().contains("there is no run none"));
        for name in ["", "../x", ".x", "a/b", "-x", "a b", "\u{e9}"] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
