//! Reports as JSON, one object per line (batch output of the command page).

use super::arrays::table::table_json;
use super::finding::{bytes, symbols};
use super::json_breakpoint::breakpoint;
use super::json_object::{Object, milliseconds, number, scope_word, severity_word};
use super::numbers::array_numbers::{findings_json, statistics_json};
use super::numbers::array_sums;
use super::numbers::comparison::Comparison;
use super::processes::{core_files, facts, libraries, limits};
use super::queues::message_queues;
use super::session::{printers, requests};
use super::values::printed_variable;
use super::watched::{watched_value, watched_values};
use super::{Content, FullFrame, MemoryRow, PrintedVariable, RankStack, Report, why_answer, written};
use crate::state::{CallLine, SessionInfo, StatusGroup, TreeNode};
use model::aif::FormatOptions;
use model::{
    BreakpointId, Caught, CaughtCall, Cause, Disposition, EngineName, FloatPlace, FloatTrap, Frame, Instruction,
    NamedThread, ProcessSet, ProcessState, Severity, SignalInfo, Stop, StopReason, Termination, ThreadId, ThreadInfo,
    UserFrame,
};
use std::{collections::BTreeMap, sync::Arc};

/// Returns the lines of a report; most have one.
pub(super) fn lines(report: &Report) -> Vec<String> {
    let command = report.origin.as_ref().map(|origin| origin.line.trim());
    match &report.content {
        Content::Tree { tree, .. } if !tree.roots.is_empty() => {
            let roots = tree.roots.iter();
            let cut = tree.is_cut.then_some(true);
            let looks = tree.looks.as_ref();
            let object = |root: &TreeNode| {
                let object = Object::of_type("tree").ranks(&root.ranks).maybe("cut", cut);
                let object = object.maybe("samples", looks.map(|looks| looks.count));
                let object = object.maybe("seconds", looks.map(|looks| looks.lasted.as_secs_f64()));
                let moved = looks.map(|looks| looks.moved.intersection(&root.ranks).to_string());
                object.maybe("moved", moved).maybe("seen", looks.map(|_| tree.seen))
            };
            roots.map(|root| object(root).with("root", node(root, looks.is_some())).text()).collect()
        }
        Content::Variables(scope, lists) => {
            lists.iter().map(|(ranks, list)| variables(ranks, scope_word(*scope), list.iter())).collect()
        }
        Content::Stacks(stacks) => stacks.iter().map(|one| stack(one, &report.limits).text()).collect(),
        Content::Libraries(lists) => libraries::json(lists).iter().map(Object::text).collect(),
        Content::Limits(lists) => limits::json(lists).iter().map(Object::text).collect(),
        Content::CoreFiles(files) => core_files::json(files).iter().map(Object::text).collect(),
        Content::Queues(queues) => message_queues::json(queues).iter().map(Object::text).collect(),
        Content::Registers(lists) => lists
            .iter()
            .map(|(ranks, list)| variables(ranks, "registers", list.iter().map(|register| &register.variable)))
            .collect(),
        Content::Requests(list) => list.iter().map(|listed| requests::object(listed).text()).collect(),
        Content::Late { command, content, .. } => late(command, content, report.limits),
        Content::OfThreads(threads, content) => {
            let threads = Object::default().with("threads", threads.numbers());
            with_marks(lines(&Report { content: Content::clone(content), ..report.clone() }), threads)
        }
        content => vec![object(content, command, &report.limits).maybe("place", report.place_of_error()).text()],
    }
}

fn variables<'a>(ranks: &ProcessSet, scope: &str, list: impl Iterator<Item = &'a PrintedVariable>) -> String {
    let list: Vec<Object> = list.map(variable).collect();
    Object::of_type("variables").ranks(ranks).with("scope", scope).with("variables", list).text()
}

/// Formats replies that came after their command had ended: the same objects with `late` and `command`.
fn late(command: &str, content: &Content, limits: FormatOptions) -> Vec<String> {
    let marks = Object::default().with("late", true).with("command", command.trim());
    with_marks(lines(&Report { origin: None, content: content.clone(), limits }), marks)
}

