//! What was probably meant by a command line that cannot be read.

use crate::controller::cli::{Action, Cli};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser as _};
use std::ffi::{OsStr, OsString};

/// Reads a command line, the program's own name first; who forgot `run` before a program is told so.
pub fn read(words: &[OsString]) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(words).map_err(|mut error| {
        if let Some(meant) = run_was_meant(words, &error) {
            let tip = format!("to debug a program: {meant}");
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        }
        error
    })
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
    let plain = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || "-_./=,:+@%".contains(c));
    let shown: Option<Vec<&str>> = rest.iter().map(|word| word.to_str().filter(plain)).collect();
    Some(format!("rankscope run {}", shown.map_or_else(|| "PROGRAM".to_owned(), |words| words.join(" "))))
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
    fn other_mistakes_are_not_taken_for_it() {
        for words in [&["resum"][..], &["--nonsense"], &["--batch"], &["run", "--batch"], &["resume", "-n", "4"]] {
            let told = told(words);
            assert!(told.starts_with("error: ") && !told.contains("to debug a program"), "{told}");
        }
    }
}
