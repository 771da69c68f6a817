//! Translates the model's answers and events into events of the base dialect.

use super::partial::{data_event, with_target};
use super::translate_command::{Expect, Wanted};
use super::translate_record::{breakpoint, clamp, frame, signal, signal_named, suspension};
use super::{BaseEvent, BaseSet, Ending, RankEvent};
use model::{
    Answer, BreakpointId, Datum, ErrorCode, Event, Failure, ProcessSet, Severity, SignalTable, Stop, Variable,
};

pub(super) fn error(failure: &Failure) -> RankEvent {
    // The dialect has no code for it.
    let own = [ErrorCode::NO_THREAD, ErrorCode::STOPPED_IN_CALL].contains(&failure.code);
    let code = if own { ErrorCode::DEBUGGER } else { failure.code };
    RankEvent::Error { code: clamp(code.0), message: failure.message.clone() }
}

fn names(variables: Vec<Variable>) -> Vec<String> {
    variables.into_iter().map(|variable| variable.name).collect()
}

fn data(datum: &Datum, wanted: &Wanted) -> RankEvent {
    data_event(datum, wanted.extent, &wanted.key).unwrap_or_else(|fault| {
        let message = format!("cannot send the value in the base dialect: {fault}");
        error(&Failure::new(ErrorCode::DEBUGGER, message))
    })
}

/// Translates an answer; `None` for one that the client does not get.
pub(super) fn translate_answer(expect: &Expect, answer: Answer) -> Option<RankEvent> {
    let event = match (expect, answer) {
        // Their Suspend is built elsewhere.
        (Expect::Suspend(_) | Expect::Compared { .. }, _) => return None,
        // To a client that asks for a value, a missing symbol is an unknown variable.
        (Expect::Value(_), Answer::Failed(failure)) if failure.code == ErrorCode::NO_SYMBOL => {
            error(&Failure { code: ErrorCode::UNKNOWN_VARIABLE, ..failure })
        }
        // The target cannot be read or fetched: the pointer can.
        (Expect::Target(wanted, pointer), Answer::Failed(_)) => data(pointer, wanted),
        (Expect::Target(wanted, pointer), Answer::Data(target)) => match with_target(pointer, &target) {
            Some(datum) => data(&datum, wanted),
            None => data(pointer, wanted),
        },
        (_, Answer::Failed(failure)) => error(&failure),
        (Expect::Silent, _) => return None,
        (Expect::EngineText, Answer::Text(_)) => RankEvent::Ok,
        (Expect::Done, Answer::Ok) | (Expect::Handled, Answer::Ok | Answer::Signals(_)) => RankEvent::Ok,
        (Expect::Breakpoint(request), Answer::Breakpoint(..)) if request.temporary => RankEvent::Ok,
        (Expect::Breakpoint(request), Answer::Breakpoint(id, sites)) => {
            RankEvent::BreakpointSet { id: clamp(id.0), breakpoint: Some(breakpoint(id, Some(request), &sites)) }
        }
        (Expect::Breakpoint(request), Answer::Armed(id, _)) => {
            RankEvent::BreakpointSet { id: clamp(id.0), breakpoint: Some(breakpoint(id, Some(request), &[])) }
        }
        (Expect::Frames, Answer::Stack(frames)) => RankEvent::Stackframe { frames: frames.iter().map(frame).collect() },
        (Expect::Frame(level), Answer::Stack(frames)) if frames.is_empty() => {
            error(&Failure::new(ErrorCode::NO_STACK, format!("no frame at level {level}")))
        }
        (Expect::Frame(_), Answer::Stack(_)) => RankEvent::Ok,
        (Expect::Thread(thread), Answer::Stack(frames)) if frames.is_empty() => {
            error(&Failure::new(ErrorCode::NO_STACK, format!("thread {thread} has no stack")))
        }
        (Expect::Thread(thread), Answer::Stack(frames)) => {
            RankEvent::SetThreadSelect { thread: clamp(thread.0), frame: frames.first().map(frame) }
        }
        (Expect::Value(wanted), Answer::Data(datum)) => data(&datum, wanted),
        (Expect::Type, Answer::Type(text)) => RankEvent::Type { text },
        (Expect::Vars, Answer::Variables(variables)) => RankEvent::Vars { names: names(variables) },
        (Expect::Args, Answer::Variables(variables)) => RankEvent::Args { names: names(variables) },
        (Expect::Threads, Answer::Threads(threads)) => RankEvent::InfoThreads {
            current: threads.iter().find(|thread| thread.current).map_or(0, |thread| clamp(thread.id.0)),
            // The client adds the current thread itself.
            ids: threads.iter().filter(|thread| !thread.current).map(|thread| thread.id.to_string()).collect(),
        },
        (Expect::Depth, Answer::Depth(depth)) => RankEvent::StackInfoDepth { depth: clamp(depth) },
        (Expect::Memory(shape), Answer::Memory(address, bytes)) => shape.show(address, &bytes),
        (Expect::Signals, Answer::Signals(signals)) => {
            RankEvent::Signals { signals: signals.iter().map(signal).collect() }
        }
        (_, other) => {
            let message = format!("unexpected reply from the engine: {other:?}");
            error(&Failure::new(ErrorCode::DEBUGGER, message))
        }
    };
    Some(event)
}

