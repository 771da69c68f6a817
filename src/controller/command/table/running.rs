//! Commands that continue and stop ranks.

use super::{ArgumentKind as A, Entry, Repeat, entry};
use crate::command::parse::{control, program_start};

pub(super) const ENTRIES: &[Entry] = &[
    entry(
        "go",
        &["dgo", "dcont"],
        "[N]",
        "Continues stopped ranks.",
        "It does not wait for a stop: in a script, follow it with `wait`, or use `continue`. Running, held and ended \
            ranks are left alone. With N, the current breakpoint stops them again at its N-th hit.",
        A::Number,
        control::go,
    ).repeating(Repeat::Same),
    entry(
        "continue",
        &["c", "fg"],
        "[N]",
        "Continues stopped ranks; a script waits until they have stopped or ended.",
        "At the prompt, and in the commands of a breakpoint, it is `go`.",
        A::Number,
        control::continue_,
    ).repeating(Repeat::Same),
    entry(
        "halt",
        &["interrupt", "dhalt"],
        "",
        "Stops the running ranks.",
        "In a script it waits until they have stopped.",
        A::Nothing,
        control::halt,
    ).repeating(Repeat::Same),
    entry(
        "step",
        &["s", "dstep"],
        "[COUNT]",
        "Steps to another line, into functions with line information; COUNT times.",
        "It steps in the frame that is shown, which after a stop in a library is that of your own code: calls that have \
            not returned yet are run through first (`frame 0` before it: steps in the library). In a script it waits \
            until its ranks have stopped, for at most the setting `step-patience`.",
        A::Number,
        control::step,
    ).repeating(Repeat::Same),
    entry(
        "next",
        &["n", "dnext"],
        "[COUNT]",
        "Steps to another line of the shown function or its caller, over calls; COUNT times.",
        "The frame is that of `step`. In a script it waits like `step`.",
        A::Number,
        control::next,
    ).repeating(Repeat::Same),
    entry(
        "finish",
        &["fin", "dout"],
        "",
        "Runs until the shown frame returns, and shows the returned value.",
        "The frame is the one chosen with `frame`, `up` or `down`. In JSON the stop has the fields `returned` and \
            `returned_type`.",
        A::Nothing,
        control::finish,
    ).repeating(Repeat::Same),
    entry(
        "until",
        &["u", "duntil"],
        "[LOCATION]",
        "Runs to a later line or to a location in this frame, or until the frame returns.",
        "Without a LOCATION it is like `next` but never goes back: at the end of a loop, it runs to the line after \
            it. LOCATION is as for `break`; deeper calls of the same function do not stop.",
        A::Location,
        control::until,
    ).repeating(Repeat::Same),
    entry(
        "advance",
        &[],
        "LOCATION",
        "Runs to a location, or until the frame returns.",
        "LOCATION is as for `break`. Like `until LOCATION`, but the location may be in a called function.",
        A::Location,
        control::advance,
    ).repeating(Repeat::Same),
    entry(
        "jump",
        &["j"],
        "LOCATION",
        "Continues stopped ranks at another location of their function.",
        "Changes nothing else: code in between is skipped or executed again. A script waits for the stop, as after `continue`; set a \
            `tbreak` at the location first to stop there. `jump *ADDRESS` goes to any address.",
        A::Location,
        control::jump,
    ),
    entry(
        "return",
        &[],
        "[VALUE]",
        "Returns from the shown frame at once, without executing the rest of its code.",
        "The ranks stop in the caller, with its registers as at the call. VALUE is an expression for the returned \
            value. Values that are returned in memory are refused: only the caller knows the address.",
        A::Expression,
        control::leave,
    ),
    entry(
        "stepi",
        &["si"],
        "[COUNT]",
        "Executes one instruction, or COUNT.",
        "Steps into calls. It and `nexti` always begin in the innermost frame. `x/i $pc` shows the next instruction.",
        A::Number,
        control::step_instruction,
    ).repeating(Repeat::Same),
    entry(
        "nexti",
        &["ni"],
        "[COUNT]",
        "Executes one instruction, or COUNT, over calls.",
        "",
        A::Number,
        control::next_instruction,
    ).repeating(Repeat::Same),
    entry(
        "hold",
        &["dhold"],
        "",
        "Holds ranks: they ignore `go` and steps until `unhold`.",
        "The others can continue without them. It does not stop running ranks.",
        A::Nothing,
        control::hold,
    ),
    entry(
        "unhold",
        &["dunhold"],
        "",
        "Releases held ranks.",
        "It does not continue them.",
        A::Nothing,
        control::unhold,
    ),
    entry(
        "wait",
        &["dwait"],
        "[stopped|any|exited|SET] [for SECONDS]",
        "Waits until ranks have stopped or ended.",
        "`wait` and `wait stopped`: until each rank of the focus has stopped or ended. `wait any`: until the first \
            running rank has stopped or ended. `wait exited`: until each has ended; fails if all that remain are \
            stopped. With a set: until those ranks have stopped or ended. Fails on timeout.",
        A::Words(&["stopped", "any", "exited"]),
        control::wait,
    ).repeating(Repeat::Same),
    entry(
        "kill",
        &["k", "dkill"],
        "",
        "Kills the ranks with SIGKILL.",
        "`quit` also ends the session; `restart` starts the job again.",
        A::Nothing,
        control::kill,
    ),
    entry(
        "restart",
        &["start", "drerun"],
        "[ARGUMENT…] [< FILE]",
        "Kills the job and starts it again, with its breakpoints and groups.",
        "It restarts the whole job: a set of only some ranks is an error. The program is that of the command line, \
            started with the ARGUMENTS, or with those of the last start if there are none. `set args`, \
            `set environment`, `unset environment` and `set cwd` also change the next start. Words are quoted as for \
            a shell, but nothing is expanded. The ranks, or their launcher, read FILE. `{rank}` and `{size}` in a word are \
            replaced. Under a launcher, only the start of the program changes, not the launcher's own arguments.",
        A::Free,
        program_start::restart,
    ),
    entry(
        "run",
        &["r"],
        "[ARGUMENT…] [< FILE]",
        "Runs the program from its start to the first breakpoint.",
        "A job whose ranks are still at their first stop, with the arguments that it was started with, is continued; \
            otherwise it is restarted, as by `restart`, and continued. A script waits until all ranks have stopped or \
            ended.",
        A::Free,
        program_start::run,
    ),
    entry(
        "starti",
        &[],
        "[ARGUMENT…]",
        "As `restart`, but each rank stops at its first instruction, before its libraries are loaded.",
        "`rankscope run --stop-at starti` does the same from the beginning.",
        A::Free,
        program_start::restart_at_first_instruction,
    ),
    entry(
        "cd",
        &[],
        "[DIR]",
        "Sets the directory in which the program is started next, as `set cwd`.",
        "",
        A::File,
        program_start::set_directory,
    ),
    entry(
        "pwd",
        &[],
        "",
        "Shows the directory in which the program is started next, as `show cwd`.",
        "",
        A::Nothing,
        program_start::show_directory,
    ).repeating(Repeat::Same),
    entry(
        "send",
        &[],
        "[-n] TEXT | -eof",
        "Writes a line to the standard input of ranks.",
        "The ranks must have been started with `--stdin terminal`, as they are on the full screen. TEXT is the rest of \
            the line; quote it as for a shell if it begins with a blank or contains `#`. With `-n` no newline follows. \
            `send -eof` ends the input. A rank that does not read is reported, and gets no part of the text. Under a \
            launcher, the text goes to the launcher, which forwards it to rank 0 (mpirun) or to all (srun).",
        A::Free,
        program_start::send,
    ),
    entry(
        "detach",
        &["ddetach"],
        "",
        "Detaches from processes, which continue without the debugger.",
        "Removes breakpoints from them. A detached rank cannot rejoin this session.",
        A::Nothing,
        control::detach,
    ),
];
