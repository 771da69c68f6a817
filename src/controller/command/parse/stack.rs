//! Arguments of the commands about stacks and threads.

use super::{count, location, number};
use crate::command::arguments::{Arguments, Word};
use crate::command::line_error::LineError;
use crate::command::{Apply, ApplyFlags, Command, DebuggerCommand, Extent, Merged, SampleOrder, StackCommand, Stacks};
use crate::sets::{SetExpr, parse_set};
use model::{Inquiry, RegularExpression, ThreadId};

const WANTED: &str = "full, -merge, -threads, -all, -limit N, or a number of frames (-N: the outermost)";

pub(in crate::command) fn where_(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut stacks = Stacks::default();
    let begin = arguments.place();
    while let Some(word) = arguments.word()? {
        match word.text.as_str() {
            // The setting holds for this command.
            "-frame-arguments" => {
                let value = arguments.required("none, scalars, all or presence")?.text;
                let before = arguments.line.get(begin..word.at).unwrap_or("").trim();
                let line = format!("where {before} {}", arguments.take_rest());
                let name = "print-frame-arguments".to_owned();
                return Ok(DebuggerCommand::With { name, value, line }.into());
            }
            // There are no filters of frames.
            "-no-filters" | "-hide" => {}
            "-merge" if stacks.merged == Merged::AllThreads => {}
            "-merge" => stacks.merged = Merged::OneThread,
            "-threads" => stacks.merged = Merged::AllThreads,
            "-all" => stacks.all = true,
            "full" | "-full" => stacks.full = true,
            "-limit" => {
                let word = arguments.required("a number of frames")?;
                stacks.extent = Extent::Innermost(frames(arguments, &word, &word.text)?);
            }
            text if stacks.extent == Extent::All => {
                stacks.extent = match text.strip_prefix('-') {
                    Some(digits) => Extent::Outermost(frames(arguments, &word, digits)?),
                    None => Extent::Innermost(frames(arguments, &word, text)?),
                };
            }
            _ => return Err(arguments.fault(word.at, format!("expected {WANTED}"))),
        }
        let all_threads = stacks.merged == Merged::AllThreads;
        if stacks.merged != Merged::Nothing && stacks.full {
            let merged = if all_threads { "-threads" } else { "-merge" };
            return Err(arguments.fault(word.at, format!("{merged} and full exclude each other")));
        }
        if all_threads && matches!(stacks.extent, Extent::Outermost(_)) {
            return Err(arguments.fault(word.at, "-threads shows the innermost frames (-limit N), or all"));
        }
    }
    Ok(StackCommand::Where(stacks).into())
}

fn frames(arguments: &Arguments<'_>, word: &Word, digits: &str) -> Result<u32, LineError> {
    match digits.parse() {
        Ok(0) => Err(arguments.fault(word.at, "expected a number of frames from 1")),
        Ok(n) => Ok(n),
        Err(_) => Err(arguments.fault(word.at, format!("expected {WANTED}, not {:?}", word.text))),
    }
}

/// Takes `[SECONDS] [-threads] [-all]`.
pub(in crate::command) fn sample(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    /// Seconds of looking unless others are given.
    const USUAL: f64 = 2.0;
    let mut order = SampleOrder { seconds: USUAL, threads: false, all: false };
    while let Some(word) = arguments.word()? {
        match word.text.as_str() {
            "-threads" => order.threads = true,
            "-all" => order.all = true,
            text => match text.parse::<f64>() {
                Ok(seconds) if (0.0..=1e7).contains(&seconds) => order.seconds = seconds,
                _ => return Err(arguments.fault(word.at, "expected a number of seconds, -threads or -all")),
            },
        }
    }
    Ok(StackCommand::Sample(order).into())
}

/// Takes `[-gid] [N…]`; the threads of a process have one number each, so that gdb's global ones are the same.
pub(in crate::command) fn threads(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut which = Vec::new();
    while let Some(word) = arguments.word()? {
        match thread_range(&word.text) {
            Some(threads) => which.extend(threads),
            None if word.text == "-gid" && which.is_empty() => {}
            None => return Err(arguments.fault(word.at, format!("expected thread numbers, not {:?}", word.text))),
        }
    }
    Ok(StackCommand::Threads(which).into())
}

pub(in crate::command) fn frame(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let Some(word) = arguments.word()? else { return Ok(StackCommand::Frame(None).into()) };
    match word.text.as_str() {
        text if is_apply(text) => frame_apply(arguments),
        "function" => Ok(StackCommand::FrameOf(arguments.required_rest("a function name")?.to_owned()).into()),
        "address" => Ok(StackCommand::FrameAt(arguments.required_rest("the address of a frame")?.to_owned()).into()),
        "level" => {
            let word = arguments.required("a frame number")?;
            Ok(StackCommand::Frame(Some(number(arguments, &word, "a frame number")?)).into())
        }
        _ => Ok(StackCommand::Frame(Some(number(arguments, &word, "a frame number")?)).into()),
    }
}

