//! Reports as lines for people: the set first, as the field does.

use super::arrays::table::table_text;
use super::finding::{bytes, symbols};
use super::numbers::comparison::{Comparison, Numbers};
use super::numbers::significant::{DIGITS, significant};
use super::numbers::{array_numbers, array_sums};
use super::processes::{core_files, facts, libraries, limits};
use super::queues::message_queues;
use super::session::{printers, requests};
use super::stacks::text as stacks_text;
use super::text_words::{cause_words, frame_place, killed_words, marked, of, place, prefixed, set_words, user_place};
use super::values::printed_variable;
use super::watched::{returned, watched_words};
use super::{CodeLines, Content, Report, STILL_RUNNING, text_breakpoint, text_data, why_answer, written};
use crate::command::CodeForm;
use crate::sets::ThreadGroup;
use crate::state::{SessionInfo, StatusGroup, together};
use model::aif::FormatOptions;
use model::{
    Caught, Disposition, FloatTrap, Instruction, LAYOUT_HEADING, ProcessSet, ProcessState, SIGNALS, Severity, Stop,
    StopReason, Stream, ThreadId, ThreadInfo,
};

/// Returns the lines of a report, without newlines; none if there is nothing to say.
pub(super) fn lines(report: &Report) -> Vec<String> {
    match &report.content {
        Content::Session(info) => vec![session(info)],
        Content::Stopped(ranks, stop) => stopped(ranks, stop, &report.limits),
        Content::Running(ranks) => vec![of(ranks, "running")],
        Content::Exited(ranks, code) => vec![of(ranks, format!("exited with code {code}"))],
        Content::Killed(ranks, termination) => vec![of(ranks, killed_words(termination))],
        Content::Detached(ranks) => vec![of(ranks, "detached")],
        Content::Failed(ranks, why) => vec![of(ranks, format!("failed: {why}"))],
        Content::Lost { ranks, host, message } if host.is_empty() => vec![of(ranks, format!("lost: {message}"))],
        Content::Lost { ranks, host, message } => vec![of(ranks, format!("lost on {host}: {message}"))],
        Content::Output(ranks, stream, text) => {
            let mark = if *stream == Stream::Stderr { '!' } else { '|' };
            text.lines().map(|line| of(ranks, format!("{mark} {line}"))).collect()
        }
        Content::Breakpoint(point) => text_breakpoint::breakpoint(point),
        Content::BreakpointForStart(point) => text_breakpoint::for_start(point),
        Content::Traced { ranks, id, thread, frame, values } => {
            let values: Vec<String> = values.iter().map(|value| format!("{} = {}", value.name, value.text)).collect();
            let thread = if thread.0 == 1 { String::new() } else { format!("thread {thread}, ") };
            vec![of(ranks, format!("trace {id}, {thread}{}: {}", frame_place(frame), values.join(", ")))]
        }
        Content::Stacks(stacks) => stacks_text::stacks(stacks, &report.limits),
        Content::FullStack(ranks, frames, _) => {
            frames.iter().flat_map(|full| text_data::full_frame(ranks, full)).collect()
        }
        Content::Frame(ranks, shown, arguments) => {
            vec![of(ranks, stacks_text::frame(shown, arguments.as_ref(), &report.limits))]
        }
        Content::Why(why) => why_answer::text(why),
        Content::Tree { tree, all } => stacks_text::tree(tree, *all),
        Content::Value { ranks, expression, text, display, .. } => {
            let number = display.map_or_else(String::new, |number| format!("{number}: "));
            prefixed(ranks, &format!("{number}{}", with_expression(expression, text)))
        }
        Content::Summary(ranks, expression, summary) => summary.text(ranks, expression),
        Content::Colours(ranks, expression, summary) => summary.text_of_colours(ranks, expression),
        Content::Layout(layout) => layout.text(),
        Content::Comparison(expression, comparison) => compared(expression, comparison),
        Content::Snapshot(report) => report.text(),
        Content::Statistics { ranks, expression, statistics, histogram } => {
            array_numbers::statistics_text(ranks, expression, statistics, *histogram)
        }
        Content::Found { ranks, expression, condition, findings } => {
            array_numbers::findings_text(ranks, expression, condition, findings)
        }
        Content::ArraySum(ranks, expression, sum) => array_sums::text(ranks, expression, sum),
        Content::Array(page) => table_text(page, &report.limits),
        Content::Type { ranks, text, .. } => {
            let has_places = text.lines().skip(1).any(|line| line.starts_with("/*"));
            let heading = if has_places { format!("{LAYOUT_HEADING}  ") } else { String::new() };
            prefixed(ranks, &format!("{heading}type = {text}"))
        }
        Content::Variables(scope, lists) => text_data::variables(*scope, lists),
        Content::Registers(lists) => text_data::registers(lists),
        Content::Status(groups) => together(groups.clone()).iter().map(|group| status(group, &report.limits)).collect(),
        Content::Threads(ranks, threads) => threads.iter().map(|row| of(ranks, thread(row))).collect(),
        Content::Memory { ranks, rows, .. } => {
            rows.iter().map(|row| of(ranks, format!("{}: {}", row.label(), row.units.join(" ")))).collect()
        }
        Content::Instructions(ranks, shown, form, texts) => {
            instructions(shown, *form, texts).into_iter().map(|line| of(ranks, line)).collect()
        }
        Content::Source { first, lines, current, .. } => source(*first, lines, current),
        Content::Signals(rows) => rows
            .iter()
            .flat_map(|(info, parts)| parts.iter().map(move |(ranks, d)| of(ranks, signal(info, d))))
            .collect(),
        Content::UnderEngine(ranks, engine) => vec![of(ranks, engine.word())],
        Content::EngineText(ranks, text) => text.lines().map(|line| of(ranks, line)).collect(),
        Content::LibrariesChanged { ranks, loaded, unloaded } => libraries_changed(ranks, loaded, unloaded),
        Content::Libraries(lists) => libraries::text(lists),
        Content::Limits(lists) => limits::text(lists),
        Content::Symbols { ranks, query, quiet, list } => symbols::text(ranks, query, *quiet, list),
        Content::BytesFound { ranks, found, limited } => bytes::text(ranks, found, *limited),
        Content::ProcessFacts(ranks, known) => facts::text(ranks, known),
        Content::CoreFiles(files) => core_files::text(files),
        Content::SavedData(saved) => vec![saved.text()],
        Content::RestoredData(restored) => vec![restored.text()],
        Content::Queues(queues) => message_queues::text(queues),
        Content::Written(report) => written::text(report),
        Content::Groups(groups) if groups.is_empty() => vec!["no groups".to_owned()],
        Content::Groups(groups) => groups.iter().map(|(name, ranks)| of(ranks, name)).collect(),
        Content::Focus { ranks, text, thread, group } => vec![of(ranks, focused(text, *thread, group.as_ref()))],
        Content::OfThreads(threads, content) => {
            of_threads(threads, lines(&Report { content: Content::clone(content), ..report.clone() }))
        }
        Content::Held(ranks) if ranks.is_empty() => vec!["no rank is held".to_owned()],
        Content::Held(ranks) => vec![of(ranks, "held")],
        Content::Settings(rows) => {
            let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
            rows.iter().map(|(name, value)| format!("{name:<width$}  {value}")).collect()
        }
        Content::Printers(rows) => printers::lines(rows),
        Content::Aliases(rows) if rows.is_empty() => vec!["no aliases".to_owned()],
        Content::Aliases(rows) => rows.iter().map(|(name, text)| format!("{name} = {text}")).collect(),
        Content::Requests(list) if list.is_empty() => vec!["no program is asking for a debugger".to_owned()],
        Content::Requests(list) => list.iter().map(requests::text_line).collect(),
        Content::Text(ranks, text) => prefixed(ranks, text),
        Content::LauncherOutput(text) => prefixed(&ProcessSet::new(), text),
        Content::Message(severity, ranks, text) => prefixed(ranks, &format!("{}{text}", severity_words(*severity))),
        Content::Late { ranks, command, content } => late(ranks, command, content, report.limits),
        Content::Missing(ranks, why) if why == STILL_RUNNING => vec![of(ranks, format!("no reply: {why}"))],
        Content::Missing(ranks, message) => vec![of(ranks, format!("missing: {message}"))],
        Content::Error { ranks, message, position } => {
            let place = report.place_of_error().map_or_else(String::new, |place| format!("{place}: "));
            let mut lines = prefixed(ranks, &format!("error: {place}{message}"));
            if let (Some(position), Some(origin)) = (position, &report.origin) {
                lines.extend(marked(&origin.line, *position));
            }
            lines
        }
        Content::Done { .. } => Vec::new(),
    }
}

