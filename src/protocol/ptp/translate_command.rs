//! Translates commands of the base dialect into operations of the model.

use super::memory::{MemoryShape, word_bytes};
use super::partial::Extent;
use super::{BaseCommand, RankCommand};
use model::{
    BreakpointId, BreakpointRequest, Context, Datum, ErrorCode, Failure, LaunchSpec, LocationSpec, Operation, Point,
    PointAction, SignalName, StepKind, Stop, StopAt, ThreadId, TypeDetail, Watch, WatchAccess,
};

/// The event that an answer becomes for the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expect {
    Done,
    /// No event, except after a failure.
    Silent,
    /// BreakpointSet, or OK if the breakpoint is temporary.
    Breakpoint(BreakpointRequest),
    Frames,
    /// OK; the frame becomes the current one.
    Frame(u32),
    /// SetThreadSelect; the thread becomes the current one.
    Thread(ThreadId),
    Value(Wanted),
    /// Data of a pointer read before; the answer is its target.
    Target(Wanted, Datum),
    Type,
    Vars,
    Args,
    Threads,
    Depth,
    Memory(MemoryShape),
    Signals,
    /// OK; the signal's row has changed.
    Handled,
    /// OK, after the text as output.
    EngineText,
    /// The Suspend of this stop, which lacks the depth of the stack and the changes.
    Suspend(Box<Stop>),
    /// The Suspend of a stop by number: the answer says if the value of a partial expression has changed.
    Compared {
        stop: u32,
        key: String,
    },
}

/// A value that the client asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) extent: Extent,
    /// The client's key; empty: none.
    pub(super) key: String,
    pub(super) expression: String,
}

impl Wanted {
    /// Asks for a whole value.
    fn whole(expression: &str) -> Self {
        Self { extent: Extent::Whole, key: String::new(), expression: expression.to_owned() }
    }
}

/// An operation and the meaning of its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ask {
    pub(super) operation: Operation,
    pub(super) expect: Expect,
}

fn ask(operation: Operation, expect: Expect) -> Result<Ask, Failure> {
    Ok(Ask { operation, expect })
}

fn bad(message: impl Into<String>) -> Failure {
    Failure::new(ErrorCode::BAD_MESSAGE, message)
}

/// Fails if the number is negative.
fn natural(what: &str, number: i32) -> Result<u32, Failure> {
    number.try_into().map_err(|_| bad(format!("{what} {number} is negative")))
}

fn breakpoint_id(number: i32) -> Result<BreakpointId, Failure> {
    natural("breakpoint", number).map(BreakpointId)
}

fn some_text(text: &str) -> Option<String> {
    (!text.trim().is_empty()).then(|| text.to_owned())
}

fn place(
    id: i32,
    location: LocationSpec,
    (temporary, hardware): (bool, bool),
    condition: &str,
    ignore_count: i32,
    thread: i32,
) -> Result<Ask, Failure> {
    let request = BreakpointRequest {
        id: breakpoint_id(id)?,
        point: location.into(),
        action: PointAction::Stop,
        temporary,
        hardware,
        condition: some_text(condition),
        ignore: natural("ignore count", ignore_count)?.into(),
        thread: u32::try_from(thread).ok().filter(|&thread| thread > 0).map(ThreadId),
        enabled: true,
    };
    ask(Operation::SetBreakpoint(request.clone()), Expect::Breakpoint(request))
}

fn watch(id: i32, watch: Watch, condition: &str, ignore_count: i32) -> Result<Ask, Failure> {
    let request = BreakpointRequest {
        condition: some_text(condition),
        ignore: natural("ignore count", ignore_count)?.into(),
        ..BreakpointRequest::at(breakpoint_id(id)?, Point::Watch(watch))
    };
    ask(Operation::SetBreakpoint(request.clone()), Expect::Breakpoint(request))
}

/// Asks for frames; both levels 0 mean the whole stack.
fn frames(thread: Option<ThreadId>, low: u32, high: u32) -> Result<Ask, Failure> {
    let high = ((low, high) != (0, 0)).then_some(high);
    ask(Operation::Stack { thread, low, high, most: None }, Expect::Frames)
}