/// Adds members to the end of objects.
fn with_marks(lines: Vec<String>, marks: Object) -> Vec<String> {
    let marks = marks.text();
    let marks = marks.trim_start_matches('{');
    lines.iter().map(|line| format!("{},{marks}", line.strip_suffix('}').unwrap_or(line))).collect()
}

fn object(content: &Content, command: Option<&str>, limits: &FormatOptions) -> Object {
    match content {
        Content::Session(info) => session(info),
        Content::Stopped(ranks, at) => stop(Object::of_type("stopped").ranks(ranks), at, Some(at.thread), limits),
        Content::Running(ranks) => Object::of_type("running").ranks(ranks),
        Content::Exited(ranks, code) => Object::of_type("exited").ranks(ranks).with("code", code),
        Content::Killed(ranks, termination) => killed(Object::of_type("killed").ranks(ranks), termination),
        Content::Detached(ranks) => Object::of_type("detached").ranks(ranks),
        Content::Failed(ranks, why) => Object::of_type("failed").ranks(ranks).with("message", why),
        Content::Lost { ranks, host, message } => lost(ranks, host, message),
        Content::Output(ranks, stream, text) => {
            Object::of_type("output").ranks(ranks).with("stream", stream).with("text", text)
        }
        Content::Breakpoint(point) => breakpoint(point),
        Content::BreakpointForStart(point) => breakpoint(&point.without_places()).with("waits", "start"),
        Content::Traced { ranks, id, thread, frame, values } => traced(ranks, *id, *thread, frame, values),
        Content::FullStack(ranks, frames, user) => {
            let object = Object::of_type("stack").ranks(ranks).with("frames", all(frames, full_frame));
            object.maybe("user", user.as_deref().map(user_frame))
        }
        Content::Frame(ranks, shown, arguments) => {
            let arguments = arguments.as_ref().and_then(|arguments| arguments.json(limits));
            Object::of_type("frame").ranks(ranks).with("frame", frame(shown).maybe("args", arguments))
        }
        Content::Why(answer) => why_answer::json(answer),
        Content::Tree { tree, .. } => Object::of_type("tree").ranks(&tree.ranks),
        Content::Value { ranks, expression, text, datum, display } => Object::of_type("value")
            .ranks(ranks)
            .with("expression", expression)
            .with("value", text)
            .with("value_type", &datum.type_name)
            .with("aif", &datum.descriptor)
            .maybe("display", *display),
        Content::Summary(ranks, expression, summary) => summary.json(ranks, expression),
        Content::Colours(ranks, expression, summary) => summary.json_of_colours(ranks, expression),
        Content::Layout(layout) => layout.json(),
        Content::Comparison(expression, comparison) => compared(expression, comparison),
        Content::Snapshot(report) => report.json(),
        Content::Statistics { ranks, expression, statistics, .. } => statistics_json(ranks, expression, statistics),
        Content::Found { ranks, expression, condition, findings } => {
            findings_json(ranks, expression, condition, findings)
        }
        Content::ArraySum(ranks, expression, sum) => array_sums::json(ranks, expression, sum),
        Content::Array(page) => table_json(page),
        Content::Type { ranks, expression, text } => type_of(ranks, expression, text),
        Content::Variables(scope, _) => Object::of_type("variables").with("scope", scope_word(*scope)),
        Content::Status(groups) => Object::of_type("status").with("groups", all(groups, |one| group(one, limits))),
        Content::Threads(ranks, threads) => {
            Object::of_type("threads").ranks(ranks).with("threads", all(threads, thread))
        }
        Content::Memory { ranks, address, rows, bytes } => Object::of_type("memory")
            .ranks(ranks)
            .address(Some(*address))
            .with("bytes", model::aif::to_hex(bytes))
            .with("rows", all(rows, memory_row)),
        Content::Instructions(ranks, instructions, _, lines) => {
            let one = |(index, one): (usize, &Instruction)| instruction(one).maybe("source_lines", lines.get(&index));
            let all: Vec<Object> = instructions.iter().enumerate().map(one).collect();
            Object::of_type("disassembly").ranks(ranks).with("instructions", all)
        }
        Content::Source { file, first, lines, current, origin } => source(file, *first, lines, current).origin(origin),
        Content::Signals(rows) => {
            Object::of_type("signals").with("signals", rows.iter().flat_map(signal).collect::<Vec<_>>())
        }
        Content::UnderEngine(ranks, engine) => Object::of_type("engine").ranks(ranks).with("engine", engine.word()),
        Content::EngineText(ranks, text) => Object::of_type("engine").ranks(ranks).with("text", text),
        Content::LibrariesChanged { ranks, loaded, unloaded } => {
            Object::of_type("library_event").ranks(ranks).with("loaded", loaded).with("unloaded", unloaded)
        }
        Content::Groups(groups) => {
            let named = |(name, ranks): &(String, ProcessSet)| Object::default().with("name", name).ranks(ranks);
            Object::of_type("groups").with("groups", all(groups, named))
        }
        Content::Focus { ranks, text, thread, group } => {
            let object = Object::of_type("focus").ranks(ranks).with("text", text);
            match group {
                Some(group) => object.with("threads", group.numbers()),
                None => object.maybe("thread", *thread),
            }
        }
        Content::OfThreads(..) => Object::default(),
        Content::Held(ranks) => Object::of_type("held").ranks(ranks),
        Content::Settings(rows) => Object::of_type("settings").with("settings", named_texts(rows, "value")),
        Content::Aliases(rows) => Object::of_type("aliases").with("aliases", named_texts(rows, "text")),
        Content::Printers(rows) => printers::json(rows),
        Content::Stacks(_) => Object::of_type("stack"),
        Content::Libraries(_) => Object::of_type("libraries"),
        Content::Limits(_) => Object::of_type("limits"),
        Content::CoreFiles(_) => Object::of_type("core"),
        Content::SavedData(saved) => saved.json(),
        Content::RestoredData(restored) => restored.json(),
        Content::Queues(_) => Object::of_type("queues"),
        Content::Symbols { ranks, query, list, .. } => symbols::json(ranks, query, list),
        Content::BytesFound { ranks, found, .. } => bytes::json(ranks, found),
        Content::ProcessFacts(ranks, known) => facts::json(ranks, known),
        Content::Written(report) => written::json(report),
        Content::Registers(_) => Object::of_type("variables").with("scope", "registers"),
        Content::Requests(_) => Object::of_type("request"),
        Content::Late { .. } => Object::of_type("late"),
        Content::Text(ranks, text) => some_ranks(Object::of_type("text"), ranks).with("text", text),
        Content::LauncherOutput(text) => {
            Object::of_type("message").with("severity", severity_word(Severity::Note)).with("message", text)
        }
        Content::Message(severity, ranks, text) => some_ranks(Object::of_type("message"), ranks)
            .with("severity", severity_word(*severity))
            .with("message", text),
        Content::Missing(ranks, message) => {
            Object::of_type("missing").ranks(ranks).maybe("command", command).with("message", message)
        }
        Content::Error { ranks, message, position } => {
            let error = some_ranks(Object::of_type("error"), ranks).maybe("command", command);
            error.with("message", message).maybe("position", *position)
        }
        Content::Done { elapsed, answered, .. } => {
            let done = Object::of_type("done").maybe("command", command).with("elapsed_ms", milliseconds(*elapsed));
            done.with("answered", answered.to_string())
        }
    }
}

