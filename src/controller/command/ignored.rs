//! Lines of gdb without an effect here: scripts, such as a `.gdbinit`, go on after them, and a note says what becomes of it.

use super::unsupported::begins;

/// The words for Python and Guile.
const LANGUAGES: &str =
    "rankscope runs no Python or Guile; to drive it from Python, use the module that \"rankscope python\" prints";
/// The words for files of programs and symbols.
const PROGRAM: &str = "the program is that of the command line, and symbols are read from the files that it loads";
/// The words for gdb's terminal.
const SCREEN: &str = "choose a theme: rankscope --theme NAME; \"?\" on the full screen shows its keys";
/// The words for remote targets.
const REMOTE: &str = "for remote targets; rankscope has servers of its own on each host";

/// First words of lines, and why they have no effect. The longest that a line begins with apply.
pub(super) const IGNORED: &[(&[&str], &str)] = &[
    (
        &[
            "python",
            "py",
            "python-interactive",
            "pi",
            "guile",
            "gu",
            "guile-repl",
            "gr",
            "set python",
            "set guile",
            "set script-extension",
            "set extension-language",
        ],
        LANGUAGES,
    ),
    (
        &["add-auto-load-safe-path", "add-auto-load-scripts-directory", "set auto-load", "set data-directory"],
        "rankscope loads no scripts by itself; \"source FILE\" runs one",
    ),
    (
        &["set frame-filter", "jit-reader-load", "jit-reader-unload"],
        "\"engine use gdb\" gives ranks to gdb, which has it",
    ),
    (&["macro"], "rankscope does not read macros; \"set $NAME = VALUE\" keeps a value"),
    (
        &["maintenance", "mt", "set debug", "set complaints", "set watchdog", "set compile-args", "set compile-gcc"],
        "for gdb's own development; rankscope --log FILE writes what rankscope does",
    ),
    (
        &[
            "set annotate",
            "set mi-async",
            "set exec-done-display",
            "set suppress-cli-notifications",
            "set startup-quietly",
            "set interactive-mode",
            "interpreter-exec",
        ],
        "for front ends of gdb; --json is for programs",
    ),
    (
        &[
            "layout src",
            "layout asm",
            "layout split",
            "layout regs",
            "layout next",
            "layout prev",
            "tui",
            "refresh",
            "winheight",
            "wh",
            "winwidth",
            "set style",
            "set tui",
            "set prompt",
            "set extended-prompt",
            "set editing",
            "set filename-display",
            "set max-completions",
        ],
        SCREEN,
    ),
    (&["set history"], "the full screen saves its history"),
    (&["set max-user-call-depth"], "commands of the user call each other up to 256 times"),
    (&["set source open"], "sources are opened when they are shown"),
    (&["file", "exec-file", "symbol-file", "set exec-file-mismatch", "set write", "set gnutarget"], PROGRAM),
    (
        &["sharedlibrary", "nosharedlibrary", "set auto-solib-add", "set opaque-type-resolution", "set index-cache"],
        "symbols of libraries are read when they are needed; \"libraries\" lists them",
    ),
    (&["set debug-file-directory"], "separate debug files are found beside the program's files and in /usr/lib/debug"),
    (&["set debuginfod"], "rankscope downloads nothing"),
    (&["tty", "set inferior-tty"], "the output of all ranks is shown; \"output SET\" chooses ranks"),
    (
        &[
            "set sysroot",
            "set solib-absolute-prefix",
            "set solib-search-path",
            "set remote",
            "set remoteaddresssize",
            "set remotecache",
            "set remoteflow",
            "set remotelogbase",
            "set remotelogfile",
            "set remotetimeout",
            "set remotewritesize",
            "set serial",
            "set tcp",
            "set range-stepping",
            "set dcache",
            "set code-cache",
            "set stack-cache",
            "set trust-readonly-sections",
            "set auto-connect-native-target",
            "set target-file-system-kind",
        ],
        REMOTE,
    ),
    (
        &[
            "set displaced-stepping",
            "set observer",
            "set may-call-functions",
            "set may-insert-breakpoints",
            "set may-insert-fast-tracepoints",
            "set may-insert-tracepoints",
            "set may-interrupt",
            "set may-write-memory",
            "set may-write-registers",
            "set breakpoint always-inserted",
            "set breakpoint auto-hw",
            "set breakpoint condition-evaluation",
            "set unwind-on-terminating-exception",
            "set libthread-db-search-path",
            "set agent",
            "set circular-trace-buffer",
            "set default-collect",
            "set disconnected-tracing",
            "set disconnected-dprintf",
            "set trace-buffer-size",
            "set trace-notes",
            "set trace-stop-notes",
            "set trace-user",
        ],
        "rankscope inserts breakpoints and steps in a way of its own, and the servers evaluate conditions",
    ),
    (
        &["set dprintf-style", "set dprintf-function", "set dprintf-channel"],
        "\"dprintf\" prints where rankscope prints; \"call\" calls a function of the program",
    ),
    (&["set dump-excluded-mappings", "set use-coredump-filter"], "\"gcore\" writes what gdb writes by default"),
    (
        &[
            "set charset",
            "set host-charset",
            "set target-charset",
            "set target-wide-charset",
            "set case-sensitive",
            "set check",
            "set overload-resolution",
            "set basenames-may-differ",
            "set demangle-style",
            "set print nibbles",
            "set print type",
            "set print raw-frame-arguments",
            "set print max-symbolic-offset",
            "set print pascal_static-members",
            "set print memory-tag-violations",
            "set struct-convention",
            "set coerce-float-to-double",
            "set varsize-limit",
            "set fortran",
            "set disassembler-options",
        ],
        "names and values are read and printed as gdb does by default",
    ),
    (
        &[
            "set ada",
            "set ravenscar",
            "set mpx",
            "set osabi",
            "set cp-abi",
            "set tdesc",
            "unset tdesc",
            "set architecture",
            "set endian",
            "set mem",
        ],
        "rankscope debugs programs for x86-64 on Linux; the file says what it is",
    ),
];

