//! What can be asked of ranks. The engines carry it out, the wire carries it as it is.

use super::{
    Answer, BreakpointId, BreakpointRequest, Context, EngineName, LocationSpec, Point, PrintLimits, RunSettings,
    SignalName, ThreadId, VirtualAddress,
};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StepKind {
    /// To another line, into functions that have lines.
    Into,
    /// To another line of this function or its caller.
    Over,
    /// As `Over`, but not back: to a line behind this one, or of the caller.
    Onward,
    /// Out of the frame of the context.
    Finish,
    /// One instruction.
    Instruction,
    /// One instruction, calls as one.
    InstructionOver,
}

/// What can be asked of ranks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operation {
    /// Answer: `Breakpoint` (no sites: pending), of what is no place `Armed`.
    SetBreakpoint(BreakpointRequest),
    /// Answer: `Ok`.
    DeleteBreakpoint(BreakpointId),
    /// Answer: `Ok`.
    EnableBreakpoint(BreakpointId, bool),
    /// `None` removes the condition. Answer: `Ok`; an expression that cannot be parsed is an error.
    SetCondition(BreakpointId, Option<String>),
    /// Arrivals to pass over. Answer: `Ok`.
    SetIgnore(BreakpointId, u64),
    /// Resume every thread, or the one that stopped where the others are to stay. Answer: `Ok`, later events.
    Go,
    /// As `Go`; where the others are to stay, this thread is the one that goes. Answer: `Ok`, later events.
    GoWith(ThreadId),
    /// Answer: `Ok`, later a stop event with `Step` or `Finished`, or whatever came between.
    Step {
        /// How far.
        kind: StepKind,
        /// Repetitions; 0 counts as 1.
        count: u32,
        /// The thread, and for `Finish` the frame to leave.
        context: Context,
    },
    /// Run to a place in the frame, or until that has returned. Answer: `Ok`, later a stop with `Step`.
    Until(LocationSpec, Context),
    /// As `Until`, but to a place in whatever frame.
    Advance(LocationSpec, Context),
    /// Go on at a place in the function, or at an address anywhere. Answer: `Ok`, later events.
    Jump(LocationSpec, Context),
    /// Leave the frame without the rest of its code, perhaps with a value for the caller. Answer: `Ok`, later a stop with
    /// `Step`.
    Return(Option<String>, Context),
    /// Stop. Answer: `Ok`; running ranks then report a stop with `Interrupted`, stopped ones do nothing.
    Interrupt,
    /// End the process with SIGKILL. Answer: `Ok`, later `Killed`.
    Terminate,
    /// Let go, clean. Answer: `Ok`, later `Detached`.
    Detach,
    /// Resume, delivering this signal in place of the one that stopped the thread; `None`: no signal. Answer: `Ok`.
    Signal(Option<SignalName>),
    /// Change what happens when a signal arrives; `None` leaves a part. Answer: `Signals` with the new row.
    HandleSignal {
        /// Which.
        name: SignalName,
        /// Stop the rank.
        stop: Option<bool>,
        /// Say so.
        print: Option<bool>,
        /// Let the program have it.
        pass: Option<bool>,
    },
    /// One signal or all. Answer: `Signals`.
    ListSignals(Option<SignalName>),
    /// Frames `low` to `high` of a thread; `high` `None`: to the end. Answer: `Stack`.
    Stack {
        /// `None`: the thread that stopped.
        thread: Option<ThreadId>,
        /// First level wanted.
        low: u32,
        /// Last level wanted.
        high: Option<u32>,
    },
    /// Answer: `Depth`.
    StackDepth(Option<ThreadId>),
    /// The same of many threads, which are asked one after another. Answer: `EachThread`. Threads that it does not mention are to
    /// be asked again: no more than [`Self::MOST_THREADS`] answer at once, and fewer where that would be long or take long.
    EachThread {
        /// Which, in their order.
        threads: Vec<ThreadId>,
        /// What, without a thread; one that [`Self::of_thread`] can ask of one.
        operation: Box<Operation>,
    },
    /// Value of an expression, assignments included. Answer: `Data`.
    Evaluate {
        /// Where names are looked up.
        context: Context,
        /// In the language of the frame.
        expression: String,
    },
    /// As `Evaluate`; what comes of it is taken down and can be named later: `$`, `$$`, `$3`. Answer: `Data`.
    Print {
        /// Where names are looked up.
        context: Context,
        /// In the language of the frame.
        expression: String,
        /// As it is made: containers of libraries not as what they hold.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        raw: bool,
        /// How much of it is shown; `None`: as the settings say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limits: Option<PrintLimits>,
    },
    /// Type of an expression or of a type name, without evaluating it. Answer: `Type`.
    TypeOf {
        /// Where names are looked up.
        context: Context,
        /// In the language of the frame.
        expression: String,
        /// Spell out the members instead of the name.
        expand: bool,
    },
    /// Variables of the frame, of inner blocks first. Answer: `Variables`.
    Locals(Context),
    /// Parameters of the frame. Answer: `Variables`.
    Arguments(Context),
    /// Names and values of globals matching a glob. Answer: `Variables`.
    Globals(String),
    /// Answer: `Threads`.
    Threads,
    /// Bytes from an address. Answer: `Memory`.
    ReadMemory {
        /// Where names in the address expression are looked up.
        context: Context,
        /// An expression whose value is the address.
        address: String,
        /// Added to the address, in bytes.
        offset: i64,
        /// Bytes wanted.
        length: u32,
        /// As what they are shown, which `$_` and `$__` then mean the last of.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        examined: Option<Examination>,
    },
    /// Put bytes at an address. Answer: `Ok`.
    WriteMemory {
        /// Where names in the address expression are looked up.
        context: Context,
        /// An expression whose value is the address.
        address: String,
        /// Added to the address, in bytes.
        offset: i64,
        /// What to put there.
        data: Vec<u8>,
    },
    /// All general registers, or those named. Answer: `Registers`.
    Registers(Context, Vec<String>),
    /// Instructions from a place on, or all of the function it is in. Answer: `Instructions`.
    Disassemble {
        /// The frame whose place it is when none is named, and where names are looked up.
        context: Context,
        /// From where.
        at: Option<LocationSpec>,
        /// How many, of which `$_` then means the last; `None`: the whole function.
        count: Option<u32>,
    },
    /// The instructions that lie before an address. Answer: `Instructions`.
    InstructionsBefore {
        /// Where names are looked up.
        context: Context,
        /// An expression whose value is the address.
        address: String,
        /// How many.
        count: u32,
        /// The last of them is the one at the address.
        through: bool,
    },
    /// What is at these addresses: `main+4`. Answer: `Names`.
    Symbols(Vec<VirtualAddress>),
    /// Where a location is: for `list`, and for showing a function. Answer: `Places`.
    Resolve(LocationSpec, Context),
    /// What gdb says in words of where a rank is. Answer: `Text`.
    Tell(Context, Inquiry),
    /// The text of a source file as the rank's host has it. Answer: `Source`.
    Source(String),
    /// From now on these settings hold. Answer: `Ok`.
    Configure(RunSettings),
    /// Look for the libraries of an event that was reported, and put breakpoints into them; ranks that waited for it go
    /// on. Answer: `Ok`.
    Reevaluate,
    /// End what is being found out about ranks, with what is known so far: nobody waits for it. Answer: `Ok`.
    StopLooking,
    /// Loaded files. Answer: `Libraries`.
    Libraries,
    /// Text for the back end as it is. Answer: `Text`.
    Engine(String),
    /// From now on another engine debugs these stopped ranks. Answer: `UnderEngine`.
    UseEngine(EngineName),
    /// Which engine debugs these ranks. Answer: `UnderEngine`.
    WhichEngine,
}