fn is_apply(text: &str) -> bool {
    !text.is_empty() && "apply".starts_with(text)
}

/// Takes the command to run for each of them.
fn applied(arguments: &mut Arguments<'_>) -> Result<String, LineError> {
    let line = arguments.required_rest("a command to apply")?;
    Ok(line.to_owned())
}

fn frame_apply(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let word = arguments.required("all, level N..., or a number of frames (-N: the outermost)")?;
    if word.text == "level" {
        let levels = levels(arguments)?;
        let flags = apply_flags(arguments, ApplyFlags::default(), None)?;
        return Ok(StackCommand::Apply(Apply::Levels(levels), flags, applied(arguments)?).into());
    }
    let extent = match word.text.as_str() {
        "all" => Extent::All,
        text => match text.strip_prefix('-') {
            Some(digits) => Extent::Outermost(frames(arguments, &word, digits)?),
            None => Extent::Innermost(frames(arguments, &word, text)?),
        },
    };
    let flags = apply_flags(arguments, ApplyFlags::default(), None)?;
    Ok(StackCommand::Apply(Apply::Frames(extent), flags, applied(arguments)?).into())
}

/// Takes levels such as `1 3-5`.
fn levels(arguments: &mut Arguments<'_>) -> Result<Vec<(u32, u32)>, LineError> {
    let mut levels = Vec::new();
    loop {
        let before = *arguments;
        let word = arguments.word()?;
        match word.as_ref().map(|word| (word, level_range(&word.text))) {
            Some((_, Some(range))) => levels.push(range),
            Some((word, None)) if levels.is_empty() => {
                return Err(arguments.fault(word.at, format!("expected levels such as 1 or 3-5, not {:?}", word.text)));
            }
            _ => {
                *arguments = before;
                break;
            }
        }
    }
    if levels.is_empty() {
        arguments.required("levels such as 1 or 3-5")?;
    }
    Ok(levels)
}

/// Parses `3` or `3-5`; levels are numbered from 0.
fn level_range(text: &str) -> Option<(u32, u32)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last).then_some((first, last))
}

/// The flag of gdb's `taas` and the like.
const SILENT: ApplyFlags = ApplyFlags { quiet: false, silent: true };

/// Takes the flags before the command; `ascending` is one of threads only.
fn apply_flags(
    arguments: &mut Arguments<'_>,
    mut flags: ApplyFlags,
    mut ascending: Option<&mut bool>,
) -> Result<ApplyFlags, LineError> {
    let mut continues = false;
    loop {
        let before = *arguments;
        let word = arguments.word()?;
        match (word.as_ref().map(|word| word.text.as_str()), &mut ascending) {
            (Some("-ascending"), Some(ascending)) => **ascending = true,
            (Some("-q"), _) => flags.quiet = true,
            // Errors stop nothing here.
            (Some("-c"), _) => continues = true,
            (Some("-s"), _) => flags.silent = true,
            (Some("--"), _) => return Ok(flags),
            _ => {
                *arguments = before;
                return Ok(flags);
            }
        }
        if let Some(word) = word.filter(|_| continues && flags.silent) {
            return Err(arguments.fault(word.at, "-c and -s exclude each other"));
        }
    }
}

/// Parses gdb's `faas`, `frame apply all -s`.
pub(in crate::command) fn silently_for_frames(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let flags = apply_flags(arguments, SILENT, None)?;
    Ok(StackCommand::Apply(Apply::Frames(Extent::All), flags, applied(arguments)?).into())
}

/// Parses gdb's `taas`, `thread apply all -s`.
pub(in crate::command) fn silently_for_threads(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut ascending = false;
    let flags = apply_flags(arguments, SILENT, Some(&mut ascending))?;
    Ok(StackCommand::Apply(Apply::Threads { which: None, ascending }, flags, applied(arguments)?).into())
}

/// Parses gdb's `tfaas`, `thread apply all -s -- frame apply all -s`.
pub(in crate::command) fn silently_for_all(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let line = format!("frame apply all -s {}", applied(arguments)?);
    Ok(StackCommand::Apply(Apply::Threads { which: None, ascending: false }, SILENT, line).into())
}

