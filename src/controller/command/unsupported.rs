//! Commands of gdb that rankscope lacks, with what to type instead.

/// First words of a line of gdb and their replacement. The longest entry that matches a line applies.
const ELSEWHERE: &[(&[&str], &str)] = &[
    (&["add-symbol-file"], "rankscope reads symbols from the loaded files; \"libraries\" lists them"),
    (&["attach"], "start rankscope attach PID"),
    (&["checkpoint"], "\"restart\" starts the job again, with its breakpoints"),
    (&["core-file", "core"], "start rankscope core PROGRAM CORE..."),
    (&["output-format"], "\"print EXPRESSION\" shows a value, \"#\" starts a comment"),
    (&["explore"], "\"ptype EXPRESSION\" shows a type; in the full screen the variables view unfolds values"),
    (&["demangle"], "names are shown demangled; c++filt demangles others"),
    (&["inferior", "add-inferior", "remove-inferiors", "clone-inferior"], "\"focus SET\" chooses ranks"),
    (&["info"], ""),
    (&["info os"], "\"about-process\" shows a rank's process; for others read /proc on the rank's host"),
    (&["info common"], "\"globals\" lists variables of common blocks; \"print NAME\" shows one"),
    (&["info checkpoints"], "\"restart\" starts the job again, with its breakpoints"),
    (&["info record"], "with --engine gdb, \"engine info record\" shows what gdb has recorded"),
    (&["info win"], "the full screen has views instead of windows; \"?\" shows its keys"),
    (
        &["info macro", "info macros"],
        "gdb reads macros of programs built with -g3: \"engine use gdb\", then \"engine info macro NAME\" and \"print NAME\"",
    ),
    (&["monitor"], "with --engine gdb, use \"engine COMMAND\""),
    (
        &["next-fork", "follow-fork-mode"],
        "\"set follow-fork-mode child\" follows children; \"catch fork\" stops at a fork",
    ),
    (&["print-object", "po"], "\"print EXPRESSION\" shows a value"),
    (&["compile"], "write a file of commands and run it with --batch (and --json)"),
    (
        &[
            "record",
            "reverse-continue",
            "rc",
            "reverse-step",
            "rs",
            "reverse-next",
            "rn",
            "reverse-finish",
            "reverse-stepi",
            "reverse-nexti",
        ],
        "gdb runs ranks backwards: \"engine use gdb\", \"engine record\", later \"engine reverse-next\" and the like",
    ),
    (&["set backtrace"], "\"set backtrace limit N\" limits the frames that are read"),
    (&["define-prefix"], "\"define NAME\" defines a command; its name may have hyphens"),
    (
        &["set exec-wrapper"],
        "start rankscope run WRAPPER PROGRAM: a session begins in the program that the wrapper executes",
    ),
    (&["set directories"], "rankscope reads sources from the paths in the debug information"),
    (&["set print"], "\"show print\" lists the settings for printing values"),
    (&["set breakpoint"], "\"show\" lists the settings"),
    (&["show paths", "path"], "\"set environment PATH=DIRECTORIES\" sets it for the next start"),
    (&["show"], ""),
    (&["show commands"], "ctrl-r on the full screen searches the history of commands"),
    (&["show values"], "\"print $3\" shows an earlier value, \"print $\" the last one"),
    (&["show convenience", "show conv"], "\"print $NAME\" shows a convenience variable"),
    (&["stop"], "\"halt\" stops running ranks, \"quit\" ends the session"),
    (&["strace", "tstart", "tstop", "collect"], "\"trace LOCATION, EXPRESSION\" shows values at each hit"),
    (&["target"], "start rankscope run PROGRAM or rankscope attach PID"),
    (&["taskset", "task", "tthread"], "\"thread N\" chooses a thread"),
];

/// Replacements for arguments that a command of this name refuses.
const ARGUMENTS: &[(&str, &str)] = &[("kill", "\"kill\" takes a set in front: [0-3] kill")];

/// True if the text begins with these words.
pub(super) fn begins(text: &str, words: &str) -> bool {
    let mut given = text.split_whitespace();
    words.split(' ').all(|word| given.next() == Some(word))
}

/// Returns the words of gdb at the start of a line that are no command here, and their replacement.
pub(super) fn instead(line: &str) -> Option<(&'static str, &'static str)> {
    let fitting = ELSEWHERE.iter().flat_map(|(names, words)| names.iter().map(move |name| (*name, *words)));
    let longest = fitting.filter(|(name, _)| begins(line, name)).max_by_key(|(name, _)| name.len());
    longest.filter(|(_, words)| !words.is_empty())
}

/// Returns the replacement for arguments that a command refused.
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

    /// Quoted words are lines for this prompt: the first word of each is a command.
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
            instead("info macros x").is_some_and(|(name, words)| name == "info macros" && words.contains("macros"))
        );
        assert!(instead("set print vtbl on").unwrap().1.contains("show print"));
        assert_eq!(instead("info"), None);
        assert_eq!(instead("infol"), None);
        assert!(instead_of_arguments("kill", "3").unwrap().contains("in front"));
        assert_eq!(instead_of_arguments("frame", "x"), None);
    }
}
