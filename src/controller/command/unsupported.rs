//! Commands of gdb that are not here, with what to type instead.

/// First words of a line of gdb, and what does it here. The longest that fits a line is meant.
const ELSEWHERE: &[(&[&str], &str)] = &[
    (&["add-symbol-file", "symbol-file"], "symbols are read from the files that are loaded; \"libraries\" lists them"),
    (&["apropos"], "\"help\" lists all commands with what they do"),
    (&["attach"], "start the debugger on it: rankscope attach PID"),
    (&["cd", "pwd"], "the directory of the program is given at the start: rankscope run --cwd DIR PROGRAM"),
    (&["checkpoint"], "\"restart\" runs the job anew, with its breakpoints"),
    (&["commands"], "\"trace LOCATION, EXPRESSION\" shows values at each arrival; a script goes on after \"wait\""),
    (
        &["core-file", "core"],
        "core files cannot be looked at; programs and processes can: rankscope run, rankscope attach",
    ),
    (
        &["define", "document"],
        "\"alias NAME = TEXT\" names the beginning of a line, \"source FILE\" runs a file of commands",
    ),
    (&["directory", "dir"], "sources are read where the debug information says they are"),
    (&["dprintf"], "\"trace LOCATION, EXPRESSION\" shows values at each arrival and lets the program go on"),
    (&["dump", "restore"], "\"x\" shows memory, \"write ADDRESS BYTES\" changes it"),
    (&["echo", "printf", "output-format"], "\"print EXPRESSION\" shows a value, \"#\" begins a comment"),
    (&["explore"], "\"ptype EXPRESSION\" shows a type; in the full screen the variables view unfolds values"),
    (&["exec-file", "file"], "the program is given at the start: rankscope run PROGRAM"),
    (&["faas", "taas", "tfaas"], "\"thread apply all COMMAND\", \"frame apply all COMMAND\""),
    (&["find"], "\"x\" shows memory from an address on; nothing searches it"),
    (
        &["forward-search", "fo", "search", "reverse-search", "rev"],
        "\"list\" shows the source; in the full screen \"/\" searches it",
    ),
    (&["gcore", "generate-core-file"], "no core file is written; with --engine gdb: engine generate-core-file"),
    (&["hbreak", "thbreak"], "\"break LOCATION\" (or tbreak) sets it; \"watch\" uses the hardware"),
    (&["inferior", "add-inferior", "remove-inferiors", "clone-inferior"], "ranks are chosen with \"focus SET\""),
    (&["info"], ""),
    (&["info address"], "\"print &NAME\" shows where something is"),
    (&["info all-registers", "info float", "info vector"], "\"registers NAME…\" shows any of them: registers st0 xmm0"),
    (
        &["info auxv", "info proc", "info os"],
        "with --engine gdb: engine info proc; otherwise /proc of the rank's host has it",
    ),
    (&["info checkpoints", "info record"], "running backwards is not possible"),
    (&["info files", "info target"], "\"libraries\" lists the loaded files with their addresses"),
    (&["info functions"], "\"break NAME\" says whether a function is there; Tab completes names in the full screen"),
    (&["info inferiors", "info program"], "\"status\" shows what all ranks do"),
    (&["info macro", "info macros"], "macros are not read"),
    (&["info sources"], "\"frame\" says which file the rank is in, \"list\" shows it"),
    (&["info types"], "\"ptype NAME\" shows a type"),
    (
        &["layout", "tui", "refresh", "winheight", "wh"],
        "the full screen (without --batch) has the views; \"?\" there shows its keys",
    ),
    (&["macro", "maintenance", "monitor"], "with --engine gdb: engine COMMAND"),
    (&["make", "shell", "!"], "use another terminal"),
    (
        &["next-fork", "follow-fork-mode"],
        "\"set follow-fork-mode child\" follows children; \"catch fork\" stops at a fork",
    ),
    (&["nosharedlibrary", "sharedlibrary"], "libraries are read as they are loaded; \"libraries\" lists them"),
    (&["pipe", "|"], "\"log FILE\" writes what is shown to a file"),
    (&["python", "py", "guile", "compile"], "scripts are files of commands (--batch), best with --json"),
    (&["rbreak"], "\"break FUNCTION\" for each of them"),
    (
        &["record", "reverse-continue", "rc", "reverse-step", "rs", "reverse-next", "rn", "reverse-finish"],
        "running backwards is not possible; \"restart\" runs the job anew, with its breakpoints",
    ),
    (
        &["set args", "set environment", "set env", "set cwd", "set startup-with-shell"],
        "they are given at the start: rankscope run PROGRAM ARGUMENTS…, with the environment of the shell",
    ),
    (&["set confirm"], "nothing asks for confirmation"),
    (
        &["set disable-randomization"],
        "addresses are not randomised unless asked for: rankscope run --randomise PROGRAM",
    ),
    (&["set disassembly-flavor"], "instructions are shown in AT&T syntax"),
    (&["set detach-on-fork"], "\"set follow-fork-mode both\" keeps both processes of a fork"),
    (&["set history"], "the full screen keeps its history"),
    (&["set language"], "expressions are read in the language of the frame"),
    (&["set logging"], "\"log FILE\" writes what is shown to a file, \"log off\" ends it"),
    (&["set pagination", "set height", "set width"], "output is never paged or cut"),
    (
        &["set print"],
        "\"set print-elements N\" and \"set print-repeats N\" are what can be set of it; \"print/FORMAT\" chooses a \
         format",
    ),
    (
        &["set schedule-multiple", "set non-stop"],
        "a rank stops as a whole; \"hold\" keeps ranks from running, \"set scheduler-locking on\" threads",
    ),
    (&["set step-mode", "set stop-on-solib-events", "set breakpoint"], "\"show\" lists the settings there are"),
    (&["set style", "set tui", "set prompt"], "colours are a theme: rankscope --theme NAME"),
    (&["set substitute-path"], "sources are read where the debug information says they are"),
    (
        &["show args", "show environment", "show cwd", "show paths"],
        "\"rankscope sessions\" lists sessions with their commands",
    ),
    (&["show version"], "\"rankscope --version\" says it"),
    (&["show"], ""),
    (&["skip"], "\"finish\" leaves a function again, \"next\" does not enter any"),
    (&["starti"], "\"restart\" starts the job again; where it stops first is given by rankscope run --stop-at"),
    (&["stop"], "\"halt\" stops running ranks, \"quit\" ends the session"),
    (&["strace", "tstart", "tstop", "collect"], "\"trace LOCATION, EXPRESSION\" shows values at each arrival"),
    (&["target"], "start the debugger on the program or the process: rankscope run, rankscope attach"),
    (&["taskset", "task", "tthread"], "\"thread N\" chooses a thread"),
    (&["tty", "set inferior-tty"], "what the ranks write is shown with their rank; \"output SET\" chooses whose"),
    (&["with"], "\"set SETTING VALUE\" changes a setting"),
];

