//! Finds a call in source text and takes its arguments apart.

/// The language of a source file, as far as calls and their arguments differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    C,
    Cpp,
    Fortran,
}

impl Language {
    pub(crate) fn of_file(name: &str) -> Self {
        match name.rsplit('.').next().unwrap_or("") {
            "c" => Self::C,
            "f" | "F" | "for" | "FOR" | "f77" | "f90" | "F90" | "f95" | "F95" | "f03" | "F03" | "f08" | "F08" => {
                Self::Fortran
            }
            _ => Self::Cpp,
        }
    }
}

impl Language {
    /// The language of a file with this text: a compiler of C++ may have been given a file of C's name.
    pub(crate) fn of_text(self, text: &str) -> Self {
        match self {
            Self::C if text.contains("::") || defines_access(text) => Self::Cpp,
            other => other,
        }
    }
}

/// True if a text defines an operator that looks like access to a member or an element. Comments name operators, too.
fn defines_access(text: &str) -> bool {
    text.match_indices("operator").any(|(at, word)| {
        let behind = text.get(at + word.len()..).unwrap_or("").trim_start();
        behind.starts_with("->") || behind.starts_with('[')
    })
}

/// Lines around the given one in which a call may begin.
const AROUND: usize = 40;

/// Longer lines, and more calls around a line, are not what people write; to read them would take too long.
const LONGEST_LINE: usize = 2000;
const MOST_CALLS: usize = 64;

/// Returns the arguments of the only call of a function of MPI on a line, counted from 1; `None` if there is none or
/// several differ.
pub(crate) fn arguments_of_call(text: &str, line: u32, name: &str, language: Language) -> Option<Vec<String>> {
    let line = (line as usize).checked_sub(1)?;
    let first = line.saturating_sub(AROUND);
    let is_short = |text: &str| text.len() <= LONGEST_LINE;
    let lines = text.lines().map(|text| if is_short(text) { text } else { "" });
    let lines: Vec<&str> = lines.skip(first).take(line - first + AROUND).collect();
    let line = line - first;
    let mut looked = 0;
    let mut found: Option<Vec<String>> = None;
    for (number, text) in lines.iter().enumerate().take(line + 1) {
        for at in places(text, name, language) {
            looked += 1;
            if looked > MOST_CALLS {
                return None;
            }
            let Some((arguments, last)) = arguments(&lines, number, at, language) else { continue };
            if last < line {
                continue;
            }
            match &found {
                Some(known) if *known != arguments => return None,
                _ => found = Some(arguments),
            }
        }
    }
    found
}

/// The places behind a name in a line, outside of comments.
pub(super) fn places(line: &str, name: &str, language: Language) -> Vec<usize> {
    let (line, name) = match language {
        Language::Fortran => (line.to_ascii_lowercase(), name.to_ascii_lowercase()),
        Language::C | Language::Cpp => (line.to_owned(), name.to_owned()),
    };
    let comment = if language == Language::Fortran { "!" } else { "//" };
    let code = line.find(comment).and_then(|at| line.get(..at)).unwrap_or(&line);
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let found = code.match_indices(&name).filter(|(at, _)| {
        let before = code.get(..*at).unwrap_or("");
        let before = before.strip_suffix(['P', 'p']).unwrap_or(before);
        !before.ends_with(is_name)
    });
    found.map(|(at, name)| at + name.len()).collect()
}

