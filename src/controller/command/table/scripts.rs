//! The commands of scripts.

use super::{ArgumentKind as A, BlockWord, Entry, Repeat, entry, in_block};
use crate::command::blocks::BlockKind;
use crate::command::parse::scripts;

pub(super) const ENTRIES: &[Entry] = &[
    in_block(
        BlockWord::Opens(BlockKind::Commands),
        entry(
            "commands",
            &[],
            "[ID…]",
            "Sets the commands that run when ranks stop at a breakpoint, up to a line `end`.",
            "Without ID, those of the breakpoint set last; without lines, none. They run once for the ranks that stop \
                together, as `[RANKS] COMMAND`; a set in front of a line chooses others. A command that names \
                breakpoints by number changes them on all their ranks. The commands end with the first one that \
                continues these ranks. With `silent` as the first one, the stop is not reported.",
            A::Breakpoints,
            scripts::commands,
        ),
    ),
    entry(
        "silent",
        &[],
        "",
        "As the first of a breakpoint's commands, suppresses the report of the stop.",
        "",
        A::Nothing,
        scripts::silent,
    ),
    in_block(
        BlockWord::Opens(BlockKind::If),
        entry(
            "if",
            &[],
            "EXPRESSION | any {EXPRESSION} | all {EXPRESSION} | count {EXPRESSION} RELATION N",
            "Runs the following lines up to `else` or `end` if a condition is true.",
            "The stopped ranks of the focus, or of the set in front, evaluate EXPRESSION. Without a word before it, \
                each rank decides: the lines run for the ranks on which it is true, then those after `else` for the \
                others. `any` is true if it is true on a rank, `all` if it is on every one, `count {x} > 2` if it is on more than two. A set in front, as in \
                `[0-3] if x`, is the focus of the lines inside.",
            A::Expression,
            scripts::if_,
        ),
    ),
    in_block(
        BlockWord::Else,
        entry(
            "else",
            &[],
            "[if CONDITION]",
            "Begins the lines that run if the condition of `if` is false.",
            "`else if` has another condition, and the same `end`.",
            A::Nothing,
            scripts::otherwise,
        ),
    ),
    in_block(
        BlockWord::Opens(BlockKind::While),
        entry(
            "while",
            &[],
            "EXPRESSION | any {EXPRESSION} | all {EXPRESSION} | count {EXPRESSION} RELATION N",
            "Repeats the following lines up to `end` as long as a condition is true.",
            "The condition is that of `if`. `loop_break` leaves the loop, `loop_continue` begins its next round. On \
                the screen, Ctrl-C ends it; the setting `loop-limit` limits the rounds.",
            A::Expression,
            scripts::while_,
        ),
    ),
    in_block(BlockWord::End, entry("end", &[], "", "Ends a block of lines.", "", A::Nothing, scripts::end)),
    entry("loop_break", &[], "", "Leaves the innermost `while`.", "", A::Nothing, scripts::loop_break),
    entry(
        "loop_continue",
        &[],
        "",
        "Begins the next round of the innermost `while`.",
        "",
        A::Nothing,
        scripts::loop_continue,
    ),
    in_block(
        BlockWord::Opens(BlockKind::Define),
        entry(
            "define",
            &[],
            "NAME",
            "Defines a command: the following lines up to `end`.",
            "In the lines, `$arg0`, `$arg1` … are the arguments, separated by blanks outside quotes, and `$argc` is \
                their number. `[SET] NAME ARGUMENTS` runs them with the set as focus. `hook-NAME` runs \
                before the command NAME and `hookpost-NAME` after it, with its set in front; `hook-stop` is the command of `on stop`. Commands of rankscope cannot be redefined.",
            A::Free,
            scripts::define,
        ),
    ),
    in_block(
        BlockWord::Opens(BlockKind::Document),
        entry(
            "document",
            &[],
            "NAME",
            "Describes a defined command: the following lines up to `end`, which `help NAME` shows.",
            "",
            A::Free,
            scripts::document,
        ),
    ),
    entry(
        "printf",
        &[],
        "\"FORMAT\"[, EXPRESSION, …]",
        "Prints values in a format, one line per distinct text with its ranks.",
        "FORMAT is as in C: `%d`, `%i`, `%u`, `%o`, `%x`, `%c`, `%s`, `%p`, `%f`, `%e` and `%g` with flags, width and \
            precision, and the escapes of C. A line ends at `\\n`: a text without one is continued by the next `printf` \
            or `echo` of the same script.",
        A::Free,
        scripts::printf,
    ).repeating(Repeat::Same),
    entry(
        "echo",
        &[],
        "TEXT",
        "Prints text.",
        "`\\n` ends the line, `\\t` is a tab, `\\ ` a blank at the start.",
        A::Free,
        scripts::echo,
    ).repeating(Repeat::Same),
    entry(
        "eval",
        &[],
        "\"FORMAT\"[, EXPRESSION, …]",
        "Runs a line that is made of values, as `printf` makes a text.",
        "Ranks with different values run lines of their own.",
        A::Free,
        scripts::eval,
    ),
    entry(
        "init-if-undefined",
        &[],
        "$NAME = EXPRESSION",
        "Gives a convenience variable a value if it has none.",
        "Ranks where it has one keep it.",
        A::Expression,
        scripts::init_if_undefined,
    ),
    entry(
        "dont-repeat",
        &[],
        "",
        "In the lines of a defined command: enter at an empty prompt does not repeat it.",
        "It counts wherever it is in the definition, also behind an `if`.",
        A::Nothing,
        scripts::dont_repeat,
    ),
    entry("complete", &[], "TEXT", "Lists how an unfinished line can go on.", "", A::Free, scripts::complete),
    entry(
        "on",
        &[],
        "[stop COMMAND | exit COMMAND | stop off | exit off]",
        "Runs a command when ranks stop or exit.",
        "It runs once for the ranks that stop or exit together, as `[RANKS] COMMAND`; at a breakpoint with \
            `commands`, before them. `off` removes it. Without arguments, lists them.",
        A::Words(&["stop", "exit"]),
        scripts::on,
    ),
];