fn type_of(ranks: &ProcessSet, expression: &str, text: &str) -> Object {
    Object::of_type("type").ranks(ranks).with("expression", expression).with("value_type", text)
}

fn all<T>(rows: impl IntoIterator<Item = T>, object: impl Fn(T) -> Object) -> Vec<Object> {
    rows.into_iter().map(object).collect()
}

fn named_texts(rows: &[(String, String)], key: &str) -> Vec<Object> {
    all(rows, |(name, text)| Object::default().with("name", name).with(key, text))
}

fn session(session: &SessionInfo) -> Object {
    let host = |hosts: Object, (host, ranks): &(Arc<str>, ProcessSet)| hosts.with(host, ranks.to_string());
    let hosts = session.hosts.iter().fold(Object::default(), host);
    let all = ProcessSet::all(session.size);
    Object::of_type("session").ranks(&all).with("session", &session.id).with("hosts", hosts)
}

fn stack(one: &RankStack, limits: &FormatOptions) -> Object {
    let with_arguments = |shown: &Frame| {
        frame(shown).maybe("args", one.arguments.get(&shown.level).and_then(|arguments| arguments.json(limits)))
    };
    let object = Object::of_type("stack").ranks(&one.ranks).with("frames", all(one.stack.iter(), with_arguments));
    object.maybe("user", one.user.as_deref().map(user_frame))
}

