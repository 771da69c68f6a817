//! `find`: searches memory for values.

use super::StoppedThread;
use expr::{FrameContext, find_bytes, sought_bytes};
use model::{Answer, Context, ErrorCode, Failure, MemorySearch};

/// The longest pattern.
const LONGEST: usize = 1 << 20;

/// Searches memory.
pub(super) fn found(thread: &StoppedThread<'_>, context: Context, search: &MemorySearch) -> Result<Answer, Failure> {
    thread.at(context.frame, |view| {
        let refused = |words: &str| Failure::new(ErrorCode::DEBUGGER, words);
        let start = number(&search.start, view)?;
        let end = number(&search.end, view)?;
        let end = match search.is_length {
            true if end == 0 => return Err(refused("Empty search range.")),
            true => start.checked_add(end).ok_or_else(|| refused("Search space too large."))?,
            false if end < start => return Err(refused("Invalid search space, end precedes start.")),
            false => end.saturating_add(1),
        };
        let mut pattern = Vec::new();
        for text in &search.values {
            let (most, text) = text_of_length(text).unwrap_or((LONGEST, text));
            let value = view.parse(text)?.evaluate(&view.eval())?;
            pattern.extend(sought_bytes(&value, search.unit, &view.eval())?.into_iter().take(most));
            if pattern.len() > LONGEST {
                return Err(refused("The pattern is longer than 1 MiB."));
            }
        }
        if (end - start) < pattern.len() as u64 {
            return Err(refused("Search space too small to contain pattern."));
        }
        if pattern.is_empty() {
            return Err(refused("The pattern has no bytes."));
        }
        Ok(Answer::BytesFound(find_bytes(&pattern, start..end, search.limit as usize, &view.eval())?))
    })
}

/// Splits `{char[4]}"text"`, gdb's way to write a text without its final zero. gdb puts the text into the memory of the
/// program for that; nothing of it is changed here.
fn text_of_length(text: &str) -> Option<(usize, &str)> {
    let (length, rest) = text.strip_prefix("{char")?.trim_start().strip_prefix('[')?.split_once(']')?;
    let literal = rest.trim_start().strip_prefix('}')?.trim_start();
    literal.starts_with('"').then_some((length.trim().parse().ok()?, literal))
}

fn number(text: &str, view: &FrameContext<'_>) -> Result<u64, Failure> {
    // A place in one of several expressions would be that of another.
    let without_position = |failure: Failure| Failure { position: None, ..failure };
    let value = |view: &FrameContext<'_>| -> Result<u64, Failure> {
        Ok(view.parse(text)?.evaluate(&view.eval())?.as_address(&view.eval())?.0)
    };
    value(view).map_err(without_position)
}

#[cfg(test)]
mod tests {
    use super::text_of_length;

    #[test]
    fn a_text_may_have_a_length() {
        assert_eq!(text_of_length("{char[2]}\"bc\""), Some((2, "\"bc\"")));
        assert_eq!(text_of_length("{ char [2]}\"bc\""), None);
        assert_eq!(text_of_length("{char [2]} \"bc\""), Some((2, "\"bc\"")));
        assert_eq!(text_of_length("{char[2]}words[0]"), None);
        assert_eq!(text_of_length("\"bc\""), None);
    }
}