/// What is told in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Inquiry {
    /// Where a frame is, who called it, which registers it has saved.
    Frame,
    /// Of what source the code of a frame is.
    Source,
    /// Which variables there are at a place.
    Scope(LocationSpec),
}

/// As what `x` shows bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Examination {
    /// Numbers of so many bytes.
    Units(u32),
    /// Texts, each with a zero behind it, or as long as is shown at once.
    Texts {
        /// At most so many.
        count: u32,
        /// Bytes of a character.
        unit: u32,
        /// Characters after which what follows is another text.
        limit: u32,
    },
    /// Nothing of it: it is where `x` goes on from.
    Place,
}

impl Examination {
    /// Where in the bytes the last begins that is whole, or the last text; `None` where there is nothing.
    pub fn last(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Self::Units(unit) => {
                let unit = unit.max(1) as usize;
                (bytes.len() / unit).checked_sub(1).map(|units| units * unit)
            }
            Self::Texts { count, unit, limit } => {
                texts(bytes, unit, limit).take(count as usize).last().map(|text| text.characters.start)
            }
            Self::Place => Some(0),
        }
    }
}

/// A text among bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextSpan {
    /// Where its characters are.
    pub characters: Range<usize>,
    /// Where the next one begins.
    pub next: usize,
    /// It is as long as is shown at once, and goes on there.
    pub goes_on: bool,
}

