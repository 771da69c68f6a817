//! Takes the terminal and gives it back: also after a panic or a signal, and while suspended.
//!
//! All painting goes through a [`Brush`], which paints only while the terminal is ours. Painting and giving back both
//! hold the lock of standard output: no byte of a frame follows the bytes that give the terminal back, whichever thread
//! writes them.

use super::{LastWords, typed};
use crossterm::{
    cursor::{SetCursorStyle, Show},
    event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture},
    execute, queue,
    style::Print,
    terminal::{EnterAlternateScreen, LeaveAlternateScreen, SetTitle, disable_raw_mode, enable_raw_mode},
};
use nix::sys::signal::{SigSet, SigmaskHow, Signal};
use nix::unistd::{dup, dup2_stdin};
use ratatui::{
    Frame, Terminal,
    backend::CrosstermBackend,
    layout::{Rect, Size},
};
use std::{
    io::{self, Write, stdout},
    os::fd::OwnedFd,
    panic,
    sync::atomic::{AtomicBool, Ordering},
    sync::{Once, OnceLock},
    time::Duration,
};

static TAKEN: AtomicBool = AtomicBool::new(false);
/// True once the terminal may keep pictures.
static PICTURES: AtomicBool = AtomicBool::new(false);
static HOOK: Once = Once::new();
static LAST_WORDS: OnceLock<LastWords> = OnceLock::new();

/// Xterm's window operations that save the window title and restore it (other terminals ignore them).
const KEEP_TITLE: &str = "\x1b[22;0t";
const TITLE_BEFORE: &str = "\x1b[23;0t";

/// Writes to standard output while the terminal is ours; discards everything after that.
struct Brush;

impl Write for Brush {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut terminal = stdout().lock();
        if TAKEN.load(Ordering::SeqCst) { terminal.write(bytes) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut terminal = stdout().lock();
        if TAKEN.load(Ordering::SeqCst) { terminal.flush() } else { Ok(()) }
    }
}

/// A terminal in raw mode on its alternate screen; leaving or dropping it gives the terminal back.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<Brush>>,
    mouse: bool,
}