fn step_kind(number: i32) -> Result<StepKind, Failure> {
    match number {
        0 => Ok(StepKind::Into),
        1 => Ok(StepKind::Over),
        2 => Ok(StepKind::Finish),
        other => Err(bad(format!("invalid step kind {other}: 0 into, 1 over, 2 finish"))),
    }
}

/// Translates a command for ranks whose current thread and frame are those of `context`. Not for partial expressions,
/// which need their keys.
pub(super) fn translate(command: &RankCommand, context: Context) -> Result<Ask, Failure> {
    match command {
        RankCommand::SetLineBreakpoint { id, temporary, hardware, file, line, condition, ignore_count, thread } => {
            let line = natural("line", *line)?;
            let location = match file.as_str() {
                "" => LocationSpec::Line(line),
                file => LocationSpec::FileLine { file: file.to_owned(), line },
            };
            place(*id, location, (*temporary, *hardware), condition, *ignore_count, *thread)
        }
        RankCommand::SetFunctionBreakpoint {
            id,
            temporary,
            hardware,
            file: _,
            function,
            condition,
            ignore_count,
            thread,
        } => {
            let location = LocationSpec::Function(function.clone());
            place(*id, location, (*temporary, *hardware), condition, *ignore_count, *thread)
        }
        RankCommand::DeleteBreakpoint { id } => ask(Operation::DeleteBreakpoint(breakpoint_id(*id)?), Expect::Done),
        RankCommand::EnableBreakpoint { id } => {
            ask(Operation::EnableBreakpoint(breakpoint_id(*id)?, true), Expect::Done)
        }
        RankCommand::DisableBreakpoint { id } => {
            ask(Operation::EnableBreakpoint(breakpoint_id(*id)?, false), Expect::Done)
        }
        RankCommand::ConditionBreakpoint { id, expression } => {
            ask(Operation::SetCondition(breakpoint_id(*id)?, some_text(expression)), Expect::Done)
        }
        RankCommand::BreakpointAfter { id, ignore_count } => {
            let ignore = natural("ignore count", *ignore_count)?.into();
            ask(Operation::SetIgnore(breakpoint_id(*id)?, ignore), Expect::Done)
        }
        RankCommand::SetWatchpoint { id, expression, access, read, condition, ignore_count } => {
            let access = match (access, read) {
                (true, _) => WatchAccess::Any,
                (false, true) => WatchAccess::Read,
                (false, false) => WatchAccess::Change,
            };
            watch(*id, Watch { expression: expression.clone(), access, context }, condition, *ignore_count)
        }
        RankCommand::Go => ask(Operation::Go, Expect::Done),
        RankCommand::Step { count, kind } => {
            let (kind, count) = (step_kind(*kind)?, natural("count", *count)?);
            // Its clients step lines of the innermost frame, whichever they show.
            let frame = if kind == StepKind::Finish { context.frame } else { 0 };
            let context = Context { frame, ..context };
            ask(Operation::Step { kind, count, context }, Expect::Done)
        }
        RankCommand::Terminate => ask(Operation::Terminate, Expect::Done),
        RankCommand::Interrupt => ask(Operation::Interrupt, Expect::Silent),
        RankCommand::ListStackframes { low, high } => {
            frames(context.thread, natural("level", *low)?, natural("level", *high)?)
        }
        RankCommand::SetCurrentStackframe { level } => {
            let level = natural("level", *level)?;
            // The answer only shows that the frame exists.
            let operation = Operation::Stack { thread: context.thread, low: level, high: Some(level), most: None };
            ask(operation, Expect::Frame(level))
        }
        RankCommand::EvaluateExpression { expression }
        | RankCommand::DataEvaluateExpression { expression }
        | RankCommand::EvaluatePartialExpression { expression, .. } => ask(
            Operation::Evaluate { context, expression: expression.clone() },
            Expect::Value(Wanted::whole(expression)),
        ),
        RankCommand::GetType { expression } => {
            ask(Operation::TypeOf { context, expression: expression.clone(), detail: TypeDetail::Name }, Expect::Type)
        }
        RankCommand::ListLocalVariables => ask(Operation::Locals(context), Expect::Vars),
        RankCommand::ListArguments { low, high: _ } => {
            // One answer has room for the names of one frame.
            let frame = natural("level", *low)?;
            ask(Operation::Arguments(Context { frame, ..context }), Expect::Args)
        }
        RankCommand::ListGlobalVariables => ask(Operation::Globals("*".to_owned()), Expect::Vars),
        RankCommand::ListInfoThreads => ask(Operation::Threads, Expect::Threads),
        RankCommand::SetThreadSelect { thread } => {
            let thread = ThreadId(natural("thread", *thread)?);
            ask(Operation::Stack { thread: Some(thread), low: 0, high: Some(0), most: None }, Expect::Thread(thread))
        }
        RankCommand::StackInfoDepth => ask(Operation::StackDepth(context.thread), Expect::Depth),
        RankCommand::DataReadMemory { offset, address, format, word_size, rows, columns, as_char } => {
            let shape = MemoryShape::new(format, *word_size, *rows, *columns, as_char)?;
            let (address, offset, length) = (address.clone(), *offset, shape.length());
            ask(Operation::ReadMemory { context, address, offset, length, examined: None }, Expect::Memory(shape))
        }
        RankCommand::DataWriteMemory { offset, address, format, word_size, value } => {
            let data = word_bytes(format, *word_size, value)?;
            let (address, offset) = (address.clone(), *offset);
            ask(Operation::WriteMemory { context, address, offset, data }, Expect::Done)
        }
        RankCommand::ListSignals { name } | RankCommand::SignalInfo { argument: name } => {
            let name = some_text(name).map(|name| signal(&name)).transpose()?;
            ask(Operation::ListSignals(name), Expect::Signals)
        }
        RankCommand::Cli { text } if is_handle(text) => handle(text),
        RankCommand::Cli { text } => ask(Operation::Engine(text.clone()), Expect::EngineText),
        RankCommand::DeletePartialExpression { key } => Err(bad(format!("no partial expression {key:?}"))),
    }
}