/// What to type in place of arguments that a command of this name does not take; consulted when it refuses them.
const ARGUMENTS: &[(&str, &str)] = &[
    ("delete display", "\"undisplay N\" takes a displayed expression away"),
    ("enable once", "\"tbreak LOCATION\" sets a breakpoint that goes away with its first stop"),
    ("enable delete", "\"tbreak LOCATION\" sets a breakpoint that goes away with its first stop"),
    ("enable count", "\"after ID N\" passes over arrivals"),
    ("frame address", "\"where\" lists the frames, \"frame N\" chooses one"),
    ("kill", "it ends the ranks of the focus or of the set in front: [0-3] kill"),
    ("output", "it chooses whose output is shown; \"print EXPRESSION\" shows a value"),
    ("restart", "arguments are given at the start: rankscope run PROGRAM ARGUMENTS…"),
    ("save breakpoints", "\"save FILE\" writes breakpoints, groups and settings"),
    ("thread find", "\"threads\" lists the threads with their names"),
    ("thread name", "\"threads\" lists the threads with their names"),
];

/// The text begins with these words.
fn begins(text: &str, words: &str) -> bool {
    let mut given = text.split_whitespace();
    words.split(' ').all(|word| given.next() == Some(word))
}

/// The words of a line of gdb that are no command here, and what does it.
pub(super) fn instead(line: &str) -> Option<(&'static str, &'static str)> {
    let fitting = ELSEWHERE.iter().flat_map(|(names, words)| names.iter().map(move |name| (*name, *words)));
    let longest = fitting.filter(|(name, _)| begins(line, name)).max_by_key(|(name, _)| name.len());
    longest.filter(|(_, words)| !words.is_empty())
}

/// What to type in place of what a command refused.
pub(super) fn instead_of_arguments(name: &str, arguments: &str) -> Option<&'static str> {
    let line = format!("{name} {arguments}");
    ARGUMENTS.iter().filter(|(of, _)| begins(&line, of)).max_by_key(|(of, _)| of.len()).map(|(_, words)| *words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::entries;
    use std::collections::BTreeSet;

    #[test]
    fn what_is_here_is_not_said_to_be_elsewhere() {
        let names: Vec<&str> = ELSEWHERE.iter().flat_map(|(names, _)| *names).copied().collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "twice");
        for entry in entries() {
            for name in std::iter::once(&entry.name).chain(entry.aliases).filter(|name| **name != "show") {
                assert!(!names.contains(name), "{name}");
            }
        }
        for (name, _) in ARGUMENTS {
            let first = name.split(' ').next().unwrap();
            assert!(entries().any(|entry| entry.name == first), "{name}");
        }
    }

    /// Words in quotes are lines that are typed here: the first of each is a command.
    #[test]
    fn what_is_said_instead_is_there() {
        let sentences = ELSEWHERE.iter().map(|(_, words)| *words).chain(ARGUMENTS.iter().map(|(_, words)| *words));
        for words in sentences {
            for quoted in words.split('"').skip(1).step_by(2) {
                let first = quoted.split([' ', '/', '…']).next().unwrap();
                let known = entries().any(|entry| entry.name == first || entry.aliases.contains(&first));
                assert!(known || ["#", "?", "", "rankscope"].contains(&first), "{words}: {quoted}");
            }
        }
    }

    #[test]
    fn the_longest_beginning_is_meant() {
        assert!(
            instead("info sources x").is_some_and(|(name, words)| name == "info sources" && words.contains("frame"))
        );
        assert!(instead("set print pretty on").unwrap().1.contains("print-elements"));
        assert_eq!(instead("info"), None);
        assert_eq!(instead("infol"), None);
        assert!(instead_of_arguments("thread", "find x").unwrap().contains("threads"));
        assert_eq!(instead_of_arguments("thread", "x"), None);
    }
}