/// Parses `1 3-5` or `all`, and flags.
fn thread_apply(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let wanted = "all or thread numbers";
    let first = arguments.required(wanted)?;
    let mut which = None;
    let mut at_word = *arguments;
    if !"all".starts_with(first.text.as_str()) {
        let mut chosen = Vec::new();
        let mut word = Some(first.clone());
        while let Some(threads) = word.as_ref().and_then(|word| thread_range(&word.text)) {
            chosen.extend(threads);
            at_word = *arguments;
            word = arguments.word()?;
        }
        if chosen.is_empty() {
            return Err(arguments.fault(first.at, format!("expected {wanted}, not {:?}", first.text)));
        }
        *arguments = at_word;
        which = Some(chosen);
    }
    let mut ascending = false;
    let flags = apply_flags(arguments, ApplyFlags::default(), Some(&mut ascending))?;
    Ok(StackCommand::Apply(Apply::Threads { which, ascending }, flags, applied(arguments)?).into())
}

/// Parses `3` or `3-5`; threads are numbered from 1.
fn thread_range(text: &str) -> Option<Vec<ThreadId>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
    (first >= 1 && first <= last && last - first < 65_536).then(|| (first..=last).map(ThreadId).collect())
}

pub(in crate::command) fn why(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    set_of_rest(arguments).map(|set| StackCommand::Why(set).into())
}

pub(in crate::command) fn queues(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    set_of_rest(arguments).map(|set| StackCommand::Queues(set).into())
}

/// Parses an optional set.
fn set_of_rest(arguments: &mut Arguments<'_>) -> Result<Option<SetExpr>, LineError> {
    let at = arguments.place();
    let text = arguments.take_rest();
    if text.is_empty() {
        return Ok(None);
    }
    let set = parse_set(text).map_err(|error| arguments.fault_within(at, error.position, error.message))?;
    Ok(Some(set))
}

/// Takes nothing, or gdb's `[level] N`.
pub(in crate::command) fn about_frame(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut word = arguments.word()?;
    match word.as_ref().map(|word| (word.at, word.text.as_str())) {
        None => return Ok(StackCommand::Tell(Inquiry::Frame).into()),
        Some((_, "level")) => word = Some(arguments.required("a frame number")?),
        Some((at, "function" | "address")) => {
            let why = "expected level N: \"frame function NAME\" selects a frame, then \"info frame\" describes it";
            return Err(arguments.fault(at, why));
        }
        Some(_) => {}
    }
    let Some(word) = word else { return Ok(StackCommand::Tell(Inquiry::Frame).into()) };
    let level = number(arguments, &word, "a frame number")?;
    let flags = ApplyFlags { quiet: true, silent: false };
    Ok(StackCommand::Apply(Apply::Levels(vec![(level, level)]), flags, "info frame".to_owned()).into())
}

pub(in crate::command) fn about_source(_: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(StackCommand::Tell(Inquiry::Source).into())
}

pub(in crate::command) fn scope(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.required_rest("a place")?;
    Ok(StackCommand::Tell(Inquiry::Scope(location(arguments, text, at)?)).into())
}

pub(in crate::command) fn up(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(StackCommand::Up(count(arguments)?).into())
}

pub(in crate::command) fn down(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(StackCommand::Down(count(arguments)?).into())
}

pub(in crate::command) fn up_silently(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(silently(StackCommand::Up(count(arguments)?)))
}

pub(in crate::command) fn down_silently(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(silently(StackCommand::Down(count(arguments)?)))
}

pub(in crate::command) fn select_frame(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    match frame(arguments)? {
        Command::Stack(StackCommand::Apply(..)) => {
            Err(arguments.fault(at, "expected a frame number, function NAME or address ADDRESS"))
        }
        Command::Stack(command) => Ok(silently(command)),
        other => Ok(other),
    }
}

fn silently(command: StackCommand) -> Command {
    StackCommand::Silently(Box::new(command)).into()
}

pub(in crate::command) fn thread(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    match arguments.word()? {
        None => Ok(StackCommand::Thread(None).into()),
        Some(word) if is_apply(&word.text) => thread_apply(arguments),
        Some(word) if word.text == "name" => {
            let name = Some(arguments.take_rest().to_owned()).filter(|name| !name.is_empty());
            Ok(StackCommand::NameThread(name).into())
        }
        Some(word) if word.text == "find" => {
            let at = arguments.place();
            let pattern = arguments.required_rest("a regular expression for names of threads")?;
            RegularExpression::parse(pattern, false)
                .map_err(|error| arguments.fault_within(at, error.position, error.to_string()))?;
            Ok(StackCommand::FindThreads(pattern.to_owned()).into())
        }
        Some(word) => match number(arguments, &word, "a thread number")? {
            0 => Err(arguments.fault(word.at, "thread numbers start at 1")),
            n => Ok(StackCommand::Thread(Some(ThreadId(n))).into()),
        },
    }
}