impl Screen {
    /// Takes the terminal; `last_words` gives it back when a signal ends the process.
    pub(super) fn take(mouse: bool, last_words: LastWords) -> io::Result<Self> {
        LAST_WORDS.get_or_init(|| last_words);
        HOOK.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                give_back();
                before(panic);
            }));
        });
        enter(mouse)?;
        let terminal = Terminal::new(CrosstermBackend::new(Brush));
        match terminal {
            Ok(terminal) => Ok(Self { terminal, mouse }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// Gives the terminal back, with what is typed from here on. No screen remains to draw on.
    pub(super) fn leave(self) {
        typed::leave_to_others();
        drop(self);
    }

    pub(super) fn size(&self) -> io::Result<Size> {
        self.terminal.size()
    }

    pub(super) fn draw(&mut self, picture: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.terminal.draw(picture).map(|_| ())
    }

    /// False once the terminal was given back, as a panic of any thread does.
    pub(super) fn is_ours(&self) -> bool {
        TAKEN.load(Ordering::SeqCst)
    }

    pub(super) fn title(&mut self, title: &str) {
        let clean: String = title.chars().filter(|c| !c.is_control()).take(120).collect();
        // A terminal without a title is not an error.
        let _ = execute!(Brush, SetTitle(clean));
    }

    /// Stops the process as the shell's job control does; returns when it continues.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        give_back();
        nix::sys::signal::raise(Signal::SIGTSTP).map_err(io::Error::from)?;
        enter(self.mouse)?;
        self.redraw()
    }

    /// Gives the terminal to another program while `use_it` runs; it gets the keyboard for that program.
    pub(super) fn lend(&mut self, use_it: &mut dyn FnMut(OwnedFd)) -> io::Result<()> {
        give_back();
        // The thread that reads the keyboard ends a moment after its stream, and must not take what is typed for the
        // other program.
        let keyboard = dup(io::stdin()).map_err(io::Error::from)?;
        typed::leave_to_others();
        use_it(keyboard.try_clone()?);
        dup2_stdin(&keyboard).map_err(io::Error::from)?;
        enter(self.mouse)?;
        self.redraw()
    }

    /// Writes a question to the terminal; returns what comes from the keyboard until it is answered or the time is over.
    /// The stream of [`typed::events`] is gone.
    pub(super) fn ask(
        &mut self,
        question: &str,
        patience: Duration,
        is_answered: impl Fn(&[u8]) -> bool,
    ) -> io::Result<Vec<u8>> {
        // As when the terminal is lent: the ending thread must not take the answer.
        let keyboard = dup(io::stdin()).map_err(io::Error::from)?;
        typed::leave_to_others();
        let answer = Brush
            .write_all(question.as_bytes())
            .and_then(|()| Brush.flush())
            .and_then(|()| typed::read_until(&keyboard, patience, is_answered));
        dup2_stdin(&keyboard).map_err(io::Error::from)?;
        answer
    }

    /// Writes a picture that the terminal keeps.
    pub(super) fn send_picture(&mut self, bytes: &str) -> io::Result<()> {
        if !PICTURES.swap(true, Ordering::SeqCst) {
            say_at_the_end(Some(&farewell()?));
        }
        Brush.write_all(bytes.as_bytes())
    }

    /// Discards the known screen contents: the next frame is drawn whole. (Ratatui's own `clear` queries the cursor
    /// position, and the answer would be read as keys.)
    pub(super) fn redraw(&mut self) -> io::Result<()> {
        let size = self.terminal.size()?;
        self.terminal.resize(Rect::new(0, 0, size.width, size.height))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn enter(mouse: bool) -> io::Result<()> {
    // The terminal is still unchanged: its present state is the one to restore.
    say_at_the_end(Some(&farewell()?));
    if let Err(error) = enable_raw_mode() {
        say_at_the_end(None);
        return Err(error);
    }
    TAKEN.store(true, Ordering::SeqCst);
    let kept = Print(KEEP_TITLE);
    let entered = execute!(Brush, kept, EnterAlternateScreen, EnableBracketedPaste, SetCursorStyle::SteadyBar);
    let entered = entered.and_then(|()| if mouse { execute!(Brush, EnableMouseCapture) } else { Ok(()) });
    if entered.is_err() {
        give_back();
    }
    entered
}

/// Gives the terminal back, unless that was already done.
fn give_back() {
    // The lock is reentrant: the panicking thread may be the one that paints.
    let mut terminal = stdout().lock();
    if TAKEN.swap(false, Ordering::SeqCst) {
        // After a hangup the shell may have taken the terminal back. A background process that changes the terminal is
        // stopped unless it blocks the signal (tcsetattr(3), SIGTTOU): it would keep the session forever.
        let mut output = SigSet::empty();
        output.add(Signal::SIGTTOU);
        let before = output.thread_swap_mask(SigmaskHow::SIG_BLOCK);
        // If the terminal is gone, nothing can be done.
        let _ = farewell().and_then(|bytes| {
            terminal.write_all(&bytes)?;
            terminal.flush()
        });
        let _ = disable_raw_mode();
        say_at_the_end(None);
        if let Ok(before) = before {
            let _ = before.thread_set_mask();
        }
    }
}

/// Returns the bytes that undo what `enter` writes.
fn farewell() -> io::Result<Vec<u8>> {
    // Cancels an unfinished escape sequence (ECMA-48, CAN).
    let mut bytes = b"\x18".to_vec();
    if PICTURES.load(Ordering::SeqCst) {
        bytes.extend_from_slice(ui::without_pictures().as_bytes());
    }
    queue!(
        bytes,
        DisableMouseCapture,
        DisableBracketedPaste,
        SetCursorStyle::DefaultUserShape,
        LeaveAlternateScreen,
        Show,
        Print(TITLE_BEFORE)
    )?;
    Ok(bytes)
}

fn say_at_the_end(bytes: Option<&[u8]>) {
    if let Some(last_words) = LAST_WORDS.get() {
        last_words(bytes);
    }
}