/// An expression and its value, which the expression says already if it is an assignment.
fn with_expression(expression: &str, text: &str) -> String {
    let assigned = expression.strip_suffix(text).and_then(|before| before.trim_end().strip_suffix('='));
    // `x += 5` and comparisons do not say it.
    let is_said = assigned.is_some_and(|before| !before.ends_with(|last: char| "=!<>+-*/%&|^".contains(last)));
    if is_said { expression.to_owned() } else { format!("{expression} = {text}") }
}

fn focused(text: &str, thread: Option<ThreadId>, group: Option<&ThreadGroup>) -> String {
    match (group, thread) {
        (Some(group), _) => format!("focus {text}, threads {}", group.numbers()),
        (None, Some(thread)) => format!("focus {text}, thread {thread}"),
        (None, None) => format!("focus {text}"),
    }
}

fn session(session: &SessionInfo) -> String {
    let all = ProcessSet::all(session.size);
    // If all ranks are on one host, the line begins with them.
    let which = |ranks: &ProcessSet| if *ranks == all { String::new() } else { format!(" [{ranks}]") };
    let hosts: Vec<String> = session.hosts.iter().map(|(host, ranks)| format!("{host}{}", which(ranks))).collect();
    let count = if session.size == 1 { "1 rank".to_owned() } else { format!("{} ranks", session.size) };
    of(&all, format!("session {}: {count} on {}", session.id, hosts.join(", ")))
}

