//! Finds the program in a launcher's command line.

mod options;
mod program_file;

use super::files::read_regular;
use options::{Family, family_of};
use std::io;
use std::path::Path;

/// Placeholder that the master replaces by the joiner and its arguments.
pub const JOIN: &str = "{join}";

/// Reasons why the program was not found in a launcher's arguments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LauncherError {
    /// An option that is not in the launcher's table.
    #[error("unknown option {option} of {launcher}; put \"--\" before the program: {command} {option} … -- PROGRAM")]
    UnknownOption {
        /// The launcher, as it was called.
        launcher: String,
        /// The launcher and what stands before the option.
        command: String,
        /// The unknown option.
        option: String,
    },
    /// No program follows the options.
    #[error("expected a program in the arguments of {launcher}")]
    NoProgram {
        /// The launcher, as it was called.
        launcher: String,
    },
    /// An option that does not work with the joiner.
    #[error("{launcher} {option}: {why}")]
    Unsupported {
        /// The launcher, as it was called.
        launcher: String,
        /// The refused option.
        option: String,
        /// The reason, and what to do instead.
        why: &'static str,
    },
    /// The file that lists the programs cannot be used.
    #[error("{launcher} {option} {file}: {why}")]
    File {
        /// The launcher, as it was called.
        launcher: String,
        /// The option that names the file.
        option: String,
        /// The file's name, as given.
        file: String,
        /// The reason.
        why: String,
    },
}

/// Reads a file that a launcher's command line names.
pub type ReadFile<'a> = &'a dyn Fn(&str) -> io::Result<String>;

/// Returns a reader of files with names relative to a directory.
pub fn files_in(directory: &Path) -> impl Fn(&str) -> io::Result<String> {
    move |name| read_regular(&directory.join(name))
}

/// A launcher's command line with the joiner before each program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    /// The launcher and its arguments, [`JOIN`] before each program.
    pub command: Vec<String>,
    /// The first program of the command line.
    pub program: String,
    /// The first program's arguments.
    pub arguments: Vec<String>,
}

/// True if a program is a known launcher, by its base name.
pub fn is_launcher(program: &str) -> bool {
    family_of(base_name(program)).is_some()
}

fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Puts the joiner before each program of a launcher's command line; `None` if the launcher is not known. For any
/// other, the user can mark the start of the program with [`JOIN`].
pub fn join(program: &str, arguments: &[String], read: ReadFile<'_>) -> Option<Result<Joined, LauncherError>> {
    if let Some((_, named)) =
        arguments.iter().position(|word| word == JOIN).and_then(|at| arguments.split_at_checked(at))
    {
        return Some(said(program, arguments, named));
    }
    let family = family_of(base_name(program))?;
    let spread = program_file::spread(base_name(program), family, arguments, read).transpose();
    Some(match spread {
        Some(spread) => spread.and_then(|arguments| joined(program, family, &arguments)),
        None => joined(program, family, arguments),
    })
}

/// Takes the program from a command line in which the user marked its start with [`JOIN`].
fn said(launcher: &str, arguments: &[String], named: &[String]) -> Result<Joined, LauncherError> {
    let mut own = named.iter().filter(|word| *word != JOIN).cloned();
    let program = own.next().ok_or_else(|| LauncherError::NoProgram { launcher: launcher.to_owned() })?;
    let command = std::iter::once(launcher).chain(arguments.iter().map(String::as_str)).map(str::to_owned).collect();
    Ok(Joined { command, program, arguments: own.collect() })
}

