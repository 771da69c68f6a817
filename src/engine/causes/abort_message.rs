//! The message that glibc leaves when it aborts the program: failed assertions, damage of the heap or the stack,
//! overflown buffers.

use super::failed_thread::FailedThread;
use crate::memory_text::text_at;
use crate::named_place::named_place;
use debuginfo::ReadMemory;
use model::{Cause, CauseKind, VirtualAddress};

/// Points to a `struct abort_msg_s { unsigned int size; char msg[]; }`, whose size counts all of its memory (glibc,
/// `libc_fatal.c` and `assert.c`).
const MESSAGE: &str = "__abort_msg";
const SIZE: u64 = 4;
/// The maximum number of bytes read.
const LONGEST: usize = 4096;
/// The number of frames in which the place of an assertion is looked for: those of the C library, and its caller.
pub(crate) const FRAMES: u32 = 16;

/// Returns the cause that the C library has left a message for.
pub(super) fn cause(thread: &dyn FailedThread) -> Option<Cause> {
    // A static program has the C library in itself.
    let pointer = thread.symbol(&["libc.", "libc-"], MESSAGE)?;
    let message = stored(thread.memory(), pointer)?;
    if let Some(failed) = assertion(&message) {
        let source = Some(named_place(&thread.frames(FRAMES), failed.file, failed.line));
        return Some(Cause { kind: CauseKind::Assert, text: failed.condition.to_owned(), source });
    }
    let text = words(&message);
    (!text.is_empty()).then_some(Cause { kind: CauseKind::Abort, text, source: None })
}

/// Returns the message that a pointer at this address leads to.
fn stored(memory: &(impl ReadMemory + ?Sized), pointer: VirtualAddress) -> Option<String> {
    let at = memory.word(pointer).ok().filter(|at| *at != 0)?;
    let mut size = [0; 4];
    memory.read(VirtualAddress(at), &mut size).ok()?;
    let length = u64::from(u32::from_le_bytes(size)).checked_sub(SIZE)?;
    let text = text_at(memory, at.checked_add(SIZE)?, LONGEST.min(length as usize));
    Some(text.trim_end().to_owned()).filter(|text| !text.is_empty())
}

/// A failed assertion, as the C library reports it.
#[derive(Debug, PartialEq, Eq)]
struct Assertion<'a> {
    condition: &'a str,
    file: &'a str,
    line: u32,
}

/// Parses ``program: file.c:20: function: Assertion `n > 0' failed.``, in any language of the C library; `None` if the
/// message is of another kind.
fn assertion(message: &str) -> Option<Assertion<'_>> {
    let (file, line, rest) = message.match_indices(':').find_map(|(colon, _)| {
        let (before, after) = (message.get(..colon)?, message.get(colon + 1..)?);
        let (line, rest) = after.split_once(": ")?;
        let file = before.split_once(": ").map_or(before, |(_, file)| file);
        let is_place = !file.is_empty() && line.bytes().all(|digit| digit.is_ascii_digit());
        Some((file, line.parse().ok().filter(|_| is_place)?, rest))
    })?;
    // The English words come first: the quotes of other languages may occur in the name of a function.
    let quotes: [(&str, &str); 7] = [
        ("Assertion `", "' failed."),
        ("`", "'"),
        ("\u{ab}", "\u{bb}"),
        ("\u{bb}", "\u{ab}"),
        ("\u{201e}", "\u{201c}"),
        ("\u{201c}", "\u{201d}"),
        ("\u{2018}", "\u{2019}"),
    ];
    let quoted = |(open, close)| {
        let (_, condition) = rest.split_once(open)?;
        Some(condition.rsplit_once(close)?.0.trim())
    };
    let unexpected = || Some(rest.rsplit_once("Unexpected error: ")?.1.trim_end_matches('.'));
    let condition = quotes.into_iter().find_map(quoted).or_else(unexpected)?;
    (!condition.is_empty()).then_some(Assertion { condition, file, line })
}