/// Builds the Suspend of a stop; `changed` holds the keys of partial expressions.
pub(super) fn suspended(
    stop: &Stop,
    depth: u32,
    changed: Vec<String>,
    temporary: impl Fn(BreakpointId) -> bool,
    table: &SignalTable,
) -> RankEvent {
    let reason = suspension(stop, temporary, table);
    RankEvent::Suspend { reason, thread: clamp(stop.thread.0), depth: clamp(depth), changed }
}

/// Translates an event other than a stop, whose Suspend needs the depth of the stack; `None` for one that the dialect
/// lacks.
pub(super) fn translate_event(event: &Event, ranks: &ProcessSet, size: u32, table: &SignalTable) -> Option<BaseEvent> {
    let of_ranks = |event| Some(BaseEvent::Ranks(BaseSet::new(ranks.clone(), size), event));
    match event {
        Event::Exited(status) => of_ranks(RankEvent::Exit { reason: Ending::Exit(*status) }),
        Event::Killed(termination) => {
            let signal = signal_named(&termination.signal, table);
            of_ranks(RankEvent::Exit { reason: Ending::Signal(Some(signal)) })
        }
        Event::Output(_, text) => of_ranks(RankEvent::Output { text: text.clone() }),
        Event::Failed(why) | Event::Lost(why) => of_ranks(error(&Failure::new(ErrorCode::NO_BACK_END, why.clone()))),
        Event::SignalSeen(name) => Some(message(Severity::Note, &format!("[{ranks}] received {name}"))),
        Event::UnderEngine(Some(name)) => Some(message(Severity::Note, &format!("[{ranks}] under {name}"))),
        Event::UnderEngine(None) => Some(message(Severity::Note, &format!("[{ranks}] under the session's own engine"))),
        Event::Executed(program) => Some(message(Severity::Note, &format!("[{ranks}] is executing {program}"))),
        Event::Message(severity, text) => Some(message(*severity, &format!("[{ranks}] {text}"))),
        Event::Stopped(_)
        | Event::Acquired { .. }
        | Event::Running
        | Event::Detached
        | Event::BreakpointMoved(..)
        | Event::BreakpointArmed(..)
        | Event::Traced(_)
        | Event::LibrariesChanged { .. }
        | Event::BreakpointGone(_)
        | Event::Counted(..) => None,
    }
}

/// Builds a MESSAGE of the proxy.
pub(super) fn message(severity: Severity, text: &str) -> BaseEvent {
    let (level, code) = match severity {
        Severity::Note => ("INFO", 0),
        Severity::Warning => ("WARNING", 0),
        Severity::Error => ("ERROR", ErrorCode::DEBUGGER.0),
    };
    BaseEvent::ProxyMessage { level: level.to_owned(), code: clamp(code), text: text.to_owned() }
}