fn stopped(ranks: &ProcessSet, stop: &Stop, limits: &FormatOptions) -> Vec<String> {
    let mut lines = vec![of(ranks, stopped_in(stop, Some(stop.thread), limits))];
    if let Some((words, value)) = returned(stop, limits) {
        lines.extend(prefixed(ranks, &format!("{words}{value}")));
    }
    lines
}

fn libraries_changed(ranks: &ProcessSet, loaded: &[String], unloaded: &[String]) -> Vec<String> {
    let line = |what: &str, names: &[String]| of(ranks, format!("{what} {}", names.join(", ")));
    let came = (!loaded.is_empty()).then(|| line("loaded", loaded));
    came.into_iter().chain((!unloaded.is_empty()).then(|| line("unloaded", unloaded))).collect()
}

fn severity_words(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "",
        Severity::Warning => "warning: ",
        Severity::Error => "error: ",
    }
}

/// Names the threads in the sets before the lines, `[0-3.{2,5}] …`; without sets, a line says whose the others are.
fn of_threads(threads: &ThreadGroup, lines: Vec<String>) -> Vec<String> {
    let spelled = threads.spelled();
    let mut is_named = false;
    let mut told: Vec<String> = lines
        .into_iter()
        .map(|line| match line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
            Some((ranks, rest)) => {
                is_named = true;
                format!("[{ranks}.{spelled}] {rest}")
            }
            None => line,
        })
        .collect();
    if !is_named && !told.is_empty() {
        told.insert(0, format!("threads {}:", threads.numbers()));
    }
    told
}