fn thread(thread: &ThreadInfo) -> Object {
    let row = Object::default().with("id", thread.id).with("current", thread.current);
    let row = row.with("name", &thread.name).maybe("frame", thread.frame.as_ref().map(frame));
    row.maybe("user", thread.user.as_ref().map(user_frame))
}

fn traced(ranks: &ProcessSet, id: BreakpointId, thread: ThreadId, frame: &Frame, values: &[PrintedVariable]) -> Object {
    let object = Object::of_type("trace").ranks(ranks).with("breakpoint", id).with("thread", thread);
    let object = object.maybe("function", frame.function.as_deref()).source(frame.source.as_ref());
    object.address(frame.code.address).with("values", all(values, variable))
}

fn source(file: &str, first: u32, lines: &[String], current: &BTreeMap<u32, ProcessSet>) -> Object {
    let source = Object::of_type("source").with("file", file).with("first", first);
    let line = |(line, ranks): (&u32, &ProcessSet)| Object::default().with("line", line).ranks(ranks);
    source.with("lines", lines).with("current", all(current, line))
}

fn memory_row(row: &MemoryRow) -> Object {
    let object = Object::default().address(Some(row.address));
    object.maybe("symbol", row.symbol.as_deref()).with("values", &row.units)
}

fn compared(expression: &str, comparison: &Comparison) -> Object {
    let object = Object::of_type("comparison").ranks(&comparison.ranks).with("expression", expression);
    let object = object.with("count", comparison.ranks.len()).with("distinct", comparison.values.len());
    let differing = Some(&comparison.differing).filter(|ranks| !ranks.is_empty());
    let object = object.maybe("differing", differing.map(ToString::to_string));
    let object = match &comparison.numbers {
        Some(numbers) => {
            let object = object.with("min", number(numbers.min)).with("max", number(numbers.max));
            let (least, greatest) = (&comparison.least, &comparison.greatest);
            let whose = |ranks: &ProcessSet| (least != greatest).then(|| ranks.to_string());
            let object = object.maybe("min_ranks", whose(least)).maybe("max_ranks", whose(greatest));
            object.with("mean", number(numbers.mean)).with("deviation", number(numbers.deviation))
        }
        None => object,
    };
    let object = object.maybe("partial", comparison.is_partial.then_some(true));
    let object = object.with("nan", comparison.nan.len()).with("infinite", comparison.infinite.len());
    let value = |(ranks, text): &(ProcessSet, String)| Object::default().with("value", text).ranks(ranks);
    let object = object.with("values", comparison.values.iter().map(value).collect::<Vec<_>>());
    object.maybe("histogram", comparison.numbers.as_ref().map(|numbers| &numbers.histogram))
}

fn some_ranks(object: Object, ranks: &ProcessSet) -> Object {
    if ranks.is_empty() { object } else { object.ranks(ranks) }
}

