//! Standard input that the shell has redirected (`rankscope run ./app < FILE`): it is the program's, as without a debugger,
//! unless a script is read from it. The screen reads the keys from the terminal of the process.

use super::run::Run;
use model::{InputOption, InputSource, raw_text};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::ffi::OsString;
use std::fs::File;
use std::io::{IsTerminal as _, stdin};
use std::os::fd::AsFd as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
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

/// True if the standard input of this process is a pipe with something in it. Several ranks cannot read one pipe.
pub(crate) fn is_unread_pipe() -> bool {
    let is_pipe = Path::new(STDIN).metadata().is_ok_and(|facts| facts.file_type().is_fifo());
    let input = stdin();
    let mut asked = [PollFd::new(input.as_fd(), PollFlags::POLLIN)];
    // A pipe that was closed without a byte is ready as well, but has nothing to read.
    is_pipe
        && poll(&mut asked, PollTimeout::ZERO).is_ok()
        && asked[0].revents().is_some_and(|ready| ready.contains(PollFlags::POLLIN))
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
    /// Gives a redirected standard input to the program, unless options say what it reads, or it is the script. Returns
    /// the option for it.
    pub(crate) fn take_redirected(&mut self) -> Option<OsString> {
        let batch = self.common.front.batch.as_deref();
        // The plain mode reads commands from a pipe or a file, too.
        if batch == Some("-") || self.common.front.plain || self.stdin.iter().any(|given| given.ranks.is_none()) {
            return None;
        }
        // The ranks of a script read nothing anyhow.
        let option = option().filter(|option| batch.is_none() || option.source != InputSource::Nothing)?;
        let word = format!("--stdin={option}");
        self.stdin.insert(0, option);
        Some(model::raw_word(&word))
    }
}

/// The same for a job that is started again with these options.
pub(crate) fn for_options(options: &[String]) -> Option<String> {
    let is_given = |name: &str| options.iter().any(|word| word == name || word.starts_with(&format!("{name}=")));
    let reads_script = options.iter().any(|word| word == "--batch=-" || word == "--plain")
        || options.windows(2).any(|words| words == ["--batch", "-"]);
    if reads_script || is_given("--stdin") {
        return None;
    }
    option()
        .filter(|option| !is_given("--batch") || option.source != InputSource::Nothing)
        .map(|option| format!("--stdin={option}"))
}
