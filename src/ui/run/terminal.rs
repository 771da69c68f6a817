//! The terminal, taken over and given back: also after a panic, a signal, and while suspended.

use super::LastWords;
use crossterm::{
    cursor::{SetCursorStyle, Show},
    event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture},
    execute, queue,
    terminal::{EnterAlternateScreen, LeaveAlternateScreen, SetTitle, disable_raw_mode, enable_raw_mode},
};
use nix::sys::signal::{SigSet, SigmaskHow, Signal};
use ratatui::{Terminal, backend::CrosstermBackend, layout::Rect};
use std::{
    io::{self, Stdout, Write as _, stdout},
    panic,
    sync::atomic::{AtomicBool, Ordering},
    sync::{Once, OnceLock},
};

static TAKEN: AtomicBool = AtomicBool::new(false);
static HOOK: Once = Once::new();
static LAST_WORDS: OnceLock<LastWords> = OnceLock::new();

/// A terminal in raw mode on its alternate screen; dropping it gives it back.
pub(super) struct Screen {
    pub(super) terminal: Terminal<CrosstermBackend<Stdout>>,
    mouse: bool,
}

impl Screen {
    /// Takes the terminal; `last_words` gives it back when nothing here can.
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
        let terminal = Terminal::new(CrosstermBackend::new(stdout()));
        match terminal {
            Ok(terminal) => Ok(Self { terminal, mouse }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// Whether the terminal has not been given back, as a panic of any thread does.
    pub(super) fn is_ours(&self) -> bool {
        TAKEN.load(Ordering::SeqCst)
    }

    /// Names the window.
    pub(super) fn title(&mut self, title: &str) {
        let clean: String = title.chars().filter(|c| !c.is_control()).take(120).collect();
        // A terminal without a title has nothing to complain about.
        let _ = execute!(stdout(), SetTitle(clean));
    }

    /// Stops the process as the shell's job control does; returns when it is continued.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        give_back();
        nix::sys::signal::raise(Signal::SIGTSTP).map_err(io::Error::from)?;
        enter(self.mouse)?;
        self.redraw()
    }

    /// Forgets what is on the screen: the next picture is drawn whole. (Ratatui's own `clear` asks the terminal where
    /// its cursor is, and the answer would be taken for keys.)
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
    // A terminal that is still as it was: how it is now is how it is to be again.
    say_at_the_end(Some(&farewell()?));
    if let Err(error) = enable_raw_mode() {
        say_at_the_end(None);
        return Err(error);
    }
    TAKEN.store(true, Ordering::SeqCst);
    let entered = execute!(stdout(), EnterAlternateScreen, EnableBracketedPaste, SetCursorStyle::SteadyBar);
    let entered = entered.and_then(|()| if mouse { execute!(stdout(), EnableMouseCapture) } else { Ok(()) });
    if entered.is_err() {
        give_back();
    }
    entered
}

/// Gives the terminal back, once however often it is called.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // A shell that was hung up has taken the terminal back by now. Who is not in the foreground is stopped where it
        // changes the terminal, unless it blocks that (tcsetattr(3), SIGTTOU): it would keep the session for ever.
        let mut output = SigSet::empty();
        output.add(Signal::SIGTTOU);
        let before = output.thread_swap_mask(SigmaskHow::SIG_BLOCK);
        // Nothing can be done about a terminal that is gone.
        let _ = farewell().and_then(|bytes| {
            let mut terminal = stdout().lock();
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

/// What undoes all that `enter` writes.
fn farewell() -> io::Result<Vec<u8>> {
    // An escape sequence that was not finished is none (ECMA-48, CAN).
    let mut bytes = b"\x18".to_vec();
    queue!(
        bytes,
        DisableMouseCapture,
        DisableBracketedPaste,
        SetCursorStyle::DefaultUserShape,
        LeaveAlternateScreen,
        Show
    )?;
    Ok(bytes)
}

fn say_at_the_end(bytes: Option<&[u8]>) {
    if let Some(last_words) = LAST_WORDS.get() {
        last_words(bytes);
    }
}