/// Adds reason and place of a stop, and the thread if it matters.
fn stop(object: Object, stop: &Stop, thread: Option<ThreadId>, limits: &FormatOptions) -> Object {
    let object = object.with("reason", stop.reason.word());
    let object = match &stop.reason {
        StopReason::Breakpoint(id) | StopReason::Barrier(id) => object.with("breakpoint", id),
        StopReason::Watchpoint(id, watched) => watched_values(object.with("watchpoint", id), watched, limits),
        StopReason::Caught(id, caught) => caught_by(object.with("catchpoint", id), caught, limits),
        StopReason::Signal(name) => object.with("signal", name),
        StopReason::Finished(Some(returned)) => {
            let object = object.with("returned", watched_value(Some(&returned.value), limits));
            object.with("returned_type", &returned.type_name).maybe("history_number", returned.number)
        }
        _ => object,
    };
    let object = object.maybe("cause", stop.cause.as_deref().map(cause));
    let object = object.maybe("thread", thread).maybe("function", stop.frame.function.as_deref());
    let object = object.source(stop.frame.source.as_ref()).address(stop.frame.code.address);
    object.maybe("user", stop.user.as_deref().map(user_frame)).maybe("note", stop.note.as_ref())
}

fn lost(ranks: &ProcessSet, host: &str, message: &str) -> Object {
    let host = Some(host).filter(|host| !host.is_empty());
    Object::of_type("lost").ranks(ranks).maybe("host", host).with("message", message)
}

fn killed(object: Object, termination: &Termination) -> Object {
    object.with("signal", &termination.signal).maybe("cause", termination.cause.as_deref().map(cause))
}

fn user_frame(user: &UserFrame) -> Object {
    let level = Some(user.frame.level).filter(|level| *level > 0);
    let object = Object::default().maybe("level", level).maybe("function", user.frame.function.as_deref());
    object.source(user.frame.source.as_ref()).maybe("call", user.call.as_deref())
}

fn cause(cause: &Cause) -> Object {
    Object::default().with("kind", cause.kind.word()).with("text", &cause.text).source(cause.source.as_ref())
}

fn caught_by(object: Object, caught: &Caught, limits: &FormatOptions) -> Object {
    match caught {
        Caught::Thrown => object.with("exception", "throw"),
        Caught::Handled => object.with("exception", "catch"),
        Caught::Rethrown => object.with("exception", "rethrow"),
        Caught::Executed(program) => object.with("program", program),
        Caught::Forked | Caught::Vforked => object,
        Caught::Signal(name) => object.with("signal", name),
        Caught::Loaded(names) => object.with("libraries", names),
        Caught::Unloaded(names) => object.with("unloaded", names),
        Caught::Call(call) => system_call(object, call),
        Caught::Float(trap) => float_trap(object, trap, limits),
    }
}

fn system_call(object: Object, caught: &CaughtCall) -> Object {
    let object = object.with("syscall", caught.call.to_string()).with("syscall_number", caught.call);
    let end = if caught.returned.is_some() { "return" } else { "call" };
    object.with("event", end).with("arguments", &caught.arguments).maybe("result", caught.returned.as_ref())
}

fn float_trap(object: Object, trap: &FloatTrap, limits: &FormatOptions) -> Object {
    let object = object.with("exceptions", trap.exceptions.iter().map(|kind| kind.word()).collect::<Vec<_>>());
    let instruction = Some(trap.instruction.as_str()).filter(|text| !text.is_empty());
    let operands: Vec<Object> =
        trap.operands.iter().map(|operand| variable(&printed_variable(operand, limits))).collect();
    object
        .maybe("instruction", instruction)
        .with("operands", operands)
        .maybe("before", trap.before.as_ref().map(before))
}

fn before(place: &FloatPlace) -> Object {
    Object::default().maybe("function", place.function.as_deref()).source(place.source.as_ref())
}

fn frame(frame: &Frame) -> Object {
    let object = Object::default().with("level", frame.level).maybe("function", frame.function.as_deref());
    let object = object.source(frame.source.as_ref()).maybe("module", frame.code.module.as_deref());
    let object = object.with("offset", format!("{:#x}", frame.code.offset)).address(frame.code.address);
    object.with("inlined", frame.inlined).maybe("guessed", frame.guessed.then_some(true))
}