/// The texts among bytes, whose characters have so many bytes each. One that is longer than the limit is several, one that has no zero
/// behind it goes as far as the bytes.
pub fn texts(bytes: &[u8], unit: u32, limit: u32) -> impl Iterator<Item = TextSpan> {
    let (unit, limit) = (unit.max(1) as usize, limit.max(1) as usize);
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = bytes.get(at..).filter(|rest| rest.len() >= unit)?;
        let characters = rest.chunks_exact(unit).take(limit);
        let length = characters.take_while(|character| character.iter().any(|byte| *byte != 0)).count();
        let cut = length == limit;
        let end = at + length * unit;
        let next = if cut { end } else { (end + unit).min(bytes.len()) };
        let follows = |bytes: &[u8]| bytes.len() == unit && bytes.iter().any(|byte| *byte != 0);
        let goes_on = cut && follows(bytes.get(end..(end + unit).min(bytes.len())).unwrap_or(&[]));
        let text = TextSpan { characters: at..end, next, goes_on };
        at = next;
        Some(text)
    })
}

impl Operation {
    /// Where names are looked up, if anywhere.
    pub fn context_mut(&mut self) -> Option<&mut Context> {
        match self {
            Self::SetBreakpoint(BreakpointRequest { point: Point::Watch(watch), .. }) => Some(&mut watch.context),
            Self::Step { context, .. }
            | Self::Until(_, context)
            | Self::Advance(_, context)
            | Self::Jump(_, context)
            | Self::Return(_, context)
            | Self::Evaluate { context, .. }
            | Self::Print { context, .. }
            | Self::TypeOf { context, .. }
            | Self::Locals(context)
            | Self::Arguments(context)
            | Self::ReadMemory { context, .. }
            | Self::WriteMemory { context, .. }
            | Self::Registers(context, _)
            | Self::Disassemble { context, .. }
            | Self::InstructionsBefore { context, .. }
            | Self::Resolve(_, context)
            | Self::Tell(context, _) => Some(context),
            _ => None,
        }
    }

    /// Whether its ranks run after it.
    pub fn resumes(&self) -> bool {
        let elsewhere = matches!(self, Self::Until(..) | Self::Advance(..) | Self::Jump(..) | Self::Return(..));
        elsewhere || matches!(self, Self::Go | Self::GoWith(_) | Self::Step { .. } | Self::Signal(_))
    }

