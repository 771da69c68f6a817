//! The words of a kept job: its options and its command, and the changes that commands of the debugger make to them.

use crate::launcher::{JOIN, files_in, join};
use model::{StartChanges, beneath};
use std::path::Path;

/// The words that start a job.
pub(super) struct StartWords<'a> {
    /// The directory in which they are typed.
    pub(super) directory: &'a str,
    /// The options of `rankscope run`.
    pub(super) options: &'a mut Vec<String>,
    /// The program and its arguments, or the launcher's line.
    pub(super) command: &'a mut Vec<String>,
}

impl StartWords<'_> {
    /// Changes them so that they start what the next start of the session would; `former`: the program's arguments.
    pub(super) fn change(mut self, former: &[String], changes: &StartChanges) {
        if let Some(arguments) = &changes.arguments
            && self.command.ends_with(former)
        {
            self.command.truncate(self.command.len() - former.len());
            self.command.extend_from_slice(arguments);
        }
        let base = self.start_directory();
        if let Some(file) = &changes.input {
            // It replaces the input of single ranks, too. An absolute name is never taken for `none` or `terminal`.
            self.drop_option("stdin");
            let directory = changes.directory_from(&base);
            self.options.push(format!("--stdin={}", beneath(directory.as_deref().unwrap_or(&base), file)));
        }
        if let Some(directory) = changes.directory_from(&base) {
            // The program, and the launcher's, stay the same files: relative names count from the directory.
            for at in self.programs(&base) {
                if let Some(word) = self.command.get_mut(at).filter(|word| word.contains('/')) {
                    *word = beneath(&base, word);
                }
            }
            self.drop_option("cwd");
            self.options.push(format!("--cwd={directory}"));
        }
        if let Some(randomise) = changes.randomise {
            self.options.retain(|word| word != "--randomise");
            if randomise {
                self.options.push("--randomise".to_owned());
            }
        }
    }

    /// The directory in which the program, or its launcher, is started.
    fn start_directory(&self) -> String {
        let mut directory = self.directory.to_owned();
        let mut words = self.options.iter();
        while let Some(word) = words.next() {
            let given = match word.strip_prefix("--cwd") {
                Some("") => words.next().map(String::as_str),
                Some(joined) => joined.strip_prefix('='),
                None => None,
            };
            if let Some(given) = given {
                directory = beneath(self.directory, given);
            }
        }
        directory
    }

    /// Returns the places of the programs in the command: the first word, and those that a launcher starts.
    fn programs(&self, directory: &str) -> Vec<usize> {
        let mut found = vec![0];
        let Some((launcher, arguments)) = self.command.split_first() else { return found };
        let read = files_in(Path::new(directory));
        let Some(Ok(joined)) = join(launcher, arguments, &read) else { return found };
        let mut places = self.command.iter().enumerate();
        let mut is_program = false;
        for word in joined.command {
            if word == JOIN {
                is_program = true;
                continue;
            }
            // The command has a "--" that the joined one lacks.
            let Some((at, _)) = places.by_ref().find(|(_, own)| **own == word) else { return found };
            if std::mem::take(&mut is_program) {
                found.push(at);
            }
        }
        found
    }

    /// Removes an option that takes a value.
    fn drop_option(&mut self, name: &str) {
        let (apart, joined) = (format!("--{name}"), format!("--{name}="));
        let mut is_value = false;
        self.options.retain(|word| {
            let is_dropped = std::mem::replace(&mut is_value, *word == apart);
            !is_dropped && *word != apart && !word.starts_with(&joined)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_run_starts_the_same_files_in_the_same_directory_as_the_changed_job() {
        let kept = |options: &str, command: &str, input: Option<&str>, directory: Option<&str>| {
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
            let (mut options, mut command): (Vec<String>, Vec<String>) = (words(options), words(command));
            let (input, directory) = (input.map(str::to_owned), directory.map(str::to_owned));
            let changes = StartChanges { input, directory, ..StartChanges::default() };
            StartWords { directory: "/home/u", options: &mut options, command: &mut command }.change(&[], &changes);
            [options, command].concat().join(" ")
        };
        for (options, command, input, directory, expected) in [
            ("", "./a", Some("in"), None, "--stdin=/home/u/in ./a"),
            ("--cwd /d", "./a", Some("in"), None, "--cwd /d --stdin=/d/in ./a"),
            ("--cwd=d -n 2", "./a", Some("in"), None, "--cwd=d -n 2 --stdin=/home/u/d/in ./a"),
            ("--cwd d --cwd e", "./a", Some("none"), None, "--cwd d --cwd e --stdin=/home/u/e/none ./a"),
            ("--cwd /d", "./a", Some("/in"), Some("sub"), "--stdin=/in --cwd=/d/sub /d/./a"),
            ("--cwd=/d", "a", Some("in"), Some("sub"), "--stdin=/d/sub/in --cwd=/d/sub a"),
            ("--stdin 1:x --stdin=y -n 2", "./a", Some("in"), None, "-n 2 --stdin=/home/u/in ./a"),
            (
                "",
                "mpirun -n 1 ./a b/c : -n 1 -- ./d e/f",
                None,
                Some("/t"),
                "--cwd=/t mpirun -n 1 /home/u/./a b/c : -n 1 -- /home/u/./d e/f",
            ),
            ("--mpir", "x/srun -n 2 a b/c", None, Some("t"), "--mpir --cwd=/home/u/t /home/u/x/srun -n 2 a b/c"),
            ("", "./w {join} ./a b/c", None, Some("/t"), "--cwd=/t /home/u/./w {join} /home/u/./a b/c"),
        ] {
            assert_eq!(kept(options, command, input, directory), expected, "{options} {command}");
        }
    }
}
