//! A system call that a thread begins or ends: its arguments and its result as text.

use model::{ArgumentKind, CaughtCall, SignalName, SystemCall, printable};
use nix::errno::Errno;

/// The thread's registers at the beginning or the end of a system call (syscall(2), x86-64).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallStop {
    pub call: SystemCall,
    pub arguments: [u64; 6],
    /// The result, if it ends.
    pub returned: Option<u64>,
}

/// The longest text that is read for an argument, in bytes.
pub(crate) const LONGEST_TEXT: usize = 200;
/// Results of the kernel's own that tell it to begin a call again after a signal (`include/linux/errno.h`).
const RESTARTS: std::ops::RangeInclusive<i64> = -516..=-512;
/// The smallest result that is an error.
const LEAST_ERROR: i64 = -4095;
const ENOIOCTLCMD: i64 = -515;

/// True if a signal or a stop has interrupted the call, so that the kernel may begin it again.
pub(crate) fn is_interrupted(result: u64) -> bool {
    let result = result.cast_signed();
    RESTARTS.contains(&result) && result != ENOIOCTLCMD
}

/// Reads the bytes of a text, without its zero and at most [`LONGEST_TEXT`] and one more; `read` fills a part of memory
/// that is in one page.
pub(crate) fn text_at(address: u64, mut read: impl FnMut(u64, &mut [u8]) -> bool) -> Option<Vec<u8>> {
    const PART: u64 = 64;
    let mut text = Vec::new();
    let mut at = address;
    while text.len() <= LONGEST_TEXT {
        // Pages begin at multiples of it.
        let mut part = vec![0; usize::try_from(PART - at % PART).ok()?];
        if !read(at, &mut part) {
            return (!text.is_empty()).then_some(text);
        }
        if let Some(end) = part.iter().position(|byte| *byte == 0) {
            text.extend(part.get(..end)?);
            break;
        }
        at = at.checked_add(part.len() as u64)?;
        text.append(&mut part);
    }
    text.truncate(LONGEST_TEXT + 1);
    Some(text)
}

/// Describes a call; `text` reads the bytes of a text, without its zero and at most [`LONGEST_TEXT`] and one more.
pub(crate) fn described(stop: &CallStop, mut text: impl FnMut(u64) -> Option<Vec<u8>>) -> CaughtCall {
    let kinds: Vec<ArgumentKind> = match stop.call.arguments() {
        Some(kinds) => kinds.collect(),
        None => vec![ArgumentKind::Bits; 6],
    };
    let shown = kinds.into_iter().zip(stop.arguments).map(|(kind, value)| Some(argument(kind, value, &mut text)));
    let returned = stop.returned.map(|result| Some(shown_result(stop.call, result)));
    CaughtCall { call: stop.call, arguments: shown.collect(), returned }
}

fn argument(kind: ArgumentKind, value: u64, text: &mut impl FnMut(u64) -> Option<Vec<u8>>) -> String {
    // The kernel takes the lower half of what is an int in C.
    let integer = value as i32;
    match kind {
        ArgumentKind::Integer => integer.to_string(),
        ArgumentKind::Offset => value.cast_signed().to_string(),
        ArgumentKind::Size => value.to_string(),
        ArgumentKind::Bits | ArgumentKind::Pointer => format!("{value:#x}"),
        ArgumentKind::Mode => format!("{integer:#o}"),
        ArgumentKind::Signal if integer == 0 => "0".to_owned(),
        ArgumentKind::Signal => SignalName::from_number(integer).to_string(),
        ArgumentKind::Directory if integer == nix::libc::AT_FDCWD => "AT_FDCWD".to_owned(),
        ArgumentKind::Directory => integer.to_string(),
        ArgumentKind::Text => match text(value) {
            Some(bytes) => quoted(&bytes),
            None => format!("{value:#x}"),
        },
    }
}

/// Formats bytes as a text of C.
fn quoted(bytes: &[u8]) -> String {
    let kept = bytes.get(..LONGEST_TEXT.min(bytes.len())).unwrap_or(bytes);
    let text = String::from_utf8_lossy(kept).replace('\\', "\\\\").replace('"', "\\\"");
    let more = if bytes.len() > kept.len() { "..." } else { "" };
    format!("\"{}\"{more}", printable(&text))
}

fn shown_result(call: SystemCall, result: u64) -> String {
    let number = result.cast_signed();
    if is_interrupted(result) {
        return "interrupted by a signal".to_owned();
    }
    if (LEAST_ERROR..0).contains(&number) {
        let errno = Errno::from_raw(-number as i32);
        return format!("-1 {errno:?} ({})", errno.desc());
    }
    if call.returns_address() { format!("{result:#x}") } else { number.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: [u64; 6], returned: Option<i64>) -> String {
        let call = SystemCall::named(name).unwrap();
        let stop = CallStop { call, arguments, returned: returned.map(i64::cast_unsigned) };
        let text = |address| (address != 0).then(|| b"a \"b\"\x1b\\".to_vec());
        described(&stop, text).to_string()
    }

    #[test]
    fn arguments_are_shown_as_their_kinds() {
        assert_eq!(call("write", [1, 0x10, 14, 9, 9, 9], None), "call to write(1, 0x10, 14)");
        let openat = [u64::from(u32::MAX) - 99, 0x10, 0x241, 0o644, 0, 0];
        assert_eq!(
            call("openat", openat, Some(3)),
            "returned from openat(AT_FDCWD, \"a \\\"b\\\"\\u{1b}\\\\\", 0x241, 0o644) = 3"
        );
        assert_eq!(call("unlink", [0; 6], None), "call to unlink(0x0)");
        assert_eq!(call("kill", [u64::MAX, 10, 0, 0, 0, 0], None), "call to kill(-1, SIGUSR1)");
        assert_eq!(call("lseek", [0, u64::MAX, 2, 0, 0, 0], None), "call to lseek(0, -1, 2)");
    }

    #[test]
    fn results_are_numbers_addresses_and_errors() {
        let result = |name, value| call(name, [0; 6], Some(value)).split(" = ").nth(1).unwrap().to_owned();
        assert_eq!(result("close", -9), "-1 EBADF (Bad file number)");
        assert_eq!(result("getpid", 12), "12");
        assert_eq!(result("mmap", 0x7000), "0x7000");
        assert_eq!(result("pause", -514), "interrupted by a signal");
        assert!(is_interrupted((-512_i64).cast_unsigned()) && !is_interrupted((-515_i64).cast_unsigned()));
    }

    #[test]
    fn a_text_is_read_up_to_its_end() {
        let memory = [vec![b'a'; 300], vec![0], vec![b'b'; 40]].concat();
        let read = |at: u64, into: &mut [u8]| {
            assert!(into.len() <= 64 && at % 64 + into.len() as u64 <= 64, "a part is in one page");
            let part = memory.get(at as usize..at as usize + into.len());
            part.map(|part| into.copy_from_slice(part)).is_some()
        };
        assert_eq!(text_at(290, read), Some(vec![b'a'; 10]));
        assert_eq!(text_at(0, read).unwrap().len(), LONGEST_TEXT + 1);
        assert_eq!(text_at(340, read), None, "its first byte is not there");
    }

    #[test]
    fn a_long_text_is_cut() {
        let stop = CallStop { call: SystemCall::named("chdir").unwrap(), arguments: [1; 6], returned: None };
        let shown = described(&stop, |_| Some(vec![b'x'; LONGEST_TEXT + 1])).to_string();
        assert!(shown.ends_with("x\"...)") && shown.len() < LONGEST_TEXT + 30, "{shown}");
    }
}
