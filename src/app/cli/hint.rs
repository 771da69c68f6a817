//! What was probably meant by a command line that cannot be read.

use super::subcommands::{Action, Cli};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser as _};
use std::ffi::{OsStr, OsString};

/// Reads a command line, the program's own name first; who forgot `run` before a program, or types what gdb is started
/// with, is told what to type.
pub fn read(words: &[OsString]) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(words).map_err(|mut error| {
        let tip = match of_gdb(words).or_else(|| without_process(words, &error)) {
            Some(tip) => Some(tip),
            None => run_was_meant(words, &error).map(|meant| format!("to debug a program: {meant}")),
        };
        if let Some(tip) = tip {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        }
        error
    })
}

const CORE: &str = "to look at core files: rankscope core PROGRAM CORE...";

/// The line to type in place of one for gdb.
fn of_gdb(words: &[OsString]) -> Option<String> {
    let words: Vec<&str> = words.iter().skip(1).map(|word| word.to_str()).collect::<Option<_>>()?;
    let words = match words.as_slice() {
        ["gdb" | "attach", rest @ ..] => rest,
        all => all,
    };
    let (first, rest) = words.split_first()?;
    let (option, value) = first.split_once('=').unwrap_or((first, rest.first().unwrap_or(&"")));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let double = if option.starts_with("--") { option.to_owned() } else { format!("-{option}") };
    match (double.as_str(), rest) {
        ("--args", _) => Some(format!("to debug a program with arguments: rankscope run {}", shown(rest))),
        ("--p" | "--pid", _) if is_number(value) => Some(format!("to attach to a process: rankscope attach {value}")),
        ("--c" | "--core", _) => Some(CORE.to_owned()),
        ("--x" | "--command" | "--ex" | "--eval-command" | "--batch", _) if option != "--batch" => {
            Some("to run the commands of a file: rankscope run --batch FILE PROGRAM".to_owned())
        }
        ("--tui" | "--q" | "--quiet" | "--nx" | "--nh" | "--silent", _) => {
            Some("leave it out: rankscope run PROGRAM".to_owned())
        }
        (_, [pid]) if first.contains('/') && is_number(pid) => {
            Some(format!("to attach to a process: rankscope attach {pid}"))
        }
        (_, [core])
            if core.rsplit('/').next().is_some_and(|name| name.starts_with("core")) && !option.starts_with('-') =>
        {
            Some(CORE.to_owned())
        }
        _ => None,
    }
}

/// Words as they may be typed again, if they need no quotes.
fn shown(words: &[&str]) -> String {
    let plain = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || "-_./=,:+@%".contains(c));
    if words.is_empty() || !words.iter().all(plain) { "PROGRAM".to_owned() } else { words.join(" ") }
}

/// What `attach` wants where it was given something else.
fn without_process(words: &[OsString], error: &clap::Error) -> Option<String> {
    let attaches = words.get(1).is_some_and(|word| word == "attach");
    let wanted = matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::MissingRequiredArgument);
    (attaches && wanted).then(|| "PID is a process id: \"pgrep -a NAME\" lists those of a program".to_owned())
}

/// The line with `run` in it, when it can be read then and nothing else is nearer.
fn run_was_meant(words: &[OsString], error: &clap::Error) -> Option<String> {
    let is_strange = match error.kind() {
        ErrorKind::InvalidSubcommand => error.get(ContextKind::SuggestedSubcommand).is_none(),
        ErrorKind::UnknownArgument => true,
        _ => false,
    };
    let is_action = |word: &OsString| Cli::command().find_subcommand(word).is_some();
    let (own, rest) = words.split_first()?;
    if !is_strange || rest.iter().any(is_action) {
        return None;
    }
    let with_run = [own.as_os_str(), OsStr::new("run")].into_iter().chain(rest.iter().map(OsString::as_os_str));
    let Some(Action::Run(run)) = Cli::try_parse_from(with_run).ok()?.action else { return None };
    if run.program.first()?.starts_with('-') {
        return None;
    }
    let words: Option<Vec<&str>> = rest.iter().map(|word| word.to_str()).collect();
    Some(format!("rankscope run {}", words.map_or_else(|| "PROGRAM".to_owned(), |words| shown(&words))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(words: &[&str]) -> String {
        let words: Vec<OsString> = ["rankscope"].iter().chain(words).map(OsString::from).collect();
        read(&words).map(|cli| format!("{cli:?}")).unwrap_or_else(|error| error.to_string())
    }

    #[test]
    fn a_program_without_run_is_told_how() {
        for (words, line) in [
            (&["./app"][..], "rankscope run ./app\n"),
            (&["./app", "-x", "3"], "rankscope run ./app -x 3\n"),
            (&["-n", "4", "./app"], "rankscope run -n 4 ./app\n"),
            (&["mpirun", "-n", "4", "./app"], "rankscope run mpirun -n 4 ./app\n"),
            (&["./app", "a b"], "rankscope run PROGRAM\n"),
        ] {
            let told = told(words);
            assert!(told.starts_with("error: ") && told.contains(&format!("to debug a program: {line}")), "{told}");
        }
    }

    #[test]
    fn lines_for_gdb_are_told_what_they_are_here() {
        for (words, line) in [
            (&["--args", "./app", "-x", "3"][..], "rankscope run ./app -x 3\n"),
            (&["gdb", "--args", "./app", "1"], "rankscope run ./app 1\n"),
            (&["-p", "712"], "rankscope attach 712\n"),
            (&["--pid=712"], "rankscope attach 712\n"),
            (&["attach", "-p", "712"], "rankscope attach 712\n"),
            (&["./app", "712"], "rankscope attach 712\n"),
            (&["-x", "script", "./app"], "rankscope run --batch FILE PROGRAM\n"),
            (&["--tui", "./app"], "rankscope run PROGRAM\n"),
            (&["./app", "core.712"], "rankscope core PROGRAM CORE"),
            (&["-c", "core", "./app"], "rankscope core PROGRAM CORE"),
            (&["attach", "./app"], "\"pgrep -a NAME\" lists those of a program"),
            (&["attach"], "\"pgrep -a NAME\" lists those of a program"),
        ] {
            let told = told(words);
            assert!(told.starts_with("error: ") && told.contains(line), "{words:?}: {told}");
        }
    }

    #[test]
    fn other_mistakes_are_not_taken_for_it() {
        for words in [&["resum"][..], &["--nonsense"], &["--batch"], &["run", "--batch"], &["resume", "-n", "4"]] {
            let told = told(words);
            assert!(told.starts_with("error: ") && !told.contains("to debug a program"), "{told}");
        }
    }
}
