//! Commands of gdb without a row.

/// Their first words, and the reason why they make no sense here.
pub(super) const LEFT_OUT: &[(&[&str], &str)] = &[
    (
        &["+", "-", "<", ">", "update", "new-ui"],
        "scrolling and windows of gdb's own screen; `?` shows the keys of this one",
    ),
    (
        &[
            "actions",
            "collect",
            "ftrace",
            "passcount",
            "info static-trace",
            "info static-tracepoint-markers",
            "info tvariables",
            "tdump",
            "teval",
            "tfind",
            "tsave",
            "tstatus",
            "tstop",
            "tvariable",
            "save tracepoints",
            "while-stepping",
            "agent-printf",
        ],
        "collecting at tracepoints for later, in a remote target",
    ),
    (
        &[
            "info auto-load",
            "info extensions",
            "info frame-filter",
            "info type-printers",
            "info unwinder",
            "info xmethod",
            "info guile",
        ],
        "gdb's own extensions; `engine use gdb` gives a rank to a gdb, which has them",
    ),
    (
        &[
            "add-symbol-file-from-memory",
            "remove-symbol-file",
            "section",
            "load",
            "compare-sections",
            "flash-erase",
            "overlay",
            "mem",
            "info mem",
            "set use-deprecated-index-sections",
            "save gdb-index",
        ],
        "loading of programs and symbols by hand, and for boards",
    ),
    (
        &["add-inferior", "clone-inferior", "remove-inferiors", "info connections"],
        "one gdb with several programs; here every rank is a process of its own",
    ),
    (
        &[
            "catch assert",
            "catch exception",
            "catch handlers",
            "info exceptions",
            "info tasks",
            "task",
            "info selectors",
            "info classes",
            "memory-tag",
        ],
        "Ada, Objective-C, Pascal, and processors other than x86-64",
    ),
    (
        &["show commands", "set source", "show configuration"],
        "front ends of gdb and its own chatter; `--json` is for programs",
    ),
    (&["function"], "parts of gdb's scripts"),
    (&["remote", "disconnect", "info dcache"], "remote targets; rankscope has servers of its own on each host"),
    (
        &["restart", "info bookmarks", "set record", "set exec-direction", "stop", "info record"],
        "checkpoints and hooks (`restart` is here the command that starts the job again)",
    ),
    (
        &["break-range"],
        "the mechanisms of breakpoints and steps: rankscope always steps beside breakpoints, follows execs and evaluates conditions on the host of the rank",
    ),
    (
        &["set print frame-info", "set print entry-values"],
        "details of how gdb reads and prints names and values; rankscope prints as gdb's defaults do",
    ),
    (&["info copying", "info warranty", "show copying", "show warranty"], "gdb's licence"),
    (
        &[
            "info module",
            "info modules",
            "info probes",
            "info terminal",
            "info macro",
            "show varsize-limit",
            "show paths",
            "info tracepoints",
        ],
        "not here; with `--engine gdb`, `engine COMMAND` asks each gdb",
    ),
];
