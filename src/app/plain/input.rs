//! What is typed: keys, if the terminal lets the line be edited here, or whole lines of a pipe or of a terminal that another
//! program, such as Emacs, edits.

use crate::screen::{LastWords, typed};
use crossterm::event::{Event, EventStream, KeyEvent};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use futures::StreamExt as _;
use nix::sys::signal::{Signal, raise};
use nix::sys::termios::{OutputFlags, SetArg, tcgetattr, tcsetattr};
use nix::unistd::{dup, dup2_stdin};
use std::io::{self, BufRead as _, IsTerminal as _, stdin};
use std::os::fd::OwnedFd;
use tokio::sync::mpsc;

/// What has been typed.
#[derive(Debug)]
pub(super) enum Typed {
    Key(KeyEvent),
    /// A line that was edited elsewhere.
    Line(String),
    /// Nothing more comes, or at a terminal: ctrl-d.
    End,
    /// Nothing that matters.
    Other,
}

/// Who edits and shows the line that is being typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Editing {
    Here,
    /// The terminal, or a program that uses it.
    Elsewhere,
    /// Nobody: the commands come from a pipe or a file.
    None,
}

/// The keyboard, or standard input.
pub(super) enum Input {
    Keys(Keys),
    Lines(Lines),
}

impl Input {
    /// Takes the keyboard, if standard input is a terminal whose lines no other program edits.
    pub(super) fn open(last_words: LastWords) -> io::Result<Self> {
        let is_edited_elsewhere = std::env::var_os("INSIDE_EMACS").is_some();
        if stdin().is_terminal() && !is_edited_elsewhere {
            return Keys::open(last_words).map(Self::Keys);
        }
        Lines::open().map(Self::Lines)
    }

    pub(super) fn editing(&self) -> Editing {
        match self {
            Self::Keys(_) => Editing::Here,
            Self::Lines(lines) if lines.is_terminal => Editing::Elsewhere,
            Self::Lines(_) => Editing::None,
        }
    }

    pub(super) async fn next(&mut self) -> Typed {
        match self {
            Self::Keys(keys) => match keys.events.next().await {
                Some(Ok(Event::Key(key))) => Typed::Key(key),
                Some(Ok(_)) => Typed::Other,
                Some(Err(_)) | None => Typed::End,
            },
            Self::Lines(lines) => lines.next().await,
        }
    }
}

/// The keyboard. The terminal gets what is typed only as the line that is shown; dropping this gives it back.
pub(super) struct Keys {
    events: EventStream,
    last_words: LastWords,
}

impl Keys {
    fn open(last_words: LastWords) -> io::Result<Self> {
        take(last_words)?;
        Ok(Self { events: typed::events(), last_words })
    }

    /// Stops the process as the shell's job control does; returns when it continues.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        give_back(self.last_words);
        raise(Signal::SIGTSTP).map_err(io::Error::from)?;
        take(self.last_words)
    }

    /// Gives the terminal to another program while `use_it` runs; it gets the keyboard for that program.
    pub(super) fn lend(self, use_it: &mut dyn FnMut(OwnedFd)) -> io::Result<Self> {
        let keyboard = dup(stdin()).map_err(io::Error::from)?;
        let last_words = self.last_words;
        drop(self);
        // The thread that reads the keyboard ends a moment after its stream.
        typed::leave_to_others();
        use_it(keyboard.try_clone()?);
        dup2_stdin(&keyboard).map_err(io::Error::from)?;
        Self::open(last_words)
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        give_back(self.last_words);
    }
}

fn take(last_words: LastWords) -> io::Result<()> {
    // Nothing is written at the end: only the settings are restored.
    last_words(Some(b""));
    if let Err(error) = enable_raw_mode() {
        last_words(None);
        return Err(error);
    }
    // Lines end as those of any program do.
    let mut settings = tcgetattr(stdin()).map_err(io::Error::from)?;
    settings.output_flags.insert(OutputFlags::OPOST | OutputFlags::ONLCR);
    tcsetattr(stdin(), SetArg::TCSANOW, &settings).map_err(io::Error::from)
}

fn give_back(last_words: LastWords) {
    // If the terminal is gone, nothing can be done.
    let _ = disable_raw_mode();
    last_words(None);
}

/// Whole lines.
pub(super) struct Lines {
    lines: mpsc::Receiver<Option<String>>,
    /// True if ctrl-d ends no more than a line.
    is_terminal: bool,
}

impl Lines {
    fn open() -> io::Result<Self> {
        let (sender, lines) = mpsc::channel(16);
        let is_terminal = stdin().is_terminal();
        // A separate thread: a blocking read cannot be cancelled, and must not keep the process alive.
        std::thread::Builder::new().spawn(move || {
            loop {
                let mut line = String::new();
                let read = stdin().lock().read_line(&mut line);
                let is_end = !matches!(read, Ok(1..));
                let line = (!is_end).then(|| line.trim_end_matches(['\n', '\r']).to_owned());
                if sender.blocking_send(line).is_err() || is_end && !(is_terminal && read.is_ok()) {
                    return;
                }
            }
        })?;
        Ok(Self { lines, is_terminal })
    }

    async fn next(&mut self) -> Typed {
        match self.lines.recv().await {
            Some(Some(line)) => Typed::Line(line),
            Some(None) => Typed::End,
            // Told once already.
            None => std::future::pending().await,
        }
    }
}