/// Formats replies that came after their command had ended, with that command before them.
fn late(ranks: &ProcessSet, command: &str, content: &Content, limits: FormatOptions) -> Vec<String> {
    let head = of(ranks, format!("late answer to \"{}\":", command.trim()));
    let report = Report { origin: None, content: content.clone(), limits };
    std::iter::once(head).chain(lines(&report)).collect()
}

/// Formats `stopped: breakpoint 1, kernel at ring.c:12`.
fn stopped_with_value(stop: &Stop, thread: Option<ThreadId>, limits: &FormatOptions) -> String {
    let value = returned(stop, &limits.on_one_line());
    let value = value.map_or_else(String::new, |(_, value)| format!(" (value returned: {value})"));
    format!("{}{value}", stopped_in(stop, thread, limits))
}

/// As [`stopped_with_value`] without the value; a thread of `None` is left out.
fn stopped_in(stop: &Stop, thread: Option<ThreadId>, limits: &FormatOptions) -> String {
    let reason = match &stop.reason {
        StopReason::Breakpoint(id) => format!("breakpoint {id}"),
        StopReason::Barrier(id) => format!("barrier {id}"),
        StopReason::Watchpoint(id, watched) => format!("watchpoint {id}{}", watched_words(watched, limits)),
        StopReason::Caught(id, caught) => {
            let cause = stop.cause.as_deref().map_or_else(String::new, |cause| format!(": {}", cause_words(cause)));
            format!("catchpoint {id} ({}{cause})", caught_words(caught, limits))
        }
        StopReason::Signal(name) => {
            let description = || SIGNALS.iter().find(|row| row.1 == &*name.0).map(|row| row.3.to_owned());
            let words = stop.cause.as_deref().map(cause_words).or_else(description);
            words.map_or_else(|| name.to_string(), |words| format!("{name} ({words})"))
        }
        StopReason::Error => {
            let words = stop.cause.as_deref().map(cause_words);
            words.map_or_else(|| "error".to_owned(), |words| format!("error ({words})"))
        }
        // In JSON it is the word of every first stop.
        StopReason::Attached => "attached".to_owned(),
        other => other.word().to_owned(),
    };
    let thread = thread.filter(|thread| thread.0 != 1).map_or_else(String::new, |thread| format!("thread {thread}, "));
    let note = stop.note.as_ref().map_or_else(String::new, |note| format!(" ({note})"));
    let at = stop.shown_user().map_or_else(|| frame_place(&stop.frame), user_place);
    // gdb selects frame 0 there: say which one `up` begins at.
    let selected = stop.shown_user().map(|user| user.frame.level).filter(|&level| level > 0 && is_exception(stop));
    let selected = selected.map_or_else(String::new, |level| format!(" (frame {level})"));
    format!("stopped: {reason}, {thread}{at}{selected}{note}")
}

fn is_exception(stop: &Stop) -> bool {
    matches!(stop.reason, StopReason::Caught(_, Caught::Thrown | Caught::Handled | Caught::Rethrown))
}

fn caught_words(caught: &Caught, limits: &FormatOptions) -> String {
    match caught {
        Caught::Thrown => "exception thrown".to_owned(),
        Caught::Handled => "exception caught".to_owned(),
        Caught::Rethrown => "exception rethrown".to_owned(),
        Caught::Executed(program) => format!("exec of {program}"),
        Caught::Forked => "fork".to_owned(),
        Caught::Vforked => "vfork".to_owned(),
        Caught::Signal(name) => format!("signal {name}"),
        Caught::Loaded(names) => format!("loaded {}", names.join(", ")),
        Caught::Unloaded(names) => format!("unloaded {}", names.join(", ")),
        Caught::Call(call) => call.to_string(),
        Caught::Float(trap) => float_words(trap, limits),
    }
}