/// Returns the words of any other message: without stars, the name of the program and addresses, which older releases
/// print.
fn words(message: &str) -> String {
    let inner = message.trim_start_matches(['*', ' ']).trim_end_matches(['*', ' ']);
    let inner = inner.strip_prefix("Error in `").and_then(|rest| Some(rest.split_once("': ")?.1)).unwrap_or(inner);
    let inner = inner.split_once(" ***").map_or(inner, |(words, _)| words);
    let inner = match inner.rsplit_once(": 0x") {
        Some((words, digits)) if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) => words,
        _ => inner,
    };
    inner.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_text::fake::memory;

    fn left(size: u32, text: &[u8], at: u64) -> Option<String> {
        let message = [&size.to_le_bytes(), text].concat();
        stored(&memory(&[(0x1000, &at.to_le_bytes()), (at, &message)]), VirtualAddress(0x1000))
    }

    #[test]
    fn a_message_is_read_within_its_size_and_the_memory() {
        assert_eq!(left(4096, b"free(): invalid pointer\n\0rest", 0x1100).unwrap(), "free(): invalid pointer");
        assert_eq!(left(8, b"free(): invalid pointer\n\0", 0x1100).unwrap(), "free", "the size is a limit");
        assert_eq!(left(u32::MAX, &[b'a'; 0x700], 0x2800).unwrap().len(), 0x700, "no end up to another zero");
        let mut unending = vec![b'x'; 0xffc];
        unending.extend([b'y'; 4]);
        assert_eq!(left(u32::MAX, &unending[..0x7fc], 0x2800).unwrap().len(), 0x7fc, "up to the end of the memory");
        assert_eq!(left(u32::MAX, &[b'z'; 0x1efc], 0x1100).unwrap().len(), LONGEST);
        assert_eq!(left(2, b"text", 0x1100), None, "smaller than itself");
        assert_eq!(left(4096, b"\n\0", 0x1100), None);
        let nothing = |at: u64| stored(&memory(&[(0x1000, &at.to_le_bytes())]), VirtualAddress(0x1000));
        assert_eq!((nothing(0), nothing(0x9000), nothing(u64::MAX)), (None, None, None));
        assert_eq!(stored(&memory(&[]), VirtualAddress(0x10)), None, "the pointer itself is not mapped");
        assert!(left(4096, b"\xff\x1b[2J\0", 0x1100).unwrap().starts_with('\u{fffd}'));
    }

    #[test]
    fn assertions_are_taken_apart() {
        let parsed = |message: &'static str| assertion(message).map(|found| (found.condition, found.file, found.line));
        assert_eq!(parsed("prog: file.c:20: main: Assertion `n > 0' failed."), Some(("n > 0", "file.c", 20)));
        assert_eq!(
            parsed(
                "a: ../src/x.hpp:7: T f(int) [with T = std::pair<A::B, int>]: Assertion `c == ':' && s != \"'\"' failed."
            ),
            Some(("c == ':' && s != \"'\"", "../src/x.hpp", 7))
        );
        assert_eq!(parsed("file.c:20: Assertion `x' failed."), Some(("x", "file.c", 20)));
        let german = "p: f.c:3: main: Zusicherung \u{bb}n > 0\u{ab} nicht erf\u{fc}llt.";
        assert_eq!(parsed(german), Some(("n > 0", "f.c", 3)));
        assert_eq!(
            parsed("p: f.c:3: main: L'assertion \u{ab} n > 0 \u{bb} a \u{e9}chou\u{e9}."),
            Some(("n > 0", "f.c", 3))
        );
        assert_eq!(
            parsed("p: f.c:3: main: Unexpected error: Permission denied."),
            Some(("Permission denied", "f.c", 3))
        );
        for other in
            ["", ":", ": : :", "free(): invalid pointer", "a:1", "a:99999999999: b: Assertion `x' failed.", ":1: `'"]
        {
            assert_eq!(parsed(other), None, "{other}");
        }
    }

    #[test]
    fn other_messages_lose_stars_names_and_addresses() {
        assert_eq!(words("*** stack smashing detected ***: terminated"), "stack smashing detected");
        assert_eq!(words("*** buffer overflow detected ***: ./app terminated"), "buffer overflow detected");
        assert_eq!(words("double free or corruption (!prev)"), "double free or corruption (!prev)");
        assert_eq!(
            words("*** Error in `./app': free(): invalid pointer: 0x00007ffc0a1b2c3d ***"),
            "free(): invalid pointer"
        );
        assert_eq!(words("****"), "");
    }

    proptest::proptest! {
        #[test]
        fn no_message_is_too_odd(message in "[ -~:`'*\u{ab}\u{bb}0-9]{0,60}") {
            let _ = (assertion(&message), words(&message));
        }
    }
}