fn full_frame(full: &FullFrame) -> Object {
    let list = |object: Object, name: &str, list: &Result<Vec<PrintedVariable>, String>| match list {
        Ok(list) => object.with(name, list.iter().map(variable).collect::<Vec<_>>()),
        Err(why) => object.with(&format!("{name}_unknown"), why),
    };
    list(list(frame(&full.frame), "args", &full.arguments), "locals", &full.locals)
}

/// A call of merged stacks; `sampled`: how often it was seen, too.
fn node(node: &TreeNode, sampled: bool) -> Object {
    let seen = |seen: u64| sampled.then_some(seen);
    let object = Object::default().maybe("function", node.frame.function.as_deref());
    let object = object.source(node.frame.source.as_ref());
    let object = match &node.frame.code {
        Some(code) => object.maybe("module", code.module.as_deref()).with("offset", format!("{:#x}", code.offset)),
        None => object,
    };
    // If the ranks of one call are at several lines, each line has its ranks.
    let line =
        |at: &CallLine| Object::default().with("line", at.line).ranks(&at.threads.ranks()).maybe("seen", seen(at.seen));
    let lines = (node.lines.len() > 1).then(|| node.lines.iter().map(line).collect::<Vec<_>>());
    let object = object.maybe("lines", lines);
    let object = object.maybe("library", node.has_only_libraries().then_some(true));
    let thread = |(thread, ranks): &(NamedThread, ProcessSet)| {
        let name = Some(&*thread.name).filter(|name| !name.is_empty());
        Object::default().with("thread", thread.id).maybe("name", name).ranks(ranks)
    };
    let threads = node.threads.named().iter().map(thread).collect::<Vec<_>>();
    let object = object.maybe("threads", Some(threads).filter(|threads| !threads.is_empty()));
    let children = node.children.iter().map(|child| self::node(child, sampled)).collect::<Vec<_>>();
    object.ranks(&node.ranks).maybe("seen", seen(node.seen)).with("children", children)
}

fn instruction(instruction: &Instruction) -> Object {
    let code = &instruction.code;
    let object = Object::default().address(code.address).maybe("module", code.module.as_deref());
    let object = object.with("offset", format!("{:#x}", code.offset));
    let function = instruction.function.as_ref();
    let object = object.maybe("function", function.map(|(name, _)| &**name));
    let object = object.maybe("function_offset", function.map(|(_, offset)| *offset));
    let object = object.source(instruction.source.as_ref()).with("text", &instruction.text);
    let bytes = Some(model::aif::to_hex(&instruction.bytes)).filter(|bytes| !bytes.is_empty());
    let object = object.maybe("bytes", bytes);
    object.maybe("current", Some(true).filter(|_| instruction.current))
}

fn variable(variable: &PrintedVariable) -> Object {
    Object::default().with("name", &variable.name).with("value", &variable.text).with("value_type", &variable.type_name)
}

fn group(group: &StatusGroup, limits: &FormatOptions) -> Object {
    let object = Object::default().ranks(&group.ranks).with("state", group.state.word());
    let (held, engine) = (Some(true).filter(|_| group.held), group.engine.map(EngineName::word));
    let object = object.maybe("held", held).maybe("engine", engine);
    match &group.state {
        ProcessState::Stopped(at) => stop(object, at, group.thread, limits),
        ProcessState::Exited(code) => object.with("code", code),
        ProcessState::Killed(termination) => killed(object, termination),
        ProcessState::Failed(message) | ProcessState::Lost(message) => object.with("message", message),
        ProcessState::Starting | ProcessState::Running | ProcessState::Detached => object,
    }
}

fn signal((info, parts): &(SignalInfo, Vec<(ProcessSet, Disposition)>)) -> Vec<Object> {
    let row = |ranks: &ProcessSet, disposition: &Disposition| {
        let object = Object::default().with("name", &info.name).ranks(ranks).with("stop", disposition.stop);
        object.with("print", disposition.print).with("pass", disposition.pass).with("description", &info.description)
    };
    parts.iter().map(|(ranks, disposition)| row(ranks, disposition)).collect()
}