/// Formats `division by zero: divsd %xmm1,%xmm0; xmm0 = 1, xmm1 = 0`.
fn float_words(trap: &FloatTrap, limits: &FormatOptions) -> String {
    let mut words = trap.exceptions.iter().map(|kind| kind.description()).collect::<Vec<_>>().join(", ");
    if !trap.instruction.is_empty() {
        words += &format!(": {}", trap.instruction);
    }
    if let Some(before) = &trap.before {
        let function = before.function.as_deref().map_or_else(String::new, |function| format!(" in {function}"));
        words += &format!(" before{function}{}", place(before.source.as_ref(), None));
    }
    let operand = |operand| {
        let printed = printed_variable(operand, &limits.on_one_line());
        format!("{} = {}", printed.name, printed.text)
    };
    let operands: Vec<String> = trap.operands.iter().map(operand).collect();
    if !operands.is_empty() {
        words += &format!("; {}", operands.join(", "));
    }
    words
}

fn state_words(state: &ProcessState, thread: Option<ThreadId>, limits: &FormatOptions) -> String {
    match state {
        ProcessState::Stopped(stop) => stopped_with_value(stop, thread, limits),
        ProcessState::Exited(code) => format!("exited with code {code}"),
        ProcessState::Killed(termination) => killed_words(termination),
        ProcessState::Failed(message) => format!("failed: {message}"),
        ProcessState::Lost(message) => format!("lost: {message}"),
        other => other.word().to_owned(),
    }
}

/// The most values that are listed, those of the fewest ranks first.
const MOST_COMPARED: usize = 200;

fn compared(expression: &str, comparison: &Comparison) -> Vec<String> {
    let (count, distinct) = (comparison.ranks.len(), comparison.values.len());
    let values = if count == 1 { "value" } else { "values" };
    let mut lines = Vec::new();
    if !comparison.differing.is_empty() {
        let others = count - comparison.differing.len();
        lines.push(of(&comparison.differing, format!("{expression} differs from that of the other {others} ranks")));
    }
    lines.push(of(&comparison.ranks, format!("{expression}: {count} {values}, {distinct} distinct")));
    if comparison.is_partial {
        let words = format!("only the elements that are printed are compared; \"stats {expression}\" measures all");
        lines.push(of(&comparison.ranks, words));
    }
    let mut bars: &[(String, usize)] = &[];
    if let Some(numbers) = &comparison.numbers {
        let Numbers { min, max, mean, deviation, .. } = numbers;
        let [min, max, mean, deviation] = [min, max, mean, deviation].map(|number| significant(*number, DIGITS));
        let (least, greatest) = (&comparison.least, &comparison.greatest);
        let whose = |ranks: &ProcessSet| match ranks.len() {
            _ if least == greatest => String::new(),
            1 => format!(" (rank {ranks})"),
            _ => format!(" (ranks {})", set_words(ranks)),
        };
        let (least, greatest) = (whose(least), whose(greatest));
        let mut line = format!("min {min}{least}, max {max}{greatest}, mean {mean}, deviation {deviation}");
        for (ranks, what) in [(&comparison.nan, "NaN"), (&comparison.infinite, "infinite")] {
            if !ranks.is_empty() {
                line.push_str(&format!(", without {} {what}", ranks.len()));
            }
        }
        lines.push(of(&comparison.ranks, line));
        bars = &numbers.bars;
    }
    // Unusual values come first: those not finite, then those of few ranks; without a majority, the extremes.
    let odd = comparison.nan.union(&comparison.infinite);
    let extreme = comparison.least.union(&comparison.greatest);
    let extreme = if comparison.differing.is_empty() { extreme } else { ProcessSet::new() };
    let mut values: Vec<_> = comparison.values.iter().collect();
    values.sort_by_key(|(ranks, _)| (!ranks.is_subset(&odd), !ranks.is_subset(&extreme), ranks.len()));
    let others = values.len().saturating_sub(MOST_COMPARED);
    values.truncate(MOST_COMPARED);
    lines.extend(values.into_iter().map(|(ranks, text)| of(ranks, format!("= {text}"))));
    if others > 0 {
        lines.push(format!(
            "{others} more values; \"print {expression}\" says which ranks have the least and the greatest"
        ));
    }
    let highest = bars.iter().map(|(_, height)| *height).max().unwrap_or(1).max(1);
    lines.extend(bars.iter().map(|(from, height)| {
        format!("  {from:>16} {height:>8} {}", "#".repeat(height * 40 / highest)).trim_end().to_owned()
    }));
    lines
}

