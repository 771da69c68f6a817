//! The options of launchers, asked from the launchers themselves: rankscope skips them to find the program.

use rankscope::app::launcher::{Joined, LauncherError, join};
use std::io;
use std::process::Command;

/// Number of words that rankscope takes after an option; `None` if it does not know the option.
fn known(launcher: &str, option: &str) -> Option<usize> {
    let mut arguments: Vec<String> = vec![option.to_owned()];
    arguments.extend(["word0", "word1", "word2"].map(str::to_owned));
    match join(launcher, &arguments, &|_| Err(io::ErrorKind::NotFound.into())).unwrap() {
        Ok(Joined { program, .. }) => Some(program.strip_prefix("word").unwrap().parse().unwrap()),
        // Known, and refused with a hint.
        Err(LauncherError::Unsupported { .. }) => None,
        Err(LauncherError::File { file, .. }) => Some(usize::from(file == "word0")),
        Err(error) => panic!("{error}"),
    }
}

/// Options that are known and refused cannot have a wrong number of words.
fn is_refused(launcher: &str, option: &str) -> bool {
    let arguments = [option, "word", "word"].map(str::to_owned);
    matches!(join(launcher, &arguments, &|_| Ok("x".to_owned())), Some(Err(LauncherError::Unsupported { .. })))
}

#[track_caller]
fn same(launcher: &str, option: &str, words: usize) {
    if !is_refused(launcher, option) {
        assert_eq!(known(launcher, option), Some(words), "{launcher} {option}");
    }
}

fn said(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} is needed for this test: {error}"));
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

/// The options of Open MPI 4 with their words: `-c|-np|--np <arg0>`.
fn rows_of_orte() -> Vec<String> {
    let mut command = Command::new("mpirun.openmpi");
    let help = said(command.args(["--allow-run-as-root", "--help", "full"]));
    let rows = help.lines().map(str::trim_start).filter(|line| line.starts_with('-') && !line.starts_with("---"));
    rows.map(|line| line.split("  ").next().unwrap().to_owned()).collect()
}

/// The same for PRRTE, which parses the options of Open MPI 5: the first column of a wrapped table, `"-n" | "--n
/// <num>"`.
fn rows_of_prrte() -> Vec<String> {
    let help = said(Command::new("prterun").arg("--help"));
    let (mut rows, mut row) = (Vec::new(), String::new());
    for line in help.lines() {
        match line.strip_prefix("| ") {
            Some(line) => {
                let column: String = line.chars().take(20).collect();
                row += if row.ends_with('-') || row.is_empty() { "" } else { " " };
                row += column.trim();
            }
            None => rows.push(std::mem::take(&mut row)),
        }
    }
    rows.retain(|row| row.starts_with("\"-"));
    rows.into_iter().map(|row| row.replace("\" | \"", "|").replace('"', "").replace('<', "<arg ")).collect()
}

/// The help shows the words of each option.
#[test]
fn open_mpi() {
    let of_prrte = said(Command::new("mpirun.openmpi").arg("--version")).contains("(Open MPI) 5");
    let (rows, least) = if of_prrte { (rows_of_prrte(), 50) } else { (rows_of_orte(), 100) };
    let mut seen = 0;
    for row in &rows {
        let (names, words) = row.split_once(' ').unwrap_or((row, ""));
        for option in names.split('|') {
            match option {
                // Shows a help topic, and starts nothing.
                "-h" | "--help" => {}
                // Other launchers have this option with one word, so it is ambiguous.
                "-s" => assert!(join("mpirun", &["-s".into(), "x".into()], &|_| Ok(String::new())).unwrap().is_err()),
                option => same("mpirun.openmpi", option, words.matches("<arg").count()),
            }
            seen += 1;
        }
    }
    assert!(seen > least, "{rows:?}");
}

/// Hydra's parser names the first unknown word: the words before it belong to the option.
#[test]
fn mpich() {
    let (help, mut seen) = (said(Command::new("mpiexec.hydra").arg("--help")), 0);
    for line in help.lines().map(str::trim_start).filter(|line| line.starts_with('-')) {
        for option in line.split_whitespace().next().unwrap().split('/') {
            let mut words = vec![option, "-zzz1", "-zzz2", "-zzz3"];
            // These options check their word.
            match option {
                "-f" => words[1] = "/dev/null",
                "-usize" => words[1] = "4",
                "-order-nodes" => words[1] = "ascending",
                _ => {}
            }
            let answer = said(Command::new("mpiexec.hydra").args(words));
            let first = answer.split("unrecognized argument zzz").nth(1).map(|rest| &rest[..1]);
            let takes = match first {
                Some(number) => number.parse::<usize>().unwrap() - 1,
                // Prints its version and ends.
                None if option == "-info" => 0,
                None => panic!("{option}: {answer}"),
            };
            same("mpiexec.hydra", option, takes);
            seen += 1;
        }
    }
    assert!(seen > 40, "{help}");
}

/// getopt_long(3) tells which options want a word.
#[test]
fn srun() {
    let directory = tempfile::tempdir().unwrap();
    let conf = directory.path().join("slurm.conf");
    std::fs::write(&conf, "ClusterName=none\nSlurmctldHost=localhost\n").unwrap();
    let ask = |words: &[&str]| said(Command::new("srun").args(words).env("SLURM_CONF", &conf));
    let (help, mut seen) = (ask(&["--help"]), 0);
    for line in help.lines().map(str::trim_start).filter(|line| line.starts_with('-')) {
        let columns = line.split_whitespace().take_while(|word| word.starts_with('-'));
        for option in columns.map(|word| word.trim_end_matches(',')) {
            let option = option.split(['=', '[']).next().unwrap();
            let answer = ask(&[option]);
            // The help still lists an option that this version has removed.
            if option == "--power" && answer.contains("unrecognized") {
                continue;
            }
            assert!(!answer.contains("unrecognized") && !answer.contains("invalid option"), "{option}: {answer}");
            same("srun", option, usize::from(answer.contains("requires an argument")));
            seen += 1;
        }
    }
    assert!(seen > 100, "{help}");
}