fn joined(launcher: &str, family: &Family, arguments: &[String]) -> Result<Joined, LauncherError> {
    let mut command = vec![launcher.to_owned()];
    let mut words = arguments.iter().map(String::as_str).peekable();
    let sub = subcommand(launcher, family, &mut words)?;
    command.extend(sub.into_iter().map(str::to_owned));
    let mut first: Option<(String, Vec<String>)> = None;
    loop {
        // The options of one program.
        loop {
            let Some(&word) = words.peek() else {
                return Err(LauncherError::NoProgram { launcher: launcher.to_owned() });
            };
            if word == "--" {
                words.next();
                break;
            }
            if !word.starts_with('-') || word == "-" {
                break;
            }
            words.next();
            let before = command.join(" ");
            command.push(word.to_owned());
            let arity = family.arity(word, words.peek().copied()).ok_or_else(|| LauncherError::UnknownOption {
                launcher: base_name(launcher).to_owned(),
                command: before,
                option: word.to_owned(),
            })?;
            if let Some(why) = family.refusal(word) {
                let (launcher, option) = (base_name(launcher).to_owned(), word.to_owned());
                return Err(LauncherError::Unsupported { launcher, option, why });
            }
            command.extend(words.by_ref().take(arity).map(str::to_owned));
        }
        // The program and its arguments, up to a colon or the end.
        let Some(program) = words.next().filter(|&word| word != ":") else {
            return Err(LauncherError::NoProgram { launcher: launcher.to_owned() });
        };
        command.extend([JOIN.to_owned(), program.to_owned()]);
        let mut own = Vec::new();
        let mut more = false;
        for word in words.by_ref() {
            command.push(word.to_owned());
            if family.colons && word == ":" {
                more = true;
                break;
            }
            own.push(word.to_owned());
        }
        let (program, arguments) = first.get_or_insert_with(|| (program.to_owned(), own));
        if !more {
            return Ok(Joined { command, program: program.clone(), arguments: arguments.clone() });
        }
    }
}

