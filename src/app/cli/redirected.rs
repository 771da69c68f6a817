//! Standard input that the shell has redirected (`rankscope run ./app < FILE`): under the screen it is the program's, as
//! without a debugger. The screen reads the keys from the terminal of the process.

use super::run::Run;
use model::{InputOption, InputSource, raw_text};
use std::ffi::OsString;
use std::fs::File;
use std::io::{IsTerminal as _, stdin};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

const STDIN: &str = "/proc/self/fd/0";

/// Returns the file that is the standard input of this process, or nothing (`/dev/null`); `None` for anything that cannot
/// be read again by each rank.
pub(crate) fn redirected() -> Option<InputSource> {
    if stdin().is_terminal() {
        return None;
    }
    let path = std::fs::read_link(STDIN).ok()?;
    if path == Path::new("/dev/null") {
        return Some(InputSource::Nothing);
    }
    let (open, named) = (Path::new(STDIN).metadata().ok()?, path.metadata().ok()?);
    // A removed file has no name any more, and another one may have it now.
    let is_same = open.dev() == named.dev() && open.ino() == named.ino();
    (open.is_file() && is_same).then(|| InputSource::File(raw_text(path.as_os_str())))
}

/// True if the screen can read keys although standard input is not the terminal.
pub(crate) fn has_keyboard() -> bool {
    File::open("/dev/tty").is_ok()
}

/// The option that gives a redirected standard input to the program.
fn option() -> Option<InputOption> {
    redirected().map(|source| InputOption { ranks: None, source })
}

impl Run {
    /// Gives a redirected standard input to the program, unless options say what it reads, or a script runs. Returns the
    /// option for it.
    pub(crate) fn take_redirected(&mut self) -> Option<OsString> {
        if self.common.front.batch.is_some() || self.stdin.iter().any(|given| given.ranks.is_none()) {
            return None;
        }
        let option = option()?;
        let word = format!("--stdin={option}");
        self.stdin.insert(0, option);
        Some(model::raw_word(&word))
    }
}

/// The same for a job that is started again with these options.
pub(crate) fn for_options(options: &[String]) -> Option<String> {
    let is_given = |name: &str| options.iter().any(|word| word == name || word.starts_with(&format!("{name}=")));
    if is_given("--batch") || is_given("--stdin") {
        return None;
    }
    option().map(|option| format!("--stdin={option}"))
}
