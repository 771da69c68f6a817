//! Arguments, environment, directory and input of programs that a launcher starts.

use crate::support::batch::{Outcome, Place};
use crate::support::build;
use std::path::Path;

/// The launchers of both MPIs; the first may run as root.
const LAUNCHERS: [&[&str]; 2] = [
    &[
        "env",
        "OMPI_ALLOW_RUN_AS_ROOT=1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
        "OMPI_MCA_rmaps_base_oversubscribe=1",
        "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe",
        "mpirun.openmpi",
    ],
    &["env", "mpirun.mpich"],
];

fn run(launcher: &[&str], options: &[&str], program: &Path, arguments: &[&str], script: &str) -> Outcome {
    let program = program.display().to_string();
    let (last, variables) = launcher.split_last().unwrap();
    let place = Place::new();
    let wrapper = place.path().join("with-variables");
    build::script(&wrapper, &format!("exec {} \"$@\"", variables.join(" ")));
    let mut words = vec!["run", "--json", "--timeout", "80", "--batch", "-"];
    words.extend(options);
    words.extend([*last, "-n", "2", &program]);
    words.extend(arguments);
    place.run_under(&wrapper, &words, script)
}

fn written(outcome: &Outcome, rank: &str) -> String {
    let of_rank = outcome.of("output").into_iter().filter(|object| {
        let ranks = rankscope::model::ProcessSet::parse(object["ranks"].as_str().unwrap()).unwrap();
        ranks.contains(rankscope::model::Rank(rank.parse().unwrap()))
    });
    of_rank.map(|object| object["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_restart_under_a_launcher_takes_other_arguments_and_environment() {
    let program = build::plain("started.c");
    let directory = tempfile::tempdir().unwrap();
    let place = std::fs::canonicalize(directory.path()).unwrap().display().to_string();
    for launcher in LAUNCHERS {
        let script = format!(
            "set environment QUIET=1\nset environment FLAVOUR=sour\nset cwd {place}\nrestart 'a b' : -n rank{{rank}}\ngo\nwait exited\nshow args\n"
        );
        let outcome = run(launcher, &[], &program, &["first"], &script).expect(0);
        for rank in ["0", "1"] {
            let text = written(&outcome, rank);
            let own = format!("argument 4 is [rank{rank}]");
            for line in ["argument 1 is [a b]", "argument 2 is [:]", "argument 3 is [-n]", &own, "flavour sour"] {
                assert!(text.contains(line), "{launcher:?}: {line:?} of {rank}\n{}", outcome.text);
            }
            assert!(text.contains(&format!("directory {place}")), "{launcher:?}\n{}", outcome.text);
            assert!(!text.contains("[first]"), "{launcher:?}\n{}", outcome.text);
        }
        assert_eq!(outcome.of("text")[0]["text"], "arguments: \"a b\" : -n rank{rank}");
    }
}

/// The launcher forwards its own input to rank 0.
#[test]
fn a_launcher_passes_its_input_to_rank_0() {
    let program = build::plain("started.c");
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("input");
    std::fs::write(&file, "from a file\n").unwrap();
    for launcher in LAUNCHERS {
        let wait = "go\n[0] wait exited\nquit\n";
        let outcome = run(launcher, &["--stdin", file.to_str().unwrap()], &program, &[], wait).expect(0);
        assert!(written(&outcome, "0").ends_with("read from a file\nend of input\n"), "{launcher:?}\n{}", outcome.text);
        let script = format!("send typed\nsend -eof\n{wait}");
        let outcome = run(launcher, &["--stdin", "terminal"], &program, &[], &script).expect(0);
        assert!(written(&outcome, "0").ends_with("read typed\nend of input\n"), "{launcher:?}\n{}", outcome.text);
        assert!(!written(&outcome, "1").contains("typed"), "{launcher:?}\n{}", outcome.text);
        let outcome = run(launcher, &["--stdin", "terminal"], &program, &[], "[1] send typed\n").expect(1);
        assert!(outcome.text.contains("use [0] send"), "{}", outcome.text);
    }
}
