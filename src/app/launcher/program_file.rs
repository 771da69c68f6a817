//! Files that list programs: `--app` of Open MPI, `-configfile` of MPICH. A line is one program with its options, as
//! between two colons.

use super::options::Family;
use super::{LauncherError, ReadFile};

/// Returns the arguments with the file's contents appended; `None` if they name no file.
pub(super) fn spread(
    launcher: &str,
    family: &Family,
    arguments: &[String],
    read: ReadFile<'_>,
) -> Result<Option<Vec<String>>, LauncherError> {
    let mut kept = Vec::new();
    let mut file: Option<(&str, &str)> = None;
    let mut words = arguments.iter().map(String::as_str).peekable();
    // An unknown option ends the search; the caller that parses all options reports it.
    while let Some(word) = words.next_if(|word| word.starts_with('-') && *word != "--" && *word != "-") {
        let Some(arity) = family.arity(word, words.peek().copied()) else { return Ok(None) };
        if !family.is_file_of_programs(word) {
            kept.push(word.to_owned());
            kept.extend(words.by_ref().take(arity).map(str::to_owned));
            continue;
        }
        let (option, value) = word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
        let Some(name) = value.or_else(|| words.next()) else {
            return Err(LauncherError::NoProgram { launcher: launcher.to_owned() });
        };
        if file.replace((option, name)).is_some() {
            let (launcher, option) = (launcher.to_owned(), option.to_owned());
            return Err(LauncherError::Unsupported { launcher, option, why: "given twice" });
        }
    }
    let Some((option, name)) = file else { return Ok(None) };
    let fault = |why: String| LauncherError::File {
        launcher: launcher.to_owned(),
        option: option.to_owned(),
        file: name.to_owned(),
        why,
    };
    if let Some(word) = words.next() {
        return Err(fault(format!("the file names the programs, so {word} would not be started; leave it out")));
    }
    let text = read(name).map_err(|error| fault(error.to_string()))?;
    let contexts = contexts(&text).map_err(fault)?;
    kept.extend(contexts.join(&":".to_owned()));
    Ok(Some(kept))
}

fn contexts(text: &str) -> Result<Vec<Vec<String>>, String> {
    let mut contexts = Vec::new();
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        if line.starts_with('#') {
            continue;
        }
        if line.contains(['"', '\'', '\\']) {
            return Err(format!(
                "line {number}: launchers read quotes differently; put this program on the command \
                line"
            ));
        }
        let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        // In MPICH's files a line may end with the separator.
        words.pop_if(|word| word == ":");
        if !words.is_empty() {
            contexts.push(words);
        }
    }
    if contexts.is_empty() { Err("the program is missing".to_owned()) } else { Ok(contexts) }
}

#[cfg(test)]
mod tests {
    use crate::launcher::join;
    use std::io;

    fn join_line(line: &str, text: &str) -> Result<String, String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let read = |name: &str| if name == "file" { Ok(text.to_owned()) } else { Err(io::ErrorKind::NotFound.into()) };
        let joined = join(&words[0], &words[1..], &read).unwrap();
        joined.map(|joined| joined.command.join(" ")).map_err(|error| error.to_string())
    }

    #[test]
    fn its_lines_are_the_parts_of_a_command_line() {
        let text = "# two\n\n-np 1 ./a x\n  -np 2 -x A=1 ./b :\n";
        let parts = "-np 1 {join} ./a x : -np 2 -x A=1 {join} ./b";
        for (line, before) in [
            ("mpirun --app file", "mpirun"),
            ("mpirun --oversubscribe --app=file --bind-to none", "mpirun --oversubscribe --bind-to none"),
            ("mpiexec -configfile file", "mpiexec"),
        ] {
            assert_eq!(join_line(line, text), Ok(format!("{before} {parts}")), "{line}");
        }
        // The option after the program is the program's own.
        assert_eq!(join_line("mpirun -n 1 a --app file", text).as_deref(), Ok("mpirun -n 1 {join} a --app file"));
    }

    #[test]
    fn what_it_cannot_say_is_said() {
        for (line, text, words) in [
            ("mpirun --app file ./c", "./a", "--app file: the file names the programs, so ./c would not"),
            ("mpirun --app nowhere", "", "--app nowhere: "),
            ("mpirun --app file", "# nothing\n", "the program is missing"),
            ("mpirun --app file", "./a\n./b \"x y\"\n", "line 2"),
            ("mpirun --app file --app file", "./a", "twice"),
            ("mpirun --app file", "-n 1 ./a\n-n 2\n", "expected a program"),
            ("mpirun --app file", "-n 1 --strange 2 ./a\n", "--strange"),
            ("mpirun --app", "", "expected a program"),
        ] {
            let error = join_line(line, text).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }
}