    /// Whether the events that follow bear its transaction.
    pub fn is_run_control(&self) -> bool {
        self.resumes() || matches!(self, Self::Interrupt | Self::Terminate | Self::Detach)
    }

    /// Whether ranks that have ended may be asked, too: what needs no process of an expression is as it was.
    pub fn outlives_the_process(&self) -> bool {
        matches!(self, Self::Evaluate { .. } | Self::Print { .. } | Self::TypeOf { .. })
    }

    /// The answer of a rank whose process is not there any more, or never was: breakpoints may still be changed, for a
    /// restart. `None`: without a process it cannot be carried out.
    pub fn without_process(&self) -> Option<Answer> {
        match self {
            Self::SetBreakpoint(request) => Some(Answer::Breakpoint(request.id, Vec::new())),
            Self::DeleteBreakpoint(_)
            | Self::EnableBreakpoint(..)
            | Self::SetCondition(..)
            | Self::SetIgnore(..)
            | Self::Configure(_)
            | Self::Reevaluate
            | Self::StopLooking => Some(Answer::Ok),
            _ => None,
        }
    }

    /// Whether it needs its ranks stopped. The others work at any time.
    pub fn needs_stop(&self) -> bool {
        if let Self::EachThread { operation, .. } = self {
            return operation.of_thread(ThreadId(1)).is_none_or(|operation| operation.needs_stop());
        }
        let looks = matches!(
            self,
            Self::Stack { .. }
                | Self::StackDepth(_)
                | Self::Evaluate { .. }
                | Self::Print { .. }
                | Self::Locals(_)
                | Self::Arguments(_)
                | Self::Registers(..)
                | Self::ReadMemory { .. }
                | Self::WriteMemory { .. }
                | Self::Disassemble { .. }
                | Self::InstructionsBefore { .. }
                | Self::Symbols(_)
                | Self::Tell(..)
        );
        looks || self.resumes()
    }
}

#[cfg(test)]
mod tests {
    use super::Examination::{Texts, Units};
    use super::{TextSpan, texts};

    #[test]
    fn the_last_of_what_is_examined() {
        let bytes_in = |count| Texts { count, unit: 1, limit: 200 };
        for (examined, bytes, last) in [
            (Units(4), &[0u8; 12][..], Some(8)),
            (Units(4), &[0; 11], Some(4)),
            (Units(4), &[0; 3], None),
            (Units(0), &[0; 3], Some(2)),
            (bytes_in(1), b"ab\0c\0", Some(0)),
            (bytes_in(2), b"ab\0c\0d", Some(3)),
            (bytes_in(3), b"ab\0c\0d", Some(5)),
            (bytes_in(9), b"ab\0c\0", Some(3)),
            (bytes_in(9), b"", None),
            (bytes_in(0), b"ab", None),
            (Texts { count: 2, unit: 2, limit: 9 }, b"a\0\0\0b\0\0\0", Some(4)),
            (Texts { count: 2, unit: 4, limit: 9 }, b"a\0\0\0\0\0\0\0", Some(0)),
            (Texts { count: 2, unit: 1, limit: 3 }, b"abcdefgh\0", Some(3)),
        ] {
            assert_eq!(examined.last(bytes), last, "{examined:?} of {bytes:?}");
        }
    }

    #[test]
    fn a_long_text_goes_on_where_it_was_cut_off() {
        let of = |bytes: &[u8], limit| texts(bytes, 1, limit).collect::<Vec<_>>();
        let text = |begin, end, next, goes_on| TextSpan { characters: begin..end, next, goes_on };
        assert_eq!(
            of(b"abcdefg\0x", 3),
            [text(0, 3, 3, true), text(3, 6, 6, true), text(6, 7, 8, false), text(8, 9, 9, false)]
        );
        // As in gdb, what is left of it is an empty text.
        assert_eq!(of(b"abc\0", 3), [text(0, 3, 3, false), text(3, 3, 4, false)]);
        assert_eq!(of(b"", 3), []);
    }
}
