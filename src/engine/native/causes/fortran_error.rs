//! Errors that gfortran's run-time library reports.

use super::call_arguments::{argument, formatted_argument, text_argument};
use crate::causes::abort_message::FRAMES;
use crate::memory_text::text_at;
use crate::named_place::named_place;
use crate::native::errors::arrivals::{END_OF_FILE, END_OF_RECORD};
use crate::native::errors::error_call::ErrorCall;
use crate::native::inspect::StoppedThread;
use model::{Cause, CauseKind, SourcePlace, VirtualAddress};

/// Offsets in libgfortran's `st_parameter_common` (`io.h`): the name of the source file, and the line.
const FILE: u64 = 8;
const LINE: u64 = 16;
/// The maximum number of bytes of the text of `ERROR STOP`, and of a file's name.
const LONGEST: usize = 2048;

/// Returns the cause of a stop at one of the library's functions.
pub(super) fn cause(call: ErrorCall, thread: &StoppedThread<'_>) -> Option<Cause> {
    let (text, source) = match call {
        ErrorCall::ErrorStopCode => (format!("ERROR STOP {}", argument(thread, 0)? as i32), None),
        ErrorCall::StopCode => (format!("STOP {}", argument(thread, 0)? as i32), None),
        ErrorCall::ErrorStopText => {
            // Older releases have a length of four bytes.
            let length = argument(thread, 1)? as u32 as usize;
            let text = text_at(thread.access, argument(thread, 0)?, length.min(LONGEST));
            (format!("ERROR STOP {}", text.trim_end()).trim_end().to_owned(), None)
        }
        ErrorCall::FortranError => (formatted_argument(thread, 0)?, None),
        ErrorCall::FortranErrorAt => {
            let place = text_argument(thread, 0)?;
            (
                formatted_argument(thread, 1)?,
                source(&place).map(|(file, line)| named_place(&thread.frames(FRAMES), file, line)),
            )
        }
        ErrorCall::FortranInput => (input_error(thread)?, statement(thread)),
        _ => return None,
    };
    let text = text.trim_end().to_owned();
    (!text.is_empty()).then_some(Cause { kind: CauseKind::Fortran, text, source })
}

/// Returns the message of an error of a statement that reads or writes.
fn input_error(thread: &StoppedThread<'_>) -> Option<String> {
    text_argument(thread, 2).or_else(|| match argument(thread, 1)? as i32 {
        END_OF_FILE => Some("End of file".to_owned()),
        END_OF_RECORD => Some("End of record".to_owned()),
        number => Some(format!("error {number} of an input or output statement")),
    })
}

/// Returns the place of a statement that reads or writes.
fn statement(thread: &StoppedThread<'_>) -> Option<SourcePlace> {
    let parameters = argument(thread, 0)?;
    let word = |offset| thread.access.word(VirtualAddress(parameters.wrapping_add(offset))).ok();
    let line = word(LINE)? as u32;
    let file = text_at(thread.access, word(FILE)?, LONGEST);
    (line > 0 && !file.is_empty()).then(|| named_place(&thread.frames(FRAMES), &file, line))
}

/// Parses `At line 12 of file solve.f90` and `In file 'solve.f90', around line 12`.
fn source(place: &str) -> Option<(&str, u32)> {
    let (file, line) = match place.strip_prefix("At line ") {
        Some(rest) => rest.split_once(" of file ").map(|(line, file)| (file, line))?,
        None => place.strip_prefix("In file '")?.split_once("', around line ")?,
    };
    Some((file.trim_end(), line.trim_end().parse().ok().filter(|line| *line > 0)?)).filter(|(file, _)| !file.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_messages_are_found() {
        assert_eq!(source("At line 12 of file solve.f90"), Some(("solve.f90", 12)));
        assert_eq!(source("In file 'a b.f90', around line 7"), Some(("a b.f90", 7)));
        for odd in ["", "At line 12", "At line x of file a", "At line 0 of file a", "In file 'a'", "At line 3 of file "]
        {
            assert_eq!(source(odd), None, "{odd}");
        }
    }
}
