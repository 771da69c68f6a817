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
            Self::C if text.contains("::") || text.contains("operator") => Self::Cpp,
            other => other,
        }
    }
}

/// Lines around the given one in which a call may begin.
const AROUND: usize = 40;

/// Returns the arguments of the only call of a function of MPI on a line, counted from 1; `None` if there is none or
/// several differ.
pub(crate) fn arguments_of_call(text: &str, line: u32, name: &str, language: Language) -> Option<Vec<String>> {
    let line = (line as usize).checked_sub(1)?;
    let lines: Vec<&str> = text.lines().collect();
    let first = line.saturating_sub(AROUND);
    let mut found: Option<Vec<String>> = None;
    for (number, text) in lines.iter().enumerate().take(line + 1).skip(first) {
        for at in places(text, name, language) {
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
fn places(line: &str, name: &str, language: Language) -> Vec<usize> {
    let (line, name) = match language {
        Language::Fortran => (line.to_ascii_lowercase(), name.to_ascii_lowercase()),
        Language::C | Language::Cpp => (line.to_owned(), name.to_owned()),
    };
    let comment = if language == Language::Fortran { "!" } else { "//" };
    let code = line.find(comment).and_then(|at| line.get(..at)).unwrap_or(&line);
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let found = code.match_indices(&name).filter(|(at, _)| {
        let before = code.get(..*at).and_then(|before| before.chars().next_back());
        let before = before.filter(|c| !matches!(c, 'P' | 'p'));
        !before.is_some_and(is_name)
    });
    found.map(|(at, name)| at + name.len()).collect()
}

/// Returns the arguments in the parentheses that follow a place, and the last line.
fn arguments(lines: &[&str], first: usize, at: usize, language: Language) -> Option<(Vec<String>, usize)> {
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

    proptest! {
        #[test]
        fn any_text_is_survived(text in "[a-zM_P(),\"'/*!&\\\\\n é]{0,80}", line in 0u32..9) {
            for language in [Language::C, Language::Cpp, Language::Fortran] {
                arguments_of_call(&text, line, "M", language);
            }
        }
    }
}