/// Commands that begin a block of lines in another language, if nothing follows them.
const FOREIGN: [&str; 4] = ["python", "py", "guile", "gu"];

/// Ends of the names of files in another language.
const FOREIGN_FILES: [&str; 2] = [".py", ".scm"];

/// Returns the words at the start of a line that has no effect here, and why.
pub(super) fn ignored(line: &str) -> Option<(&'static str, &'static str)> {
    let all = IGNORED.iter().flat_map(|(names, words)| names.iter().map(move |name| (*name, *words)));
    all.filter(|(name, _)| begins(line, name)).max_by_key(|(name, _)| name.len())
}

/// True if a line opens a block of lines in another language.
pub(super) fn opens_foreign_block(line: &str) -> bool {
    FOREIGN.contains(&line.trim())
}

/// Returns why a file for `source` has no effect: it is in another language.
pub(super) fn ignored_file(path: &str) -> Option<&'static str> {
    FOREIGN_FILES.iter().any(|end| path.ends_with(end)).then_some(LANGUAGES)
}

/// True if what an ignored line would have done includes new commands: later lines may use them.
pub fn may_define_commands(name: &str) -> bool {
    FOREIGN.contains(&name) || name == "source"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::unsupported::instead;
    use crate::command::{entries, fixed_settings::find_fixed, variable_table};
    use std::collections::BTreeSet;

    #[test]
    fn what_is_ignored_is_nothing_else() {
        let names: Vec<&str> = IGNORED.iter().flat_map(|(names, _)| *names).copied().collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "twice");
        for name in names {
            assert!(!entries().any(|entry| entry.name == name || entry.aliases.contains(&name)), "{name}");
            assert!(instead(name).is_none_or(|(of, _)| of != name), "{name}");
            let setting = name.strip_prefix("set ").unwrap_or("");
            assert!(find_fixed(setting).is_none_or(|(fixed, _)| fixed.name != setting), "{name}");
            assert!(variable_table::find(setting).is_none(), "{name}");
        }
    }

    #[test]
    fn the_longest_beginning_counts() {
        assert_eq!(ignored("set auto-load safe-path /").map(|(name, _)| name), Some("set auto-load"));
        assert!(ignored("set print type methods off").is_some() && ignored("set print elements 3").is_none());
        assert!(ignored("layout src").is_some() && ignored("layout asm").is_some() && ignored("layout 4x3").is_none());
        assert!(ignored("pythons").is_none() && ignored("set").is_none());
    }

    #[test]
    fn only_a_language_alone_opens_a_block() {
        assert!(opens_foreign_block(" python ") && opens_foreign_block("gu"));
        assert!(!opens_foreign_block("python print(1)") && !opens_foreign_block("pythonic"));
        assert!(ignored_file("~/x.py").is_some() && ignored_file("x.gdb").is_none());
    }
}