fn signal(name: &str) -> Result<SignalName, Failure> {
    SignalName::parse(name.trim())
        .ok_or_else(|| Failure::new(ErrorCode::DEBUGGER, format!("{name:?} is not a signal of this system")))
}

/// True for the arguments of gdb's `handle`, to which the old program passes every text; others are commands of the
/// engine.
fn is_handle(text: &str) -> bool {
    let mut words = text.split_whitespace();
    match words.next() {
        None | Some("handle") => true,
        Some(first) => {
            let mut rest = words.peekable();
            SignalName::parse(first).is_some() || (rest.peek().is_some() && rest.all(|word| KEYWORDS.contains(&word)))
        }
    }
}

const KEYWORDS: [&str; 8] = ["stop", "nostop", "print", "noprint", "pass", "noignore", "nopass", "ignore"];

/// Parses the arguments that the old program gives to gdb's `handle`: a signal and keywords.
fn handle(text: &str) -> Result<Ask, Failure> {
    let mut words = text.split_whitespace().skip_while(|&word| word == "handle");
    let name = signal(words.next().ok_or_else(|| {
        bad("expected a signal and its actions, such as SIGUSR1 nostop \
        noprint pass")
    })?)?;
    let (mut stop, mut print, mut pass) = (None, None, None);
    for word in words {
        match word {
            "stop" => stop = Some(true),
            "nostop" => stop = Some(false),
            "print" => print = Some(true),
            "noprint" => print = Some(false),
            "pass" | "noignore" => pass = Some(true),
            "nopass" | "ignore" => pass = Some(false),
            other => return Err(bad(format!("unexpected {other:?}: expected [no]stop, [no]print or [no]pass"))),
        }
    }
    ask(Operation::HandleSignal { name, stop, print, pass }, Expect::Handled)
}

/// Returns the program of a StartSession; `None` for another command.
pub(super) fn launch_spec(command: &BaseCommand) -> Option<LaunchSpec> {
    let BaseCommand::StartSession { program, directory, working_directory, arguments } = command else { return None };
    let program = match (program.starts_with('/'), directory.trim_end_matches('/')) {
        (true, _) => program.clone(),
        (false, "") if directory.is_empty() => program.clone(),
        (false, directory) => format!("{directory}/{program}"),
    };
    Some(LaunchSpec {
        program,
        arguments: arguments.clone(),
        directory: some_text(working_directory),
        stop_at: StopAt::Main,
        ..LaunchSpec::default()
    })
}