/// Returns the arguments in the parentheses that follow a place, and the last line.
pub(super) fn arguments(lines: &[&str], first: usize, at: usize, language: Language) -> Option<(Vec<String>, usize)> {
    let mut found = vec![String::new()];
    let mut depth = 0_usize;
    let mut quote = None;
    let mut comment = false;
    for (number, line) in lines.iter().enumerate().skip(first).take(AROUND) {
        let mut rest = if number == first { line.get(at..)? } else { line };
        if language == Language::Fortran && number > first {
            rest = rest.trim_start().trim_start_matches('&');
        }
        let mut chars = rest.char_indices().peekable();
        while let Some((place, c)) = chars.next() {
            let behind = rest.get(place..).unwrap_or("");
            if comment {
                if behind.starts_with("*/") {
                    comment = false;
                    chars.next();
                }
                continue;
            }
            let argument = found.last_mut()?;
            if let Some(open) = quote {
                argument.push(c);
                if c == '\\' && language != Language::Fortran {
                    argument.extend(chars.next().map(|(_, c)| c));
                } else if c == open {
                    quote = None;
                }
                continue;
            }
            match (c, language) {
                ('!' | '&', Language::Fortran) => break,
                ('/', Language::C | Language::Cpp) if behind.starts_with("//") => break,
                ('/', Language::C | Language::Cpp) if behind.starts_with("/*") => {
                    comment = true;
                    chars.next();
                }
                (c, _) if depth == 0 && c.is_whitespace() => {}
                ('(', _) if depth == 0 => depth = 1,
                _ if depth == 0 => return None,
                (')' | ']' | '}', _) if depth == 1 => {
                    let arguments = found.iter().map(|argument| argument.trim().to_owned()).collect();
                    return Some((arguments, number));
                }
                (',', _) if depth == 1 => found.push(String::new()),
                _ => {
                    match c {
                        '(' | '[' | '{' => depth += 1,
                        ')' | ']' | '}' => depth -= 1,
                        '"' | '\'' => quote = Some(c),
                        _ => {}
                    }
                    argument.push(c);
                }
            }
        }
        found.last_mut()?.push(' ');
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const C: &str = "int main() {\n  // MPI_Recv(old);\n  CHECK(MPI_Recv(buf + f(a, b), n, /* type, */ MPI_INT,\n           (rank + 1) % size, // from, the next\n           tag['x'], comm, &status));\n  MPI_Send(a); MPI_Send(b);\n  PMPI_Wait (&r, s);\n}\n";

    #[test]
    fn arguments_are_found_over_lines_and_comments() {
        let expected = ["buf + f(a, b)", "n", "MPI_INT", "(rank + 1) % size", "tag['x']", "comm", "&status"];
        for line in 3..=5 {
            assert_eq!(arguments_of_call(C, line, "MPI_Recv", Language::C).unwrap(), expected, "{line}");
        }
        for line in [0, 1, 2, 6, 99] {
            assert_eq!(arguments_of_call(C, line, "MPI_Recv", Language::C), None, "{line}");
        }
        assert_eq!(arguments_of_call(C, 6, "MPI_Send", Language::C), None, "two calls on one line differ");
        assert_eq!(arguments_of_call(C, 7, "MPI_Wait", Language::C).unwrap(), ["&r", "s"]);
    }

    #[test]
    fn fortran_continues_lines_and_ignores_case() {
        let text = "  if (x) call Mpi_Recv(a(1:n), n, & ! the row\n     & MPI_REAL, mod(rank + 1, np), &\n     7, comm, st, ierr)\n";
        let expected = ["a(1:n)", "n", "MPI_REAL", "mod(rank + 1, np)", "7", "comm", "st", "ierr"];
        assert_eq!(arguments_of_call(text, 1, "mpi_recv", Language::Fortran).unwrap(), expected);
        assert_eq!(arguments_of_call(text, 3, "mpi_recv", Language::Fortran).unwrap(), expected);
    }

    #[test]
    fn names_that_end_like_a_call_are_others() {
        let text = "  TAMPI_Recv(a); ompMPI_Recv(b); MPI_Recv_init(c); PMPI_Recv(d);\n";
        assert_eq!(arguments_of_call(text, 1, "MPI_Recv", Language::C).unwrap(), ["d"]);
    }

    #[test]
    fn only_operators_of_access_make_a_file_of_c_one_of_cpp() {
        assert_eq!(Language::C.of_text("/* the Laplace operator (of order 2) */"), Language::C);
        assert_eq!(Language::C.of_text("T &operator [](int);"), Language::Cpp);
        assert_eq!(Language::C.of_text("std::vector<int> v;"), Language::Cpp);
    }

    #[test]
    fn texts_that_nobody_wrote_take_no_time() {
        let begun = std::time::Instant::now();
        let calls = "MPI_Recv(".repeat(100_000);
        let lines = "MPI_Recv(((\n".repeat(100_000);
        for text in [calls, lines, "(".repeat(1_000_000)] {
            assert_eq!(arguments_of_call(&text, 1, "MPI_Recv", Language::C), None);
            assert_eq!(arguments_of_call(&text, 90_000, "MPI_Recv", Language::Fortran), None);
        }
        assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "[a-zM_P(),\"'/*!&\\\\\n é]{0,80}", line in 0u32..9) {
            for language in [Language::C, Language::Cpp, Language::Fortran] {
                arguments_of_call(&text, line, "M", language);
            }
        }
    }
}
