//! Input from the keyboard.

use crossterm::event::{Event, EventStream, KeyCode, KeyEvent, KeyModifiers};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, SigmaskHow, Signal};
use nix::unistd::{dup2_stdin, read};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

/// Reads the keyboard in a thread of crossterm's own, which ends with the returned stream. (crossterm's source
/// `use-dev-tty` reads only in that thread; the other one reads endlessly from a terminal after a hangup, in the thread
/// that would receive the signal.)
pub(crate) fn events() -> EventStream {
    // After a hangup the shell takes the terminal back before it ends. A process that then reads it is stopped unless
    // the signal is blocked (setpgid(2)), and would keep the session forever. A new thread inherits the signal mask.
    let mut input = SigSet::empty();
    input.add(Signal::SIGTTIN);
    let before = input.thread_swap_mask(SigmaskHow::SIG_BLOCK);
    let events = EventStream::new();
    if let Ok(before) = before {
        let _ = before.thread_set_mask();
    }
    events
}

/// Leaves the keyboard to the next reader of the terminal. The thread ends a moment after the stream of [`events`] and
/// would take that input; now it reads nothing from standard input.
pub(crate) fn leave_to_others() {
    if let Ok(nothing) = File::open("/dev/null") {
        // If this fails, a key pressed at this moment may be lost.
        let _ = dup2_stdin(nothing);
    }
}

/// No answer to a question is longer.
const LONGEST: usize = 1 << 16;

/// Reads from the terminal until what was read is enough, or the time is over.
pub(super) fn read_until(
    keyboard: &OwnedFd,
    patience: Duration,
    is_enough: impl Fn(&[u8]) -> bool,
) -> io::Result<Vec<u8>> {
    let until = Instant::now() + patience;
    let mut all = Vec::new();
    let mut bytes = [0; 1024];
    while !is_enough(&all) && all.len() < LONGEST {
        let left = until.saturating_duration_since(Instant::now());
        let timeout = PollTimeout::try_from(left).unwrap_or(PollTimeout::ZERO);
        let mut polled = [PollFd::new(keyboard.as_fd(), PollFlags::POLLIN)];
        match poll(&mut polled, timeout) {
            Err(nix::Error::EINTR) if !left.is_zero() => continue,
            Err(error) => return Err(error.into()),
            Ok(0) => break,
            Ok(_) => {}
        }
        match read(keyboard, &mut bytes) {
            Err(nix::Error::EINTR | nix::Error::EAGAIN) => {}
            Err(error) => return Err(error.into()),
            Ok(0) => break,
            Ok(count) => all.extend_from_slice(bytes.get(..count).unwrap_or_default()),
        }
    }
    Ok(all)
}

/// Text that is pasted is between these.
const PASTE: (&[u8], &[u8]) = (b"\x1b[200~", b"\x1b[201~");

/// The keys of bytes that were read from the terminal: characters, controls, arrows, and whole pastes. Other keys are
/// lost.
pub(super) fn events_of(bytes: &[u8]) -> Vec<Event> {
    let mut events = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let (event, length) = event_of(rest);
        events.extend(event);
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
    events
}

/// The event at the beginning, and the number of its bytes.
fn event_of(bytes: &[u8]) -> (Option<Event>, usize) {
    let key = |code: KeyCode, modifiers: KeyModifiers| Some(Event::Key(KeyEvent::new(code, modifiers)));
    match bytes {
        [0x1b, b'[', ..] if bytes.starts_with(PASTE.0) => {
            let inside = bytes.get(PASTE.0.len()..).unwrap_or_default();
            // A paste without its end must not become keys.
            let Some(end) = inside.windows(PASTE.1.len()).position(|part| part == PASTE.1) else {
                return (None, bytes.len());
            };
            let text = String::from_utf8_lossy(inside.get(..end).unwrap_or_default()).into_owned();
            (Some(Event::Paste(text)), PASTE.0.len() + end + PASTE.1.len())
        }
        [0x1b, b'[' | b'O', rest @ ..] => {
            let end = rest.iter().position(|byte| (0x40..=0x7e).contains(byte)).unwrap_or(rest.len());
            let code = match rest.first().filter(|_| end == 0) {
                Some(b'A') => Some(KeyCode::Up),
                Some(b'B') => Some(KeyCode::Down),
                Some(b'C') => Some(KeyCode::Right),
                Some(b'D') => Some(KeyCode::Left),
                Some(b'F') => Some(KeyCode::End),
                Some(b'H') => Some(KeyCode::Home),
                _ => None,
            };
            (code.and_then(|code| key(code, KeyModifiers::NONE)), end + 3)
        }
        [0x1b, rest @ ..] if rest.first().is_some_and(|byte| *byte != 0x1b) => {
            let (event, length) = event_of(rest);
            let event = event.map(|event| match event {
                Event::Key(key) => Event::Key(KeyEvent { modifiers: key.modifiers | KeyModifiers::ALT, ..key }),
                other => other,
            });
            (event, length + 1)
        }
        [0x1b, ..] => (key(KeyCode::Esc, KeyModifiers::NONE), 1),
        [b'\r', ..] => (key(KeyCode::Enter, KeyModifiers::NONE), 1),
        [b'\t', ..] => (key(KeyCode::Tab, KeyModifiers::NONE), 1),
        [0x7f, ..] => (key(KeyCode::Backspace, KeyModifiers::NONE), 1),
        [0, ..] => (key(KeyCode::Char(' '), KeyModifiers::CONTROL), 1),
        [control @ 1..=0x1a, ..] => (key(KeyCode::Char(char::from(control - 1 + b'a')), KeyModifiers::CONTROL), 1),
        [control @ 0x1c..=0x1f, ..] => {
            (key(KeyCode::Char(char::from(control - 0x1c + b'4')), KeyModifiers::CONTROL), 1)
        }
        _ => {
            let most = bytes.get(..bytes.len().min(4)).unwrap_or_default();
            let Some(sign) = String::from_utf8_lossy(most).chars().next() else { return (None, 1) };
            if sign == char::REPLACEMENT_CHARACTER {
                return (None, 1);
            }
            let modifiers = if sign.is_uppercase() { KeyModifiers::SHIFT } else { KeyModifiers::NONE };
            (key(KeyCode::Char(sign), modifiers), sign.len_utf8())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_the_keys_that_were_pressed() {
        let key = |code: KeyCode, modifiers| Event::Key(KeyEvent::new(code, modifiers));
        let plain = |code: KeyCode| key(code, KeyModifiers::NONE);
        let text = "jGü\r\x03\x1b[A\x1bx\x1b[200~q\rk\x1b[201~\x1b[15~\t\x1b";
        assert_eq!(
            events_of(text.as_bytes()),
            [
                plain(KeyCode::Char('j')),
                key(KeyCode::Char('G'), KeyModifiers::SHIFT),
                plain(KeyCode::Char('ü')),
                plain(KeyCode::Enter),
                key(KeyCode::Char('c'), KeyModifiers::CONTROL),
                plain(KeyCode::Up),
                key(KeyCode::Char('x'), KeyModifiers::ALT),
                Event::Paste("q\rk".to_owned()),
                plain(KeyCode::Tab),
                plain(KeyCode::Esc),
            ]
        );
        assert_eq!(events_of(b"\x1b[200~quit\r"), []);
        assert_eq!(events_of(b"a\xff\xc3b"), [plain(KeyCode::Char('a')), plain(KeyCode::Char('b'))]);
    }
}
