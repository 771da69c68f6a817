//! Finds the calls that begin the messages of requests, in the text before the call that waits for these.

use super::call_text::{Language, arguments, places};
use super::mpi_calls::{MpiCall, POSTING, REQUEST};

/// Lines of a function before the wait that are searched.
const LINES: usize = 120;

/// Longer lines are not what people write.
const LONGEST_LINE: usize = 2000;

/// Returns the calls that begin messages of some requests, with their arguments; none if it is not clear that these are
/// all, each executed once.
pub(crate) fn posted(text: &str, line: u32, requests: &str, language: Language) -> Vec<(MpiCall, Vec<String>)> {
    let Some(end) = (line as usize).checked_sub(1) else { return Vec::new() };
    let first = end.saturating_sub(LINES);
    let lines: Vec<&str> = text.lines().skip(first).take(end - first).collect();
    let begin = lines.iter().rposition(|line| is_boundary(line, language)).map_or(0, |at| at + 1);
    let lines = lines.get(begin..).unwrap_or(&[]);
    if lines.iter().any(|line| line.len() > LONGEST_LINE) {
        return Vec::new();
    }
    let mut found: Vec<(MpiCall, Vec<String>)> = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        for (name, call) in POSTING {
            let name = if language == Language::Fortran { format!("mpi_{name}") } else { c_name(name) };
            for at in places(line, &name, language) {
                let Some((arguments, _)) = arguments(lines, number, at, language) else { return Vec::new() };
                let Some(request) = arguments.get(REQUEST) else { return Vec::new() };
                if base(request) != base(requests) {
                    continue;
                }
                let is_again = found.iter().any(|(_, known)| known.get(REQUEST) == Some(request));
                if is_again || !has_fixed_index(request) || !has_fixed_index(requests) {
                    return Vec::new();
                }
                if !is_element(requests) || plain(request) == plain(requests) {
                    found.push((call, arguments));
                }
            }
        }
    }
    found
}

/// `MPI_Irecv` for `irecv`.
fn c_name(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    format!("MPI_{}{}", first.map_or_else(String::new, String::from), letters.as_str())
}

/// True for a line between two functions.
fn is_boundary(line: &str, language: Language) -> bool {
    if language != Language::Fortran {
        return line.starts_with(['{', '}']);
    }
    let lower = line.to_ascii_lowercase();
    let mut words = lower.split(|sign: char| !sign.is_alphanumeric());
    words.any(|word| ["subroutine", "function", "program"].contains(&word))
}

fn plain(text: &str) -> String {
    text.trim().trim_start_matches('&').split_whitespace().collect()
}

/// The name of an array or variable without index.
fn base(text: &str) -> String {
    let plain = plain(text);
    plain.split(['[', '(', '+']).next().unwrap_or_default().to_ascii_lowercase()
}

fn is_element(text: &str) -> bool {
    text.contains(['[', '('])
}

/// True if no variable chooses the element: then the call may be in a loop, whose other rounds are over.
fn has_fixed_index(text: &str) -> bool {
    let plain = plain(text);
    plain.split_once(['[', '(', '+']).is_none_or(|(_, index)| !index.contains(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;

    const C: &str = "\
void other()
{
    MPI_Irecv(b, 1, MPI_INT, 9, 1, comm, &r[0]);
}
void work()
{
    MPI_Irecv(b, 1, MPI_INT, left, 1, comm,
              &r[0]);
    MPI_Isend(b, 1, MPI_INT, right, 2, comm, &r[1]);
    MPI_Irecv(b, 1, MPI_INT, 5, 1, comm, &other);
    MPI_Waitall(2, r, s);
}
";

    fn peers(text: &str, line: u32, requests: &str, language: Language) -> Vec<String> {
        posted(text, line, requests, language).into_iter().map(|(_, arguments)| arguments[3].clone()).collect()
    }

    #[test]
    fn messages_of_the_same_function_and_requests_are_found() {
        assert_eq!(peers(C, 11, "r", Language::C), ["left", "right"]);
        assert_eq!(peers(C, 11, "&r[1]", Language::C), ["right"]);
        assert_eq!(peers(C, 11, "&other", Language::Cpp), ["5"]);
        assert!(peers(C, 11, "unknown", Language::C).is_empty());
        assert!(peers(C, 0, "r", Language::C).is_empty());
        let kinds: Vec<MpiCall> = posted(C, 11, "r", Language::C).into_iter().map(|(call, _)| call).collect();
        assert!(matches!(kinds.as_slice(), [MpiCall::Receive { .. }, MpiCall::Send { .. }]));
    }

    #[test]
    fn calls_of_loops_and_branches_are_not_all_that_there_are() {
        let again = C.replace("&other", "&r[0]");
        assert!(peers(&again, 11, "r", Language::C).is_empty());
        let counted = C.replace("&r[1]", "&r[n++]");
        assert!(peers(&counted, 11, "r", Language::C).is_empty());
        assert!(peers(C, 11, "&r[i]", Language::C).is_empty());
    }

    #[test]
    fn fortran_has_other_brackets() {
        let text = "subroutine work\n  call MPI_Irecv(b, 1, MPI_INTEGER, left, 1, &\n    comm, r(1), e)\n  call mpi_wait(r(1), s, e)\nend subroutine\n";
        assert_eq!(peers(text, 4, "r(1)", Language::Fortran), ["left"]);
        assert!(peers(text, 4, "r(2)", Language::Fortran).is_empty());
        let loops = text.replace("r(1)", "r(i)");
        assert!(peers(&loops, 4, "r(i)", Language::Fortran).is_empty());
    }
}
