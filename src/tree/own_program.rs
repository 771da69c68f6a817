//! The command lines by which a process of the tree starts another: the same program again. The front end's binary
//! contains the tree as well, so that it never meets a `rankscope-sdm` of another build, and `cargo run` has all it
//! needs.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// The first word that makes the front end's binary a process of the tree.
pub const TREE_WORD: &str = "sdm";

/// Returns the command line of this program, with [`TREE_WORD`] if it is the front end's binary.
pub(crate) fn own_words() -> io::Result<Vec<OsString>> {
    let mut words = vec![std::env::current_exe()?.into_os_string()];
    words.extend(std::env::args_os().nth(1).filter(|word| word == TREE_WORD));
    Ok(words)
}

/// File name of the statically linked rankscope, beside a program that needs the host's C library.
const STATIC: &str = "rankscope-static";

/// Returns the command line of the static program beside this one, for hosts whose C library may be older or missing.
/// `None` if there is none, or this program is static itself.
pub(crate) fn static_words(own: &[OsString]) -> Option<Vec<OsString>> {
    if cfg!(target_feature = "crt-static") {
        return None;
    }
    let file = Path::new(own.first()?).with_file_name(STATIC);
    file.is_file().then(|| vec![file.into_os_string(), TREE_WORD.into()])
}

/// Returns this program by a name that stays valid when its file is renamed or removed.
fn lasting_words() -> impl Iterator<Item = OsString> {
    let word = std::env::args_os().nth(1).filter(|word| word == TREE_WORD);
    [OsString::from("/proc/self/exe")].into_iter().chain(word)
}

/// Returns the command line that starts a caretaker.
pub(super) fn caretaker_words() -> Vec<OsString> {
    lasting_words().chain(["--caretaker".into()]).collect()
}

/// Returns the command line that starts a process for the queue library of an MPI.
pub(super) fn queue_library_words() -> Vec<OsString> {
    lasting_words().chain(["--queue-library".into()]).collect()
}

/// Returns a command that runs this program as a helper process beside this one.
pub(super) fn own_process() -> Command {
    let mut words = lasting_words();
    let mut command = Command::new(words.next().unwrap_or_default());
    // The name that ps(1) shows.
    command.arg0("rankscope").args(words);
    command
}

/// Returns a command that runs this program as another process of the tree.
pub(crate) fn own_command() -> io::Result<Command> {
    let mut words = own_words()?.into_iter();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    Ok(command)
}

pub(crate) fn host_name() -> String {
    nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok()).unwrap_or_else(|| "localhost".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_static_file_beside_the_program_is_run_as_the_tree() {
        let place = tempfile::tempdir().unwrap();
        let own = vec![place.path().join("rankscope-sdm").into_os_string()];
        assert_eq!(static_words(&own), None);
        let file = place.path().join("rankscope-static");
        std::fs::write(&file, "").unwrap();
        assert_eq!(static_words(&own), Some(vec![file.into_os_string(), "sdm".into()]));
    }
}