/// Takes the words between the launcher and its options: `run`, or `mini run`.
fn subcommand<'a>(
    launcher: &str,
    family: &Family,
    words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
) -> Result<Vec<&'a str>, LauncherError> {
    let mut taken = Vec::new();
    if family.subcommands.is_empty() {
        return Ok(taken);
    }
    while let Some(&word) = words.peek() {
        if word == "mini" && taken.is_empty() {
            taken.push(word);
            words.next();
        } else if family.subcommands.contains(&word) {
            taken.push(word);
            words.next();
            return Ok(taken);
        } else {
            break;
        }
    }
    Err(LauncherError::Unsupported {
        launcher: base_name(launcher).to_owned(),
        option: words.peek().map_or_else(String::new, |&word| word.to_owned()),
        why: "rankscope can only debug programs that run in the foreground: use flux run, with its options behind \"run\"",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    fn no_files(_: &str) -> io::Result<String> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn join_line(line: &str) -> Result<String, LauncherError> {
        let words = words(line);
        join(&words[0], &words[1..], &no_files).unwrap().map(|joined| joined.command.join(" "))
    }

    #[test]
    fn the_user_may_say_where_the_program_is() {
        let line = "xargs -P 4 -n 1 env A=b {join} ./app -x";
        assert_eq!(join_line(line).unwrap(), line);
        assert_eq!(join_line("mpirun --odd 3 {join} ./app").unwrap(), "mpirun --odd 3 {join} ./app");
        assert!(matches!(join_line("xargs {join}"), Err(LauncherError::NoProgram { .. })));
    }

    #[test]
    fn the_program_is_found_behind_the_options() {
        for (line, wanted) in [
            ("mpirun -n 4 ./ring", "mpirun -n 4 {join} ./ring"),
            ("mpirun ./ring -n 4", "mpirun {join} ./ring -n 4"),
            ("/opt/mpi/bin/mpirun.openmpi --oversubscribe -np 4 ring a b", {
                "/opt/mpi/bin/mpirun.openmpi --oversubscribe -np 4 {join} ring a b"
            }),
            ("mpirun --mca btl tcp,self -x OMP_NUM_THREADS=2 -H a,b app", {
                "mpirun --mca btl tcp,self -x OMP_NUM_THREADS=2 -H a,b {join} app"
            }),
            ("mpirun --bind-to none --map-by ppr:1:node app", "mpirun --bind-to none --map-by ppr:1:node {join} app"),
            ("mpiexec.hydra -genv A 1 -ppn 2 -f hosts app", "mpiexec.hydra -genv A 1 -ppn 2 -f hosts {join} app"),
            // As HPE's PALS documents it, and as its users write it.
            ("mpiexec --envall --pmi=pmix -np 4 -ppn 2 -l --line-buffer --cpu-bind list:0:1 app x", {
                "mpiexec --envall --pmi=pmix -np 4 -ppn 2 -l --line-buffer --cpu-bind list:0:1 {join} app x"
            }),
            ("mpiexec --no-vni -n 4 --depth 8 --mem-bind list:0:1 --gpu-bind list:0:1 --label -env A=1 app", {
                "mpiexec --no-vni -n 4 --depth 8 --mem-bind list:0:1 --gpu-bind list:0:1 --label -env A=1 {join} app"
            }),
            ("mpiexec.mpich -n 1 a x : -n 2 b", "mpiexec.mpich -n 1 {join} a x : -n 2 {join} b"),
            ("mpirun --strange 3 -- ./app -- x", "mpirun --strange 3 -- ./app -- x"),
            ("srun -n4 -N 2 --mpi=pmix --cpu-bind=cores ./app -n 1", {
                "srun -n4 -N 2 --mpi=pmix --cpu-bind=cores {join} ./app -n 1"
            }),
            ("srun --ntasks 4 -lu --partition debug app", "srun --ntasks 4 -lu --partition debug {join} app"),
            ("srun -ln 4 app", "srun -ln 4 {join} app"),
            ("srun -lK -I10 --nice -n4 app", "srun -lK -I10 --nice -n4 {join} app"),
            ("flux run -n 4 -o cpu-affinity=off app", "flux run -n 4 -o cpu-affinity=off {join} app"),
            ("flux mini run -N1 app", "flux mini run -N1 {join} app"),
            ("jsrun -n 2 -a 4 --smpiargs=-gpu app", "jsrun -n 2 -a 4 --smpiargs=-gpu {join} app"),
            ("aprun -n 4 -cc none -e A=1 app : -n 2 b", "aprun -n 4 -cc none -e A=1 {join} app : -n 2 {join} b"),
        ] {
            let got = join_line(line);
            if line.contains("--strange") {
                // An unknown option may take any number of words.
                assert!(matches!(got, Err(LauncherError::UnknownOption { .. })));
            } else {
                assert_eq!(got.as_deref(), Ok(wanted), "{line}");
            }
        }
    }

    #[test]
    fn two_dashes_say_where_the_program_begins() {
        assert_eq!(join_line("mpirun -n 2 -- -odd-name x").as_deref(), Ok("mpirun -n 2 {join} -odd-name x"));
        assert_eq!(join_line("mpiexec -n 1 -- a : -n 1 -- b").as_deref(), Ok("mpiexec -n 1 {join} a : -n 1 {join} b"));
    }

    #[test]
    fn what_cannot_be_understood_says_so() {
        let message = join_line("mpirun --frobnicate 3 ./app").unwrap_err().to_string();
        assert!(message.contains("--frobnicate") && message.contains("\"--\""), "{message}");
        assert_eq!(join_line("mpirun -n 4"), Err(LauncherError::NoProgram { launcher: "mpirun".into() }));
        assert_eq!(join_line("mpirun -n"), Err(LauncherError::NoProgram { launcher: "mpirun".into() }));
        assert!(join_line("mpirun -n 1 a : -n 2").is_err());
        // The first option lacks its word, the second has it.
        assert!(matches!(join_line("mpirun -s 1 app"), Err(LauncherError::UnknownOption { .. })));
        assert!(join_line("mpirun -tv app").unwrap_err().to_string().contains("leave it out"));
        assert!(join_line("srun --multi-prog file").unwrap_err().to_string().contains("multi-prog"));
        assert!(join_line("flux submit app").unwrap_err().to_string().contains("flux run"));
        assert!(join("./app", &[], &no_files).is_none());
    }

    #[test]
    fn the_first_program_is_named() {
        let found = join("mpirun", &words("-n 1 a x y : b"), &no_files).unwrap().unwrap();
        assert_eq!((found.program.as_str(), found.arguments), ("a", words("x y")));
    }
}
