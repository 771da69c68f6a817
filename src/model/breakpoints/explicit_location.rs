//! Locations in options, as gdb's explicit ones: `-source FILE -line N`, `-function NAME -source FILE`.

/// The parts that options name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Explicit<'a> {
    pub(super) source: Option<&'a str>,
    pub(super) function: Option<&'a str>,
    pub(super) line: Option<u32>,
    pub(super) is_qualified: bool,
}

/// What is wrong, and at which byte.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) message: &'static str,
}

const OPTIONS: [&str; 5] = ["-source", "-function", "-line", "-label", "-qualified"];

/// Parses a location whose parts are named by options; `None` if it does not begin with one. Options may be abbreviated.
pub(super) fn explicit(text: &str) -> Option<Result<Explicit<'_>, Fault>> {
    option(text.split_whitespace().next()?)?;
    Some(parts(text))
}

/// The option that a word means.
fn option(word: &str) -> Option<&'static str> {
    let mut fitting = OPTIONS.into_iter().filter(|option| word.len() > 1 && option.starts_with(word));
    fitting.next().filter(|_| fitting.next().is_none())
}

fn parts(text: &str) -> Result<Explicit<'_>, Fault> {
    let fault = |at: usize, message| Fault { at, message };
    let mut found = Explicit::default();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.trim().is_empty()) {
        let start = at + rest.len() - rest.trim_start().len();
        let rest = rest.trim_start();
        let word = rest.split_whitespace().next().unwrap_or("");
        let behind = start + word.len();
        let value = rest.get(word.len()..).unwrap_or("");
        let end = next_option(value).unwrap_or(value.len());
        let given = value.get(..end).unwrap_or("").trim();
        at = behind + end;
        match option(word) {
            // What follows is the function.
            Some("-qualified") => {
                found.is_qualified = true;
                if !given.is_empty() {
                    found.function = Some(given);
                }
            }
            Some("-label") => return Err(fault(start, "labels are not supported: use a line")),
            Some(_) if given.is_empty() => return Err(fault(behind, "expected a value behind the option")),
            Some("-source") => found.source = Some(given),
            Some("-function") => found.function = Some(given),
            Some("-line") => {
                let number = given.parse().ok().filter(|&line| line > 0);
                let number = number.ok_or_else(|| fault(behind + 1, "expected a line number from 1 to 4294967295"))?;
                found.line = Some(number);
            }
            _ => return Err(fault(start, "expected -source, -function, -line or -qualified")),
        }
    }
    match found {
        Explicit { function: Some(_), line: Some(_), .. } => Err(fault(0, "expected a function or a line, not both")),
        Explicit { function: None, line: None, .. } => Err(fault(text.len(), "expected -function NAME or -line N")),
        found => Ok(found),
    }
}

/// Where the next option begins.
fn next_option(text: &str) -> Option<usize> {
    let words = text.match_indices(" -").map(|(at, _)| (at, text.get(at + 1..).unwrap_or("")));
    words.filter(|(_, rest)| rest.split_whitespace().next().and_then(option).is_some()).map(|(at, _)| at).next()
}