/// Formats instructions, with `/s` behind the text of their lines.
fn instructions(instructions: &[Instruction], form: CodeForm, texts: &CodeLines) -> Vec<String> {
    let mut lines = Vec::new();
    let bytes = |instruction: &Instruction| {
        instruction.bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
    };
    let longest = || instructions.iter().map(|one| bytes(one).len() + 2).max().unwrap_or(0);
    let width = if form.bytes { longest() } else { 0 };
    for (index, instruction) in instructions.iter().enumerate() {
        if form.lines {
            lines.extend(texts.get(&index).into_iter().flatten().cloned());
        }
        let mark = if instruction.current { "=> " } else { "   " };
        let code = &instruction.code;
        // Ranks whose load addresses differ have the file's in common.
        let in_file = || {
            let name = code.module.as_deref().map(|path| path.rsplit('/').next().unwrap_or(path));
            name.map_or_else(String::new, |name| format!("{name}+")) + &format!("{:#x}", code.offset)
        };
        let at = code.address.map_or_else(in_file, |address| address.to_string());
        let within = match &instruction.function {
            Some((name, 0)) => format!(" <{name}>"),
            Some((name, offset)) => format!(" <{name}+{offset}>"),
            None => String::new(),
        };
        let bytes = if form.bytes { bytes(instruction) } else { String::new() };
        lines.push(format!("{mark}{at}{within}: {bytes:<width$}{}", instruction.text));
    }
    lines
}

fn status(group: &StatusGroup, limits: &FormatOptions) -> String {
    let words = state_words(&group.state, group.thread, limits);
    let engine = group.engine.map_or_else(String::new, |engine| format!(" (under {engine})"));
    let held = if group.held { "held, " } else { "" };
    of(&group.ranks, format!("{held}{words}{engine}"))
}

fn thread(thread: &ThreadInfo) -> String {
    let mark = if thread.current { '*' } else { ' ' };
    let at = match (&thread.user, &thread.frame) {
        (Some(user), _) => user_place(user),
        (None, Some(frame)) => frame_place(frame),
        (None, None) => "running".to_owned(),
    };
    // Core files have no names of threads.
    let name = if thread.name.is_empty() { String::new() } else { format!("\"{}\" ", thread.name) };
    format!("{mark} {} {name}{at}", thread.id)
}

fn source(first: u32, lines: &[String], current: &std::collections::BTreeMap<u32, ProcessSet>) -> Vec<String> {
    let numbered = || (first..).zip(lines);
    let mark = |line: u32| current.get(&line).map_or_else(String::new, |ranks| format!("[{}]", set_words(ranks)));
    let width = numbered().map(|(number, _)| mark(number).len()).max().unwrap_or(0);
    numbered()
        .map(|(number, line)| format!("{:<width$} {number:>5}  {line}", mark(number)).trim_end().to_owned())
        .collect()
}

fn signal(info: &model::SignalInfo, disposition: &Disposition) -> String {
    let word = |yes: bool, word: &str| if yes { word.to_owned() } else { format!("no{word}") };
    let Disposition { stop, print, pass } = *disposition;
    let words = [word(stop, "stop"), word(print, "print"), word(pass, "pass")];
    format!("{:<9} {:<6} {:<7} {:<6} {}", info.name.0, words[0], words[1], words[2], info.description)
}
